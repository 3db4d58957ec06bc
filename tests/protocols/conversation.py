"""A conversation with a session whose searches run on a thread, so that a test can send lines during a search."""

from __future__ import annotations

from collections.abc import Callable

from protocols.serving.serve import Session

TIMEOUT_S = 60


class Conversation:
    """A session and its answers so far. `make_session` gets the function that writes an answer."""

    def __init__(self, make_session: Callable[[Callable[[str], None]], Session]) -> None:
        self.answers: list[str] = []
        self.session = make_session(self.answers.append)

    def say(self, *lines: str) -> None:
        """Send lines to the session, which handles them in order."""
        for line in lines:
            self.session.handle(line)

    def wait_and_get_answers(self) -> list[str]:
        """Wait until all lines are answered, and return all answers so far."""
        assert self.session.wait_idle(TIMEOUT_S)
        return self.answers
