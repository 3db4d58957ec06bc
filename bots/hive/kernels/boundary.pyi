"""The hive kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import FieldArray

class Hive:
    limits: FieldArray[int]
    ply: int
    side: int
    result: int
    rested: int
    euler: int
    stacks: int
    tops: FieldArray[int]
    placed: FieldArray[FieldArray[int]]
    in_hand: FieldArray[int]
    tile_cell: FieldArray[int]
    tile_level: FieldArray[int]
    tile_below: FieldArray[int]
    top: FieldArray[int]
    height: FieldArray[int]
    near: FieldArray[int]
    path: FieldArray[int]
    path_origin: FieldArray[int]
    path_rested: FieldArray[int]
    path_keys: FieldArray[int]
    lists: FieldArray[FieldArray[int]]
    free_cells: FieldArray[int]
    mark: FieldArray[int]
    stamp: int
    cuts: int
    cut_order: FieldArray[int]
    cut_low: FieldArray[int]
    cut_path: FieldArray[int]
    cut_left: FieldArray[int]
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
    thesis_random: int

class Kernels:
    def new(self, record: Literal["Hive"], /) -> Hive: ...
    def setup(self, s: Hive, expansions: int, /) -> None: ...
    def apply(self, s: Hive, move: int, /) -> None: ...
    def undo(self, s: Hive, /) -> None: ...
    def list_legal(self, s: Hive, /) -> int: ...
    def is_legal(self, s: Hive, move: int, /) -> int: ...
    def repetition_key(self, s: Hive, /) -> int: ...
    def key(self, s: Hive, /) -> int: ...
    def perft(self, s: Hive, depth: int, /) -> int: ...
    def count_round_queen(self, s: Hive, side: int, /) -> int: ...
    def thesis_evaluate(self, s: Hive, /) -> int: ...
    def thesis_search(self, s: Hive, depth: int, prunes: int, /) -> int: ...
    def thesis_attacks(self, s: Hive, /) -> int: ...
    def evaluate(self, s: Hive, /) -> int: ...
    def must_answer_threat(self, s: Hive, /) -> int: ...
    def terminal_score(self, s: Hive, ply: int, /) -> int: ...
    def quiescence(self, s: Hive, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Hive, keep_history: int, /) -> int: ...
    def search_root(self, s: Hive, table: Array[c_uint64], depth: int, alpha: int, beta: int, first: int, /) -> int: ...
