"""Hex's own GTP commands, for HexGui's buttons and menus.

The names `dfpn-...` and `vc-build` are those of MoHex. An `analyze_entry` is an entry in the menus of HexGui and GoGui:
type of display, label, and command, in which `%m` stands for the colour to move and `%c` for a chosen colour.
"""

from __future__ import annotations

import time
from functools import partial

from bots.hex.notation import COLOURS
from bots.hex.position import HexPosition, format_cell
from bots.hex.solver.static_analysis import list_edge_connections, list_inferior_cells
from core.play.player import Limits
from protocols.gtp.context import MOVE_TIME, GtpCommand, GtpContext
from protocols.text import CommandError

NOT_SOLVED = "not solved within the limits for a move; see param_gtp move_time"


def make_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the commands for the command table."""

    def show_inferior(arguments: tuple[str, ...]) -> str:
        position, side = _position(context), _parse_side(context, arguments)
        pairs = [] if position.outcome() else list_inferior_cells(position, side)
        return " ".join(f"{context.format_move(cell)} {code}" for cell, code in pairs)

    def show_connections(arguments: tuple[str, ...]) -> str:
        return "\n".join(
            list_edge_connections(_position(context), _parse_side(context, arguments), context.format_move)
        )

    return [
        GtpCommand(
            partial(_solve_state, context),
            "dfpn-solve-state [COLOUR]",
            "solve the position with COLOUR to move: black or white wins",
            slow=True,
        ),
        GtpCommand(
            partial(_find_winning, context),
            "dfpn-solver-find-winning [COLOUR]",
            "list all winning moves of COLOUR, each of them proven",
            slow=True,
            analyze_entry="plist/Winning moves/dfpn-solver-find-winning %m",
        ),
        GtpCommand(
            show_inferior,
            "vc-build [COLOUR]",
            "list filled-in cells and moves not worth trying for COLOUR, with HexGui's codes",
            analyze_entry="inferior/Inferior cells/vc-build %m",
        ),
        GtpCommand(
            show_connections,
            "hex-connections [COLOUR]",
            "list virtual connections between COLOUR's edges: a full one, else the semi ones",
            analyze_entry="vc/Virtual connections/hex-connections %c",
        ),
        GtpCommand(
            partial(_list_costs, context),
            "hex-costs",
            "list empty cells with their cost by two-distance potentials, cheapest first",
            analyze_entry="pspairs/Costs by potentials/hex-costs",
        ),
    ]


def _solve_state(context: GtpContext, arguments: tuple[str, ...]) -> str:
    """Return the name of the colour that wins; raise CommandError if a limit ends the proof."""
    side = _parse_side(context, arguments)
    solution = context.solve(side, context.limits(side))
    if solution.result == "unknown":
        raise CommandError(NOT_SOLVED)
    return COLOURS[side if solution.result == "win" else 1 - side]


def _find_winning(context: GtpContext, arguments: tuple[str, ...]) -> str:
    """List all winning moves. Raise CommandError if one move is not solved in time, since a list that may be
    incomplete would mislead.
    """
    side, winning = _parse_side(context, arguments), []
    deadline_s = time.perf_counter() + context.options.get_float(MOVE_TIME.name)
    for move in context.legal_moves(side):
        left_ms = max(int(1000 * (deadline_s - time.perf_counter())), 0)
        solution = context.solve_move(side, move, Limits(move_time_ms=left_ms))
        if solution.result == "unknown":
            raise CommandError(NOT_SOLVED)
        if solution.result == "loss":
            winning.append(move)
    return " ".join(winning)


def _list_costs(context: GtpContext, _arguments: tuple[str, ...]) -> str:
    position = _position(context)
    position.library.paper_costs(position.state)  # fills `root_moves`, `root_costs` and `root_count`
    count = 0 if position.outcome() else position.state.root_count
    moves = [context.format_move(format_cell(cell)) for cell in position.state.root_moves[:count]]
    return " ".join(f"{move} {position.state.root_costs[i]}" for i, move in enumerate(moves))


def _position(context: GtpContext) -> HexPosition:
    assert isinstance(context.position, HexPosition)
    return context.position


def _parse_side(context: GtpContext, arguments: tuple[str, ...]) -> int:
    return context.game.parse_colour(arguments[0]) if arguments else context.position.to_move
