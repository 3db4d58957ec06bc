"""Gomoku's swap2 opening between two engines: one puts three stones, then they agree on colours.

After three stones, black's, white's and black's, the other engine plays white's next stone, or takes black (SWAP), or
puts a white and a black stone and leaves the choice to the first one, which plays white's next stone or takes black.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from arena.referee.game import GameSettings, Verdict, blame_error, forfeit, format_error, stamped_ns
from arena.referee.participant import Participant
from arena.terms.clock import SideClock
from arena.terms.ending import Ending
from core.play.player import BadSetup, IllegalMove
from protocols.gomocup.opening_replies import SWAP2_STONE_COUNTS
from protocols.gomocup.player_abilities import Swap2Player
from protocols.gomocup.text import SWAP

PROPOSER, CHOOSER = 0, 1


@dataclass(frozen=True)
class Agreed:
    """The stones of an opening, and whether the engine that proposed them plays white."""

    opening: tuple[str, ...]
    proposer_is_white: bool


def negotiate_swap2(terms: GameSettings, seats: tuple[Participant, Participant], seed: int) -> Agreed | Verdict:
    """Let the engines agree on an opening, the proposer's seat first; each answer has the time of a move.

    Return a verdict if an engine is at fault, and kill that engine.
    """
    found = _Talk(terms, seats, seed).hold()
    if isinstance(found, Verdict) and found.blamed is not None:
        seats[found.blamed].discard()
    return found


class _Talk:
    """One negotiation."""

    def __init__(self, terms: GameSettings, seats: tuple[Participant, Participant], seed: int) -> None:
        self._terms = terms
        self._seats = seats
        self._seed = seed
        self._position = terms.game.new_position(terms.setup)

    def hold(self) -> Agreed | Verdict:
        """Ask the engines in turn until the colours are decided."""
        for side, stones in ((PROPOSER, 3), (CHOOSER, 2), (PROPOSER, 1)):
            answer = self._ask(side)
            if isinstance(answer, Verdict):
                return answer
            if len(answer) < stones:  # it took a colour: black by SWAP, white by playing its stone
                takes_black = not answer
                return Agreed(tuple(self._position.moves), takes_black == (side == CHOOSER))
        return Agreed(tuple(self._position.moves), proposer_is_white=True)

    def _ask(self, side: int) -> list[str] | Verdict:
        """Return the stones that an engine adds (none for SWAP) and put them on the board."""
        try:
            self._seats[side].prepare(self._terms.setup, (), self._seed)
        except Exception as error:  # an engine's start may fail in any way; the verdict names it
            why = self._seats[side].overweight or format_error(error)
            return Verdict(Ending.VOID, blamed=side, detail=f"could not start: {why}")
        player = self._seats[side].player
        assert isinstance(player, Swap2Player)  # `arena/terms/arguments.py` has seen to that
        clock, began_ns = SideClock(self._seats[side].control or self._terms.control), time.perf_counter_ns()
        try:
            answer = [str(stone) for stone in player.swap2(self._position.moves, clock.limits())]
        except BadSetup as error:
            return Verdict(Ending.VOID, blamed=side, detail=f"could not start: {error}")
        except Exception as error:  # a player in this process may raise anything: that is its crash
            self._seats[side].note_error(error)
            overweight = self._seats[side].overweight
            return forfeit(Ending.MEMORY, side, overweight) if overweight else blame_error(side, error)
        elapsed_ms = stamped_ns(player, time.perf_counter_ns() - began_ns) // 1_000_000
        over_ms, overrun = clock.over_ms(elapsed_ms), clock.spend(elapsed_ms)
        if overrun:
            return replace(forfeit(Ending.TIME, side, overrun), over_ms=over_ms)
        return self._put(side, answer)

    def _put(self, side: int, answer: list[str]) -> list[str] | Verdict:
        before = len(self._position.moves)
        if before and [text.upper() for text in answer] == [SWAP]:
            return []
        if len(answer) not in SWAP2_STONE_COUNTS[before]:
            return forfeit(Ending.ILLEGAL, side, f"swap2 with {before} stones was answered by {' '.join(answer)!r}")
        try:
            for stone in answer:
                self._position.play(stone)
        except IllegalMove as error:
            return forfeit(Ending.ILLEGAL, side, str(error))
        return answer
