"""What Hive's evaluation counts, in plain Python: the slow twin of kernels/evaluate.py, for fitting and for tests.

A feature is named as its number in `weights.py`, such as `("FREE", ANT)`; scalars have the index 0.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bots.hive import weights
from bots.hive.tiles import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    KINDS,
    LADYBUG,
    MOSQUITO,
    PILLBUG,
    QUEEN,
    SIDE_TILES,
    SPIDER,
    STRIDE,
    neighbour,
)

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive

Feature = tuple[str, int]
FREEDOM_TILES = 5


def count_features(state: Hive) -> Counter[Feature]:
    """Features of the side to move less those of the other; `sum(weight * count)` is the estimate."""
    total: Counter[Feature] = Counter({("TEMPO", 0): 1})
    us = state.side
    total.update(_Side(state, us).count())
    total.subtract(_Side(state, 1 - us).count())
    return total


def weight_of(feature: Feature) -> int:
    """The present weight of a feature."""
    name, index = feature
    value = getattr(weights, name)
    return int(value[index] if isinstance(value, tuple) else value)


def all_features() -> list[Feature]:
    """Every feature that has a weight, in the order of `weights.py`."""
    names = [name for name in vars(weights) if name.isupper() and name != "UNITS"]
    lengths = {name: len(value) if isinstance(value := getattr(weights, name), tuple) else 1 for name in names}
    return [(name, index) for name in names for index in range(lengths[name])]


class _Side:
    """One side's view of a position."""

    def __init__(self, state: Hive, side: int) -> None:
        self.state = state
        self.side = side
        self.tops = [tile for tile in range(2 * SIDE_TILES) if state.tops[tile // SIDE_TILES] >> tile & 1]
        self.own = [tile for tile in self.tops if tile // SIDE_TILES == side]
        self.queen = state.tile_cell[side * SIDE_TILES]
        self.target = state.tile_cell[(1 - side) * SIDE_TILES]
        self.free = {tile for tile in self.own if self._can_move(tile)}

    def count(self) -> Counter[Feature]:
        """All features of the side."""
        found: Counter[Feature] = Counter()
        for kind in range(1, 8):
            found["HAND", kind] += self.state.limits[kind] - self.state.placed[self.side][kind]
            found["HELD", kind] += self.state.placed[self.side][kind]
        for tile in self.free:
            kind = KINDS[tile % SIDE_TILES]
            found["FREE", kind] += 1
            found["HELD", kind] -= 1
            below = self.state.tile_below[tile]
            found["ON_ENEMY", 0] += below >= 0 and below // SIDE_TILES != self.side
            if kind in (BEETLE, MOSQUITO) and self.target >= 0:
                found["NEAR_QUEEN", min(self._steps(tile), 3)] += 1
        found["HELD", QUEEN] = found["FREE", QUEEN] = 0
        if self.state.in_hand[self.side]:
            found["FREEDOM", 0] = min(sum(map(self._offers_placement, self.own)), FREEDOM_TILES)
        if self.target >= 0:
            crowd = len(self._around(self.target))
            found["ATTACK", crowd] = min(self._attackers(), 6 - crowd)
        if self.queen >= 0:
            self._count_queen(found)
        return found

    def _count_queen(self, found: Counter[Feature]) -> None:
        queen = self.side * SIDE_TILES
        around = self._around(self.queen)
        found["CROWDED", len(around)] = 1
        top = self.state.top[self.queen]
        found["QUEEN_COVERED", 0] = -(top // SIDE_TILES != self.side)
        found["QUEEN_FREE", len(around)] = int(queen in self.free)
        pillbug = queen + KINDS.index(PILLBUG)
        beside = any(self.state.top[neighbour(self.queen, d)] == pillbug for d in around)
        found["ESCAPE", 0] = int(top == queen and beside and _groups(around) == 1)

    def _around(self, cell: int) -> list[int]:
        return [d for d in range(6) if self.state.height[neighbour(cell, d)]]

    def _steps(self, tile: int) -> int:
        delta = (self.state.tile_cell[tile] - self.target) % STRIDE**2
        q = (delta + STRIDE // 2) % STRIDE - STRIDE // 2
        r = ((delta - q) // STRIDE + STRIDE // 2) % STRIDE - STRIDE // 2
        return max(abs(q), abs(r), abs(q + r))

    def _slides(self, cell: int) -> list[int]:
        around = self._around(cell)
        return [d for d in range(6) if d not in around and ((d + 1) % 6 in around) != ((d + 5) % 6 in around)]

    def _can_move(self, tile: int) -> bool:
        if self.state.tile_level[tile]:
            return True
        cell = self.state.tile_cell[tile]
        if not self._hangs_together_without(cell):
            return False
        return KINDS[tile % SIDE_TILES] not in (QUEEN, SPIDER, ANT, PILLBUG) or bool(self._slides(cell))

    def _hangs_together_without(self, cell: int) -> bool:
        cells = {self.state.tile_cell[tile] for tile in self.tops} - {cell}
        reached = set(list(cells)[:1])
        waiting = list(reached)
        while waiting:
            at = waiting.pop()
            fresh = {neighbour(at, d) for d in range(6)} & cells - reached
            reached |= fresh
            waiting += fresh
        return reached == cells

    def _offers_placement(self, tile: int) -> bool:
        cell = self.state.tile_cell[tile]
        free = [neighbour(cell, d) for d in range(6) if d not in self._around(cell)]
        return any(not self._touches_enemy(other) for other in free)

    def _touches_enemy(self, cell: int) -> bool:
        return any(self.state.top[neighbour(cell, d)] // SIDE_TILES == 1 - self.side for d in range(6))

    def _attackers(self) -> int:
        far = [tile for tile in self.free if self._steps(tile) >= 2]
        kinds = {tile: KINDS[tile % SIDE_TILES] for tile in far}
        walkers = sum(kinds[tile] == ANT and not self.state.tile_level[tile] for tile in far)
        climbers = sum(kinds[tile] in (BEETLE, MOSQUITO) and self._steps(tile) == 2 for tile in far)
        ladybugs = sum(kinds[tile] == LADYBUG and self._steps(tile) <= 4 for tile in far)
        jumpers = {tile for tile in far if kinds[tile] == GRASSHOPPER}
        open_cells, arriving = 0, set[int]()
        for direction in set(range(6)) - set(self._around(self.target)):
            cell = neighbour(self.target, direction)
            open_cells += bool({(direction + turn) % 6 for turn in (-1, 0, 1)} & set(self._slides(cell)))
            arriving |= jumpers & self._lined_up(cell)
        return min(walkers, open_cells) + climbers + ladybugs + len(arriving)

    def _lined_up(self, cell: int) -> set[int]:
        """Top tiles from which a straight jump over at least one tile ends on an empty cell."""
        found = set()
        for direction in range(6):
            at = neighbour(neighbour(cell, direction), direction)
            while self.state.height[neighbour(cell, direction)] and self.state.height[at]:
                found.add(self.state.top[at])
                at = neighbour(at, direction)
        return found


def _groups(around: list[int]) -> int:
    return sum((d + 1) % 6 not in around for d in around)
