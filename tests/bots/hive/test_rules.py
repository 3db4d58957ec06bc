"""The kernels of Hive's rules against their naive twin, on games that climb, throw, close rings and wander."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hive.notation import TILE_NAMES, VARIANTS
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MAX_PLIES, MOVE_SHIFT, ORIGIN, PASS, SIDE_TILES, STRIDE, neighbour
from core.play.player import IllegalMove, Setup
from tests.bots.hive.naive import Move, NaiveHive, Point, Stacks, height

Taste = Callable[[NaiveHive, Move], float]
TASTES: dict[str, Taste] = {
    "any": lambda _hive, _move: 0.0,
    "climb": lambda hive, move: float(height(hive.stacks, move[1])) if move else 0.0,
    "throw": lambda hive, move: float(move is not None and move[0][0] != hive.colour),
    "wander": lambda hive, move: gain_east(hive, move) if move else 0.0,
    "huddle": lambda hive, move: len(hive.colours_round(move[1])) if move else 0.0,
}


def gain_east(hive: NaiveHive, move: tuple[str, Point]) -> float:
    """How far a move takes a tile to the east, in half cells; tiles in hand mostly stay there, or they would lag."""
    here = hive.find(move[0])
    if here is None:
        return 0.0 if len(hive.stacks) < 10 else -100.0
    return 2.0 * (move[1][0] - here[0]) + move[1][1] - here[1]


@cache
def _position(_number: int) -> HivePosition:
    return HivePosition(Setup(variant="Base"))


def start(variant: str, number: int = 0) -> HivePosition:
    """An empty board, in a record used before; two boards of a test have different numbers."""
    position = _position(number)
    position.restart(Setup(variant=variant))
    return position


def cell_of(point: Point) -> int:
    return (ORIGIN + point[0] + STRIDE * point[1]) % CELLS


def number_of(move: Move) -> int:
    """The kernels' number of a naive move."""
    return PASS if move is None else (TILE_NAMES.index(move[0]) + 1) << MOVE_SHIFT | cell_of(move[1])


def choose(hive: NaiveHive, moves: set[Move], taste: Taste, will: float, chance: random.Random) -> Move:
    """A move that the taste likes best, with a chance of `will`, or any; one that ends the game only where all do."""
    ordered = sorted(moves, key=lambda move: move or ("", (0, 0)))
    going_on = [move for move in chance.sample(ordered, len(ordered)) if hive.after(move).state() == "InProgress"]
    best = max(going_on or ordered, key=lambda move: taste(hive, move))
    return best if chance.random() < will else chance.choice(going_on or ordered)


def play_game(variant: str, taste: str, seed: int, plies: int, will: float = 0.75) -> tuple[HivePosition, NaiveHive]:
    """Both twins after a game of that many plies, or fewer where it ends. Queens leave the hand early."""
    fast, slow, chance = start(variant), NaiveHive.start(variant), random.Random(seed)
    for _ in range(plies):
        moves = slow.moves()
        assert sorted(fast.legal_numbers()) == sorted(map(number_of, moves)), fast.game_string()
        assert fast.game_string().split(";")[1] == slow.state()
        if not moves:
            break
        queens: set[Move] = {move for move in moves if move and move[0][1] == "Q" and slow.find(move[0]) is None}
        move = choose(slow, queens or moves, TASTES[taste], will, chance)
        number = number_of(move)
        text = fast.format(number)
        assert fast.parse(text) == number
        fast.play(text)
        slow = slow.after(move)
    return fast, slow


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(TASTES)), st.integers(0, 1 << 32))
def test_a_game_goes_as_its_naive_twin(variant: str, taste: str, seed: int) -> None:
    play_game(variant, taste, seed, 60)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(VARIANTS), st.sampled_from(list(TASTES)), st.integers(0, 1 << 32), st.integers(6, 40))
def test_perft_equals_the_naive_count(variant: str, taste: str, seed: int, plies: int) -> None:
    fast, slow = play_game(variant, taste, seed, plies)
    for depth in range(3):
        assert fast.perft(depth) == slow.perft(depth)


@pytest.mark.parametrize("variant", ["Base", "Base+MLP"])
def test_a_hive_wanders_round_the_grid_in_400_plies(variant: str) -> None:
    """The grid comes round 16 cells from the first tile; the twin's has no edge."""
    fast, slow = play_game(variant, "wander", 1, 400, 0.98)
    assert len(fast.stacks()) == len(slow.stacks)
    assert len(fast.moves) == 400
    assert min(q for q, _ in slow.stacks) > STRIDE // 2, "the hive has not crossed the seam"


