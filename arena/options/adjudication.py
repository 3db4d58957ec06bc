"""Checks that --adjudicate-solved can be used for a game and start position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import UsageError

if TYPE_CHECKING:
    from core.play.game import Game
    from core.play.player import Setup


def check_solver(game: Game, setup: Setup) -> None:
    """Raise UsageError if the game has no solver, or if the solver proves the start position."""
    from arena.referee.adjudicator import SOLVE_MS, make_solver
    from core.play.player import BadSetup, Limits, Solver

    player = make_solver(game)
    if player is None:
        raise UsageError(f"--adjudicate-solved: {game.title} has no solver")
    try:
        assert isinstance(player, Solver)
        player.new_game(setup)
        result = player.solve(Limits(move_time_ms=SOLVE_MS)).result
    except BadSetup as error:
        raise UsageError(f"--adjudicate-solved: {error}") from None
    finally:
        player.close()
    if result != "unknown":
        raise UsageError(
            f"--adjudicate-solved: the start position is a proven {result}, so every game would end at once"
        )
