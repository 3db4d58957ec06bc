"""Time controls of a match, and the clock that the runner keeps for each side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec.structs import replace

from arena.terms.plan import MAX_NODES
from core.play.player import Limits
from protocols.driving.deadlines import DEFAULT_DEADLINES, MAX_SECONDS

DEFAULT_MARGIN_MS = 250
MAX_LIMIT = 2**53  # of each number in a time control; exact in a float
STALL_MS = 1000  # an engine without an answer is killed this much after limit and margin
_SECONDS = r"[0-9]+(?:\.[0-9]+)?"
_CONTROL = re.compile(rf"(?P<move>{_SECONDS})?(?:/(?P<game>{_SECONDS}))?(?:\+(?P<increment>{_SECONDS}))?")
_NODES = re.compile(r"N=(?P<nodes>[0-9]+)")
_MAX_QUOTED_LENGTH = 40  # characters of a time control quoted in an error message


Limit = Annotated[int, msgspec.Meta(ge=0, le=MAX_LIMIT)]


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of a match. None: no such limit. Depth and nodes are sent to the engines but not enforced."""

    move_ms: Limit | None = None  # time per move
    game_ms: Limit | None = None  # time per side for a whole game
    increment_ms: Limit = 0  # added to the game clock after each move
    margin_ms: Limit = DEFAULT_MARGIN_MS  # overrun that does not lose the game; never sent to the engines
    depth: Limit | None = None  # plies
    nodes: Limit | None = None  # per move


def parse_control(text: str) -> TimeControl:
    """Parse a time control in seconds; raise ValueError.

    `1`: per move; `30/180`: 30 per move and 180 per game; `/60`: per game; `60+0.5`: per game, and an increment per
    move; `N=20000`: 20,000 nodes per move and no time limit.
    """
    if fixed := _NODES.fullmatch(text.strip()):
        return TimeControl(nodes=_parse_nodes(fixed["nodes"]))
    match = _CONTROL.fullmatch(text.strip())
    if match is None or not (match["move"] or match["game"]):
        forms = "MOVE, MOVE/GAME, /GAME or GAME+INCREMENT in seconds, or N=NODES"
        raise ValueError(f"time control must be {forms}, not {_shorten(text)!r}")
    seconds_given = [None if part is None else float(part) for part in match.groups()]
    if any(seconds is not None and seconds > MAX_SECONDS for seconds in seconds_given):
        raise ValueError(f"time control must be at most {MAX_SECONDS} seconds, not {_shorten(text)!r}")
    move, game, increment = (None if seconds is None else round(seconds * 1000) for seconds in seconds_given)
    if 0 in (move, game) or (increment == 0 and seconds_given[2]):
        raise ValueError(f"time control must be 0.001 seconds or more, not {_shorten(text)!r}")
    if increment is not None and game is None:  # in 60+0.5, the 60 is the time of the game, as in other match managers
        move, game = None, move
    if move and game and move > game and not increment:
        order = "the order is MOVE/GAME, both in seconds"
        raise ValueError(f"a move of {_format_seconds(move)} s is longer than its game in {_shorten(text)!r}: {order}")
    return TimeControl(move_ms=move, game_ms=game, increment_ms=increment or 0)


def _parse_nodes(digits: str) -> int:
    if not digits.strip("0"):
        raise ValueError(f"time control must be above 0 nodes, not {_shorten(digits)!r}")
    if len(digits) > len(str(MAX_NODES)) or int(digits) > MAX_NODES:
        raise ValueError(f"time control must be at most {MAX_NODES} nodes, not {_shorten(digits)!r}")
    return int(digits)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED_LENGTH else f"{text[:_MAX_QUOTED_LENGTH]}..."


def effective_control(tc: str, common: TimeControl) -> TimeControl:
    """Return the time control of an engine: its own `tc` (empty: none) with margin, depth and nodes of the common one.

    A common control of nodes alone (`N=20000`) is replaced as a whole, so a clock in `tc` removes the node limit.
    """
    if not tc:
        return common
    engine_control = parse_control(tc)
    nodes_alone = common == TimeControl(margin_ms=common.margin_ms, nodes=common.nodes)
    nodes = engine_control.nodes or (None if nodes_alone else common.nodes)
    return replace(engine_control, margin_ms=common.margin_ms, depth=common.depth, nodes=nodes)


def describe_controls(control: TimeControl, engines: Iterable[tuple[str, str]]) -> str:
    """Format the common limits and those of engines, given as (name, `tc`), with their own time control."""
    texts = (f"; {name}: {describe_limits(effective_control(tc, control))}" for name, tc in engines if tc)
    return describe_control(control) + "".join(texts)


def describe_control(control: TimeControl) -> str:
    """Format the limits and the margin, such as `1 s per move, margin 250 ms`."""
    return ", ".join(filter(None, (describe_limits(control), f"margin {control.margin_ms} ms")))


def describe_limits(control: TimeControl) -> str:
    """Format the limits without the margin, such as `30 s per move, 180 s per game`."""
    times = [(control.move_ms, "s per move"), (control.game_ms, "s per game"), (control.increment_ms, "s increment")]
    parts = [f"{_format_seconds(time_ms)} {unit}" for time_ms, unit in times if time_ms]
    parts += [f"{value} {unit}" for value, unit in ((control.depth, "plies deep"), (control.nodes, "nodes")) if value]
    return ", ".join(parts)


def _format_seconds(time_ms: int) -> str:
    """Format milliseconds as seconds without trailing zeros."""
    return f"{time_ms / 1000:.3f}".rstrip("0").rstrip(".")


class SideClock:
    """The clock of one side in one game."""

    def __init__(self, control: TimeControl, move_timeout_s: float = DEFAULT_DEADLINES.move_s) -> None:
        self._control = control
        self._move_timeout_ms = int(move_timeout_s * 1000)
        self._left_ms = control.game_ms

    def limits(self) -> Limits:
        """Return the limits to send before a move. The time left is never negative and excludes the margin."""
        return Limits(
            move_time_ms=self._control.move_ms,
            time_left_ms=None if self._left_ms is None else max(0, self._left_ms),
            increment_ms=self._control.increment_ms,
            depth=self._control.depth,
            nodes=self._control.nodes,
        )

    def max_wait_ms(self) -> int:
        """Return how long to wait for a move: limit, margin and `STALL_MS`, or the move timeout if no clock runs."""
        applicable = [limit for limit in (self._control.move_ms, self._left_ms) if limit is not None]
        return max(0, min(applicable)) + self._control.margin_ms + STALL_MS if applicable else self._move_timeout_ms

    def over_ms(self, elapsed_ms: int) -> int | None:
        """Return by how much an answer exceeds its limit, margin not deducted: 0 if in time, None without a limit."""
        applicable = [limit for limit in (self._control.move_ms, self._left_ms) if limit is not None]
        return max(0, elapsed_ms - max(0, min(applicable))) if applicable else None

    def spend(self, elapsed_ms: int) -> str:
        """Deduct the time of a move. Return a description if it exceeds limit and margin, else an empty string."""
        margin_ms = self._control.margin_ms
        overrun = ""
        if self._control.move_ms is not None and elapsed_ms > self._control.move_ms + margin_ms:
            overrun = f"{elapsed_ms} ms for a move of at most {self._control.move_ms} ms"
        if self._left_ms is not None:
            self._left_ms -= elapsed_ms
            if self._left_ms < -margin_ms:
                overrun = overrun or f"game clock overrun by {-self._left_ms} ms"
            self._left_ms += self._control.increment_ms
        return f"{overrun} (margin {margin_ms} ms)" if overrun else ""
