"""Solving Kolibrat from its ends backwards, layer by layer; the kernels are in bots/kolibrat/kernels/retrograde.py.

A run can be broken off: the arrays are saved from time to time, and the next run goes on from there.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.solver.record import MAX_PIECES, MAX_SQUARES
from bots.kolibrat.solver.table_file import layer_count, write_table
from core.native.library import new_array
from core.native.load_kernels import load_kernels
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.system.files import open_replacement

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

WORD_BYTES = 2
STATES_PER_MS = 300  # of boards in all layers; three times as many on the machine of the README's figures
AT_ONCE_MS = 2_000.0  # by that count
SAVE_S = 120.0  # between two checkpoints
CHUNK_BYTES = 1 << 24  # of a checkpoint, written and read


class CannotSolveError(ValueError):
    """The board is too large, or a checkpoint belongs to another run; the text says which."""


@dataclass(frozen=True)
class SolveStep:
    """Where a run is: the layer at hand, its pass, and the states settled so far in it."""

    mine: int
    other: int
    plies: int
    settled: int


def count_placements(board: Board) -> int:
    """Boards with up to so many pieces of each colour (the formula of the spec's section 5)."""
    squares = board.width * board.height
    sides = range(min(board.pieces, squares) + 1)
    return sum(comb(squares, red) * comb(squares - red, black) for red in sides for black in sides)


def count_states(board: Board) -> int:
    """The thesis' "total states": boards with either side to move and all points from 0 to the goal, less one."""
    return 2 * (board.goal + 1) ** 2 * count_placements(board) - 1


def memory_bytes(board: Board) -> int:
    """What solving takes: a word for each board and layer, two counters for each board."""
    return count_placements(board) * (WORD_BYTES * board.goal**2 + 2)


def list_layers(goal: int) -> list[tuple[int, int]]:
    """Layers in the order in which they are solved, each with its partner: points that the mover needs, the other's."""
    return sorted(((mine, other) for mine in range(1, goal + 1) for other in range(1, mine + 1)), key=sum)


class KolibratSolver:
    """A solver of one board. `words` holds the result of all layers; see bots/kolibrat/kernels/retrograde.py."""

    def __init__(self, board: Board, checkpoint: Path | None = None) -> None:
        """Take the memory; raise CannotSolveError where the board is too large to be numbered."""
        if board.width * board.height > MAX_SQUARES or board.pieces > MAX_PIECES:
            raise CannotSolveError(f"boards of up to {MAX_SQUARES} squares and {MAX_PIECES} pieces can be solved")
        self.board = board
        self.library: Kernels = load_kernels("kolibrat")
        self.state = self.library.new("Kolibrat")
        self.library.setup(self.state, board.width, board.height, board.pieces, board.goal)
        self.boards = self.library.number_placements(self.state)
        self.words = new_array("u16", self.boards * board.goal**2)
        self.endless: dict[tuple[int, int], int] = {}  # by layer: states without a forced end, mirror images once
        self._left = new_array("u8", 2 * self.boards)
        self._checkpoint = checkpoint
        self._saved_s = time.perf_counter()

    def solve(self) -> Iterator[SolveStep]:
        """Solve all layers, or those that a checkpoint leaves to do."""
        done, step = self._restore()
        layers = list_layers(self.board.goal)
        for number, (mine, other) in enumerate(layers):
            if number < done:
                continue
            if step is None:
                self.state.last_due = 0
                for layer, place in self._pair(mine, other):
                    self.library.begin_layer(self.state, self.words, self._left, place, self.board.goal, *layer)
            yield from self._settle(number, mine, other, step)
            step = None
            for layer, place in self._pair(mine, other):
                self.endless[layer] = int(
                    self.library.end_layer(self.state, self.words, self._left, place, self.board.goal, *layer)
                )

    def word(self, state: Kolibrat) -> int:
        """The word of a record's position, which must be of this board, with `number_placements` done."""
        return self.library.lookup(state, self.words, state.side)

    def write(self, path: Path) -> None:
        """Write the table of the solved board."""
        goal = self.board.goal
        kept = new_array("u8", (self.boards + 7) // 8)
        count = self.library.mark_kept(self.state, kept)
        for word_bytes in (1, WORD_BYTES):
            packed = new_array("u8", max(1, count * layer_count(goal) * word_bytes))
            most = self.library.pack_words(self.state, self.words, kept, packed, goal, word_bytes)
            if most < 1 << 8 * word_bytes:
                break
        write_table(path, self.board, bytes(kept), bytes(packed), word_bytes)

    def _pair(self, mine: int, other: int) -> list[tuple[tuple[int, int], int]]:
        """The layers that are solved together, each with the place of its counters."""
        both = [((mine, other), 0), ((other, mine), self.boards)]
        return both if mine != other else both[:1]

    def _settle(self, number: int, mine: int, other: int, step: SolveStep | None) -> Iterator[SolveStep]:
        plies, settled = (step.plies, step.settled) if step else (0, 0)
        while plies < self.state.last_due:
            plies += 1
            for layer, place in self._pair(mine, other):
                settled += self.library.settle_layer(
                    self.state, self.words, self._left, place, self.board.goal, *layer, plies
                )
            found = SolveStep(mine, other, plies, settled)
            if self._checkpoint and time.perf_counter() - self._saved_s > SAVE_S:
                self._save(number, found)
            yield found

    def _save(self, number: int, step: SolveStep) -> None:
        """Write the arrays; a kill in between leaves the checkpoint before."""
        assert self._checkpoint
        head = {
            "variant": format_variant(self.board),
            "layer": number,
            "step": asdict(step),
            "last_due": self.state.last_due,
            "endless": [[*layer, count] for layer, count in self.endless.items()],
        }
        head["crc"] = self._checksum(head)
        with open_replacement(self._checkpoint) as file:
            file.write(json.dumps(head).encode() + b"\n")
            for array in (self.words, self._left):
                for chunk in _chunks(array):
                    file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        self._saved_s = time.perf_counter()

    def _checksum(self, head: dict[str, Any]) -> int:
        """CRC-32 of all that a checkpoint says."""
        return zlib.crc32(self._left, zlib.crc32(self.words, zlib.crc32(json.dumps(head).encode())))

    def _restore(self) -> tuple[int, SolveStep | None]:
        """Layers done and the step reached in the next one; raise CannotSolveError for a foreign or damaged file."""
        if not self._checkpoint or not self._checkpoint.exists():
            return 0, None
        damaged = CannotSolveError(f"{self._checkpoint} is damaged: remove it to begin anew")
        with self._checkpoint.open("rb") as file:
            try:
                head = json.loads(file.readline())
                variant, crc = head["variant"], head.pop("crc")
            except (ValueError, KeyError, TypeError):
                raise damaged from None
            if variant != format_variant(self.board):
                raise CannotSolveError(f"{self._checkpoint} is of {variant}: remove it to begin anew")
            for array in (self.words, self._left):
                for chunk in _chunks(array):
                    file.readinto(chunk)
        if crc != self._checksum(head):
            raise damaged
        self.state.last_due = head["last_due"]
        self.endless = {(mine, other): count for mine, other, count in head["endless"]}
        return int(head["layer"]), SolveStep(**head["step"])


@dataclass(frozen=True)
class SolvedWords:
    """The words of a board that has been solved just now (bots.kolibrat.solver.perfect.Words)."""

    board: Board
    words: Any
    boards: int

    def word(self, number: int, mine: int, other: int) -> int:
        """The word of a board in the layer where the mover needs `mine` points and the other side `other`."""
        return int(self.words[((mine - 1) * self.board.goal + other - 1) * self.boards + number])


def is_solved_at_once(board: Board, time_ms: float | None) -> bool:
    """Whether a board is so small that it can be solved at the table, within so much time (None for no limit)."""
    if board.width * board.height > MAX_SQUARES or board.pieces > MAX_PIECES:
        return False
    expected_ms = count_placements(board) * board.goal**2 / STATES_PER_MS
    return expected_ms <= AT_ONCE_MS and (time_ms is None or expected_ms <= time_ms)


def solve_at_once(board: Board, time_ms: float | None, stop: StopToken) -> SolvedWords | None:
    """Solve a board; None where that takes longer than the time (None for no limit) or is stopped."""
    solver, deadline = KolibratSolver(board), CLOCK.deadline_in(time_ms)
    for _ in solver.solve():
        if stop.is_set or CLOCK.has_passed(deadline):
            return None
    return SolvedWords(board, solver.words, solver.boards)


def solve_board(board: Board, report: Callable[[SolveStep], None] | None = None) -> KolibratSolver:
    """Solve a board in one go."""
    solver = KolibratSolver(board)
    for step in solver.solve():
        if report:
            report(step)
    return solver


def _chunks(array: Any) -> Iterator[memoryview]:
    view = memoryview(array).cast("B")
    bounds = [*range(0, len(view), CHUNK_BYTES), len(view)]
    for start, end in pairwise(bounds):
        yield view[start:end]
