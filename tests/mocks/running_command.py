"""A running command without a session, for tests of the code that chooses moves for one."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.stop import StopToken
from protocols.serving.command_clock import CommandClock


@dataclass
class FakeCommand:
    """Remembers that the end of input shall stop it."""

    clock: CommandClock = field(default_factory=CommandClock)
    stop: StopToken = field(default_factory=StopToken)
    ends_with_input: bool = False

    def stop_at_input_end(self) -> None:
        self.ends_with_input = True
