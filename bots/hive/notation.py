"""Hive text as the Universal Hive Protocol writes it: types of game, tiles, moves (`wA1 -bQ`), whole games.

Strict in what is written, generous in what is read: any case, spare blanks, sign before or after the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.hive.tiles import KIND_COUNT, KIND_LETTERS, KINDS, LADYBUG, MOSQUITO, PILLBUG
from core.play.player import BadSetup, IllegalMove, Setup

VARIANTS = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
PASS_TEXT = "pass"

_SIGNS_AFTER = {"-": 0, "/": 1, "\\": 5}  # `X-` is the cell east of X
_SIGNS_BEFORE = {"\\": 2, "-": 3, "/": 4}


def _tile_names() -> tuple[str, ...]:
    names = []
    for colour in "wb":
        for place, kind in enumerate(KINDS):
            number = place - KINDS.index(kind) + 1
            names.append(colour + KIND_LETTERS[kind] + (str(number) if KIND_COUNT[kind] > 1 else ""))
    return tuple(names)


TILE_NAMES = _tile_names()
_TILES = {name.lower(): tile for tile, name in enumerate(TILE_NAMES)}


@dataclass(frozen=True)
class MoveText:
    """A move as it is written. `tile` is None for a pass, `reference` for the first move of a game.

    `direction` is where the tile goes as seen from the reference; None means on top of it.
    """

    tile: int | None
    reference: int | None = None
    direction: int | None = None


def parse_variant(text: str) -> int:
    """Kinds that a type of game adds, a bit each; letters in any order. Raise BadSetup naming the known types."""
    base, plus, letters = text.strip().partition("+")
    kinds = [KIND_LETTERS.find(letter) for letter in letters.upper()]
    known = all(kind in (MOSQUITO, LADYBUG, PILLBUG) for kind in kinds)
    if base.lower() != "base" or bool(plus) != bool(kinds) or not known or len(set(kinds)) < len(kinds):
        raise BadSetup(f"unknown type of game {text!r}; known: {', '.join(VARIANTS)}")
    return sum(1 << kind for kind in kinds)


def check_setup(setup: Setup) -> Setup:
    """The setup, as the game spells it; raise BadSetup where there is no such type."""
    return Setup(variant=format_variant(parse_variant(setup.variant)))


def format_variant(expansions: int) -> str:
    """The type of game that adds these kinds."""
    letters = "".join(KIND_LETTERS[kind] for kind in (MOSQUITO, LADYBUG, PILLBUG) if expansions >> kind & 1)
    return "Base+" + letters if letters else "Base"


def parse_tile(text: str) -> int:
    """Number of a tile from its name; raise IllegalMove."""
    tile = _TILES.get(text.lower())
    if tile is None:
        raise IllegalMove(f"a tile such as wQ or bA1 is wanted, not {text!r}")
    return tile


def parse_move(text: str) -> MoveText:
    """Read a move; raise IllegalMove where it has not the form of one."""
    words = text.split()
    if len(words) == 1 and words[0].lower() == PASS_TEXT:
        return MoveText(None)
    if len(words) == 1:
        return MoveText(parse_tile(words[0]))
    if len(words) != 2:
        raise IllegalMove(f"a move such as 'wA1 -bQ' or 'pass' is wanted, not {text!r}")
    tile, place = parse_tile(words[0]), words[1]
    if place[0] in _SIGNS_BEFORE:
        return MoveText(tile, parse_tile(place[1:]), _SIGNS_BEFORE[place[0]])
    if place[-1] in _SIGNS_AFTER:
        return MoveText(tile, parse_tile(place[:-1]), _SIGNS_AFTER[place[-1]])
    return MoveText(tile, parse_tile(place))


def format_move(move: MoveText) -> str:
    """Write a move; the inverse of `parse_move`."""
    if move.tile is None:
        return PASS_TEXT
    name = TILE_NAMES[move.tile]
    if move.reference is None:
        return name
    reference = TILE_NAMES[move.reference]
    for sign, direction in _SIGNS_AFTER.items():
        if direction == move.direction:
            return f"{name} {reference}{sign}"
    for sign, direction in _SIGNS_BEFORE.items():
        if direction == move.direction:
            return f"{name} {sign}{reference}"
    return f"{name} {reference}"


def parse_game(text: str) -> tuple[str, list[str]]:
    """Type of game and moves of a GameString; raise BadSetup.

    State and turn are not looked at, for they follow from the moves. A type alone is a game without moves.
    """
    fields = [field.strip() for field in text.split(";")]
    variant = format_variant(parse_variant(fields[0]))
    moves = fields[3:]
    if "" in moves:
        raise BadSetup(f"move {moves.index('') + 1} of the game is empty")
    return variant, moves


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Moves of an opening line: a GameString of the setup's type, or bare moves between semicolons; raise BadSetup."""
    if not _names_type(line):
        moves = [field.strip() for field in line.split(";")]
    else:
        variant, moves = parse_game(line)
        if parse_variant(variant) != parse_variant(setup.variant):
            raise BadSetup(f"the opening is a game of {variant}, not of {setup.variant}")
    try:
        for move in moves:
            parse_move(move)
    except IllegalMove as error:
        raise BadSetup(f"opening {line!r}: {error}") from None
    return moves


def format_opening(moves: Sequence[str], setup: Setup) -> str:
    """The GameString of a game that goes on after some moves."""
    return ";".join([setup.variant, "InProgress", format_turn(len(moves)), *moves])


def setup_of_opening(line: str) -> Setup | None:
    """The type of game that a GameString names, None for bare moves; raise BadSetup."""
    return Setup(variant=parse_game(line)[0]) if _names_type(line) else None


def _names_type(line: str) -> bool:
    return line.strip().lower().startswith("base")


def format_turn(plies: int) -> str:
    """Side to move and its turn after a number of plies: `White[1]` at the start."""
    return f"{('White', 'Black')[plies % 2]}[{plies // 2 + 1}]"
