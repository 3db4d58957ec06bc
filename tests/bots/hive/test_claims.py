"""Wins and losses that Hive's search reports, checked by an exhaustive search over the rules (tests/claims.py).

A claim is a reported win or loss. A move is the number (tile + 1) << MOVE_SHIFT | target cell, or PASS. The tiles of a
side have SIDE_TILES numbers, the first of which is the queen's; white's come first.
"""

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
    FIRST_OF_KIND,
    MOSQUITO,
    MOVE_SHIFT,
    PASS,
    SIDE_TILES,
    START_CELL,
    STRIDE,
    TILE_COUNT,
    TILE_KINDS,
    WHITE_WINS,
    neighbour,
)
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import NO_SCORE, WIN
from tests.claims import Prover, Tally, claims_of, note_claims, note_distances

VARIANTS = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
MAX_PLIES_OF_GAME = 90  # of a random game
# Changes a position at random, and yields whenever the position is one to test.
PositionSource = Callable[[random.Random, HivePosition], Iterator[None]]


class HiveRules:
    """Hive for tests/claims.py; a position that occurs for the third time is a draw."""

    def __init__(self, position: HivePosition) -> None:
        self.library, self.state = position.library, position.state
        position.copy_keys_to_state()
        self._seen = Counter(self.state.path_keys[: len(position.moves)])
        self._seen[self.library.repetition_key(self.state)] += 1

    def moves(self, plies: int) -> Sequence[int]:
        """Return the moves to try, those to cells beside the enemy queen first.

        With fewer than three plies left and two or more empty cells beside the queen, only a throw of the queen itself
        can win, so the other moves are left out.
        """
        moves, empty = self.replies(), empty_cells_beside_queen(self.state, 1 - int(self.state.side))
        queen = (1 - int(self.state.side)) * SIDE_TILES
        if plies < 3 and len(empty) > 1:
            return [move for move in moves if (move >> MOVE_SHIFT) - 1 == queen]
        return sorted(moves, key=lambda move: move % CELLS not in empty)

    def replies(self) -> Sequence[int]:
        """Return all legal moves."""
        count = self.library.list_legal(self.state)
        return list(self.state.move_lists[0][:count])

    def play(self, move: int) -> None:
        self.library.apply(self.state, move)
        self._seen[self.library.repetition_key(self.state)] += 1

    def undo(self) -> None:
        self._seen[self.library.repetition_key(self.state)] -= 1
        self.library.undo(self.state)

    def result(self) -> int | None:
        """Return 1 if the side that has just moved has won, -1 if it has lost, 0 for a draw, None during the game."""
        if self._seen[self.library.repetition_key(self.state)] > 2:
            return 0
        results = {WHITE_WINS: 1, BLACK_WINS: -1, DRAW: 0}
        white = results.get(int(self.state.result))
        return white if white is None or self.state.side else -white  # `side` is to move: 0 for white, 1 for black

    def key(self) -> Hashable:
        state = self.state
        return bytes(state.tile_cell), bytes(state.tile_level), int(state.last_moved), int(state.ply)


def empty_cells_beside_queen(state: Any, side: int) -> set[int]:
    """Return the empty cells beside a side's queen, or three cells that do not exist if the queen is in hand."""
    cell = int(state.tile_cell[side * SIDE_TILES])
    around = (neighbour(cell, direction) for direction in range(6))
    return {other for other in around if not state.height[other]} if cell >= 0 else {-1, -2, -3}


def play_towards_queens(rng: random.Random, position: HivePosition) -> Iterator[None]:
    """Play a random game with many moves to cells beside the queens, and some moves back to where a tile came from.

    Yield whenever a queen has at most two empty neighbours.
    """
    rules, state = HiveRules(position), position.state
    for ply in range(MAX_PLIES_OF_GAME):
        moves = rules.replies()
        if not moves:
            return
        us = position.to_move
        target_sides = rng.choice([(1 - us,), (1 - us,), (us, 1 - us), ()])
        target_cells = {cell for side in target_sides for cell in empty_cells_beside_queen(state, side)}
        preferred = [move for move in moves if move % CELLS in target_cells]
        if ply > 1 and rng.random() < 0.3:
            tile = (int(state.path[ply - 2]) >> MOVE_SHIFT) << MOVE_SHIFT  # tile of this side's previous move
            preferred = [move for move in moves if move == tile + int(state.path_origin[ply - 2])] or preferred
        position.play(position.format(rng.choice(preferred or moves)))
        if min(len(empty_cells_beside_queen(state, side)) for side in range(2)) < 3 and position.outcome() is None:
            yield


