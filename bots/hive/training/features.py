"""The features of Hive's evaluation in plain Python, for fitting the weights and for testing the kernel.

A feature is a weight of bots/hive/weights.py: its name and its index, such as `("MOBILE_TILE", ANT)`; the index is 0 if
the weight is a single number. bots/hive/kernels/evaluate.py is the fast version.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bots.hive import weights
from bots.hive.tiles import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    LADYBUG,
    MOSQUITO,
    PILLBUG,
    QUEEN,
    SIDE_TILES,
    SPIDER,
    STRIDE,
    TILE_KINDS,
    neighbour,
)

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive

Feature = tuple[str, int]
MAX_PLACEMENT_SPOTS = 5


def count_features(state: Hive) -> Counter[Feature]:
    """Return the features of the side to move minus those of the other side.

    The sum of weight times count is the evaluation of the position.
    """
    total: Counter[Feature] = Counter({("TEMPO", 0): 1})
    us = state.side
    total.update(_Side(state, us).count())
    total.subtract(_Side(state, 1 - us).count())
    return total


def weight_of(feature: Feature) -> int:
    """Return the weight of a feature in bots/hive/weights.py."""
    name, index = feature
    value = getattr(weights, name)
    return int(value[index] if isinstance(value, tuple) else value)


def all_features() -> list[Feature]:
    """Return every feature that has a weight, in the order of bots/hive/weights.py."""
    names = [name for name in vars(weights) if name.isupper()]
    lengths = {name: len(value) if isinstance(value := getattr(weights, name), tuple) else 1 for name in names}
    return [(name, index) for name in names for index in range(lengths[name])]


class _Side:
    """Counts the features of one side of a position."""

    def __init__(self, state: Hive, side: int) -> None:
        self.state = state
        self.side = side
        self.uncovered = [tile for tile in range(2 * SIDE_TILES) if state.uncovered[tile // SIDE_TILES] >> tile & 1]
        self.own = [tile for tile in self.uncovered if tile // SIDE_TILES == side]
        self.queen = state.tile_cell[side * SIDE_TILES]
        self.target = state.tile_cell[(1 - side) * SIDE_TILES]
        self.mobile = {tile for tile in self.own if self._can_move(tile)}

    def count(self) -> Counter[Feature]:
        """Return all features of the side."""
        found: Counter[Feature] = Counter()
        for kind in range(1, 8):
            found["TILE_IN_HAND", kind] += self.state.kind_limits[kind] - self.state.placed[self.side][kind]
            found["IMMOBILE_TILE", kind] += self.state.placed[self.side][kind]
        for tile in self.mobile:
            kind = TILE_KINDS[tile % SIDE_TILES]
            found["MOBILE_TILE", kind] += 1
            found["IMMOBILE_TILE", kind] -= 1
            below = self.state.tile_below[tile]
            found["COVERS_ENEMY", 0] += below >= 0 and below // SIDE_TILES != self.side
            if kind in (BEETLE, MOSQUITO) and self.target >= 0:
                found["CLIMBER_DISTANCE", min(self._distance_to_queen(tile), 3)] += 1
        found["IMMOBILE_TILE", QUEEN] = found["MOBILE_TILE", QUEEN] = 0
        if self.state.in_hand[self.side]:
            found["PLACEMENT_SPOTS", 0] = min(sum(map(self._has_placement_beside, self.own)), MAX_PLACEMENT_SPOTS)
        if self.target >= 0:
            neighbour_count = len(self._around(self.target))
            found["ATTACKERS", neighbour_count] = min(self._attackers(), 6 - neighbour_count)
        if self.queen >= 0:
            self._count_queen(found)
        return found

    def _count_queen(self, found: Counter[Feature]) -> None:
        """Count the features of the own queen."""
        queen = self.side * SIDE_TILES
        around = self._around(self.queen)
        found["QUEEN_NEIGHBOURS", len(around)] = 1
        top = self.state.top[self.queen]
        found["QUEEN_COVERED", 0] = -(top // SIDE_TILES != self.side)
        found["QUEEN_MOBILE", len(around)] = int(queen in self.mobile)
        pillbug = queen + TILE_KINDS.index(PILLBUG)
        beside = any(self.state.top[neighbour(self.queen, d)] == pillbug for d in around)
        found["PILLBUG_RESCUE", 0] = int(top == queen and beside and _groups(around) == 1)

    def _around(self, cell: int) -> list[int]:
        """Return the directions in which a cell has an occupied neighbour."""
        return [d for d in range(6) if self.state.height[neighbour(cell, d)]]

    def _distance_to_queen(self, tile: int) -> int:
        """Return the number of steps from a tile to the enemy queen on the torus of bots/hive/tiles.py."""
        delta = (self.state.tile_cell[tile] - self.target) % STRIDE**2
        q = (delta + STRIDE // 2) % STRIDE - STRIDE // 2
        r = ((delta - q) // STRIDE + STRIDE // 2) % STRIDE - STRIDE // 2
        return max(abs(q), abs(r), abs(q + r))

    def _slides(self, cell: int) -> list[int]:
        """Return the directions in which a tile on the ground can slide one step."""
        around = self._around(cell)
        return [d for d in range(6) if d not in around and ((d + 1) % 6 in around) != ((d + 5) % 6 in around)]

    def _can_move(self, tile: int) -> bool:
        """Return whether an uncovered tile is not pinned and, if it only slides, has a cell to slide to."""
        if self.state.tile_level[tile]:
            return True
        cell = self.state.tile_cell[tile]
        if not self._is_connected_without(cell):
            return False
        return TILE_KINDS[tile % SIDE_TILES] not in (QUEEN, SPIDER, ANT, PILLBUG) or bool(self._slides(cell))

    def _is_connected_without(self, cell: int) -> bool:
        """Return whether the hive stays connected if a cell becomes empty."""
        cells = {self.state.tile_cell[tile] for tile in self.uncovered} - {cell}
        reached = set(list(cells)[:1])
        queue = list(reached)
        while queue:
            current = queue.pop()
            fresh = {neighbour(current, d) for d in range(6)} & cells - reached
            reached |= fresh
            queue += fresh
        return reached == cells

    def _has_placement_beside(self, tile: int) -> bool:
        cell = self.state.tile_cell[tile]
        empty = [neighbour(cell, d) for d in range(6) if d not in self._around(cell)]
        return any(not self._touches_enemy(other) for other in empty)

    def _touches_enemy(self, cell: int) -> bool:
        return any(self.state.top[neighbour(cell, d)] // SIDE_TILES == 1 - self.side for d in range(6))

    def _attackers(self) -> int:
        """Return the number of tiles that can reach an empty cell beside the enemy queen."""
        distant = [tile for tile in self.mobile if self._distance_to_queen(tile) >= 2]
        kinds = {tile: TILE_KINDS[tile % SIDE_TILES] for tile in distant}
        ants = sum(kinds[tile] == ANT and not self.state.tile_level[tile] for tile in distant)
        climbers = sum(kinds[tile] in (BEETLE, MOSQUITO) and self._distance_to_queen(tile) == 2 for tile in distant)
        ladybugs = sum(kinds[tile] == LADYBUG and self._distance_to_queen(tile) <= 4 for tile in distant)
        grasshoppers = {tile for tile in distant if kinds[tile] == GRASSHOPPER}
        open_cells, arriving = 0, set[int]()
        for direction in set(range(6)) - set(self._around(self.target)):
            cell = neighbour(self.target, direction)
            open_cells += bool({(direction + offset) % 6 for offset in (-1, 0, 1)} & set(self._slides(cell)))
            arriving |= grasshoppers & self._jump_origins(cell)
        return min(ants, open_cells) + climbers + ladybugs + len(arriving)

    def _jump_origins(self, cell: int) -> set[int]:
        """Return the top tiles that a straight jump over at least one tile would bring to an empty cell."""
        found = set()
        for direction in range(6):
            current = neighbour(neighbour(cell, direction), direction)
            while self.state.height[neighbour(cell, direction)] and self.state.height[current]:
                found.add(self.state.top[current])
                current = neighbour(current, direction)
        return found


def _groups(around: list[int]) -> int:
    """Count the runs of adjacent directions."""
    return sum((d + 1) % 6 not in around for d in around)
