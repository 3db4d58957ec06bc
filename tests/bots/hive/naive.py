"""A slow, simple implementation of the rules of Hive, the reference for tests of the kernels.

The board is a dictionary of stacks and has no edges. Each rule follows the wording of the rules in the reference of the
Universal Hive Protocol; numbers in docstrings are its sections. The module shares no code with `bots.hive`. A position
is immutable: `after` returns a new one. Coordinates are axial (q to the east, r to the south-east), and the first tile
is at (0, 0). Tiles have their names in the protocol: colour, kind and number, such as `wA1` or `bQ`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Coordinates = tuple[int, int]
Move = tuple[str, Coordinates] | None  # tile and target; None is a pass
Stacks = dict[Coordinates, tuple[str, ...]]  # tiles from the ground up; occupied cells only

TILES_OF_KIND = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3, "M": 1, "L": 1, "P": 1}
# Steps to the six neighbours, counterclockwise from east.
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def add(start: Coordinates, step: Coordinates) -> Coordinates:
    return start[0] + step[0], start[1] + step[1]


@cache  # without it, this function takes half of the tests' time
def neighbours_of(coordinates: Coordinates) -> tuple[Coordinates, ...]:
    return tuple(add(coordinates, direction) for direction in DIRECTIONS)


@cache
def gate(start: Coordinates, end: Coordinates) -> tuple[Coordinates, ...]:
    """Return the two cells that touch both ends of a step."""
    return tuple(coordinates for coordinates in neighbours_of(start) if coordinates in neighbours_of(end))


def height(stacks: Stacks, coordinates: Coordinates) -> int:
    return len(stacks.get(coordinates, ()))


def remove_top(stacks: Stacks, coordinates: Coordinates) -> Stacks:
    """Return the stacks without the top tile of a cell."""
    rest = {other: stack for other, stack in stacks.items() if other != coordinates}
    return rest | {coordinates: stacks[coordinates][:-1]} if height(stacks, coordinates) > 1 else rest


def put_tile(stacks: Stacks, tile: str, coordinates: Coordinates) -> Stacks:
    return stacks | {coordinates: (*stacks.get(coordinates, ()), tile)}


def is_one_hive(stacks: Stacks) -> bool:
    """Return whether all occupied cells are connected."""
    queue, seen = list(stacks)[:1], set(list(stacks)[:1])
    while queue:
        unseen = [
            coordinates
            for coordinates in neighbours_of(queue.pop())
            if coordinates in stacks and coordinates not in seen
        ]
        seen.update(unseen)
        queue += unseen
    return len(seen) == len(stacks)


def can_step(stacks: Stacks, start: Coordinates, end: Coordinates) -> bool:
    """Return whether a tile that is not in `stacks` can step to an adjacent cell, at any height (section 4.2)."""
    left, right = (height(stacks, coordinates) for coordinates in gate(start, end))
    below, landing = height(stacks, start), height(stacks, end)
    return min(left, right) <= max(below, landing) and max(left, right, below, landing) > 0


def slide_targets(stacks: Stacks, start: Coordinates) -> list[Coordinates]:
    return [end for end in neighbours_of(start) if end not in stacks and can_step(stacks, start, end)]


def beetle_targets(stacks: Stacks, start: Coordinates) -> set[Coordinates]:
    return {end for end in neighbours_of(start) if can_step(stacks, start, end)}


def ant_targets(stacks: Stacks, start: Coordinates) -> set[Coordinates]:
    queue, seen = [start], {start}
    while queue:
        unseen = [coordinates for coordinates in slide_targets(stacks, queue.pop()) if coordinates not in seen]
        seen.update(unseen)
        queue += unseen
    return seen - {start}


def spider_targets(stacks: Stacks, start: Coordinates) -> set[Coordinates]:
    paths: list[tuple[Coordinates, ...]] = [(start,)]
    for _ in range(3):
        paths = [(*path, end) for path in paths for end in slide_targets(stacks, path[-1]) if end not in path]
    return {path[-1] for path in paths}


def grasshopper_targets(stacks: Stacks, start: Coordinates) -> set[Coordinates]:
    """Return the first empty cells beyond the rows of tiles that begin beside `start`."""
    found = set()
    for direction in DIRECTIONS:
        end = add(start, direction)
        if end in stacks:
            while end in stacks:
                end = add(end, direction)
            found.add(end)
    return found


def ladybug_targets(stacks: Stacks, start: Coordinates) -> set[Coordinates]:
    """Return the empty cells that are reached by two steps on top of the hive and one down."""
    found = set()
    for first in neighbours_of(start):
        for second in neighbours_of(first):
            for end in neighbours_of(second):
                on_top = first in stacks and second in stacks and end not in stacks and end != start
                if on_top and all(can_step(stacks, *leg) for leg in ((start, first), (first, second), (second, end))):
                    found.add(end)
    return found


@dataclass(frozen=True)
class NaiveHive:
    """A position; `stacks` is the board."""

    expansions: str  # letters of the expansion tiles in play, such as "MLP"
    stacks: Stacks
    plies: int = 0
    last_moved: str = ""  # tile that the previous ply moved or placed; it must not move now

    @staticmethod
    def start(variant: str) -> NaiveHive:
        return NaiveHive(variant.partition("+")[2], {})

    @property
    def colour(self) -> str:
        return "wb"[self.plies % 2]

    @property
    def turn(self) -> int:
        return self.plies // 2 + 1

    def in_play(self) -> set[str]:
        return {tile for stack in self.stacks.values() for tile in stack}

    def find(self, tile: str) -> Coordinates | None:
        return next((coordinates for coordinates, stack in self.stacks.items() if tile in stack), None)

    def after(self, move: Move) -> NaiveHive:
        if move is None:
            return NaiveHive(self.expansions, self.stacks, self.plies + 1)
        tile, target = move
        start = self.find(tile)
        stacks = self.stacks if start is None else remove_top(self.stacks, start)
        return NaiveHive(self.expansions, put_tile(stacks, tile, target), self.plies + 1, tile)

    def is_surrounded(self, colour: str) -> bool:
        queen = self.find(colour + "Q")
        return queen is not None and all(coordinates in self.stacks for coordinates in neighbours_of(queen))

    def state(self) -> str:
        white, black = self.is_surrounded("w"), self.is_surrounded("b")
        if white and black:
            return "Draw"
        if white or black:
            return "BlackWins" if white else "WhiteWins"
        return "InProgress" if self.plies else "NotStarted"

    def moves(self) -> set[Move]:
        """Return the legal moves: a pass if there is no other move (section 4.5), and none after the end."""
        if self.state() in ("Draw", "WhiteWins", "BlackWins"):
            return set()
        found: set[Move] = {(tile, coordinates) for tile in self.placeable() for coordinates in self.placement_cells()}
        if self.colour + "Q" in self.in_play():
            found.update(self.movements())
        return found or {None}

    def placeable(self) -> list[str]:
        """Return the tiles that may be placed (section 4.1): of each kind, the one with the lowest number in hand.

        The queen may be placed on turns 2 to 4, and must be placed on turn 4.
        """
        played = self.in_play()
        tiles = []
        for kind, count in TILES_OF_KIND.items():
            if kind in "MLP" and kind not in self.expansions:
                continue
            names = [f"{self.colour}{kind}{number or ''}" for number in (range(1, count + 1) if count > 1 else [0])]
            tiles += [name for name in names if name not in played][:1]
        queen = self.colour + "Q"
        if queen in tiles and self.turn >= 4:
            return [queen]
        return [tile for tile in tiles if tile != queen or self.turn > 1]

    def placement_cells(self) -> list[Coordinates]:
        if not self.stacks:
            return [(0, 0)]
        empty = {end for coordinates in self.stacks for end in neighbours_of(coordinates) if end not in self.stacks}
        if self.plies == 1:
            return list(empty)
        return [coordinates for coordinates in empty if self.colours_around(coordinates) == {self.colour}]

    def colours_around(self, coordinates: Coordinates) -> set[str]:
        return {self.stacks[other][-1][0] for other in neighbours_of(coordinates) if other in self.stacks}

    def movements(self) -> Iterator[Move]:
        for coordinates, stack in self.stacks.items():
            tile, rest = stack[-1], remove_top(self.stacks, coordinates)
            if tile == self.last_moved or not is_one_hive(rest):
                continue
            targets = self.throw_targets(coordinates, rest) if len(stack) == 1 else set()
            if tile[0] == self.colour:
                targets |= self.own_targets(tile[1], coordinates, rest)
            yield from ((tile, target) for target in targets)

    def movement_kinds(self, kind: str, coordinates: Coordinates) -> set[str]:
        """Return the kinds that a tile moves like: what a mosquito touches, otherwise its own kind (section 4.3)."""
        if kind != "M":
            return {kind}
        if height(self.stacks, coordinates) > 1:
            return {"B"}
        return {self.stacks[other][-1][1] for other in neighbours_of(coordinates) if other in self.stacks} - {"M"}

    def own_targets(self, kind: str, coordinates: Coordinates, rest: Stacks) -> set[Coordinates]:
        found: set[Coordinates] = set()
        for moved_kind in self.movement_kinds(kind, coordinates):
            if moved_kind in "QP":
                found.update(slide_targets(rest, coordinates))
            else:
                targets_by_kind = {
                    "S": spider_targets,
                    "G": grasshopper_targets,
                    "A": ant_targets,
                    "B": beetle_targets,
                    "L": ladybug_targets,
                }
                found.update(targets_by_kind[moved_kind](rest, coordinates))
        return found

    def throw_targets(self, victim: Coordinates, rest: Stacks) -> set[Coordinates]:
        """Return the cells to which a tile that is not in a stack can be thrown by a neighbour (section 4.4).

        `rest` is the stacks without that tile.
        """
        found: set[Coordinates] = set()
        for thrower in neighbours_of(victim):
            if not self.can_throw(thrower) or not can_step(rest, victim, thrower):
                continue
            ends = [end for end in neighbours_of(thrower) if end not in rest and end != victim]
            found.update(end for end in ends if can_step(rest, thrower, end))
        return found

    def can_throw(self, coordinates: Coordinates) -> bool:
        stack = self.stacks.get(coordinates, ())
        if not stack or stack[-1][0] != self.colour or stack[-1] == self.last_moved:
            return False
        return len(stack) == 1 and "P" in self.movement_kinds(stack[-1][1], coordinates)

    def perft(self, depth: int) -> int:
        return sum(self.after(move).perft(depth - 1) for move in self.moves()) if depth else 1
