"""The commands `param_*`: each lists and sets one group of options, for example `param_gtp move_time 5`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.play.options import OptionSet
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.text import format_parameter
from protocols.text import CommandError


@dataclass(frozen=True)
class ParameterGroup:
    """A group of parameters. `options` returns the current values, `set(name, text)` changes one or raises."""

    label: str
    options: Callable[[], OptionSet]
    set: Callable[[str, str], object]

    def row(self, name: str) -> str:
        """Return the entry in the menu of analyze commands."""
        return f"param/{self.label}/{name}"

    def run(self, arguments: tuple[str, ...]) -> str:
        """Without arguments list the parameters, one per line; with a key and a value, set one."""
        options = self.options()
        if not arguments:
            return "\n".join(format_parameter(options.get_option(name), options[name]) for name in options)
        name = options.get_option(arguments[0]).name
        if len(arguments) == 1 and not isinstance(options[name], str):
            raise CommandError(f"{name} must get a value: {options.get_option(name).expected}")
        self.set(name, " ".join(arguments[1:]))
        return ""


def parameter_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the commands for the options of the player, of the session and, if there are any, of the rules."""
    groups = {
        "param_player": ParameterGroup(
            "Player parameters",
            lambda: context.chosen.player.options,
            lambda name, value: context.chosen.player.set_option(name, value),  # noqa: PLW0108 - players are replaced
        ),
        "param_gtp": ParameterGroup("Session parameters", lambda: context.options, context.options.set),
    }
    if context.game.options:
        groups["param_game"] = ParameterGroup("Game parameters", lambda: context.game_options, context.set_game_option)
    return [
        GtpCommand(
            group.run,
            f"{name} [KEY VALUE]",
            f"list or set {group.label.lower()}",
            analyze_entry=group.row(name),
            takes_text=True,
        )
        for name, group in groups.items()
    ]
