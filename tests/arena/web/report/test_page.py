"""The HTML report: it has the data of the log, loads nothing else, and shows text of engines as text only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.errors import CommandFailedError
from arena.log.events import MoveEntry
from arena.log.file import read_run
from arena.results.derived_files import write_derived_files
from arena.results.outcome import compute_outcome
from arena.results.ratings import Estimate
from arena.statistics.elo import elo_from_score
from arena.statistics.sprt import Sprt
from arena.terms.anchors import Anchor
from arena.terms.ending import Ending
from arena.web.report.page import format_page, make_report, write_html
from arena.web.report.replay import MAX_STDERR_LENGTH
from bots.registry import GAMES
from tests.arena.web.runs import HOSTILE, make_game, make_header, make_outcome, read_report, write_rounds, write_run


def test_page_has_the_games(tmp_path: Path) -> None:
    games = [make_game(1, "A", "B"), make_game(2, "B", "A")]
    path = write_html(write_run(tmp_path, make_header(("A", "B")), games))
    report = read_report(path.read_text(encoding="utf-8"))
    game = report.games[0]
    assert game.moves == ("h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
    assert (len(game.changes), len(game.times_ms), len(game.search_info), game.opening) == (10, 9, 9, 2)
    assert game.times_ms[:3] == (None, None, 0)
    assert game.search_info[3] == (1, None, 3, 100, None)
    # won, drawn and lost by A: against itself, against B
    assert report.results[0].against == ((0, 0, 0), (1, 0, 1))
    assert dict(report.facts)["limits"] == "1 s per move, margin 250 ms"


def test_page_has_the_messages_of_the_engines() -> None:
    entries = (MoveEntry("i8", pv=("i8", "a2"), messages=("MESSAGE one", HOSTILE)), MoveEntry("a2"))
    game = make_game(1, "A", "B", ending=Ending.DISCONNECT, blamed="A", moves=entries, messages=("help",))
    page = format_page(make_report(make_outcome(make_header(("A", "B")), game)))
    replay = read_report(page).games[0]
    assert replay.pvs == ("", "", "i8 a2", "")
    assert replay.messages == ((), (), ("MESSAGE one", HOSTILE), ())
    assert replay.final_messages == ("help",)
    assert "onerror" not in page


def test_page_has_the_standard_error() -> None:
    """Standard error explains a crash. It is shortened, and brings no markup or control characters into the page."""
    crash = f"{HOSTILE}\n\x1b[31mno memory\n" + "again\n" * 5000 + "the end\n"
    games = make_game(1, "A", "B", stderr=("", crash)), make_game(2, "B", "A")
    page = format_page(make_report(make_outcome(make_header(("A", "B")), *games)))
    first, second = read_report(page).games[0].stderr
    assert (first, second[:200].splitlines()[:2]) == ("", [HOSTILE, "?[31mno memory"])
    assert second.endswith("again\nthe end")
    assert "characters ...]" in second
    assert len(second) < MAX_STDERR_LENGTH + 50
    assert "onerror" not in page
    assert read_report(page).games[1].stderr == ()


def test_page_is_the_same_each_time(tmp_path: Path) -> None:
    """Reports of the same log are equal, byte for byte."""
    write_run(tmp_path, make_header(("A", "B")), [make_game(1, "A", "B")])
    first = write_html(tmp_path).read_bytes()
    assert write_html(tmp_path).read_bytes() == first


def test_hostile_text_does_not_become_markup() -> None:
    """Names, details and commands may contain anything, such as markup or a placeholder of the template."""
    header = make_header((HOSTILE, "B"), command_line=("pentad", HOSTILE), machine={"cpu": HOSTILE})
    fault = make_game(1, HOSTILE, "B", ending=Ending.DISCONNECT, winner="B", blamed=HOSTILE, detail=HOSTILE)
    page = format_page(make_report(make_outcome(header, fault)))
    assert "onerror" not in page.replace(re.findall("<title>.*</title>", page)[0], "")
    assert "<img" not in page
    assert page.count("</script>") == 2
    report = read_report(page)
    assert (report.engines[0][0], report.games[0].detail) == (HOSTILE, HOSTILE)
    assert any(HOSTILE in warning for warning in report.warnings)


def test_page_loads_nothing() -> None:
    page = format_page(make_report(make_outcome(make_header(("A", "B")), make_game(1, "A", "B"))))
    assert "{{" not in page
    assert not re.findall(r"<(?:link|img|iframe|script src)|@import|url\(", page)
    assert set(re.findall(r"https?://[^\"'` ]*", page)) == {"http://www.w3.org/2000/svg"}


def test_results_and_endings_of_three_engines() -> None:
    games = [
        make_game(1, "A", "B"),
        make_game(2, "B", "C", ending=Ending.TIME, winner="C", blamed="B"),
        make_game(3, "C", "A", ending=Ending.VOID, winner="", blamed="C", moves=()),
        make_game(4, "A", "C", ending=Ending.MOVE_CAP, winner=""),
    ]
    report = make_report(make_outcome(make_header(("A", "B", "C")), *games))
    results = {engine.name: (engine.won, engine.drawn, engine.lost) for engine in report.results}
    assert results == {"A": (1, 1, 0), "B": (0, 0, 2), "C": (1, 1, 0)}
    # by ending: number of games, then the numbers that A, B and C are to blame for
    assert report.endings == {"win by rule": [1, 0, 0, 0], "time": [1, 0, 1, 0], "move cap": [1, 0, 0, 0]} | {
        "void": [1, 0, 0, 1]
    }
    assert [times.name for times in report.times] == ["A", "B", "C"]


def test_ratings_of_three_engines() -> None:
    """The ratings are those of the run's table; the mean of all engines is 0."""
    games = [make_game(number, *pairing) for number, pairing in enumerate(("AB", "BA", "BC", "CB", "CA", "AC"), 1)]
    outcome = make_outcome(make_header("ABC"), *games, make_game(7, "A", "B"))
    ratings = make_report(outcome).ratings
    assert outcome.ratings
    assert sum(rating.elo or 0 for rating in ratings) == pytest.approx(0, abs=1e-6)
    estimates = [rating for rating in outcome.ratings.engines.values() if isinstance(rating, Estimate)]
    assert [rating.elo for rating in ratings] == [estimate.elo for estimate in estimates]
    assert (ratings[1].elo or 0) < 0


