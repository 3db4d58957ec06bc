"""Solves a Kolibrat board by retrograde analysis; the kernels are in bots/kolibrat/kernels/retrograde.py.

A placement is an arrangement of pieces on the board. A state is a placement with the points that each side still needs.
Layer (i, j) holds the states in which the side to move (the mover) needs i points and its opponent j. The layers (i, j)
and (j, i) are solved together, in passes. A run that is given a checkpoint file saves its state there from time to
time; after an interruption, the next run continues from this file.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.solver.state_fields import MAX_PIECES, MAX_SQUARES
from bots.kolibrat.solver.table_file import layer_count, write_table
from core.native.library import new_array
from core.native.load_kernels import load_kernels
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.system.files import open_replacement

if TYPE_CHECKING:
    from bots.kolibrat.kernels.boundary import Kernels, Kolibrat

CODE_BYTES = 2  # of the code that stands for a state's result
STATES_PER_MS = 300  # a cautious estimate of speed; the machine of the README's figures solves three times as many
MAX_AT_ONCE_MS = 2_000.0  # boards estimated to take longer are not solved during a game
CHECKPOINT_INTERVAL_S = 120.0
CHUNK_BYTES = 1 << 24  # size of the pieces in which a checkpoint is written and read


class CannotSolveError(ValueError):
    """The board or its number of pieces is too large, or the checkpoint is damaged or belongs to another board."""


@dataclass(frozen=True)
class SolveStep:
    """The progress of a run within a pair of layers, after a pass. Its fields are also keys of the checkpoint file."""

    mine: int  # points that the mover needs
    other: int  # points that the opponent needs
    plies: int  # number of the pass: results at this distance are final now
    settled: int  # number of the pair's states whose result is final


def count_placements(board: Board) -> int:
    """Return the number of placements: ways to put up to `board.pieces` pieces of each side on the board.

    For n squares it is the sum of C(n, r) * C(n - r, b) over r and b from 0 to the number of pieces.
    """
    squares = board.width * board.height
    sides = range(min(board.pieces, squares) + 1)
    return sum(comb(squares, red) * comb(squares - red, black) for red in sides for black in sides)


def count_states(board: Board) -> int:
    """Return the number of states as Lindberg's thesis counts them (section 3.1).

    The number of placements times 2 (sides to move) times goal + 1 (points) for each side, minus one.
    """
    return 2 * (board.goal + 1) ** 2 * count_placements(board) - 1


def memory_bytes(board: Board) -> int:
    """Return the memory that solving needs: a code per placement and layer, and two counters per placement."""
    return count_placements(board) * (CODE_BYTES * board.goal**2 + 2)


def list_layers(goal: int) -> list[tuple[int, int]]:
    """Return the layers in solving order, as (points that the mover needs, points that the opponent needs).

    Of the layers (i, j) and (j, i), which are solved together, only the one with i >= j is listed.
    """
    return sorted(
        (
            (mover_needs, opponent_needs)
            for mover_needs in range(1, goal + 1)
            for opponent_needs in range(1, mover_needs + 1)
        ),
        key=sum,
    )


class KolibratSolver:
    """Solver for one board. `codes` holds the results of all layers (bots/kolibrat/kernels/retrograde.py).

    `checkpoint` is the file for interrupted runs; without it, no checkpoint is saved.
    """

    def __init__(self, board: Board, checkpoint: Path | None = None) -> None:
        """Allocate the memory; raise CannotSolveError if the board or the number of pieces is too large."""
        if board.width * board.height > MAX_SQUARES or board.pieces > MAX_PIECES:
            raise CannotSolveError(f"boards of up to {MAX_SQUARES} squares and {MAX_PIECES} pieces can be solved")
        self.board = board
        self.library: Kernels = load_kernels("kolibrat", False)
        self.state = self.library.new("Kolibrat")
        self.library.setup(self.state, board.width, board.height, board.pieces, board.goal)
        self.placement_count = self.library.number_placements(self.state)
        self.codes = new_array("u16", self.placement_count * board.goal**2)
        self.endless: dict[tuple[int, int], int] = {}  # by layer: number of states from which nobody can force an end
        self._unresolved = new_array("u8", 2 * self.placement_count)  # moves to unsolved states, of a pair of layers
        self._checkpoint = checkpoint
        self._last_save_s = time.perf_counter()

    def solve(self) -> Iterator[SolveStep]:
        """Solve all layers, continuing from the checkpoint if there is one; yield after each pass."""
        solved_count, step = self._restore()
        layers = list_layers(self.board.goal)
        for layer_number, (mover_needs, opponent_needs) in enumerate(layers):
            if layer_number < solved_count:
                continue
            if step is None:
                self.state.max_pending_plies = 0
                for layer, counter_start in self._pair(mover_needs, opponent_needs):
                    self.library.init_layer(
                        self.state, self.codes, self._unresolved, counter_start, self.board.goal, *layer
                    )
            yield from self._resolve_layer(layer_number, mover_needs, opponent_needs, step)
            step = None
            for layer, counter_start in self._pair(mover_needs, opponent_needs):
                self.endless[layer] = int(
                    self.library.finish_layer(
                        self.state, self.codes, self._unresolved, counter_start, self.board.goal, *layer
                    )
                )

    def code(self, state: Kolibrat) -> int:
        """Return the code of a state of this board; `number_placements` must have been called for it."""
        return self.library.lookup_code(state, self.codes, state.side)

    def write(self, path: Path) -> None:
        """Write the table of the solved board, with one byte per code if the largest one fits."""
        goal = self.board.goal
        stored = new_array("u8", (self.placement_count + 7) // 8)
        count = self.library.mark_stored(self.state, stored)
        for code_bytes in (1, CODE_BYTES):
            packed = new_array("u8", max(1, count * layer_count(goal) * code_bytes))
            max_code = self.library.pack_codes(self.state, self.codes, stored, packed, goal, code_bytes)
            if max_code < 1 << 8 * code_bytes:
                break
        write_table(path, self.board, bytes(stored), bytes(packed), code_bytes)

    def _pair(self, mover_needs: int, opponent_needs: int) -> list[tuple[tuple[int, int], int]]:
        """Return the layers that are solved together, each with the start of its counters in `_unresolved`."""
        layers = [((mover_needs, opponent_needs), 0), ((opponent_needs, mover_needs), self.placement_count)]
        return layers if mover_needs != opponent_needs else layers[:1]

    def _resolve_layer(
        self, layer_number: int, mover_needs: int, opponent_needs: int, step: SolveStep | None
    ) -> Iterator[SolveStep]:
        """Run the passes of a pair of layers, from `step` on if given; yield after each pass."""
        plies, settled = (step.plies, step.settled) if step else (0, 0)
        while plies < self.state.max_pending_plies:
            plies += 1
            for layer, counter_start in self._pair(mover_needs, opponent_needs):
                settled += self.library.resolve_pass(
                    self.state, self.codes, self._unresolved, counter_start, self.board.goal, *layer, plies
                )
            completed = SolveStep(mover_needs, opponent_needs, plies, settled)
            if self._checkpoint and time.perf_counter() - self._last_save_s > CHECKPOINT_INTERVAL_S:
                self._save(layer_number, completed)
            yield completed

    def _save(self, layer_number: int, step: SolveStep) -> None:
        """Write a checkpoint (a line of JSON, the codes, the counters); it replaces the old one when it is complete."""
        assert self._checkpoint
        header = {
            "variant": format_variant(self.board),
            "layer": layer_number,
            "step": asdict(step),
            "last_due": self.state.max_pending_plies,
            "endless": [[*layer, count] for layer, count in self.endless.items()],
        }
        header["crc"] = self._checksum(header)
        with open_replacement(self._checkpoint) as file:
            file.write(json.dumps(header).encode() + b"\n")
            for array in (self.codes, self._unresolved):
                for chunk in _chunks(array):
                    file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        self._last_save_s = time.perf_counter()

    def _checksum(self, header: dict[str, Any]) -> int:
        """Return the CRC-32 of the header and the arrays of a checkpoint."""
        return zlib.crc32(self._unresolved, zlib.crc32(self.codes, zlib.crc32(json.dumps(header).encode())))

    def _restore(self) -> tuple[int, SolveStep | None]:
        """Load the checkpoint; return how many layers of `list_layers` are solved, and the progress in the next one.

        Without a checkpoint, that is 0 and None. Raise CannotSolveError if the file is damaged or belongs to another
        board.
        """
        if not self._checkpoint or not self._checkpoint.exists():
            return 0, None
        damaged = CannotSolveError(f"{self._checkpoint} is damaged: remove it to start again")
        with self._checkpoint.open("rb") as file:
            try:
                header = json.loads(file.readline())
                variant, crc = header["variant"], header.pop("crc")
            except (ValueError, KeyError, TypeError):
                raise damaged from None
            if variant != format_variant(self.board):
                raise CannotSolveError(f"{self._checkpoint} is of {variant}: remove it to start again")
            for array in (self.codes, self._unresolved):
                for chunk in _chunks(array):
                    file.readinto(chunk)
        if crc != self._checksum(header):
            raise damaged
        self.state.max_pending_plies = header["last_due"]
        self.endless = {
            (mover_needs, opponent_needs): count for mover_needs, opponent_needs, count in header["endless"]
        }
        return int(header["layer"]), SolveStep(**header["step"])


@dataclass(frozen=True)
class NewlySolved:
    """The codes of a board that was solved in memory (a `SolvedCodes` of bots/kolibrat/solver/perfect.py)."""

    board: Board
    codes: Any
    placement_count: int

    def code(self, placement: int, mover_needs: int, opponent_needs: int) -> int:
        """Return the code of a placement (its number) in the layer given by the points that either side needs."""
        return int(
            self.codes[((mover_needs - 1) * self.board.goal + opponent_needs - 1) * self.placement_count + placement]
        )


def can_solve_at_once(board: Board, time_ms: float | None) -> bool:
    """Return whether a board is small enough to be solved during a game, in `time_ms` (None for no limit)."""
    if board.width * board.height > MAX_SQUARES or board.pieces > MAX_PIECES:
        return False
    expected_ms = count_placements(board) * board.goal**2 / STATES_PER_MS
    return expected_ms <= MAX_AT_ONCE_MS and (time_ms is None or expected_ms <= time_ms)


def solve_at_once(board: Board, time_ms: float | None, stop: StopToken) -> NewlySolved | None:
    """Solve a board in memory; return None if it takes longer than `time_ms` (None for no limit) or is stopped."""
    solver, deadline = KolibratSolver(board), CLOCK.deadline_in(time_ms)
    for _ in solver.solve():
        if stop.is_set or CLOCK.has_passed(deadline):
            return None
    return NewlySolved(board, solver.codes, solver.placement_count)


def _chunks(array: Any) -> Iterator[memoryview]:
    """Yield the bytes of an array in pieces of CHUNK_BYTES."""
    view = memoryview(array).cast("B")
    bounds = [*range(0, len(view), CHUNK_BYTES), len(view)]
    for start, end in pairwise(bounds):
        yield view[start:end]
