"""Tests of the crosstable by rounds and the bracket: as text and as CSV, finished and in mid-run."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.log.file import read_run
from arena.results.derived_files import format_full_report, format_short_report, write_derived_files
from arena.results.outcome import compute_outcome
from arena.results.round_tables import format_rounds
from arena.results.rounds import RoundsResult
from tests.arena.web.runs import make_game, make_header, make_outcome, write_rounds


def win_by_name(one: str, other: str) -> str:
    """Return the engine whose name comes first in the alphabet."""
    return min(one, other)


def draw_with_neighbour(one: str, other: str) -> str:
    """Return no winner between neighbours in the alphabet, else the engine whose name comes first."""
    return "" if abs(ord(one) - ord(other)) == 1 else min(one, other)


def read_rounds(directory: Path) -> RoundsResult:
    rounds = compute_outcome(read_run(directory)).rounds
    assert rounds
    return rounds


def test_crosstable_of_a_swiss(tmp_path: Path) -> None:
    """All figures by hand. Five engines, three rounds; neighbours in the alphabet draw, else the first one wins."""
    write_rounds(tmp_path, make_header("ABCDE", tournament_format="swiss"), draw_with_neighbour)
    # round 1: A 2-0 C, B 2-0 D, bye E; round 2: A 1-1 B, E 0-2 C, bye D; round 3: A 2-0 D, B 2-0 E, bye C
    result = read_rounds(tmp_path)
    assert [(row.rank, row.name, row.points, row.buchholz, row.sonneborn_berger) for row in result.engines] == [
        (1, "A", 5, 4 + 5 + 2, 2 * 4 + 1 * 5 + 2 * 2),
        (2, "B", 5, 2 + 5 + 2, 2 * 2 + 1 * 5 + 2 * 2),
        (3, "C", 4, 5 + 2 + 4, 2 * 2 + 2 * 4),
        (4, "D", 2, 5 + 2 + 5, 2 * 2),
        (5, "E", 2, 2 + 4 + 5, 2 * 2),
    ]


def test_text_of_a_swiss(tmp_path: Path) -> None:
    write_rounds(tmp_path, make_header("ABC", tournament_format="swiss"), win_by_name)
    outcome = compute_outcome(read_run(tmp_path))
    assert outcome.rounds
    text = format_rounds(outcome.rounds)
    assert text.splitlines()[:4] == [
        "Swiss  points  Buchholz  S-B  round 1  round 2",
        "1 A         4         4    8   2-0 v2   2-0 v3",
        "2 B         2         6    4   0-2 v1    2 bye",
        "3= C        2         6    4    2 bye   0-2 v1",
    ]
    assert text in format_short_report(outcome)
    assert text in format_full_report(outcome)


def test_equal_engines_are_marked(tmp_path: Path) -> None:
    write_rounds(tmp_path, make_header("AB", tournament_format="swiss"), lambda *_: "")
    assert format_rounds(read_rounds(tmp_path)).splitlines()[1:3] == [
        "1 A         1         1    1   1-1 v2",
        "2= B        1         1    1   1-1 v1",
    ]


def test_bracket_of_six_with_byes(tmp_path: Path) -> None:
    """B and C draw both games and both games of the tie-break, so the better seed B advances, with an asterisk."""
    header = make_header("ABCDEF", tournament_format="knockout", tie_break_games=2)

    def find_winner(one: str, other: str) -> str:
        return {"CF": "C", "DE": "E", "AE": "A", "BC": "", "AB": "B"}[min(one, other) + max(one, other)]

    assert format_rounds(read_rounds(write_rounds(tmp_path, header, find_winner))).splitlines() == [
        "        A  2 ┐",
        "             │",
        "             ├─ A  0 ┐",
        "D  0 ┐       │       │",
        "     ├─ E  0 ┘       │",
        "E  2 ┘               │",
        "                     ├─ B",
        "                     │",
        "        B 2* ┐       │",
        "             │       │",
        "             ├─ B  2 ┘",
        "C  2 ┐       │",
        "     ├─ C  2 ┘",
        "F  0 ┘",
        "*: advanced as the better seed, because the encounter was drawn",
        "winner: B",
    ]


def test_bracket_keeps_its_order_if_the_lower_seed_is_above(tmp_path: Path) -> None:
    """D beats A and then meets B, the better seed, which comes from the lower half of the bracket."""
    header = make_header("ABCD", tournament_format="knockout")
    write_rounds(tmp_path, header, lambda one, other: "D" if "D" in (one, other) else min(one, other))
    assert format_rounds(read_rounds(tmp_path)).splitlines() == [
        "A 0 ┐",
        "    ├─ D 2 ┐",
        "D 2 ┘      │",
        "           ├─ D",
        "B 2 ┐      │",
        "    ├─ B 0 ┘",
        "C 0 ┘",
        "winner: D",
    ]


@pytest.mark.parametrize(("max_pairs", "finished"), [(0, False), (1, False), (2, False), (None, True)])
def test_bracket_in_mid_run_has_only_what_is_known(tmp_path: Path, max_pairs: int | None, finished: bool) -> None:
    header = make_header("ABCD", tournament_format="knockout")
    outcome = compute_outcome(read_run(write_rounds(tmp_path, header, win_by_name, max_pairs)))
    assert outcome.rounds
    assert outcome.is_finished is finished
    assert outcome.rounds.winner == ("A" if finished else "")
    final = outcome.rounds.encounters[-1]
    assert (final.first, final.second) == ("A" if max_pairs != 0 else "", "B" if max_pairs not in (0, 1) else "")
    ranks = {row.name: row.rank for row in outcome.rounds.engines}
    if finished:
        assert ranks == {"A": 1, "B": 2, "C": 3, "D": 3}
    assert ("winner: A" in format_rounds(outcome.rounds)) is finished


def test_csv_files_have_every_encounter_and_row(tmp_path: Path) -> None:
    header = make_header(("=A", "B", "C"), tournament_format="knockout", tie_break_games=2)
    write_rounds(tmp_path, header, lambda *_: "")
    write_derived_files(tmp_path, (), compute_outcome(read_run(tmp_path)))
    assert (tmp_path / "rounds.csv").read_text(encoding="utf-8").splitlines() == [
        "round,first,second,first_points,second_points,games,tie_break_games,winner,by_seed",
        "1,'=A,,0,0,0,0,'=A,0",
        "1,B,C,2,2,4,2,B,1",
        "2,'=A,B,2,2,4,2,'=A,1",
    ]
    assert (tmp_path / "standings.csv").read_text(encoding="utf-8").splitlines() == [
        "rank,engine,seed,points,buchholz,sonneborn_berger,direct,"
        "round1_opponent,round1_points,round1_against,round2_opponent,round2_points,round2_against",
        "1,'=A,1,2,,,,-,0,0,B,2,2",
        "2,B,2,4,,,,C,2,2,'=A,2,2",
        "3,C,3,2,,,,B,2,2,,,",
    ]


def test_swiss_csv_has_points_of_byes(tmp_path: Path) -> None:
    write_rounds(tmp_path, make_header("ABC", tournament_format="swiss"), win_by_name)
    write_derived_files(tmp_path, (), compute_outcome(read_run(tmp_path)))
    rows = (tmp_path / "rounds.csv").read_text(encoding="utf-8").splitlines()
    assert rows[1:3] == ["1,A,B,2,0,2,0,A,0", "1,C,,2,0,0,0,,0"]


def test_round_robin_has_no_such_files(tmp_path: Path) -> None:
    outcome = make_outcome(make_header("ABC"), make_game(1, "A", "B"))
    write_derived_files(tmp_path, (), outcome)
    assert outcome.rounds is None
    assert not {"rounds.csv", "standings.csv"} & {path.name for path in tmp_path.iterdir()}


def test_long_names_fit_into_a_terminal(tmp_path: Path) -> None:
    names = [f"engine-with-a-long-name-{number}" for number in range(16)]
    write_rounds(tmp_path, make_header(names, tournament_format="knockout"), win_by_name)
    lines = format_rounds(read_rounds(tmp_path)).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("engine-with" in line for line in lines) <= 1  # that of the winner, below the bracket


def test_report_prints_the_bracket(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_rounds(tmp_path, make_header("AB", tournament_format="knockout"), win_by_name)
    assert cli.run(["report", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("A 2 ┐\n    ├─ A\nB 0 ┘\nwinner: A\n\nengine ")
