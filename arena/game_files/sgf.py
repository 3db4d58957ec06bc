"""Read SGF collections: games of Gomoku (GM[4]), of Hex (GM[11] or Little Golem), and of Hive from boardspace.net.

The main line counts; variations and comments are skipped. A file may hold several games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from sgfmill import sgf_grammar

from arena.engines.gtp import find_gtp_game
from arena.game_files.stored_game import MAX_QUOTED, GameFileError, StoredGame, play_moves
from arena.terms.arguments import find_game
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import COLUMN_LETTERS, format_square, parse_square
from protocols.text import clean_text

GOMOKU, HEX = "4", "11"  # values of the property GM
_BOARDSPACE = re.compile(r"\bSU\[\s*hive", re.IGNORECASE)
_START = re.compile(r"\(\s*;")
_POINT = re.compile(r"[a-z]{2}")
_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_RULES = {"freestyle": "freestyle", "standard": "standard", "renju": "renju", "caro": "caro"}


def is_sgf(text: str) -> bool:
    """Return whether a text looks like SGF."""
    return _START.match(text.lstrip()) is not None


def read_sgf(text: str, setups: Callable[[str], Setup]) -> Iterator[StoredGame]:
    """Yield the games of an SGF text; raise GameFileError. `setups` gives the setup that a game has by default."""
    if _BOARDSPACE.search(text):
        for part in re.split(r"^(?=\s*\(\s*;)", text, flags=re.MULTILINE):
            if _BOARDSPACE.search(part):
                yield _read_hive(part)
        return
    try:
        trees = sgf_grammar.parse_sgf_collection(text.encode("utf-8"))
    except ValueError as error:
        raise GameFileError(f"the SGF cannot be read: {error}") from None
    for tree in trees:
        yield _read_tree(tree, setups)


def _read_tree(tree: sgf_grammar.Coarse_game_tree, setups: Callable[[str], Setup]) -> StoredGame:
    root = {name: values[0].decode("utf-8", "replace") for name, values in tree.sequence[0].items()}
    number = root.get("GM", "").strip()
    if number == GOMOKU:
        return _read_gomoku(tree, root, setups("gomoku"))
    if number in (HEX, ""):
        return _read_hex(sgf_grammar.serialise_game_tree(tree).decode("utf-8", "replace"))
    raise GameFileError(f"the SGF has GM[{clean_text(number, MAX_QUOTED)}]: 4 (Gomoku) and 11 (Hex) can be read")


def _read_gomoku(tree: sgf_grammar.Coarse_game_tree, root: dict[str, str], setup: Setup) -> StoredGame:
    """Read points such as `hh` (column and row from the top left) and squares such as `h8`."""
    game = find_game("gomoku")
    size = _SIZE.fullmatch(root.get("SZ", f"{setup.width}").strip())
    if size is None:
        raise GameFileError(f"SZ must be a board size, not {clean_text(root['SZ'], MAX_QUOTED)!r}")
    rule = root.get("RU", "").strip().lower()
    variant = _RULES.get(rule, setup.variant)
    width, height = int(size[1]), int(size[2] or size[1])
    try:
        setup = game.check_setup(Setup(width, height, variant))
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    moves = []
    for node in sgf_grammar.main_sequence_iter(tree):
        if "AB" in node or "AW" in node:
            raise GameFileError("stones that were set up (AB, AW) cannot be read: a game of moves is expected")
        moves += [node[colour][0].decode("utf-8", "replace") for colour in ("B", "W") if colour in node]
    position = game.new_position(setup)
    problem = play_moves(position, moves, lambda value: position.play(_read_point(value)))
    names = (root.get("PB", ""), root.get("PW", ""))
    note = "" if rule in _RULES else f"the file names no rule that is known: read as {variant}"
    return StoredGame(game, setup, tuple(position.moves), names, root.get("RE", ""), note=note, problem=problem)


def _read_point(value: str) -> str:
    """Return the square of a point; raise IllegalMove if the value is none."""
    text = value.strip().lower()
    if _POINT.fullmatch(text):
        return format_square(COLUMN_LETTERS.index(text[0]), COLUMN_LETTERS.index(text[1]))
    if parse_square(text) is None:
        raise IllegalMove("expected a point such as hh or a square such as h8")
    return text


def _read_hex(text: str) -> StoredGame:
    """Read a game of Hex. Words that place no stone, such as `resign` and `swap-sides`, are left out."""
    from bots.hex.notation import SWAP
    from bots.hex.sgf import read_game

    game = find_game("hex")
    try:
        record = read_game(text)
        start = record.start().position_text() if record.setup_stones else ""
        setup = replace(record.setup, position=start)
        position = game.new_position(setup)
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    gtp = find_gtp_game(game)
    plays = [(side, move) for side, move in record.moves if move == SWAP or move[-1].isdigit()]
    sides = iter(plays)
    problem = play_moves(
        position,
        [move for _, move in plays],
        lambda move: position.play(gtp.move_for_side(position, next(sides)[0], move)),
    )
    moves, names = tuple(position.moves), record.names
    return StoredGame(game, setup, moves, names, record.result, note=record.note, problem=problem)


def _read_hive(text: str) -> StoredGame:
    from bots.hive.boardspace import replay_game

    try:
        replayed = replay_game(text)
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    position = replayed.position
    result = "" if replayed.resigned is None else f"{('white', 'black')[replayed.resigned]} resigned"
    return StoredGame(
        find_game("hive"), position.setup, tuple(position.moves), replayed.names, result, problem=replayed.problem
    )
