"""Plays pairs of games (two games from one opening, colours swapped) and yields their events for the log.

Used by the threads of a run on this machine (arena/run/match.py) and by the workers of a cluster
(arena/run/cluster_worker.py). Pairs and events are plain values that can be sent to another machine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.engines.io_log import IoLog, file_names
from arena.engines.spec import EngineSpec
from arena.errors import CommandFailedError
from arena.log.engine_output import MAX_DETAIL_LENGTH, printable_line
from arena.log.events import GameEnded, GameStarted, MoveEntry, PairEnded
from arena.referee.adjudicator import Adjudicator
from arena.referee.game import GameSettings, PlayedGame, Verdict, describe_failed_start, play_game
from arena.referee.memory_limit import MemoryGuard
from arena.referee.participant import Participant
from arena.referee.swap2 import negotiate_swap2, propose_swap2
from arena.run.config import MatchConfig
from arena.terms.adjudication import NO_ADJUDICATION
from arena.terms.clock import effective_control
from arena.terms.ending import Ending
from arena.terms.plan import Pair, PlannedGame
from core.play.game import Position
from core.play.player import Player
from protocols.driving.engine_client import EngineClient

MAX_STDERR_LINES = 10  # of an engine that cannot start, in the error message
GAME_VARIABLE, SLOT_VARIABLE = "PENTAD_GAME", "PENTAD_SLOT"  # environment variables of engines, see PairRunner._start

# Arguments: number of a game, its position before a move, and the log entries of its moves after the opening
MoveCallback = Callable[[int, Position, Sequence[MoveEntry]], None]


def ignore_moves(game: int, position: Position, entries: Sequence[MoveEntry]) -> None:
    """Do nothing; the default `on_move` callback."""


class PairRunner:
    """Plays one pair at a time. One thread uses it; only `interrupt` may be called from another thread.

    Only the two engines of the current pair run, because an idle engine would use memory and could use the CPU. With
    `keeps_engines` they keep running after a pair even if no clock runs.
    """

    def __init__(self, config: MatchConfig, slot: int = 0, *, keeps_engines: bool = False) -> None:
        self._config = config
        self._slot = slot  # from 0; distinguishes the threads that play on this machine
        self._keeps_engines = keeps_engines or config.keep
        self._parameters: dict[int, Mapping[str, str]] = {}  # by index of the engine
        has_adjudication = config.adjudication != NO_ADJUDICATION
        self._adjudicator = (
            Adjudicator(config.game, config.adjudication, config.max_plies) if has_adjudication else None
        )
        self._game_settings = GameSettings(
            config.game,
            config.setup,
            config.control,
            config.engine_limits,
            self._adjudicator,
            config.max_plies,
        )
        self._participants: dict[int, Participant] = {}  # by index of the engine
        self._io_logs: dict[str, IoLog] = {}  # by engine name; only with --io-log
        self._game_number = 0  # of the current game; 0 before the first one
        self._interrupted = threading.Event()
        self._memory_guard = MemoryGuard(config.engine_limits.memory_bytes, lambda: list(self._participants.values()))

    def play(self, pair: Pair, on_move: MoveCallback = ignore_moves) -> Iterator[GameStarted | GameEnded | PairEnded]:
        """Play a pair and yield each event as it happens. A pair counts only if its last event is `PairEnded`.

        The events stop earlier if the pair is interrupted or if one of its games is void.
        """
        self._prepare_participants(pair)
        for planned_game in pair.games:
            if planned_game.number > 1:  # --wait: a pause between games, none before the first game of the run
                self._interrupted.wait(self._config.wait_ms / 1000)
            participants, opening, verdict = self._open_game(pair, planned_game)
            if self._interrupted.is_set():
                return
            yield GameStarted(planned_game.number, pair.number, participants[0].name, participants[1].name, opening)
            for participant in participants:
                if participant.name in self._io_logs:
                    self._io_logs[participant.name].write_heading(f"game {planned_game.number}")
            played_game = (
                PlayedGame(verdict, ()) if verdict else self._play_game(planned_game, participants, opening, on_move)
            )
            if played_game is None:
                return
            ended = _make_event(played_game, pair, planned_game, (participants[0].name, participants[1].name), opening)
            yield ended
            if ended.ending is Ending.VOID:
                return
        yield PairEnded(pair.number)

    def check_starts(self) -> None:
        """Start each engine once, before the first game of a session.

        Raise CommandFailedError if engines fail; it names all of them with the last lines of their standard error.
        """
        failures = [self._try_start(engine_index) for engine_index in range(len(self._config.engines))]
        if any(failures):
            raise CommandFailedError("\n".join(filter(None, failures)))

    def set_parameters(self, engine_index: int, parameters: Mapping[str, str]) -> None:
        """Set option values that an engine gets before its next game, by command and without a restart."""
        self._parameters[engine_index] = parameters

    def close(self) -> None:
        """Quit all engines and release the other resources."""
        self._memory_guard.close()
        for participant in self._participants.values():
            participant.discard()
        for log in self._io_logs.values():
            log.close()
        if self._adjudicator:
            self._adjudicator.close()

    def interrupt(self) -> None:
        """End the running game without a result."""
        self._interrupted.set()
        for participant in list(self._participants.values()):
            participant.interrupt()

    def _prepare_participants(self, pair: Pair) -> None:
        """Prepare the two engines of a pair, and quit those of the previous pair that it does not use.

        If neither engine has a clock, both are restarted: such a run can be repeated exactly, so its games must not
        depend on which games an engine has played before.
        """
        has_clock = any(self._has_clock(engine_index) for engine_index in pair.engines)
        restart = not has_clock and not self._keeps_engines
        for engine_index, participant in self._participants.items():
            if restart or engine_index not in pair.engines:
                participant.discard()
        for engine_index in pair.engines:
            if engine_index not in self._participants:
                spec = self._config.engines[engine_index]
                if spec.command and self._config.engine_limits.io_log:
                    name = file_names([engine.name for engine in self._config.engines])[engine_index]
                    self._io_logs[spec.name] = IoLog(self._config.out, name, self._slot)
                self._participants[engine_index] = self._make_participant(spec)
            self._participants[engine_index].parameters = self._parameters.get(engine_index, {})

    def _make_participant(self, spec: EngineSpec) -> Participant:
        return Participant(
            spec.name,
            partial(self._start, spec),
            reseed=spec.needs_seed,
            processors=self._config.engine_limits.processors(self._slot),
            control=effective_control(spec.tc, self._config.control),
            clears_hash=self._keeps_engines,
        )

    def _try_start(self, engine_index: int) -> str:
        """Start an engine, begin a game and quit the engine; return a description of its failure, else an empty text.

        With --swap2 the engine is also asked for the first stones, because it cannot say otherwise whether it can.
        """
        participant = self._participants[engine_index] = self._make_participant(self._config.engines[engine_index])
        try:
            participant.prepare(self._config.setup, (), self._config.seed)
            if self._config.swap2:
                propose_swap2(self._game_settings, participant)
        except Exception as error:  # an engine may fail in any way; the description names it
            participant.discard()
            stderr = participant.take_stderr().splitlines()[-MAX_STDERR_LINES:]
            reason = describe_failed_start(participant, error)
            return "\n  ".join([f"{participant.name} {reason}", *map(printable_line, stderr)])
        finally:
            participant.discard()
            del self._participants[engine_index]
        return ""

    def _has_clock(self, engine_index: int) -> bool:
        control = effective_control(self._config.engines[engine_index].tc, self._config.control)
        return control.move_ms is not None or control.game_ms is not None

    def _start(self, spec: EngineSpec) -> Player:
        """Start an engine. A program gets the numbers of its game and slot, both from 1, as environment variables."""
        if spec.command:
            variables = ((GAME_VARIABLE, str(self._game_number)), (SLOT_VARIABLE, str(self._slot + 1)))
            spec = replace(spec, environment=variables + spec.environment)
        player = self._config.make_player(spec)
        if spec.name in self._io_logs and isinstance(player, EngineClient):
            player.on_line = self._io_logs[spec.name].record
        return player

    def _open_game(
        self, pair: Pair, planned_game: PlannedGame
    ) -> tuple[tuple[Participant, Participant], tuple[str, ...], Verdict | None]:
        """Return the engines in order of play, the opening, and None or the reason why the game has already ended.

        The latter happens only with --swap2, if an engine fails while the opening is negotiated.
        """
        self._game_number = planned_game.number
        first, second = (self._participants[engine_index] for engine_index in self._playing_order(pair, planned_game))
        if self._config.restart:
            first.discard()
            second.discard()
        if not self._config.swap2:
            return (first, second), self._config.opening(pair), None
        negotiated = negotiate_swap2(self._game_settings, (first, second), planned_game.seed)
        if isinstance(negotiated, Verdict):
            return (first, second), (), negotiated
        return (second, first) if negotiated.proposer_is_white else (first, second), negotiated.opening, None

    def _play_game(
        self,
        planned_game: PlannedGame,
        participants: tuple[Participant, Participant],
        opening: tuple[str, ...],
        on_move: MoveCallback,
    ) -> PlayedGame | None:
        """Play a game from its opening; return None if it is interrupted."""
        return play_game(
            self._game_settings,
            participants,
            opening,
            planned_game.seed,
            on_move=partial(on_move, planned_game.number),
            is_interrupted=self._interrupted.is_set,
        )

    @staticmethod
    def _playing_order(pair: Pair, planned_game: PlannedGame) -> tuple[int, int]:
        """Return the indices of the engines in order of play."""
        return pair.engines if planned_game.first == pair.engines[0] else pair.engines[::-1]


def _make_event(
    played_game: PlayedGame, pair: Pair, planned_game: PlannedGame, names: tuple[str, str], opening: tuple[str, ...]
) -> GameEnded:
    """Return the log event of a finished game; `names` are the engines in order of play."""
    verdict = played_game.verdict
    return GameEnded(
        number=planned_game.number,
        pair=pair.number,
        first=names[0],
        second=names[1],
        ending=verdict.ending,
        winner="" if verdict.winner is None else names[verdict.winner],
        blamed="" if verdict.blamed is None else names[verdict.blamed],
        detail=printable_line(verdict.detail, MAX_DETAIL_LENGTH),
        opening=opening,
        moves=played_game.moves,
        messages=played_game.messages,
        stderr=played_game.stderr,
        over_ms=verdict.over_ms,
        cpu_ms=played_game.cpu_ms,
    )
