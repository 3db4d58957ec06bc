"""State fields that each kind of search needs. Made by `python -m core.native.boundary`; do not edit."""

from core.native.library import ArrayField

class AlphaBetaState:  # fields declared in core/search/kernels/game_kernels.py
    clock_address: int  # address of clock_gettime or QueryPerformanceCounter
    clock_argument: int  # its first argument: the clock's number; on Windows the buffer's address
    clock_is_counter: int  # 1 if it fills in one counter, 0 if seconds and nanoseconds
    clock_buffer: ArrayField[int]  # the values that it fills in
    deadline: int  # time in ticks at which the search stops; 0 for none
    stop: int  # set to 1 by any thread to stop the search
    nodes: int  # positions visited since the search began
    node_limit: int  # nodes after which the search stops; 0 for no limit
    next_poll: int  # value of `nodes` at the next poll
    aborted: int  # 1 once the search must unwind; its results are then meaningless
    generation: int  # number of the search, modulo GENERATIONS; tells the age of entries
    hit_data: int  # data word of the entry that `probe` found
    moves: ArrayField[ArrayField[int]]  # generated moves, by ply
    move_scores: ArrayField[ArrayField[int]]  # their move ordering scores
    forced: ArrayField[int]  # 1 if all generated moves answer a threat
    hash_move: ArrayField[int]  # move of the node's table entry, 0 for none
    static_eval: ArrayField[int]  # static evaluation of the node
    refined_eval: ArrayField[int]  # static evaluation, or the table's score if that is a tighter bound
    killers: ArrayField[ArrayField[int]]  # moves that last caused a beta cutoff at this ply
    history: ArrayField[ArrayField[int]]  # history heuristic, by side and history slot
    pv: ArrayField[ArrayField[int]]  # triangular PV table: row `ply` holds moves from column `ply` on
    pv_length: ArrayField[int]  # end of the row, counted from the root
    selective_depth: int  # greatest ply reached
    root_move_count: int  # number of root moves
    root_moves: ArrayField[int]  # root moves, best first
    root_scores: ArrayField[int]  # their last scores; -INFINITE if only an upper bound is known
    root_nodes: ArrayField[int]  # nodes spent on each root move since `prepare_root`
    root_moves_searched: int  # root moves finished in the current iteration
    root_depth: int  # depth of the current iteration
    full_width: int  # 1 turns off all pruning and reductions; the result is then that of minimax

class MctsState:  # fields declared in core/search/kernels/mcts.py
    clock_address: int  # address of clock_gettime or QueryPerformanceCounter
    clock_argument: int  # its first argument: the clock's number; on Windows the buffer's address
    clock_is_counter: int  # 1 if it fills in one counter, 0 if seconds and nanoseconds
    clock_buffer: ArrayField[int]  # the values that it fills in
    deadline: int  # time in ticks at which the search stops; 0 for none
    stop: int  # set to 1 by any thread to stop the search
    nodes: int  # positions visited since the search began
    node_limit: int  # nodes after which the search stops; 0 for no limit
    next_poll: int  # value of `nodes` at the next poll
    aborted: int  # 1 once the search must unwind; its results are then meaningless
    side: int  # side to move of the working position: 0 or 1
    root: int  # the root node, or 0
    win_reward: int  # reward of a win; half of it is a draw's
    root_result: int  # WON or LOST if proven for the root's side to move, else UNKNOWN
    rave_equivalence: float  # larger keeps the weight of RAVE for more visits
    c_puct: float  # weight of the prior probabilities
    expansion_threshold: int  # visits at which a move gets a node
    solver_threshold: int  # visits at which the solver is called for a node; 0: never
    moves: ArrayField[int]  # moves of a new node
    rave_prior_visits: ArrayField[int]  # initial RAVE visits of each
    rave_prior_rewards: ArrayField[int]  # initial RAVE rewards of each
    prior: ArrayField[float]  # prior probability of each; they sum to 1
    values: ArrayField[float]  # values of a node's moves, during selection
    played_by: ArrayField[int]  # 1 + side that made the move; any other value: not played
    path: ArrayField[int]  # nodes from the root to the leaf
    path_move_index: ArrayField[int]  # index of the move chosen in each, -1 for none
    path_side: ArrayField[int]  # side to move in each
    depth: int  # moves from the root to the leaf
    max_depth_reached: int  # greatest depth since the search began
    random: int  # state of the random numbers of playouts; each thread has its own
