"""Hive's notation in the Universal Hive Protocol (UHP): game types, tiles, moves and GameStrings.

    game type    Base, Base+MLP
    tile         wQ, bA1 (colour, kind, number)
    move         wA1 -bQ (white's first ant goes west of black's queen), wB1 bQ (on top of it), wS1 (first move), pass
    GameString   Base;InProgress;White[2];wS1;bS1 wS1-

Output is always in the canonical form; input may be in any case, with extra spaces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bots.hive.tiles import KIND_LETTERS, LADYBUG, MOSQUITO, PILLBUG, TILE_KINDS, TILES_OF_KIND
from core.play.player import BadSetup, IllegalMove, Setup, illegal_move_is_bad_setup

VARIANTS = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
PASS_TEXT = "pass"
STATES = ("NotStarted", "InProgress", "Draw", "WhiteWins", "BlackWins")  # second field of a GameString

_TURN = re.compile(r"(?:white|black)\[[0-9]{1,4}\]", re.IGNORECASE)

# Direction codes (bots/hive/tiles.py) of the signs after and before a reference tile: `X-` is east of X, `-X` west.
_SIGNS_AFTER = {"-": 0, "/": 1, "\\": 5}
_SIGNS_BEFORE = {"\\": 2, "-": 3, "/": 4}


def _tile_names() -> tuple[str, ...]:
    """Return the names of all tiles in the order of their numbers."""
    names = []
    for colour in "wb":
        for tile, kind in enumerate(TILE_KINDS):
            number = tile - TILE_KINDS.index(kind) + 1
            names.append(colour + KIND_LETTERS[kind] + (str(number) if TILES_OF_KIND[kind] > 1 else ""))
    return tuple(names)


TILE_NAMES = _tile_names()
_TILE_BY_NAME = {name.lower(): tile for tile, name in enumerate(TILE_NAMES)}


@dataclass(frozen=True)
class MoveText:
    """A move as text describes it, independent of a position. Tiles are numbered as in bots/hive/tiles.py."""

    tile: int | None  # None for a pass
    reference: int | None = None  # None for the first move of a game
    direction: int | None = None  # from the reference to the target; None if the target is on top of the reference


def parse_variant(text: str) -> int:
    """Return the expansion tiles of a game type such as `Base+MLP`; raise BadSetup if the type is unknown.

    The result is a bit set: bit k is set if kind k (bots/hive/tiles.py) is in play. The letters may be in any order.
    """
    base, plus, letters = text.strip().partition("+")
    kinds = [KIND_LETTERS.find(letter) for letter in letters.upper()]
    all_known = all(kind in (MOSQUITO, LADYBUG, PILLBUG) for kind in kinds)
    if base.lower() != "base" or bool(plus) != bool(kinds) or not all_known or len(set(kinds)) < len(kinds):
        raise BadSetup(f"unknown type of game {text!r}; known: {', '.join(VARIANTS)}")
    return sum(1 << kind for kind in kinds)


def check_setup(setup: Setup) -> Setup:
    """Return the setup with its game type in canonical form; raise BadSetup if the type is unknown."""
    return Setup(variant=format_variant(parse_variant(setup.variant)))


def format_variant(expansions: int) -> str:
    """Return the game type with the expansion tiles of a bit set, the inverse of `parse_variant`."""
    letters = "".join(KIND_LETTERS[kind] for kind in (MOSQUITO, LADYBUG, PILLBUG) if expansions >> kind & 1)
    return "Base+" + letters if letters else "Base"


def parse_tile(text: str) -> int:
    """Return the number of a tile from its name; raise IllegalMove if there is no such tile."""
    tile = _TILE_BY_NAME.get(text.lower())
    if tile is None:
        raise IllegalMove(f"expected a tile such as wQ or bA1, not {text!r}")
    return tile


def parse_move(text: str) -> MoveText:
    """Parse a move; raise IllegalMove if the text does not have the form of a move."""
    words = text.split()
    if len(words) == 1 and words[0].lower() == PASS_TEXT:
        return MoveText(None)
    if len(words) == 1:
        return MoveText(parse_tile(words[0]))
    if len(words) != 2:
        raise IllegalMove(f"expected a move such as 'wA1 -bQ' or 'pass', not {text!r}")
    tile, target = parse_tile(words[0]), words[1]
    if target[0] in _SIGNS_BEFORE:
        return MoveText(tile, parse_tile(target[1:]), _SIGNS_BEFORE[target[0]])
    if target[-1] in _SIGNS_AFTER:
        return MoveText(tile, parse_tile(target[:-1]), _SIGNS_AFTER[target[-1]])
    return MoveText(tile, parse_tile(target))


def format_move(move: MoveText) -> str:
    """Return a move as text, the inverse of `parse_move`."""
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
    """Return the game type and the moves of a GameString; raise BadSetup if it is malformed.

    A game type alone is a game without moves. Otherwise the second and the third field are the state and the turn. Each
    must have the form of such a field or be empty. So a GameString without these fields is refused; its first two moves
    would be taken for them. The fields need not agree with the moves: hivegame.com calls a game NotStarted after its
    first move, and its bridge leaves the turn empty.
    """
    fields = [field.strip() for field in text.split(";")]
    variant = format_variant(parse_variant(fields[0]))
    state, turn = (*fields[1:3], "", "")[:2]
    moves = fields[3:]
    if state and state.lower() not in map(str.lower, STATES):
        raise BadSetup(f"the state of a game must be {', '.join(STATES[:-1])} or {STATES[-1]}, not {state[:40]!r}")
    if turn and not _TURN.fullmatch(turn):
        raise BadSetup(f"the turn of a game must have the form White[1] or Black[1], not {turn[:40]!r}")
    if "" in moves:
        raise BadSetup(f"move {moves.index('') + 1} of the game is empty")
    return variant, moves


def parse_opening(line: str, setup: Setup) -> list[str]:
    """Return the moves of a line of an opening book; raise BadSetup if the line is malformed.

    The line is a GameString of the setup's game type, or moves alone, separated by semicolons.
    """
    if not _is_game_string(line):
        moves = [field.strip() for field in line.split(";")]
    else:
        variant, moves = parse_game(line)
        if parse_variant(variant) != parse_variant(setup.variant):
            raise BadSetup(f"the opening is a game of {variant}, not of {setup.variant}")
    with illegal_move_is_bad_setup(f"opening {line!r}"):
        for move in moves:
            parse_move(move)
    return moves


def format_opening(moves: Sequence[str], setup: Setup) -> str:
    """Return the GameString of an unfinished game."""
    return ";".join([setup.variant, "InProgress", format_turn(len(moves)), *moves])


def setup_of_opening(line: str) -> Setup | None:
    """Return the setup of a GameString, None for moves alone; raise BadSetup if the GameString is malformed."""
    return Setup(variant=parse_game(line)[0]) if _is_game_string(line) else None


def _is_game_string(line: str) -> bool:
    """Return whether an opening line begins with a game type, as a GameString does, and not with a move."""
    return line.strip().lower().startswith("base")


def format_turn(plies: int) -> str:
    """Return the side to move and its turn number after some plies, such as `White[1]` at the start."""
    return f"{('White', 'Black')[plies % 2]}[{plies // 2 + 1}]"
