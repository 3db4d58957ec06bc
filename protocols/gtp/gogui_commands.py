"""Commands for the user interfaces GoGui and HexGui: their menus of analyze commands, and GoGui's rules commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.game import GoguiRules

HEXGUI_TYPES = {"varc": "var", "hstring": "string"}  # HexGui 0.10 knows these types instead of GoGui's


def gogui_commands(context: GtpContext, table: Sequence[GtpCommand]) -> list[GtpCommand]:
    """Return the commands for a session. The menus are made from `table` when a controller asks for them."""

    def list_analyze(types: Mapping[str, str]) -> str:
        rows = (command.analyze_entry.split("/", 1) for command in table if command.analyze_entry)
        return "\n".join(f"{types.get(kind, kind)}/{rest}" for kind, rest in rows)

    text = "commands for the menus of GoGui and HexGui: type/label/command"
    commands = [
        GtpCommand(lambda _: "", "gogui-interrupt", "tells that `# interrupt` is understood"),
        GtpCommand(lambda _: list_analyze({}), "gogui-analyze_commands", text),
        GtpCommand(lambda _: list_analyze(HEXGUI_TYPES), "hexgui-analyze_commands", text),
    ]
    return commands + _rules_commands(context, context.game.gogui) if context.game.gogui else commands


def _rules_commands(context: GtpContext, rules: GoguiRules) -> list[GtpCommand]:
    def answer(name: str, run: Callable[[], str], text: str) -> GtpCommand:
        return GtpCommand(lambda _: run(), f"gogui-rules_{name}", text)

    return [
        answer("game_id", lambda: context.game.title, "name of the game"),
        answer("board_size", lambda: _board_size(context, rules), "size and geometry"),
        answer("legal_moves", lambda: " ".join(context.legal_moves()), "legal moves, none where the game is over"),
        answer("side_to_move", lambda: context.game.colours[context.position.to_move], "whose turn it is"),
        answer("board", lambda: "\n".join(rules.rows(context.position)), "the board: X black, O white, . empty"),
        answer("final_result", lambda: _final_result(context), "who has won"),
    ]


def _board_size(context: GtpContext, rules: GoguiRules) -> str:
    """Return one number for a square board, as GoGui 1.6 wants it, else width and height (later versions)."""
    setup = context.position.setup
    size = str(setup.width) if setup.width == setup.height else f"{setup.width} {setup.height}"
    return f"{size} {rules.geometry}"


def _final_result(context: GtpContext) -> str:
    outcome = context.position.outcome()
    if outcome is None:
        return ""
    return "Draw" if outcome.winner is None else f"{context.game.colours[outcome.winner].capitalize()} wins"
