"""Base classes of players that hold a `Position` of their game and undo and play moves on it.

The modules `bots/<game>/board_player.py` derive from them and create the game's position.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from core.play.game import Position
from core.play.move_list import set_position
from core.play.options import Option, OptionSet, Value
from core.play.player import Player, Setup

SEED_BITS = 31  # so that a seed fits into the signed 32-bit integers of UHP
SEED = Option(
    "seed",
    0,
    "seed of the random choices; 0 draws a new seed for each game",
    minimum=0,
    maximum=(1 << SEED_BITS) - 1,
)


class RestartablePosition(Position, Protocol):
    """A position that can begin another game in place."""

    def restart(self, setup: Setup) -> None:
        """Begin another game; if the setup is invalid, raise BadSetup and change nothing."""


PositionT = TypeVar("PositionT", bound=RestartablePosition)  # the game's position


class BoardPlayerBase(Player, Generic[PositionT]):
    """A player that holds a position. Subclasses add `choose`."""

    def __init__(self, options: OptionSet, position: PositionT):
        self.options = options
        self.position = position

    def new_game(self, setup: Setup) -> None:
        """Begin a game; if it cannot be played, raise BadSetup and change nothing."""
        self.position.restart(setup)

    def set_position(self, moves: Sequence[str]) -> None:
        """Set the position after `moves` from the start; if one is illegal, raise IllegalMove and change nothing."""
        set_position(self.position, moves, self._play)

    def _play(self, move: str) -> None:
        """Play a move on the position; raise IllegalMove. Subclasses that keep more state override this method."""
        self.position.play(move)


class SeedMixin(BoardPlayerBase[PositionT]):
    """Base class of players with random choices: one random generator per game, seeded by the option `seed`.

    Two players with the same seed other than 0 make the same random choices in the same game.
    """

    _current_seed: int | None = None
    _generator: random.Random | None = None

    @property
    def _game_seed(self) -> int:
        """Seed of the current game: the option `seed`, or a seed from the system if the option is 0."""
        if self._current_seed is None:
            self._current_seed = self.options.get_int(SEED.name) or random.SystemRandom().getrandbits(SEED_BITS)
        return self._current_seed

    @property
    def _random(self) -> random.Random:
        """Random generator of the current game, created on first use."""
        if self._generator is None:
            self._generator = random.Random(self._game_seed)
        return self._generator

    def new_game(self, setup: Setup) -> None:
        """Begin a game and reset the random generator; raise BadSetup."""
        super().new_game(setup)
        self._current_seed = self._generator = None

    def set_option(self, name: str, value: Value) -> None:
        """Store an option; setting `seed` resets the random generator."""
        super().set_option(name, value)
        if name.lower() == SEED.name:
            self._current_seed = self._generator = None
