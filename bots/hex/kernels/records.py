"""The native state structs of Hex: the position, the solver's state and the state of the tree search.

    Hex            a game in progress (kernels/rules.py), with the fields of the PROP paper's players (kernels/paper)
    HexSolver      the solver's board, its virtual connections and its df-pn search (kernels/solver); HexSolver3 and
                   HexSolver6 are the same for boards with more than 126 and 190 cells
    HexPlayout     the Monte-Carlo tree search with its playouts and its network (kernels/tree)

The board of `Hex` and `HexPlayout` is padded: cell (x, y) has the index (y + 1) * STRIDE + x + 1. Each row is shifted
by half a cell against the row above, so a cell has six neighbours. The padding stands for the edges; on a 3x2 board:

    - B B B -            B  black's edges (top and bottom)
     W . . . W           W  white's edges (left and right)
      W . . . W          -  belongs to no side
       - B B B -
"""

from __future__ import annotations

from bots.hex.kernels.network_fields import network_fields
from bots.hex.notation import MAX_FULL, MAX_SEMI, MAX_SIZE, SOLVERS
from bots.hex.paper.fields import paper_fields
from bots.hex.search_parameters import MctsParameters
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.mcts import mcts_fields
from core.search.kernels.polling import POLLING_FIELDS

STRIDE = MAX_SIZE + 2  # length of a row of the padded board
CELLS = STRIDE * STRIDE  # of the padded board
MAX_STONES = MAX_SIZE * MAX_SIZE  # cells of the largest board
SWAP = 0  # move number of a swap; as a cell it is a corner of the padding

# Arrays `path...` have an entry for each move of the history, from 0. A move is a cell of the padded board, or SWAP.
POSITION_FIELDS = (
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    StateField("swap", "i64", (), "1 if the second player may swap pieces"),
    StateField("side", "i64", (), "side to move: 0 black, 1 white"),
    StateField("plies", "i64", (), "length of the history: moves and set-up stones"),
    StateField("stones", "i64", (), "stones on the board"),
    StateField("winner", "i64", (), "1 if black has connected its edges, 2 if white has, else 0"),
    StateField("hash", "u64", (), "Zobrist hash of stones and side to move"),
    StateField("rotated_hash", "u64", (), "hash of the position rotated by 180 degrees"),
    StateField(
        "cells", "u8", (CELLS,), "padded board: 0 empty, 1 black or black's edge, 2 white or white's edge, 3 neither"
    ),
    StateField("parent", "i16", (CELLS,), "union-find forest of chains: parent of a cell; a root is its own parent"),
    StateField("chain_size", "i16", (CELLS,), "number of cells of a chain; valid at its root only"),
    StateField("links", "i16", (CELLS,), "undo stack of unions: roots that became children"),
    StateField("link_count", "i64", (), "length of `links`"),
    StateField("path", "i16", (MAX_STONES + 1,), "history: the moves"),
    StateField("path_colour", "u8", (MAX_STONES + 1,), "history: colour of each move, 0 or 1"),
    StateField("path_side", "u8", (MAX_STONES + 1,), "history: side to move before each move, 0 or 1"),
    StateField(
        "path_out_of_turn", "u8", (MAX_STONES + 1,), "history: 1 if the stone was placed out of turn or after the end"
    ),
    StateField("path_links", "i16", (MAX_STONES + 1,), "history: `link_count` before each move"),
    StateField("list", "i16", (MAX_STONES + 1,), "result of `list_legal`: the legal moves"),
)
HEX = StateType("Hex", POSITION_FIELDS + POLLING_FIELDS + paper_fields(CELLS, MAX_STONES))

# The solver numbers cells without padding, and gives the lowest numbers to the edges of one colour at a time:
#     0, 1                    the colour's two edges (black: top, bottom; white: left, right)
#     2 + x + y * width       the cell (x, y)
# Bit n of a set of cells is number n. A set has 2, 3 or 6 words of 64 bits, depending on the size of the board. Arrays
# of a struct have a fixed length, so each number of words has a struct of its own, and the kernels are compiled for
# each struct. They take the number of words from `s.all_cells.size`. It is constant in the compiled kernel, so loops
# over words are unrolled.
MAX_ORDERED = 64  # moves of a node that are sorted at a time
OR_DEPTH = 4  # semi connections that one application of the OR rule unites
MAX_OR_RESULTS = 64  # connections that the OR rule finds for a pair at a time


