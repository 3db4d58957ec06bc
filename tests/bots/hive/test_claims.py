"""What the search claims of wins and losses, against the rules played out: every move, every answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import pytest

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.notation import TILE_NAMES
from bots.hive.position import HivePosition
from bots.hive.tiles import (
    BEETLE,
    BLACK_WINS,
    CELLS,
    DRAW,
    KIND_FIRST,
    KINDS,
    MOSQUITO,
    MOVE_SHIFT,
    ORIGIN,
    PASS,
    SIDE_TILES,
    STRIDE,
    TILES,
    WHITE_WINS,
    neighbour,
)
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import NO_SCORE, WIN
from tests.claims import Prover, Tally, claims_of, note_claims, note_distances

VARIANTS = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
MOST_PLIES = 90  # of a random game
Source = Callable[[random.Random, HivePosition], Iterator[None]]


class HiveRules:
    """Hive as tests/claims.py wants it, with a position that comes for the third time for a draw."""

    def __init__(self, position: HivePosition) -> None:
        self.library, self.state = position.library, position.state
        position.copy_keys_to_state()
        self._seen = Counter(self.state.path_keys[: len(position.moves)])
        self._seen[self.library.repetition_key(self.state)] += 1

    def moves(self, plies: int) -> Sequence[int]:
        """Those that fill the enemy queen's surroundings first; for the last ply only those that may surround it."""
        moves, near = self.replies(), free_cells_round(self.state, 1 - int(self.state.side))
        queen = (1 - int(self.state.side)) * SIDE_TILES
        if plies < 3 and len(near) > 1:
            return [move for move in moves if (move >> MOVE_SHIFT) - 1 == queen]
        return sorted(moves, key=lambda move: move % CELLS not in near)

    def replies(self) -> Sequence[int]:
        count = self.library.list_legal(self.state)
        return list(self.state.lists[0][:count])

    def play(self, move: int) -> None:
        self.library.apply(self.state, move)
        self._seen[self.library.repetition_key(self.state)] += 1

    def undo(self) -> None:
        self._seen[self.library.repetition_key(self.state)] -= 1
        self.library.undo(self.state)

    def result(self) -> int | None:
        if self._seen[self.library.repetition_key(self.state)] > 2:
            return 0
        results = {WHITE_WINS: 1, BLACK_WINS: -1, DRAW: 0}
        white = results.get(int(self.state.result))
        return white if white is None or self.state.side else -white  # who is to move has not moved last

    def key(self) -> Hashable:
        state = self.state
        return bytes(state.tile_cell), bytes(state.tile_level), int(state.rested), int(state.ply)


def free_cells_round(state: Any, side: int) -> set[int]:
    """The empty cells beside a side's queen; some where it is not in play."""
    cell = int(state.tile_cell[side * SIDE_TILES])
    around = (neighbour(cell, direction) for direction in range(6))
    return {other for other in around if not state.height[other]} if cell >= 0 else {-1, -2, -3}


def play_towards_queens(choice: random.Random, position: HivePosition) -> Iterator[None]:
    """A random game that crowds the queens and goes back and forth, where one has at most two free neighbours."""
    rules, state = HiveRules(position), position.state
    for ply in range(MOST_PLIES):
        moves = rules.replies()
        if not moves:
            return
        us = position.to_move
        crowds = choice.choice([(1 - us,), (1 - us,), (us, 1 - us), ()])
        wanted = {cell for side in crowds for cell in free_cells_round(state, side)}
        near = [move for move in moves if move % CELLS in wanted]
        if ply > 1 and choice.random() < 0.3:
            tile = (int(state.path[ply - 2]) >> MOVE_SHIFT) << MOVE_SHIFT  # of this side's last move
            near = [move for move in moves if move == tile + int(state.path_origin[ply - 2])] or near
        position.play(position.format(choice.choice(near or moves)))
        if min(len(free_cells_round(state, side)) for side in range(2)) < 3 and position.outcome() is None:
            yield


def strew_tiles(choice: random.Random, position: HivePosition) -> Iterator[None]:
    """A hive that no game need have led to, with beetles on top: the odd cases are nearer here."""
    state = position.state
    tiles = [tile for tile in range(TILES) if state.limits[KINDS[tile % SIDE_TILES]] and tile % SIDE_TILES]
    chosen = [0, SIDE_TILES, *choice.sample(tiles, choice.randint(12, len(tiles)))]
    choice.shuffle(chosen)
    cells: list[int] = []
    crowded = choice.randint(2, 3)
    for drawn in chosen:
        side, kind = drawn // SIDE_TILES, KINDS[drawn % SIDE_TILES]
        tile = side * SIDE_TILES + KIND_FIRST[kind] + int(state.placed[side][kind])
        free = [other for cell in cells for other in (neighbour(cell, way) for way in range(6)) if other not in cells]
        ranked = Counter(free).most_common()
        cell = max(choice.choices(ranked, k=crowded), key=lambda pair: pair[1])[0] if ranked else ORIGIN
        if cells and kind in (BEETLE, MOSQUITO) and choice.random() < 0.3:
            cell = choice.choice(cells)
        cells.append(cell)
        position.library.apply(state, (tile + 1) << MOVE_SHIFT | cell)
    if choice.random() < 0.5:
        position.library.apply(state, PASS)
    if not state.result:
        yield


