"""Where pairs are played: the engines of one worker, and what happens in a pair as events of the log.

A pair is a value without ties to this process, and so is what comes of it; a worker elsewhere needs the run's terms and
the pair, and hands back the events.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from arena.engines.io_log import IoLog
from arena.engines.spec import EngineSpec
from arena.log.engine_output import MAX_DETAIL_LENGTH, printable_line
from arena.log.events import GameEnded, GameStarted, PairEnded
from arena.referee.adjudicator import Adjudicator
from arena.referee.game import GameSettings, PlayedGame, Verdict, play_game
from arena.referee.memory_limit import MemoryGuard
from arena.referee.participant import Participant
from arena.referee.swap2 import negotiate_swap2
from arena.run.config import MatchConfig
from arena.terms.adjudication import NO_ADJUDICATION
from arena.terms.clock import effective_control
from arena.terms.ending import Ending
from arena.terms.plan import Pair, PlannedGame
from core.play.game import Position
from core.play.player import Player
from protocols.driving.engine_client import EngineClient

GAME_VARIABLE, SLOT_VARIABLE = "PENTAD_GAME", "PENTAD_SLOT"

Watch = Callable[[int, Position], None]


def ignore_moves(game: int, position: Position) -> None:
    """A watch that nobody keeps."""


class PairRunner:
    """Plays one pair at a time. One thread drives it; `interrupt` may come from another.

    Only the two engines of the present pair run: an idle one would hold memory and may think.
    """

    def __init__(self, config: MatchConfig, slot: int = 0) -> None:
        self._config = config
        self._slot = slot  # from 0, among the workers of this machine
        judged = config.adjudication != NO_ADJUDICATION
        self._judge = Adjudicator(config.game, config.adjudication, config.max_plies) if judged else None
        self._terms = GameSettings(
            config.game,
            config.setup,
            config.control,
            config.engine_limits,
            self._judge,
            config.max_plies,
        )
        self._seats: dict[int, Participant] = {}
        self._io_logs: dict[str, IoLog] = {}  # of programs by their names, where they are wanted
        self._game = 0
        self._interrupted = threading.Event()
        self._guard = MemoryGuard(config.engine_limits.memory_bytes, lambda: list(self._seats.values()))

    def play(self, pair: Pair, watch: Watch = ignore_moves) -> Iterator[GameStarted | GameEnded | PairEnded]:
        """Play a pair; each event comes as it happens. Without a last `PairEnded` the pair has no result.

        That is where it was interrupted, where a game is void, or where the caller takes no more events.
        """
        self._take_seats(pair)
        for planned in pair.games:
            if planned.number > 1:
                self._interrupted.wait(self._config.wait_ms / 1000)
            seats, opening, verdict = self._open(pair, planned)
            if self._interrupted.is_set():
                return
            yield GameStarted(planned.number, pair.number, seats[0].name, seats[1].name, opening)
            for seat in seats:
                if seat.name in self._io_logs:
                    self._io_logs[seat.name].write_heading(f"game {planned.number}")
            played = PlayedGame(verdict, ()) if verdict else self._play_one(planned, seats, opening, watch)
            if played is None:
                return
            ended = _to_event(played, pair, planned, (seats[0].name, seats[1].name), opening)
            yield ended
            if ended.ending is Ending.VOID:
                return
        yield PairEnded(pair.number)

    def close(self) -> None:
        """End all engines and what else works here."""
        self._guard.close()
        for seat in self._seats.values():
            seat.discard()
        for log in self._io_logs.values():
            log.close()
        if self._judge:
            self._judge.close()

    def interrupt(self) -> None:
        """End the running game without a result."""
        self._interrupted.set()
        for seat in list(self._seats.values()):
            seat.interrupt()

    def _take_seats(self, pair: Pair) -> None:
        """Have the seats of the pair; where no clock runs, which games came before here may make no difference."""
        anew = not any(self._has_clock(engine) for engine in pair.engines)
        for engine, seat in self._seats.items():
            if anew or engine not in pair.engines:
                seat.discard()
        for engine in pair.engines:
            if engine not in self._seats:
                spec = self._config.engines[engine]
                if spec.command and self._config.engine_limits.io_log:
                    self._io_logs[spec.name] = IoLog(self._config.out, spec.name, self._slot)
                self._seats[engine] = Participant(
                    spec.name,
                    partial(self._start, spec),
                    reseed=spec.needs_seed,
                    processors=self._config.engine_limits.processors(self._slot),
                    control=effective_control(spec.tc, self._config.control),
                )

    def _has_clock(self, engine: int) -> bool:
        control = effective_control(self._config.engines[engine].tc, self._config.control)
        return control.move_ms is not None or control.game_ms is not None

    def _start(self, spec: EngineSpec) -> Player:
        """Start an engine; a program finds in its environment for which game and in which slot, from 1."""
        if spec.command:
            place = ((GAME_VARIABLE, str(self._game)), (SLOT_VARIABLE, str(self._slot + 1)))
            spec = replace(spec, environment=place + spec.environment)
        player = self._config.make_player(spec)
        if spec.name in self._io_logs and isinstance(player, EngineClient):
            player.on_line = self._io_logs[spec.name].record
        return player

    def _open(
        self, pair: Pair, planned: PlannedGame
    ) -> tuple[tuple[Participant, Participant], tuple[str, ...], Verdict | None]:
        """The seats in order of play and the opening, planned or agreed on; a verdict where they failed to agree."""
        self._game = planned.number
        first, second = (self._seats[engine] for engine in self._order(pair, planned))
        if self._config.restart:
            first.discard()
            second.discard()
        if not self._config.swap2:
            return (first, second), self._config.opening(pair), None
        agreed = negotiate_swap2(self._terms, (first, second), planned.seed)
        if isinstance(agreed, Verdict):
            return (first, second), (), agreed
        return (second, first) if agreed.proposer_is_white else (first, second), agreed.opening, None

    def _play_one(
        self, planned: PlannedGame, seats: tuple[Participant, Participant], opening: tuple[str, ...], watch: Watch
    ) -> PlayedGame | None:
        return play_game(
            self._terms,
            seats,
            opening,
            planned.seed,
            on_move=partial(watch, planned.number),
            is_interrupted=self._interrupted.is_set,
        )

    @staticmethod
    def _order(pair: Pair, planned: PlannedGame) -> tuple[int, int]:
        """The engines' indices in order of play."""
        return pair.engines if planned.first == pair.engines[0] else pair.engines[::-1]


def _to_event(
    played: PlayedGame, pair: Pair, planned: PlannedGame, names: tuple[str, str], opening: tuple[str, ...]
) -> GameEnded:
    verdict = played.verdict
    return GameEnded(
        number=planned.number,
        pair=pair.number,
        first=names[0],
        second=names[1],
        ending=verdict.ending,
        winner="" if verdict.winner is None else names[verdict.winner],
        blamed="" if verdict.blamed is None else names[verdict.blamed],
        detail=printable_line(verdict.detail, MAX_DETAIL_LENGTH),
        opening=opening,
        moves=played.moves,
        messages=played.messages,
        stderr=played.stderr,
        over_ms=verdict.over_ms,
        cpu_ms=played.cpu_ms,
    )
