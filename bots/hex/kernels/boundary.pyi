"""The hex kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import MctsState

class Hex:
    width: int
    height: int
    swap: int
    side: int
    plies: int
    stones: int
    winner: int
    hash: int
    turned_hash: int
    cells: ArrayField[int]
    parent: ArrayField[int]
    chain_size: ArrayField[int]
    links: ArrayField[int]
    link_count: int
    path: ArrayField[int]
    path_colour: ArrayField[int]
    path_side: ArrayField[int]
    path_out_of_turn: ArrayField[int]
    path_links: ArrayField[int]
    list: ArrayField[int]
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
    chain: ArrayField[int]
    chains: int
    chain_edges: ArrayField[int]
    liberties: ArrayField[ArrayField[int]]
    stack: ArrayField[ArrayField[int]]
    near: ArrayField[ArrayField[int]]
    at_edge: ArrayField[ArrayField[int]]
    once: ArrayField[int]
    twice: ArrayField[int]
    reached: ArrayField[int]
    fresh: ArrayField[int]
    distances: ArrayField[ArrayField[ArrayField[int]]]
    potentials: ArrayField[ArrayField[int]]
    least: ArrayField[int]
    least_cells: ArrayField[int]
    second: ArrayField[int]
    steps: ArrayField[int]
    voltage: ArrayField[float]
    paper_method: int
    paper_agent: int
    paper_random: int
    paper_threat: int
    paper_sample: int
    paper_slope: int
    paper_cut: int
    paper_tempo: int
    paper_moves: ArrayField[ArrayField[int]]
    paper_move_costs: ArrayField[ArrayField[int]]
    root_count: int
    root_moves: ArrayField[int]
    root_costs: ArrayField[int]
    root_scores: ArrayField[int]
    root_done: int
    root_best: int

class HexSolver:
    width: int
    height: int
    ends: int
    board: ArrayField[int]
    near: ArrayField[ArrayField[int]]
    wide: ArrayField[ArrayField[int]]
    ring: ArrayField[ArrayField[int]]
    rings: ArrayField[int]
    hash: int
    turned_hash: int
    log: ArrayField[int]
    log_colour: ArrayField[int]
    log_length: int
    edges: ArrayField[ArrayField[ArrayField[int]]]
    stones: ArrayField[ArrayField[int]]
    unsure: ArrayField[int]
    captured: ArrayField[ArrayField[int]]
    moves: ArrayField[int]
    chain: ArrayField[int]
    solid: ArrayField[int]
    linked: ArrayField[ArrayField[int]]
    touching: ArrayField[ArrayField[int]]
    new: ArrayField[int]
    base: ArrayField[int]
    left: ArrayField[int]
    group: ArrayField[int]
    full_count: ArrayField[int]
    full_new: ArrayField[int]
    full: ArrayField[ArrayField[ArrayField[int]]]
    semi_count: ArrayField[int]
    semi_new: ArrayField[int]
    semi: ArrayField[ArrayField[ArrayField[int]]]
    semi_key: ArrayField[ArrayField[int]]
    full_queue: ArrayField[int]
    full_head: int
    full_length: int
    semi_queue: ArrayField[int]
    semi_head: int
    semi_length: int
    pair_ends: ArrayField[ArrayField[int]]
    key_move: int
    must: ArrayField[int]
    carrier: ArrayField[int]
    or_rest: ArrayField[ArrayField[int]]
    or_full: ArrayField[ArrayField[int]]
    or_common: ArrayField[ArrayField[int]]
    or_union: ArrayField[ArrayField[int]]
    work: int
    late: int
    or_count: int
    potential: ArrayField[float]
    flow: ArrayField[float]
    phi: ArrayField[int]
    delta: ArrayField[int]
    phi_limit: ArrayField[int]
    delta_limit: ArrayField[int]
    node_moves: ArrayField[ArrayField[int]]
    node_carrier: ArrayField[ArrayField[int]]
    node_best: ArrayField[int]
    node_work: ArrayField[int]
    order: ArrayField[ArrayField[int]]
    order_count: ArrayField[int]
    child_key: ArrayField[ArrayField[int]]
    child_turned: ArrayField[ArrayField[int]]
    child_captured: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]
    gained: ArrayField[int]
    set: ArrayField[int]
    root_captured: ArrayField[ArrayField[int]]
    best_move: int
    line: ArrayField[int]
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

class HexPlayout(MctsState):
    width: int
    height: int
    root_side: int
    root_cells: ArrayField[int]
    root_empty: ArrayField[int]
    root_count: int
    root_last: int
    empty: ArrayField[int]
    place: ArrayField[int]
    left: int
    last: int
    before: int
    root_before: int
    ring_gamma: ArrayField[ArrayField[float]]
    bridge_gamma: ArrayField[ArrayField[float]]
    reply_gamma: ArrayField[ArrayField[float]]
    follow_gamma: ArrayField[ArrayField[float]]
    far: ArrayField[int]
    network: int
    leaf: int
    leaf_chance: float
    first_play: float
    playout_part: float
    first_weights: ArrayField[ArrayField[ArrayField[int]]]
    first_bias: ArrayField[int]
    whole_weights: ArrayField[ArrayField[ArrayField[int]]]
    block_weights: ArrayField[ArrayField[ArrayField[ArrayField[ArrayField[int]]]]]
    block_bias: ArrayField[ArrayField[int]]
    policy_weights: ArrayField[int]
    hidden_weights: ArrayField[ArrayField[float]]
    hidden_bias: ArrayField[float]
    value_weights: ArrayField[float]
    value_bias: float
    net_width: int
    net_height: int
    net_turned: int
    net_cells: ArrayField[int]
    net_rows: ArrayField[int]
    net_planes: ArrayField[ArrayField[int]]
    net_inner: ArrayField[ArrayField[int]]
    net_pool: ArrayField[int]
    net_bias: ArrayField[int]
    net_hidden: ArrayField[float]
    net_odds: float
    net_strength: ArrayField[float]

class Kernels:
    @overload
    def new(self, record: Literal["Hex"], /) -> Hex: ...
    @overload
    def new(self, record: Literal["HexSolver"], /) -> HexSolver: ...
    @overload
    def new(self, record: Literal["HexSolver3"], /) -> HexSolver: ...
    @overload
    def new(self, record: Literal["HexSolver6"], /) -> HexSolver: ...
    @overload
    def new(self, record: Literal["HexPlayout"], /) -> HexPlayout: ...
    def set_side(self, s: Hex, side: int, /) -> None: ...
    def put(self, s: Hex, colour: int, cell: int, /) -> None: ...
    def apply(self, s: Hex, move: int, /) -> None: ...
    def undo(self, s: Hex, /) -> None: ...
    def setup(self, s: Hex, width: int, height: int, swap: int, /) -> None: ...
    def is_legal(self, s: Hex, move: int, /) -> int: ...
    def list_legal(self, s: Hex, /) -> int: ...
    def perft(self, s: Hex, depth: int, /) -> int: ...
    def find_potentials(self, s: Hex, /) -> None: ...
    def evaluate_potentials(self, s: Hex, /) -> int: ...
    def shortest_path(self, s: Hex, colour: int, /) -> int: ...
    def conductance_of_board(self, s: Hex, colour: int, /) -> float: ...
    def count_links(self, s: Hex, colour: int, /) -> int: ...
    def evaluate_groups(self, s: Hex, /) -> int: ...
    def paper_search(self, s: Hex, depth: int, /) -> int: ...
    def paper_costs(self, s: Hex, /) -> None: ...
    def connect(self, s: HexSolver, colour: int, moves_first: int, /) -> int: ...
    def solver_load(self, s: HexSolver, position: Hex, /) -> None: ...
    def fill_board(self, s: HexSolver, /) -> None: ...
    def list_moves(self, s: HexSolver, colour: int, /) -> None: ...
    def solve(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    def forget_proof(self, s: HexSolver, /) -> None: ...
    def find_line(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    def judge_position(self, s: HexPlayout, /) -> None: ...
    def fill_at_random(self, s: HexPlayout, /) -> int: ...
    def set_root(self, position: Hex, s: HexPlayout, /) -> None: ...
    def search_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def init_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def backup_proof(self, s: HexPlayout, tree: Array[c_int32], result: int, /) -> None: ...
    def copy_subtree(self, tree: Array[c_int32], target: Array[c_int32], root: int, cursor: int, min_visits: int, max_words: int, /) -> int: ...
    def judge_board(self, solver: HexSolver, side: int, /) -> int: ...
    def study_node(self, s: HexPlayout, solver: HexSolver, tree: Array[c_int32], /) -> None: ...
    def judge_root(self, s: HexPlayout, solver: HexSolver, /) -> int: ...
