"""The hex kernels and their states as Python sees them. Made by `python -m core.native.boundary`; do not edit."""

from ctypes import Array, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_float, c_double
from typing import Literal, overload

from core.native.library import ArrayField
from core.search.boundary import MctsState

class Hex:  # declared in bots/hex/kernels/records.py
    width: int  # columns
    height: int  # rows
    swap: int  # 1 if the second player may swap pieces
    side: int  # side to move: 0 black, 1 white
    plies: int  # length of the history: moves and set-up stones
    stones: int  # stones on the board
    winner: int  # 1 if black has connected its edges, 2 if white has, else 0
    hash: int  # Zobrist hash of stones and side to move
    rotated_hash: int  # hash of the position rotated by 180 degrees
    cells: ArrayField[int]  # padded board: 0 empty, 1 black or black's edge, 2 white or white's edge, 3 neither
    parent: ArrayField[int]  # union-find forest of chains: parent of a cell; a root is its own parent
    chain_size: ArrayField[int]  # number of cells of a chain; valid at its root only
    links: ArrayField[int]  # undo stack of unions: roots that became children
    link_count: int  # length of `links`
    path: ArrayField[int]  # history: the moves
    path_colour: ArrayField[int]  # history: colour of each move, 0 or 1
    path_side: ArrayField[int]  # history: side to move before each move, 0 or 1
    path_out_of_turn: ArrayField[int]  # history: 1 if the stone was placed out of turn or after the end
    path_links: ArrayField[int]  # history: `link_count` before each move
    list: ArrayField[int]  # result of `list_legal`: the legal moves
    clock_address: int  # address of clock_gettime or QueryPerformanceCounter
    clock_argument: int  # first argument of the clock: its number; on Windows the buffer's address
    clock_is_counter: int  # 1 if the clock returns one counter, 0 if seconds and nanoseconds
    clock_buffer: ArrayField[int]  # values that the clock returns
    deadline: int  # time in ticks of the clock at which the search stops; 0 for none
    stop: int  # set to 1 by any thread to stop the search
    nodes: int  # positions visited since the search began
    node_limit: int  # nodes after which the search stops; 0 for no limit
    next_poll: int  # value of `nodes` at the next poll
    aborted: int  # 1 once the search must unwind; its results are then meaningless
    chain_of: ArrayField[int]  # number of the chain of a stone; chains of one colour at a time
    chain_count: int  # number of chains
    chain_edges: ArrayField[int]  # edges that a chain touches: 1 first, 2 last, 3 both
    liberties: ArrayField[ArrayField[int]]  # empty cells next to a chain
    stack: ArrayField[ArrayField[int]]  # scratch: cells to be processed
    neighbour_set: ArrayField[ArrayField[int]]  # neighbours of an empty cell, directly or through one chain
    at_edge: ArrayField[ArrayField[int]]  # empty cells next to an edge, or to a chain that touches it
    reached_once: ArrayField[int]  # cells with at least one reached neighbour
    reached_twice: ArrayField[int]  # cells with at least two
    reached: ArrayField[int]  # cells whose distance is known
    newly_reached: ArrayField[int]  # cells reached in the last step
    distances: ArrayField[ArrayField[ArrayField[int]]]  # two-distance of an empty cell by colour and edge
    potentials: ArrayField[ArrayField[int]]  # sum of a cell's two distances, by colour
    min_potential: ArrayField[int]  # smallest potential, by colour
    min_potential_cells: ArrayField[int]  # number of cells with this potential
    second_potential: ArrayField[int]  # second smallest potential, by colour
    path_cost: ArrayField[int]  # empty cells on the shortest path from the first edge to a cell, including it
    voltage: ArrayField[float]  # voltage of a cell, between 1 at the first edge and 0 at the last
    paper_method: int  # search method, one of the constants above
    paper_root_side: int  # side to move at the root: 0 black, 1 white
    paper_seed: int  # seed of the samples
    paper_opponent_weight: int  # weight of the opponent's shortest path; the own path has 3 less this
    paper_sample_divisor: int  # a sample has 1000 * empty cells / this, below the root
    paper_slope: int  # budget per point of cost above the least, in hundredths of a ply
    paper_cut: int  # moves that cost this much more than the cheapest are not searched
    paper_tempo: int  # bonus for the side to move, if leaves lie at odd and even plies
    paper_moves: ArrayField[ArrayField[int]]  # moves by ply
    paper_move_costs: ArrayField[ArrayField[int]]  # costs of these moves
    root_count: int  # number of root moves
    root_moves: ArrayField[int]  # root moves, in the order in which they are searched
    root_costs: ArrayField[int]  # costs of the root moves
    root_scores: ArrayField[int]  # values of the root moves; -INFINITE if only an upper bound is known
    root_moves_searched: int  # root moves finished in the current search
    root_best: int  # index of the best root move

