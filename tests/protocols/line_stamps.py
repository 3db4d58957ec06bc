"""Records the lines between a client and its engine with their times, to check the times that the client measures."""

from __future__ import annotations

from protocols.driving.process import RECEIVED, SENT
from tests.waiting import wait_until


class LineStamps:
    """A callback for `EngineClient.on_line` that keeps all lines. Set it before the engine starts."""

    def __init__(self) -> None:
        self._lines: list[tuple[str, str, int]] = []

    def __call__(self, direction: str, text: str, at_ns: int) -> None:
        self._lines.append((direction, text, at_ns))

    def elapsed_ms(self, command: str, answer: str) -> float:
        """Return the time from the last sent line that contains `command` to the first line `answer` after it.

        An id before the answer, as in GTP's `=3 a1`, is ignored.
        """
        wait_until(lambda: self._answer_times_ns(command, answer))  # the client gets a line before this callback does
        sent_ns = self._sent_lines(command)[-1][1]
        return (self._answer_times_ns(command, answer)[0] - sent_ns) / 1e6

    def _sent_lines(self, command: str) -> list[tuple[int, int]]:
        """Return index and time of each sent line that contains the command."""
        lines = enumerate(self._lines)
        return [(index, at_ns) for index, (direction, text, at_ns) in lines if direction == SENT and command in text]

    def _answer_times_ns(self, command: str, answer: str) -> list[int]:
        later_lines = self._lines[self._sent_lines(command)[-1][0] :]
        received = [(text, at_ns) for direction, text, at_ns in later_lines if direction == RECEIVED]
        return [at_ns for text, at_ns in received if text.split(" ", 1)[-1] == answer]
