"""What Hex plugs into GTP: HexGui's ways, SGF, positions, GoGui's rules and the commands of HexGui's buttons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bots.hex.notation import COLOURS, SWAP, parse_position, to_htp
from bots.hex.position import HexPosition, format_cell
from bots.hex.sgf import read_game
from core.options import Option, OptionSet
from core.player import Setup
from protocols.gtp_game import Command, GoguiRules, GtpGame, Record
from protocols.gtp_host import GtpHost
from protocols.text import CommandError

ALLOW_SWAP = Option("allow_swap", False, "the second player may answer the first stone by swap-pieces")
MAX_PERFT = 4  # plies; five take minutes on 11x11


def spell(position: HexPosition, side: int, move: str) -> str:
    """A side's move as the position takes it: out of turn and after the end a stone is put, as HexGui sets up."""
    if position.to_move == side and position.outcome() is None:
        return move
    return f"{COLOURS[side]}:{move}"


def turn(position: HexPosition, side: int) -> Setup:
    """A setup that starts from the present stones with a side to move."""
    stones, _, _ = position.position_text().partition(" ")
    return replace(position.setup, position=f"{stones} {COLOURS[side][0]}")


def parse_record(text: str, _: Setup) -> Record:
    """The game of an SGF file; raise BadSetup. Words that change no stone are passed over."""
    game = read_game(text)
    start = HexPosition(game.setup)
    for colour, cell in game.placed:
        start.place(colour, cell)
    start.set_to_move(game.moves[0][0] if game.moves else 0)
    plays = tuple((COLOURS[colour], move) for colour, move in game.moves if move == SWAP or move[-1].isdigit())
    return Record(replace(game.setup, position=start.position_text() if game.placed else ""), plays)


def make_commands(host: GtpHost) -> Mapping[str, Command]:
    """The commands of HexGui's solve button and of its menu of values."""

    def solve_state(arguments: tuple[str, ...]) -> str:
        side = host.game.parse_colour(arguments[0]) if arguments else host.position.to_move
        solution = host.solve(side, host.limits(side))
        if solution.result == "unknown":
            raise CommandError("not solved in the time for a move, which param_gtp move_time sets")
        return COLOURS[side if solution.result == "win" else 1 - side]

    def list_costs(_: tuple[str, ...]) -> str:
        position = host.position
        assert isinstance(position, HexPosition)
        position.library.paper_costs(position.state)
        count = 0 if position.outcome() else position.state.root_count
        moves = [host.format_move(format_cell(cell)) for cell in position.state.root_moves[:count]]
        return " ".join(f"{move} {position.state.root_costs[i]}" for i, move in enumerate(moves))

    return {
        "dfpn-solve-state": Command(
            solve_state, "dfpn-solve-state [COLOUR]", "who wins where a side is to move, black or white", slow=True
        ),
        "hex-costs": Command(
            list_costs,
            "hex-costs",
            "cells with their cost by two-distance potentials, the best first",
            analyze="pspairs/Costs by potentials/hex-costs",
        ),
    }


GTP = GtpGame(
    title="Hex",
    default_setup=Setup(11, 11, "standard"),
    new_position=HexPosition,
    parse_move=to_htp,
    parse_position=parse_position,
    parse_record=parse_record,
    spell=spell,
    turned=turn,
    names_squares=True,
    options=(ALLOW_SWAP,),
    read_options=lambda setup: {ALLOW_SWAP.name: setup.variant == "swap"},
    apply_options=lambda setup, options: replace(setup, variant=_variant(options)),
    max_perft=MAX_PERFT,
    gogui=GoguiRules("hex", HexPosition.rows),
    commands=make_commands,
    rule_commands=lambda setup: [f"param_game {ALLOW_SWAP.name} {int(setup.variant == 'swap')}"],
)


def _variant(options: OptionSet) -> str:
    return "swap" if options[ALLOW_SWAP.name] else "standard"
