"""Game records of Hex: SGF with GM[11], as HexGui writes it and Little Golem's variety of it.

A record is its main line: set-up stones, then what each side did. Variations, comments and labels are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bots.hex.notation import SWAP, check_setup, parse_cell
from bots.hex.position import HexPosition
from core.play.player import RESIGN, BadSetup, IllegalMove, Setup
from core.play.squares import LETTERS, format_square

SWAP_SIDES = "swap-sides"  # the players exchange colours; to the board nothing happens
_WORDS = {SWAP, SWAP_SIDES, RESIGN, "pass", "forfeit"}
_PROPERTY = re.compile(r"([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)\s*", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_GO_POINT = re.compile(r"[a-s][a-s]")
_SIZE = re.compile(r"[0-9]{1,3}")
_ECHO = 40  # characters of what came that an error repeats
_LINE = 72  # characters after which HexGui begins a new line
Properties = dict[str, list[str]]


@dataclass
class HexGame:
    """A game as a file has it. `placed` are set-up stones and `moves` what was played, each with colour 0 or 1.

    A move is a cell or one of `swap-pieces`, `swap-sides`, `resign`, `pass`, `forfeit`.
    """

    setup: Setup
    placed: list[tuple[int, str]] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    names: tuple[str, str] = ("", "")  # of black and white
    result: str = ""  # as in RE: `B+`, `W+R`, ...

    def position(self) -> HexPosition:
        """The position at the end; raise BadSetup where a stone cannot be put."""
        position = HexPosition(self.setup)
        try:
            for colour, cell in self.placed:
                position.place(colour, cell)
            position.set_to_move(self.moves[0][0] if self.moves else 0)
            for colour, move in self.moves:
                if move == SWAP:
                    position.play(move)
                elif move in _WORDS:
                    position.set_to_move(1 - colour)
                else:
                    position.place(colour, move)
        except IllegalMove as error:
            raise BadSetup(f"the game cannot be replayed: {error}") from None
        return position


def write_game(game: HexGame) -> str:
    """The SGF text of a game."""
    setup = game.setup
    size = str(setup.width) if setup.width == setup.height else f"{setup.width}:{setup.height}"
    parts = ["FF[4]", "GM[11]", f"SZ[{size}]"]
    named = zip(("PB", "PW", "RE"), (*game.names, game.result), strict=True)
    parts += [f"{name}[{_escape(text)}]" for name, text in named if text]
    for colour, name in enumerate(("AB", "AW")):
        cells = "".join(f"[{cell}]" for owner, cell in game.placed if owner == colour)
        parts += [name + cells] if cells else []
    parts += [f";{'BW'[colour]}[{move}]" for colour, move in game.moves]
    lines = ["(;"]
    for part in parts:
        if len(lines[-1]) + len(part) > _LINE:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines) + ")\n"


def read_game(text: str) -> HexGame:
    """The main line of an SGF text; raise BadSetup naming what is wrong."""
    nodes = _main_line(text)
    root = nodes[0]
    if root.get("GM") != ["11"]:
        raise BadSetup(f"GM[11] is wanted, a game of Hex, not GM{root.get('GM', ['nothing'])}")
    game = HexGame(_read_setup(root, nodes))
    game.names = (root.get("PB", [""])[0], root.get("PW", [""])[0])
    game.result = root.get("RE", [""])[0]
    old_words = root.get("AP", [""])[0].startswith("HexGui:0.")
    for node in nodes:
        for colour, name in enumerate(("AB", "AW")):
            if name in node and game.moves:
                raise BadSetup(f"{name} stands after the first move")
            game.placed += [(colour, _read_move(value, game.setup, old_words)) for value in node.get(name, [])]
        for colour, name in enumerate("BW"):
            game.moves += [(colour, _read_move(value, game.setup, old_words)) for value in node.get(name, [])]
    return game


def _read_setup(root: Properties, nodes: list[Properties]) -> Setup:
    size = root.get("SZ", [""])[0]
    width, _, height = size.partition(":")
    if not (_SIZE.fullmatch(width) and _SIZE.fullmatch(height or width)):
        raise BadSetup(f"SZ with a board size is wanted, not {size[:_ECHO]!r}")
    swapped = any(SWAP in node.get("W", []) for node in nodes)
    setup = Setup(int(width), int(height or width), "swap" if swapped else "standard")
    check_setup(setup)
    return setup


def _read_move(value: str, setup: Setup, old_words: bool) -> str:
    """A move in our spelling. Two letters are column and row as Little Golem writes them.

    `old_words` tells a HexGui up to 0.9, which wrote `swap-pieces` where it meant `swap-sides`.
    """
    word = value.strip().lower()
    if word == "swap" or (old_words and word == SWAP):
        return SWAP_SIDES
    if word in _WORDS:
        return word
    if _GO_POINT.fullmatch(word):
        word = format_square(LETTERS.index(word[0]), LETTERS.index(word[1]))
    try:
        return format_square(*parse_cell(word, setup))
    except IllegalMove as error:
        raise BadSetup(str(error)) from None


def _main_line(text: str) -> list[Properties]:
    """The nodes of the first game tree, following its first variations."""
    nodes: list[Properties] = []
    place = text.find("(")
    if place < 0:
        raise BadSetup("a game record such as (;GM[11]SZ[11]...) is wanted")
    while place < len(text) and text[place] != ")":
        match = _PROPERTY.match(text, place)
        if match:
            if not nodes:
                raise BadSetup("a property stands before the first node")
            values = nodes[-1].setdefault(match[1], [])
            values += [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in _VALUE.findall(match[2])]
            place = match.end()
        elif text[place] == ";":
            nodes.append({})
            place += 1
        elif text[place] == "(" or text[place].isspace():
            place += 1
        else:
            raise BadSetup(f"the record cannot be read at {text[place : place + 20]!r}")
    if not nodes:
        raise BadSetup("the record has no node")
    return nodes


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