@pytest.mark.parametrize("side", range(6))
def test_a_row_of_all_tiles_keeps_clear_of_itself(side: int) -> None:
    """28 tiles in a straight line, as far as a hive can reach: white grows one end, black the other."""
    signs = ["-", "/", "\\", "-", "/", "\\"]

    def beside(reference: str, direction: int) -> str:
        after = direction in (0, 1, 5)
        return f"{reference}{signs[direction]}" if after else f"{signs[direction]}{reference}"

    fast = start("Base+MLP")
    order = ["S1", "Q", "S2", "B1", "B2", "G1", "G2", "G3", "A1", "A2", "A3", "M", "L", "P"]
    last = {"w": "wS1", "b": "wS1"}
    for kind in order:
        for colour, direction in (("w", side), ("b", (side + 3) % 6)):
            tile = colour + kind
            fast.play(tile if tile == "wS1" else f"{tile} {beside(last[colour], direction)}")
            last[colour] = tile
    points = fast.stacks()
    assert len(points) == 28
    anchor = next(point for point, tiles in points.items() if TILE_NAMES[tiles[0]] == "wS1")
    stacks: Stacks = {(q - anchor[0], r - anchor[1]): (TILE_NAMES[tiles[0]],) for (q, r), tiles in points.items()}
    slow = NaiveHive("MLP", stacks, fast.state.ply, "bP")
    assert sorted(fast.legal_numbers()) == sorted(map(number_of, slow.moves()))


def test_the_key_tells_positions_apart_and_not_places() -> None:
    """Equal keys for equal hives wherever they lie, unequal keys for unequal ones, over some thousand positions."""
    seen: dict[int, tuple[object, ...]] = {}
    for seed in range(60):
        position, chance = start("Base+MLP"), random.Random(seed)
        while position.outcome() is None and len(position.moves) < 80:
            position.play(chance.choice(position.legal_moves()))
            stacks = position.stacks()
            lowest = min(tile for tiles in stacks.values() for tile in tiles)
            q, r = next(point for point, tiles in stacks.items() if lowest in tiles)
            shape = frozenset(
                ((x - q, y - r), tuple(TILE_NAMES[tile][:2] for tile in tiles)) for (x, y), tiles in stacks.items()
            )
            key = position.library.repetition_key(position.state)
            assert seen.setdefault(key, (shape, position.to_move)) == (shape, position.to_move)
    assert len({value: key for key, value in seen.items()}) == len(seen) > 2000


def play_round_the_queens(position: HivePosition, chance: random.Random, plies: int) -> None:
    """A game of that many plies, or fewer where it ends, in which most moves fill a place beside a queen."""
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
        wanted = queens if len(position.moves) < 8 else filling
        position.play(position.format(chance.choice(wanted if wanted and chance.random() < 0.9 else moves)))


def tile_of(number: int) -> int:
    return (number >> MOVE_SHIFT) - 1


def test_a_game_is_decided_by_the_queens_with_six_neighbours() -> None:
    ends = set()
    for seed in range(60):
        position = start("Base+MLP")
        play_round_the_queens(position, random.Random(seed), 150)
        stacks = {point: tuple(TILE_NAMES[tile] for tile in tiles) for point, tiles in position.stacks().items()}
        hive = NaiveHive("MLP", stacks)
        queens = position.decided_by()
        assert queens == [colour + "Q" for colour in "wb" if hive.is_surrounded(colour)]
        ends.add(tuple(queens))
        position.undo()
        assert position.decided_by() == []
    assert {("wQ",), ("bQ",), ("wQ", "bQ")} <= ends


def test_a_game_ends_before_the_record_of_its_plies_is_full() -> None:
    """The rest of it is for searching on from there."""
    position, most = start("Base"), MAX_PLIES - 256
    for move in ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"):
        position.play(move)
    while len(position.moves) < most:
        position.play(min(position.legal_moves(), key=lambda move: move[1:2] != "Q"))
    move = position.legal_moves()[-1]
    with pytest.raises(IllegalMove, match=f"is illegal: a game has at most {most} plies"):
        position.play(move)
    position.undo()
    position.play(position.legal_moves()[-1])
    assert len(position.moves) == most