def solver_fields(words: int) -> tuple[StateField, ...]:
    """Return the fields of a solver state whose sets of cells have `words` words of 64 bits."""
    max_cells = min(64 * words, MAX_SIZE * MAX_SIZE + 2)
    max_pairs = max_cells * (max_cells - 1) // 2
    cell_type, pair_type = "u8" if max_cells <= 1 << 8 else "u16", "u16" if max_pairs <= 1 << 16 else "u32"
    return (
        # the board (solver/board.py)
        StateField("width", "i64", (), "columns"),
        StateField("height", "i64", (), "rows"),
        StateField("cell_end", "i64", (), "one more than the number of the last cell: 2 + width * height"),
        StateField("all_cells", "u64", (words,), "set of all cells"),
        StateField("edges", "u64", (2, 2, words), "cells along each of a colour's two edges, by colour and edge"),
        StateField(
            "neighbour", cell_type, (max_cells, 6), "six neighbours in circular order; 0 beyond black's edge, 1 white's"
        ),
        StateField("neighbour_set", "u64", (max_cells, words), "the neighbours that are cells, as a set"),
        StateField("nearby_set", "u64", (max_cells, words), "cells at most two steps away"),
        StateField("stones", "u64", (2, words), "stones of each colour, including filled-in cells"),
        StateField(
            "ring_code", "u16", (max_cells,), "contents of the six neighbours, 2 bits each: 0 empty, 1 black, 2 white"
        ),
        StateField("hash", "u64", (), "Zobrist hash of the stones"),
        StateField("rotated_hash", "u64", (), "hash of the position rotated by 180 degrees"),
        # undo stack and inferior cells (solver/inferior.py)
        StateField("undo_stack", cell_type, (max_cells,), "cells in the order in which they got a stone"),
        StateField("undo_colour", "u8", (max_cells,), "colours of these stones: 0 or 1"),
        StateField("undo_count", "i64", (), "length of the undo stack"),
        StateField("dirty", "u64", (words,), "cells to be checked: they may have become dead or captured"),
        StateField("captured", "u64", (2, words), "cells that a kernel has filled in as captured, by colour"),
        StateField("candidates", "u64", (words,), "must-play cells that are not inferior: the moves to try"),
        # chains and virtual connections (solver/connections.py); a pair is two cells, chains or edges
        StateField(
            "chain_root", cell_type, (max_cells,), "number that stands for the chain of a stone: first cell, or edge"
        ),
        StateField("chain_roots", "u64", (words,), "the roots of all chains, and the two edges"),
        StateField("flood_list", cell_type, (max_cells,), "scratch: stones of a chain"),
        StateField("remaining", "u64", (words,), "scratch: cells still to be processed"),
        StateField("connected", "u64", (max_cells, words), "numbers to which a number has a full connection"),
        StateField("adjacent", "u64", (max_cells, words), "numbers to which it has one with an empty carrier"),
        StateField("new_carrier", "u64", (words,), "argument: carrier of the connection to be added"),
        StateField("base_carrier", "u64", (words,), "argument: carrier of the connection to which others are joined"),
        StateField("pair_cells", cell_type, (max_pairs, 2), "the two numbers of a pair, the lower one first"),
        StateField(
            "carriers", "u64", (max_pairs, MAX_FULL + MAX_SEMI, words), "carriers: full connections, then semi ones"
        ),
        StateField("semi_key", cell_type, (max_pairs, MAX_SEMI), "keys of the semi connections"),
        StateField("connection_count", "u8", (max_pairs, 2), "number of full and of semi connections of a pair"),
        StateField("pending", "u32", (max_pairs, 2), "connections that no rule has used yet: a bit each, by kind"),
        StateField("queue", pair_type, (2, max_pairs), "ring buffers of the pairs with pending connections, by kind"),
        StateField("queue_head", "i64", (2,), "index of the first pair in each ring buffer"),
        StateField("queue_length", "i64", (2,), "number of pairs in each ring buffer"),
        StateField(
            "or_suffix_common", "u64", (MAX_SEMI, words), "OR rule: intersection of the semi carriers from an index on"
        ),
        StateField(
            "or_common", "u64", (OR_DEPTH, words), "OR rule: intersection of the carriers united so far, by level"
        ),
        StateField("or_union", "u64", (OR_DEPTH, words), "OR rule: union of the same"),
        StateField("or_results", "u64", (MAX_OR_RESULTS, words), "OR rule: carriers of the full connections found"),
        StateField("or_result_count", "i64", (), "OR rule: number of these"),
        StateField("key_move", "i64", (), "result of `connect`: winning move, or -1 if any move wins"),
        StateField("mustplay", "u64", (words,), "result of `connect`: must-play region"),
        StateField("carrier", "u64", (words,), "result: cells that the last connection or proof needs"),
        StateField("work", "i64", (), "work since the clock was last read, in connections tried"),
        StateField("interrupted", "i64", (), "1 if a limit or the stop flag ended a kernel early; its result is void"),
        # move ordering: the board as an electric circuit (solver/proof.py)
        StateField("voltage", "f64", (max_cells,), "voltage at a number, between 1 at edge 0 and 0 at edge 1"),
        StateField("cell_current", "f64", (max_cells,), "product of both colours' currents through a cell"),
        # df-pn search (solver/proof.py); arrays by ply
        StateField("phi", "i64", (max_cells,), "proof number for the side to move: 0 if it wins, INFINITY if it loses"),
        StateField(
            "delta", "i64", (max_cells,), "disproof number for the side to move: 0 if it loses, INFINITY if it wins"
        ),
        StateField("phi_threshold", "i64", (max_cells,), "return from the node once phi reaches this"),
        StateField("delta_threshold", "i64", (max_cells,), "return from the node once delta reaches this"),
        StateField("node_open_moves", "u64", (max_cells, words), "candidate moves that are not refuted yet"),
        StateField(
            "node_carrier",
            "u64",
            (max_cells, words),
            "carrier of the proof; of an open node: of the refutations so far",
        ),
        StateField("node_best_move", "i64", (max_cells,), "winning move, or 0"),
        StateField("node_subtree_size", "i64", (max_cells,), "nodes searched below, over all visits"),
        StateField("ordered_moves", cell_type, (max_cells, MAX_ORDERED), "open moves, most promising first"),
        StateField("ordered_count", "i64", (max_cells,), "number of ordered moves"),
        StateField("child_key", "u64", (max_cells, MAX_ORDERED), "transposition-table key after each ordered move"),
        StateField("child_rotated", "u8", (max_cells, MAX_ORDERED), "1 if the table stores that position rotated"),
        StateField(
            "child_captured", "u64", (max_cells, MAX_ORDERED, 2, words), "cells that the move lets each colour capture"
        ),
        StateField(
            "has_gained_stones", "u8", (max_cells,), "1 if the opponent's move filled in stones for the side to move"
        ),
        StateField("set_buffer", "u64", (words,), "argument and result of `read_set` and `write_set`"),
        StateField("root_captured", "u64", (2, words), "cells captured in the root position, by colour"),
        StateField("best_move", "i64", (), "result of `solve`: a winning move, or 0"),
        StateField("pv", cell_type, (max_cells,), "result of `find_pv`: the principal variation"),
        *POLLING_FIELDS,
    )


