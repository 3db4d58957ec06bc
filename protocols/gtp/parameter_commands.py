"""The GTP commands `param_*`. Each lists and sets the options of one group, as in `param_gtp move_time 5`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.play.options import OptionSet
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.text import format_parameter
from protocols.text import CommandError


@dataclass(frozen=True)
class ParameterGroup:
    """A group of parameters, which one command lists and sets."""

    label: str  # for the menu of analyze commands
    options: Callable[[], OptionSet]  # returns the options with their current values
    set: Callable[[str, str], object]  # sets the option `name` to `text`; raises OptionError

    def analyze_entry(self, command: str) -> str:
        """Return the entry of the group's command in the menu of analyze commands."""
        return f"param/{self.label}/{command}"

    def run(self, arguments: tuple[str, ...]) -> str:
        """Return the parameters, one per line; or, if the arguments are a key and a value, set that parameter.

        A key alone sets a text parameter to the empty text, and raises CommandError for others.
        """
        options = self.options()
        if not arguments:
            return "\n".join(format_parameter(options.get_option(name), options[name]) for name in options)
        name = options.get_option(arguments[0]).name
        if len(arguments) == 1 and not isinstance(options[name], str):
            raise CommandError(f"{name} must get a value: {options.get_option(name).expected}")
        self.set(name, " ".join(arguments[1:]))
        return ""


def parameter_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the commands that list and set the options of the player, of the session and of the rules, if any."""
    groups = {
        "param_player": ParameterGroup(
            "Player parameters",
            lambda: context.session_player.player.options,
            lambda name, value: context.session_player.player.set_option(name, value),  # noqa: PLW0108 - looks up the current player
        ),
        "param_gtp": ParameterGroup("Session parameters", lambda: context.options, context.options.set),
    }
    if context.game.options:
        groups["param_game"] = ParameterGroup("Game parameters", lambda: context.game_options, context.set_game_option)
    return [
        GtpCommand(
            group.run,
            f"{command} [KEY VALUE]",
            f"list or set {group.label.lower()}",
            analyze_entry=group.analyze_entry(command),
            takes_text=True,
        )
        for command, group in groups.items()
    ]
