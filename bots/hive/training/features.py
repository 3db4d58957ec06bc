"""The features of Hive's evaluation in plain Python, for fitting the weights and for testing the kernel.

A feature is named after its weight in bots/hive/weights.py, by name and index, such as `("QUEEN_MOBILE", 3)`; the
index is 0 if the weight stands alone, and STEP_COUNT * kind + steps in tables by kind and steps.
bots/hive/kernels/evaluate.py is the fast version. `state` is the kernels' state of a position, whose fields are
described in bots/hive/kernels/board.py.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

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
MAX_PLACEMENT_SPOTS = 5  # tiles of a side that count for PLACEMENT_SPOTS, at most
MAX_STEPS = 5  # steps to a queen, at most
NO_QUEEN = 6  # in place of the steps to a queen that is in hand
STEP_COUNT = 7


def count_features(state: Hive) -> Counter[Feature]:
    """Return the features of the side to move minus those of the other side."""
    total: Counter[Feature] = Counter({("TEMPO", 0): 1})
    us = state.side
    total.update(SideFeatures(state, us).count())
    total.subtract(SideFeatures(state, 1 - us).count())
    return total


def evaluate(state: Hive) -> int:
    """Return the evaluation for the side to move, which the kernel also limits to a range."""
    late = change = 0
    for feature, count in count_features(state).items():
        weight = weight_of(feature)
        late, change = late + weight[0] * count, change + weight[1] * count
    return late + change * tiles_in_hand(state) // weights.HAND_UNIT


def tiles_in_hand(state: Hive) -> int:
    """Return the number of tiles that both sides have in hand."""
    return state.in_hand[0] + state.in_hand[1]


def weight_of(feature: Feature) -> tuple[int, int]:
    """Return the weight of a feature in bots/hive/weights.py: value with empty hands, change per HAND_UNIT tiles."""
    name, index = feature
    return list_pairs(getattr(weights, name))[index]


def list_pairs(value: Any) -> list[tuple[int, int]]:
    """Return the pairs of a weight: a pair, a tuple of pairs, or a tuple of such tuples."""
    if isinstance(value[0], int):
        return [value]
    return [pair for part in value for pair in list_pairs(part)]


def all_features() -> list[Feature]:
    """Return every feature that has a weight, in the order of bots/hive/weights.py."""
    tables = {name: value for name, value in vars(weights).items() if name.isupper() and isinstance(value, tuple)}
    return [(name, index) for name, value in tables.items() for index in range(len(list_pairs(value)))]


class SideFeatures:
    """Counts the features of one side (0 white, 1 black) of a position.

    Tiles, cells and directions are numbered as in bots/hive/tiles.py.
    """

    def __init__(self, state: Hive, side: int) -> None:
        self.state = state
        self.side = side
        self.uncovered = [tile for tile in range(2 * SIDE_TILES) if state.uncovered[tile // SIDE_TILES] >> tile & 1]
        self.own = [tile for tile in self.uncovered if tile // SIDE_TILES == side]
        self.queen_cell = state.tile_cell[side * SIDE_TILES]  # -1 in hand
        self.enemy_queen_cell = state.tile_cell[(1 - side) * SIDE_TILES]  # -1 in hand
        self.mobile = {tile for tile in self.own if self._can_move(tile)}

    def count(self) -> Counter[Feature]:
        """Return all features of the side."""
        counts: Counter[Feature] = Counter()
        for kind in range(1, 8):  # all but the queen, which has features of her own
            counts["TILE_IN_HAND", kind] += self.state.kind_limits[kind] - self.state.placed[self.side][kind]
            counts["COVERED_TILE", kind] += self.state.placed[self.side][kind]
        for tile in self.own:
            kind = TILE_KINDS[tile % SIDE_TILES]
            prefix = "MOBILE" if tile in self.mobile else "IMMOBILE"
            counts["COVERED_TILE", kind] -= kind != QUEEN
            counts[f"{prefix}_TO_ENEMY_QUEEN", STEP_COUNT * kind + self.steps(tile, self.enemy_queen_cell)] += 1
            counts[f"{prefix}_TO_OWN_QUEEN", STEP_COUNT * kind + self.steps(tile, self.queen_cell)] += kind != QUEEN
            below = self.state.tile_below[tile]
            if below >= 0:
                is_own = below // SIDE_TILES == self.side
                counts["COVERS_OWN", TILE_KINDS[below % SIDE_TILES]] += is_own
                counts["COVERS_ENEMY", 0] += not is_own
        if self.state.in_hand[self.side]:
            counts["PLACEMENT_SPOTS", 0] = min(sum(map(self._has_placement_beside, self.own)), MAX_PLACEMENT_SPOTS)
        if self.enemy_queen_cell >= 0:
            neighbour_count = len(self.occupied_directions(self.enemy_queen_cell))
            counts["ATTACKERS", neighbour_count] = min(self._attackers(), 6 - neighbour_count)
        if self.queen_cell >= 0:
            self._count_queen(counts)
        return counts

    def _count_queen(self, counts: Counter[Feature]) -> None:
        """Count the features of the own queen."""
        queen = self.side * SIDE_TILES  # the tile
        around = self.occupied_directions(self.queen_cell)
        counts["QUEEN_NEIGHBOURS", len(around)] = 1
        top = self.state.top[self.queen_cell]
        counts["QUEEN_COVERED", 0] = -(top // SIDE_TILES != self.side)
        counts["QUEEN_MOBILE", len(around)] = int(queen in self.mobile)
        pillbug = queen + TILE_KINDS.index(PILLBUG)
        is_beside = any(self.state.top[neighbour(self.queen_cell, d)] == pillbug for d in around)
        counts["PILLBUG_RESCUE", 0] = int(top == queen and is_beside and _count_groups(around) == 1)

    def occupied_directions(self, cell: int) -> list[int]:
        """Return the directions in which a cell has an occupied neighbour."""
        return [d for d in range(6) if self.state.height[neighbour(cell, d)]]

    def steps(self, tile: int, queen_cell: int) -> int:
        """Return the steps from a tile to a queen as the weights count them."""
        return NO_QUEEN if queen_cell < 0 else min(self._distance(tile, queen_cell), MAX_STEPS)

    def _distance(self, tile: int, cell: int) -> int:
        """Return the number of steps from a tile to a cell on the torus of bots/hive/tiles.py."""
        delta = (self.state.tile_cell[tile] - cell) % STRIDE**2
        q = (delta + STRIDE // 2) % STRIDE - STRIDE // 2
        r = ((delta - q) // STRIDE + STRIDE // 2) % STRIDE - STRIDE // 2
        return max(abs(q), abs(r), abs(q + r))

    def _distance_to_queen(self, tile: int) -> int:
        """Return the number of steps from a tile to the enemy queen."""
        return self._distance(tile, self.enemy_queen_cell)

    def _slide_directions(self, cell: int) -> list[int]:
        """Return the directions in which a tile on the ground can slide one step."""
        around = self.occupied_directions(cell)
        return [d for d in range(6) if d not in around and ((d + 1) % 6 in around) != ((d + 5) % 6 in around)]

    def _can_move(self, tile: int) -> bool:
        """Return whether an uncovered tile is on a stack, or is not pinned and, if it only slides, can slide a step."""
        if self.state.tile_level[tile]:
            return True
        if self.is_pinned(tile):
            return False
        cell = self.state.tile_cell[tile]
        return TILE_KINDS[tile % SIDE_TILES] not in (QUEEN, SPIDER, ANT, PILLBUG) or bool(self._slide_directions(cell))

    def is_pinned(self, tile: int) -> bool:
        """Return whether an uncovered tile on the ground holds the hive together."""
        return not self.state.tile_level[tile] and not self._is_connected_without(self.state.tile_cell[tile])

    def _is_connected_without(self, cell: int) -> bool:
        """Return whether the hive stays connected if a cell becomes empty."""
        cells = {self.state.tile_cell[tile] for tile in self.uncovered} - {cell}
        reached = set(list(cells)[:1])
        queue = list(reached)
        while queue:
            current = queue.pop()
            new_cells = {neighbour(current, d) for d in range(6)} & cells - reached
            reached |= new_cells
            queue += new_cells
        return reached == cells

    def _has_placement_beside(self, tile: int) -> bool:
        """Return whether the side may place a tile beside one of its uncovered tiles."""
        cell = self.state.tile_cell[tile]
        empty = [neighbour(cell, d) for d in range(6) if d not in self.occupied_directions(cell)]
        return any(not self._touches_enemy(other) for other in empty)

    def _touches_enemy(self, cell: int) -> bool:
        """Return whether a top tile beside a cell is the enemy's."""
        return any(self.state.top[neighbour(cell, d)] // SIDE_TILES == 1 - self.side for d in range(6))

    def _attackers(self) -> int:
        """Estimate how many mobile tiles at distance 2 or more can reach an empty cell beside the enemy queen.

        Ants count for one open cell each. Beetles and mosquitoes count at distance 2, ladybugs up to 4, grasshoppers if
        a jump ends on such a cell.
        """
        distant = [tile for tile in self.mobile if self._distance_to_queen(tile) >= 2]
        kinds = {tile: TILE_KINDS[tile % SIDE_TILES] for tile in distant}
        ants = sum(kinds[tile] == ANT and not self.state.tile_level[tile] for tile in distant)
        climbers = sum(kinds[tile] in (BEETLE, MOSQUITO) and self._distance_to_queen(tile) == 2 for tile in distant)
        ladybugs = sum(kinds[tile] == LADYBUG and self._distance_to_queen(tile) <= 4 for tile in distant)
        grasshoppers = {tile for tile in distant if kinds[tile] == GRASSHOPPER}
        open_cells, arriving = 0, set[int]()
        for direction in set(range(6)) - set(self.occupied_directions(self.enemy_queen_cell)):
            cell = neighbour(self.enemy_queen_cell, direction)
            open_cells += bool({(direction + offset) % 6 for offset in (-1, 0, 1)} & set(self._slide_directions(cell)))
            arriving |= grasshoppers & self._jump_origins(cell)
        return min(ants, open_cells) + climbers + ladybugs + len(arriving)

    def _jump_origins(self, cell: int) -> set[int]:
        """Return the top tiles that a straight jump over at least one tile would bring to an empty cell."""
        origins = set()
        for direction in range(6):
            current = neighbour(neighbour(cell, direction), direction)
            while self.state.height[neighbour(cell, direction)] and self.state.height[current]:
                origins.add(self.state.top[current])
                current = neighbour(current, direction)
        return origins


def _count_groups(around: list[int]) -> int:
    """Count the runs of adjacent directions; all six together count 0."""
    return sum((d + 1) % 6 not in around for d in around)
