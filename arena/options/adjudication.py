"""The options of `pentad match` on games that are ended early, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.terms.adjudication import Adjudication
    from core.play.game import Game
    from core.play.player import Setup


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AdjudicationOptions:
    """The options; each field's text is its help."""

    adjudicate_draw: str | None = None
    """FROM,MOVES,SCORE such as 40,8,10: from move FROM on, a draw where both engines' last MOVES scores are within
    SCORE."""

    adjudicate_resign: str | None = None
    """MOVES,SCORE such as 3,400: a loss where an engine's last MOVES scores are -SCORE or less and the other's SCORE or
    more."""

    adjudicate_solved: Annotated[bool, Parameter(negative="")] = False
    """End games whose result our own solver proves; it has 0.2 s before each move, in which no clock runs."""


def choose_adjudication(request: AdjudicationOptions) -> Adjudication:
    """What ends games early; raise UsageError."""
    from arena.terms.adjudication import Adjudication, DrawRule, ResignRule

    draw = _parse("--adjudicate-draw", "FROM,MOVES,SCORE", request.adjudicate_draw)
    resign = _parse("--adjudicate-resign", "MOVES,SCORE", request.adjudicate_resign)
    return Adjudication(
        draw=DrawRule(*draw) if draw else None,
        resign=ResignRule(*resign) if resign else None,
        solved=request.adjudicate_solved,
    )


def _parse(option: str, wanted: str, text: str | None) -> list[int]:
    """Whole numbers, as many as wanted, all but the last 1 or more; none where nothing is given. Raise UsageError."""
    if text is None:
        return []
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(wanted.split(",")) or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise UsageError(f"{option} wants {wanted}, whole numbers, not {text!r}")
    numbers = [int(part) for part in parts]
    if min(numbers[:-1]) < 1:
        raise UsageError(f"{option} wants moves of 1 or more, not {text!r}")
    return numbers


def check_solver(game: Game, setup: Setup) -> None:
    """Raise UsageError where nothing can be proven of such games, or all of it is proven from the start."""
    from arena.referee.adjudicator import SOLVE_MS, make_solver
    from core.play.player import BadSetup, Limits, Solver

    player = make_solver(game)
    if player is None:
        raise UsageError(f"--adjudicate-solved: {game.title} has no solver")
    try:
        assert isinstance(player, Solver)
        player.new_game(setup)
        known = player.solve(Limits(move_time_ms=SOLVE_MS)).result
    except BadSetup as error:
        raise UsageError(f"--adjudicate-solved: {error}") from None
    finally:
        player.close()
    if known != "unknown":
        raise UsageError(f"--adjudicate-solved: the start is a proven {known}: every game would end there")
