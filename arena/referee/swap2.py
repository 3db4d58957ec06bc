"""Gomoku's swap2 opening between two engines: the proposer places three stones, then they agree on colours.

The stones are black, white and black. The other engine, the chooser, has three options: it plays white by placing
white's next stone, it takes black (SWAP), or it places a white and a black stone. In the last case the proposer either
places white's next stone or takes black.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from arena.referee.game import GameSettings, Verdict, blame_error, blame_start, forfeit, thinking_time_ns
from arena.referee.participant import Participant
from arena.terms.clock import SideClock
from arena.terms.ending import Ending
from core.play.player import IllegalMove
from protocols.gomocup.opening_replies import SWAP2_STONE_COUNTS
from protocols.gomocup.player_abilities import Swap2Player
from protocols.gomocup.text import SWAP

PROPOSER, CHOOSER = 0, 1  # indices of the participants


@dataclass(frozen=True)
class AgreedOpening:
    """The result of a negotiation: the stones of the opening, and whether the proposer plays white."""

    opening: tuple[str, ...]
    proposer_is_white: bool


def negotiate_swap2(
    settings: GameSettings, participants: tuple[Participant, Participant], seed: int
) -> AgreedOpening | Verdict:
    """Let the engines agree on an opening; `participants[0]` is the proposer. Each answer has the time of a move.

    Return a verdict if an engine is at fault or cannot start, and kill that engine.
    """
    result = _Negotiation(settings, participants, seed).run()
    if isinstance(result, Verdict) and result.blamed is not None:
        participants[result.blamed].discard()
    return result


def propose_swap2(settings: GameSettings, participant: Participant) -> None:
    """Ask an engine that has begun a game for the first stones. Its errors, such as BadSetup, are passed on."""
    player = participant.player
    assert isinstance(player, Swap2Player)  # checked in `arena/options/match.py` before the match
    player.swap2((), SideClock(participant.control or settings.control).limits())


class _Negotiation:
    """One negotiation: asks the engines and keeps the stones placed so far."""

    def __init__(self, settings: GameSettings, participants: tuple[Participant, Participant], seed: int) -> None:
        self._settings = settings
        self._participants = participants
        self._seed = seed
        self._position = settings.game.new_position(settings.setup)

    def run(self) -> AgreedOpening | Verdict:
        """Ask the engines in turn until the colours are decided."""
        for side, max_stones in ((PROPOSER, 3), (CHOOSER, 2), (PROPOSER, 1)):
            answer = self._ask(side)
            if isinstance(answer, Verdict):
                return answer
            if len(answer) < max_stones:  # it took black by SWAP (no stone) or white by placing one stone
                takes_black = not answer
                proposer_is_white = takes_black if side == CHOOSER else not takes_black
                return AgreedOpening(tuple(self._position.moves), proposer_is_white)
        return AgreedOpening(tuple(self._position.moves), proposer_is_white=True)

    def _ask(self, side: int) -> list[str] | Verdict:
        """Ask an engine and place the stones of its answer; return them, none for SWAP, or a verdict for a fault."""
        participant = self._participants[side]
        try:
            participant.prepare(self._settings.setup, (), self._seed)
        except Exception as error:  # an engine's start may fail in any way; the verdict names it
            return blame_start(participant, side, error)
        player = participant.player
        assert isinstance(player, Swap2Player)  # checked in `arena/options/match.py` before the match
        clock, began_ns = SideClock(participant.control or self._settings.control), time.perf_counter_ns()
        try:
            answer = [str(stone) for stone in player.swap2(self._position.moves, clock.limits())]
        except Exception as error:  # an in-process player may raise anything; that counts as its crash
            return blame_error(participant, side, error)
        elapsed_ms = thinking_time_ns(player, time.perf_counter_ns() - began_ns) // 1_000_000
        over_ms, overrun = clock.over_ms(elapsed_ms), clock.spend(elapsed_ms)
        if overrun:
            return replace(forfeit(Ending.TIME, side, overrun), over_ms=over_ms)
        return self._place(side, answer)

    def _place(self, side: int, answer: list[str]) -> list[str] | Verdict:
        """Place the stones of an answer and return them, none for SWAP; return a verdict if the answer is illegal."""
        stone_count = len(self._position.moves)  # before the answer: 0, 3 or 5
        if stone_count and [stone.upper() for stone in answer] == [SWAP]:
            return []
        if len(answer) not in SWAP2_STONE_COUNTS[stone_count]:
            detail = f"swap2 with {stone_count} stones was answered by {' '.join(answer)!r}"
            return forfeit(Ending.ILLEGAL, side, detail)
        try:
            for stone in answer:
                self._position.play(stone)
        except IllegalMove as error:
            return forfeit(Ending.ILLEGAL, side, str(error))
        return answer
