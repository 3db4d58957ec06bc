"""Tests of the terminal output of a run: live display, lines of finished games and the final result."""

from __future__ import annotations

import io
from itertools import permutations
from pathlib import Path

import pytest
from msgspec import structs
from rich.console import Console

from arena.log.events import EngineEntry, GameEnded, GameStarted, RoundPaired
from arena.log.file import Run
from arena.results.outcome import compute_outcome
from arena.results.run_statistics import compute_statistics
from arena.run.config import MatchResult
from arena.run.display import LiveDisplay, describe_game, print_result
from arena.statistics.sprt import Sprt, SprtState
from arena.terms.ending import Ending
from core.play.player import Setup
from tests.arena.fakes import Pile
from tests.arena.results.test_game_records import HEADER


def make_game(number: int, ending: Ending = Ending.WIN) -> GameEnded:
    """Return a game that A wins; A moves first in games of odd number. With Ending.STALL, B is blamed."""
    first, second = ("A", "B") if number % 2 else ("B", "A")
    blamed = "B" if ending is Ending.STALL else ""
    return GameEnded(number, (number + 1) // 2, first, second, ending, "A", blamed, "no move", (), ())


def render(display: LiveDisplay, console: Console) -> str:
    """Return what the live display shows now."""
    with console.capture() as captured:
        console.print(display._render())
    return captured.get()


@pytest.mark.parametrize("boards", [False, True])
def test_terminal_shows_table_sprt_games_and_boards(boards: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    display = LiveDisplay(console, 8, symbols=("x", "o") if boards else None)
    sprt_state = SprtState(Sprt(0, 50))
    sprt_state.add_pair(1, (1.0, 1.0))
    display.on_pair(compute_statistics(("A", "B"), [make_game(1), make_game(2, Ending.STALL)]), sprt_state)
    display.on_start(GameStarted(3, 2, "A", "B", ()))
    position = Pile(Setup(9, 1))
    display.on_move(3, position, ())
    assert "after" not in render(display, console).partition("2/8")[2]
    position.play("2")
    display.on_move(3, position, ())
    text = render(display, console)
    assert ("after 2 " in text) == boards
    assert "A           2    2      0     0  100.0%" in text
    assert "after 1 pairs: undecided" in text
    assert "2/8" in text
    assert ("game 3: A - B, ply 1" in text) != boards
    assert ("ooooooo" in text and "game 3, ply 1" in text and "x A " in text and "o B " in text) == boards
    display.on_game(make_game(3))
    assert "game 3" not in render(display, console)


def test_round_is_announced_and_changes_the_planned_number() -> None:
    """A tie-break of a knock-out adds games, so the progress bar and the summaries need the new number."""
    console = Console(file=io.StringIO(), width=200)
    display = LiveDisplay(console, 4, prints_games=False)
    with console.capture() as captured:
        display.on_round(RoundPaired(1, (("A", "B"), ("C", "D")), ("E",)), 4)
        display.on_round(RoundPaired(1, (("C", "D"),), tie_break=1), 12)
        display.on_pair(compute_statistics(("A", "B"), [make_game(number) for number in range(1, 11)]), None)
    assert captured.get().splitlines() == [
        "Round 1: A - B, C - D; bye: E",
        "Round 1, tie-break 1: C - D",
        "10 of 12 games: A 10 : 0 B",
    ]
    terminal = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    display = LiveDisplay(terminal, 4)
    assert "0/4" in render(display, terminal)
    display.on_round(RoundPaired(1, (("C", "D"),), tie_break=1), 12)
    assert "0/12" in render(display, terminal)


def test_two_boards_are_side_by_side_below_the_progress_bar() -> None:
    """Two boards of 36 characters, as in Kolibrat, fit into 80 columns, and long names are cut.

    The progress bar comes first, because a small terminal cuts off the bottom.
    """
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    display = LiveDisplay(console, 8, symbols=("x", "o"))
    for number in (1, 2):
        display.on_start(GameStarted(number, 1, "A" * 50, "[b]", ()))
        position = Pile(Setup(37, 1))
        position.play("1")
        display.on_move(number, position, ())
    lines = render(display, console).splitlines()
    assert "0/8" in lines[0]
    assert [len(line) for line in lines[1:]] == [80] * 5
    assert lines[2] == 2 * f"│ x {'A' * 33}… │"
    assert lines[3].startswith("│ o [b] ")
    assert lines[4] == 2 * f"│ {'o' * 36} │"


def test_without_a_terminal_summaries_go_to_stderr_and_games_to_stdout() -> None:
    out, err = io.StringIO(), io.StringIO()
    with LiveDisplay(Console(file=err, width=40), 24, out=Console(file=out, width=40)) as display:
        games: list[GameEnded] = []
        for number in range(1, 25):
            ended = make_game(number, Ending.STALL if number == 5 else Ending.WIN)
            games.append(ended)
            display.on_start(GameStarted(number, ended.pair, ended.first, ended.second, ()))
            display.on_game(ended)
            if number % 2 == 0:
                display.on_pair(compute_statistics(("A", "B"), games), None)
    assert err.getvalue().splitlines() == [
        "10 of 24 games: A 10 : 0 B; faults: B 1 stall",
        "20 of 24 games: A 20 : 0 B; faults: B 1 stall",
    ]
    lines = out.getvalue().splitlines()
    assert len(lines) == 24
    assert lines[3:5] == [
        "Finished game 4 (B v A): 0-1, no move",
        "Finished game 5 (A v B): 1-0, stall by B: no move",
    ]


@pytest.mark.parametrize(
    ("ending", "winner", "detail", "expected"),
    [
        (Ending.WIN, "B", "five", "0-1, five"),
        (Ending.DRAW, "", "repetition", "1/2-1/2, repetition"),
        (Ending.DRAW, "", "", "1/2-1/2, draw by rule"),
        (Ending.RESIGNED, "A", "", "1-0, resigned"),
        (Ending.MOVE_CAP, "", "8 plies", "1/2-1/2, move cap: 8 plies"),
        (Ending.ADJUDICATED, "A", "solved", "1-0, adjudicated: solved"),
        (Ending.TIME, "A", "two\n\x1b[1mlines", "1-0, time by B: two ?[1mlines"),
    ],
)
def test_each_ending_is_described_in_one_line(ending: Ending, winner: str, detail: str, expected: str) -> None:
    blamed = "B" if ending is Ending.TIME else ""
    ended = GameEnded(3, 2, "A", "B", ending, winner, blamed, detail, (), ())
    assert describe_game(ended) == f"Finished game 3 (A v B): {expected}"


NAMES = ("pentad-with-a-very-long-name-for-an-engine-1", "pentad-with-a-very-long-name-for-an-engine-2", "c", "d")


def make_result(
    directory: Path, stopped: str, games: list[GameEnded], names: tuple[str, ...], *, missing: int = 0
) -> MatchResult:
    """Return the result of a run in which `missing` games have not been played."""
    header = structs.replace(HEADER, engines=tuple(EngineEntry(name) for name in names), planned=len(games) + missing)
    pairs = frozenset(game.pair for game in games)
    return MatchResult(compute_outcome(Run(header, tuple(games), pairs)), stopped, directory)


def capture_result(result: MatchResult, *, verbose: bool = False) -> list[str]:
    """Return the lines that `print_result` prints on a terminal of 80 columns."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    with console.capture() as captured:
        print_result(console, result, verbose=verbose)
    return captured.get().splitlines()


@pytest.mark.parametrize("engine_count", [2, 4])
def test_result_tables_fit_a_terminal(engine_count: int, tmp_path: Path) -> None:
    """Long names keep their end, in which two versions may differ. Columns that do not fit go into a further table."""
    names = NAMES[:engine_count]
    players_by_game = [pair for _ in range(3) for pair in permutations(names, 2)]
    games = [
        GameEnded(number, (number + 1) // 2, *pair, Ending.WIN, min(pair), "", "five", (), ())
        for number, pair in enumerate(players_by_game, 1)
    ]
    lines = capture_result(make_result(tmp_path, "", games, names), verbose=True)
    rows = [line for line in lines if ("…" in line and "records" not in line) or line.startswith(("c ", "d "))]
    assert len(rows) >= 5 * engine_count - 2
    assert max(map(len, rows)) <= 80
    assert any(line.startswith("pentad-with-a-") and "…" in line and "engine-2 " in line for line in lines)


def test_live_table_fits_a_terminal() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    display = LiveDisplay(console, 8)
    players_by_game = [NAMES[:2], NAMES[1::-1]] * 2
    games = [
        GameEnded(number, (number + 1) // 2, *pair, Ending.WIN, winner, "", "five", (), ())
        for number, (pair, winner) in enumerate(zip(players_by_game, (*NAMES[:2], NAMES[0], NAMES[0]), strict=True), 1)
    ]
    display.on_pair(compute_statistics(NAMES[:2], games), None)
    heading, *rows, _ = render(display, console).splitlines()
    assert heading.startswith("engine ")
    # each row has a name that is cut
    assert [row.split()[1:] == [] or "…" in row for row in rows] == [True, True]
    assert max(map(len, rows)) <= 80


def test_result_has_table_faults_warnings_and_folder(tmp_path: Path) -> None:
    ended = [make_game(number, Ending.STALL if number == 5 else Ending.WIN) for number in range(1, 7)]
    lines = capture_result(make_result(tmp_path, "", ended, ("A", "B")))
    assert lines == [
        "engine  games  won  drawn  lost   score            Elo",
        "A           6    6      0     0  100.0%  at least -154",
        "B           6    0      0     6    0.0%   at most +154",
        "too few or too one-sided games for ±: 95 % bounds by Gaffke's method",
        "faults: B 1 stall",
        "warning: 5 of 6 games repeat an earlier one move for move",
        "",
        "played 6 of 6 games, 1 distinct, 0% of pairs split; 1 s per move, margin 250 ms",
        f"records in {tmp_path} (all tables: crosstable.txt in that folder, or --verbose)",
    ]
    verbose_lines = capture_result(make_result(tmp_path, "", ended, ("A", "B")), verbose=True)
    assert any(line.startswith("ms per move ") for line in verbose_lines)
    assert verbose_lines[-1] == f"records in {tmp_path}"


def test_reason_of_an_early_end_comes_first(tmp_path: Path) -> None:
    """The standings so far and the command that resumes the run follow. A void game itself is not printed."""
    reason = "B could not start: no such file"
    for games in ([], [make_game(1)]):
        lines = capture_result(make_result(tmp_path, reason, games, ("A", "B"), missing=1))
        assert lines[0] == f"stopped: {reason}"
        assert lines[1].startswith("engine ")
        assert lines[-1] == f"to resume the run: pentad resume {tmp_path}"
    out = io.StringIO()
    with LiveDisplay(Console(file=out), 2) as display:
        display.on_game(GameEnded(1, 1, "A", "B", Ending.VOID, "", "B", "could not start: no such file", (), ()))
    assert out.getvalue() == ""
