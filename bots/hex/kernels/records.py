"""The records of Hex: the position that bots, referee and tests share, the solver's board with its connections, and
the playout board of the tree search with the network that judges it."""

from __future__ import annotations

from bots.hex.kernels.network_record import network_fields
from bots.hex.notation import MAX_SIZE, SOLVERS
from bots.hex.paper.record import paper_fields
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.mcts import mcts_fields
from core.search.kernels.polling import POLLING_FIELDS

STRIDE = MAX_SIZE + 2
CELLS = STRIDE * STRIDE
MAX_STONES = MAX_SIZE * MAX_SIZE
SWAP = 0  # the move; as a cell it is a corner of the padding

POSITION_FIELDS = (
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    StateField("swap", "i64", (), "1 where the second player may swap pieces"),
    StateField("side", "i64", (), "side to move: 0 black, 1 white"),
    StateField("plies", "i64", (), "moves and set-up stones so far"),
    StateField("stones", "i64", (), "stones on the board"),
    StateField("winner", "i64", (), "1 or 2 once black or white has connected its edges, else 0"),
    StateField("hash", "u64", (), "Zobrist hash of stones and side to move"),
    StateField("turned_hash", "u64", (), "the same of the board turned by half a circle"),
    StateField("cells", "u8", (CELLS,), "0 empty, 1 black or its edge, 2 white or its edge, 3 neither"),
    StateField("parent", "i16", (CELLS,), "union-find: the cell itself, or one nearer to the chain's root"),
    StateField("chain_size", "i16", (CELLS,), "cells of the chain, right at its root"),
    StateField("links", "i16", (CELLS,), "roots that a union has put under another, in order"),
    StateField("link_count", "i64", (), "length of `links`"),
    StateField("path", "i16", (MAX_STONES + 1,), "moves so far"),
    StateField("path_colour", "u8", (MAX_STONES + 1,), "who made each: 0 or 1"),
    StateField("path_side", "u8", (MAX_STONES + 1,), "who was to move before each: 0 or 1"),
    StateField(
        "path_out_of_turn", "u8", (MAX_STONES + 1,), "1 where it was no legal move: out of turn, or after the end"
    ),
    StateField("path_links", "i16", (MAX_STONES + 1,), "`link_count` before each"),
    StateField("list", "i16", (MAX_STONES + 1,), "moves that a kernel answers with"),
)
HEX = StateType("Hex", POSITION_FIELDS + POLLING_FIELDS + paper_fields(CELLS, MAX_STONES))

# The solver's board. An end is what connections join: 0 and 1 are a colour's two edges, 2 + x + y * width is an empty
# cell or the first cell of a chain. The same numbers are the bits of a set of cells, held in as many words as a board
# needs: a record has arrays of one length, so there is one record for each number of words, and the solver's kernels
# are compiled for each of them. What loops over the words of a set is unrolled, as `board.size` is a constant there.
ORDERED = 64  # moves of a node that are put in order; others follow when these are refuted
MAX_FULL, MAX_SEMI = 16, 32  # connections kept for a pair of ends
OR_DEPTH = 4  # semi connections that the OR rule unites at most
MAX_UNITED = 64  # connections that it finds for a pair at a time


