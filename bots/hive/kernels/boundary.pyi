"""The hive kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField

class Hive:
    limits: ArrayField[int]
    ply: int
    side: int
    result: int
    rested: int
    euler: int
    stacks: int
    tops: ArrayField[int]
    placed: ArrayField[ArrayField[int]]
    in_hand: ArrayField[int]
    tile_cell: ArrayField[int]
    tile_level: ArrayField[int]
    tile_below: ArrayField[int]
    top: ArrayField[int]
    height: ArrayField[int]
    near: ArrayField[int]
    path: ArrayField[int]
    path_origin: ArrayField[int]
    path_rested: ArrayField[int]
    path_keys: ArrayField[int]
    lists: ArrayField[ArrayField[int]]
    free_cells: ArrayField[int]
    mark: ArrayField[int]
    stamp: int
    cuts: int
    cut_order: ArrayField[int]
    cut_low: ArrayField[int]
    cut_path: ArrayField[int]
    cut_left: ArrayField[int]
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
