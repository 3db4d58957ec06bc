"""Adjudication: end a game early if both engines agree on the result or the game's solver proves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from arena.log.events import MoveEntry
from arena.terms.adjudication import Adjudication
from core.play.game import FIRST, SECOND, Game, Outcome, Position
from core.play.player import Limits, Player, Setup, Solver, build_player

SOLVE_MS = 200  # of the solver per position; the engines' clocks do not run meanwhile


def make_solver(game: Game) -> Player | None:
    """Return the game's first (strongest) player if it can prove results (`core.play.player.Solver`), else None."""
    kinds = game.players()
    player = build_player(kinds, kinds[0].name)
    return player if isinstance(player, Solver) else None


class Adjudicator:
    """Adjudicates the games of one worker, one at a time. Scores are compared in the units of each engine.

    A game of `max_plies` is a draw; 0 stands for the game's own maximum.
    """

    def __init__(self, game: Game, adjudication: Adjudication, max_plies: int = 0) -> None:
        self._game = game
        self._rules = adjudication
        self._max_plies = max_plies
        self._solver: Player | None = None
        self._setup: Setup | None = None  # of the game that the solver was given last

    def judge(self, position: Position, entries: Sequence[MoveEntry]) -> Outcome | None:
        """Return the adjudicated result, or None if the game goes on; `entries` are the moves after the opening."""
        sides = [[entry for entry in entries if entry.side == side] for side in (FIRST, SECOND)]
        return self._judge_draw(position, sides) or self._judge_loss(sides) or self._judge_by_proof(position)

    def close(self) -> None:
        """Release the solver."""
        if self._solver:
            self._solver.close()

    def _judge_draw(self, position: Position, sides: Sequence[Sequence[MoveEntry]]) -> Outcome | None:
        rule = self._rules.draw
        if rule is None or len(position.moves) < 2 * rule.first_move:
            return None
        is_level = all(
            _is_condition_met(entries, rule.moves, lambda score: abs(score) <= rule.score) for entries in sides
        )
        return Outcome(None, f"scores within {rule.score} for {rule.moves} moves") if is_level else None

    def _judge_loss(self, sides: Sequence[Sequence[MoveEntry]]) -> Outcome | None:
        rule = self._rules.resign
        if rule is None:
            return None
        for winner in (FIRST, SECOND):
            ahead = _is_condition_met(sides[winner], rule.moves, lambda score: score >= rule.score)
            if ahead and _is_condition_met(sides[1 - winner], rule.moves, lambda score: score <= -rule.score):
                return Outcome(winner, f"scores beyond {rule.score} for {rule.moves} moves")
        return None

    def _judge_by_proof(self, position: Position) -> Outcome | None:
        """Return the result that the solver proves in `SOLVE_MS`, if it comes before a draw by length."""
        if not self._rules.solved:
            return None
        self._solver = self._solver or make_solver(self._game)
        assert self._solver is not None
        if position.setup != self._setup:
            self._solver.new_game(position.setup)
            self._setup = position.setup
        self._solver.set_position(position.moves)
        assert isinstance(self._solver, Solver)
        solution = self._solver.solve(Limits(move_time_ms=SOLVE_MS))
        if solution.result == "draw":
            return Outcome(None, "solved: draw")
        if solution.result not in ("win", "loss") or not self._is_in_time(position, solution.distance):
            return None
        winner = position.to_move if solution.result == "win" else 1 - position.to_move
        return Outcome(winner, "solved" if solution.distance is None else f"solved: {solution.distance} plies to go")

    def _is_in_time(self, position: Position, distance: int | None) -> bool:
        """Whether a win comes before the draw by length.

        If its distance is unknown, only the game's own maximum is sure to be long enough.
        """
        game_max = self._game.max_plies(position.setup)
        max_plies = self._max_plies or game_max
        return max_plies == game_max if distance is None else len(position.moves) + distance <= max_plies


def _is_condition_met(entries: Sequence[MoveEntry], moves: int, condition: Callable[[float], bool]) -> bool:
    """Whether the scores of a side's last `moves` moves all fulfil the condition."""
    last = entries[-moves:]
    return len(last) == moves and all(score is not None and condition(score) for score in map(_score, last))


def _score(entry: MoveEntry) -> float | None:
    """Return the score of a move; plus or minus infinity for a claimed win or loss, None if there is none."""
    ahead = entry.win_in or {"win": 1, "loss": -1}.get(entry.result, 0)
    return math.copysign(math.inf, ahead) if ahead else entry.score
