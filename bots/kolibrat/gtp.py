"""Kolibrat's part of GTP (Go Text Protocol): colours, turns, positions, and the options of the command `param_game`.

protocols/gtp/game.py explains the fields of `GtpGame`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bots.kolibrat.notation import (
    COLOURS,
    DEFAULT_VARIANT,
    PASS,
    Board,
    board_of,
    format_variant,
    parse_position,
)
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.squares import MAX_GOAL, MAX_SIZE
from core.play.options import Option, OptionSet, Value
from core.play.player import BadSetup, IllegalMove, Setup
from protocols.gtp.game import GtpGame

OPTIONS = (  # of `param_game`, which changes the rules of the current game and replays its moves
    Option("pieces", 4, "pieces per side", minimum=1, maximum=MAX_SIZE * MAX_SIZE),
    Option("goal", 5, "points needed to win", minimum=1, maximum=MAX_GOAL),
)


def make_setup(board: Board) -> Setup:
    """Return the setup of a game on a board."""
    return Setup(board.width, board.height, format_variant(board))


def _parse_position(text: str, _: Setup) -> Setup:
    """Return the setup of a game that begins at a position; the position itself has board, pieces and goal."""
    return replace(make_setup(parse_position(text).board), position=text)


def _read_options(setup: Setup) -> Mapping[str, Value]:
    """Return the values of OPTIONS in a setup."""
    board = board_of(setup)
    return {"pieces": board.pieces, "goal": board.goal}


def _apply_options(setup: Setup, options: OptionSet) -> Setup:
    """Return a setup with new values of OPTIONS; raise BadSetup if its start position sets them."""
    if setup.position:
        raise BadSetup("the position that the game started from sets the rules: use clear_board first")
    board = board_of(setup)
    return make_setup(replace(board, pieces=options.get_int("pieces"), goal=options.get_int("goal")))


def _setup_commands(setup: Setup) -> list[str]:
    """Return the GTP commands that begin a game with a setup."""
    if setup.position:
        return [f"set_position {setup.position}"]
    board = board_of(setup)
    return [f"kolibrat_setup {board.width} {board.height} {board.pieces} {board.goal}"]


def _check_turn(position: KolibratPosition, side: int, move: str) -> str:
    """Return the move unchanged; raise IllegalMove unless `side` is to move."""
    if side != position.to_move:
        raise IllegalMove(_turn_error(position, side))
    return move


def _refuse_turn(position: KolibratPosition, side: int) -> Setup:
    """Raise IllegalMove: the rules decide who moves, so the side to move cannot be changed."""
    raise IllegalMove(_turn_error(position, side))


def _turn_error(position: KolibratPosition, side: int) -> str:
    """Return why a side that is not to move may not play."""
    if position.is_skipped(side):
        return f"{COLOURS[side]} has no legal move and is skipped: {COLOURS[1 - side]} moves"
    return f"it is {COLOURS[1 - side]}'s turn"


GTP = GtpGame(
    title="Kolibrat",
    default_setup=Setup(variant=DEFAULT_VARIANT),
    new_position=KolibratPosition,
    colours=COLOURS,
    parse_position=_parse_position,
    move_for_side=_check_turn,
    with_side_to_move=_refuse_turn,
    skip_word=PASS,
    may_resign=False,
    options=OPTIONS,
    read_options=_read_options,
    apply_options=_apply_options,
    max_perft_depth=20,
    setup_commands=_setup_commands,
)
