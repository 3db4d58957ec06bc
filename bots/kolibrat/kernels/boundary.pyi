"""The kolibrat kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField

class Kolibrat:
    width: int
    height: int
    pieces: int
    goal: int
    side: int
    result: int
    points: ArrayField[int]
    on_board: ArrayField[int]
    rows: ArrayField[ArrayField[int]]
    hash: int
    ply: int
    path: ArrayField[int]
    path_side: ArrayField[int]
    path_score: ArrayField[int]
    path_keys: ArrayField[int]
    weights: ArrayField[int]
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
    binomials: ArrayField[ArrayField[int]]
    class_start: ArrayField[ArrayField[int]]
    boards: int
    flat: ArrayField[int]
    turned: ArrayField[int]
    last_due: int
    open_moves: int
    states: int
    branching: int
    most_moves: int

class Kernels:
    def new(self, record: Literal["Kolibrat"], /) -> Kolibrat: ...
    def key(self, s: Kolibrat, /) -> int: ...
    def put(self, s: Kolibrat, side: int, square: int, /) -> None: ...
    def setup(self, s: Kolibrat, width: int, height: int, pieces: int, goal: int, /) -> None: ...
    def has_move(self, s: Kolibrat, side: int, /) -> int: ...
    def list_moves(self, s: Kolibrat, side: int, ply: int, /) -> int: ...
    def apply(self, s: Kolibrat, move: int, /) -> None: ...
    def undo(self, s: Kolibrat, /) -> None: ...
    def repetitions(self, s: Kolibrat, /) -> int: ...
    def perft(self, s: Kolibrat, depth: int, /) -> int: ...
    def evaluate(self, s: Kolibrat, /) -> int: ...
    def minimax_root(self, s: Kolibrat, words: Array[c_uint64], depth: int, /) -> int: ...
    def number_placements(self, s: Kolibrat, /) -> int: ...
    def board_number(self, s: Kolibrat, mover: int, /) -> int: ...
    def set_board(self, s: Kolibrat, number: int, /) -> int: ...
    def lookup(self, s: Kolibrat, words: Array[c_uint16], side: int, /) -> int: ...
    def begin_layer(self, s: Kolibrat, words: Array[c_uint16], left: Array[c_uint8], place: int, goal: int, mine: int, other: int, /) -> None: ...
    def settle_layer(self, s: Kolibrat, words: Array[c_uint16], left: Array[c_uint8], place: int, goal: int, mine: int, other: int, plies: int, /) -> int: ...
    def end_layer(self, s: Kolibrat, words: Array[c_uint16], left: Array[c_uint8], place: int, goal: int, mine: int, other: int, /) -> int: ...
    def set_first_endless(self, s: Kolibrat, words: Array[c_uint16], goal: int, mine: int, other: int, /) -> None: ...
    def survey(self, s: Kolibrat, /) -> None: ...
    def mark_kept(self, s: Kolibrat, kept: Array[c_uint8], /) -> int: ...
    def pack_words(self, s: Kolibrat, words: Array[c_uint16], kept: Array[c_uint8], packed: Array[c_uint8], goal: int, size: int, /) -> int: ...
    def terminal_score(self, s: Kolibrat, ply: int, /) -> int: ...
    def must_answer_threat(self, s: Kolibrat, /) -> int: ...
    def quiescence(self, s: Kolibrat, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    def prepare_root(self, s: Kolibrat, keep_history: int, /) -> int: ...
    def search_root(self, s: Kolibrat, table: Array[c_uint64], depth: int, alpha: int, beta: int, first: int, /) -> int: ...
