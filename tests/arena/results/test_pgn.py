"""Tests that python-chess reads the PGN headers of results, with any name."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import chess.pgn
import pytest

from arena.results.pgn import GameScore, format_pgn, list_played
from arena.terms.ending import Ending
from tests.arena.web.runs import make_game, make_header

NAMES = ('A "the great"', "B\\C\\", "[x]", "ünï {} ; %", 'back\\"quote', "\\\\")


def read_games(text: str) -> Iterator[chess.pgn.Game]:
    stream = io.StringIO(text)
    while (game := chess.pgn.read_game(stream)) is not None:
        yield game


def unescape(value: str) -> str:
    """Return the text of a PGN string token; python-chess keeps its escapes."""
    return re.sub(r"\\(.)", r"\1", value)


def test_results_and_players_are_read_by_python_chess() -> None:
    """White is the engine that moves first. A game that does not count is left out."""
    header = make_header("ABC", event_name='Cup "X"', site="Brno", started="2026-03-04T05:06:07+00:00")
    games = [
        make_game(1, "A", "B"),
        make_game(2, "B", "A", winner="A"),
        make_game(3, "C", "A", winner="", ending=Ending.DRAW),
        make_game(4, "A", "C", winner="", ending=Ending.VOID),
    ]
    read = list(read_games(format_pgn(header, list_played(games))))
    assert [(game.headers["White"], game.headers["Black"], game.headers["Result"]) for game in read] == [
        ("A", "B", "1-0"),
        ("B", "A", "0-1"),
        ("C", "A", "1/2-1/2"),
    ]
    assert [game.headers["Round"] for game in read] == ["1", "1", "2"]
    assert {(unescape(game.headers["Event"]), game.headers["Site"], game.headers["Date"]) for game in read} == {
        ('Cup "X"', "Brno", "2026.03.04")
    }
    assert not any(game.errors or list(game.mainline_moves()) for game in read)


def test_any_name_is_read_back() -> None:
    played = [GameScore(1, name, f"{name}2", 1.0) for name in NAMES]
    read = list(read_games(format_pgn(make_header("AB"), played)))
    assert [unescape(game.headers["White"]) for game in read] == list(NAMES)
    assert [unescape(game.headers["Black"]) for game in read] == [f"{name}2" for name in NAMES]


def test_quotes_and_backslashes_are_escaped() -> None:
    """python-chess also accepts them as they are, but other programs end the name at the first quote."""
    text = format_pgn(make_header("AB"), [GameScore(1, 'A "x"', "B\\", 1.0)])
    assert '[White "A \\"x\\""]\n[Black "B\\\\"]\n' in text


def test_unknown_values_have_the_marks_of_pgn() -> None:
    (game,) = read_games(format_pgn(make_header("AB", started="then"), [GameScore(1, "A", "B", 0.5)]))
    assert (game.headers["Event"], game.headers["Site"]) == ("gomoku freestyle 15x15", "?")
    assert game.headers["Date"] == "????.??.??"


@pytest.mark.parametrize(("score", "result"), [(1.0, "1-0"), (0.5, "1/2-1/2"), (0.0, "0-1")])
def test_movetext_is_the_result_alone(score: float, result: str) -> None:
    text = format_pgn(make_header("AB"), [GameScore(7, "A", "B", score)])
    assert text.splitlines()[-3:] == [f'[Result "{result}"]', "", result]