class HexSolver:  # declared in bots/hex/kernels/records.py
    width: int  # columns
    height: int  # rows
    cell_end: int  # one more than the number of the last cell: 2 + width * height
    all_cells: ArrayField[int]  # set of all cells
    edges: ArrayField[ArrayField[ArrayField[int]]]  # cells along each of a colour's two edges, by colour and edge
    neighbour: ArrayField[ArrayField[int]]  # six neighbours in circular order; 0 beyond black's edge, 1 white's
    neighbour_set: ArrayField[ArrayField[int]]  # the neighbours that are cells, as a set
    nearby_set: ArrayField[ArrayField[int]]  # cells at most two steps away
    stones: ArrayField[ArrayField[int]]  # stones of each colour, including filled-in cells
    ring_code: ArrayField[int]  # contents of the six neighbours, 2 bits each: 0 empty, 1 black, 2 white
    hash: int  # Zobrist hash of the stones
    rotated_hash: int  # hash of the position rotated by 180 degrees
    undo_stack: ArrayField[int]  # cells in the order in which they got a stone
    undo_colour: ArrayField[int]  # colours of these stones: 0 or 1
    undo_count: int  # length of the undo stack
    dirty: ArrayField[int]  # cells to be checked: they may have become dead or captured
    captured: ArrayField[ArrayField[int]]  # cells that a kernel has filled in as captured, by colour
    candidates: ArrayField[int]  # must-play cells that are not inferior: the moves to try
    chain_root: ArrayField[int]  # number that stands for the chain of a stone: first cell, or edge
    chain_roots: ArrayField[int]  # the roots of all chains, and the two edges
    flood_list: ArrayField[int]  # scratch: stones of a chain
    remaining: ArrayField[int]  # scratch: cells still to be processed
    connected: ArrayField[ArrayField[int]]  # numbers to which a number has a full connection
    adjacent: ArrayField[ArrayField[int]]  # numbers to which it has one with an empty carrier
    new_carrier: ArrayField[int]  # argument: carrier of the connection to be added
    base_carrier: ArrayField[int]  # argument: carrier of the connection to which others are joined
    pair_cells: ArrayField[ArrayField[int]]  # the two numbers of a pair, the lower one first
    carriers: ArrayField[ArrayField[ArrayField[int]]]  # carriers: full connections, then semi ones
    semi_key: ArrayField[ArrayField[int]]  # keys of the semi connections
    connection_count: ArrayField[ArrayField[int]]  # number of full and of semi connections of a pair
    pending: ArrayField[ArrayField[int]]  # connections that no rule has used yet: a bit each, by kind
    queue: ArrayField[ArrayField[int]]  # ring buffers of the pairs with pending connections, by kind
    queue_head: ArrayField[int]  # index of the first pair in each ring buffer
    queue_length: ArrayField[int]  # number of pairs in each ring buffer
    or_suffix_common: ArrayField[ArrayField[int]]  # OR rule: intersection of the semi carriers from an index on
    or_common: ArrayField[ArrayField[int]]  # OR rule: intersection of the carriers united so far, by level
    or_union: ArrayField[ArrayField[int]]  # OR rule: union of the same
    or_results: ArrayField[ArrayField[int]]  # OR rule: carriers of the full connections found
    or_result_count: int  # OR rule: number of these
    key_move: int  # result of `connect`: winning move, or -1 if any move wins
    mustplay: ArrayField[int]  # result of `connect`: must-play region
    carrier: ArrayField[int]  # result: cells that the last connection or proof needs
    work: int  # work since the clock was last read, in connections tried
    interrupted: int  # 1 if a limit or the stop flag ended a kernel early; its result is void
    voltage: ArrayField[float]  # voltage at a number, between 1 at edge 0 and 0 at edge 1
    cell_current: ArrayField[float]  # product of both colours' currents through a cell
    phi: ArrayField[int]  # proof number for the side to move: 0 if it wins, INFINITY if it loses
    delta: ArrayField[int]  # disproof number for the side to move: 0 if it loses, INFINITY if it wins
    phi_threshold: ArrayField[int]  # return from the node once phi reaches this
    delta_threshold: ArrayField[int]  # return from the node once delta reaches this
    node_open_moves: ArrayField[ArrayField[int]]  # candidate moves that are not refuted yet
    node_carrier: ArrayField[ArrayField[int]]  # carrier of the proof; of an open node: of the refutations so far
    node_best_move: ArrayField[int]  # winning move, or 0
    node_subtree_size: ArrayField[int]  # nodes searched below, over all visits
    ordered_moves: ArrayField[ArrayField[int]]  # open moves, most promising first
    ordered_count: ArrayField[int]  # number of ordered moves
    child_key: ArrayField[ArrayField[int]]  # transposition-table key after each ordered move
    child_rotated: ArrayField[ArrayField[int]]  # 1 if the table stores that position rotated
    child_captured: ArrayField[ArrayField[ArrayField[ArrayField[int]]]]  # cells that the move lets each colour capture
    has_gained_stones: ArrayField[int]  # 1 if the opponent's move filled in stones for the side to move
    set_buffer: ArrayField[int]  # argument and result of `read_set` and `write_set`
    root_captured: ArrayField[ArrayField[int]]  # cells captured in the root position, by colour
    best_move: int  # result of `solve`: a winning move, or 0
    pv: ArrayField[int]  # result of `find_pv`: the principal variation
    clock_address: int  # address of clock_gettime or QueryPerformanceCounter
    clock_argument: int  # first argument of the clock: its number; on Windows the buffer's address
    clock_is_counter: int  # 1 if the clock returns one counter, 0 if seconds and nanoseconds
    clock_buffer: ArrayField[int]  # values that the clock returns
    deadline: int  # time in ticks of the clock at which the search stops; 0 for none
    stop: int  # set to 1 by any thread to stop the search
    nodes: int  # positions visited since the search began
    node_limit: int  # nodes after which the search stops; 0 for no limit
    next_poll: int  # value of `nodes` at the next poll
    aborted: int  # 1 once the search must unwind; its results are then meaningless

