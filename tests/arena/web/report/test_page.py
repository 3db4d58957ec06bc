"""The report says what the log says, is one file that needs no network, and trusts nothing that an engine wrote."""

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
from arena.terms.ending import Ending
from arena.web.report.page import format_page, make_report, write_html
from arena.web.report.replay import MOST_STDERR
from bots.registry import GAMES
from tests.arena.web.runs import HOSTILE, make_game, make_header, make_outcome, read_report, write_run


def test_page_holds_the_games(tmp_path: Path) -> None:
    games = [make_game(1, "A", "B"), make_game(2, "B", "A")]
    path = write_html(write_run(tmp_path, make_header(("A", "B")), games))
    report = read_report(path.read_text(encoding="utf-8"))
    game = report.games[0]
    assert game.moves == ("h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
    assert (len(game.changes), len(game.times), len(game.told), game.opening) == (10, 9, 9, 2)
    assert game.times[:3] == (None, None, 0)
    assert game.told[3] == (1, None, 3, 100, None)
    assert report.results[0].against == ((0, 0, 0), (1, 0, 1))
    assert dict(report.facts)["limits"] == "1 s per move, margin 250 ms"


def test_page_holds_what_the_engines_said() -> None:
    entries = (MoveEntry("i8", pv=("i8", "a2"), messages=("MESSAGE one", HOSTILE)), MoveEntry("a2"))
    game = make_game(1, "A", "B", ending=Ending.DISCONNECT, blamed="A", moves=entries, messages=("help",))
    page = format_page(make_report(make_outcome(make_header(("A", "B")), game)))
    replay = read_report(page).games[0]
    assert replay.expected == ("", "", "i8 a2", "")
    assert replay.words == ((), (), ("MESSAGE one", HOSTILE), ())
    assert replay.last_words == ("help",)
    assert "onerror" not in page


def test_page_holds_the_standard_error() -> None:
    """It is what explains a crash. A babbling engine must not blow the page up, nor write markup or control codes."""
    crash = f"{HOSTILE}\n\x1b[31mno memory\n" + "again\n" * 5000 + "the end\n"
    games = make_game(1, "A", "B", stderr=("", crash)), make_game(2, "B", "A")
    page = format_page(make_report(make_outcome(make_header(("A", "B")), *games)))
    silent, words = read_report(page).games[0].stderr
    assert (silent, words[:200].splitlines()[:2]) == ("", [HOSTILE, "?[31mno memory"])
    assert words.endswith("again\nthe end")
    assert "characters ...]" in words
    assert len(words) < MOST_STDERR + 50
    assert "onerror" not in page
    assert read_report(page).games[1].stderr == ()


def test_page_is_the_same_each_time(tmp_path: Path) -> None:
    """Derived files are rebuilt byte for byte."""
    write_run(tmp_path, make_header(("A", "B")), [make_game(1, "A", "B")])
    first = write_html(tmp_path).read_bytes()
    assert write_html(tmp_path).read_bytes() == first


def test_hostile_words_become_no_markup() -> None:
    """Names, details, commands and endings of foreign programs may hold anything; also the page's own placeholders."""
    header = make_header((HOSTILE, "B"), command_line=("pentad", HOSTILE), machine={"cpu": HOSTILE})
    fault = make_game(1, HOSTILE, "B", ending=Ending.DISCONNECT, winner="B", blamed=HOSTILE, detail=HOSTILE)
    page = format_page(make_report(make_outcome(header, fault)))
    assert "onerror" not in page.replace(re.findall("<title>.*</title>", page)[0], "")
    assert "<img" not in page
    assert page.count("</script>") == 2
    report = read_report(page)
    assert (report.engines[0][0], report.games[0].detail) == (HOSTILE, HOSTILE)
    assert any(HOSTILE in concern for concern in report.concerns)


def test_page_needs_nothing_else() -> None:
    page = format_page(make_report(make_outcome(make_header(("A", "B")), make_game(1, "A", "B"))))
    assert "{{" not in page
    assert not re.findall(r"<(?:link|img|iframe|script src)|@import|url\(", page)
    assert set(re.findall(r"https?://[^\"'` ]*", page)) == {"http://www.w3.org/2000/svg"}


def test_many_engines_and_faults_are_counted() -> None:
    games = [
        make_game(1, "A", "B"),
        make_game(2, "B", "C", ending=Ending.TIME, winner="C", blamed="B"),
        make_game(3, "C", "A", ending=Ending.VOID, winner="", blamed="C", moves=()),
        make_game(4, "A", "C", ending=Ending.MOVE_CAP, winner=""),
    ]
    report = make_report(make_outcome(make_header(("A", "B", "C")), *games))
    rows = {row.name: (row.won, row.drawn, row.lost) for row in report.results}
    assert rows == {"A": (1, 1, 0), "B": (0, 0, 2), "C": (1, 1, 0)}
    assert report.endings == {"win by rule": [1, 0, 0, 0], "time": [1, 0, 1, 0], "move cap": [1, 0, 0, 0]} | {
        "void": [1, 0, 0, 1]
    }
    assert [use.name for use in report.times] == ["A", "B", "C"]


def test_many_engines_stand_on_one_scale() -> None:
    """The page gives the same ratings as the table beside it."""
    games = [make_game(number, *pairing) for number, pairing in enumerate(("AB", "BA", "BC", "CB", "CA", "AC"), 1)]
    outcome = make_outcome(make_header("ABC"), *games, make_game(7, "A", "B"))
    ratings = make_report(outcome).ratings
    assert outcome.ratings
    assert (ratings[0].elo, ratings[0].error) == (0, None)  # the anchor
    terms = [term for term in outcome.ratings.engines.values() if isinstance(term, Estimate)]
    assert [rating.elo for rating in ratings] == [term.elo for term in terms]
    assert (ratings[1].elo or 0) < 0


def test_one_sided_results_have_bounds() -> None:
    """Of two engines as of many; who lost everything is bounded from above alone."""
    games = [make_game(number, *("AB", "BA")[number % 2], winner="A") for number in range(1, 9)]
    first, second = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert first.low == pytest.approx(elo_from_score(0.025 ** (1 / 4)), abs=1e-3)
    assert first.high is None
    assert (second.low, second.high) == (None, -(first.low or 0))
    games += [make_game(9, "C", "B", winner="C"), make_game(10, "B", "C", winner="B")]
    winner, *_ = make_report(make_outcome(make_header("ABC"), *games)).ratings
    assert (winner.elo, winner.high) == (None, None)
    assert (winner.low or 0) > 100


def test_course_of_the_test_is_drawn() -> None:
    header = make_header(("A", "B"), sprt=Sprt(0, 200))
    games = [make_game(number, *("AB", "BA")[number % 2], winner="A") for number in range(1, 5)]
    course = make_report(make_outcome(header, *games)).test
    assert course is not None
    assert (len(course.ratios), course.ratios[0] < course.ratios[1]) == (2, True)
    assert "0 against 200 nElo" in course.title
    assert (course.lower, course.upper) == pytest.approx((-2.944, 2.944), abs=0.001)


def test_two_engines_are_rated_by_pairs() -> None:
    """A pair that both win with the same colour says nothing; single games would make it two results."""
    games = [make_game(number, *("AB", "BA")[number % 2]) for number in range(1, 5)]
    first, second = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert (first.elo, first.error) == (0, None)
    assert first.low == pytest.approx(-(first.high or 0))
    assert second.low == pytest.approx(first.low)
    games += [make_game(5, "A", "B"), make_game(6, "B", "A", winner="A")]
    ratings = make_report(make_outcome(make_header("AB"), *games)).ratings
    assert ratings[0].elo == pytest.approx(-(ratings[1].elo or 0))
    assert ratings[0].elo == pytest.approx(120.4, abs=0.1)


def test_times_belong_to_the_side_that_moved() -> None:
    """In Kolibrat a side without a move is skipped: the parity of the ply does not tell who moved."""
    line = ["a1", "b4", "b1", "b4c3", "b1a2", "a4", "c1", "c4", "b1", "c4b3", "b1c2", "c3b2", "b4"]
    moves = tuple(MoveEntry(move, time_ms=5) for move in line)
    header = make_header(("A", "B"), game="kolibrat", variant="3x4-4-5", width=3, height=4)
    report = make_report(make_outcome(header, make_game(1, "A", "B", opening=(), moves=moves)))
    assert report.games[0].sides[-3:-1] == (1, 1)
    assert [use.moves for use in report.times] == [6, 7]


def test_log_with_an_illegal_move_is_refused() -> None:
    game = make_game(7, "A", "B", moves=(MoveEntry("h8"),))
    with pytest.raises(CommandFailedError, match="game 7"):
        make_report(make_outcome(make_header(("A", "B")), game))


def test_directory_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match=r"log\.jsonl"):
        write_html(tmp_path)


def test_run_from_a_position_of_its_own_is_replayed() -> None:
    header = make_header("AB", game="kolibrat", variant="3x4-4-5", width=3, height=4, position="3/1b1/1r1/3 b 0 0 4 5")
    game = make_game(1, "A", "B", opening=(), moves=(MoveEntry("a4"),))
    assert make_report(make_outcome(header, game)).games[0].sides[0] == 1


def test_page_links_the_records_that_lie_beside_it(tmp_path: Path) -> None:
    """Of each game all its files, and none that is not there."""
    games = [make_game(1, "A", "B"), make_game(2, "B", "A", stderr=("", "oops"))]
    write_run(tmp_path, make_header(("A", "B")), games)
    write_derived_files(tmp_path, GAMES["gomoku"].records, compute_outcome(read_run(tmp_path)))
    report = read_report(write_html(tmp_path).read_text(encoding="utf-8"))
    linked = [path for game in report.games for path in game.records]
    assert linked[:2] == ["games/00001.psq", "games/00001.sgf"]
    assert sorted(linked) == sorted(f"games/{path.name}" for path in (tmp_path / "games").iterdir())
