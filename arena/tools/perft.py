"""`pentad perft`: counts legal move sequences of a given length, the usual test of a move generator."""

from __future__ import annotations

import time
from dataclasses import dataclass

from core.play.game import Position
from core.play.stop import StopToken
from protocols.serving.perft import interruptible_perft


@dataclass(frozen=True)
class PerftRow:
    """The number of move sequences, all together or after one first move."""

    move: str  # the first move; empty for all together
    nodes: int  # number of sequences
    seconds: float  # time of counting them

    @property
    def nodes_per_s(self) -> float:
        """Return the speed, or 0 if no time was measured."""
        return self.nodes / self.seconds if self.seconds else 0.0


def count_all(position: Position, depth: int) -> PerftRow:
    """Count the legal move sequences of `depth` plies from a position."""
    start_s = time.perf_counter()
    nodes = interruptible_perft(position, depth, StopToken())  # counts in portions, so that Ctrl-C can end it
    return PerftRow("", nodes, time.perf_counter() - start_s)


def count_by_move(position: Position, depth: int) -> list[PerftRow]:
    """Count the sequences of `depth` plies (1 or more) by first move; the counts add up to that of `count_all`."""
    rows = []
    for move in position.legal_moves():
        position.play(move)
        total = count_all(position, depth - 1)
        position.undo()
        rows.append(PerftRow(move, total.nodes, total.seconds))
    return rows


def format_total(row: PerftRow, depth: int) -> str:
    """Return the last line that `pentad perft` prints."""
    return f"perft {depth}: {row.nodes} in {row.seconds:.3f} s, {row.nodes_per_s / 1e6:.2f} M nodes per second"
