"""The hive kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import FieldArray

class Hive:
    kind_limits: FieldArray[int]
    ply: int
    side: int
    result: int
    last_moved: int
    euler_number: int
    stack_count: int
    uncovered: FieldArray[int]
    placed: FieldArray[FieldArray[int]]
    in_hand: FieldArray[int]
    tile_cell: FieldArray[int]
    tile_level: FieldArray[int]
    tile_below: FieldArray[int]
    top: FieldArray[int]
    height: FieldArray[int]
    neighbours: FieldArray[int]
    path: FieldArray[int]
    path_origin: FieldArray[int]
    path_last_moved: FieldArray[int]
    path_keys: FieldArray[int]
    move_lists: FieldArray[FieldArray[int]]
    placement_cells: FieldArray[int]
    cell_stamp: FieldArray[int]
    current_stamp: int
    cut_tiles: int
    dfs_number: FieldArray[int]
    dfs_low: FieldArray[int]
    dfs_path: FieldArray[int]
    dfs_remaining: FieldArray[int]
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
    order: FieldArray[FieldArray[int]]
    forced: FieldArray[int]
    table_move: FieldArray[int]
    static_value: FieldArray[int]
    estimate: FieldArray[int]
    killers: FieldArray[FieldArray[int]]
    history: FieldArray[FieldArray[int]]
    pv: FieldArray[FieldArray[int]]
    pv_length: FieldArray[int]
    selective_depth: int
    root_count: int
    root_moves: FieldArray[int]
    root_scores: FieldArray[int]
    root_nodes: FieldArray[int]
    root_done: int
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
    def count_queen_neighbours(self, s: Hive, side: int, /) -> int: ...
    def thesis_evaluate(self, s: Hive, /) -> int: ...
    def thesis_search(self, s: Hive, depth: int, uses_alphabeta: int, /) -> int: ...
    def thesis_list_attacks(self, s: Hive, /) -> int: ...
    def evaluate(self, s: Hive, /) -> int: ...
    def is_forced(self, s: Hive, /) -> int: ...
    def settle(self, s: Hive, ply: int, /) -> int: ...
    def leaf(self, s: Hive, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Hive, keep_history: int, /) -> int: ...
    def search_root(self, s: Hive, table: Array[c_uint64], depth: int, alpha: int, beta: int, first: int, /) -> int: ...
