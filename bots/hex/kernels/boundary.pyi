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
    rotated_hash: int
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
    chain_of: FieldArray[int]
    chain_count: int
    chain_edges: FieldArray[int]
    liberties: FieldArray[FieldArray[int]]
    stack: FieldArray[FieldArray[int]]
    neighbour_set: FieldArray[FieldArray[int]]
    at_edge: FieldArray[FieldArray[int]]
    reached_once: FieldArray[int]
    reached_twice: FieldArray[int]
    reached: FieldArray[int]
    newly_reached: FieldArray[int]
    distances: FieldArray[FieldArray[FieldArray[int]]]
    potentials: FieldArray[FieldArray[int]]
    min_potential: FieldArray[int]
    min_potential_cells: FieldArray[int]
    second_potential: FieldArray[int]
    path_cost: FieldArray[int]
    voltage: FieldArray[float]
    paper_method: int
    paper_root_side: int
    paper_seed: int
    paper_opponent_weight: int
    paper_sample_divisor: int
    paper_slope: int
    paper_cut: int
    paper_tempo: int
    paper_moves: FieldArray[FieldArray[int]]
    paper_move_costs: FieldArray[FieldArray[int]]
    root_count: int
    root_moves: FieldArray[int]
    root_costs: FieldArray[int]
    root_scores: FieldArray[int]
    root_moves_searched: int
    root_best: int

