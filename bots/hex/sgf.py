"""Reads game records of Hex: SGF with GM[11] as HexGui writes it, and the files of Little Golem.

Only the main line is read: set-up stones (AB, AW, AE) and the side to move after them (PL), then the moves. Other
variations, comments and labels are ignored.

    HexGui         (;FF[4]GM[11]SZ[11];B[a3];W[swap-pieces];B[f6])
    Little Golem   (;FF[4]EV[hex.mc.2011]PB[x]PW[y]SZ[13]SO[http://www.littlegolem.com];W[mf];B[swap];W[ff])

Little Golem's files have no GM. They name the first player in PB, but mark this player's moves with W. The word `swap`
means swap-pieces in these files and swap-sides in others, as HexGui reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bots.hex.notation import COLOURS, SWAP, check_setup, parse_cell
from bots.hex.position import HexPosition
from core.play.player import RESIGN, BadSetup, IllegalMove, Setup, illegal_move_is_bad_setup
from core.play.squares import COLUMN_LETTERS, format_square

SWAP_SIDES = "swap-sides"  # the players exchange colours; the board stays the same
_SWAP_WORD = "swap"
_WORDS = {SWAP, SWAP_SIDES, RESIGN, "pass", "forfeit"}
_PROPERTY = re.compile(r"([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)\s*", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_GO_POINT = re.compile(r"[a-s][a-s]")  # column and row
_SIZE = re.compile(r"[0-9]{1,3}")
_MAX_QUOTED = 40  # characters of a wrong value that an error quotes
Properties = dict[str, list[str]]  # of a node: values by the name of the property


@dataclass
class HexGame:
    """The contents of a file. Stones and moves are pairs of a colour, 0 or 1, and a text.

    A move is a cell or one of `swap-pieces`, `swap-sides`, `resign`, `pass`, `forfeit`. Colour 0 joins top and bottom,
    whatever letter the file uses for it; in files of Little Golem it moves first.
    """

    setup: Setup
    setup_stones: list[tuple[int, str]] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    note: str = ""  # which meaning of the word `swap` was taken; empty if the file does not have the word
    names: tuple[str, str] = ("", "")  # of the players in PB and PW
    result: str = ""  # as in RE: `B+`, `W+R`, ...
    first_side: int = 0  # colour that moves if there are no moves

    def start(self) -> HexPosition:
        """Return the position before the first move; raise BadSetup if a stone cannot be placed."""
        position = HexPosition(self.setup)
        with illegal_move_is_bad_setup("the stones cannot be set up"):
            for colour, cell in self.setup_stones:
                position.place(colour, cell)
        position.set_to_move(self.moves[0][0] if self.moves else self.first_side)
        return position

    def position(self) -> HexPosition:
        """Return the position at the end; raise BadSetup with the number of the move that does not fit."""
        position = self.start()
        previous = ""
        for number, (colour, move) in enumerate(self.moves, 1):
            with illegal_move_is_bad_setup(f"move {number}, {COLOURS[colour]} {move}"):
                _play(position, colour, move, previous)
            previous = move
        return position


def _play(position: HexPosition, colour: int, move: str, previous: str) -> None:
    """Play a move of a record after the move `previous`, which is empty for the first one.

    Raise IllegalMove if it is not that colour's turn, the cell is occupied or no swap is possible.
    """
    if colour != position.to_move:
        black = sum(owner == 0 for owner, _ in position.stones())
        counts = f"black has {black} stones and white {len(position.stones()) - black}"
        raise IllegalMove(f"it is {COLOURS[1 - colour]}'s turn: {counts}")
    if move == SWAP:
        position.play(move)
    elif move == SWAP_SIDES:  # nothing happens on the board, and the same colour moves next
        if [owner for owner, _ in position.stones()] != [1 - colour] or previous in (SWAP, SWAP_SIDES):
            raise IllegalMove("only the second player may swap, as the answer to the first stone")
    elif move in _WORDS:  # resign, pass or forfeit
        position.set_to_move(1 - colour)
    else:
        position.place(colour, move)


def read_game(text: str) -> HexGame:
    """Return the main line of an SGF text; raise BadSetup if the text is wrong.

    Only the form of the moves is checked here. `HexGame.position` replays them and finds illegal ones.
    """
    nodes = _main_line(text)
    root = nodes[0]
    is_little_golem = _is_little_golem(root)
    if root.get("GM", ["11"] if is_little_golem else ["nothing"]) != ["11"]:
        raise BadSetup(f"expected GM[11], a game of Hex, not GM{root.get('GM', ['nothing'])}")
    game = HexGame(_read_setup(root))
    game.names = (root.get("PB", [""])[0], root.get("PW", [""])[0])
    game.result = root.get("RE", [""])[0]
    words = {_SWAP_WORD: SWAP if is_little_golem else SWAP_SIDES}
    if root.get("AP", [""])[0].startswith("HexGui:0."):  # HexGui 0.x, such as 0.9, writes swap-pieces for swap-sides
        words[SWAP] = SWAP_SIDES
    letters = "WB" if is_little_golem and _first_letter(nodes) == "W" else "BW"  # by colour, 0 and 1
    for node in nodes:
        _read_setup_stones(game, node, letters, words)
        for colour, name in enumerate(letters):
            game.moves += [(colour, _read_move(value, game.setup, words)) for value in node.get(name, [])]
    if is_little_golem or any(move == SWAP for _, move in game.moves):  # Little Golem always offers the swap
        game.setup = check_setup(replace(game.setup, variant="swap"))
    if any(value.strip().lower() == _SWAP_WORD for node in nodes for name in letters for value in node.get(name, [])):
        origin = "Little Golem writes" if is_little_golem else "HexGui reads"
        game.note = f"swap is read as {words[_SWAP_WORD]}, as {origin} it"
    return game


def _read_setup_stones(game: HexGame, node: Properties, letters: str, words: Mapping[str, str]) -> None:
    """Read the properties of a node that set up a position. `letters` are those of the colours 0 and 1."""
    for name in [f"A{letter}" for letter in letters] + ["AE"]:
        if name in node and game.moves:
            raise BadSetup(f"{name} after the first move")
        cells = [_read_move(value, game.setup, words) for value in node.get(name, [])]
        if name == "AE":
            game.setup_stones = [stone for stone in game.setup_stones if stone[1] not in cells]
        else:
            game.setup_stones += [(letters.index(name[1]), cell) for cell in cells]
    for value in node.get("PL", []):
        letter = value.strip()[:1].upper()
        if letter not in set(letters):
            raise BadSetup(f"expected PL with a colour, B or W, not {value[:_MAX_QUOTED]!r}")
        game.first_side = letters.index(letter)


def _is_little_golem(root: Properties) -> bool:
    """Return whether event or source are those of Little Golem: `EV[hex.mc.2011.feb.1.10]`,
    `SO[http://www.littlegolem.com]`.

    A GM property does not count, because other programs may have added it to the file.
    """
    event, source = (root.get(name, [""])[0].lower() for name in ("EV", "SO"))
    return event.startswith("hex.") or "littlegolem" in source


def _first_letter(nodes: list[Properties]) -> str:
    """Return the letter of the first move, B or W; empty if there is no move."""
    return next((name for node in nodes for name in node if name in ("B", "W")), "")


def _read_setup(root: Properties) -> Setup:
    size = root.get("SZ", [""])[0]
    width, _, height = size.partition(":")
    if not (_SIZE.fullmatch(width) and _SIZE.fullmatch(height or width)):
        raise BadSetup(f"expected SZ with a board size, not {size[:_MAX_QUOTED]!r}")
    return check_setup(Setup(int(width), int(height or width), "standard"))


def _read_move(value: str, setup: Setup, words: Mapping[str, str]) -> str:
    """Return a move in canonical form. `words` translates words whose meaning depends on the file's origin.

    Two letters, such as `mf`, are column and row as Little Golem writes them.
    """
    word = value.strip().lower()
    word = words.get(word, word)
    if word in _WORDS:
        return word
    if _GO_POINT.fullmatch(word):
        word = format_square(COLUMN_LETTERS.index(word[0]), COLUMN_LETTERS.index(word[1]))
    try:
        return format_square(*parse_cell(word, setup))
    except IllegalMove as error:
        raise BadSetup(str(error)) from None


def _main_line(text: str) -> list[Properties]:
    """Return the nodes of the first game tree, with the first variation at each branch.

    Raise BadSetup if the text is malformed.
    """
    nodes: list[Properties] = []
    index = text.find("(")
    if index < 0:
        raise BadSetup("expected a game record such as (;GM[11]SZ[11]...)")
    while index < len(text) and text[index] != ")":
        match = _PROPERTY.match(text, index)
        if match:
            if not nodes:
                raise BadSetup("a property before the first node")
            values = nodes[-1].setdefault(match[1], [])
            values += [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in _VALUE.findall(match[2])]
            index = match.end()
        elif text[index] == ";":
            nodes.append({})
            index += 1
        elif text[index] == "(" or text[index].isspace():
            index += 1
        else:
            raise BadSetup(f"the record cannot be read at {text[index : index + 20]!r}")
    if not nodes:
        raise BadSetup("the record has no node")
    if index == len(text):
        raise BadSetup("the record ends before the parenthesis that closes it: the file may be cut off")
    return nodes
