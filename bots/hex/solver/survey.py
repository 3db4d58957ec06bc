"""What virtual connections and inferior cells tell of a position without a search, as HexGui draws it.

Every call has a solver's state of its own, which only takes the pages that it touches.
"""

from __future__ import annotations

from collections.abc import Callable

from bots.hex.notation import COLOURS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import format_cells, format_end, load_board
from core.native.library import ArrayField
from core.search.mcts_tree import UNKNOWN

NOT_CONSIDERED = "x"
EDGES = (("north", "south"), ("west", "east"))


def list_inferior(position: HexPosition, side: int) -> list[tuple[str, str]]:
    """Return cells and HexGui's codes for them: filled in as dead or captured, or not worth a move of a side.

    If the result is known without a search, no moves are told apart. Raise MemoryError.
    """
    library, state = position.library, load_board(position)
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


def list_connections(position: HexPosition, colour: int, name: Callable[[str], str]) -> list[str]:
    """Return the connections between a colour's edges as HexGui reads them: a full one, else the semi ones.

    Edges, colour, kind, origin, a number that means nothing here, the carrier in brackets, the key of a semi one.
    `name` writes a cell for the reader.
    """
    state = load_board(position)
    head = f"{' '.join(EDGES[colour])} {COLOURS[colour]}"

    def carrier(words: ArrayField[int]) -> str:
        return " ".join(["[", *map(name, format_cells(state, words)), "]"])

    if position.library.connect(state, colour, 0):
        return [f"{head} full h-search 0 {carrier(state.carrier)}"]
    return [
        f"{head} semi h-search 0 {carrier(state.semi[0][slot])} {name(format_end(state, state.semi_key[0][slot]))}"
        for slot in range(state.semi_count[0])
    ]
