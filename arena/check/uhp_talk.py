"""Where UHP engines are examined: a conversation that reads answers as viewers do, beside a board of our own."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, starting
from bots.hive.notation import TILE_NAMES, MoveText, format_move, parse_game
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, neighbour
from core.play.player import BadSetup, IllegalMove
from protocols.driving.line_buffers import MAX_REPLY_BYTES, LastLines
from protocols.driving.process import EngineError, EngineProcess, EngineTimeout
from protocols.text import quote_line
from protocols.uhp.text import ERROR, INVALID_MOVE, OK

REPEATS = 3  # occurrences of a position after which an engine may call the game a draw
SHOWN = 8  # moves that a message lists
_PERFT_LINE = re.compile(r"\s*(?:perft\()?(\d+)(?:\)\s*=)?\s+([\d,]+)\b")


@dataclass(frozen=True)
class UhpPatience:
    """How long to wait, in seconds."""

    answer_s: float = 10.0  # for the start and for everything but thinking and counting
    tolerance_s: float = 0.25  # beyond a limit of bestmove
    at_once_s: float = 0.5  # where there is but one move
    count_s: float = 60.0  # for a perft
    exit_s: float = 1.0


VIEWER_PATIENCE = UhpPatience()


@dataclass(frozen=True)
class UhpCandidate:
    """How an engine is started and what it has to bear."""

    command: Sequence[str]
    types: tuple[str, ...]  # of game, those that it says it plays
    move_time_s: int
    patience: UhpPatience

    @contextmanager
    def engine(self) -> Iterator[UhpTalk]:
        """A fresh engine that has printed its banner; its processes are gone at the end."""
        with starting():
            process = EngineProcess(self.command)
        try:
            engine = UhpTalk(process, self.patience)
            with starting():
                engine.banner = engine.read_reply("the start")
            yield engine
        finally:
            with suppress(EngineError):  # it may have ended long ago
                process.write("exit")
            process.end(self.patience.exit_s)


class UhpTalk:
    """A conversation with one process."""

    def __init__(self, process: EngineProcess, patience: UhpPatience) -> None:
        self.process = process
        self.patience = patience
        self.banner: list[str] = []

    def ask(self, command: str, within_s: float | None = None) -> list[str]:
        """Send a command and return the lines of its response; raise CheckFailed where no `ok` comes."""
        self.process.write(command)
        return self.read_reply(command, within_s)

    def read_reply(self, what: str, within_s: float | None = None) -> list[str]:
        """The lines of the next response; raise CheckFailed where no `ok` comes in time."""
        within_s = self.patience.answer_s if within_s is None else within_s
        lines = LastLines(MAX_REPLY_BYTES)
        try:
            deadline_ns = time.perf_counter_ns() + int(within_s * 1e9)
            self.process.wait_line(lambda text: text == OK, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            said = f", only {quote_line(lines[-1])}" if lines else ""
            raise CheckFailed(f"no ok after {what} within {within_s:g} s{said}") from None
        if lines.left_out:
            raise CheckFailed(f"{what} was answered by {len(lines) + lines.left_out} lines")
        return list(lines)

    def expect_refusal(self, command: str) -> str:
        """Raise CheckFailed unless a command is answered by one line of err or invalidmove; return that."""
        answer = self.ask(command)
        if not is_refusal(answer):
            raise CheckFailed(f"{command!r} was answered by {shorten(answer)}, not by {ERROR} or {INVALID_MOVE}")
        return answer[0]

    def expect_game(self, command: str, position: HivePosition) -> str:
        """Raise CheckFailed unless a command is answered by the position's GameString in some spelling; return it."""
        return check_game(self.ask(command), position, command)

    def expect_moves(self, position: HivePosition) -> int:
        """Raise CheckFailed unless validmoves lists what is legal; return how many have themselves as reference."""
        return check_moves(self.ask("validmoves"), position)

    def load(self, game: str) -> HivePosition:
        """Load a game on both boards."""
        position = HivePosition.from_game(game)
        self.expect_game(f"newgame {position.game_string() if position.moves else position.setup.variant}", position)
        return position

    def best_move(
        self, limit: str, position: HivePosition, within_s: float | None = None, *, closes_input: bool = False
    ) -> tuple[str, float]:
        """The move that bestmove finds, as we spell it, and how long that took; raise CheckFailed for no legal one.

        The input ends behind the command if `closes_input` says so.
        """
        began = time.perf_counter()
        self.process.write(f"bestmove {limit}")
        if closes_input:
            self.process.close_input()
        lines = [line.strip() for line in self.read_reply(f"bestmove {limit}", within_s) if line.strip()]
        seconds = time.perf_counter() - began
        text = lines[-1].partition(";")[0] if lines else ""
        try:
            position.play(text)
        except IllegalMove as error:
            raise CheckFailed(f"bestmove {limit} was answered by {text!r}: {error}") from None
        move = position.moves[-1]
        position.undo()
        return move, seconds