SOLVER = StateType(SOLVERS[2], solver_fields(2))
WIDE_SOLVERS = tuple(StateType(name, solver_fields(words), SOLVER.name) for words, name in SOLVERS.items() if words > 2)

RING_CODES = 1 << 12  # codes of a ring: the contents of six neighbours, 2 bits each
BRIDGE_FEATURES = (
    6 * 8
)  # 8 * direction + content of the cell a bridge away (0 to 3) + 4 if both cells between are empty
OFFSETS = 26  # 5 * row + column in the 5x5 square around a move; 25 for any cell outside

PLAYOUT_FIELDS = (
    *mcts_fields(MAX_STONES, CELLS),
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    # the root position, and the working position of the search
    StateField("root_side", "i64", (), "side to move at the root: 0 or 1"),
    StateField(
        "root_cells", "u8", (CELLS,), "board at the root; two corners of the padding get a colour, see `set_root`"
    ),
    StateField("root_empty", "i16", (MAX_STONES,), "empty cells at the root"),
    StateField("root_count", "i64", (), "number of empty cells at the root"),
    StateField("root_last_move", "i64", (), "last move before the root, or 0"),
    StateField("root_second_last_move", "i64", (), "the move before that, or 0"),
    StateField(
        "empty", "i16", (MAX_STONES,), "empty cells of the working position, in no order; `played_by` holds its board"
    ),
    StateField("empty_index", "i16", (CELLS,), "index of an empty cell in `empty`"),
    StateField("empty_count", "i64", (), "number of empty cells"),
    StateField("last_move", "i64", (), "last move, or 0"),
    StateField("second_last_move", "i64", (), "the move before that, or 0"),
    StateField("is_far_edge", "u8", (CELLS,), "1 on black's bottom edge and white's right edge"),
    # patterns: gammas of a Bradley-Terry model (bots/hex/prior.py), by side
    StateField("ring_gamma", "f32", (2, RING_CODES), "gamma of the ring of neighbours"),
    StateField("bridge_gamma", "f32", (2, BRIDGE_FEATURES), "gammas of the six cells a bridge away"),
    StateField("reply_gamma", "f32", (2, OFFSETS), "gamma of the position relative to the opponent's last move"),
    StateField("follow_gamma", "f32", (2, OFFSETS), "gamma of the position relative to the own last move"),
    # evaluation
    StateField("network", "i64", (), "1 if the network gives priors and values, 0 if patterns and playouts do"),
    StateField("leaf_evaluated", "i64", (), "1 if `leaf_win_probability` is that of the present leaf"),
    StateField("leaf_win_probability", "f32", (), "network's win probability of side 0 at the leaf"),
    StateField(
        "initial_rave_visits",
        "i64",
        (),
        "RAVE visits with which each move starts; they carry its prior value",
        MctsParameters.initial_rave_visits,
    ),
    StateField("fpu_reduction", "f32", (), "first-play urgency: a move without visits has the node's value less this"),
    StateField("rollout_weight", "f32", (), "weight of a playout's result in a leaf's value; the network has the rest"),
    *network_fields(MAX_SIZE),
)
PLAYOUT = StateType("HexPlayout", PLAYOUT_FIELDS)

KERNELS = KernelSet("hex", (HEX, SOLVER, *WIDE_SOLVERS, PLAYOUT))
