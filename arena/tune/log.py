"""Read and check the log of a tuning, `tune.jsonl`: one JSON line per event, see arena/tune/events.py.

The log is all that a tuning keeps. Each value in it can be computed from the lines before it, so reading computes it
again and refuses a line that does not fit.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arena.log.engine_output import make_printable
from arena.log.file import MAX_ERROR_LENGTH, LogError, LogWriter, read_lines
from arena.log.validation import FieldError, check_header
from arena.terms.ending import FAULTS, Ending
from arena.terms.tuning import check_parameters
from arena.tune.events import (
    MINUS,
    PLUS,
    TUNE_FORMAT,
    IterationEnded,
    PairPlayed,
    TunedGame,
    TuneEnded,
    TuneEvent,
    TuneStarted,
    Values,
)
from arena.tune.spsa import Spsa
from protocols.text import clean_text

TUNE_LOG_NAME = "tune.jsonl"
TOLERANCE = 1e-9  # relative; powers may differ in the last digits between machines
# Finds the format number in a header line; parsing it as JSON would fail for a later format with unknown fields.
_FORMAT_KEY = re.compile(r'{\s*"event"\s*:\s*"tune".*?"format"\s*:\s*([0-9]{1,18})')


@dataclass
class Tuning:
    """A tuning as read from its log, and kept up to date while it runs."""

    header: TuneStarted
    spsa: Spsa  # the values after the last finished iteration
    history: list[IterationEnded] = field(default_factory=list)  # all finished iterations
    open_pairs: dict[int, PairPlayed] = field(default_factory=dict)  # those of the unfinished iteration, by number
    pair_results: dict[int, int] = field(default_factory=dict)  # number of pairs, by result from -2 to 2
    faults: int = 0  # games lost by an engine's own fault
    plies: int = 0  # of all games
    ended: TuneEnded | None = None  # end of the last session; None if it was killed or is still running
    header_hash: str = ""  # SHA-256 of the header's line without its line feed

    @property
    def games(self) -> int:
        """Number of games so far, those of the unfinished iteration included."""
        return 2 * sum(self.pair_results.values())

    @property
    def is_finished(self) -> bool:
        """Whether all iterations are finished."""
        return self.spsa.is_finished

    def pair_numbers(self) -> range:
        """Return the numbers of the pairs of the next iteration."""
        pairs = self.header.pairs
        return range(self.spsa.iteration * pairs + 1, (self.spsa.iteration + 1) * pairs + 1)

    def add_pair(self, pair: PairPlayed) -> None:
        """Add a finished pair of the next iteration; raise FieldError if it does not belong to it."""
        if pair.iteration != self.spsa.iteration + 1 or self.is_finished:
            expected = "none, as all are finished" if self.is_finished else str(self.spsa.iteration + 1)
            raise FieldError(f"iteration: must be {expected}, not {pair.iteration}")
        numbers = self.pair_numbers()
        if pair.number not in numbers:
            raise FieldError(f"number: must be {numbers[0]}..{numbers[-1]}, not {pair.number}")
        if pair.number in self.open_pairs:
            raise FieldError(f"number: pair {pair.number} has already ended")
        for key, values, expected_values in zip(
            (PLUS, MINUS), (pair.plus, pair.minus), self.spsa.perturbed_values(pair.number), strict=True
        ):
            _check_values(key, values, expected_values)
        if len(pair.games) != 2:
            raise FieldError(f"games: must be two, not {len(pair.games)}")
        for index, game in enumerate(pair.games):
            _check_game(f"games[{index}]", game)
        self.open_pairs[pair.number] = pair
        self.pair_results[pair.result] = self.pair_results.get(pair.result, 0) + 1
        self.faults += sum(game.ending in FAULTS for game in pair.games)
        self.plies += sum(game.plies for game in pair.games)

    def end_iteration(self) -> IterationEnded:
        """Return the event that ends the next iteration. All of its pairs must have ended."""
        result = sum(pair.result for pair in self.open_pairs.values())
        return IterationEnded(self.spsa.iteration + 1, result, self.spsa.updated_values(result))

    def add_iteration(self, iteration: IterationEnded) -> None:
        """Add the end of the next iteration; raise FieldError if it does not follow from the pairs."""
        missing = [number for number in self.pair_numbers() if number not in self.open_pairs]
        if self.is_finished or missing:
            reason = f"pair {missing[0]} has not ended" if missing else "all are finished"
            raise FieldError(f"number: iteration {iteration.number} cannot end, {reason}")
        expected = self.end_iteration()
        if iteration.number != expected.number:
            raise FieldError(f"number: must be {expected.number}, not {iteration.number}")
        if iteration.result != expected.result:
            raise FieldError(f"result: must be {expected.result} by the pairs above, not {iteration.result}")
        _check_values("values", iteration.values, expected.values)
        self.open_pairs.clear()
        self.spsa.advance(iteration.values)
        self.history.append(iteration)


def start_tuning(header: TuneStarted) -> Tuning:
    """Return a tuning without any games."""
    return Tuning(header, Spsa(header.parameters, header, header.match.seed))


def open_log(directory: Path) -> LogWriter:
    """Return the writer of a tuning's log. Only pairs are written without waiting until they are on disk."""
    return LogWriter(directory, name=TUNE_LOG_NAME, unsynced=(PairPlayed,))