class HexSolver:
    width: int
    height: int
    cell_end: int
    all_cells: FieldArray[int]
    edges: FieldArray[FieldArray[FieldArray[int]]]
    neighbour: FieldArray[FieldArray[int]]
    neighbour_set: FieldArray[FieldArray[int]]
    nearby_set: FieldArray[FieldArray[int]]
    stones: FieldArray[FieldArray[int]]
    ring_code: FieldArray[int]
    hash: int
    rotated_hash: int
    undo_stack: FieldArray[int]
    undo_colour: FieldArray[int]
    undo_count: int
    dirty: FieldArray[int]
    captured: FieldArray[FieldArray[int]]
    candidates: FieldArray[int]
    chain_root: FieldArray[int]
    chain_roots: FieldArray[int]
    flood_list: FieldArray[int]
    remaining: FieldArray[int]
    connected: FieldArray[FieldArray[int]]
    adjacent: FieldArray[FieldArray[int]]
    new_carrier: FieldArray[int]
    base_carrier: FieldArray[int]
    pair_cells: FieldArray[FieldArray[int]]
    carriers: FieldArray[FieldArray[FieldArray[int]]]
    semi_key: FieldArray[FieldArray[int]]
    connection_count: FieldArray[FieldArray[int]]
    pending: FieldArray[FieldArray[int]]
    queue: FieldArray[FieldArray[int]]
    queue_head: FieldArray[int]
    queue_length: FieldArray[int]
    or_suffix_common: FieldArray[FieldArray[int]]
    or_common: FieldArray[FieldArray[int]]
    or_union: FieldArray[FieldArray[int]]
    or_results: FieldArray[FieldArray[int]]
    or_result_count: int
    key_move: int
    mustplay: FieldArray[int]
    carrier: FieldArray[int]
    work: int
    interrupted: int
    voltage: FieldArray[float]
    cell_current: FieldArray[float]
    phi: FieldArray[int]
    delta: FieldArray[int]
    phi_threshold: FieldArray[int]
    delta_threshold: FieldArray[int]
    node_open_moves: FieldArray[FieldArray[int]]
    node_carrier: FieldArray[FieldArray[int]]
    node_best_move: FieldArray[int]
    node_subtree_size: FieldArray[int]
    ordered_moves: FieldArray[FieldArray[int]]
    ordered_count: FieldArray[int]
    child_key: FieldArray[FieldArray[int]]
    child_rotated: FieldArray[FieldArray[int]]
    child_captured: FieldArray[FieldArray[FieldArray[FieldArray[int]]]]
    has_gained_stones: FieldArray[int]
    set_buffer: FieldArray[int]
    root_captured: FieldArray[FieldArray[int]]
    best_move: int
    pv: FieldArray[int]
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
    turn: int
    root: int
    win: int
    root_result: int
    rave_bias: float
    explore: float
    expand_visits: int
    study_visits: int
    moves: FieldArray[int]
    prior_visits: FieldArray[int]
    prior_rewards: FieldArray[int]
    share: FieldArray[float]
    values: FieldArray[float]
    taken: FieldArray[int]
    path: FieldArray[int]
    path_index: FieldArray[int]
    path_side: FieldArray[int]
    depth: int
    deepest: int
    width: int
    height: int
    root_side: int
    root_cells: FieldArray[int]
    root_empty: FieldArray[int]
    root_count: int
    root_last_move: int
    root_second_last_move: int
    empty: FieldArray[int]
    empty_index: FieldArray[int]
    empty_count: int
    last_move: int
    second_last_move: int
    is_far_edge: FieldArray[int]
    random: int
    ring_gamma: FieldArray[FieldArray[float]]
    bridge_gamma: FieldArray[FieldArray[float]]
    reply_gamma: FieldArray[FieldArray[float]]
    follow_gamma: FieldArray[FieldArray[float]]
    network: int
    leaf_evaluated: int
    leaf_win_probability: float
    fpu_reduction: float
    rollout_weight: float
    stem_weights: FieldArray[FieldArray[FieldArray[int]]]
    stem_bias: FieldArray[int]
    global_pool_weights: FieldArray[FieldArray[FieldArray[int]]]
    block_weights: FieldArray[FieldArray[FieldArray[FieldArray[FieldArray[int]]]]]
    block_bias: FieldArray[FieldArray[int]]
    policy_weights: FieldArray[int]
    value_hidden_weights: FieldArray[FieldArray[float]]
    value_hidden_bias: FieldArray[float]
    value_weights: FieldArray[float]
    value_bias: float
    net_width: int
    net_height: int
    net_rotated: int
    net_cells: FieldArray[int]
    input_rows: FieldArray[int]
    activations: FieldArray[FieldArray[int]]
    block_activations: FieldArray[FieldArray[int]]
    pooled: FieldArray[int]
    channel_bias: FieldArray[int]
    value_hidden: FieldArray[float]
    value_logit: float
    policy_logits: FieldArray[float]

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
    def board_conductance(self, s: Hex, colour: int, /) -> float: ...
    def count_virtual_connections(self, s: Hex, colour: int, /) -> int: ...
    def evaluate_groups(self, s: Hex, /) -> int: ...
    def paper_search(self, s: Hex, depth: int, /) -> int: ...
    def paper_costs(self, s: Hex, /) -> None: ...
    def connect(self, s: HexSolver, colour: int, moves_first: int, /) -> int: ...
    def solver_load(self, s: HexSolver, position: Hex, /) -> None: ...
    def fill_in_board(self, s: HexSolver, /) -> None: ...
    def find_candidates(self, s: HexSolver, colour: int, /) -> None: ...
    def solve(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    def clear_result(self, s: HexSolver, /) -> None: ...
    def find_pv(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    def network_forward(self, s: HexPlayout, /) -> None: ...
    def random_playout(self, s: HexPlayout, /) -> int: ...
    def set_root(self, position: Hex, s: HexPlayout, /) -> None: ...
    def search_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def plant_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def settle_path(self, s: HexPlayout, tree: Array[c_int32], result: int, /) -> None: ...
    def keep_tree(self, tree: Array[c_int32], other: Array[c_int32], root: int, node: int, least: int, most: int, /) -> int: ...
    def static_result(self, solver: HexSolver, side: int, /) -> int: ...
    def call_solver(self, s: HexPlayout, solver: HexSolver, tree: Array[c_int32], /) -> None: ...
    def static_result_of_root(self, s: HexPlayout, solver: HexSolver, /) -> int: ...
