"""The gomoku kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import AlphaBetaState

class Gomoku(AlphaBetaState):
    width: int
    height: int
    rule: int
    reach: int
    side: int
    stones: int
    winner: int
    hash: int
    path: ArrayField[int]
    cells: ArrayField[int]
    lines: ArrayField[ArrayField[int]]
    patterns: ArrayField[int]
    grades: ArrayField[ArrayField[int]]
    pattern_count: ArrayField[ArrayField[int]]
    grade_count: ArrayField[ArrayField[int]]
    counts_before: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]
    changes: ArrayField[int]
    grade_changes: ArrayField[int]
    change_ends: ArrayField[ArrayField[int]]
    grade_rows: ArrayField[ArrayField[ArrayField[int]]]
    occupied_rows: ArrayField[int]
    board_rows: ArrayField[int]
    pattern_table: ArrayField[int]
    grade_table: ArrayField[ArrayField[int]]
    tables_rule: int
    list: ArrayField[int]
    marked_rows: ArrayField[int]
    vcf_budget: int
    vcf_min_grade: int
    attacker: int
    vct_budget: int
    vct_plies: int
    proof: ArrayField[int]
    disproof: ArrayField[int]
    second_phi: ArrayField[int]
    best_child_delta: ArrayField[int]
    samples_wanted: int
    samples_seen: int
    samples_root: int
    sampled_moves: ArrayField[ArrayField[int]]
    vcf_line: ArrayField[int]
    paper_root_side: int
    paper_beam_width: int
    paper_uses_alphabeta: int
    paper_gamma_per_mille: int
    paper_value_lines: ArrayField[ArrayField[int]]
    paper_values: ArrayField[ArrayField[ArrayField[int]]]
    paper_gain_lines: ArrayField[ArrayField[int]]
    paper_gains: ArrayField[ArrayField[int]]
    network: int
    shape_weights: ArrayField[ArrayField[int]]
    input_weights: ArrayField[ArrayField[float]]
    input_bias: ArrayField[float]
    hidden_weights: ArrayField[ArrayField[float]]
    hidden_bias: ArrayField[float]
    output_weights: ArrayField[float]
    output_bias: float
    net_cells: ArrayField[int]
    net_path: ArrayField[int]
    net_stones: int
    net_shared: int
    net_shapes: ArrayField[ArrayField[int]]
    net_sums: ArrayField[ArrayField[int]]
    net_total: ArrayField[int]
    net_current: ArrayField[int]
    net_changes: ArrayField[ArrayField[int]]
    net_inputs: ArrayField[int]
    net_values: ArrayField[float]
    net_hidden: ArrayField[float]

class Kernels:
    def new(self, record: Literal["Gomoku"], /) -> Gomoku: ...
    def apply(self, s: Gomoku, cell: int, /) -> None: ...
    def undo(self, s: Gomoku, /) -> None: ...
    def pass_turn(self, s: Gomoku, /) -> None: ...
    def setup(self, s: Gomoku, width: int, height: int, rule: int, /) -> None: ...
    def is_legal(self, s: Gomoku, cell: int, /) -> int: ...
    def list_legal(self, s: Gomoku, /) -> int: ...
    def list_forbidden(self, s: Gomoku, /) -> int: ...
    def perft(self, s: Gomoku, depth: int, /) -> int: ...
    def paper_score(self, s: Gomoku, colour: int, /) -> int: ...
    def paper_point_value(self, s: Gomoku, cell: int, /) -> int: ...
    def terminal_score(self, s: Gomoku, ply: int, /) -> int: ...
    def must_answer_threat(self, s: Gomoku, /) -> int: ...
    def find_vcf_move(self, s: Gomoku, tt: Array[c_uint64], plies: int, budget: int, /) -> int: ...
    def paper_rank(self, s: Gomoku, /) -> int: ...
    def paper_find_vct(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, /) -> int: ...
    def paper_search(self, s: Gomoku, tt: Array[c_uint64], depth: int, /) -> int: ...
    def find_vct(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, budget: int, /) -> int: ...
    def drop_lost_moves(self, s: Gomoku, tt: Array[c_uint64], max_plies: int, vcf_nodes: int, vct_nodes: int, /) -> int: ...
    def update_accumulator(self, s: Gomoku, /) -> None: ...
    def network_evaluation(self, s: Gomoku, /) -> int: ...
    def evaluate(self, s: Gomoku, /) -> int: ...
    def quiescence(self, s: Gomoku, tt: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Gomoku, keep_history: int, /) -> int: ...
    def search_root(self, s: Gomoku, table: Array[c_uint64], depth: int, alpha: int, beta: int, pv_index: int, /) -> int: ...