def is_refusal(answer: Sequence[str]) -> bool:
    """Whether a response is one of an error. Which of the two words it has is the engine's affair."""
    return len(answer) == 1 and answer[0].partition(" ")[0] in (ERROR, INVALID_MOVE)


def shorten(lines: Sequence[str]) -> str:
    """A response in a message."""
    text = " / ".join(lines)
    return repr(text if len(text) <= 200 else f"{text[:120]}...{text[-60:]}")


def check_game(answer: Sequence[str], position: HivePosition, command: str) -> str:
    """The GameString of a response; raise CheckFailed unless type, state, turn and moves are the position's.

    A draw where the position stands for the third time is allowed: UHP leaves that open.
    """
    wanted = position.game_string()
    if len(answer) != 1:
        raise CheckFailed(f"{command!r} was answered by {len(answer)} lines {shorten(answer)}, not by a GameString")
    fields, ours = answer[0].split(";"), wanted.split(";")
    if is_repetition_draw(answer[0], position):
        ours[1] = "Draw"
    if fields[:3] != ours[:3] or len(fields) != len(ours):
        found = f"{';'.join(fields[:3])} and {max(0, len(fields) - 3)} moves"
        raise CheckFailed(f"{command!r} gives {found}, not {';'.join(ours[:3])} and {len(ours) - 3} moves")
    return answer[0]


def check_spelling(game: str, position: HivePosition) -> None:
    """Raise CheckFailed unless the moves of a GameString are those of the position."""
    try:
        again = HivePosition.from_game(game)
    except BadSetup as error:
        raise CheckFailed(f"its GameString cannot be replayed: {error}") from None
    if again.moves != position.moves:
        ply = next(ply for ply, pair in enumerate(zip(again.moves, position.moves, strict=True)) if pair[0] != pair[1])
        raise CheckFailed(f"its GameString has {parse_game(game)[1][ply]!r} for {position.moves[ply]!r}")


def is_repetition_draw(game: str, position: HivePosition) -> bool:
    """Whether an engine calls a game drawn that goes on by the rules and whose position has occurred three times."""
    return ";Draw;" in game and position.outcome() is None and position.repetitions() >= REPEATS


def check_moves(answer: Sequence[str], position: HivePosition) -> int:
    """Raise CheckFailed unless a response lists the legal moves, each once; return how many are self-references."""
    if len(answer) != 1 or is_refusal(answer):
        raise CheckFailed(f"validmoves was answered by {shorten(answer)}\ngame: {position.game_string()}")
    texts = [text.strip() for text in answer[0].split(";")]
    found: dict[int, str] = {}
    wrong = []
    for text in texts:
        try:
            number = position.parse(text)
        except IllegalMove:
            wrong.append(text)
            continue
        if number in found:
            wrong.append(f"{text} (as {found[number]})")
        found[number] = text
    legal = set(position.legal_numbers())
    wrong += [text for number, text in found.items() if number not in legal]
    missing = [position.format(number) for number in sorted(legal - found.keys())]
    if wrong or missing:
        sides = f"only the engine: {_list(wrong)}\nonly our rules: {_list(missing)}"
        raise CheckFailed(f"other legal moves\ngame: {position.game_string()}\n{sides}")
    return sum(_is_self_reference(text) for text in texts)


def check_counts(answer: Sequence[str], position: HivePosition) -> int:
    """Raise CheckFailed unless the lines of a perft have the right counts; return how many lines there are."""
    rows = [(int(match[1]), int(match[2].replace(",", ""))) for line in answer if (match := _PERFT_LINE.match(line))]
    for depth, count in rows:
        if count != position.perft(depth):
            game = f"\ngame: {position.game_string()}"
            raise CheckFailed(f"perft {depth} is {count}, not {position.perft(depth)}{game}")
    return len(rows)


def list_spellings(position: HivePosition, number: int) -> list[str]:
    """All correct ways to write a move: every tile in play beside the target may be the reference, covered or not."""
    tile, state = (number >> MOVE_SHIFT) - 1, position.state
    cell = number % CELLS
    if number == PASS or not state.ply or state.height[cell]:
        return [position.format(number)]
    found = []
    for reference in range(len(TILE_NAMES)):
        at = state.tile_cell[reference]
        if at >= 0:
            sides = [side for side in range(6) if neighbour(at, side) == cell]
            found += [format_move(MoveText(tile, reference, side)) for side in sides]
    return found


def _is_self_reference(text: str) -> bool:
    tile, _, reference = text.partition(" ")
    return bool(reference) and tile.lower() == reference.strip("/\\-").lower()


def _list(moves: Sequence[str]) -> str:
    more = f" and {len(moves) - SHOWN} more" if len(moves) > SHOWN else ""
    return "; ".join(moves[:SHOWN]) + more if moves else "none"