def is_tuning(directory: Path) -> bool:
    """Return whether a folder holds a tuning."""
    return (directory / TUNE_LOG_NAME).is_file()


def read_tuning(directory: Path) -> Tuning:
    """Read and check the log of a tuning. Raise LogError with the first wrong line and field."""
    path = directory / TUNE_LOG_NAME
    tuning: Tuning | None = None
    for number, line in read_lines(path):
        try:
            event = decode_tune_event(line)
            if tuning is None:
                tuning = _read_header(event)
                tuning.header_hash = hashlib.sha256(line).hexdigest()
            else:
                _add_event(tuning, event)
        except FieldError as error:
            raise LogError(f"{path}, line {number}: {clean_text(str(error), MAX_ERROR_LENGTH)}") from None
    if tuning is None:
        raise LogError(f"{path}: the file has no complete line")
    return tuning


def decode_tune_event(line: bytes) -> TuneEvent:
    """Return the event of a line; raise FieldError if the line is not valid."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldError(f"byte {error.start + 1} of the line is not UTF-8") from None
    log_format = _FORMAT_KEY.match(text)
    if log_format and int(log_format[1]) > TUNE_FORMAT:
        raise FieldError(f"format: {log_format[1]} needs a newer Pentad (known: up to {TUNE_FORMAT})")
    try:
        event: TuneEvent = msgspec.json.decode(text, type=TuneEvent)
    except msgspec.DecodeError as error:
        raise FieldError(str(error)) from None
    except RecursionError:
        raise FieldError("event: arrays or objects are nested too deeply") from None
    return event


def _read_header(event: TuneEvent) -> Tuning:
    if not isinstance(event, TuneStarted):
        raise FieldError("event: the first line must have the event 'tune'")
    _check_field("parameters", lambda: check_parameters(event.parameters))
    _check_field("match", lambda: check_header(event.match))
    planned = 2 * event.iterations * event.pairs
    if event.match.games != planned or [engine.name for engine in event.match.engines] != [PLUS, MINUS]:
        raise FieldError(f"match: must have {planned} games of the engines {PLUS} and {MINUS}")
    return start_tuning(msgspec.structs.replace(event, engine=make_printable(event.engine)))


def _add_event(tuning: Tuning, event: TuneEvent) -> None:
    if isinstance(event, TuneStarted):
        raise FieldError("event: a second tuning begins")
    if isinstance(event, PairPlayed):
        tuning.add_pair(event)
    elif isinstance(event, IterationEnded):
        tuning.add_iteration(event)
    else:
        tuning.ended = event if isinstance(event, TuneEnded) else None


def _check_values(key: str, values: Sequence[float], expected: Values) -> None:
    if len(values) != len(expected):
        raise FieldError(f"{key}: must have {len(expected)} values, not {len(values)}")
    for index, (value, expected_value) in enumerate(zip(values, expected, strict=True)):
        if not math.isclose(value, expected_value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            raise FieldError(f"{key}[{index}]: must be {expected_value!r} by the lines above, not {value!r}")


def _check_game(key: str, game: TunedGame) -> None:
    is_drawn = not game.winner
    if game.ending is Ending.VOID:
        raise FieldError(f"{key}.ending: a pair with a void game does not count")
    has_fault = game.ending in FAULTS
    if (
        is_drawn == (has_fault or game.ending in (Ending.WIN, Ending.RESIGNED))
        and game.ending is not Ending.ADJUDICATED
    ):
        winner = game.winner or "nobody"
        raise FieldError(f"{key}.winner: must not be {winner} for the ending {game.ending.value!r}")
    if has_fault != bool(game.blamed) or (game.blamed and game.blamed == game.winner):
        raise FieldError(f"{key}.blamed: must be the loser if the ending is a fault, and else empty")


def _check_field(key: str, check: Callable[[], object]) -> None:
    """Call a check that raises ValueError; turn this into a FieldError that begins with the key."""
    try:
        check()
    except ValueError as error:
        raise FieldError(f"{key}: {error}") from None