def test_anchor_of_a_report_replaces_that_of_the_run(tmp_path: Path) -> None:
    """The page shows absolute ratings only if there are anchors."""
    games = [make_game(number, *pairing) for number, pairing in enumerate(("AB", "BA", "BC", "CB", "CA", "AC"), 1)]
    run = write_run(tmp_path, make_header("ABC", anchor=(Anchor("A", 1000.0),)), games)
    for anchors, expected in ((), {"A": 1000}), ([Anchor("C", 2000.0)], {"C": 2000}):
        report = read_report(write_html(run, anchors).read_text(encoding="utf-8"))
        fixed = {rating.name: rating.elo for rating in report.ratings if rating.half_width is None}
        assert (fixed, report.has_anchors) == (expected, True)
    assert not make_report(make_outcome(make_header("ABC"), *games)).has_anchors


def test_only_a_given_rating_is_that_of_an_anchor() -> None:
    """An engine that is alone in its reference has no interval either; regression: the page called it an anchor."""
    games = [make_game(number, "A", name, winner="A") for number, name in enumerate("BC", 1)]
    for anchors in ((), (Anchor("A", 1000.0),)):
        report = make_report(make_outcome(make_header("ABC", anchor=anchors), *games))
        assert [rating.is_anchor for rating in report.ratings] == [bool(anchors), False, False]
        assert report.ratings[0].half_width is None


def test_one_sided_results_have_bounds() -> None:
    """One-sided results of two or more engines have bounds. An engine that lost everything has no lower bound."""
    games = [make_game(number, *("AB", "BA")[number % 2], winner="A") for number in range(1, 9)]
    first, second = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert first.low == pytest.approx(elo_from_score(0.025 ** (1 / 4)), abs=1e-3)
    assert first.high is None
    assert (second.low, second.high) == (None, -(first.low or 0))
    games += [make_game(9, "C", "B", winner="C"), make_game(10, "B", "C", winner="B")]
    winner, *_ = make_report(make_outcome(make_header("ABC"), *games)).ratings
    assert (winner.elo, winner.high) == (None, None)
    assert (winner.low or 0) > 100