def solver_fields(words: int) -> tuple[StateField, ...]:
    """The fields of a solver whose sets have so many words of 64 bits."""
    ends = min(64 * words, MAX_SIZE * MAX_SIZE + 2)
    pairs = ends * (ends - 1) // 2
    end, pair = "u8" if ends <= 1 << 8 else "u16", "u16" if pairs <= 1 << 16 else "u32"
    return (
        StateField("width", "i64", (), "columns"),
        StateField("height", "i64", (), "rows"),
        StateField("ends", "i64", (), "2 + cells"),
        StateField("board", "u64", (words,), "all cells"),
        StateField("near", "u64", (ends, words), "neighbours of a cell"),
        StateField("wide", "u64", (ends, words), "cells within two steps"),
        StateField("ring", end, (ends, 6), "the neighbours in a circle; 0 and 1 for black's and white's edge"),
        StateField("rings", "u16", (ends,), "their contents, two bits each: 0 empty, 1 black, 2 white"),
        StateField("hash", "u64", (), "Zobrist hash of the stones"),
        StateField("turned_hash", "u64", (), "the same of the board turned by half a circle"),
        StateField("log", end, (ends,), "cells put, in order, filled-in ones among them"),
        StateField("log_colour", "u8", (ends,), "colour of each: 0 or 1"),
        StateField("log_length", "i64", (), "their number"),
        StateField("edges", "u64", (2, 2, words), "cells along each of a colour's two edges"),
        StateField("stones", "u64", (2, words), "cells of each colour, filled-in ones among them"),
        StateField("unsure", "u64", (words,), "cells that may have become dead or captured"),
        StateField("captured", "u64", (2, words), "cells that each colour has captured"),
        StateField("moves", "u64", (words,), "moves of the side to move that are still to be tried"),
        StateField("chain", end, (ends,), "end of the chain that a stone belongs to"),
        StateField("solid", "u64", (words,), "ends that are chains or edges"),
        StateField("linked", "u64", (ends, words), "ends to which an end has a full connection"),
        StateField("touching", "u64", (ends, words), "ends to which it has one that needs no cell"),
        StateField("new", "u64", (words,), "carrier of a connection that is to be kept"),
        StateField("base", "u64", (words,), "carrier of the connection that others are joined to"),
        StateField("left", "u64", (words,), "cells of a set that are still to be looked at"),
        StateField("group", end, (ends,), "stones of a chain"),
        StateField("full_count", "u8", (pairs,), "full connections of a pair"),
        StateField("full_new", "u16", (pairs,), "those not yet combined with others, a bit each"),
        StateField("full", "u64", (pairs, MAX_FULL, words), "their carriers"),
        StateField("semi_count", "u8", (pairs,), "semi connections of a pair"),
        StateField("semi_new", "u32", (pairs,), "those not yet combined with others, a bit each"),
        StateField("semi", "u64", (pairs, MAX_SEMI, words), "their carriers, the key among them"),
        StateField("semi_key", end, (pairs, MAX_SEMI), "the cell that makes each a full connection"),
        StateField("full_queue", pair, (pairs,), "pairs with new full connections, a ring"),
        StateField("full_head", "i64", (), "place of the first in the ring"),
        StateField("full_length", "i64", (), "length of the ring"),
        StateField("semi_queue", pair, (pairs,), "pairs with new semi connections, a ring"),
        StateField("semi_head", "i64", (), "place of the first in the ring"),
        StateField("semi_length", "i64", (), "length of the ring"),
        StateField("pair_ends", end, (pairs, 2), "the two ends of a pair"),
        StateField("key_move", "i64", (), "a cell that wins for a side to move which has connected, or -1"),
        StateField("must", "u64", (words,), "cells common to all semi connections found between the edges"),
        StateField("carrier", "u64", (words,), "cells of the connection between the edges that has been found"),
        StateField(
            "or_rest", "u64", (MAX_SEMI, words), "cells common to the semi connections of a pair from a slot on"
        ),
        StateField("or_full", "u64", (MAX_UNITED, words), "carriers that the OR rule has found"),
        StateField("or_common", "u64", (OR_DEPTH, words), "cells common to the semi connections united so far"),
        StateField("or_union", "u64", (OR_DEPTH, words), "all of their cells"),
        StateField("work", "i64", (), "work since the last look at the clock, in connections tried"),
        StateField(
            "late", "i64", (), "1 once time or patience have ended while connections were built; they are then void"
        ),
        StateField("or_count", "i64", (), "their number"),
        StateField("potential", "f64", (ends,), "of an end, where one edge has 1 and the other 0"),
        StateField("flow", "f64", (ends,), "how much of both colours' current goes through a cell"),
        StateField(
            "phi", "i64", (ends,), "proof number of the side to move at a ply: 0 if it wins, HOPELESS if it loses"
        ),
        StateField("delta", "i64", (ends,), "disproof number: the same of the other side"),
        StateField("phi_limit", "i64", (ends,), "the node at a ply is left when its proof number reaches this"),
        StateField("delta_limit", "i64", (ends,), "the node at a ply is left when its disproof number reaches this"),
        StateField("node_moves", "u64", (ends, words), "moves of the node that have not been refuted"),
        StateField("node_carrier", "u64", (ends, words), "cells that a proof needs, of a loss those known so far"),
        StateField("node_best", "i64", (ends,), "move that wins, or 0"),
        StateField("node_work", "i64", (ends,), "nodes spent below"),
        StateField("order", end, (ends, ORDERED), "moves of the node, the most promising first"),
        StateField("order_count", "i64", (ends,), "their number"),
        StateField("child_key", "u64", (ends, ORDERED), "keys of the positions after them"),
        StateField("child_turned", "u8", (ends, ORDERED), "1 where the table has those turned by half a circle"),
        StateField("child_captured", "u64", (ends, ORDERED, 2, words), "what each colour has captured by them"),
        StateField(
            "gained", "u8", (ends,), "1 where the side to move has gained stones since it could not win at once"
        ),
        StateField("set", "u64", (words,), "a set of cells that `read_set` answers with"),
        StateField("root_captured", "u64", (2, words), "cells of the root that each colour has captured"),
        StateField("best_move", "i64", (), "a winning move of the root, 0 where there is none to make"),
        StateField("line", end, (ends,), "cells of the principal line"),
        *POLLING_FIELDS,
    )


