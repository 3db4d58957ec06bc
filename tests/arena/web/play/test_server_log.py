"""The log of the play page's server: short lines, and a full or closed pipe never stops the server."""

from __future__ import annotations

import logging
import os

from arena.web.play.server_log import LINE_LENGTH, MAX_WAITING, LineLog, logging_lines

PIPE_BYTES = 1 << 20  # more than the buffer of a pipe holds on any system


def read_lines(descriptor: int, count: int) -> list[bytes]:
    """Read from a pipe until `count` lines have come; return all that came, and after them what is incomplete."""
    content = b""
    while content.count(b"\n") < count:
        content += os.read(descriptor, 1 << 16)
    return content.split(b"\n")


def make_record(text: str, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("uvicorn.error", logging.ERROR, "", 1, text, (), info)


def test_pipe_that_nobody_reads_does_not_block() -> None:
    """Regression: after 60 tracebacks the pipe used to be full, and the next one blocked the server for ever."""
    read_end, write_end = os.pipe()
    log = LineLog(write_end)
    for _ in range(PIPE_BYTES // LINE_LENGTH + 2 * MAX_WAITING):
        log.emit(make_record("x" * LINE_LENGTH))
    line, *_ = read_lines(read_end, 2)
    assert line == b"pentad: " + b"x" * LINE_LENGTH


def test_problem_is_one_short_line() -> None:
    read_end, write_end = os.pipe()
    log = LineLog(write_end)
    log.emit(make_record("Exception in ASGI\napplication\x1b[31m\n", ValueError("no\nsuch " + "y" * 9999)))
    log.emit(make_record("second"))
    first, second, _ = read_lines(read_end, 2)
    assert first.startswith(b"pentad: Exception in ASGI application?[31m ValueError: no such yyy")
    assert len(first) <= LINE_LENGTH + len("pentad: ")
    assert second == b"pentad: second"
    log.close()


def test_closed_pipe_is_ignored() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    log = LineLog(write_end)
    for _ in range(3 * MAX_WAITING):
        log.emit(make_record("x"))
    log.close()


def test_other_loggers_use_the_handler() -> None:
    """Asyncio logs with its own logger, which would otherwise write to standard error and could block."""
    previous_handlers = list(logging.getLogger().handlers)
    with logging_lines():
        [added] = [handler for handler in logging.getLogger().handlers if handler not in previous_handlers]
        assert isinstance(added, LineLog)
        assert logging.getLogger("asyncio").propagate
    assert logging.getLogger().handlers == previous_handlers
