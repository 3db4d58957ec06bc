"""A game as text that a person can keep, mail or type: what the play page writes, and what it reads.

It writes `# hex swap 7x7: you against pentad`, where the game did not begin at its own start `# from POSITION`, then
the moves as an opening file has them. It reads that and the records of a run: plain text, SGF of Hex, Piskvork's PSQ,
Hive's GameStrings; and a position as the game's protocol writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from arena.engines.gtp import find_gtp_game
from bots.gomoku.notation import join_squares
from core.play.game import Game, Position
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square
from protocols.text import CommandError, clean_text

MOST_LINE = 10_000  # characters of moves; the longest games have half of that
ECHO = 60  # characters of what came that an error repeats
_TITLE = re.compile(r"#\s*([a-z-]+) (\S{1,20}?)(?: (\d{1,3})x(\d{1,3}))?:")
_FROM = re.compile(r"#\s*from (.+)")
_PSQ_BOARD = re.compile(r"\s*Piskvorky (\d{1,3})x(\d{1,3})")
_PSQ_MOVE = re.compile(r"(\d{1,3}),(\d{1,3}),\d+")
_POSITIONS: dict[str, Callable[[Any], str]] = {  # by protocol
    "gtp": lambda position: str(position.position_text()),
    "uhp": lambda position: str(position.game_string()),
    "gomocup": lambda position: join_squares(position.moves),  # all that brains know of a position is its moves
}


def write_game(game: Game, position: Position, players: str) -> str:
    """The text of a game so far; `players` says who plays it."""
    setup = position.setup
    size = f" {setup.width}x{setup.height}" if setup.width else ""
    lines = [f"# {game.name} {setup.variant or game.variants[0]}{size}: {players}"]
    lines += [f"# from {setup.position}"] if setup.position else []
    moves = position.moves
    # the GameString of an opening is one of a game that goes on, and this one may have ended
    line = write_position(game, position) if game.protocol == "uhp" else game.format_opening(moves, setup)
    return "\n".join([*lines, *([line] if moves else [])]) + "\n"


def write_position(game: Game, position: Position) -> str:
    """The position as programs of the game take it; of Gomoku and Hive that is the moves that led to it."""
    return _POSITIONS[game.protocol](position)


def read_game(game: Game, text: str, setup: Setup) -> Position:
    """The position at the end of a game, or a position; raise BadSetup, IllegalMove.

    What the text does not say of board and rule is as in `setup`.
    """
    setup = replace(setup, position="")
    psq = _PSQ_BOARD.match(text)
    if psq and game.protocol == "gomocup":
        return _play(game, replace(setup, width=int(psq[1]), height=int(psq[2])), _read_psq(text))
    if text.lstrip().startswith("("):
        return _read_sgf(game, text, setup)
    title, start = _TITLE.search(text), _FROM.search(text)
    setup = _read_title(game, title, start, setup)
    line = " ".join(line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))
    if len(line) > MOST_LINE:
        raise BadSetup(f"a game has at most {MOST_LINE} characters of moves, not {len(line)}")
    if not line:
        if not title:
            raise BadSetup("there is no game in the text")
        return game.new_position(setup)
    begin = _find_start(game, line, setup)
    if begin is not None:
        return game.new_position(begin)
    setup = game.setup_of_opening(line) or setup
    return _play(game, setup, _split(game, line, setup))


def _read_title(game: Game, title: re.Match[str] | None, start: re.Match[str] | None, setup: Setup) -> Setup:
    """The setup with what comments say of it."""
    if title and title[1] != game.name:
        raise BadSetup(f"this is a game of {title[1]}, and here {game.title} is played")
    if title:
        setup = replace(setup, variant=title[2])
    if title and title[3]:
        setup = replace(setup, width=int(title[3]), height=int(title[4]))
    if start and game.protocol == "gtp":
        parse = find_gtp_game(game).parse_position
        if parse is None:
            raise BadSetup(f"{game.title} begins from its own start alone")
        setup = parse(start[1].strip(), setup)
    return setup


def _find_start(game: Game, line: str, setup: Setup) -> Setup | None:
    """The setup of a line that is a position, None where it is moves."""
    parse = find_gtp_game(game).parse_position if game.protocol == "gtp" else None
    if parse is None:
        return None
    try:
        return parse(line, setup)
    except BadSetup:
        if "/" in line:  # as no move has
            raise
        return None


def _split(game: Game, line: str, setup: Setup) -> Sequence[str]:
    try:
        return game.parse_opening(line, setup)
    except BadSetup:
        if game.protocol != "gtp":
            raise
        return line.split()  # in a whole game of Hex a swap may stand, in an opening none


def _play(game: Game, setup: Setup, moves: Sequence[str]) -> Position:
    position = game.new_position(setup)
    for number, move in enumerate(moves, 1):
        try:
            position.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}, {clean_text(move, ECHO)!r}: {error}") from None
    return position


def _read_psq(text: str) -> list[str]:
    """Moves of a Piskvork record, which counts from 1; after them come names and a result."""
    moves = []
    for line in text.splitlines()[1:]:
        match = _PSQ_MOVE.fullmatch(line.strip())
        if match is None:
            break
        x, y = int(match[1]), int(match[2])
        if not (1 <= x <= 26 and y >= 1):
            raise BadSetup(f"a square such as 8,8 is wanted, not {match[1]},{match[2]}")
        moves.append(format_square(x - 1, y - 1))
    return moves


def _read_sgf(game: Game, text: str, setup: Setup) -> Position:
    """The end of the main line, stones that were set up included."""
    gtp = find_gtp_game(game) if game.protocol == "gtp" else None
    if gtp is None or gtp.parse_record is None:
        raise BadSetup(f"no SGF is read for {game.title}: its moves are wanted, or another kind of record")
    record = gtp.parse_record(text, setup)
    position = game.new_position(record.setup)
    for number, (colour, move) in enumerate(record.moves, 1):
        try:
            side = gtp.parse_colour(colour)
            position.play(gtp.move_for_side(position, side, gtp.parse_move(move, record.setup)))
        except (IllegalMove, CommandError) as error:
            raise IllegalMove(f"move {number}, {clean_text(move, ECHO)!r}: {error}") from None
    return position
