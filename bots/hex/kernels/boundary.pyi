"""The hex kernels as Python sees them. Made by `python -m core.native.boundary`; not to be edited."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import FieldArray

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
    cells: FieldArray[int]
    parent: FieldArray[int]
    chain_size: FieldArray[int]
    links: FieldArray[int]
    link_count: int
    path: FieldArray[int]
    path_colour: FieldArray[int]
    path_side: FieldArray[int]
    path_placed: FieldArray[int]
    path_links: FieldArray[int]
    list: FieldArray[int]
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
    chain: FieldArray[int]
    chains: int
    chain_edges: FieldArray[int]
    liberties: FieldArray[FieldArray[int]]
    stack: FieldArray[FieldArray[int]]
    near: FieldArray[FieldArray[int]]
    at_edge: FieldArray[FieldArray[int]]
    once: FieldArray[int]
    twice: FieldArray[int]
    reached: FieldArray[int]
    fresh: FieldArray[int]
    distances: FieldArray[FieldArray[FieldArray[int]]]
    potentials: FieldArray[FieldArray[int]]
    least: FieldArray[int]
    least_cells: FieldArray[int]
    second: FieldArray[int]
    steps: FieldArray[int]
    voltage: FieldArray[float]
    paper_method: int
    paper_agent: int
    paper_random: int
    paper_threat: int
    paper_sample: int
    paper_slope: int
    paper_cut: int
    paper_tempo: int
    paper_moves: FieldArray[FieldArray[int]]
    paper_move_costs: FieldArray[FieldArray[int]]
    root_count: int
    root_moves: FieldArray[int]
    root_costs: FieldArray[int]
    root_scores: FieldArray[int]
    root_done: int
    root_best: int

class HexSolver:
    width: int
    height: int
    ends: int
    board: FieldArray[int]
    near: FieldArray[FieldArray[int]]
    wide: FieldArray[FieldArray[int]]
    ring: FieldArray[FieldArray[int]]
    rings: FieldArray[int]
    hash: int
    turned_hash: int
    log: FieldArray[int]
    log_colour: FieldArray[int]
    log_length: int
    edges: FieldArray[FieldArray[FieldArray[int]]]
    stones: FieldArray[FieldArray[int]]
    unsure: FieldArray[int]
    captured: FieldArray[FieldArray[int]]
    moves: FieldArray[int]
    chain: FieldArray[int]
    solid: FieldArray[int]
    linked: FieldArray[FieldArray[int]]
    touching: FieldArray[FieldArray[int]]
    new: FieldArray[int]
    base: FieldArray[int]
    left: FieldArray[int]
    group: FieldArray[int]
    full_count: FieldArray[int]
    full_new: FieldArray[int]
    full: FieldArray[FieldArray[FieldArray[int]]]
    semi_count: FieldArray[int]
    semi_new: FieldArray[int]
    semi: FieldArray[FieldArray[FieldArray[int]]]
    semi_key: FieldArray[FieldArray[int]]
    full_queue: FieldArray[int]
    full_head: int
    full_length: int
    semi_queue: FieldArray[int]
    semi_head: int
    semi_length: int
    pair_ends: FieldArray[FieldArray[int]]
    key_move: int
    must: FieldArray[int]
    carrier: FieldArray[int]
    or_rest: FieldArray[FieldArray[int]]
    or_full: FieldArray[FieldArray[int]]
    or_common: FieldArray[FieldArray[int]]
    or_union: FieldArray[FieldArray[int]]
    work: int
    late: int
    or_count: int
    potential: FieldArray[float]
    flow: FieldArray[float]
    phi: FieldArray[int]
    delta: FieldArray[int]
    phi_limit: FieldArray[int]
    delta_limit: FieldArray[int]
    node_moves: FieldArray[FieldArray[int]]
    node_carrier: FieldArray[FieldArray[int]]
    node_best: FieldArray[int]
    node_work: FieldArray[int]
    order: FieldArray[FieldArray[int]]
    order_count: FieldArray[int]
    child_key: FieldArray[FieldArray[int]]
    child_turned: FieldArray[FieldArray[int]]
    child_captured: FieldArray[FieldArray[FieldArray[FieldArray[int]]]]
    gained: FieldArray[int]
    set: FieldArray[int]
    root_captured: FieldArray[FieldArray[int]]
    best_move: int
    line: FieldArray[int]
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

class HexPlayout:
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
    side: int
    root: int
    win_reward: int
    root_result: int
    rave_equivalence: float
    c_puct: float
    expansion_threshold: int
    solver_threshold: int
    moves: FieldArray[int]
    rave_prior_visits: FieldArray[int]
    rave_prior_rewards: FieldArray[int]
    prior: FieldArray[float]
    values: FieldArray[float]
    played_by: FieldArray[int]
    path: FieldArray[int]
    path_move_index: FieldArray[int]
    path_side: FieldArray[int]
    depth: int
    max_depth_reached: int
    width: int
    height: int
    root_side: int
    root_cells: FieldArray[int]
    root_empty: FieldArray[int]
    root_count: int
    root_last: int
    empty: FieldArray[int]
    place: FieldArray[int]
    left: int
    last: int
    before: int
    root_before: int
    ring_gamma: FieldArray[FieldArray[float]]
    bridge_gamma: FieldArray[FieldArray[float]]
    reply_gamma: FieldArray[FieldArray[float]]
    follow_gamma: FieldArray[FieldArray[float]]
    far: FieldArray[int]
    random: int
    network: int
    leaf: int
    leaf_chance: float
    first_play: float
    playout_part: float
    first_weights: FieldArray[FieldArray[FieldArray[int]]]
    first_bias: FieldArray[int]
    whole_weights: FieldArray[FieldArray[FieldArray[int]]]
    block_weights: FieldArray[FieldArray[FieldArray[FieldArray[FieldArray[int]]]]]
    block_bias: FieldArray[FieldArray[int]]
    policy_weights: FieldArray[int]
    hidden_weights: FieldArray[FieldArray[float]]
    hidden_bias: FieldArray[float]
    value_weights: FieldArray[float]
    value_bias: float
    net_width: int
    net_height: int
    net_turned: int
    net_cells: FieldArray[int]
    net_rows: FieldArray[int]
    net_planes: FieldArray[FieldArray[int]]
    net_inner: FieldArray[FieldArray[int]]
    net_pool: FieldArray[int]
    net_bias: FieldArray[int]
    net_hidden: FieldArray[float]
    net_odds: float
    net_strength: FieldArray[float]

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
    def copy_subtree(self, tree: Array[c_int32], other: Array[c_int32], root: int, node: int, least: int, most: int, /) -> int: ...
    def judge_board(self, solver: HexSolver, side: int, /) -> int: ...
    def study_node(self, s: HexPlayout, solver: HexSolver, tree: Array[c_int32], /) -> None: ...
    def judge_root(self, s: HexPlayout, solver: HexSolver, /) -> int: ...