class HexPlayout(MctsState):  # declared in bots/hex/kernels/records.py
    width: int  # columns
    height: int  # rows
    root_side: int  # side to move at the root: 0 or 1
    root_cells: ArrayField[int]  # board at the root; two corners of the padding get a colour, see `set_root`
    root_empty: ArrayField[int]  # empty cells at the root
    root_count: int  # number of empty cells at the root
    root_last_move: int  # last move before the root, or 0
    root_second_last_move: int  # the move before that, or 0
    empty: ArrayField[int]  # empty cells of the working position, in no order; `played_by` holds its board
    empty_index: ArrayField[int]  # index of an empty cell in `empty`
    empty_count: int  # number of empty cells
    last_move: int  # last move, or 0
    second_last_move: int  # the move before that, or 0
    is_far_edge: ArrayField[int]  # 1 on black's bottom edge and white's right edge
    ring_gamma: ArrayField[ArrayField[float]]  # gamma of the ring of neighbours
    bridge_gamma: ArrayField[ArrayField[float]]  # gammas of the six cells a bridge away
    reply_gamma: ArrayField[ArrayField[float]]  # gamma of the position relative to the opponent's last move
    follow_gamma: ArrayField[ArrayField[float]]  # gamma of the position relative to the own last move
    network: int  # 1 if the network gives priors and values, 0 if patterns and playouts do
    leaf_evaluated: int  # 1 if `leaf_win_probability` is that of the present leaf
    leaf_win_probability: float  # network's win probability of side 0 at the leaf
    fpu_reduction: float  # first-play urgency: a move without visits has the node's value less this
    rollout_weight: float  # weight of a playout's result in a leaf's value; the network has the rest
    stem_weights: ArrayField[ArrayField[ArrayField[int]]]  # stem: content of a cell, its offset, output channel
    stem_bias: ArrayField[int]
    global_pool_weights: ArrayField[ArrayField[ArrayField[int]]]  # pooled features to channel biases of a block
    block_weights: ArrayField[ArrayField[ArrayField[ArrayField[ArrayField[int]]]]]  # convolution (two per block), lane group, offset, pair of inputs, 2 * output lane + input of the pair
    block_bias: ArrayField[ArrayField[int]]
    policy_weights: ArrayField[int]  # policy head: channels of a cell to its logit
    value_hidden_weights: ArrayField[ArrayField[float]]  # value head: pooled features to hidden units
    value_hidden_bias: ArrayField[float]
    value_weights: ArrayField[float]  # value head: hidden units to the logit
    value_bias: float
    net_width: int  # columns of the board as the network sees it
    net_height: int  # rows
    net_rotated: int  # 1 if the network sees the board rotated by 180 degrees
    net_cells: ArrayField[int]  # 0 empty, 1 side to move, 2 opponent, 3 off the board
    input_rows: ArrayField[int]  # indices of the rows of `stem_weights` to be summed for a cell
    activations: ArrayField[ArrayField[int]]  # channels of each cell between blocks
    block_activations: ArrayField[ArrayField[int]]  # channels of each cell between the two convolutions of a block
    pooled: ArrayField[int]  # mean and maximum of each channel over the board
    channel_bias: ArrayField[int]  # channel biases, including the global-pooling term
    value_hidden: ArrayField[float]
    value_logit: float  # result: log-odds that the side to move wins
    policy_logits: ArrayField[float]  # result: policy logit of each cell of the padded board

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
    # defined in bots/hex/kernels/rules.py
    def set_side(self, s: Hex, side: int, /) -> None: ...
    def put(self, s: Hex, colour: int, cell: int, /) -> None: ...
    def apply(self, s: Hex, move: int, /) -> None: ...
    def undo(self, s: Hex, /) -> None: ...
    def setup(self, s: Hex, width: int, height: int, swap: int, /) -> None: ...
    def is_legal(self, s: Hex, move: int, /) -> int: ...
    def list_legal(self, s: Hex, /) -> int: ...
    def perft(self, s: Hex, depth: int, /) -> int: ...
    # defined in bots/hex/kernels/paper/potentials.py
    def find_potentials(self, s: Hex, /) -> None: ...
    def evaluate_potentials(self, s: Hex, /) -> int: ...
    # defined in bots/hex/kernels/paper/groups.py
    def shortest_path(self, s: Hex, colour: int, /) -> int: ...
    def board_conductance(self, s: Hex, colour: int, /) -> float: ...
    def count_virtual_connections(self, s: Hex, colour: int, /) -> int: ...
    def evaluate_groups(self, s: Hex, /) -> int: ...
    # defined in bots/hex/kernels/paper/search.py
    def paper_search(self, s: Hex, depth: int, /) -> int: ...
    def paper_costs(self, s: Hex, /) -> None: ...
    # defined in bots/hex/kernels/solver/connections.py
    def connect(self, s: HexSolver, colour: int, moves_first: int, /) -> int: ...
    # defined in bots/hex/kernels/solver/inferior.py
    def solver_load(self, s: HexSolver, position: Hex, /) -> None: ...
    def fill_in_board(self, s: HexSolver, /) -> None: ...
    def find_candidates(self, s: HexSolver, colour: int, /) -> None: ...
    # defined in bots/hex/kernels/solver/proof.py
    def solve(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    def clear_result(self, s: HexSolver, /) -> None: ...
    def find_pv(self, s: HexSolver, table: Array[c_uint64], side: int, /) -> int: ...
    # defined in bots/hex/kernels/tree/network.py
    def network_forward(self, s: HexPlayout, /) -> None: ...
    # defined in bots/hex/kernels/tree/mcts_game.py
    def random_playout(self, s: HexPlayout, /) -> int: ...
    def set_root(self, position: Hex, s: HexPlayout, /) -> None: ...
    # defined in core/search/kernels/mcts.py
    def search_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def init_tree(self, s: HexPlayout, tree: Array[c_int32], /) -> int: ...
    def backup_proof(self, s: HexPlayout, tree: Array[c_int32], result: int, /) -> None: ...
    def copy_subtree(self, tree: Array[c_int32], target: Array[c_int32], root: int, cursor: int, min_visits: int, max_words: int, /) -> int: ...
    # defined in bots/hex/kernels/tree/solver_call.py
    def static_result(self, solver: HexSolver, side: int, /) -> int: ...
    def call_solver(self, s: HexPlayout, solver: HexSolver, tree: Array[c_int32], /) -> None: ...
    def static_result_of_root(self, s: HexPlayout, solver: HexSolver, /) -> int: ...