def test_sequential_test_has_its_history() -> None:
    header = make_header(("A", "B"), sprt=Sprt(0, 200))
    games = [make_game(number, *("AB", "BA")[number % 2], winner="A") for number in range(1, 5)]
    chart = make_report(make_outcome(header, *games)).sprt
    assert chart is not None
    assert (len(chart.llr_history), chart.llr_history[0] < chart.llr_history[1]) == (2, True)
    assert "0 against 200 nElo" in chart.title
    assert (chart.lower, chart.upper) == pytest.approx((-2.944, 2.944), abs=0.001)


def test_two_engines_are_rated_by_pairs() -> None:
    """A pair in which the same colour wins both games counts as one even result, not as two results."""
    games = [make_game(number, *("AB", "BA")[number % 2]) for number in range(1, 5)]
    first, second = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert (first.elo, first.half_width) == (0, None)
    assert first.low == pytest.approx(-(first.high or 0))
    assert second.low == pytest.approx(first.low)
    games += [make_game(5, "A", "B"), make_game(6, "B", "A", winner="A")]
    ratings = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert ratings[0].elo == pytest.approx(-(ratings[1].elo or 0))
    assert ratings[0].elo == pytest.approx(120.4, abs=0.1)  # 4 of 6 points: 400 * log10(2)


@pytest.mark.parametrize("tournament_format", ["swiss", "knockout"])
def test_page_has_the_rounds(tournament_format: str, tmp_path: Path) -> None:
    """The page has the same rounds as the tables; a round robin has none."""
    write_rounds(tmp_path, make_header("ABCDE", tournament_format=tournament_format), min)
    report = read_report(write_html(tmp_path).read_text(encoding="utf-8"))
    assert report.rounds == compute_outcome(read_run(tmp_path)).rounds
    assert report.rounds
    assert report.rounds.engines[0].name == "A"
    expected = {"swiss": "Swiss, 3 rounds", "knockout": "knock-out, 3 rounds, up to 4 tie-break games"}
    assert dict(report.facts)["format"] == expected[tournament_format]
    assert make_report(make_outcome(make_header("ABC"), make_game(1, "A", "B"))).rounds is None


def test_times_belong_to_the_side_that_moved() -> None:
    """Kolibrat skips a side without moves, so the parity of the ply does not tell who moved."""
    line = ["a1", "b4", "b1", "b4c3", "b1a2", "a4", "c1", "c4", "b1", "c4b3", "b1c2", "c3b2", "b4"]
    moves = tuple(MoveEntry(move, time_ms=5) for move in line)
    header = make_header(("A", "B"), game="kolibrat", variant="3x4-4-5", width=3, height=4)
    report = make_report(make_outcome(header, make_game(1, "A", "B", opening=(), moves=moves)))
    assert report.games[0].sides[-3:-1] == (1, 1)
    assert [times.moves for times in report.times] == [6, 7]


def test_log_with_an_illegal_move_is_refused() -> None:
    game = make_game(7, "A", "B", moves=(MoveEntry("h8"),))
    with pytest.raises(CommandFailedError, match="game 7"):
        make_report(make_outcome(make_header(("A", "B")), game))


def test_directory_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match=r"log\.jsonl"):
        write_html(tmp_path)


def test_run_with_a_start_position_is_replayed() -> None:
    header = make_header("AB", game="kolibrat", variant="3x4-4-5", width=3, height=4, position="3/1b1/1r1/3 b 0 0 4 5")
    game = make_game(1, "A", "B", opening=(), moves=(MoveEntry("a4"),))
    assert make_report(make_outcome(header, game)).games[0].sides[0] == 1


def test_page_links_the_game_records(tmp_path: Path) -> None:
    """All existing record files are linked, and no others."""
    games = [make_game(1, "A", "B"), make_game(2, "B", "A", stderr=("", "oops"))]
    write_run(tmp_path, make_header(("A", "B")), games)
    write_derived_files(tmp_path, GAMES["gomoku"].records, compute_outcome(read_run(tmp_path)))
    report = read_report(write_html(tmp_path).read_text(encoding="utf-8"))
    linked = [path for game in report.games for path in game.records]
    assert linked[:2] == ["games/00001.psq", "games/00001.sgf"]
    assert sorted(linked) == sorted(f"games/{path.name}" for path in (tmp_path / "games").iterdir())
