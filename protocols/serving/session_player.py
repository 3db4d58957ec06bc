"""Which player a session uses: the choice by name while it runs, with options carried over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.options import Option, Value
from core.play.player import Player, PlayerKind, build_player
from protocols.text import parse_number


class SessionPlayer:
    """Holds the player of a session. `adopt` is told of a new one and may refuse it by raising."""

    def __init__(self, player: Player, kinds: Sequence[PlayerKind], adopt: Callable[[Player], None]) -> None:
        self.player = player
        self.kinds = kinds
        self._adopt = adopt

    @property
    def name(self) -> str:
        """What the present player is called."""
        return self.player.name or (self.kinds[0].name if self.kinds else "")

    def choose(self, text: str) -> None:
        """Replace the player by the one that `name` or `name:key=value,...` describes; raise OptionError, BadSetup."""
        player = build_player(self.kinds, text)
        for name in self.player.options:
            self._carry_over(name, player)
        try:
            self._adopt(player)
        except Exception:
            player.close()
            raise
        self.player.close()
        self.player = player

    def set_option(self, name: str, text: Value) -> None:
        """Set an option of the player. A number out of range becomes the nearest in it; raise OptionError."""
        option = self.player.options.get_option(name)
        self.player.set_option(option.name, clamp_value(option, text))

    def _carry_over(self, name: str, player: Player) -> None:
        """What was set for the old player holds for the new one, unless its own parameters say otherwise."""
        old = self.player.options
        if name not in player.options or old[name] == old.get_option(name).default:
            return
        option = player.options.get_option(name)
        if player.options[name] == option.default:
            player.set_option(option.name, clamp_value(option, old[name]))


def clamp_value(option: Option, value: Value) -> Value:
    """A whole number clamped to the option's limits, as viewers count on it; anything else is left to the option."""
    is_whole = isinstance(option.default, int) and not isinstance(option.default, bool)
    number = parse_number(str(value)) if is_whole else None
    return value if number is None else option.clamp(number)
