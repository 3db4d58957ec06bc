"""Fields of the state `Hex` that the kernels of the PROP paper's players use, and constants of these kernels."""

from __future__ import annotations

from core.native.state_type import StateField

FAR = 100  # infinite: the two-distance of a cell without two ways to the edge, the path of a side that is cut off
WORDS = 6  # 64-bit words of a set of cells; cell (x, y) is bit x + y * width
MAX_PAPER_DEPTH = 20  # plies
WINNING_MOVE_COST = -10_000  # cost of a cell that wins at once
# Values of `paper_method`: the search and its static evaluation.
ALPHABETA_POTENTIALS, ALPHABETA_GROUPS, NEGASCOUT_SAMPLE, NEGASCOUT_BUDGET = 0, 1, 2, 3


def paper_fields(cells: int, stones: int) -> tuple[StateField, ...]:
    """Return the fields for `cells` cells of the padded board and `stones` cells of the board itself.

    The kernels are in bots/hex/kernels/paper: potentials.py, groups.py and search.py. Edges are 0 the first (top or
    left) and 1 the last (bottom or right). Chains are numbered from 0, for one colour at a time.
    """
    return (
        StateField("chain_of", "i16", (cells,), "number of the chain of a stone; chains of one colour at a time"),
        StateField("chain_count", "i64", (), "number of chains"),
        StateField("chain_edges", "u8", (stones,), "edges that a chain touches: 1 first, 2 last, 3 both"),
        StateField("liberties", "u64", (stones, WORDS), "empty cells next to a chain"),
        StateField("stack", "i16", (2, cells), "scratch: cells to be processed"),
        StateField(
            "neighbour_set", "u64", (stones, WORDS), "neighbours of an empty cell, directly or through one chain"
        ),
        StateField("at_edge", "u64", (2, WORDS), "empty cells next to an edge, or to a chain that touches it"),
        StateField("reached_once", "u64", (WORDS,), "cells with at least one reached neighbour"),
        StateField("reached_twice", "u64", (WORDS,), "cells with at least two"),
        StateField("reached", "u64", (WORDS,), "cells whose distance is known"),
        StateField("newly_reached", "u64", (WORDS,), "cells reached in the last step"),
        StateField("distances", "i32", (2, 2, cells), "two-distance of an empty cell by colour and edge"),
        StateField("potentials", "i32", (2, cells), "sum of a cell's two distances, by colour"),
        StateField("min_potential", "i64", (2,), "smallest potential, by colour"),
        StateField("min_potential_cells", "i64", (2,), "number of cells with this potential"),
        StateField("second_potential", "i64", (2,), "second smallest potential, by colour"),
        StateField(
            "path_cost", "i32", (cells,), "empty cells on the shortest path from the first edge to a cell, including it"
        ),
        StateField("voltage", "f64", (cells,), "voltage of a cell, between 1 at the first edge and 0 at the last"),
        StateField("paper_method", "i64", (), "ALPHABETA_POTENTIALS to NEGASCOUT_BUDGET of bots/hex/paper/fields.py"),
        StateField("paper_root_side", "i64", (), "side to move at the root: 0 black, 1 white"),
        StateField("paper_seed", "u64", (), "seed of the samples"),
        StateField(
            "paper_opponent_weight",
            "i64",
            (),
            "weight of the opponent's shortest path; the own path has 3 less this",
        ),
        StateField("paper_sample_divisor", "i64", (), "a sample has 1000 * empty cells / this, below the root"),
        StateField("paper_slope", "i64", (), "budget per point of cost above the least, in hundredths of a ply"),
        StateField("paper_cut", "i64", (), "moves that cost this much more than the cheapest are not searched"),
        StateField("paper_tempo", "i64", (), "bonus for the side to move, if leaves lie at odd and even plies"),
        StateField("paper_moves", "i16", (MAX_PAPER_DEPTH + 1, stones), "moves by ply"),
        StateField("paper_move_costs", "i32", (MAX_PAPER_DEPTH + 1, stones), "costs of these moves"),
        StateField("root_count", "i64", (), "number of root moves"),
        StateField("root_moves", "i16", (stones,), "root moves, in the order in which they are searched"),
        StateField("root_costs", "i32", (stones,), "costs of the root moves"),
        StateField(
            "root_scores", "i32", (stones,), "values of the root moves; -INFINITE if only an upper bound is known"
        ),
        StateField("root_moves_searched", "i64", (), "root moves finished in the current search"),
        StateField("root_best", "i64", (), "index of the best root move"),
    )
