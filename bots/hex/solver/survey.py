"""What virtual connections and inferior cells tell of a position without a search, as HexGui draws it."""

from __future__ import annotations

from collections.abc import Callable
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
    """Looks at one position after another; each call raises BadSetup if the solver cannot take the board.

    The answers are lists: a call leaves nothing behind that a later one could change.
    """

    def __init__(self) -> None:
        self._state: HexSolver | None = None  # a solver's record; made when it is asked for, as it is large

    def list_inferior(self, position: HexPosition, side: int) -> list[tuple[str, str]]:
        """Return cells and HexGui's codes for them: filled in as dead or captured, or not worth a move of a side.

        If the result is known without a search, no moves are told apart.
        """
        library, state = position.library, self._load(position)
        left = set(format_cells(state, state.board)) - {cell for _, cell in position.stones()}
        library.fill_board(state)
        found = []
        for colour in range(2):
            captured = set(format_cells(state, state.captured[colour]))
            for cell in sorted(left & set(format_cells(state, state.stones[colour]))):
                found.append((cell, f"f{'c' if cell in captured else 'd'}{COLOURS[colour][0]}"))
                left.remove(cell)
        if library.judge_board(state, side) == UNKNOWN:
            found += [(cell, NOT_CONSIDERED) for cell in sorted(left - set(format_cells(state, state.moves)))]
        return found

    def list_connections(self, position: HexPosition, colour: int, name: Callable[[str], str]) -> list[str]:
        """Return the connections between a colour's edges as HexGui reads them: a full one, else the semi ones.

        Edges, colour, kind, origin, a number that means nothing here, the carrier in brackets, the key of a semi one.
        `name` writes a cell for the reader.
        """
        state = self._load(position)
        head = f"{' '.join(EDGES[colour])} {COLOURS[colour]}"

        def carrier(words: FieldArray[int]) -> str:
            return " ".join(["[", *map(name, format_cells(state, words)), "]"])

        if position.library.connect(state, colour, 0):
            return [f"{head} full h-search 0 {carrier(state.carrier)}"]
        return [
            f"{head} semi h-search 0 {carrier(state.semi[0][slot])} {name(format_end(state, state.semi_key[0][slot]))}"
            for slot in range(state.semi_count[0])
        ]

    def _load(self, position: HexPosition) -> HexSolver:
        self._state = self._state or position.library.new("HexSolver")
        load_board(self._state, position)
        return self._state
