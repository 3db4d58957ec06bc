"""Tests of opening books: reading of their files, checking of their moves, and the part of a book that a run uses."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.terms.openings import OpeningBook, read_book
from bots.gomoku.notation import parse_opening
from core.play.player import BadSetup, Setup
from tests.arena.fakes import PILE_GAME, Pile


def read_openings(tmp_path: Path, text: str) -> tuple[tuple[str, ...], ...]:
    """Return the openings of a book file for the pile game (tests/arena/fakes.py), whose moves are 1 to 3."""
    path = tmp_path / "book.txt"
    path.write_text(text, encoding="utf-8")
    return read_book(path, PILE_GAME, PILE_GAME.default_setup).lines


def test_comments_blank_lines_and_byte_order_mark(tmp_path: Path) -> None:
    assert read_openings(tmp_path, "\ufeff1 2\r\n\r\n# all\n3 1 # good\n") == (("1", "2"), ("3", "1"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n1 4\n", "line 2: take 1 to 3"),
        ("3 3 3\n", "line 1: the game is over"),
        ("# nothing\n", "no opening"),
    ],
)
def test_wrong_opening_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(message)):
        read_openings(tmp_path, text)


class BoardWithoutRules(Pile):
    """A position in which every move is legal and no game ends."""

    def play(self, move: str) -> None:
        self._moves.append(move)

    def outcome(self) -> None:
        return None


def test_squares_and_offsets_of_gomoku_openings(tmp_path: Path) -> None:
    """Gomoku openings may be squares (`h8i9g7`) or offsets from the centre as in Gomocup files (`0,0, 1,1, -1,-1`)."""
    game = replace(PILE_GAME, new_position=BoardWithoutRules, parse_opening=parse_opening)
    path = tmp_path / "book.txt"
    path.write_text("h8i9g7\n0,0, 1,1, -1,-1\n", encoding="utf-8")
    book = read_book(path, game, Setup(15, 15, "freestyle"))
    assert book.lines == (("h8", "i9", "g7"), ("h8", "i9", "g7"))
    assert (len(book), book.distinct) == (2, 1)
    assert book.moves(None) == ()  # the start position
    assert len(book.digest) == 64


def test_book_is_rotated_and_its_openings_are_truncated() -> None:
    """The arguments are the number of the first opening (from 1) and the maximum number of plies."""
    book = OpeningBook((("1", "2"), ("2",), ("3", "1", "1")), "book.txt", "00")
    assert book.rotate_and_truncate(1, None) == book
    assert book.rotate_and_truncate(2, None).lines == (("2",), ("3", "1", "1"), ("1", "2"))
    rotated = book.rotate_and_truncate(3, 1)
    assert rotated == OpeningBook((("3",), ("1",), ("2",)), "book.txt", "00", first=3)
    assert [rotated.number_in_file(index) for index in range(3)] == [3, 1, 2]
