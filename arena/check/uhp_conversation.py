"""A conversation with a UHP engine under test, and comparisons of its answers with our rules of Hive.

Moves are compared by tile and target cell, because a move has several spellings: `wA1 -bQ` and `wA1 wS1/` may name
the same cell. A GameString is a whole game, such as `Base;InProgress;White[2];wS1;bS1 wS1-`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, fatal_failures
from arena.check.conversation import Conversation, start_program
from bots.hive.notation import TILE_NAMES, MoveText, format_move, parse_game
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, neighbour
from core.play.player import BadSetup, IllegalMove
from protocols.driving.line_buffers import MAX_REPLY_BYTES, LastLines
from protocols.driving.process import EngineProcess, EngineTimeout
from protocols.text import quote_line
from protocols.uhp.text import ERROR, INVALID_MOVE, OK

DRAW_REPETITIONS = 3  # occurrences of a position at which an engine may call the game a draw
MAX_SHOWN_MOVES = 8  # in a message
# A line of perft has depth and count: `perft(3) = 1,440 in 1 ms` (MzingaEngine), `   3   1440   1.0us` (nokamute)
_PERFT_LINE = re.compile(r"\s*(?:perft\()?(\d+)(?:\)\s*=)?\s+([\d,]+)\b")


@dataclass(frozen=True)
class UhpTimeouts:
    """How long the check waits for an engine, in seconds."""

    answer_s: float = 10.0  # for the banner, and for answers that need neither a search nor perft
    tolerance_s: float = 0.25  # beyond the time limit of bestmove
    at_once_s: float = 0.5  # for bestmove with a single legal move
    count_s: float = 60.0  # for the answer to perft
    exit_s: float = 1.0  # from exit, or the end of input, to the exit of the process


DEFAULT_TIMEOUTS = UhpTimeouts()


@dataclass(frozen=True)
class UhpCandidate:
    """The engine under test: the command that starts it, its time for a move, and what it is tested on."""

    command: Sequence[str]
    types: tuple[str, ...]  # game types, such as `Base+MLP`
    move_time_s: int
    timeouts: UhpTimeouts

    @contextmanager
    def engine(self) -> Iterator[UhpConversation]:
        """Start the engine for the time of a `with` block, which begins after its banner."""
        with start_program(self.command, "exit", self.timeouts.exit_s) as process:
            engine = UhpConversation(process, self.timeouts)
            with fatal_failures():
                engine.banner = engine.read_response("the start")
            yield engine


class UhpConversation(Conversation):
    """A conversation with one process. The methods raise CheckFailed if the engine does not do what is expected."""

    def __init__(self, process: EngineProcess, timeouts: UhpTimeouts) -> None:
        super().__init__(process)
        self.timeouts = timeouts
        self.banner: list[str] = []

    def ask(self, command: str, within_s: float | None = None) -> list[str]:
        """Send a command and return the lines of its response, without the final `ok`."""
        self.process.write(command)
        return self.read_response(command, within_s)

    def read_response(self, cause: str, within_s: float | None = None) -> list[str]:
        """Return the lines of the next response, without the final `ok`. `cause` names what was sent."""
        within_s = self.timeouts.answer_s if within_s is None else within_s
        lines = LastLines(MAX_REPLY_BYTES)
        try:
            deadline_ns = time.perf_counter_ns() + int(within_s * 1e9)
            self.process.wait_line(lambda text: text == OK, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            received = f", only {quote_line(lines[-1])}" if lines else ""
            raise CheckFailed(f"no ok after {cause} within {within_s:g} s{received}") from None
        if lines.left_out:
            raise CheckFailed(f"{cause} was answered by too much output: {len(lines) + lines.left_out} lines")
        return list(lines)

    def expect_refusal(self, command: str) -> str:
        """Send a command that must be answered by one line with err or invalidmove; return the line."""
        answer = self.ask(command)
        if not is_refusal(answer):
            raise CheckFailed(f"{command!r} was answered by {shorten(answer)}, not by {ERROR} or {INVALID_MOVE}")
        return answer[0]

    def expect_game(self, command: str, position: HivePosition) -> str:
        """Send a command whose answer must be the GameString of the position (see `check_game`); return the answer."""
        return check_game(self.ask(command), position, command)

    def expect_moves(self, position: HivePosition) -> int:
        """Compare the answer to validmoves with the legal moves; return what `check_moves` returns."""
        return check_moves(self.ask("validmoves"), position)

    def load(self, game: str) -> HivePosition:
        """Load a GameString in the engine, and return the same position by our rules."""
        position = HivePosition.from_game(game)
        self.expect_game(f"newgame {position.game_string() if position.moves else position.setup.variant}", position)
        return position

    def best_move(
        self, limit: str, position: HivePosition, within_s: float | None = None, *, closes_input: bool = False
    ) -> tuple[str, float]:
        """Send bestmove with a limit such as `depth 1`. Return its move, which must be legal, and the seconds it took.

        The move is in our spelling. With `closes_input` standard input is closed after the command.
        """
        began_s = time.perf_counter()
        self.process.write(f"bestmove {limit}")
        if closes_input:
            self.process.close_input()
        lines = [line.strip() for line in self.read_response(f"bestmove {limit}", within_s) if line.strip()]
        seconds = time.perf_counter() - began_s
        text = lines[-1].partition(";")[0] if lines else ""
        try:
            position.play(text)
        except IllegalMove as error:
            raise CheckFailed(f"bestmove {limit} was answered by {text!r}: {error}") from None
        move = position.moves[-1]
        position.undo()
        return move, seconds


def is_refusal(answer: Sequence[str]) -> bool:
    """Return whether a response is a single line that begins with err or invalidmove."""
    return len(answer) == 1 and answer[0].partition(" ")[0] in (ERROR, INVALID_MOVE)


def shorten(lines: Sequence[str]) -> str:
    """Return a response as one short line for a message."""
    text = " / ".join(lines)
    return repr(text if len(text) <= 200 else f"{text[:120]}...{text[-60:]}")


def check_game(answer: Sequence[str], position: HivePosition, command: str) -> str:
    """Return the GameString of a response; raise CheckFailed unless it fits the position.

    Its game type, state, turn and number of moves are compared; for the moves see `check_game_moves`. The state may be
    `Draw` at the third or a later occurrence of a position, because UHP leaves that open.
    """
    if len(answer) != 1:
        raise CheckFailed(f"{command!r} was answered by {len(answer)} lines {shorten(answer)}, not by a GameString")
    actual, expected = answer[0].split(";"), position.game_string().split(";")
    if is_repetition_draw(answer[0], position):
        expected[1] = "Draw"
    if actual[:3] != expected[:3] or len(actual) != len(expected):
        actual_text = f"{';'.join(actual[:3])} and {max(0, len(actual) - 3)} moves"
        raise CheckFailed(
            f"{command!r} gives {actual_text}, not {';'.join(expected[:3])} and {len(expected) - 3} moves"
        )
    return answer[0]


def check_game_moves(game: str, position: HivePosition) -> None:
    """Raise CheckFailed unless the moves of a GameString are those of the position."""
    try:
        replayed = HivePosition.from_game(game)
    except BadSetup as error:
        raise CheckFailed(f"the GameString of the engine cannot be replayed: {error}") from None
    for written, move, expected in zip(parse_game(game)[1], replayed.moves, position.moves, strict=True):
        if move != expected:
            raise CheckFailed(f"the GameString of the engine has {written!r} for {expected!r}")


def is_repetition_draw(game: str, position: HivePosition) -> bool:
    """Return whether a GameString says `Draw` only because the position has occurred three times or more."""
    return ";Draw;" in game and position.outcome() is None and position.repetitions() >= DRAW_REPETITIONS


def check_moves(answer: Sequence[str], position: HivePosition) -> int:
    """Raise CheckFailed unless a response lists the legal moves, each once; return the number of self-references.

    A self-reference is a move whose reference is the moving tile, such as `wA1 wA1-`.
    """
    if len(answer) != 1 or is_refusal(answer):
        raise CheckFailed(f"validmoves was answered by {shorten(answer)}\ngame: {position.game_string()}")
    texts = [text.strip() for text in answer[0].split(";")]
    text_by_code: dict[int, str] = {}  # the listed moves by move code
    wrong_moves = []
    for text in texts:
        try:
            code = position.parse(text)
        except IllegalMove:
            wrong_moves.append(text)
            continue
        if code in text_by_code:
            wrong_moves.append(f"{text} (as {text_by_code[code]})")
        text_by_code[code] = text
    legal = set(position.legal_numbers())
    wrong_moves += [text for code, text in text_by_code.items() if code not in legal]
    missing_moves = [position.format(code) for code in sorted(legal - text_by_code.keys())]
    if wrong_moves or missing_moves:
        differences = f"only the engine: {_join_moves(wrong_moves)}\nonly our rules: {_join_moves(missing_moves)}"
        raise CheckFailed(f"the legal moves differ\ngame: {position.game_string()}\n{differences}")
    return sum(_is_self_reference(text) for text in texts)


def check_counts(answer: Sequence[str], position: HivePosition) -> int:
    """Raise CheckFailed unless all counts in the answer to perft are right; return the number of counts."""
    counts = [(int(match[1]), int(match[2].replace(",", ""))) for line in answer if (match := _PERFT_LINE.match(line))]
    for depth, count in counts:
        if count != position.perft(depth):
            game = f"\ngame: {position.game_string()}"
            raise CheckFailed(f"perft {depth} is {count}, not {position.perft(depth)}{game}")
    return len(counts)


def list_spellings(position: HivePosition, code: int) -> list[str]:
    """Return all correct spellings of a move: the reference may be any tile beside the target, even a covered one.

    A pass, the first move of a game and a move onto other tiles have a single spelling. A spelling may be a
    self-reference.
    """
    tile, state = (code >> MOVE_SHIFT) - 1, position.state
    cell = code % CELLS
    if code == PASS or not state.ply or state.height[cell]:
        return [position.format(code)]
    spellings = []
    for reference in range(len(TILE_NAMES)):
        reference_cell = state.tile_cell[reference]
        if reference_cell >= 0:  # in play
            directions = [direction for direction in range(6) if neighbour(reference_cell, direction) == cell]
            spellings += [format_move(MoveText(tile, reference, direction)) for direction in directions]
    return spellings


def _is_self_reference(text: str) -> bool:
    """Return whether the reference of a move such as `wA1 wA1-` is the moving tile."""
    tile, _, reference = text.partition(" ")
    return bool(reference) and tile.lower() == reference.strip("/\\-").lower()


def _join_moves(moves: Sequence[str]) -> str:
    rest = len(moves) - MAX_SHOWN_MOVES
    return ("; ".join(moves[:MAX_SHOWN_MOVES]) or "none") + (f" and {rest} more" if rest > 0 else "")