def check_claims(choice: random.Random, source: Source, positions: int, depth: int, patience: int) -> Tally:
    """Search many positions with one table for each type of game and prove what is claimed."""
    engines = {variant: HiveEngine(OptionSet(ENGINE_OPTIONS)) for variant in VARIANTS}
    tally = Tally()
    while tally.positions < positions:
        variant = choice.choice(VARIANTS)
        engine = engines[variant]
        engine.set_option("hash", 1)
        engine.new_game(Setup(variant=variant))
        for _ in source(choice, engine.position):
            limits = Limits(nodes=choice.choice([30, 300, 3000])) if choice.random() < 0.5 else Limits(depth=depth)
            _, bounds, distances = claims_of(engine, limits)
            holds = Prover(HiveRules(engine.position), patience).holds
            text = f"{variant}\n{engine.position.board()}\n{engine.position.moves}"
            note_claims(tally, bounds, holds, text)
            note_distances(tally, distances, holds, text)
    return tally


def put(position: HivePosition, *tiles: tuple[str, int, int]) -> None:
    """Tiles by name on columns and rows, one after the other, whoever's turn it is."""
    for name, column, row in tiles:
        cell = ORIGIN + column + STRIDE * row
        position.library.apply(position.state, (TILE_NAMES.index(name) + 1) << MOVE_SHIFT | cell)


@pytest.mark.parametrize(
    ("source", "told"), [(play_towards_queens, {"told 1", "told 3"}), (strew_tiles, {"told 1", "told 3", "told -2"})]
)
def test_claims_hold(source: Source, told: set[str]) -> None:
    tally = check_claims(random.Random(3), source, positions=800, depth=3, patience=4_000)
    assert not tally.false
    assert tally.proven.total() > 30
    assert tally.proven.total() > 3 * tally.open.total()
    assert tally.told == told


@pytest.mark.slow
@pytest.mark.parametrize("source", [play_towards_queens, strew_tiles])
def test_many_claims_hold(source: Source) -> None:
    tally = check_claims(random.Random(4), source, positions=15_000, depth=4, patience=60_000)
    print(tally)
    assert not tally.false


@pytest.mark.parametrize("source", [play_towards_queens, strew_tiles])
def test_wins_at_once_are_wins(source: Source) -> None:
    """What the search takes for a win in one without a look at the move's end, a draw by both queens among them."""
    choice, wins, draws = random.Random(5), 0, 0
    positions = {variant: HivePosition(Setup(variant=variant)) for variant in VARIANTS}
    while wins < 200:
        position = positions[choice.choice(VARIANTS)]
        position.restart(position.setup)
        for _ in source(choice, position):
            rules = HiveRules(position)
            claimed = position.library.terminal_score(position.state, 0) == WIN - 1
            wins += claimed
            moves = rules.replies() if claimed or choice.random() < 0.1 else []
            results = [result_after(rules, move) for move in moves]
            draws += 0 in results
            assert not claimed or 1 in results, position.board()
    assert draws > 0


def result_after(rules: HiveRules, move: int) -> int | None:
    rules.play(move)
    result = rules.result()
    rules.undo()
    return result


def test_a_queen_thrown_into_a_closed_hole_beside_the_other_draws() -> None:
    """White's pillbug can throw its queen to where black's has its last free neighbour, but no queen is free there."""
    position = HivePosition(Setup(variant="Base+MLP"))
    ring = [("bQ", -1, 1), ("wP", 1, 0), ("bA1", 0, -1), ("bA2", 1, -1), ("bM", -1, 0), ("bG1", 0, 1)]
    rest = [("wQ", 2, 0), ("bG2", -2, 1), ("bG3", -2, 2), ("bS1", -1, 2)]
    put(position, *(tile for tile in ring + rest if tile[0] != "bA2"), ("bB1", 0, 1), ("bB2", -2, 2), ("bA2", 1, -1))
    assert position.to_move == 0
    rules = HiveRules(position)
    results = {position.format(move): result_after(rules, move) for move in rules.replies()}
    assert 0 in results.values()
    assert 1 not in results.values()
    assert position.library.terminal_score(position.state, 0) == NO_SCORE


def test_the_tile_at_rest_is_part_of_the_key_also_below_a_beetle() -> None:
    """White's spiders have changed places, and with them what may be moved; the keys were the same once."""
    moves, keys = [], []
    for spiders in ((2, 3), (3, 2)):
        position = HivePosition(Setup(variant="Base+P"))
        rested = 4 if spiders == (2, 3) else 5
        put(position, ("wQ", 0, 0), ("bQ", 1, 0), ("wP", -1, 0), ("bB1", 0, 0))
        put(position, ("wS1", spiders[0], 0), ("wS2", spiders[1], 0))
        for name, column in zip(("bA1", "bA2", "bA3"), [*({4, 5, 6} - {rested}), rested], strict=True):
            put(position, (name, column, 0))
        keys.append(int(position.library.key(position.state)))
        moves.append(int(position.state.tile_cell[int(position.state.rested)]))
    assert moves[0] != moves[1]
    assert keys[0] != keys[1]
