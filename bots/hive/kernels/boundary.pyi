"""The hive kernels and their states as Python sees them. Made by `python -m core.native.boundary`; do not edit."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import AlphaBetaState

class Hive(AlphaBetaState):  # declared in bots/hive/kernels/board.py
    kind_limits: ArrayField[int]  # tiles of each kind that a side has in this game type
    ply: int  # plies played, including passes
    side: int  # side to move: 0 white, 1 black
    result: int  # 0 during the game, else WHITE_WINS, BLACK_WINS or DRAW
    last_moved: int  # tile moved or placed by the previous ply, -1 for none; it must not move now
    euler_number: int  # 1 minus the number of holes in the hive; 0 without tiles
    stack_count: int  # cells with two or more tiles
    uncovered: ArrayField[int]  # by side: bit set of its tiles that lie on top of a cell (bit = tile, 0..27)
    placed: ArrayField[ArrayField[int]]  # tiles in play by side and kind
    in_hand: ArrayField[int]  # tiles in hand by side
    tile_cell: ArrayField[int]  # cell of each tile, -1 in hand
    tile_level: ArrayField[int]  # number of tiles below each tile in play; 0 in hand
    tile_below: ArrayField[int]  # tile directly below each tile, -1 for none
    top: ArrayField[int]  # uncovered tile of each cell, -1 for none
    height: ArrayField[int]  # number of tiles on each cell
    neighbours: ArrayField[int]  # bits 0..5: directions with a white top tile; bits 6..11: with a black one
    path: ArrayField[int]  # moves played
    path_origin: ArrayField[int]  # cell that each moved tile came from, -1 for hand or pass
    path_last_moved: ArrayField[int]  # `last_moved` before each move
    path_keys: ArrayField[int]  # `repetition_key` before each move; only those that a search needs are set
    move_lists: ArrayField[ArrayField[int]]  # move lists; list 0 is the result of most kernels
    placement_cells: ArrayField[int]  # cells where the side to move may place a tile
    cell_stamp: ArrayField[int]  # `current_stamp` when the cell was last added to a set of cells
    current_stamp: int  # identifies the set of cells that is being collected
    cut_tiles: int  # bit set of the top tiles of articulation points; valid only if the hive has holes
    dfs_number: ArrayField[int]  # depth-first search: order in which each top tile was reached
    dfs_low: ArrayField[int]  # depth-first search: lowest number reachable from the tile's subtree
    dfs_path: ArrayField[int]  # depth-first search: stack of cells
    dfs_remaining: ArrayField[int]  # depth-first search: untried directions of each cell on the stack
    thesis_random: int  # state of the random generator that shuffles moves; never 0

class Kernels:
    def new(self, record: Literal["Hive"], /) -> Hive: ...
    # defined in bots/hive/kernels/rules.py
    def setup(self, s: Hive, expansions: int, /) -> None: ...
    def apply(self, s: Hive, move: int, /) -> None: ...
    def undo(self, s: Hive, /) -> None: ...
    def list_legal(self, s: Hive, /) -> int: ...
    def is_legal(self, s: Hive, move: int, /) -> int: ...
    def repetition_key(self, s: Hive, /) -> int: ...
    def key(self, s: Hive, /) -> int: ...
    def perft(self, s: Hive, depth: int, /) -> int: ...
    # defined in bots/hive/kernels/paper.py
    def count_queen_neighbours(self, s: Hive, side: int, /) -> int: ...
    def thesis_evaluate(self, s: Hive, /) -> int: ...
    def thesis_search(self, s: Hive, depth: int, uses_alphabeta: int, /) -> int: ...
    def thesis_list_attacks(self, s: Hive, /) -> int: ...
    # defined in bots/hive/kernels/evaluate.py
    def evaluate(self, s: Hive, /) -> int: ...
    # defined in bots/hive/kernels/search.py
    def must_answer_threat(self, s: Hive, /) -> int: ...
    def terminal_score(self, s: Hive, ply: int, /) -> int: ...
    def quiescence(self, s: Hive, words: Array[c_uint64], alpha: int, beta: int, ply: int, /) -> int: ...
    # defined in core/search/kernels/alphabeta.py
    def prepare_root(self, s: Hive, keep_history: int, /) -> int: ...
    def search_root(self, s: Hive, table: Array[c_uint64], depth: int, alpha: int, beta: int, pv_index: int, /) -> int: ...
