"""A conversation with a GTP engine under test. Answers are read as strictly as the controller HexGui reads them.

An answer begins with `=` or `?` and ends with an empty line; nothing may come between two answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, fatal_failures
from arena.check.conversation import SILENCE_S, Conversation, start_program
from core.play.player import RESIGN, IllegalMove
from protocols.driving.line_buffers import MAX_REPLY_BYTES, LastLines
from protocols.driving.process import EngineProcess, EngineTimeout
from protocols.gtp.game import GtpGame, GtpPosition
from protocols.gtp.text import Response, parse_line, parse_response
from protocols.text import quote_line

COLOURS_TO_TRY = ("black", "white", "red")  # names of the first player, if the game is not known


@dataclass(frozen=True)
class GtpTimeouts:
    """How long the check waits for an engine, in seconds."""

    start_s: float = 60.0  # for the first answer: some engines load pattern files and networks before it
    reply_s: float = 10.0  # for answers that need no search
    tolerance_s: float = 0.5  # beyond the time for a move
    end_s: float = 1.0  # from quit, or the end of input, to the exit
    silence_s: float = SILENCE_S  # without output after a line that has no answer


DEFAULT_TIMEOUTS = GtpTimeouts()


@dataclass(frozen=True)
class GtpCandidate:
    """The engine under test: the command that starts it, its time for a move, and what the check needs to know."""

    command: Sequence[str]
    move_time_s: float
    game: GtpGame | None  # None: the rules are not known, so moves are not checked
    timeouts: GtpTimeouts
    startup_commands: Sequence[str] = ()  # GTP commands sent after each start

    @contextmanager
    def engine(self) -> Iterator[GtpConversation]:
        """Start the engine for the time of a `with` block, which begins after the startup commands."""
        with start_program(self.command, "quit", self.timeouts.end_s, keeps_blanks=True) as process:
            engine = GtpConversation(process, self)
            with fatal_failures():
                engine.ask("protocol_version", within_s=self.timeouts.start_s)
                for command in self.startup_commands:
                    engine.expect_ok(command)
            yield engine


class GtpConversation(Conversation):
    """A conversation with one process.

    The methods raise CheckFailed if the engine does not do what is expected, EngineTerminated if it exits.
    """

    def __init__(self, process: EngineProcess, candidate: GtpCandidate) -> None:
        super().__init__(process, candidate.timeouts.silence_s)
        self.candidate = candidate
        self.timeouts = candidate.timeouts
        self.last_elapsed_s = 0.0  # from sending the last line to the end of its answer

    def ask(self, line: str, within_s: float | None = None) -> Response:
        """Send a line and return its answer."""
        sent_ns = self.process.write(line)
        return self.read_answer(line, sent_ns, self.timeouts.reply_s if within_s is None else within_s)

    def read_answer(self, line: str, sent_ns: int, within_s: float) -> Response:
        """Return the next answer, which must have the id of `line`; `line` was sent at `sent_ns`."""
        shown = line.strip() or repr(line)
        lines = LastLines(MAX_REPLY_BYTES)
        deadline_ns = sent_ns + int(within_s * 1e9)
        try:
            end = self.process.wait_line(lambda text: not text, deadline_ns, lambda other: lines.add(other.text))
        except EngineTimeout:
            received = f"{quote_line(lines[-1])} without an empty line after it" if lines else "nothing"
            raise CheckFailed(f"{shown} was answered by {received} within {within_s:g} s") from None
        if lines.left_out:
            raise CheckFailed(f"{shown} was answered by too much output: {len(lines) + lines.left_out} lines")
        answer = parse_response(lines)
        if answer is None:
            received = repr(lines[0]) if lines else "an empty line"
            raise CheckFailed(f"{shown} was answered by {received}: an answer must begin with = or ?")
        request = parse_line(line)
        request_id = request.id if request else ""
        if answer.id != request_id:
            id_text = f"id {request_id}" if request_id else "no id"
            raise CheckFailed(f"{shown} was answered by {lines[0]!r}: the answer must have {id_text}")
        self.last_elapsed_s = (end.at_ns - sent_ns) / 1e9
        return answer

    def expect_ok(self, line: str, within_s: float | None = None) -> str:
        """Send a line whose answer must be a success; return the text of the answer."""
        answer = self.ask(line, within_s)
        if not answer.ok:
            raise CheckFailed(f"{line.strip()} failed: {answer.text!r}")
        return answer.text

    def expect_failure(self, line: str) -> str:
        """Send a line whose answer must be a failure; return the text of the answer."""
        answer = self.ask(line)
        if answer.ok:
            raise CheckFailed(f"{line.strip()} succeeded with {answer.text!r}; it must fail")
        return answer.text

    def expect_exit(self, within_s: float, cause: str) -> str:
        """Expect an exit with status 0."""
        elapsed = super().expect_exit(within_s, cause)
        status = self.process.end(0)
        if status:
            raise CheckFailed(f"exited with status {status} after {cause}")
        return elapsed

    def commands(self) -> list[str]:
        """Return the answer to `list_commands`, empty if the engine does not know this command."""
        answer = self.ask("list_commands")
        return answer.text.split() if answer.ok else []

    def begin(self) -> tuple[str, str]:
        """Start a new game, set the time for a move if the engine can, and return the colours in the order of play."""
        self.expect_ok("clear_board")
        if "time_settings" in self.commands():
            self.set_time(self.candidate.move_time_s)
        if self.candidate.game:
            return self.candidate.game.colours
        first = next((colour for colour in COLOURS_TO_TRY if self._can_begin(colour)), None)
        if first is None:
            raise CheckFailed(f"genmove fails for {', '.join(COLOURS_TO_TRY)} on an empty board")
        return first, "black" if first != "black" else "white"

    def set_time(self, seconds: float) -> None:
        """Set the time for each move, rounded to whole seconds, 1 s at least."""
        self.expect_ok(f"time_settings 0 {max(1, round(seconds))} 1")

    def genmove(self, colour: str, command: str = "genmove") -> str:
        """Return the engine's move for a colour; raise CheckFailed if none comes before the timeout."""
        move = self.expect_ok(f"{command} {colour}", self._move_timeout_s())
        if len(move.split()) != 1:
            raise CheckFailed(f"{command} {colour} was answered by {move!r}, not by a move")
        return move

    def snapshot(self) -> str:
        """Return the position as the engine shows it: the answer to showposition or, failing that, to showboard."""
        answer = self.ask("showposition")
        return answer.text if answer.ok else self.expect_ok("showboard")

    def check_unchanged(self, snapshot_before: str, cause: str) -> None:
        """Compare the position with an earlier snapshot; `cause` names what was sent since, for the message."""
        if self.snapshot() != snapshot_before:
            raise CheckFailed(f"{cause} changed the position")

    def parse_move(self, position: GtpPosition, text: str) -> str:
        """Return a move of the engine in the notation of our rules, which may be shorter. It need not be legal."""
        assert self.candidate.game is not None
        if text.lower() == RESIGN:
            return RESIGN
        try:
            move = self.candidate.game.parse_move(text, position.setup)
        except IllegalMove as error:
            raise CheckFailed(f"the move {text!r}: {error}") from None
        with suppress(IllegalMove):  # a legal move is played to get the spelling of the rules
            position.play(move)
            move = position.moves[-1]
            position.undo()
        return move

    def _can_begin(self, colour: str) -> bool:
        answer = self.ask(f"genmove {colour}", self._move_timeout_s())
        self.expect_ok("clear_board")
        return answer.ok

    def _move_timeout_s(self) -> float:
        return max(self.candidate.move_time_s, self.timeouts.reply_s) + self.timeouts.tolerance_s
