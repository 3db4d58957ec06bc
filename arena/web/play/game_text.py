"""Games and positions as text: the format in which the play page saves a game, and the formats that it can load.

The page writes a title, the start position if it is not the usual one, and the moves as in an opening file:

    # hex swap 7x7: you against pentad
    # from 7/7/7/3b3/7/7/7 w
    d5 e3

It loads this format, plain moves, SGF (Hex only), PSQ files of Piskvork (Gomoku), GameStrings (Hive), and a position as
the game's protocol writes it.
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

MAX_MOVES_LENGTH = 10_000  # characters; the longest games have about half of that
MAX_QUOTE_LENGTH = 60  # characters of the text that an error message quotes
_TITLE = re.compile(r"#\s*([a-z-]+) (\S{1,20}?)(?: (\d{1,3})x(\d{1,3}))?:")  # groups: game, variant, width, height
_START = re.compile(r"#\s*from (.+)")
_PSQ_HEADER = re.compile(r"\s*Piskvorky (\d{1,3})x(\d{1,3})")
_PSQ_MOVE = re.compile(r"(\d{1,3}),(\d{1,3}),\d+")  # x, y, milliseconds
_POSITION_FORMATTERS: dict[str, Callable[[Any], str]] = {  # by protocol
    "gtp": lambda position: str(position.position_text()),
    "uhp": lambda position: str(position.game_string()),
    "gomocup": lambda position: join_squares(position.moves),  # Gomocup has no notation for positions but the moves
}


def write_game(game: Game, position: Position, players: str) -> str:
    """Return the game so far as text, ending with a newline. `players` names the players in the title."""
    setup = position.setup
    size = f" {setup.width}x{setup.height}" if setup.width else ""
    lines = [f"# {game.name} {setup.variant or game.variants[0]}{size}: {players}"]
    if setup.position:
        lines.append(f"# from {setup.position}")
    moves = position.moves
    if moves:
        # Hive's opening format is a GameString in progress; the position's own GameString also has the result.
        is_hive = game.protocol == "uhp"
        lines.append(write_position(game, position) if is_hive else game.format_opening(moves, setup))
    return "\n".join(lines) + "\n"


def write_position(game: Game, position: Position) -> str:
    """Return the position in the notation of the game's protocol; for Gomoku and Hive these are all moves so far."""
    return _POSITION_FORMATTERS[game.protocol](position)


def read_game(game: Game, text: str, setup: Setup) -> Position:
    """Parse a game or a position, and return the position at its end; raise BadSetup or IllegalMove.

    `setup` gives board and variant if the text does not name them.
    """
    setup = replace(setup, position="")
    psq = _PSQ_HEADER.match(text)
    if psq and game.protocol == "gomocup":
        return _play(game, replace(setup, width=int(psq[1]), height=int(psq[2])), _parse_psq_moves(text))
    if text.lstrip().startswith("("):
        return _read_sgf(game, text, setup)
    title, start = _TITLE.search(text), _START.search(text)
    setup = _parse_comments(game, title, start, setup)
    body = " ".join(line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))
    if len(body) > MAX_MOVES_LENGTH:
        raise BadSetup(f"a game has at most {MAX_MOVES_LENGTH} characters of moves, not {len(body)}")
    if not body:
        if not title:
            raise BadSetup("there is no game in the text")
        return game.new_position(setup)
    position_setup = _parse_position(game, body, setup)
    if position_setup is not None:
        return game.new_position(position_setup)
    setup = game.setup_of_opening(body) or setup
    return _play(game, setup, _split_moves(game, body, setup))


def _parse_comments(game: Game, title: re.Match[str] | None, start: re.Match[str] | None, setup: Setup) -> Setup:
    """Return the setup with variant and size from the title, and the position from `# from` (GTP games).

    Raise BadSetup if they do not fit the game.
    """
    if title and title[1] != game.name:
        raise BadSetup(f"this is a game of {title[1]}, but the page plays {game.title}")
    if title:
        setup = replace(setup, variant=title[2])
    if title and title[3]:
        setup = replace(setup, width=int(title[3]), height=int(title[4]))
    if start and game.protocol == "gtp":
        parse = find_gtp_game(game).parse_position
        if parse is None:
            raise BadSetup(f"a game of {game.title} can only start from its usual position")
        setup = parse(start[1].strip(), setup)
    return setup


def _parse_position(game: Game, text: str, setup: Setup) -> Setup | None:
    """Return the setup with the position that a text describes, or None if the text is a list of moves."""
    parse = find_gtp_game(game).parse_position if game.protocol == "gtp" else None
    if parse is None:
        return None
    try:
        return parse(text, setup)
    except BadSetup:
        if "/" in text:  # moves have no slash, so the text is a wrong position
            raise
        return None


def _split_moves(game: Game, text: str, setup: Setup) -> Sequence[str]:
    try:
        return game.parse_opening(text, setup)
    except BadSetup:
        if game.protocol != "gtp":
            raise
        return text.split()  # a game of Hex may contain a swap, which the parser of openings refuses


def _play(game: Game, setup: Setup, moves: Sequence[str]) -> Position:
    position = game.new_position(setup)
    for number, move in enumerate(moves, 1):
        try:
            position.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}, {clean_text(move, MAX_QUOTE_LENGTH)!r}: {error}") from None
    return position


def _parse_psq_moves(text: str) -> list[str]:
    """Return the moves of a PSQ file. They follow the header line; names and a result come after them."""
    moves = []
    for line in text.splitlines()[1:]:
        match = _PSQ_MOVE.fullmatch(line.strip())
        if match is None:
            break
        x, y = int(match[1]), int(match[2])  # from 1
        if not (1 <= x <= 26 and y >= 1):
            raise BadSetup(f"{match[1]},{match[2]} is not a square; the column must be 1 to 26 and the row at least 1")
        moves.append(format_square(x - 1, y - 1))
    return moves


def _read_sgf(game: Game, text: str, setup: Setup) -> Position:
    """Return the position at the end of the main line, with the stones that the file sets up."""
    gtp = find_gtp_game(game) if game.protocol == "gtp" else None
    if gtp is None or gtp.parse_record is None:
        raise BadSetup(f"no SGF is read for {game.title}; load the moves or another kind of record")
    record = gtp.parse_record(text, setup)
    position = game.new_position(record.setup)
    for number, (colour, move) in enumerate(record.moves, 1):
        try:
            side = gtp.parse_colour(colour)
            position.play(gtp.move_for_side(position, side, gtp.parse_move(move, record.setup)))
        except (IllegalMove, CommandError) as error:
            raise IllegalMove(f"move {number}, {clean_text(move, MAX_QUOTE_LENGTH)!r}: {error}") from None
    return position
