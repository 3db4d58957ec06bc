"""A stand-in for a running protocol command, for tests of code that chooses moves for a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.stop import StopToken
from protocols.serving.command_clock import CommandClock


@dataclass
class FakeCommand:
    """Records in `ends_with_input` whether the end of input is to stop the command."""

    clock: CommandClock = field(default_factory=CommandClock)
    stop: StopToken = field(default_factory=StopToken)
    ends_with_input: bool = False

    def stop_at_input_end(self) -> None:
        self.ends_with_input = True
