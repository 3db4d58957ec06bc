"""The settings of adjudication, which ends games early. `arena/referee/adjudicator.py` applies them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from cyclopts import Group, Parameter, Token

from arena.errors import UsageError
from arena.terms.struct_options import struct_options

ADJUDICATION = Group("Adjudication", sort_key=6)
Rule = TypeVar("Rule")


class DrawRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw if the last `moves` scores of both sides are within `score` of 0, from move `first_move` on."""

    first_move: int  # moves of each side, those of the opening included
    moves: int  # number of moves of each side
    score: int  # in the unit of the engine that reports it


class ResignRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A loss if the last `moves` scores of one side are `-score` or less and those of the other `score` or more."""

    moves: int  # number of moves of each side
    score: int  # in the unit of the engine that reports it


def _read_rule(rule: Callable[..., Rule], form: str) -> Callable[[Any, Sequence[Token]], Rule]:
    """Return a converter for cyclopts that reads a rule from its numbers, such as `40,8,10`; it raises UsageError.

    `form` names the numbers for error messages, such as `FROM,MOVES,SCORE`.
    """

    def read(kind: Any, tokens: Sequence[Token]) -> Rule:  # noqa: ARG001 - as cyclopts calls it
        option, text = tokens[0].keyword or "", tokens[0].value
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != len(form.split(",")) or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
            raise UsageError(f"{option} must be {form}, whole numbers, not {text!r}")
        numbers = [int(part) for part in parts]
        if min(numbers[:-1]) < 1:
            raise UsageError(f"{option}: the numbers of moves must be 1 or more, not {text!r}")
        return rule(*numbers)

    return read


@Parameter(name="*")
@struct_options
class Adjudication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules that end games early; by default none. A field's docstring is its help."""

    draw: Annotated[
        DrawRule | None,
        Parameter(
            name="--adjudicate-draw",
            group=ADJUDICATION,
            converter=_read_rule(DrawRule, "FROM,MOVES,SCORE"),
            accepts_keys=False,
            n_tokens=1,
        ),
    ] = None
    """FROM,MOVES,SCORE, such as 40,8,10: from the 40th move of each side on, those of the opening included, a game is a
    draw if the last 8 scores of each engine are between -10 and 10."""

    resign: Annotated[
        ResignRule | None,
        Parameter(
            name="--adjudicate-resign",
            group=ADJUDICATION,
            converter=_read_rule(ResignRule, "MOVES,SCORE"),
            accepts_keys=False,
            n_tokens=1,
        ),
    ] = None
    """MOVES,SCORE, such as 3,400: an engine loses if its last 3 scores are -400 or less and the last 3 of its opponent
    400 or more."""

    solved: Annotated[bool, Parameter(name="--adjudicate-solved", negative="", group=ADJUDICATION)] = False
    """End a game when our own solver proves its result. The solver has 0.2 s before each move; no clock runs then."""


NO_ADJUDICATION = Adjudication()
