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
    rotated_hash: int
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
    chain_of: ArrayField[int]
    chain_count: int
    chain_edges: ArrayField[int]
    liberties: ArrayField[ArrayField[int]]
    stack: ArrayField[ArrayField[int]]
    neighbour_set: ArrayField[ArrayField[int]]
    at_edge: ArrayField[ArrayField[int]]
    reached_once: ArrayField[int]
    reached_twice: ArrayField[int]
    reached: ArrayField[int]
    newly_reached: ArrayField[int]
    distances: ArrayField[ArrayField[ArrayField[int]]]
    potentials: ArrayField[ArrayField[int]]
    min_potential: ArrayField[int]
    min_potential_cells: ArrayField[int]
    second_potential: ArrayField[int]
    path_cost: ArrayField[int]
    voltage: ArrayField[float]
    paper_method: int
    paper_root_side: int
    paper_seed: int
    paper_opponent_weight: int
    paper_sample_divisor: int
    paper_slope: int
    paper_cut: int
    paper_tempo: int
    paper_moves: ArrayField[ArrayField[int]]
    paper_move_costs: ArrayField[ArrayField[int]]
    root_count: int
    root_moves: ArrayField[int]
    root_costs: ArrayField[int]
    root_scores: ArrayField[int]
    root_moves_searched: int
    root_best: int

class HexSolver:
    width: int
    height: int
    cell_end: int
    all_cells: ArrayField[int]
    edges: ArrayField[ArrayField[ArrayField[int]]]
    neighbour: ArrayField[ArrayField[int]]
    neighbour_set: ArrayField[ArrayField[int]]
    nearby_set: ArrayField[ArrayField[int]]
    stones: ArrayField[ArrayField[int]]
    ring_code: ArrayField[int]
    hash: int
    rotated_hash: int
    undo_stack: ArrayField[int]
    undo_colour: ArrayField[int]
    undo_count: int
    dirty: ArrayField[int]
    captured: ArrayField[ArrayField[int]]
    candidates: ArrayField[int]
    chain_root: ArrayField[int]
    chain_roots: ArrayField[int]
    flood_list: ArrayField[int]
    remaining: ArrayField[int]
    connected: ArrayField[ArrayField[int]]
    adjacent: ArrayField[ArrayField[int]]
    new_carrier: ArrayField[int]
    base_carrier: ArrayField[int]
    pair_cells: ArrayField[ArrayField[int]]
    carriers: ArrayField[ArrayField[ArrayField[int]]]
    semi_key: ArrayField[ArrayField[int]]
    connection_count: ArrayField[ArrayField[int]]
    pending: ArrayField[ArrayField[int]]
    queue: ArrayField[ArrayField[int]]
    queue_head: ArrayField[int]
    queue_length: ArrayField[int]
    or_suffix_common: ArrayField[ArrayField[int]]
    or_common: ArrayField[ArrayField[int]]
    or_union: ArrayField[ArrayField[int]]
    or_results: ArrayField[ArrayField[int]]
    or_result_count: int
    key_move: int
    mustplay: ArrayField[int]
    carrier: ArrayField[int]
    work: int
    interrupted: int
    voltage: ArrayField[float]
    cell_current: ArrayField[float]
    phi: ArrayField[int]
    delta: ArrayField[int]
    phi_threshold: ArrayField[int]
    delta_threshold: ArrayField[int]
    node_open_moves: ArrayField[ArrayField[int]]
    node_carrier: ArrayField[ArrayField[int]]
    node_best_move: ArrayField[int]
    node_subtree_size: ArrayField[int]
    ordered_moves: ArrayField[ArrayField[int]]
    ordered_count: ArrayField[int]
    child_key: ArrayField[ArrayField[int]]
    child_rotated: ArrayField[ArrayField[int]]
    child_captured: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]
    has_gained_stones: ArrayField[int]
    set_buffer: ArrayField[int]
    root_captured: ArrayField[ArrayField[int]]
    best_move: int
    pv: ArrayField[int]
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
    root_last_move: int
    root_second_last_move: int
    empty: ArrayField[int]
    empty_index: ArrayField[int]
    empty_count: int
    last_move: int
    second_last_move: int
    is_far_edge: ArrayField[int]
    ring_gamma: ArrayField[ArrayField[float]]
    bridge_gamma: ArrayField[ArrayField[float]]
    reply_gamma: ArrayField[ArrayField[float]]
    follow_gamma: ArrayField[ArrayField[float]]
    network: int
    leaf_evaluated: int
    leaf_win_probability: float
    fpu_reduction: float
    rollout_weight: float
    stem_weights: ArrayField[ArrayField[ArrayField[int]]]
    stem_bias: ArrayField[int]
    global_pool_weights: ArrayField[ArrayField[ArrayField[int]]]
    block_weights: ArrayField[ArrayField[ArrayField[ArrayField[ArrayField[int]]]]]
    block_bias: ArrayField[ArrayField[int]]
    policy_weights: ArrayField[int]
    value_hidden_weights: ArrayField[ArrayField[float]]
    value_hidden_bias: ArrayField[float]
    value_weights: ArrayField[float]
    value_bias: float
    net_width: int
    net_height: int
    net_rotated: int
    net_cells: ArrayField[int]
    input_rows: ArrayField[int]
    activations: ArrayField[ArrayField[int]]
    block_activations: ArrayField[ArrayField[int]]
    pooled: ArrayField[int]
    channel_bias: ArrayField[int]
    value_hidden: ArrayField[float]
    value_logit: float
    policy_logits: ArrayField[float]

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
    def init_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def backup_proof(self, s: HexPlayout, tree: Array[c_int32], result: int, /) -> None: ...
    def copy_subtree(self, tree: Array[c_int32], target: Array[c_int32], root: int, cursor: int, min_visits: int, max_words: int, /) -> int: ...
    def static_result(self, solver: HexSolver, side: int, /) -> int: ...
    def call_solver(self, s: HexPlayout, solver: HexSolver, tree: Array[c_int32], /) -> None: ...
    def static_result_of_root(self, s: HexPlayout, solver: HexSolver, /) -> int: ...