def scatter_tiles(rng: random.Random, position: HivePosition) -> Iterator[None]:
    """Set up a random crowded hive with stacks and yield once.

    The position may not be reachable by legal moves, but unusual cases are frequent.
    """
    state = position.state
    tiles = [
        tile for tile in range(TILE_COUNT) if state.kind_limits[TILE_KINDS[tile % SIDE_TILES]] and tile % SIDE_TILES
    ]
    chosen = [0, SIDE_TILES, *rng.sample(tiles, rng.randint(12, len(tiles)))]
    rng.shuffle(chosen)
    cells: list[int] = []
    sample_size = rng.randint(2, 3)
    for chosen_tile in chosen:
        side, kind = chosen_tile // SIDE_TILES, TILE_KINDS[chosen_tile % SIDE_TILES]
        tile = side * SIDE_TILES + FIRST_OF_KIND[kind] + int(state.placed[side][kind])
        free = [
            other
            for cell in cells
            for other in (neighbour(cell, direction) for direction in range(6))
            if other not in cells
        ]
        ranked = Counter(free).most_common()
        # Among some cells beside the hive, the one with the most occupied neighbours.
        cell = max(rng.choices(ranked, k=sample_size), key=lambda pair: pair[1])[0] if ranked else START_CELL
        if cells and kind in (BEETLE, MOSQUITO) and rng.random() < 0.3:
            cell = rng.choice(cells)
        cells.append(cell)
        position.library.apply(state, (tile + 1) << MOVE_SHIFT | cell)
    if rng.random() < 0.5:
        position.library.apply(state, PASS)
    if not state.result:
        yield


def check_claims(
    rng: random.Random, generate_positions: PositionSource, position_count: int, depth: int, max_positions: int
) -> Tally:
    """Search `position_count` positions or a few more, and try to prove each reported win or loss.

    A search is limited to `depth` plies or to a number of nodes, at random. A proof may visit `max_positions`
    positions; claims with longer proofs are counted as open.
    """
    engines = {variant: HiveEngine(OptionSet(ENGINE_OPTIONS)) for variant in VARIANTS}
    tally = Tally()
    while tally.positions < position_count:
        variant = rng.choice(VARIANTS)
        engine = engines[variant]
        engine.set_option("hash", 1)
        engine.new_game(Setup(variant=variant))
        for _ in generate_positions(rng, engine.position):
            limits = Limits(nodes=rng.choice([30, 300, 3000])) if rng.random() < 0.5 else Limits(depth=depth)
            _, bounds, distances = claims_of(engine, limits)
            holds = Prover(HiveRules(engine.position), max_positions).holds
            text = f"{variant}\n{engine.position.board()}\n{engine.position.moves}"
            note_claims(tally, bounds, holds, text)
            note_distances(tally, distances, holds, text)
    return tally


def place_tiles(position: HivePosition, *tiles: tuple[str, int, int]) -> None:
    """Place tiles given as name, column and row, regardless of whose turn it is."""
    for name, column, row in tiles:
        cell = START_CELL + column + STRIDE * row
        position.library.apply(position.state, (TILE_NAMES.index(name) + 1) << MOVE_SHIFT | cell)


@pytest.mark.parametrize(
    ("generate_positions", "expected_distances"),
    [(play_towards_queens, {"distance 1", "distance 3"}), (scatter_tiles, {"distance 1", "distance 3", "distance -2"})],
)
def test_claims_hold(generate_positions: PositionSource, expected_distances: set[str]) -> None:
    tally = check_claims(random.Random(3), generate_positions, position_count=800, depth=3, max_positions=4_000)
    assert not tally.false
    assert tally.proven.total() > 30
    assert tally.proven.total() > 3 * tally.open.total()
    assert tally.proven_distances == expected_distances


