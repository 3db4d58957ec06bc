"""Cells of HTP and of Go, and the words beside them. A wrong direction of rows would fail silently everywhere else."""

from __future__ import annotations

import pytest

from bots.hex.notation import COORDINATES, GO, HTP, from_htp, parse_cell, parse_colour, to_htp
from core.player import IllegalMove, Setup
from core.squares import format_square

BOARD = Setup(11, 9, "standard")


@pytest.mark.parametrize(
    ("htp", "go"), [("a1", "A9"), ("i9", "J1"), ("k2", "L8"), ("h5", "H5"), ("swap-pieces", "swap-pieces")]
)
def test_both_dialects_name_the_same_cell(htp: str, go: str) -> None:
    assert from_htp(htp, BOARD, GO) == go
    assert to_htp(go, BOARD, GO) == htp
    assert to_htp(htp.upper(), BOARD, HTP) == htp


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_every_cell_goes_there_and_back(coordinates: str) -> None:
    board = Setup(19, 19, "standard")
    names = {from_htp(format_square(x, y), board, coordinates) for x in range(19) for y in range(19)}
    assert len(names) == 361
    assert {parse_cell(to_htp(n, board, coordinates), board) for n in names} == {
        (x, y) for x in range(19) for y in range(19)
    }


@pytest.mark.parametrize(
    ("text", "coordinates", "reason"),
    [
        ("l1", HTP, "outside the 11x9 board"),
        ("a10", HTP, "outside"),
        ("a0", HTP, "a cell such as c2"),
        ("", HTP, "a cell such as c2"),
        ("pass", HTP, "not 'pass'"),
        ("i3", GO, "skip the letter i"),
        ("m1", GO, "outside"),
        ("a10", GO, "outside"),
        ("3c", GO, "a cell such as C2"),
    ],
)
def test_what_names_no_cell_is_refused(text: str, coordinates: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        to_htp(text, BOARD, coordinates)


def test_colours() -> None:
    assert [parse_colour(text) for text in ("b", "Black", "W", "white")] == [0, 0, 1, 1]
    with pytest.raises(IllegalMove, match="not 'red'"):
        parse_colour("red")
