"""The options that a UHP session lists: the player's own, which player it is, and how much is said while thinking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player, PlayerKind
from protocols.serving.session_player import SessionPlayer, clamp_value
from protocols.uhp.text import format_option

PLAYER, VERBOSITY, NODES = "Player", "Verbosity", "Nodes"
SESSION = (
    Option(VERBOSITY, 0, "1 prints the better moves that bestmove finds, 2 also nodes", minimum=0, maximum=2),
    Option(NODES, 0, "nodes of every search, 0 for as many as its limits allow", minimum=0, maximum=2**31 - 1),
)


def session_options() -> OptionSet:
    """The options of a session with their defaults, which the command line may set, too."""
    return OptionSet(SESSION)


class SessionOptions:
    """Derives the listing from the player's OptionSet. `change_player` may refuse a new player by raising."""

    def __init__(
        self,
        player: Player,
        kinds: Sequence[PlayerKind],
        change_player: Callable[[Player], None],
        session: OptionSet | None = None,
    ) -> None:
        self._chosen = SessionPlayer(player, kinds, change_player)
        self._own = OptionSet((*self._player_option(), *SESSION))
        self._own.update(session or session_options())
        if kinds:
            self._own.set(PLAYER, self._chosen.name)

    @property
    def verbosity(self) -> int:
        """How much bestmove prints ahead of its move: 1 interim choices, 2 also nodes, with all that it knows of it."""
        return self._own.get_int(VERBOSITY)

    @property
    def nodes(self) -> int | None:
        """The nodes of every search, None without that limit."""
        return self._own.get_int(NODES) or None

    def lines(self) -> list[str]:
        """The line of every option."""
        names = [*self._own, *(name for name in self._chosen.player.options if name not in self._own)]
        return [self.line(name) for name in names]

    def line(self, name: str) -> str:
        """The line of one option; raise OptionError where there is none."""
        owner = self._owner(name)
        return format_option(owner.get_option(name), owner[name])

    def set(self, name: str, text: str) -> None:
        """Set an option. A number out of range becomes the nearest in it; raise OptionError for what does not fit."""
        owner = self._owner(name)
        option = owner.get_option(name)
        if owner is not self._own:
            self._chosen.set_option(option.name, text)
        elif option.name == PLAYER:
            self._chosen.choose(text)
            self._own.set(PLAYER, self._chosen.name)
        else:
            self._own.set(option.name, clamp_value(option, text))

    def _owner(self, name: str) -> OptionSet:
        """The set that an option belongs to; an unknown name is answered by an error that lists both."""
        options = self._chosen.player.options
        if name in self._own:
            return self._own
        if name in options:
            return options
        known = ", ".join([*self._own, *options])
        raise OptionError(f"unknown option {name!r}; known: {known}")

    def _player_option(self) -> tuple[Option, ...]:
        names = tuple(kind.name for kind in self._chosen.kinds)
        return (Option(PLAYER, names[0], "who chooses the moves", choices=names),) if names else ()
