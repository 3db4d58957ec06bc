"""What virtual connections and inferior cells tell of a position without a search, as HexGui draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bots.hex.notation import COLOURS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import format_cells, format_end, load_board
from core.native.library import FieldArray
from core.search.tree import UNKNOWN

if TYPE_CHECKING:
    from bots.hex.kernels.boundary import HexSolver

NOT_CONSIDERED = "x"
EDGES = (("north", "south"), ("west", "east"))


class Survey:
    """Looks at one position after another; each call raises BadSetup for a board that the solver cannot take."""

    def __init__(self) -> None:
        self._state: HexSolver | None = None  # a solver's record; made when it is asked for, as it is large

    def list_inferior(self, position: HexPosition, side: int) -> Iterator[tuple[str, str]]:
        """Cells and HexGui's codes for them: filled in as dead or captured, or not worth a move of a side.

        Where the result is plain without a search no moves are told apart.
        """
        library, state = position.library, self._load(position)
        left = set(format_cells(state, state.board)) - {cell for _, cell in position.stones()}
        library.fill_board(state)
        for colour in range(2):
            captured = set(format_cells(state, state.captured[colour]))
            for cell in sorted(left & set(format_cells(state, state.stones[colour]))):
                yield cell, f"f{'c' if cell in captured else 'd'}{COLOURS[colour][0]}"
                left.remove(cell)
        if library.judge_board(state, side) == UNKNOWN:
            for cell in sorted(left - set(format_cells(state, state.moves))):
                yield cell, NOT_CONSIDERED

    def list_connections(self, position: HexPosition, colour: int, name: Callable[[str], str]) -> Iterator[str]:
        """The connections between a colour's edges as HexGui's browser reads them: a full one, else the semi ones.

        Edges, colour, kind, origin, a number that means nothing here, the carrier in brackets, the key of a semi one.
        `name` writes a cell for the reader.
        """
        state = self._load(position)
        head = f"{' '.join(EDGES[colour])} {COLOURS[colour]}"

        def carrier(words: FieldArray[int]) -> str:
            return " ".join(["[", *map(name, format_cells(state, words)), "]"])

        if position.library.connect(state, colour, 0):
            yield f"{head} full h-search 0 {carrier(state.carrier)}"
            return
        for slot in range(state.semi_count[0]):
            key = name(format_end(state, state.semi_key[0][slot]))
            yield f"{head} semi h-search 0 {carrier(state.semi[0][slot])} {key}"

    def _load(self, position: HexPosition) -> HexSolver:
        self._state = self._state or position.library.new("HexSolver")
        load_board(self._state, position)
        return self._state
