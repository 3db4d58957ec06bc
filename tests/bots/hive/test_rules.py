"""The kernels of Hive's rules against a simple implementation, in random games of several styles.

The styles make rare situations frequent: climbing, throws, closed holes, and hives that move across the grid. The
kernels' code of a move is (tile + 1) << MOVE_SHIFT | target cell, or PASS.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hive.notation import TILE_NAMES, VARIANTS
from bots.hive.position import HivePosition
from bots.hive.tiles import (
    CELLS,
    MAX_PLIES,
    MOVE_SHIFT,
    PASS,
    SIDE_TILES,
    START_CELL,
    STRIDE,
    neighbour,
)
from core.play.player import IllegalMove, Setup
from tests.bots.hive.naive import Coordinates, Move, NaiveHive, Stacks, height

Preference = Callable[[NaiveHive, Move], float]  # the higher the value, the likelier the move
PREFERENCES: dict[str, Preference] = {  # by name of the style
    "any": lambda _hive, _move: 0.0,
    "climb": lambda hive, move: float(height(hive.stacks, move[1])) if move else 0.0,
    "throw": lambda hive, move: float(move is not None and move[0][0] != hive.colour),
    "wander": lambda hive, move: gain_east(hive, move) if move else 0.0,
    "huddle": lambda hive, move: len(hive.colours_around(move[1])) if move else 0.0,
}


def gain_east(hive: NaiveHive, move: tuple[str, Coordinates]) -> float:
    """Return how far a move takes a tile to the east, in half cells.

    Placements are discouraged once ten cells are occupied, because new tiles would slow the hive down.
    """
    cell = hive.find(move[0])
    if cell is None:
        return 0.0 if len(hive.stacks) < 10 else -100.0
    return 2.0 * (move[1][0] - cell[0]) + move[1][1] - cell[1]


@cache
def _position(_instance: int) -> HivePosition:
    return HivePosition(Setup(variant="Base"))


def empty_board(variant: str, instance: int = 0) -> HivePosition:
    """Return an empty board in a reused state. Two boards that a test uses at once need different `instance`s."""
    position = _position(instance)
    position.restart(Setup(variant=variant))
    return position


def encode_cell(coordinates: Coordinates) -> int:
    return (START_CELL + coordinates[0] + STRIDE * coordinates[1]) % CELLS


def encode_move(move: Move) -> int:
    """Return the kernels' code of a move of the simple implementation."""
    return PASS if move is None else (TILE_NAMES.index(move[0]) + 1) << MOVE_SHIFT | encode_cell(move[1])


def choose(hive: NaiveHive, moves: set[Move], preference: Preference, greediness: float, rng: random.Random) -> Move:
    """Return the preferred move with probability `greediness`, otherwise a random one.

    Moves that end the game are taken only if there are no others.
    """
    ordered = sorted(moves, key=lambda move: move or ("", (0, 0)))
    unfinished = [move for move in rng.sample(ordered, len(ordered)) if hive.after(move).state() == "InProgress"]
    best = max(unfinished or ordered, key=lambda move: preference(hive, move))
    return best if rng.random() < greediness else rng.choice(unfinished or ordered)


def play_game(
    variant: str, preference: str, seed: int, plies: int, greediness: float = 0.75
) -> tuple[HivePosition, NaiveHive]:
    """Play a game with both implementations, comparing them after each ply, and return both positions.

    The game has `plies` plies unless it ends before. Queens are placed as early as possible.
    """
    position, naive, rng = empty_board(variant), NaiveHive.start(variant), random.Random(seed)
    for _ in range(plies):
        moves = naive.moves()
        assert sorted(position.legal_numbers()) == sorted(map(encode_move, moves)), position.game_string()
        assert position.game_string().split(";")[1] == naive.state()
        if not moves:
            break
        queens: set[Move] = {move for move in moves if move and move[0][1] == "Q" and naive.find(move[0]) is None}
        move = choose(naive, queens or moves, PREFERENCES[preference], greediness, rng)
        code = encode_move(move)
        text = position.format(code)
        assert position.parse(text) == code
        position.play(text)
        naive = naive.after(move)
    return position, naive


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(PREFERENCES)), st.integers(0, 1 << 32))
def test_random_games_agree_with_the_naive_rules(variant: str, preference: str, seed: int) -> None:
    play_game(variant, preference, seed, 60)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(PREFERENCES)), st.integers(0, 1 << 32), st.integers(0, 60))
def test_a_single_move_is_legal_if_it_is_listed(variant: str, preference: str, seed: int, plies: int) -> None:
    """`is_legal` does not generate all moves; the search relies on it for hash moves."""
    position, _ = play_game(variant, preference, seed, plies)
    listed = set(position.legal_numbers())
    assert {code for code in range(PASS + 2 * CELLS) if position.library.is_legal(position.state, code)} == listed


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(PREFERENCES)), st.integers(0, 1 << 32), st.integers(6, 40))
def test_perft_equals_the_naive_count(variant: str, preference: str, seed: int, plies: int) -> None:
    position, naive = play_game(variant, preference, seed, plies)
    for depth in range(3):
        assert position.perft(depth) == naive.perft(depth)


@pytest.mark.parametrize("variant", ["Base", "Base+MLP"])
def test_a_hive_may_cross_the_seam_of_the_torus(variant: str) -> None:
    """The kernels' grid wraps around 16 cells from the first tile; the simple implementation's grid is unlimited."""
    position, naive = play_game(variant, "wander", 1, 400, 0.98)
    assert len(position.stacks()) == len(naive.stacks)
    assert len(position.moves) == 400
    assert min(q for q, _ in naive.stacks) > STRIDE // 2, "the hive has not crossed the seam"


