"""Commands for the GUIs GoGui and HexGui: the menus of analyze commands, and the rules of games unknown to GoGui.

The help texts below say what each command returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.game import GoguiRules

HEXGUI_TYPES = {"varc": "var", "hstring": "string"}  # GoGui's type of an analyze command -> the one of HexGui 0.10


def gogui_commands(context: GtpContext, commands: Sequence[GtpCommand]) -> list[GtpCommand]:
    """Return the GUI commands of a session. Their menus list the entries that `commands` has when a GUI asks for them.

    Commands that are appended to `commands` later are therefore listed, too.
    """

    def list_analyze(replaced_types: Mapping[str, str]) -> str:
        entries = (command.analyze_entry.split("/", 1) for command in commands if command.analyze_entry)
        return "\n".join(f"{replaced_types.get(kind, kind)}/{rest}" for kind, rest in entries)

    menu_commands = [
        GtpCommand(lambda _: "", "gogui-interrupt", "succeed, to announce that `# interrupt` is understood"),
        GtpCommand(lambda _: list_analyze({}), "gogui-analyze_commands", "menu of GoGui: type/label/command"),
        GtpCommand(lambda _: list_analyze(HEXGUI_TYPES), "hexgui-analyze_commands", "the same menu for HexGui"),
    ]
    return menu_commands + _rules_commands(context, context.game.gogui) if context.game.gogui else menu_commands


def _rules_commands(context: GtpContext, rules: GoguiRules) -> list[GtpCommand]:
    def command(name: str, run: Callable[[], str], help_text: str) -> GtpCommand:
        return GtpCommand(lambda _: run(), f"gogui-rules_{name}", help_text)

    return [
        command("game_id", lambda: context.game.title, "name of the game"),
        command("board_size", lambda: _board_size(context, rules), "size and geometry"),
        command("legal_moves", lambda: " ".join(context.legal_moves()), "legal moves; empty if the game is over"),
        command("side_to_move", lambda: context.game.colours[context.position.to_move], "colour of the side to move"),
        command("board", lambda: "\n".join(rules.rows(context.position)), "the board: X black, O white, . empty"),
        command("final_result", lambda: _final_result(context), "the winner or Draw; empty while the game goes on"),
    ]


def _board_size(context: GtpContext, rules: GoguiRules) -> str:
    """Return size and geometry, such as `6 rect`: one number for a square board, as GoGui 1.6 requires, else two."""
    setup = context.position.setup
    size = str(setup.width) if setup.width == setup.height else f"{setup.width} {setup.height}"
    return f"{size} {rules.geometry}"


def _final_result(context: GtpContext) -> str:
    outcome = context.position.outcome()
    if outcome is None:
        return ""
    return "Draw" if outcome.winner is None else f"{context.game.colours[outcome.winner].capitalize()} wins"
