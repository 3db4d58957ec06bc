"""What the paper's players keep in Hex's record, and the scale of their values."""

from __future__ import annotations

from core.native.state_type import StateField

FAR = 100  # two-distance of a cell without two ways to the edge; above any other
WORDS = 6  # of a set of cells: bit x + y * width
MAX_PAPER_DEPTH = 20  # plies of a search; a list of moves each
WINNING_MOVE_COST = -10_000  # of a cell that wins at once
# What `paper_method` says: which search, over which estimate.
ALPHABETA_POTENTIALS, ALPHABETA_GROUPS, NEGASCOUT_SAMPLE, NEGASCOUT_BUDGET = 0, 1, 2, 3


def paper_fields(cells: int, stones: int) -> tuple[StateField, ...]:
    """The fields of kernels/paper/{potentials,groups,search}.py, for a padded board and so many cells on it."""
    return (
        StateField("chain_of", "i16", (cells,), "number of the chain that a stone belongs to, of one colour at a time"),
        StateField("chain_count", "i64", (), "number of chains"),
        StateField("chain_edges", "u8", (stones,), "edges that a chain touches: 1 first, 2 last, 3 both"),
        StateField("liberties", "u64", (stones, WORDS), "empty cells round a chain"),
        StateField("stack", "i16", (2, cells), "cells still to be looked at"),
        StateField("neighbour_set", "u64", (stones, WORDS), "empty cells beside an empty cell or behind one chain"),
        StateField("at_edge", "u64", (2, WORDS), "empty cells beside an edge or a chain that touches it"),
        StateField("reached_once", "u64", (WORDS,), "cells with a neighbour that is reached"),
        StateField("reached_twice", "u64", (WORDS,), "cells with two"),
        StateField("reached", "u64", (WORDS,), "cells whose distance is known"),
        StateField("newly_reached", "u64", (WORDS,), "those reached last"),
        StateField("distances", "i32", (2, 2, cells), "two-distance of an empty cell by colour and edge"),
        StateField("potentials", "i32", (2, cells), "sum of both by colour"),
        StateField("min_potential", "i64", (2,), "the least potential by colour"),
        StateField("min_potential_cells", "i64", (2,), "number of cells that have it"),
        StateField("second_potential", "i64", (2,), "the second smallest potential"),
        StateField("path_cost", "i32", (cells,), "empty cells on the shortest path from an edge, the cell among them"),
        StateField("voltage", "f64", (cells,), "of a cell where the first edge has 1 and the last 0"),
        StateField("paper_method", "i64", (), "which search it is"),
        StateField("paper_root_side", "i64", (), "side whose move is sought: 0 black, 1 white"),
        StateField("paper_seed", "u64", (), "seed of the samples"),
        StateField(
            "paper_opponent_weight",
            "i64",
            (),
            "weight of the agent's opponent's shortest path; that of its own is the rest",
        ),
        StateField(
            "paper_sample_divisor", "i64", (), "thousandths of empty cells to each cell of a sample, below the root"
        ),
        StateField(
            "paper_slope", "i64", (), "budget that each point above the least cost takes, in hundredths of a ply"
        ),
        StateField("paper_cut", "i64", (), "points above the least cost beyond which a move is not searched"),
        StateField("paper_tempo", "i64", (), "what the turn is worth where the leaves are not all the same side's"),
        StateField("paper_moves", "i16", (MAX_PAPER_DEPTH + 1, stones), "moves by ply"),
        StateField("paper_move_costs", "i32", (MAX_PAPER_DEPTH + 1, stones), "their costs"),
        StateField("root_count", "i64", (), "number of root moves"),
        StateField("root_moves", "i16", (stones,), "root moves, in the order in which they are searched"),
        StateField("root_costs", "i32", (stones,), "their costs"),
        StateField("root_scores", "i32", (stones,), "their values; -INFINITE where only bounded"),
        StateField("root_moves_searched", "i64", (), "root moves finished in the search under way"),
        StateField("root_best", "i64", (), "index of the best of them"),
    )
