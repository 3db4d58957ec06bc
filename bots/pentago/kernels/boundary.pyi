"""The pentago kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import FieldArray

class Pentago:
    white: int
    black: int
    side: int
    result: int
    ply: int
    path_white: FieldArray[int]
    path_black: FieldArray[int]
    path: FieldArray[int]
    list: FieldArray[int]
    image: int
    round_own: int
    round_other: int
    round: int
    random: int
    slice_count: int
    slice_cells: FieldArray[int]
    binomials: FieldArray[FieldArray[int]]
    low_count: int
    class_at: FieldArray[FieldArray[int]]
    children_at: FieldArray[FieldArray[FieldArray[int]]]
    high_at: FieldArray[int]
    high_fives: FieldArray[int]
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

class Kernels:
    def new(self, record: Literal["Pentago"], /) -> Pentago: ...
    def apply(self, s: Pentago, move: int, /) -> None: ...
    def undo(self, s: Pentago, /) -> None: ...
    def setup(self, s: Pentago, white: int, black: int, side: int, /) -> None: ...
    def is_legal(self, s: Pentago, move: int, /) -> int: ...
    def list_legal(self, s: Pentago, /) -> int: ...
    def perft(self, s: Pentago, depth: int, /) -> int: ...
    def key(self, s: Pentago, /) -> int: ...
    def thesis_value(self, s: Pentago, ply: int, /) -> int: ...
    def thesis_search(self, s: Pentago, alpha: int, beta: int, depth: int, ply: int, /) -> int: ...
    def play_out(self, s: Pentago, /) -> int: ...
    def begin_slices(self, s: Pentago, fives: Array[c_uint64], /) -> int: ...
    def begin_low(self, s: Pentago, choices: Array[c_uint16], children: Array[c_uint16], /) -> int: ...
    def begin_level(self, s: Pentago, tiles: Array[c_uint64], size: int, place: int, /) -> None: ...
    def solve_block(self, s: Pentago, fives: Array[c_uint64], choices: Array[c_uint16], children: Array[c_uint16], tiles: Array[c_uint64], entries: Array[c_uint64], size: int, block: int, share: int, shares: int, /) -> int: ...
    def count_turned(self, s: Pentago, /) -> int: ...
    def terminal_score(self, s: Pentago, ply: int, /) -> int: ...
    def must_answer_threat(self, s: Pentago, /) -> int: ...
    def evaluate(self, s: Pentago, /) -> int: ...
    def generate(self, s: Pentago, ply: int, /) -> int: ...
    def quiescence(self, s: Pentago, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Pentago, keep_history: int, /) -> int: ...
    def search_root(self, s: Pentago, table: Array[c_uint64], depth: int, alpha: int, beta: int, first: int, /) -> int: ...
