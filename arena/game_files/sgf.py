"""Read SGF collections: games of Gomoku (GM[4]), of Hex (GM[11] or Little Golem), and of Hive from boardspace.net.

The main line counts; variations and comments are skipped. A file may hold several games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from sgfmill import sgf_grammar

from arena.game_files.stored_game import MAX_QUOTED, GameFileError, StoredGame, play_moves
from arena.terms.arguments import find_game
from core.play.game import FIRST
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import COLUMN_LETTERS, format_square, parse_square
from protocols.text import clean_text

GOMOKU, HEX = "4", "11"  # values of the property GM
_BOARDSPACE = re.compile(r"\bSU\[\s*hive", re.IGNORECASE)
_START = re.compile(r"\(\s*;")
_POINT = re.compile(r"[a-z]{2}")
_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_ENDS = ("resign", "forfeit")  # words that end a game


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
    root = {name: _read_text(values[0]) for name, values in tree.sequence[0].items()}
    number = root.get("GM", "").strip()
    if number == GOMOKU:
        return _read_gomoku(tree, root, setups("gomoku"))
    if number in (HEX, ""):
        return _read_hex(sgf_grammar.serialise_game_tree(tree).decode("utf-8", "replace"), root, setups("hex"))
    raise GameFileError(f"the SGF has GM[{clean_text(number, MAX_QUOTED)}]: 4 (Gomoku) and 11 (Hex) can be read")


def _read_gomoku(tree: sgf_grammar.Coarse_game_tree, root: dict[str, str], setup: Setup) -> StoredGame:
    """Read points such as `hh` (column and row from the top left) and squares such as `h8`."""
    game = find_game("gomoku")
    size = _SIZE.fullmatch(root.get("SZ", f"{setup.width}").strip())
    if size is None:
        raise GameFileError(f"SZ must be a board size, not {clean_text(root['SZ'], MAX_QUOTED)!r}")
    rule = root.get("RU", "").strip().lower()
    is_known = rule in game.variants
    variant = rule if is_known else setup.variant
    width, height = int(size[1]), int(size[2] or size[1])
    try:
        setup = game.check_setup(Setup(width, height, variant))
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    moves: list[tuple[str, str]] = []  # colour and point
    for node in sgf_grammar.main_sequence_iter(tree):
        if "AB" in node or "AW" in node:
            raise GameFileError("stones that were set up (AB, AW) cannot be read: a game of moves is expected")
        moves += [(colour, node[colour][0].decode("utf-8", "replace")) for colour in ("B", "W") if colour in node]
    position = game.new_position(setup)
    colours = "WB" if moves and moves[0][0] == "W" else "BW"
    played = iter(moves)

    def play(value: str) -> None:
        if next(played)[0] != colours[position.to_move]:
            raise IllegalMove("the same colour moves twice in a row")
        position.play(_read_point(value))

    problem = play_moves(position, [value for _, value in moves], play)
    names = (root.get(f"P{colours[0]}", ""), root.get(f"P{colours[1]}", ""))
    notes = [] if is_known else [f"the file names no rule that is known: read as {variant}"]
    notes += ["white moves first in the file"] if colours == "WB" else []
    result = root.get("RE", "")
    return StoredGame(game, setup, tuple(position.moves), names, result, note="; ".join(notes), problem=problem)


def _read_text(value: bytes) -> str:
    """Return a property value without escapes and line breaks."""
    return " ".join(sgf_grammar.simpletext_value(value).decode("utf-8", "replace").split())


def _read_point(value: str) -> str:
    """Return the square of a point; raise IllegalMove if the value is none."""
    text = value.strip().lower()
    if _POINT.fullmatch(text):
        return format_square(COLUMN_LETTERS.index(text[0]), COLUMN_LETTERS.index(text[1]))
    if parse_square(text) is None:
        raise IllegalMove("expected a point such as hh or a square such as h8")
    return text


def _read_hex(text: str, root: dict[str, str], default: Setup) -> StoredGame:
    """Read a game of Hex up to a resignation. After swap-sides the colours go on, but other players have them."""
    from bots.hex.notation import SWAP
    from bots.hex.sgf import SWAP_SIDES, read_game

    game = find_game("hex")
    try:
        record = read_game(text)
        setup = record.setup
        if root.get("RU", "").lower() == "swap" or default.variant == "swap":
            setup = replace(setup, variant="swap")
        is_swapped_by_sides = any(move == SWAP_SIDES for _, move in record.moves)
        if is_swapped_by_sides:
            setup = replace(setup, variant="standard")  # nobody may swap pieces as well
        start = record.start()
        if record.setup_stones or start.to_move != FIRST:
            setup = replace(setup, position=start.position_text())
        position = game.new_position(setup)
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    plays = [(side, move) for side, move in record.moves if move not in (SWAP_SIDES, *_ENDS)]
    sides = iter(plays)

    def play(move: str) -> None:
        side, _ = next(sides)
        if side != position.to_move:
            raise IllegalMove("it is the other colour's turn")
        if move != SWAP and not move[-1].isdigit():
            raise IllegalMove("expected a cell")
        position.play(move)

    problem = play_moves(position, [move for _, move in plays], play)
    notes = [record.note] if record.note else []
    notes += (
        ["the players exchanged colours after the first move: names are those of the file"]
        if is_swapped_by_sides
        else []
    )
    return StoredGame(
        game,
        setup,
        tuple(position.moves),
        (root.get("PB", ""), root.get("PW", "")),
        record.result,
        opening_plies=int(is_swapped_by_sides),  # a weak first move is not an error if it may be swapped
        note="; ".join(notes),
        problem=problem,
    )


def _read_hive(text: str) -> StoredGame:
    from bots.hive.boardspace import replay_game

    try:
        replayed = replay_game(text)
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    position = replayed.position
    names = (" ".join(replayed.names[0].split()), " ".join(replayed.names[1].split()))
    result = "" if replayed.resigned is None else f"{('white', 'black')[replayed.resigned]} resigned"
    return StoredGame(find_game("hive"), position.setup, tuple(position.moves), names, result, problem=replayed.problem)
