"""The slow, obvious twin of Hive's rules: a dictionary of stacks, and each rule as the specification words it.

It is written from the rules alone and shares nothing with `bots.hive`; a position is never changed, `after` makes a new
one. Points are axial coordinates, the first tile lies at (0, 0), and the board has no edge. Rules are those of UHP
engines; the numbers in docstrings are the sections of the protocol's reference that the rules were taken from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Point = tuple[int, int]
Move = tuple[str, Point] | None  # tile and target; None is a pass
Stacks = dict[Point, tuple[str, ...]]  # from the ground up; no empty ones

NUMBERS = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3, "M": 1, "L": 1, "P": 1}
SIDES = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def add(one: Point, two: Point) -> Point:
    return one[0] + two[0], one[1] + two[1]


@cache  # asked of the same points again and again, which was half of the tests' time
def around(point: Point) -> tuple[Point, ...]:
    return tuple(add(point, side) for side in SIDES)


@cache
def flanks(one: Point, two: Point) -> tuple[Point, ...]:
    """The two points that touch both of two neighbours."""
    return tuple(point for point in around(one) if point in around(two))


def height(stacks: Stacks, point: Point) -> int:
    return len(stacks.get(point, ()))


def lift(stacks: Stacks, point: Point) -> Stacks:
    """The stacks without the top tile of a point."""
    rest = {other: stack for other, stack in stacks.items() if other != point}
    return rest | {point: stacks[point][:-1]} if height(stacks, point) > 1 else rest


def put(stacks: Stacks, tile: str, point: Point) -> Stacks:
    return stacks | {point: (*stacks.get(point, ()), tile)}


def is_one_hive(stacks: Stacks) -> bool:
    waiting, seen = list(stacks)[:1], set(list(stacks)[:1])
    while waiting:
        new = [point for point in around(waiting.pop()) if point in stacks and point not in seen]
        seen.update(new)
        waiting += new
    return len(seen) == len(stacks)


def may_step(stacks: Stacks, start: Point, end: Point) -> bool:
    """4.2, with the mover lifted: freedom to move and touch at any height."""
    left, right = (height(stacks, point) for point in flanks(start, end))
    below, landing = height(stacks, start), height(stacks, end)
    return min(left, right) <= max(below, landing) and max(left, right, below, landing) > 0


def slides(stacks: Stacks, start: Point) -> list[Point]:
    return [end for end in around(start) if end not in stacks and may_step(stacks, start, end)]


def climbs(stacks: Stacks, start: Point) -> set[Point]:
    return {end for end in around(start) if may_step(stacks, start, end)}


def walk(stacks: Stacks, start: Point) -> set[Point]:
    waiting, seen = [start], {start}
    while waiting:
        new = [point for point in slides(stacks, waiting.pop()) if point not in seen]
        seen.update(new)
        waiting += new
    return seen - {start}


def three_slides(stacks: Stacks, start: Point) -> set[Point]:
    paths: list[tuple[Point, ...]] = [(start,)]
    for _ in range(3):
        paths = [(*path, end) for path in paths for end in slides(stacks, path[-1]) if end not in path]
    return {path[-1] for path in paths}


def jumps(stacks: Stacks, start: Point) -> set[Point]:
    found = set()
    for side in SIDES:
        end = add(start, side)
        if end in stacks:
            while end in stacks:
                end = add(end, side)
            found.add(end)
    return found


def ladybug_legs(stacks: Stacks, start: Point) -> set[Point]:
    found = set()
    for first in around(start):
        for second in around(first):
            for end in around(second):
                on_top = first in stacks and second in stacks and end not in stacks and end != start
                if on_top and all(may_step(stacks, *leg) for leg in ((start, first), (first, second), (second, end))):
                    found.add(end)
    return found


@dataclass(frozen=True)
class NaiveHive:
    """A position. `rested` is the tile that the last ply moved or placed."""

    expansions: str
    stacks: Stacks
    plies: int = 0
    rested: str = ""

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

    def find(self, tile: str) -> Point | None:
        return next((point for point, stack in self.stacks.items() if tile in stack), None)

    def after(self, move: Move) -> NaiveHive:
        if move is None:
            return NaiveHive(self.expansions, self.stacks, self.plies + 1)
        tile, target = move
        start = self.find(tile)
        stacks = self.stacks if start is None else lift(self.stacks, start)
        return NaiveHive(self.expansions, put(stacks, tile, target), self.plies + 1, tile)

    def is_surrounded(self, colour: str) -> bool:
        queen = self.find(colour + "Q")
        return queen is not None and all(point in self.stacks for point in around(queen))

    def state(self) -> str:
        white, black = self.is_surrounded("w"), self.is_surrounded("b")
        if white and black:
            return "Draw"
        if white or black:
            return "BlackWins" if white else "WhiteWins"
        return "InProgress" if self.plies else "NotStarted"

    def moves(self) -> set[Move]:
        """4.5: a pass only where nothing else can be done. None after the end."""
        if self.state() in ("Draw", "WhiteWins", "BlackWins"):
            return set()
        found: set[Move] = {(tile, point) for tile in self.placeable() for point in self.free_points()}
        if self.colour + "Q" in self.in_play():
            found.update(self.movements())
        return found or {None}

    def placeable(self) -> list[str]:
        """4.1: the lowest number of each kind; the queen not first, and by turn 4."""
        played = self.in_play()
        tiles = []
        for kind, count in NUMBERS.items():
            if kind in "MLP" and kind not in self.expansions:
                continue
            names = [f"{self.colour}{kind}{number or ''}" for number in (range(1, count + 1) if count > 1 else [0])]
            tiles += [name for name in names if name not in played][:1]
        queen = self.colour + "Q"
        if queen in tiles and self.turn >= 4:
            return [queen]
        return [tile for tile in tiles if tile != queen or self.turn > 1]

    def free_points(self) -> list[Point]:
        if not self.stacks:
            return [(0, 0)]
        empty = {end for point in self.stacks for end in around(point) if end not in self.stacks}
        if self.plies == 1:
            return list(empty)
        return [point for point in empty if self.colours_round(point) == {self.colour}]

    def colours_round(self, point: Point) -> set[str]:
        return {self.stacks[other][-1][0] for other in around(point) if other in self.stacks}

    def movements(self) -> Iterator[Move]:
        for point, stack in self.stacks.items():
            tile, rest = stack[-1], lift(self.stacks, point)
            if tile == self.rested or not is_one_hive(rest):
                continue
            targets = self.thrown(point, rest) if len(stack) == 1 else set()
            if tile[0] == self.colour:
                targets |= self.own_targets(tile[1], point, rest)
            yield from ((tile, target) for target in targets)

    def skills(self, kind: str, point: Point) -> set[str]:
        """4.3: what a mosquito copies; other kinds have their own moves only."""
        if kind != "M":
            return {kind}
        if height(self.stacks, point) > 1:
            return {"B"}
        return {self.stacks[other][-1][1] for other in around(point) if other in self.stacks} - {"M"}

    def own_targets(self, kind: str, point: Point, rest: Stacks) -> set[Point]:
        found: set[Point] = set()
        for skill in self.skills(kind, point):
            if skill in "QP":
                found.update(slides(rest, point))
            else:
                ways = {"S": three_slides, "G": jumps, "A": walk, "B": climbs, "L": ladybug_legs}
                found.update(ways[skill](rest, point))
        return found

    def thrown(self, victim: Point, rest: Stacks) -> set[Point]:
        """4.4: where a tile alone on its point can be thrown, `rest` being the stacks without it."""
        found: set[Point] = set()
        for thrower in around(victim):
            if not self.can_throw(thrower) or not may_step(rest, victim, thrower):
                continue
            ends = [end for end in around(thrower) if end not in rest and end != victim]
            found.update(end for end in ends if may_step(rest, thrower, end))
        return found

    def can_throw(self, point: Point) -> bool:
        stack = self.stacks.get(point, ())
        if not stack or stack[-1][0] != self.colour or stack[-1] == self.rested:
            return False
        return len(stack) == 1 and "P" in self.skills(stack[-1][1], point)

    def perft(self, depth: int) -> int:
        return sum(self.after(move).perft(depth - 1) for move in self.moves()) if depth else 1
