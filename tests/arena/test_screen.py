"""The display shows how a run stands, which games are played and, where asked, their boards."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from arena.ending import Ending
from arena.log import GameEnded, GameStarted
from arena.screen import LiveScreen
from arena.sprt import Course, Sprt
from arena.standing import count_standing
from core.player import Setup
from tests.arena.fakes import Pile


def game(number: int, ending: Ending = Ending.WIN) -> GameEnded:
    first, second = ("A", "B") if number % 2 else ("B", "A")
    blamed = "B" if ending is Ending.STALL else ""
    return GameEnded(number, (number + 1) // 2, first, second, ending, "A", blamed, "no move", (), ())


def show(screen: LiveScreen, console: Console) -> str:
    with console.capture() as captured:
        console.print(screen._render())
    return captured.get()


@pytest.mark.parametrize("boards", [False, True])
def test_terminal_shows_table_test_games_and_boards(boards: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    screen = LiveScreen(console, 8, symbols=("x", "o") if boards else None)
    course = Course(Sprt(0, 50))
    course.feed(1, (1.0, 1.0))
    screen.on_pair(count_standing(("A", "B"), [game(1), game(2, Ending.STALL)]), course)
    screen.on_start(GameStarted(3, 2, "A", "B", ()))
    position = Pile(Setup(9, 1))
    screen.on_move(3, position)
    assert "after" not in show(screen, console).partition("2/8")[2]
    position.play("2")
    screen.on_move(3, position)
    text = show(screen, console)
    assert ("after 2 " in text) == boards
    assert "A           2    2      0     0  100.0%" in text
    assert "after 1 pairs: undecided" in text
    assert "2/8" in text
    assert ("game 3: A - B, ply 1" in text) != boards
    assert ("ooooooo" in text and "game 3, ply 1" in text and "x A " in text and "o B " in text) == boards
    screen.on_game(game(3))
    assert "game 3" not in show(screen, console)


def test_two_boards_stand_side_by_side_below_the_bar() -> None:
    """Kolibrat's is 36 wide. Long names are cut; where a terminal is too low, the bar must not be what is missing."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    screen = LiveScreen(console, 8, symbols=("x", "o"))
    for number in (1, 2):
        screen.on_start(GameStarted(number, 1, "A" * 50, "[b]", ()))
        position = Pile(Setup(37, 1))
        position.play("1")
        screen.on_move(number, position)
    lines = show(screen, console).splitlines()
    assert "0/8" in lines[0]
    assert [len(line) for line in lines[1:]] == [80] * 5
    assert lines[2] == 2 * f"│ x {'A' * 33}… │"
    assert lines[3].startswith("│ o [b] ")
    assert lines[4] == 2 * f"│ {'o' * 36} │"


def test_pipe_gets_a_line_every_ten_games_and_every_fault() -> None:
    out = io.StringIO()
    console = Console(file=out, width=120)
    with LiveScreen(console, 24) as screen:
        games: list[GameEnded] = []
        for number in range(1, 25):
            ended = game(number, Ending.STALL if number == 5 else Ending.WIN)
            games.append(ended)
            screen.on_start(GameStarted(number, ended.pair, ended.first, ended.second, ()))
            screen.on_game(ended)
            if number % 2 == 0:
                screen.on_pair(count_standing(("A", "B"), games), None)
    assert out.getvalue().splitlines() == [
        "game 5: stall, B: no move",
        "10 of 24 games: A 10 : 0 B; faults: B 1",
        "20 of 24 games: A 20 : 0 B; faults: B 1",
    ]