@pytest.mark.slow
@pytest.mark.parametrize("generate_positions", [play_towards_queens, scatter_tiles])
def test_many_claims_hold(generate_positions: PositionSource) -> None:
    tally = check_claims(random.Random(4), generate_positions, position_count=15_000, depth=4, max_positions=60_000)
    print(tally)
    assert not tally.false


@pytest.mark.parametrize("generate_positions", [play_towards_queens, scatter_tiles])
def test_wins_at_once_are_wins(generate_positions: PositionSource) -> None:
    """`terminal_score` reports a win in one without making the move; a move that surrounds both queens is no win.

    It misses only wins by a throw of the enemy queen, and wins in a repeated position, which scores as a draw.
    """
    rng, wins, draws = random.Random(5), 0, 0
    positions = {variant: HivePosition(Setup(variant=variant)) for variant in VARIANTS}
    while wins < 200:
        position = positions[rng.choice(VARIANTS)]
        position.restart(position.setup)
        for _ in generate_positions(rng, position):
            rules, state = HiveRules(position), position.state
            claimed = position.library.terminal_score(state, 0) == WIN - 1
            wins += claimed
            has_liberty = len(empty_cells_beside_queen(state, 1 - int(state.side))) == 1
            moves = rules.replies() if claimed or has_liberty or rng.random() < 0.1 else []
            results = {move: result_after(rules, move) for move in moves}
            draws += 0 in results.values()
            winning = {(move >> MOVE_SHIFT) - 1 for move, result in results.items() if result == 1}
            assert not claimed or winning, position.board()
            if position.library.terminal_score(state, 0) == NO_SCORE:
                assert winning <= {(1 - int(state.side)) * SIDE_TILES}, position.board()
    assert draws > 0


def result_after(rules: HiveRules, move: int) -> int | None:
    """Return the result after a move for the side that makes it, as `HiveRules.result` does."""
    rules.play(move)
    result = rules.result()
    rules.undo()
    return result


def test_a_queen_thrown_into_a_closed_hole_beside_the_other_is_a_draw() -> None:
    """White's pillbug can throw white's queen onto the last empty cell beside black's: both are surrounded then."""
    position = HivePosition(Setup(variant="Base+MLP"))
    ring = [("bQ", -1, 1), ("wP", 1, 0), ("bA1", 0, -1), ("bA2", 1, -1), ("bM", -1, 0), ("bG1", 0, 1)]
    rest = [("wQ", 2, 0), ("bG2", -2, 1), ("bG3", -2, 2), ("bS1", -1, 2)]
    place_tiles(
        position, *(tile for tile in ring + rest if tile[0] != "bA2"), ("bB1", 0, 1), ("bB2", -2, 2), ("bA2", 1, -1)
    )
    assert position.to_move == 0
    rules = HiveRules(position)
    results = {position.format(move): result_after(rules, move) for move in rules.replies()}
    assert 0 in results.values()
    assert 1 not in results.values()
    assert position.library.terminal_score(position.state, 0) == NO_SCORE


def test_the_last_moved_tile_is_part_of_the_key() -> None:
    """Regression: positions with the white spiders swapped and another black ant moved last used to have one key.

    The anchor of the key, white's queen, is covered by a beetle here.
    """
    last_moved_cells, keys = [], []
    for spiders in ((2, 3), (3, 2)):
        position = HivePosition(Setup(variant="Base+P"))
        last_column = 4 if spiders == (2, 3) else 5
        place_tiles(position, ("wQ", 0, 0), ("bQ", 1, 0), ("wP", -1, 0), ("bB1", 0, 0))
        place_tiles(position, ("wS1", spiders[0], 0), ("wS2", spiders[1], 0))
        # Black's ants are on columns 4 to 6; the last one is placed last.
        for name, column in zip(("bA1", "bA2", "bA3"), [*({4, 5, 6} - {last_column}), last_column], strict=True):
            place_tiles(position, (name, column, 0))
        keys.append(int(position.library.key(position.state)))
        last_moved_cells.append(int(position.state.tile_cell[int(position.state.last_moved)]))
    assert last_moved_cells[0] != last_moved_cells[1]
    assert keys[0] != keys[1]
