"""The options of a UHP session: Player, Verbosity, Nodes and the options of the player such as `level`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player, PlayerKind
from protocols.serving.session_player import SessionPlayer
from protocols.uhp.text import format_option

PLAYER, VERBOSITY, NODES = "Player", "Verbosity", "Nodes"
SESSION_OPTIONS = (
    Option(
        VERBOSITY,
        0,
        "output of bestmove: 0: the move; 1: also a line per improved move; 2: also the number of nodes",
        minimum=0,
        maximum=2,
    ),
    Option(NODES, 0, "node limit of every search; 0: none", minimum=0, maximum=2**31 - 1),
)


def session_options() -> OptionSet:
    """Return the session options with their default values. The command line and `options set` set them."""
    return OptionSet(SESSION_OPTIONS)


class SessionOptions:
    """Lists and sets the options of the session and of its player.

    `kinds` are the players that the option Player can choose. `change_player` is called with a new player; it raises an
    exception to refuse the player. `initial` has the first values of the session options; None means the defaults.
    """

    def __init__(
        self,
        player: Player,
        kinds: Sequence[PlayerKind],
        change_player: Callable[[Player], None],
        initial: OptionSet | None = None,
    ) -> None:
        self._session_player = SessionPlayer(player, kinds, change_player)
        self._session_options = OptionSet((*self._player_option(), *SESSION_OPTIONS))
        self._session_options.update(initial or session_options())
        if kinds:
            self._session_options.set(PLAYER, self._session_player.name)

    @property
    def verbosity(self) -> int:
        """Return the amount of output of `bestmove`, 0 to 2; see SESSION_OPTIONS."""
        return self._session_options.get_int(VERBOSITY)

    @property
    def nodes(self) -> int | None:
        """Return the node limit of every search; None if there is none."""
        return self._session_options.get_int(NODES) or None

    def format_all(self) -> list[str]:
        """Return the lines that answer `options`, one per option."""
        names = [
            *self._session_options,
            *(name for name in self._session_player.player.options if name not in self._session_options),
        ]
        return [self.format_option(name) for name in names]

    def format_option(self, name: str) -> str:
        """Return the line that answers `options get NAME`; raise OptionError if there is no such option."""
        owner = self._owner(name)
        return format_option(owner.get_option(name), owner[name])

    def set(self, name: str, text: str) -> None:
        """Set an option; raise OptionError and change nothing if it does not exist or the value is not allowed."""
        owner = self._owner(name)
        option = owner.get_option(name)
        if owner is not self._session_options:
            self._session_player.player.set_option(option.name, text)
        elif option.name == PLAYER:
            self._session_player.choose(text)
            self._session_options.set(PLAYER, self._session_player.name)
        else:
            self._session_options.set(option.name, text)

    def _owner(self, name: str) -> OptionSet:
        """Return the option set with this option: the session's or else the player's.

        Raise OptionError, which lists all names, if neither has it.
        """
        options = self._session_player.player.options
        if name in self._session_options:
            return self._session_options
        if name in options:
            return options
        known = ", ".join([*self._session_options, *options])
        raise OptionError(f"unknown option {name!r}; known: {known}")

    def _player_option(self) -> tuple[Option, ...]:
        """Return the option Player; none if there are no players to choose from."""
        names = tuple(kind.name for kind in self._session_player.kinds)
        return (Option(PLAYER, names[0], "player that chooses the moves", choices=names),) if names else ()
