"""What every player with a board of its own does alike; a game's `board_player.py` adds its position."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from core.play.game import Position
from core.play.move_list import set_position
from core.play.options import Option, OptionSet, Value
from core.play.player import Player, Setup

SEED = Option("seed", 0, "of the random choices, 0 for a new one each game", minimum=0)
SEED_BITS = 31


class RestartablePosition(Position, Protocol):
    """A position that can begin anew in place."""

    def restart(self, setup: Setup) -> None:
        """Begin another game; raise BadSetup and change nothing."""


P = TypeVar("P", bound=RestartablePosition)


class BoardPlayerBase(Player, Generic[P]):
    """A player over one position. It adds how it chooses."""

    def __init__(self, options: OptionSet, position: P):
        self.options = options
        self.position = position

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where it cannot be played."""
        self.position.restart(setup)

    def set_position(self, moves: Sequence[str]) -> None:
        """Make the position that after `moves`; on IllegalMove the old one stands again."""
        set_position(self.position, moves, self._play)

    def _play(self, move: str) -> None:
        """Play a move; raise IllegalMove."""
        self.position.play(move)


class SeedMixin(BoardPlayerBase[P]):
    """Beside a game's own player: random choices. Two of the same seed choose alike in games that are alike."""

    _drawn: int | None = None
    _stream: random.Random | None = None

    @property
    def _game_seed(self) -> int:
        """The seed of this game: the option's or, where that is 0, one that the system draws."""
        if self._drawn is None:
            self._drawn = self.options.get_int(SEED.name) or random.SystemRandom().getrandbits(SEED_BITS)
        return self._drawn

    @property
    def _random(self) -> random.Random:
        """The stream of this game's choices, begun by the first."""
        if self._stream is None:
            self._stream = random.Random(self._game_seed)
        return self._stream

    def new_game(self, setup: Setup) -> None:
        """Begin a game, and the random choices anew; raise BadSetup."""
        super().new_game(setup)
        self._drawn = self._stream = None

    def set_option(self, name: str, value: Value) -> None:
        """Store an option; another seed begins the random choices anew."""
        super().set_option(name, value)
        if name.lower() == SEED.name:
            self._drawn = self._stream = None
