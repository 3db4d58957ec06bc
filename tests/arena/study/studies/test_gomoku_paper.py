"""The parts and the report of the study of the Gomoku paper.

Brains are Gomocup programs; built-in players stand for them here. `paper` is our replica of the paper's program.
"""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.study.studies.gomoku_paper import DEPTHS, PAPER_BRAIN_SCORES, analyse, plan
from arena.study.study import StudyData, StudyReport, StudySettings
from tests.arena.study.fake_games import FakeGame, make_runs

BRAINS = ("player=greedy,name=pbrain-valkyrie", "player=random")
SETTINGS = StudySettings(quick=True, engines=BRAINS)


def make_report(games: dict[str, list[FakeGame]]) -> StudyReport:
    """Return the report for games by name of their part; the other parts have no games."""
    return analyse(StudyData(SETTINGS, make_runs(plan(SETTINGS), games)))


def test_depth_table_has_results_lengths_and_times() -> None:
    """A repeated game counts once as distinct; the length of a game includes its opening."""
    # moves as (move, milliseconds, nodes), then the opening
    long_game = FakeGame("A", "B", 1, [("a1", 100, 1), ("a2", 300, 1), ("a3", 500, 1)], ("h8", "h9"))
    drawn_game = FakeGame("A", "B", 0.5, [("b1", 100, 1)], ("h8", "h9"))
    games = {
        "depth-2": [
            long_game,
            FakeGame("B", "A", 1, long_game.moves, long_game.opening),
            drawn_game,
            FakeGame("B", "A", 0),
        ]
    }
    rows = make_report(games).tables[0].rows
    # depth, distinct games, games that the first side won, drew and lost, mean plies, mean seconds per move
    assert rows[1] == ["2", 3, 2, 1, 1, (5 + 5 + 3 + 0) / 4, (900 + 900 + 100) / 7 / 1000]
    assert rows[0] == ["1", 0, 0, 0, 0, None, None]
    assert [row[0] for row in rows] == list(map(str, DEPTHS))


def test_search_table_has_the_figures_of_the_paper() -> None:
    moves = [("a1", 4000, 500), ("b1", 1000, 20), ("a2", 2000, 700)]
    report = make_report({"searches": [FakeGame("minimax", "negamax", 1, moves), FakeGame("negamax", "minimax", 0.5)]})
    # won, drawn, lost, nodes per move, seconds per move, the paper's seconds per move
    assert report.tables[1].rows == [
        ["minimax", 1, 1, 0, 600, 3.0, 9.24],
        ["negamax", 0, 1, 1, 20, 1.0, 8.43],
    ]
    assert report.remarks == [
        "Minimax takes 3.00 times as long as negamax with a transposition table; in the paper 1.10 times."
    ]


def test_brain_table_has_the_results_of_the_paper() -> None:
    report = make_report(
        {
            "paper-brain-1": [FakeGame("paper", "pbrain-valkyrie", 1), FakeGame("pbrain-valkyrie", "paper", 1)],
            "pentad-brain-1": [FakeGame("pentad", "pbrain-valkyrie", 1), FakeGame("pbrain-valkyrie", "pentad", 0.5)],
        }
    )
    # cells: games won, drawn and lost by `paper`, by `pentad` and by the paper's program
    rows = report.tables[2].rows
    assert rows[:2] == [["pbrain-valkyrie", "1, 0, 1", "1, 1, 0", "18, 0, 2"], ["random", None, None, None]]
    assert [row[0] for row in rows[2:]] == [name for name in PAPER_BRAIN_SCORES if name != "Valkyrie"]
    assert not any("No brains" in remark for remark in report.remarks)


def test_without_brains_a_remark_says_how_to_add_one() -> None:
    settings = StudySettings(quick=True)
    assert "--engine cmd=" in analyse(StudyData(settings, make_runs(plan(settings)))).remarks[-1]


@pytest.mark.parametrize("brain", ["player=nobody", "player=greedy,name=pentad", "cmd=/no/such/brain"])
def test_a_wrong_brain_is_refused_before_any_game(brain: str) -> None:
    with pytest.raises(UsageError):
        plan(StudySettings(engines=("player=greedy", brain)))


def test_only_the_search_match_plays_without_threat_search() -> None:
    """The player's option `kill=0` turns its threat search off."""
    engines = {part.name: part.options.engine for part in plan(StudySettings())}
    assert [name for name, texts in engines.items() if any("kill=0" in text for text in texts)] == ["searches"]
    assert [text.partition("search=")[2] for text in engines["searches"]] == [
        "minimax,name=minimax",
        "negamax,name=negamax",
    ]
