"""Checks what solver, connections, inferior cells and search claim about random positions against the whole game tree.

A claim is a statement of the program that can be true or false, such as "white wins" or "this stone is connected". A
`Tally` (tests/claims.py) counts the claims by kind and collects the false ones.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from functools import cache

import pytest

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.notation import MAX_FULL, SWAP, setup_with_position
from bots.hex.position import HexPosition
from bots.hex.solver.solve import DfpnSolver
from bots.hex.solver.static_analysis import list_inferior_cells
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square, parse_square
from tests.bots.hex.bit_solver import BitHex
from tests.bots.hex.boards import carrier_of, cells_of, to_naive, to_position
from tests.bots.hex.naive import NEIGHBOURS, Cell, NaiveHex
from tests.claims import Prover, Tally, claims_of, note_distances
from tests.lines import play_on, take_back

SMALL_SIZES = ((3, 3), (4, 4), (4, 4), (3, 7), (7, 3), (5, 4), (5, 5), (6, 4), (2, 8), (6, 6))  # width, height
LARGE_SIZES = ((7, 7), (8, 8), (9, 9), (11, 11), (9, 13), (12, 10))
CONNECTED = 1  # result of the kernel `connect`
CLAIM_KIND_COUNT = 16  # kinds of claims that must occur in a run
MAX_PROOF_POSITIONS = 3_000  # positions that the proof of a distance may take
TABLE_BYTES = 1 << 20  # the solver's transposition table
PAIR_RATE = 0.03  # fraction of pairs whose connections are checked
MAX_CARRIER = 9  # connections with more cells are not checked
# Positions that virtual connections prove as won for white, who is to move, though not every move wins.
WON_POSITIONS = ("b4ww1/6bw/b7/b1w5/3wbw2/7b/1b4ww/b1wb1wbb w", "8/b2b4/3bbbbw/w5b1/b1w5/b3w2w/w5ww/b5w1 w")


Sizes = tuple[tuple[int, int], ...]


def random_open_position(rng: random.Random, sizes: Sizes, max_empty: int) -> NaiveHex:
    """Return a board full of random stones with an area of at most `max_empty` empty cells, and no winner."""
    while True:
        width, height = rng.choice(sizes)
        cells = [(x, y) for y in range(height) for x in range(width)]
        stones = {cell: rng.randrange(2) for cell in cells}
        area = [rng.choice(cells)]
        area_size = min(len(cells), rng.randint(max_empty // 2, max_empty))
        while len(area) < area_size:
            x, y = rng.choice(area)
            dx, dy = rng.choice(NEIGHBOURS)
            cell = (x + dx, y + dy) if rng.random() < 0.9 else rng.choice(cells)
            if cell in stones and cell not in area:
                area.append(cell)
        board = NaiveHex(width, height, {cell: colour for cell, colour in stones.items() if cell not in area})
        if board.winner() is None:
            return board


@cache
def shared_solver(width: int, height: int) -> DfpnSolver:
    """Return one solver for all positions on boards of a size."""
    return DfpnSolver(HexPosition(Setup(width, height, "standard")), TABLE_BYTES)


@cache
def shared_engine() -> HexEngine:
    """Return one engine for all boards, because its tree is large."""
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 1)
    return engine


class HexRules:
    """The rules of Hex in the form that tests/claims.py needs; a move is x + y * width."""

    def __init__(self, board: NaiveHex, side: int) -> None:
        self.board = NaiveHex(board.width, board.height, dict(board.stones))
        self.side = side
        self.path: list[int] = []

    def moves(self, plies: int) -> Sequence[int]:  # noqa: ARG002
        return self.replies()

    def replies(self) -> Sequence[int]:
        return [x + y * self.board.width for x, y in self.board.empty()]

    def play(self, move: int) -> None:
        self.board.stones[self._cell(move)] = self.side
        self.side = 1 - self.side
        self.path.append(move)

    def undo(self) -> None:
        self.side = 1 - self.side
        del self.board.stones[self._cell(self.path.pop())]

    def result(self) -> int | None:
        return 1 if self.board.is_connected(1 - self.side) else None

    def key(self) -> Hashable:
        return frozenset(self.board.stones.items()), self.side

    def _cell(self, move: int) -> Cell:
        return move % self.board.width, move // self.board.width


def winner_after(board: BitHex, cell: Cell, colour: int) -> int:
    """Return who wins after one more stone of a colour, with the other side to move."""
    return board.winner(1 - colour, *([cell] if colour == each else [] for each in range(2)))


class PositionCheck:
    """A position and the checks of the claims about it. `exact` searches the whole game tree."""

    def __init__(self, board: NaiveHex, side: int, tally: Tally, rng: random.Random) -> None:
        self.board, self.side, self.tally, self.rng = board, side, tally, rng
        self.position = to_position(board, side)
        self.exact = BitHex(board)
        self.winner = self.exact.winner(side)
        self.text = self.position.position_text()
        self.library, self.state = self.position.library, self.position.library.new("HexSolver")

    def record_claim(self, kind: str, holds: bool) -> None:
        self.tally.note(kind, holds, self.text)

    def after(self, cell: Cell, colour: int) -> int:
        """Return who wins after one more stone of a colour, with the other side to move."""
        return winner_after(self.exact, cell, colour)

    def stones_outside(self, carrier: set[Cell], loser: int) -> list[list[Cell]]:
        """Return the additional stones, by colour, if `loser` gets all empty cells outside the carrier."""
        cells = [cell for cell in self.board.empty() if cell not in carrier]
        return [cells if loser == colour else [] for colour in range(2)]

    def check_connections(self) -> None:
        """Check connections between the edges: the carrier suffices, and no move outside the must-play region wins."""
        for colour in range(2):
            for moves_first in range(2):
                mover = colour if moves_first else 1 - colour
                self.library.solver_load(self.state, self.position.state)
                is_connected = self.library.connect(self.state, colour, moves_first) == CONNECTED
                if is_connected:
                    carrier = cells_of(self.state.carrier, self.board)
                    stones = self.stones_outside(carrier, 1 - colour)
                    self.record_claim("connection", self.exact.winner(mover, *stones) == colour)
                    if moves_first and self.state.key_move >= 0:
                        y, x = divmod(self.state.key_move - 2, self.board.width)
                        wins = (x, y) in carrier and self.after((x, y), mover) == colour
                        self.record_claim("key move", wins)
                elif not moves_first:
                    mustplay = cells_of(self.state.mustplay, self.board)
                    losing = [cell for cell in self.board.empty() if cell not in mustplay]
                    self.record_claim("must-play", all(self.after(cell, mover) == colour for cell in losing))
                if not moves_first:
                    self.check_pairs(colour)

    def check_pairs(self, colour: int) -> None:
        """Check some of the connections between chains, cells and edges that `connect` has left.

        For each pair that is drawn, these are all full connections and the first semi connection.
        """
        exact, state = self.exact, self.state
        own = exact.stones[colour]
        for pair in range(state.cell_end * (state.cell_end - 1) // 2):
            if self.rng.random() > PAIR_RATE or not any(state.connection_count[pair]):
                continue
            numbers = [int(number) for number in state.pair_cells[pair]]  # 0 and 1 are edges, 2 + x + y * width a cell
            sets = [exact.edges[colour][number] if number < 2 else 1 << (number - 2) for number in numbers]
            exact.stones[colour] = own | sum(cells for number, cells in zip(numbers, sets, strict=True) if number > 1)
            full_count, semi_count = state.connection_count[pair]
            slots_by_kind = (("full", range(full_count)), ("semi", range(MAX_FULL, MAX_FULL + min(semi_count, 1))))
            for kind, slots in slots_by_kind:
                carriers = [exact.cells(cells_of(state.carriers[pair][slot], self.board)) for slot in slots]
                for carrier in carriers:
                    if carrier.bit_count() <= MAX_CARRIER:
                        self.record_claim(kind, exact.joins(colour, sets[0], sets[1], kind == "semi", carrier))
            exact.stones[colour] = own

    def check_inferior_cells(self) -> None:
        """Check that filling in changes no winner, and that a winning move remains among those worth trying."""
        self.library.solver_load(self.state, self.position.state)
        self.library.fill_in_board(self.state)
        filled = to_naive(self.state, self.board)
        for side in range(2):
            same = BitHex(filled).winner(side) == self.exact.winner(side)
            self.record_claim("filled in", same)
        if filled.winner() is None and filled.empty() and self.winner == self.side:
            self.library.find_candidates(self.state, self.side)
            exact_filled, moves = BitHex(filled), cells_of(self.state.candidates, self.board)
            can_win = any(winner_after(exact_filled, cell, self.side) == self.side for cell in moves)
            self.record_claim("worth a move", can_win)
        inferior = {parse_square(cell) for cell, _ in list_inferior_cells(self.position, self.side)}
        remaining = set(self.board.empty()) - inferior
        if self.winner == self.side and remaining and filled.winner() is None:
            self.record_claim("vc-build", any(self.after(cell, self.side) == self.side for cell in remaining))

    def check_solver(self) -> None:
        """Check the winner, the winning move and the carrier, and the winners after up to three random moves."""
        solver = shared_solver(self.board.width, self.board.height)
        solution = solver.solve(self.position)
        self.record_claim("solved", solution.winner == self.winner)
        carrier = {parse_square(cell) or (0, 0) for cell in carrier_of(solver)}
        loser = 1 - self.winner
        self.record_claim("carrier", self.exact.winner(self.side, *self.stones_outside(carrier, loser)) == self.winner)
        if solution.move:
            self.record_claim("winning move", self.after(parse_square(solution.move) or (0, 0), self.side) == self.side)
        for x, y in self.rng.sample(self.board.empty(), min(3, len(self.board.empty()))):
            self.position.play(format_square(x, y))
            self.record_claim("after a move", solver.solve(self.position).winner == self.after((x, y), self.side))
            self.position.undo()

    def check_search(self) -> None:
        """Check the results that the engine proves, by the tree search or before it."""
        engine = shared_engine()
        engine.new_game(self.position.setup)
        for cell, colour in self.board.stones.items():
            engine.position.place(colour, format_square(*cell))
        engine.position.set_to_move(self.side)
        engine.clear_hash()
        limits = self.rng.choice([Limits(nodes=4000), Limits(move_time_ms=1000)])
        decision, bounds, distances = claims_of(engine, limits)
        for plies in bounds:
            self.record_claim("search", (plies > 0) == (self.winner == self.side))
        if decision.progress.result == "win":
            self.record_claim(
                "move of a win", self.after(parse_square(decision.move) or (0, 0), self.side) == self.side
            )
        prover = Prover(HexRules(self.board, self.side), MAX_PROOF_POSITIONS)
        for plies in distances:
            self.tally.note("distance", prover.holds(plies), self.text)
        note_distances(self.tally, distances, prover.holds, self.text)


def check_positions(rng: random.Random, sizes: Sizes, position_count: int, max_empty: int) -> Tally:
    """Check all claims about `position_count` random positions."""
    tally = Tally()
    for _ in range(position_count):
        board = random_open_position(rng, sizes, max_empty)
        check = PositionCheck(board, rng.randrange(2), tally, rng)
        check.check_connections()
        check.check_inferior_cells()
        check.check_solver()
        check.check_search()
        tally.positions += 1
    return tally


@pytest.mark.parametrize("sizes", [SMALL_SIZES, LARGE_SIZES], ids=["small", "large"])
def test_claims_hold(sizes: Sizes) -> None:
    tally = check_positions(random.Random(1), sizes, position_count=40, max_empty=10)
    assert not tally.false
    assert len(tally.proven) == CLAIM_KIND_COUNT


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [SMALL_SIZES, LARGE_SIZES], ids=["small", "large"])
def test_many_claims_hold(sizes: Sizes) -> None:
    tally = check_positions(random.Random(2), sizes, position_count=1_000, max_empty=14)
    print(tally)
    assert not tally.false


def engine_at(position: str) -> HexEngine:
    engine = HexEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 4)
    engine.set_option("seed", 1)
    engine.new_game(setup_with_position(position, Setup(variant="standard")))
    return engine


@pytest.mark.parametrize("limits", [Limits(nodes=64), Limits(depth=1), Limits(nodes=64, multi_pv=3)])
@pytest.mark.parametrize("position", WON_POSITIONS)
def test_move_reported_as_a_win_wins(position: str, limits: Limits) -> None:
    """Regression: connections proved the root as won, but the engine used to play the move with the most visits, which
    lost.
    """
    engine = engine_at(position)
    decision = engine.choose(limits)
    assert decision.progress.result == "win"
    play_on(engine, decision.move)
    assert engine.solve(Limits()).result == "loss"


@pytest.mark.parametrize("position", WON_POSITIONS)
def test_win_by_an_excluded_move_is_not_reported(position: str) -> None:
    engine = engine_at(position)
    best = engine.choose(Limits(nodes=64)).move
    engine.clear_hash()
    decision = engine.choose(Limits(nodes=64, excluded_moves=(best,)))
    assert decision.move != best
    assert decision.progress.result == ""
    assert 0 < decision.progress.nodes <= 64  # fewer if all other moves are proven to lose


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_side_that_may_swap_has_won(size: int) -> None:
    """After any first stone one of the sides wins, and the second player chooses which side to be."""
    engine = shared_engine()
    engine.new_game(Setup(size, size, "swap"))
    assert engine.solve(Limits()).result == "loss"
    for move in engine.position.legal_moves():
        play_on(engine, move)
        solution, (decision, bounds, distances) = engine.solve(Limits()), claims_of(engine, Limits(nodes=3_000))
        assert solution.result == "win"
        assert min(bounds, default=1) > 0
        assert not distances
        if size < 4:
            first_wins = BitHex(NaiveHex(size, size, {parse_square(move) or (0, 0): 0})).winner(1) == 0
            assert (solution.move == SWAP) == first_wins
            assert (decision.move == SWAP) == first_wins
        take_back(engine)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_first_stone_of_white_is_not_swapped(size: int) -> None:
    """Regression: if white began, its first stone used to be treated as one that may be swapped.

    The position was scored as lost, and the engine chose a weak stone. Only black's first stone may be swapped.
    """
    engine = shared_engine()
    engine.new_game(Setup(size, size, "swap", f"{'/'.join([str(size)] * size)} w"))
    assert engine.solve(Limits()).result == "win"
    decision = engine.choose(Limits(nodes=3_000))
    assert decision.note != "opening"
    play_on(engine, decision.move)
    assert engine.solve(Limits()).result == "loss"


def test_on_one_cell_the_first_stone_wins() -> None:
    engine = shared_engine()
    engine.new_game(Setup(1, 1, "swap"))
    assert engine.solve(Limits()).result == "win"
