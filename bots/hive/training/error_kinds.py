"""Says of what kind the errors are that find_errors.py finds: what happens in the line that the long search expects.

The victim is the side for which the short search hoped too much, the attacker the other one. A position is of a kind if
the kind occurs in the line, and may be of several. The table also has the kinds of positions that both searches score
alike, because most kinds are frequent in any line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, SIDE_TILES, TILE_KINDS, neighbour
from bots.hive.training.features import SideFeatures
from core.play.player import Setup
from core.play.win_probability import logistic_probability
from core.search.scores import win_distance

KIND_NAMES = (
    "the queen",
    "a spider",
    "a beetle",
    "a grasshopper",
    "an ant",
    "the mosquito",
    "the ladybug",
    "the pillbug",
)
SCALE = 93  # score at which a side wins 73 %, for comparing two scores
MIN_ERROR = 0.1  # difference of win probabilities that counts as an error
RACE_NEIGHBOURS = 4  # of both queens
FEW_CELLS = 2  # empty cells beside a queen
KINDS = {  # what the table says of each kind
    "few cells": f"before the line, the victim's queen has at most {FEW_CELLS} empty neighbours",
    "race": f"before the line, both queens have {RACE_NEIGHBOURS} or more neighbours",
    "threats": "each move of the attacker threatens to surround the queen",
    "pinning defence": "a move of the victim pins a tile of the attacker that could move",
    "throw of an enemy tile": "the attacker throws a tile of the victim",
    "queen thrown": "the attacker throws its own queen",
    "queen's escape": "the attacker's queen slides away",
    "queen pinned": "a move of the attacker pins the victim's queen",
    "tile pinned": "a move of the attacker pins another tile that could move",
    "pinned tile freed": "the attacker moves a tile that was pinned before the line",
    "gate closed": "a move of the attacker shuts in a tile that could slide",
    "tile covered": "the attacker climbs on a tile of the victim other than its queen",
    "queen covered": "the attacker climbs on the victim's queen",
    "placed beside queen": "the attacker places a tile beside the victim's queen",
    "moved beside queen": "the attacker moves a tile of its own beside the victim's queen",
    **{f"last cell {kind}": f"the last cell can be filled by {name}" for kind, name in enumerate(KIND_NAMES)},
}


@dataclass(frozen=True)
class ComparedPosition:
    """A position of a lost game with the results of two searches. Scores and lines are for the side to move."""

    game: str
    variant: str
    moves: list[str]  # from the start of the game, in UHP
    played: str  # the move that the loser played
    static: int  # evaluation without a search
    short: int  # score of the short search
    long: int  # score of the long search
    short_pv: list[str]
    long_pv: list[str]

    @property
    def error(self) -> float:
        """Win probability by the short search minus that by the long one."""
        return logistic_probability(self.short, SCALE) - logistic_probability(self.long, SCALE)


def group_positions(positions: Sequence[ComparedPosition]) -> dict[str, list[ComparedPosition]]:
    """Return the positions by the size of the error: proven by the long search, other errors, small differences."""
    groups: dict[str, list[ComparedPosition]] = {"proven": [], "other errors": [], "small": []}
    for position in positions:
        is_proven = win_distance(position.long) is not None
        is_error = abs(position.error) >= MIN_ERROR
        if is_error or not is_proven:
            groups["small" if not is_error else "proven" if is_proven else "other errors"].append(position)
    return groups


def format_table(positions: Sequence[ComparedPosition]) -> str:
    """Return the share of each kind in each group of positions, as a table of Markdown."""
    groups = group_positions(positions)
    counts = [Counter(kind for position in group for kind in classify(position)) for group in groups.values()]
    lines = [
        "| in the line of the long search | " + " | ".join(f"{name}: {len(groups[name])}" for name in groups) + " |",
        "|---" * (1 + len(groups)) + "|",
    ]
    for kind, text in KINDS.items():
        shares = [
            f"{count[kind] / max(1, len(group)):.0%}" for count, group in zip(counts, groups.values(), strict=True)
        ]
        lines.append(f"| {text} | {' | '.join(shares)} |")
    return "\n".join(lines)


def classify(compared: ComparedPosition) -> set[str]:
    """Return the kinds (keys of KINDS) of a position."""
    position = HivePosition(Setup(variant=compared.variant))
    for move in compared.moves:
        position.play(move)
    attacker = 1 - position.to_move if compared.error > 0 else position.to_move
    return _Line(position, attacker).kinds(compared.long_pv)


class _Line:
    """Finds the kinds in a line from a position. `attacker` and `victim` are sides (0 white, 1 black)."""

    def __init__(self, position: HivePosition, attacker: int) -> None:
        self.position = position
        self.state = position.state
        self.attacker, self.victim = attacker, 1 - attacker
        start = SideFeatures(position.state, attacker)
        self.pinned_at_start = {tile for tile in start.own if start.is_pinned(tile)}
        self.found: set[str] = set()

    def kinds(self, moves: Sequence[str]) -> set[str]:
        """Return the kinds of the line with these moves; play them in the position."""
        neighbours = [self._queen_neighbours(side) for side in (self.attacker, self.victim)]
        if neighbours[1] >= 6 - FEW_CELLS:
            self.found.add("few cells")
        if min(neighbours) >= RACE_NEIGHBOURS:
            self.found.add("race")
        threats = []
        for move in moves:
            if self.position.to_move == self.attacker:
                self._play_attack(move)
                threats.append(self.state.result != 0 or self.position.library.must_answer_threat(self.state) != 0)
            else:
                self._play_defence(move)
        if threats and all(threats):
            self.found.add("threats")
        if self.position.to_move == self.attacker:
            self._find_last_cell()
        return self.found

    def _play_attack(self, move: str) -> None:
        """Play a move of the attacker and add its kinds."""
        code = self.position.parse(move)
        tile, target = (code >> MOVE_SHIFT) - 1, code % CELLS
        if code == PASS:
            self.position.play(move)
            return
        origin, covered, queen = self.state.tile_cell[tile], self.state.top[target], self.victim * SIDE_TILES
        before = SideFeatures(self.state, self.victim)
        self.position.play(move)
        after = SideFeatures(self.state, self.victim)
        is_own, is_beside = tile // SIDE_TILES == self.attacker, self._touches(target, self.state.tile_cell[queen])
        if not is_own:
            self.found.add("throw of an enemy tile")
        elif tile % SIDE_TILES == 0 and origin >= 0:
            self.found.add("queen's escape" if self._touches(origin, target) else "queen thrown")
        elif covered >= 0 and covered // SIDE_TILES == self.victim:
            self.found.add("queen covered" if covered == queen else "tile covered")
        if is_own and is_beside and covered < 0:
            self.found.add("placed beside queen" if origin < 0 else "moved beside queen")
        if tile in self.pinned_at_start:
            self.found.add("pinned tile freed")
        for stopped in _stopped(before, after, tile):
            if not after.is_pinned(stopped):
                self.found.add("gate closed")
            else:
                self.found.add("queen pinned" if stopped == queen else "tile pinned")

    def _play_defence(self, move: str) -> None:
        """Play a move of the victim and add its kind."""
        before = SideFeatures(self.state, self.attacker)
        code = self.position.parse(move)
        self.position.play(move)
        after = SideFeatures(self.state, self.attacker)
        if any(after.is_pinned(tile) for tile in _stopped(before, after, (code >> MOVE_SHIFT) - 1)):
            self.found.add("pinning defence")

    def _find_last_cell(self) -> None:
        """Add the kinds of the tiles with which the attacker, who is to move, can surround the queen at once."""
        for move in self.position.legal_moves():
            tile = (self.position.parse(move) >> MOVE_SHIFT) - 1
            self.position.play(move)
            outcome = self.position.outcome()
            if outcome is not None and outcome.winner == self.attacker:
                self.found.add(f"last cell {TILE_KINDS[tile % SIDE_TILES]}")
            self.position.undo()

    def _queen_neighbours(self, side: int) -> int:
        """Return the number of occupied cells beside a side's queen."""
        return sum(self.state.height[neighbour(self.state.tile_cell[side * SIDE_TILES], d)] > 0 for d in range(6))

    def _touches(self, cell: int, other: int) -> bool:
        return any(neighbour(cell, direction) == other for direction in range(6))


def _stopped(before: SideFeatures, after: SideFeatures, moved: int) -> set[int]:
    """Return the tiles of a side that could move before a move and cannot after it, except covered and moved ones."""
    return (before.mobile - after.mobile) & set(after.own) - {moved}
