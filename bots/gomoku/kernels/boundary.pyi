"""The gomoku kernels and their states as Python sees them. Made by `python -m core.native.boundary`; do not edit."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import AlphaBetaState

class Gomoku(AlphaBetaState):  # declared in bots/gomoku/kernels/rules.py
    width: int  # columns of the board, without padding
    height: int  # rows of the board, without padding
    rule: int  # bits EXACT, RENJU, CARO of bots/gomoku/notation.py
    reach: int  # number of cells on each side of the centre of a pattern's window
    side: int  # side to move: 0 black, 1 white
    stones: int  # number of stones on the board
    winner: int  # 1 or 2 once black or white has a winning five, else 0
    hash: int  # Zobrist hash of stones and side to move
    path: ArrayField[int]  # the `stones` moves played, as cells
    cells: ArrayField[int]  # 0 empty, 1 black, 2 white, 3 off the board
    lines: ArrayField[ArrayField[int]]  # the cells of each line as a word with two bits each, as in `cells`
    patterns: ArrayField[int]  # line patterns of an empty cell, four bits per direction: black's in bits 0-15, white's in bits 16-31
    grades: ArrayField[ArrayField[int]]  # grade of each empty cell
    pattern_count: ArrayField[ArrayField[int]]  # number of (empty cell, direction) pairs with each pattern
    grade_count: ArrayField[ArrayField[int]]  # number of empty cells with each grade
    counts_before: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]  # pattern_count [0] and grade_count [1] before each stone, for undo; then colour, pattern or grade
    changes: ArrayField[int]  # undo stack of `patterns`, from the low bits: cell (16 bits), 4 * direction (16 bits), old value (32 bits)
    grade_changes: ArrayField[int]  # undo stack of `grades`, from the low bits: cell (15 bits), colour (1 bit), old value (16 bits)
    change_ends: ArrayField[ArrayField[int]]  # lengths of `changes` [0] and `grade_changes` [1], by number of stones
    grade_rows: ArrayField[ArrayField[ArrayField[int]]]  # bit set of the empty cells with each grade: one word per padded row, bit x for padded column x
    occupied_rows: ArrayField[int]  # bit set of the cells with a stone, by rows likewise
    board_rows: ArrayField[int]  # bit set of the cells of the board, by rows likewise
    pattern_table: ArrayField[int]  # pattern by window: black's in bits 0-3, white's in bits 4-7
    grade_table: ArrayField[ArrayField[int]]  # grade by the four patterns of a cell, four bits each
    tables_rule: int  # 1 + rule for which both tables are filled; 0 before the first setup
    list: ArrayField[int]  # cells listed by list_legal and list_forbidden; scratch data of drop_lost_moves
    marked_rows: ArrayField[int]  # bit set of the cells that a kernel is collecting, by rows likewise
    vcf_budget: int  # nodes that the VCF search may still visit
    vcf_min_grade: int  # lowest grade of fours that the VCF search tries
    attacker: int  # side for which the VCT search looks for a win
    vct_budget: int  # nodes that the VCT search may still visit
    vct_plies: int  # the VCT search gives up if a line of moves gets this long
    proof: ArrayField[int]  # proof number of the VCT search's node at each ply
    disproof: ArrayField[int]  # disproof number of that node
    second_phi: ArrayField[int]  # second smallest phi of that node's children (kernels/vct.py)
    best_child_delta: ArrayField[int]  # delta of that node's most-proving child
    samples_wanted: int  # number of evaluated positions to sample for training data; 0 for none
    samples_seen: int  # number of positions evaluated so far from which the sample is taken
    samples_root: int  # number of stones at the root of the sampled search
    sampled_moves: ArrayField[ArrayField[int]]  # moves from the root to each sampled position, then 0
    vcf_line: ArrayField[int]  # moves of the VCF found, attacker and defender in turn; 0 for any reply
    paper_root_side: int  # side at the root: 0 black, 1 white
    paper_beam_width: int  # number of best moves searched at each node
    paper_uses_alphabeta: int  # 1 for alpha-beta with a table, 0 for minimax
    paper_gamma_per_mille: int  # weight of the opponent's patterns, in thousandths
    paper_value_lines: ArrayField[ArrayField[int]]  # line words for which `paper_values` was computed
    paper_values: ArrayField[ArrayField[ArrayField[int]]]  # cached value of a colour's patterns in each line
    paper_gain_lines: ArrayField[ArrayField[int]]  # line words for which `paper_gains` was computed
    paper_gains: ArrayField[ArrayField[int]]  # cached sum of what a black and what a white stone on an empty cell would add, by direction
    network: int  # 1 if the weights below are loaded and evaluate positions, else 0
    shape_weights: ArrayField[ArrayField[int]]  # what a shape adds to its cell's channels: black's, then white's
    input_weights: ArrayField[ArrayField[float]]  # weights of the first dense layer
    input_bias: ArrayField[float]  # bias of the first dense layer
    hidden_weights: ArrayField[ArrayField[float]]  # weights of the second dense layer
    hidden_bias: ArrayField[float]  # bias of the second dense layer
    output_weights: ArrayField[float]  # weights of the output, the logit of winning
    output_bias: float  # bias of the output
    net_cells: ArrayField[int]  # contents of the board that the accumulator belongs to, as in `cells`
    net_path: ArrayField[int]  # moves that led to that board
    net_stones: int  # number of those moves; -1 if the accumulator must be computed from scratch
    net_shared: int  # number of leading moves that `net_path` surely shares with `path`
    net_shapes: ArrayField[ArrayField[int]]  # shape around each empty cell of that board, by direction
    net_sums: ArrayField[ArrayField[int]]  # sum of the weights of an empty cell's four shapes
    net_total: ArrayField[int]  # the accumulator: sum over the empty cells of `net_sums`, each value first clipped to 0..CHANNEL_MAX
    net_current: ArrayField[int]  # the same total for the present board, which has one more stone
    net_changes: ArrayField[ArrayField[int]]  # cells around the last stone: (cell, shape before the stone, shape after it)
    net_inputs: ArrayField[int]  # indices of the inputs of a dense layer that are not 0
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