SOLVER = StateType(SOLVERS[2], solver_fields(2))
WIDE_SOLVERS = tuple(StateType(name, solver_fields(words), SOLVER.name) for words, name in SOLVERS.items() if words > 2)

RINGS = 1 << 12  # contents of six neighbours, two bits each
BRIDGE_GAMMAS = 6 * 8  # by direction; content 0 to 3; 4 more where both cells between are empty
NEAR_GAMMAS = 26  # by 5 rows of 5 columns round the move, and one for further away

PLAYOUT_FIELDS = (
    *mcts_fields(MAX_STONES, CELLS),
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    StateField("root_side", "i64", (), "side to move at the root: 0 or 1"),
    StateField("root_cells", "u8", (CELLS,), "the root's board: contents as in the position, obtuse corners filled in"),
    StateField("root_empty", "i16", (MAX_STONES,), "its empty cells"),
    StateField("root_count", "i64", (), "their number"),
    StateField("root_last", "i64", (), "last move before the root, or 0"),
    StateField("empty", "i16", (MAX_STONES,), "empty cells of the playout board; `taken` holds its contents"),
    StateField("place", "i16", (CELLS,), "where each empty cell stands in `empty`"),
    StateField("left", "i64", (), "number of empty cells"),
    StateField("last", "i64", (), "last move, or 0"),
    StateField("before", "i64", (), "the move before the last, or 0"),
    StateField("root_before", "i64", (), "the move before the last at the root, or 0"),
    StateField("ring_gamma", "f32", (2, RINGS), "strength of a move of each side by the ring round it"),
    StateField("bridge_gamma", "f32", (2, BRIDGE_GAMMAS), "factors by the cells a bridge away; see bots/hex/prior.py"),
    StateField("reply_gamma", "f32", (2, NEAR_GAMMAS), "factors by where the opponent's last move lies"),
    StateField("follow_gamma", "f32", (2, NEAR_GAMMAS), "factors by where the own last move lies"),
    StateField("far", "u8", (CELLS,), "1 on black's bottom edge and white's right edge"),
    StateField(
        "network", "i64", (), "1 where the network below gives shares and values, 0 where patterns and playouts do"
    ),
    StateField("leaf", "i64", (), "1 where the leaf's value is in `leaf_chance`"),
    StateField("leaf_chance", "f32", (), "chance of side 0 as the network sees it"),
    StateField(
        "first_play", "f32", (), "how much worse than the node's value a move is taken to be that is not tried yet"
    ),
    StateField("playout_part", "f32", (), "weight of a playout beside the network's value"),
    *network_fields(MAX_SIZE),
)
PLAYOUT = StateType("HexPlayout", PLAYOUT_FIELDS)

KERNELS = KernelSet("hex", (HEX, SOLVER, *WIDE_SOLVERS, PLAYOUT))
