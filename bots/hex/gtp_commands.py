"""Hex's own GTP commands: those of HexGui's buttons, named as MoHex names them, and what its menu shows beside them."""

from __future__ import annotations

import time
from functools import partial

from bots.hex.notation import COLOURS
from bots.hex.position import HexPosition, format_cell
from bots.hex.solver.survey import list_edge_connections, list_inferior_cells
from core.play.player import Limits
from protocols.gtp.host import MOVE_TIME, GtpCommand, GtpHost
from protocols.text import CommandError

NOT_SOLVED = "not solved within the limits of a move, such as param_gtp move_time"


def make_commands(host: GtpHost) -> list[GtpCommand]:
    """Rows of the command table."""

    def show_inferior(arguments: tuple[str, ...]) -> str:
        position, side = _position(host), _parse_side(host, arguments)
        pairs = [] if position.outcome() else list_inferior_cells(position, side)
        return " ".join(f"{host.format_move(cell)} {code}" for cell, code in pairs)

    def show_connections(arguments: tuple[str, ...]) -> str:
        return "\n".join(list_edge_connections(_position(host), _parse_side(host, arguments), host.format_move))

    return [
        GtpCommand(
            partial(_solve_state, host),
            "dfpn-solve-state [COLOUR]",
            "who wins where a side is to move, black or white",
            slow=True,
        ),
        GtpCommand(
            partial(_find_winning, host),
            "dfpn-solver-find-winning [COLOUR]",
            "all winning moves of a side, each of them proven",
            slow=True,
            analyze="plist/Winning moves/dfpn-solver-find-winning %m",
        ),
        GtpCommand(
            show_inferior,
            "vc-build [COLOUR]",
            "cells that are filled in or not worth a side's move, each with HexGui's code",
            analyze="inferior/Inferior cells/vc-build %m",
        ),
        GtpCommand(
            show_connections,
            "hex-connections [COLOUR]",
            "virtual connections between a side's edges: a full one, else the semi ones",
            analyze="vc/Virtual connections/hex-connections %c",
        ),
        GtpCommand(
            partial(_list_costs, host),
            "hex-costs",
            "cells with their cost by two-distance potentials, the best first",
            analyze="pspairs/Costs by potentials/hex-costs",
        ),
    ]


def _solve_state(host: GtpHost, arguments: tuple[str, ...]) -> str:
    side = _parse_side(host, arguments)
    solution = host.solve(side, host.limits(side))
    if solution.result == "unknown":
        raise CommandError(NOT_SOLVED)
    return COLOURS[side if solution.result == "win" else 1 - side]


def _find_winning(host: GtpHost, arguments: tuple[str, ...]) -> str:
    """All of them or a failure: MoHex leaves some out, so that a list that may be short is of no use."""
    side, winning = _parse_side(host, arguments), []
    deadline = time.perf_counter() + host.options.number(MOVE_TIME.name)
    for move in host.legal_moves(side):
        left_ms = max(int(1000 * (deadline - time.perf_counter())), 0)
        solution = host.solve_after(side, move, Limits(move_time_ms=left_ms))
        if solution.result == "unknown":
            raise CommandError(NOT_SOLVED)
        if solution.result == "loss":
            winning.append(move)
    return " ".join(winning)


def _list_costs(host: GtpHost, _: tuple[str, ...]) -> str:
    position = _position(host)
    position.library.paper_costs(position.state)
    count = 0 if position.outcome() else position.state.root_count
    moves = [host.format_move(format_cell(cell)) for cell in position.state.root_moves[:count]]
    return " ".join(f"{move} {position.state.root_costs[i]}" for i, move in enumerate(moves))


def _position(host: GtpHost) -> HexPosition:
    assert isinstance(host.position, HexPosition)
    return host.position


def _parse_side(host: GtpHost, arguments: tuple[str, ...]) -> int:
    return host.game.parse_colour(arguments[0]) if arguments else host.position.to_move
