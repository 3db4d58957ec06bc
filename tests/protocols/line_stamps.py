"""The lines between a client and its engine with their times, to compare the client's own figures with."""

from __future__ import annotations

from protocols.driving.process import RECEIVED, SENT
from tests.waiting import wait_until


class LineStamps:
    """An `on_line` of a client that keeps all lines. Install it before the engine starts."""

    def __init__(self) -> None:
        self._lines: list[tuple[str, str, int]] = []

    def __call__(self, direction: str, text: str, at_ns: int) -> None:
        self._lines.append((direction, text, at_ns))

    def elapsed_ms(self, command: str, answer: str) -> float:
        """Return the time from the last line sent that holds the command to the first answer after it."""
        wait_until(lambda: self._answer_times_ns(command, answer))  # the reader notes a line after handing it over
        sent_ns = self._sent_lines(command)[-1][1]
        return (self._answer_times_ns(command, answer)[0] - sent_ns) / 1e6

    def _sent_lines(self, command: str) -> list[tuple[int, int]]:
        lines = enumerate(self._lines)
        return [(index, at_ns) for index, (mark, text, at_ns) in lines if mark == SENT and command in text]

    def _answer_times_ns(self, command: str, answer: str) -> list[int]:
        after = self._lines[self._sent_lines(command)[-1][0] :]
        return [at_ns for mark, text, at_ns in after if mark == RECEIVED and text.split(" ", 1)[-1] == answer]
