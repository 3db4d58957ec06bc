"""Where GTP engines are examined: a conversation that reads answers as strictly as HexGui does.

An answer begins with `=` or `?` and ends with an empty line; nothing stands between two answers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, starting
from core.play.player import RESIGN, IllegalMove
from protocols.driving.line_buffers import MAX_REPLY_BYTES, LastLines
from protocols.driving.process import EngineError, EngineProcess, EngineTerminated, EngineTimeout
from protocols.gtp.game import GtpGame, GtpPosition
from protocols.gtp.text import Response, parse_line, parse_response
from protocols.text import quote_line

COMMON_COLOURS = ("black", "white", "red")  # tried in this order where the game is not known


@dataclass(frozen=True)
class GtpPatience:
    """How long to wait, in seconds."""

    start_s: float = 60.0  # for the first answer: pattern files and nets are loaded before it
    reply_s: float = 10.0  # for answers that need no thinking
    tolerance_s: float = 0.5  # added to a move's time
    end_s: float = 1.0  # from quit or the end of input to being gone
    silence_s: float = 0.3  # where nothing may come


USUAL_PATIENCE = GtpPatience()


@dataclass(frozen=True)
class GtpCandidate:
    """Where engines are examined: the command that starts one, the time it has for a move, the game if it is known."""

    command: Sequence[str]
    move_time_s: float
    game: GtpGame | None
    patience: GtpPatience
    start_up: Sequence[str] = ()  # commands that each fresh engine is sent

    @contextmanager
    def engine(self) -> Iterator[GtpTalk]:
        """A fresh engine that has given its first answer; its processes are gone at the end."""
        with starting():
            process = EngineProcess(self.command, keeps_blanks=True)
        try:
            engine = GtpTalk(process, self)
            with starting():
                engine.ask("protocol_version", within_s=self.patience.start_s)
                for command in self.start_up:
                    engine.expect_ok(command)
            yield engine
        finally:
            with suppress(EngineError):  # it may have ended long ago
                process.write("quit")
            process.end(self.patience.end_s)


class GtpTalk:
    """A conversation with one process. Whatever is not as it should be raises CheckFailed, or EngineTerminated."""

    def __init__(self, process: EngineProcess, candidate: GtpCandidate) -> None:
        self.process = process
        self.candidate = candidate
        self.patience = candidate.patience
        self.born_ns = time.perf_counter_ns()
        self.last_elapsed_s = 0.0  # of the last answer

    def ask(self, line: str, within_s: float | None = None) -> Response:
        """Send a line and return the answer to it, with the id that the line had."""
        sent_ns = self.process.write(line)
        return self.read_answer(line, sent_ns, self.patience.reply_s if within_s is None else within_s)

    def read_answer(self, line: str, sent_ns: int, within_s: float) -> Response:
        """The next answer, which belongs to a line that was sent."""
        shown = line.strip() or repr(line)
        lines = LastLines(MAX_REPLY_BYTES)
        deadline_ns = sent_ns + int(within_s * 1e9)
        try:
            end = self.process.wait_line(lambda text: not text, deadline_ns, lambda other: lines.add(other.text))
        except EngineTimeout:
            came = f"{quote_line(lines[-1])} without an empty line after it" if lines else "nothing"
            raise CheckFailed(f"{shown} was answered by {came} within {within_s:g} s") from None
        if lines.left_out:
            raise CheckFailed(f"{shown} was answered by {len(lines) + lines.left_out} lines")
        answer = parse_response(lines)
        if answer is None:
            came = repr(lines[0]) if lines else "an empty line"
            raise CheckFailed(f"{shown} was answered by {came}: an answer begins with = or ?")
        request = parse_line(line)
        wanted = request.id if request else ""
        if answer.id != wanted:
            number = f"id {wanted}" if wanted else "no id"
            raise CheckFailed(f"{shown} was answered by {lines[0]!r}: {number} is wanted")
        self.last_elapsed_s = (end.at_ns - sent_ns) / 1e9
        return answer

    def expect_ok(self, line: str, within_s: float | None = None) -> str:
        """The text of a successful answer."""
        answer = self.ask(line, within_s)
        if not answer.ok:
            raise CheckFailed(f"{line.strip()} failed: {answer.text!r}")
        return answer.text

    def expect_failure(self, line: str) -> str:
        """The text of a failure."""
        answer = self.ask(line)
        if answer.ok:
            raise CheckFailed(f"{line.strip()} succeeded with {answer.text!r}, a failure is wanted")
        return answer.text

    def expect_silence(self, after: str) -> None:
        """Nothing may come now."""
        try:
            line = self.process.wait_line(lambda _: True, time.perf_counter_ns() + int(self.patience.silence_s * 1e9))
        except (EngineTimeout, EngineTerminated):
            return
        raise CheckFailed(f"after {after} came {line.text!r}, and nothing is wanted")

    def expect_exit(self, within_s: float, after: str) -> str:
        """The program exits by itself in time with status 0; return how long it took."""
        began = time.perf_counter()
        if not self.process.wait_exit(within_s):
            raise CheckFailed(f"still running {within_s:g} s after {after}")
        elapsed_s = time.perf_counter() - began
        status = self.process.end(0)
        if status:
            raise CheckFailed(f"exited with status {status} after {after}")
        return f"{elapsed_s:.2f} s"

    def commands(self) -> list[str]:
        """What `list_commands` lists, nothing where there is no such command."""
        answer = self.ask("list_commands")
        return answer.text.split() if answer.ok else []

    def begin(self) -> tuple[str, str]:
        """A new game with the time for a move set, where that can be done; return the colours in the order of play."""
        self.expect_ok("clear_board")
        if "time_settings" in self.commands():
            self.set_time(self.candidate.move_time_s)
        if self.candidate.game:
            return self.candidate.game.colours
        first = next((colour for colour in COMMON_COLOURS if self._may_begin(colour)), None)
        if first is None:
            raise CheckFailed(f"genmove fails for {', '.join(COMMON_COLOURS)} on an empty board")
        return first, "black" if first != "black" else "white"

    def set_time(self, seconds: float) -> None:
        """Seconds for each move."""
        self.expect_ok(f"time_settings 0 {max(1, round(seconds))} 1")

    def genmove(self, colour: str, command: str = "genmove") -> str:
        """The engine's move, within its time."""
        patience_s = self._move_patience_s()
        move = self.expect_ok(f"{command} {colour}", patience_s)
        if len(move.split()) != 1:
            raise CheckFailed(f"{command} {colour} was answered by {move!r}, not by a move")
        return move

    def snapshot(self) -> str:
        """The position as the engine shows it."""
        shown = self.ask("showposition")
        return shown.text if shown.ok else self.expect_ok("showboard")

    def check_unchanged(self, before: str, after: str) -> None:
        """The position must be what it was."""
        if self.snapshot() != before:
            raise CheckFailed(f"{after} changed the position")

    def read_move(self, position: GtpPosition, text: str) -> str:
        """A move by our rules, a legal one as they write it: a dialect may write more."""
        assert self.candidate.game is not None
        if text.lower() == RESIGN:
            return RESIGN
        try:
            move = self.candidate.game.parse_move(text, position.setup)
        except IllegalMove as error:
            raise CheckFailed(f"the move {text!r}: {error}") from None
        with suppress(IllegalMove):
            position.play(move)
            move = position.moves[-1]
            position.undo()
        return move

    def _may_begin(self, colour: str) -> bool:
        answer = self.ask(f"genmove {colour}", self._move_patience_s())
        self.expect_ok("clear_board")
        return answer.ok

    def _move_patience_s(self) -> float:
        return max(self.candidate.move_time_s, self.patience.reply_s) + self.patience.tolerance_s
