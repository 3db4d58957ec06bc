"""Hex's part of GTP: HexGui's conventions, SGF files, positions, GoGui's rules.

Sides are 0 black and 1 white; `ColouredMoves` are pairs of a colour's name and a move.
"""

from __future__ import annotations

from dataclasses import replace

from bots.hex.notation import COLOURS, SWAP, canonical_move, parse_cell, setup_with_position
from bots.hex.position import HexPosition
from bots.hex.sgf import read_game
from core.play.options import Option, OptionSet
from core.play.player import Setup
from core.play.squares import format_square
from protocols.gtp.game import ColouredMoves, GoguiRules, GtpGame, LoadedGame

ALLOW_SWAP = Option("allow_swap", False, "whether the second player may answer the first stone by swap-pieces")
MAX_PERFT = 4  # plies; five take minutes on 11x11


def move_for_side(position: HexPosition, side: int, move: str) -> str:
    """Return a side's move as `HexPosition.play` takes it.

    Out of turn and after the end it becomes a set-up stone, such as `white:c2`: HexGui sends positions in this way.
    """
    if position.to_move == side and position.outcome() is None:
        return move
    return f"{COLOURS[side]}:{move}"


def with_side_to_move(position: HexPosition, side: int) -> Setup:
    """Return a setup that starts from the present stones with `side` to move, without the swap rule."""
    stones, _, _ = position.position_text().partition(" ")
    return replace(position.setup, variant="standard", position=f"{stones} {COLOURS[side][0]}")


def moves_to_send(plays: ColouredMoves, setup: Setup) -> ColouredMoves:
    """Replace a swap by the white stone that it leaves, and drop the first move; HexGui sends a swap like this, too.

    MoHex takes the command `swap-pieces`, but does not move the stone.
    """
    if len(plays) < 2 or plays[1][1] != SWAP:
        return plays
    column, row = parse_cell(plays[0][1], setup)
    return ((plays[1][0], format_square(row, column)), *plays[2:])


def parse_record(text: str, _: Setup) -> LoadedGame:
    """Read the game of an SGF file; raise BadSetup if the text is no such file, or with the number of a wrong move.

    Words that change no stone, such as `resign`, are left out.
    """
    game = read_game(text)
    game.position()  # raises BadSetup for a wrong move
    start = game.start()
    plays = tuple((COLOURS[colour], move) for colour, move in game.moves if move == SWAP or move[-1].isdigit())
    setup = replace(game.setup, position=start.position_text() if game.setup_stones or game.first_side else "")
    return LoadedGame(setup, plays, game.note)


GTP = GtpGame(
    title="Hex",
    default_setup=Setup(11, 11, "standard"),
    new_position=HexPosition,
    parse_move=canonical_move,
    parse_position=setup_with_position,
    parse_record=parse_record,
    move_for_side=move_for_side,
    with_side_to_move=with_side_to_move,
    moves_to_send=moves_to_send,
    show_board=HexPosition.board,
    moves_are_squares=True,
    options=(ALLOW_SWAP,),
    read_options=lambda setup: {ALLOW_SWAP.name: setup.variant == "swap"},
    apply_options=lambda setup, options: replace(setup, variant=_variant(options)),
    max_perft_depth=MAX_PERFT,
    gogui=GoguiRules("hex", HexPosition.rows),
    rule_commands=lambda setup: [f"param_game {ALLOW_SWAP.name} {int(setup.variant == 'swap')}"],
)


def _variant(options: OptionSet) -> str:
    return "swap" if options[ALLOW_SWAP.name] else "standard"
