"""Tests of the crosstable in Gomocup's form, as text and as CSV."""

from __future__ import annotations

import csv
import io

from arena.results.gomocup_table import format_gomocup_csv, format_gomocup_table
from arena.results.outcome import RunOutcome
from arena.terms.anchors import Anchor
from arena.terms.ending import Ending
from tests.arena.web.runs import make_game, make_header, make_outcome


def make_tournament(*, has_draw: bool, anchor: tuple[Anchor, ...] = ()) -> RunOutcome:
    """A wins 3:1 against B and 2:0 against C; B wins 1:0 against C, and the other game is lost or drawn."""
    games = [
        make_game(1, "A", "B"),
        make_game(2, "B", "A", winner="A"),
        make_game(3, "A", "B"),
        make_game(4, "B", "A"),
        make_game(5, "A", "C"),
        make_game(6, "C", "A", winner="A"),
        make_game(7, "B", "C"),
        make_game(8, "C", "B", **({"winner": "", "ending": Ending.DRAW} if has_draw else {})),
    ]
    return make_outcome(make_header(["C", "B", "A"], anchor=anchor), *games)


def test_cells_are_wins_and_losses_of_the_row() -> None:
    """Ranked by the ratio of points: A 5:1, B 2:4, C 1:3."""
    outcome = make_tournament(has_draw=False, anchor=(Anchor("B", 1500.0),))
    lines = [line.split() for line in format_gomocup_table(outcome).splitlines()]
    assert lines[0] == ["#", "name", "Elo", "total", "ratio", "1", "2", "3"]
    assert [[line[1], *line[3:]] for line in lines[1:4]] == [
        ["A", "5:1", "5.000", "-", "3:1", "2:0"],
        ["B", "2:4", "0.500", "1:3", "-", "1:1"],
        ["C", "1:3", "0.333", "0:2", "1:1", "-"],
    ]
    assert lines[2][2] == "1500"
    assert lines[4][1] == "wins:losses;"


def test_draws_are_a_third_number_and_half_a_point() -> None:
    lines = [line.split() for line in format_gomocup_table(make_tournament(has_draw=True)).splitlines()]
    assert [[line[1], *line[3:]] for line in lines[1:4]] == [
        ["A", "5:1:0", "5.000", "-", "3:1:0", "2:0:0"],
        ["B", "2:3:1", "0.714", "1:3:0", "-", "1:0:1"],
        ["C", "0:3:1", "0.143", "0:2:0", "0:1:1", "-"],
    ]
    assert lines[4][1] == "wins:losses:draws;"


def test_csv_has_a_column_for_each_number() -> None:
    """A spreadsheet would read a cell such as 5:3 as a time, and =A as a formula."""
    header = make_header(["=A", "B"])
    outcome = make_outcome(header, make_game(1, "=A", "B"), make_game(2, "B", "=A", winner="=A"))
    rows = list(csv.DictReader(io.StringIO(format_gomocup_csv(outcome))))
    assert [row["name"] for row in rows] == ["'=A", "B"]
    assert [(row["wins"], row["losses"], row["draws"], row["ratio"]) for row in rows] == [
        ("2", "0", "0", ""),
        ("0", "2", "0", "0.000"),
    ]
    assert [rows[0][f"{kind} against 1"] for kind in ("wins", "losses", "draws")] == ["", "", ""]
    assert [rows[0][f"{kind} against 2"] for kind in ("wins", "losses", "draws")] == ["2", "0", "0"]
    assert "inf" in format_gomocup_table(outcome)


def test_engine_without_games_is_last() -> None:
    outcome = make_outcome(make_header("CAB"), make_game(1, "A", "B"), make_game(2, "B", "A"))
    assert [line.split()[1] for line in format_gomocup_table(outcome).splitlines()[1:4]] == ["A", "B", "C"]
