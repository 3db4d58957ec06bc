"""Tests of adjudication, by agreed scores of both engines or a solver's proof, and of the maximum game length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from arena.log.events import MoveEntry
from arena.log.file import read_run
from arena.referee.adjudicator import Adjudicator
from arena.run.resume import restore_config
from arena.terms.adjudication import Adjudication, DrawRule, ResignRule
from arena.terms.ending import Ending
from bots.registry import GAMES
from core.play.game import Outcome
from core.play.player import (
    Decision,
    Limits,
    PlayerKind,
    Progress,
    ProgressCallback,
    Setup,
    Solution,
    build_player,
    ignore_progress,
)
from tests.arena.fakes import MAX_PLIES, PILE_GAME, Pile, Taker
from tests.arena.referee.games import play

DATA = Path(__file__).parents[2] / "data"
DRAW_ADJUDICATION = Adjudication(draw=DrawRule(first_move=3, moves=2, score=10))
RESIGN_ADJUDICATION = Adjudication(resign=ResignRule(moves=2, score=400))


def make_entries(*scores: int | None) -> list[MoveEntry]:
    """Return log entries of moves with these scores; the sides move in turn."""
    return [MoveEntry("1", score=score, side=ply % 2) for ply, score in enumerate(scores)]


def adjudicate(rules: Adjudication, moves: Sequence[MoveEntry], plies: int | None = None) -> Outcome | None:
    """Adjudicate a pile game after `plies` plies (None: as many as `moves`) in which the engines made `moves`."""
    position = Pile(Setup(99, 1))
    for _ in range(len(moves) if plies is None else plies):
        position.play("1")
    return Adjudicator(PILE_GAME, rules).adjudicate(position, moves)


@pytest.mark.parametrize(
    ("scores", "drawn"),
    [
        ((500, -500, 10, -10, 3, 0), True),
        ((500, -500, 10, -10, 3, 11), False),  # one of the last four is outside
        ((500, -500, 10, None, 3, 0), False),  # a missing score is no agreement
        ((0, 0, 0, 0), False),  # too early
    ],
)
def test_draw_needs_scores_of_both_sides(scores: tuple[int | None, ...], drawn: bool) -> None:
    assert (adjudicate(DRAW_ADJUDICATION, make_entries(*scores)) is not None) == drawn


def test_first_move_of_the_draw_rule_counts_the_opening() -> None:
    assert adjudicate(DRAW_ADJUDICATION, make_entries(0, 0, 0, 0), plies=6) == Outcome(
        None, "scores within 10 for 2 moves"
    )
    assert adjudicate(DRAW_ADJUDICATION, make_entries(0, 0, 0), plies=6) is None


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((400, -400, 500, -900), 0),
        ((-400, 400, -500, 900), 1),
        ((400, 100, 500, 100), None),  # the scores of the other side do not agree
        ((400, -399, 500, -900), None),
        ((500, -900), None),
    ],
)
def test_loss_needs_scores_of_both_sides(scores: tuple[int, ...], winner: int | None) -> None:
    outcome = adjudicate(RESIGN_ADJUDICATION, make_entries(*scores))
    assert (outcome.winner if outcome else None) == winner


@pytest.mark.parametrize("claims", [({"win_in": 5}, {"win_in": -4}), ({"result": "win"}, {"result": "loss"})])
def test_claimed_win_or_loss_exceeds_all_scores(claims: tuple[dict[str, Any], dict[str, Any]]) -> None:
    moves = [MoveEntry("1", score=0, side=ply % 2, **claims[ply % 2]) for ply in range(4)]
    assert adjudicate(RESIGN_ADJUDICATION, moves) == Outcome(0, "scores beyond 400 for 2 moves")
    assert adjudicate(DRAW_ADJUDICATION, [*make_entries(0, 0), *moves]) is None


class Scorer(Taker):
    """A player that takes one stone per move and reports a fixed score."""

    def __init__(self, score: int) -> None:
        super().__init__(lambda *_: "1")
        self.score = score

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        return replace(super().choose(limits, report), progress=Progress(depth=1, score=self.score))


def test_referee_ends_the_game_when_scores_agree() -> None:
    played = play(Scorer(-450), Scorer(401), adjudicator=Adjudicator(PILE_GAME, RESIGN_ADJUDICATION))
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (Ending.ADJUDICATED, 1, None)
    assert len(played.moves) == 4


class PileSolver(Taker):
    """A player that can solve piles of at most six stones."""

    def solve(self, limits: Limits) -> Solution:  # noqa: ARG002
        stones_left = self.pile.left
        return Solution() if stones_left > 6 else Solution("win" if stones_left % 4 else "loss", distance=stones_left)


GAME_WITH_SOLVER = replace(
    PILE_GAME, players=lambda: (PlayerKind("solver", "proves", lambda options: PileSolver(options=options)),)
)
SOLVER_ADJUDICATION = Adjudication(solved=True)


def test_referee_ends_the_game_when_the_solver_proves_the_result() -> None:
    setup = Setup(7, 1, "normal")
    played = play(
        Scorer(0),
        Scorer(0),
        game=GAME_WITH_SOLVER,
        adjudicator=Adjudicator(GAME_WITH_SOLVER, SOLVER_ADJUDICATION),
        setup=setup,
    )
    assert (played.verdict.ending, played.verdict.winner) == (Ending.ADJUDICATED, 1)
    assert played.verdict.detail == "solved: 6 plies to go"
    assert len(played.moves) == 1


def test_proof_beyond_the_longest_match_game_is_ignored() -> None:
    """The game is drawn at its maximum length, before the proven win could be played."""
    game = replace(GAME_WITH_SOLVER, max_plies=lambda _: 5)
    played = play(
        Scorer(0), Scorer(0), game=game, adjudicator=Adjudicator(game, SOLVER_ADJUDICATION), setup=Setup(7, 1, "normal")
    )
    assert (played.verdict.ending, len(played.moves)) == (Ending.MOVE_CAP, 5)


def test_proof_beyond_the_maximum_of_the_run_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A win that would come after --max-plies must not be adjudicated."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": GAME_WITH_SOLVER})
    command = ["match", "--game", "pile", "--engine", "player=solver", "--engine", "player=solver"]
    command += ["--adjudicate-solved", "--games", "2", "--max-plies"]
    assert cli.run([*command, "4", "--out", str(tmp_path / "short")]) == 0
    assert [game.ending for game in read_run(tmp_path / "short").games] == [Ending.MOVE_CAP] * 2
    assert cli.run([*command, "7", "--out", str(tmp_path / "long")]) == 0
    assert [game.ending for game in read_run(tmp_path / "long").games] == [Ending.ADJUDICATED] * 2


@pytest.mark.parametrize(("max_plies", "ends"), [(0, True), (17, True), (16, False)])
def test_proof_without_a_distance_is_ignored_under_a_maximum_of_the_run(max_plies: int, ends: bool) -> None:
    """The longest game on 16 cells has 17 plies, including a swap; a smaller maximum may come before the win."""
    game = GAMES["hex"]
    position = game.new_position(Setup(4, 4, "standard"))
    position.play("c2")
    assert (Adjudicator(game, SOLVER_ADJUDICATION, max_plies).adjudicate(position, ()) is not None) == ends


@pytest.mark.parametrize(
    ("name", "setup", "moves", "winner"),
    [
        ("hex", Setup(4, 4, "standard"), ["c2"], 0),
        ("hex", Setup(4, 4, "swap"), ["c2"], 1),  # the second player takes the stone over
        ("kolibrat", Setup(variant="3x3-3-1"), [], 0),
    ],
)
def test_solvers_of_hex_and_kolibrat_adjudicate(name: str, setup: Setup, moves: list[str], winner: int) -> None:
    game = GAMES[name]
    position = game.new_position(setup)
    for move in moves:
        position.play(move)
    outcome = Adjudicator(game, SOLVER_ADJUDICATION).adjudicate(position, ())
    assert outcome is not None
    assert outcome.winner == winner


@pytest.mark.parametrize("value", [1, 0, -1])
def test_pentago_solver_adjudicates_late_positions(value: int) -> None:
    positions = json.loads((DATA / "pentago" / "solved.json").read_text(encoding="utf-8"))["positions"]
    row = max((row for row in positions if row["value"] == value), key=lambda row: int(row["stones"]))
    game = GAMES["pentago"]
    position = game.new_position(Setup(6, 6, "pentago", row["position"]))
    outcome = Adjudicator(game, SOLVER_ADJUDICATION).adjudicate(position, ())
    winner = {1: position.to_move, 0: None, -1: 1 - position.to_move}[value]
    assert outcome is not None
    assert outcome.winner == winner


@pytest.mark.parametrize("name", ["gomoku", "hive"])
def test_adjudicate_solved_is_refused_for_games_without_a_solver(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "--game", name, "--engine", "player=random", "--engine", "player=greedy"]
    assert cli.run([*command, "--adjudicate-solved"]) == 2
    assert f"--adjudicate-solved: {GAMES[name].title} has no solver" in capsys.readouterr().err


def test_adjudicate_solved_is_refused_if_the_start_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    """Every game would be adjudicated before its first move."""
    command = ["match", "--game", "kolibrat", "--rule", "3x3-3-1", "--adjudicate-solved"]
    assert cli.run([*command, "--engine", "player=random", "--engine", "player=greedy"]) == 2
    assert "--adjudicate-solved: the start position is a proven win" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("draw", "8,10", "--adjudicate-draw must be FROM,MOVES,SCORE, whole numbers, not '8,10'"),
        ("resign", "3,-400", "--adjudicate-resign must be MOVES,SCORE, whole numbers, not '3,-400'"),
        ("resign", "0,400", "--adjudicate-resign: the numbers of moves must be 1 or more, not '0,400'"),
    ],
)
def test_wrong_rules_are_refused(
    option: str, text: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": GAME_WITH_SOLVER})
    command = ["match", "--game", "pile", "--engine", "player=solver", "--engine", "player=solver"]
    assert cli.run([*command, f"--adjudicate-{option}", text]) == 2
    assert message in capsys.readouterr().err


def test_match_with_adjudication_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": GAME_WITH_SOLVER})
    command = ["match", "--game", "pile", "--engine", "player=solver", "--engine", "player=solver"]
    command += ["--adjudicate-solved", "--adjudicate-draw", "40,8,10", "--adjudicate-resign", "3,400"]
    assert cli.run([*command, "--games", "2", "--out", str(tmp_path)]) == 0
    run = read_run(tmp_path)
    assert [game.ending for game in run.games] == [Ending.ADJUDICATED] * 2
    assert run.header.adjudication == Adjudication(DrawRule(40, 8, 10), ResignRule(3, 400), True)
    assert restore_config(tmp_path, run.header).adjudication == run.header.adjudication


@pytest.mark.parametrize(
    ("name", "setup", "max_plies"),
    [
        ("gomoku", Setup(15, 15, "freestyle"), 225),
        ("hex", Setup(11, 11, "swap"), 122),  # a swap is a move without a new stone
        ("hive", Setup(variant="Base"), 400),
        ("pentago", Setup(6, 6, "pentago"), 36),
        ("kolibrat", Setup(variant="5x6-6-4"), 500),
    ],
)
def test_referee_ends_a_game_at_the_maximum_length(name: str, setup: Setup, max_plies: int) -> None:
    """Each game defines its maximum length. The game is played with a shorter one, so that the test is quick."""
    game = GAMES[name]
    assert game.max_plies(setup) == max_plies
    short = replace(game, max_plies=lambda _: MAX_PLIES)
    first, second = (build_player(game.players(), game.players()[-1].name) for _ in range(2))
    played = play(first, second, game=short, setup=setup, seed=3)
    assert (played.verdict.ending, played.verdict.winner) == (Ending.MOVE_CAP, None)
    assert len(played.moves) == MAX_PLIES
