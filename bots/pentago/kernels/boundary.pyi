"""The pentago kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField

class Pentago:
    white: int
    black: int
    side: int
    result: int
    ply: int
    path_white: ArrayField[int]
    path_black: ArrayField[int]
    path: ArrayField[int]
    list: ArrayField[int]
    image: int
    round_own: int
    round_other: int
    round: int
    random: int
    slice_count: int
    slice_cells: ArrayField[int]
    binomials: ArrayField[ArrayField[int]]
    low_count: int
    class_at: ArrayField[ArrayField[int]]
    children_at: ArrayField[ArrayField[ArrayField[int]]]
    high_at: ArrayField[int]
    high_fives: ArrayField[int]
    clock_address: int
    clock_argument: int
    clock_is_counter: int
    clock_buffer: ArrayField[int]
    deadline: int
    stop: int
    nodes: int
    node_limit: int
    next_poll: int
    aborted: int
    generation: int
    hit_data: int
    moves: ArrayField[ArrayField[int]]
    move_scores: ArrayField[ArrayField[int]]
    forced: ArrayField[int]
    hash_move: ArrayField[int]
    static_eval: ArrayField[int]
    refined_eval: ArrayField[int]
    killers: ArrayField[ArrayField[int]]
    history: ArrayField[ArrayField[int]]
    pv: ArrayField[ArrayField[int]]
    pv_length: ArrayField[int]
    selective_depth: int
    root_move_count: int
    root_moves: ArrayField[int]
    root_scores: ArrayField[int]
    root_nodes: ArrayField[int]
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
