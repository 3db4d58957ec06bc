"""The gomoku kernels and their states as Python sees them. Made by `python -m core.native.boundary`; do not edit."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import AlphaBetaState

class Gomoku(AlphaBetaState):  # declared in bots/gomoku/kernels/rules.py
    width: int  # columns
    height: int  # rows
    rule: int  # bits EXACT, RENJU, CARO of bots/gomoku/notation.py
    reach: int  # cells on each side of a pattern window
    side: int  # side to move: 0 black, 1 white
    stones: int  # stones on the board
    winner: int  # 1 or 2 once black or white has a winning five, else 0
    hash: int  # Zobrist hash of stones and side to move
    path: ArrayField[int]  # moves played, as cells
    cells: ArrayField[int]  # 0 empty, 1 black, 2 white, 3 off the board
    lines: ArrayField[ArrayField[int]]  # cells of each line, two bits each, by direction
    patterns: ArrayField[int]  # line patterns of an empty cell, four bits per direction: black in bits 0-15, white in 16-31
    grades: ArrayField[ArrayField[int]]  # grade of each empty cell, by colour
    pattern_count: ArrayField[ArrayField[int]]  # number of (empty cell, direction) pairs with each pattern
    grade_count: ArrayField[ArrayField[int]]  # number of empty cells with each grade
    counts_before: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]  # pattern_count and grade_count before each stone, for undo
    changes: ArrayField[int]  # undo stack: cell (16 bits), shift of the direction (16 bits), patterns before
    grade_changes: ArrayField[int]  # undo stack: cell (15 bits), colour (1 bit), grade before
    change_ends: ArrayField[ArrayField[int]]  # lengths of both undo stacks, by number of stones
    grade_rows: ArrayField[ArrayField[ArrayField[int]]]  # bit set of the empty cells with each grade: bit x of a word per padded row
    occupied_rows: ArrayField[int]  # bit set of the cells with a stone
    board_rows: ArrayField[int]  # bit set of the cells of the board
    pattern_table: ArrayField[int]  # patterns of both colours by window, four bits each
    grade_table: ArrayField[ArrayField[int]]  # grade by four patterns, by colour
    tables_rule: int  # 1 + rule of the filled tables; 0 before the first setup
    list: ArrayField[int]  # cells returned by list_legal and list_forbidden; scratch in drop_lost_moves
    marked_rows: ArrayField[int]  # bit set of cells that a kernel is collecting
    vcf_budget: int  # nodes that the VCF search may still visit
    vcf_min_grade: int  # lowest grade of fours that the VCF search tries
    attacker: int  # side for which the VCT search looks for a win
    vct_budget: int  # nodes that the VCT search may still visit
    vct_plies: int  # line length at which the VCT search gives up
    proof: ArrayField[int]  # proof number of the VCT search's node at each ply
    disproof: ArrayField[int]  # disproof number of that node
    second_phi: ArrayField[int]  # second smallest phi of that node's children (kernels/vct.py)
    best_child_delta: ArrayField[int]  # delta of that node's most-proving child
    samples_wanted: int  # number of evaluated positions to sample for training data; 0 for none
    samples_seen: int  # positions evaluated since the sample was started
    samples_root: int  # stones on the board at the root of the sampled search
    sampled_moves: ArrayField[ArrayField[int]]  # moves from the root to each sampled position, then 0
    vcf_line: ArrayField[int]  # moves of the VCF found, attacker and defender in turn
    paper_root_side: int  # side at the root: 0 black, 1 white
    paper_beam_width: int  # moves searched at each node
    paper_uses_alphabeta: int  # 1 for alpha-beta with a table, 0 for minimax
    paper_gamma_per_mille: int  # weight of the other side's patterns, in thousandths
    paper_value_lines: ArrayField[ArrayField[int]]  # line contents for which `paper_values` holds
    paper_values: ArrayField[ArrayField[ArrayField[int]]]  # value of the patterns in each line, by colour
    paper_gain_lines: ArrayField[ArrayField[int]]  # line contents for which `paper_gains` holds
    paper_gains: ArrayField[ArrayField[int]]  # value that a stone of each colour on an empty cell adds in each line
    network: int  # 1 if the weights below are loaded and evaluate positions, else 0
    shape_weights: ArrayField[ArrayField[int]]  # what a shape adds to its cell's channels: black's, then white's
    input_weights: ArrayField[ArrayField[float]]  # first dense layer
    input_bias: ArrayField[float]
    hidden_weights: ArrayField[ArrayField[float]]  # second dense layer
    hidden_bias: ArrayField[float]
    output_weights: ArrayField[float]  # output layer: the logit of winning
    output_bias: float
    net_cells: ArrayField[int]  # cells of the board that the accumulator belongs to
    net_path: ArrayField[int]  # moves of that board
    net_stones: int  # number of those moves; -1 if the accumulator must be computed from scratch
    net_shared: int  # number of leading moves that `net_path` surely shares with `path`
    net_shapes: ArrayField[ArrayField[int]]  # shape around each empty cell, by direction
    net_sums: ArrayField[ArrayField[int]]  # sum of the weights of an empty cell's four shapes
    net_total: ArrayField[int]  # sum over the empty cells of `net_sums`, clipped to 0..CHANNEL_MAX
    net_current: ArrayField[int]  # the same total for the present board, which has one more stone
    net_changes: ArrayField[ArrayField[int]]  # cells that the last stone changes, with their shapes before and after it
    net_inputs: ArrayField[int]  # indices of a layer's inputs that are not 0
    net_values: ArrayField[float]  # values of those inputs
    net_hidden: ArrayField[float]  # a hidden layer before ReLU

class Kernels:
    def new(self, record: Literal["Gomoku"], /) -> Gomoku: ...
    # defined in bots/gomoku/kernels/rules.py
    def apply(self, s: Gomoku, cell: int, /) -> None: ...
    def undo(self, s: Gomoku, /) -> None: ...
    def pass_turn(self, s: Gomoku, /) -> None: ...
    def setup(self, s: Gomoku, width: int, height: int, rule: int, /) -> None: ...
    def is_legal(self, s: Gomoku, cell: int, /) -> int: ...
    def list_legal(self, s: Gomoku, /) -> int: ...
    def list_forbidden(self, s: Gomoku, /) -> int: ...
    def perft(self, s: Gomoku, depth: int, /) -> int: ...
    # defined in bots/gomoku/kernels/paper_patterns.py
    def paper_score(self, s: Gomoku, colour: int, /) -> int: ...
    def paper_point_value(self, s: Gomoku, cell: int, /) -> int: ...
    # defined in bots/gomoku/kernels/threats.py
    def terminal_score(self, s: Gomoku, ply: int, /) -> int: ...
    def must_answer_threat(self, s: Gomoku, /) -> int: ...
    def find_vcf_move(self, s: Gomoku, tt: Array[c_uint64], plies: int, budget: int, /) -> int: ...
    # defined in bots/gomoku/kernels/paper_alphabeta.py
    def paper_rank(self, s: Gomoku, /) -> int: ...
    def paper_find_vct(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, /) -> int: ...
    def paper_search(self, s: Gomoku, tt: Array[c_uint64], depth: int, /) -> int: ...
    # defined in bots/gomoku/kernels/vct.py
    def find_vct(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, budget: int, /) -> int: ...
    def drop_lost_moves(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, vcf_nodes: int, vct_nodes: int, /) -> int: ...
    # defined in bots/gomoku/kernels/network.py
    def update_accumulator(self, s: Gomoku, /) -> None: ...
    def network_evaluation(self, s: Gomoku, /) -> int: ...
    # defined in bots/gomoku/kernels/evaluate.py
    def evaluate(self, s: Gomoku, /) -> int: ...
    # defined in bots/gomoku/kernels/search.py
    def quiescence(self, s: Gomoku, tt: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    # defined in core/search/kernels/alphabeta.py
    def prepare_root(self, s: Gomoku, keep_history: int, /) -> int: ...
    def search_root(self, s: Gomoku, table: Array[c_uint64], depth: int, alpha: int, beta: int, pv_index: int, /) -> int: ...
