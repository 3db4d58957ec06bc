"""State fields that each kind of search needs. Made by `python -m core.native.boundary`; do not edit."""

from core.native.library import ArrayField

class AlphaBetaState:  # fields declared in core/search/kernels/game_kernels.py
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
    generation: int  # number of the search, modulo GENERATIONS; tells the age of entries
    hit_data: int  # data word of the entry that `probe` found
    moves: ArrayField[ArrayField[int]]  # generated moves, by ply from the root and index
    move_scores: ArrayField[ArrayField[int]]  # ordering scores of `moves`; larger is searched earlier
    forced: ArrayField[int]  # by ply: 1 if all generated moves answer a threat
    hash_move: ArrayField[int]  # by ply: move of the node's table entry, 0 for none
    static_eval: ArrayField[int]  # by ply: static evaluation of the node
    refined_eval: ArrayField[int]  # by ply: static evaluation, or the table's score if its bound is tighter
    killers: ArrayField[ArrayField[int]]  # by ply: the two moves that last caused a beta cutoff
    history: ArrayField[ArrayField[int]]  # history heuristic, by side and history slot
    pv: ArrayField[ArrayField[int]]  # triangular PV table: row `ply` holds moves from column `ply` on
    pv_length: ArrayField[int]  # by ply: end (exclusive) of the moves in that row of `pv`
    selective_depth: int  # greatest ply reached
    root_move_count: int  # number of root moves
    root_moves: ArrayField[int]  # root moves, best first
    root_scores: ArrayField[int]  # last scores of `root_moves`; -INFINITE if only an upper bound is known
    root_nodes: ArrayField[int]  # nodes spent on each root move since `prepare_root`
    root_moves_searched: int  # root moves finished in the current iteration
    root_depth: int  # depth of the current iteration
    full_width: int  # 1 turns off all pruning and reductions; the result is then that of minimax

class MctsState:  # fields declared in core/search/kernels/mcts.py
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
    side: int  # side to move of the working position: 0 or 1
    root: int  # index of the root node in the tree, or 0
    win_reward: int  # reward of a win; a draw has half of it
    root_result: int  # WON or LOST if proven for the root's side to move, else UNKNOWN
    rave_equivalence: float  # a larger value keeps the weight of RAVE for more visits
    c_puct: float  # weight of the prior probabilities
    expansion_threshold: int  # visits at which a move gets a node
    solver_threshold: int  # visits at which the solver is called for a node; 0: never
    moves: ArrayField[int]  # moves of a new node
    rave_prior_visits: ArrayField[int]  # initial RAVE visits, by index into `moves`
    rave_prior_rewards: ArrayField[int]  # initial RAVE rewards, by index into `moves`
    prior: ArrayField[float]  # prior probabilities, by index into `moves`; their sum is 1
    values: ArrayField[float]  # during selection: values of a node's moves
    played_by: ArrayField[int]  # by move: 1 + side that made it; any other value: not played
    path: ArrayField[int]  # nodes from the root to the leaf, by depth
    path_move_index: ArrayField[int]  # index of the move chosen in each node of `path`
    path_side: ArrayField[int]  # side to move in each node of `path`
    depth: int  # moves from the root to the leaf
    max_depth_reached: int  # greatest depth since the search began
    random: int  # state of the random numbers of playouts; each thread has its own
