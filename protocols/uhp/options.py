"""Options of a UHP session: Player, Verbosity and Nodes, and the options of the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player, PlayerKind
from protocols.serving.session_player import SessionPlayer
from protocols.uhp.text import format_option

PLAYER, VERBOSITY, NODES = "Player", "Verbosity", "Nodes"
SESSION = (
    Option(
        VERBOSITY,
        0,
        "bestmove prints: 0 its move alone, 1 also interim moves, 2 also nodes and depth;score;pv",
        minimum=0,
        maximum=2,
    ),
    Option(NODES, 0, "node limit of every search, 0 for none", minimum=0, maximum=2**31 - 1),
)


def session_options() -> OptionSet:
    """Return the options of a session at their defaults; the bot's command line may set them."""
    return OptionSet(SESSION)


class SessionOptions:
    """Lists and sets the session's options and the player's. `change_player` raises to reject a new player."""

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
        """What bestmove prints: 0 the move, 1 also interim lines, 2 also the nodes, with depth, score and PV."""
        return self._own.get_int(VERBOSITY)

    @property
    def nodes(self) -> int | None:
        """Node limit of every search; None if there is none."""
        return self._own.get_int(NODES) or None

    def lines(self) -> list[str]:
        """Return one formatted line per option."""
        names = [*self._own, *(name for name in self._chosen.player.options if name not in self._own)]
        return [self.line(name) for name in names]

    def line(self, name: str) -> str:
        """Return the formatted line of one option; raise OptionError if there is no such option."""
        owner = self._owner(name)
        return format_option(owner.get_option(name), owner[name])

    def set(self, name: str, text: str) -> None:
        """Set an option; raise OptionError, and change nothing, if the value is not allowed."""
        owner = self._owner(name)
        option = owner.get_option(name)
        if owner is not self._own:
            self._chosen.player.set_option(option.name, text)
        elif option.name == PLAYER:
            self._chosen.choose(text)
            self._own.set(PLAYER, self._chosen.name)
        else:
            self._own.set(option.name, text)

    def _owner(self, name: str) -> OptionSet:
        """Return the option set that has this option, the session's first; raise OptionError listing all names."""
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
