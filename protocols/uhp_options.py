"""The options that a UHP session lists: the player's own, which player it is, and how much is said while thinking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.options import Option, OptionError, OptionSet, Value
from core.player import Player, PlayerKind, build_player
from protocols.text import parse_number
from protocols.uhp_text import format_option

PLAYER, VERBOSITY = "Player", "Verbosity"


class SessionOptions:
    """Derives the listing from the player's OptionSet. `change_player` may refuse a new player by raising."""

    def __init__(self, player: Player, kinds: Sequence[PlayerKind], change_player: Callable[[Player], None]) -> None:
        self._player = player
        self._kinds = kinds
        self._change_player = change_player
        verbosity = Option(VERBOSITY, 0, "1 prints the better moves that bestmove finds, 2 also nodes", low=0, high=2)
        self._own = OptionSet((*self._player_option(), verbosity))
        if kinds:
            self._own.set(PLAYER, player.name or kinds[0].name)

    @property
    def verbosity(self) -> int:
        """How much bestmove prints ahead of its move: 1 interim choices, 2 also nodes, with all that it knows of it."""
        return self._own.integer(VERBOSITY)

    def lines(self) -> list[str]:
        """The line of every option."""
        names = [*self._own, *(name for name in self._player.options if name not in self._own)]
        return [self.line(name) for name in names]

    def line(self, name: str) -> str:
        """The line of one option; raise OptionError where there is none."""
        owner = self._owner(name)
        return format_option(owner.find(name), owner[name])

    def set(self, name: str, text: str) -> None:
        """Set an option. A number out of range becomes the nearest in it; raise OptionError for what does not fit."""
        owner = self._owner(name)
        option = owner.find(name)
        value = _fit(option, text)
        if option.name == PLAYER and owner is self._own:
            self._set_player(text)
        elif owner is self._own:
            self._own.set(option.name, value)
        else:
            self._player.set_option(option.name, value)

    def _owner(self, name: str) -> OptionSet:
        """The set that an option belongs to; an unknown name is answered by an error that lists both."""
        if name in self._own:
            return self._own
        if name in self._player.options:
            return self._player.options
        known = ", ".join([*self._own, *self._player.options])
        raise OptionError(f"unknown option {name!r}; known: {known}")

    def _player_option(self) -> tuple[Option, ...]:
        names = tuple(kind.name for kind in self._kinds)
        return (Option(PLAYER, names[0], "who chooses the moves", choices=names),) if names else ()

    def _set_player(self, text: str) -> None:
        """Replace the player by the one that `name` or `name:key=value,...` describes."""
        player = build_player(self._kinds, text)
        for name in self._player.options:
            self._carry_over(name, player)
        try:
            self._change_player(player)
        except Exception:
            player.close()
            raise
        self._player.close()
        self._player = player
        self._own.set(PLAYER, player.name)

    def _carry_over(self, name: str, player: Player) -> None:
        """What was set for the old player holds for the new one, unless its own parameters say otherwise."""
        old = self._player.options
        if name not in player.options or old[name] == old.find(name).default:
            return
        option = player.options.find(name)
        if player.options[name] == option.default:
            player.set_option(option.name, _fit(option, old[name]))


def _fit(option: Option, value: Value) -> Value:
    """The reference engine clamps whole numbers, so viewers may count on it; anything else is left to the option."""
    is_whole = isinstance(option.default, int) and not isinstance(option.default, bool)
    number = parse_number(str(value)) if is_whole else None
    return value if number is None else option.clamp(number)
