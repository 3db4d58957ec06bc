"""The gomoku kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import FieldArray

class Gomoku:
    width: int
    height: int
    rule: int
    reach: int
    side: int
    stones: int
    winner: int
    hash: int
    path: FieldArray[int]
    cells: FieldArray[int]
    lines: FieldArray[FieldArray[int]]
    codes: FieldArray[int]
    grades: FieldArray[FieldArray[int]]
    code_count: FieldArray[FieldArray[int]]
    grade_count: FieldArray[FieldArray[int]]
    counts_before: FieldArray[FieldArray[FieldArray[FieldArray[int]]]]
    changes: FieldArray[int]
    grade_changes: FieldArray[int]
    change_ends: FieldArray[FieldArray[int]]
    grade_rows: FieldArray[FieldArray[FieldArray[int]]]
    occupied_rows: FieldArray[int]
    board_rows: FieldArray[int]
    pair_table: FieldArray[int]
    grade_table: FieldArray[FieldArray[int]]
    tables_ready: int
    list: FieldArray[int]
    marked_rows: FieldArray[int]
    vcf_budget: int
    vcf_least: int
    attacker: int
    vct_budget: int
    vct_plies: int
    proof: FieldArray[int]
    disproof: FieldArray[int]
    second: FieldArray[int]
    child_far: FieldArray[int]
    notes_wanted: int
    notes_seen: int
    notes_from: int
    notes: FieldArray[FieldArray[int]]
    vcf_line: FieldArray[int]
    clock_address: int
    clock_argument: int
    clock_is_counter: int
    clock_buffer: FieldArray[int]
    deadline: int
    stop: int
    nodes: int
    node_limit: int
    next_poll: int
    aborted: int
    generation: int
    hit_data: int
    moves: FieldArray[FieldArray[int]]
    move_scores: FieldArray[FieldArray[int]]
    forced: FieldArray[int]
    hash_move: FieldArray[int]
    static_eval: FieldArray[int]
    refined_eval: FieldArray[int]
    killers: FieldArray[FieldArray[int]]
    history: FieldArray[FieldArray[int]]
    pv: FieldArray[FieldArray[int]]
    pv_length: FieldArray[int]
    selective_depth: int
    root_move_count: int
    root_moves: FieldArray[int]
    root_scores: FieldArray[int]
    root_nodes: FieldArray[int]
    root_moves_searched: int
    root_depth: int
    full_width: int
    paper_agent: int
    paper_breadth: int
    paper_prunes: int
    paper_gamma_per_mille: int
    paper_value_words: FieldArray[FieldArray[int]]
    paper_values: FieldArray[FieldArray[FieldArray[int]]]
    paper_gain_words: FieldArray[FieldArray[int]]
    paper_gains: FieldArray[FieldArray[int]]
    network: int
    shape_weights: FieldArray[FieldArray[int]]
    input_weights: FieldArray[FieldArray[float]]
    input_bias: FieldArray[float]
    hidden_weights: FieldArray[FieldArray[float]]
    hidden_bias: FieldArray[float]
    output_weights: FieldArray[float]
    output_bias: float
    net_cells: FieldArray[int]
    net_path: FieldArray[int]
    net_stones: int
    net_common: int
    net_shapes: FieldArray[FieldArray[int]]
    net_sums: FieldArray[FieldArray[int]]
    net_total: FieldArray[int]
    net_ahead: FieldArray[int]
    net_changes: FieldArray[FieldArray[int]]
    net_inputs: FieldArray[int]
    net_values: FieldArray[float]
    net_hidden: FieldArray[float]

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
    def find_vcf_move(self, s: Gomoku, words: Array[c_uint64], plies: int, budget: int, /) -> int: ...
    def paper_rank(self, s: Gomoku, /) -> int: ...
    def paper_kill(self, s: Gomoku, words: Array[c_uint64], most_plies: int, /) -> int: ...
    def paper_search(self, s: Gomoku, words: Array[c_uint64], depth: int, /) -> int: ...
    def find_vct(self, s: Gomoku, words: Array[c_uint64], plies: int, budget: int, /) -> int: ...
    def drop_lost_moves(self, s: Gomoku, words: Array[c_uint64], plies: int, fours: int, threes: int, /) -> int: ...
    def follow(self, s: Gomoku, /) -> None: ...
    def judge(self, s: Gomoku, /) -> int: ...
    def evaluate(self, s: Gomoku, /) -> int: ...
    def quiescence(self, s: Gomoku, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Gomoku, keep_history: int, /) -> int: ...
    def search_root(self, s: Gomoku, table: Array[c_uint64], depth: int, alpha: int, beta: int, first: int, /) -> int: ...
