"""Holds the player of a UHP or GTP session, which a host can replace by name (`alphabeta:depth=6`) and configure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.options import Option, Value
from core.play.player import Player, PlayerKind, build_player
from protocols.text import parse_number


class SessionPlayer:
    """The player of a session, and the kinds of players that the host can choose from.

    `adopt(player)` is called before a new player replaces the old one. It raises an exception to refuse the player.
    """

    def __init__(self, player: Player, kinds: Sequence[PlayerKind], adopt: Callable[[Player], None]) -> None:
        self.player = player
        self.kinds = kinds
        self._adopt = adopt

    @property
    def name(self) -> str:
        """Return the name of the player; if it has none, that of the first kind."""
        return self.player.name or (self.kinds[0].name if self.kinds else "")

    def choose(self, text: str) -> None:
        """Replace the player by the one that `name` or `name:key=value,...` describes.

        Raise OptionError or BadSetup, and keep the old player, if that is impossible.
        """
        player = build_player(self.kinds, text)
        for option in self.player.options.options:
            self._carry_over(option.name, player)
        try:
            self._adopt(player)
        except Exception:
            player.close()
            raise
        self.player.close()
        self.player = player

    def _carry_over(self, name: str, player: Player) -> None:
        """Copy an option that was set for the old player to the new one, unless the new one has a value for it."""
        old = self.player.options
        if name not in player.options or old[name] == old.get_option(name).default:
            return
        option = player.options.get_option(name)
        if player.options[name] == option.default:
            player.set_option(option.name, clamp_value(option, old[name]))


def clamp_value(option: Option, value: Value) -> Value:
    """Clamp the value of an integer option to its limits; return other values unchanged."""
    is_integer = isinstance(option.default, int) and not isinstance(option.default, bool)
    number = parse_number(str(value)) if is_integer else None
    return value if number is None else option.clamp(number)
