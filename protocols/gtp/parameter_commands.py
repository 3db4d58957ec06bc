"""`param_*`: groups of parameters, each listed and set by one command, all derived from option records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.play.options import OptionSet
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.text import format_parameter
from protocols.text import CommandError


@dataclass(frozen=True)
class ParameterGroup:
    """`options` gives the present values, `set` changes one by name and text, raising what is wrong with it."""

    label: str
    options: Callable[[], OptionSet]
    set: Callable[[str, str], object]

    def row(self, name: str) -> str:
        """The row in the list of analyze commands."""
        return f"param/{self.label}/{name}"

    def run(self, arguments: tuple[str, ...]) -> str:
        """Without arguments a line for each parameter; with a key and a value, set it."""
        options = self.options()
        if not arguments:
            return "\n".join(format_parameter(options.get_option(name), options[name]) for name in options)
        name = options.get_option(arguments[0]).name
        if len(arguments) == 1 and not isinstance(options[name], str):
            raise CommandError(f"{name} wants a value: {options.get_option(name).expected}")
        self.set(name, " ".join(arguments[1:]))
        return ""


def parameter_commands(context: GtpContext) -> list[GtpCommand]:
    """The commands of the player's options, of the session's own and, where there are such, of the game's rules."""
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
