"""Adjudication: end a game early if both engines agree on the result or the game's solver proves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from arena.log.events import MoveEntry
from arena.terms.adjudication import Adjudication
from core.play.game import FIRST, SECOND, Game, Outcome, Position
from core.play.player import Limits, Player, Setup, Solver, build_player

SOLVE_MS = 200  # time of the solver for each position; the engines' clocks do not run meanwhile


def make_solver(game: Game) -> Player | None:
    """Return the game's first (strongest) player if it can prove results (`core.play.player.Solver`), else None."""
    player_kinds = game.players()
    player = build_player(player_kinds, player_kinds[0].name)
    return player if isinstance(player, Solver) else None


class Adjudicator:
    """Adjudicates the games of one worker, one at a time.

    The limits of the rules apply to the scores as each engine reports them, in its own unit and from its own view.
    A game that reaches `max_plies` is a draw; 0 stands for the game's own maximum.
    """

    def __init__(self, game: Game, adjudication: Adjudication, max_plies: int = 0) -> None:
        self._game = game
        self._rules = adjudication
        self._max_plies = max_plies
        self._solver: Player | None = None
        self._solver_setup: Setup | None = None  # of the last game that the solver has begun

    def adjudicate(self, position: Position, entries: Sequence[MoveEntry]) -> Outcome | None:
        """Return the adjudicated result, or None if the game goes on; `entries` are the moves after the opening."""
        entries_by_side = [[entry for entry in entries if entry.side == side] for side in (FIRST, SECOND)]
        by_scores = self._apply_draw_rule(position, entries_by_side) or self._apply_resign_rule(entries_by_side)
        return by_scores or self._solve(position)

    def close(self) -> None:
        """Release the solver."""
        if self._solver:
            self._solver.close()

    def _apply_draw_rule(self, position: Position, entries_by_side: Sequence[Sequence[MoveEntry]]) -> Outcome | None:
        rule = self._rules.draw
        if rule is None or len(position.moves) < 2 * rule.first_move:
            return None
        are_scores_level = all(
            _is_condition_met(entries, rule.moves, lambda score: abs(score) <= rule.score)
            for entries in entries_by_side
        )
        return Outcome(None, f"scores within {rule.score} for {rule.moves} moves") if are_scores_level else None

    def _apply_resign_rule(self, entries_by_side: Sequence[Sequence[MoveEntry]]) -> Outcome | None:
        rule = self._rules.resign
        if rule is None:
            return None
        for winner in (FIRST, SECOND):
            claims_win = _is_condition_met(entries_by_side[winner], rule.moves, lambda score: score >= rule.score)
            admits_loss = _is_condition_met(entries_by_side[1 - winner], rule.moves, lambda score: score <= -rule.score)
            if claims_win and admits_loss:
                return Outcome(winner, f"scores beyond {rule.score} for {rule.moves} moves")
        return None

    def _solve(self, position: Position) -> Outcome | None:
        """Return the result that the solver proves within `SOLVE_MS`; None if none, or a win after `max_plies`."""
        if not self._rules.solved:
            return None
        self._solver = self._solver or make_solver(self._game)
        assert self._solver is not None
        if position.setup != self._solver_setup:
            self._solver.new_game(position.setup)
            self._solver_setup = position.setup
        self._solver.set_position(position.moves)
        assert isinstance(self._solver, Solver)
        solution = self._solver.solve(Limits(move_time_ms=SOLVE_MS))
        if solution.result == "draw":
            return Outcome(None, "solved: draw")
        if solution.result not in ("win", "loss") or not self._is_within_max_plies(position, solution.distance):
            return None
        winner = position.to_move if solution.result == "win" else 1 - position.to_move
        return Outcome(winner, "solved" if solution.distance is None else f"solved: {solution.distance} plies to go")

    def _is_within_max_plies(self, position: Position, distance: int | None) -> bool:
        """Return whether a win in `distance` plies (None: unknown) comes before the draw at `max_plies`.

        If the distance is unknown, only the game's own maximum is sure to be long enough.
        """
        game_max = self._game.max_plies(position.setup)
        max_plies = self._max_plies or game_max
        return max_plies == game_max if distance is None else len(position.moves) + distance <= max_plies


def _is_condition_met(entries: Sequence[MoveEntry], moves: int, condition: Callable[[float], bool]) -> bool:
    """Return whether a side has made `moves` moves and its last `moves` scores all exist and fulfil the condition."""
    last = entries[-moves:]
    return len(last) == moves and all(score is not None and condition(score) for score in map(_score, last))


def _score(entry: MoveEntry) -> float | None:
    """Return the score of a move: plus or minus infinity for a claimed win or loss, None without a score."""
    claim = entry.win_in or {"win": 1, "loss": -1}.get(entry.result, 0)  # `win_in` is negative for a loss
    return math.copysign(math.inf, claim) if claim else entry.score