@pytest.mark.parametrize("white_direction", range(6))
def test_a_straight_row_of_all_tiles_does_not_meet_itself_on_the_torus(white_direction: int) -> None:
    """28 tiles in a row are the longest possible hive: white extends one end, black the other."""
    signs = ["-", "/", "\\", "-", "/", "\\"]

    def beside(reference: str, direction: int) -> str:
        is_suffix = direction in (0, 1, 5)
        return f"{reference}{signs[direction]}" if is_suffix else f"{signs[direction]}{reference}"

    position = empty_board("Base+MLP")
    kinds = ["S1", "Q", "S2", "B1", "B2", "G1", "G2", "G3", "A1", "A2", "A3", "M", "L", "P"]
    last = {"w": "wS1", "b": "wS1"}
    for kind in kinds:
        for colour, direction in (("w", white_direction), ("b", (white_direction + 3) % 6)):
            tile = colour + kind
            position.play(tile if tile == "wS1" else f"{tile} {beside(last[colour], direction)}")
            last[colour] = tile
    stacks_by_cell = position.stacks()
    assert len(stacks_by_cell) == 28
    anchor = next(coordinates for coordinates, tiles in stacks_by_cell.items() if TILE_NAMES[tiles[0]] == "wS1")
    stacks: Stacks = {
        (q - anchor[0], r - anchor[1]): (TILE_NAMES[tiles[0]],) for (q, r), tiles in stacks_by_cell.items()
    }
    naive = NaiveHive("MLP", stacks, position.state.ply, "bP")
    assert sorted(position.legal_numbers()) == sorted(map(encode_move, naive.moves()))


def test_keys_differ_between_positions_but_not_between_places_on_the_grid() -> None:
    """Over more than 2000 positions, equal keys mean equal hives and different keys different ones."""
    seen: dict[int, tuple[object, ...]] = {}
    for seed in range(60):
        position, rng = empty_board("Base+MLP"), random.Random(seed)
        while position.outcome() is None and len(position.moves) < 80:
            position.play(rng.choice(position.legal_moves()))
            stacks = position.stacks()
            lowest = min(tile for tiles in stacks.values() for tile in tiles)
            q, r = next(coordinates for coordinates, tiles in stacks.items() if lowest in tiles)
            shape = frozenset(
                ((x - q, y - r), tuple(TILE_NAMES[tile][:2] for tile in tiles)) for (x, y), tiles in stacks.items()
            )
            key = position.library.repetition_key(position.state)
            assert seen.setdefault(key, (shape, position.to_move)) == (shape, position.to_move)
    assert len({value: key for key, value in seen.items()}) == len(seen) > 2000


@pytest.mark.parametrize("seed", range(4))
def test_undo_restores_the_keys_that_moves_update(seed: int) -> None:
    """The key is kept up to date move by move, and computed anew only when the anchor moves or changes."""
    position, rng = empty_board("Base+MLP"), random.Random(seed)
    keys: list[int] = []
    while position.outcome() is None and len(keys) < 60:
        keys.append(position.library.key(position.state))
        position.play(rng.choice(position.legal_moves()))
    while keys:
        position.undo()
        assert position.library.key(position.state) == keys.pop()


def play_beside_queens(position: HivePosition, rng: random.Random, plies: int) -> None:
    """Play at most `plies` random plies, mostly to cells beside a queen."""
    while position.outcome() is None and len(position.moves) < plies:
        cells = [cell for cell in position.state.tile_cell[::SIDE_TILES] if cell >= 0]
        beside = {neighbour(cell, direction) for cell in cells for direction in range(6)}
        moves = position.legal_numbers()
        queens = [move for move in moves if tile_of(move) % SIDE_TILES == 0]
        filling = [
            move
            for move in moves
            if move != PASS and move % CELLS in beside and int(position.state.tile_cell[tile_of(move)]) not in beside
        ]
        preferred = queens if len(position.moves) < 8 else filling
        position.play(position.format(rng.choice(preferred if preferred and rng.random() < 0.9 else moves)))


def tile_of(code: int) -> int:
    return (code >> MOVE_SHIFT) - 1


def test_decided_by_names_the_surrounded_queens() -> None:
    ends = set()
    for seed in range(60):
        position = empty_board("Base+MLP")
        play_beside_queens(position, random.Random(seed), 150)
        stacks = {
            coordinates: tuple(TILE_NAMES[tile] for tile in tiles) for coordinates, tiles in position.stacks().items()
        }
        hive = NaiveHive("MLP", stacks)
        queens = position.decided_by()
        assert queens == [colour + "Q" for colour in "wb" if hive.is_surrounded(colour)]
        ends.add(tuple(queens))
        position.undo()
        assert position.decided_by() == []
    assert {("wQ",), ("bQ",), ("wQ", "bQ")} <= ends


def test_a_game_stops_before_the_move_history_is_full() -> None:
    """The rest of the history is needed for searches from the last position."""
    position, max_game_plies = empty_board("Base"), MAX_PLIES - 256
    for move in ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"):
        position.play(move)
    while len(position.moves) < max_game_plies:
        position.play(min(position.legal_moves(), key=lambda move: move[1:2] != "Q"))
    move = position.legal_moves()[-1]
    with pytest.raises(IllegalMove, match=f"is illegal: a game has at most {max_game_plies} plies"):
        position.play(move)
    position.undo()
    position.play(position.legal_moves()[-1])
    assert len(position.moves) == max_game_plies
