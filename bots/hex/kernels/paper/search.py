"""The searches of the PROP paper's players (bots/hex/paper/player.py): alpha-beta and two kinds of negascout.

  alphabeta            all moves; used by queenbee and minimax
  negascout_sampled    a random sample of the moves; used by negamontescout
  negascout_budgeted   moves by cost, on a budget of plies; used by sexsearch

All are fail-soft and return the value for the side to move. Wins and losses are scored by their distance from the root
(core/search/scores.py). They hold for the searched tree only, because two of the searches leave out moves. The sample
of moves depends on the position and the seed alone. When `aborted` is set, results are void and the caller returns at
once. The position is unchanged afterwards.

Negascout: Reinefeld, "An improvement to the Scout tree search algorithm" (1983). Budget: Levy, Broughton and Taylor,
"The SEX algorithm in computer chess" (1989): each move is charged one ply, and more the further its cost is above the
least. Leaves therefore lie at odd and at even plies. The side to move gets a tempo bonus there; without it, expensive
moves would look good because the reply to them is not searched.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.paper.groups import evaluate_groups
from bots.hex.kernels.paper.potentials import evaluate_potentials, find_potentials, move_cost
from bots.hex.kernels.records import HEX, KERNELS, STRIDE
from bots.hex.kernels.rules import apply, undo
from bots.hex.paper.fields import ALPHABETA_GROUPS, MAX_PAPER_DEPTH, NEGASCOUT_BUDGET, NEGASCOUT_SAMPLE
from core.search.kernels.polling import make_count_node
from core.search.kernels.randomness import make_xorshift
from core.search.scores import DRAW, INFINITE, WIN

PLY_COST = 100  # price of a ply; budgets are in hundredths of a ply
MIN_SAMPLE = 7  # cells in a sample at least, if that many are empty
NODES_PER_POLL = 16  # nodes between two readings of the clock; an evaluation takes 10 to 100 microseconds

count_node = make_count_node(KERNELS, HEX.name)
xorshift = make_xorshift(KERNELS)


@KERNELS.kernel("void(Hex, i64)")
def play_and_count(s, move):
    """Play a move and count the node."""
    apply(s, move)
    count_node(s)
    s.next_poll = min(s.next_poll, s.nodes + NODES_PER_POLL)


@KERNELS.kernel("i64(Hex)")
def evaluate(s):
    """Return the static evaluation of the player's method, for the side to move."""
    if s.paper_method == ALPHABETA_GROUPS:
        return evaluate_groups(s)
    find_potentials(s)
    return evaluate_potentials(s)


@KERNELS.kernel("i64(Hex, i64)")
def list_empty(s, ply):
    """Fill the moves of a ply with the empty cells, row by row; return their number."""
    count = 0
    for y in range(1, s.height + 1):
        for cell in range(y * STRIDE + 1, y * STRIDE + s.width + 1):
            if s.cells[cell] == 0:
                s.paper_moves[ply, count] = cell
                count += 1
    return count


@KERNELS.kernel("i64(Hex, i64)")
def list_by_cost(s, ply):
    """Fill the moves of a ply with the empty cells and their costs, cheapest first; return their number."""
    find_potentials(s)
    count = list_empty(s, ply)
    for index in range(count):
        move = np.int64(s.paper_moves[ply, index])
        cost = move_cost(s, move)
        place = index
        while place > 0 and s.paper_move_costs[ply, place - 1] > cost:
            s.paper_move_costs[ply, place] = s.paper_move_costs[ply, place - 1]
            s.paper_moves[ply, place] = s.paper_moves[ply, place - 1]
            place -= 1
        s.paper_move_costs[ply, place] = cost
        s.paper_moves[ply, place] = move
    return count


@KERNELS.kernel("i64(Hex, i64)")
def list_random_sample(s, ply):
    """Fill the moves of a ply with a random sample of the empty cells; return its size."""
    empty = list_empty(s, ply)
    count = min(max(1000 * empty // s.paper_sample_divisor, MIN_SAMPLE), empty)
    word = (s.hash ^ s.paper_seed) | np.uint64(1)
    for index in range(count):
        word = xorshift(word)
        other = index + np.int64(word >> np.uint64(33)) % (empty - index)
        move = s.paper_moves[ply, index]
        s.paper_moves[ply, index] = s.paper_moves[ply, other]
        s.paper_moves[ply, other] = move
    return count


@KERNELS.kernel("i64(Hex, i64, i64, i64, i64)")
def alphabeta(s, alpha, beta, depth, ply):
    """Alpha-beta (fail-soft): return the value of the position, searched to `depth` plies; `ply` counts from the root.

    Moves are tried row by row with the evaluation of groups, else by cost.
    """
    if s.winner != 0:
        return ply - WIN
    if depth <= 0:
        return evaluate(s)
    best = -INFINITE
    count = list_empty(s, ply) if s.paper_method == ALPHABETA_GROUPS else list_by_cost(s, ply)
    for index in range(count):
        play_and_count(s, np.int64(s.paper_moves[ply, index]))
        value = -alphabeta(s, -beta, -max(alpha, best), depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
        if best >= beta:
            break
    return best


@KERNELS.kernel("i64(Hex, i64, i64, i64, i64)")
def negascout_sampled(s, alpha, beta, depth, ply):
    """Negascout over a random sample of the moves: return the value of the position, searched to `depth` plies."""
    if s.winner != 0:
        return ply - WIN
    if depth <= 0:
        return evaluate(s)
    best = -INFINITE
    count = list_random_sample(s, ply)
    for index in range(count):
        play_and_count(s, np.int64(s.paper_moves[ply, index]))
        low = max(alpha, best)
        value = -negascout_sampled(s, -beta if index == 0 else -low - 1, -low, depth - 1, ply + 1)
        if index > 0 and low < value < beta:  # the null window failed high: re-search
            value = -negascout_sampled(s, -beta, -value, depth - 1, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
        if best >= beta:
            break
    return best


@KERNELS.kernel("i64(Hex, i64, i64)")
def budget_price(s, cost, least):
    """Return what a move takes from the budget, in hundredths of a ply, or -1 if it is too expensive to be searched.

    `least` is the cost of the cheapest move.
    """
    above = cost - least
    return -1 if above > s.paper_cut else PLY_COST + s.paper_slope * above


@KERNELS.kernel("i64(Hex, i64, i64, i64, i64)")
def negascout_budgeted(s, alpha, beta, budget, ply):
    """Negascout in which each move takes its price from the budget: return the value of the position.

    `budget` is in hundredths of a ply.
    """
    if s.winner != 0:
        return ply - WIN
    if budget <= 0 or ply >= MAX_PAPER_DEPTH:
        return evaluate(s) + s.paper_tempo
    best = -INFINITE
    count = list_by_cost(s, ply)
    for index in range(count):
        price = budget_price(s, np.int64(s.paper_move_costs[ply, index]), np.int64(s.paper_move_costs[ply, 0]))
        if price < 0:
            break
        play_and_count(s, np.int64(s.paper_moves[ply, index]))
        low = max(alpha, best)
        value = -negascout_budgeted(s, -beta if index == 0 else -low - 1, -low, budget - price, ply + 1)
        if index > 0 and low < value < beta:  # the null window failed high: re-search
            value = -negascout_budgeted(s, -beta, -value, budget - price, ply + 1)
        undo(s)
        if s.aborted != 0:
            return DRAW
        best = max(best, value)
        if best >= beta:
            break
    return best


@KERNELS.kernel("i64(Hex, i64, i64, i64, i64)")
def search_after_root_move(s, alpha, beta, depth, price):
    """Return the value, by the player's method, of the position after a root move with this price."""
    if s.paper_method == NEGASCOUT_SAMPLE:
        return negascout_sampled(s, alpha, beta, depth - 1, 1)
    if s.paper_method == NEGASCOUT_BUDGET:
        return negascout_budgeted(s, alpha, beta, PLY_COST * depth - price, 1)
    return alphabeta(s, alpha, beta, depth - 1, 1)


@KERNELS.export("i64(Hex, i64)")
def paper_search(s, depth):
    """Search the `root_moves` to `depth` plies; return the best value and set `root_best` to the index of its move.

    With NEGASCOUT_BUDGET, `root_costs` are used and moves that are too expensive are skipped. The result is void if
    `aborted` is set.
    """
    best = -INFINITE
    s.root_best = 0
    s.root_moves_searched = 0
    least = INFINITE
    for index in range(s.root_count):
        least = min(least, np.int64(s.root_costs[index]))
    for index in range(s.root_count):
        s.root_scores[index] = -INFINITE
        price = budget_price(s, np.int64(s.root_costs[index]), least)
        if s.paper_method == NEGASCOUT_BUDGET and price < 0:
            continue
        play_and_count(s, np.int64(s.root_moves[index]))
        value = -search_after_root_move(s, -INFINITE if s.root_moves_searched == 0 else -best - 1, -best, depth, price)
        if s.root_moves_searched > 0 and value > best:  # the null window failed high: re-search
            value = -search_after_root_move(s, -INFINITE, -value, depth, price)
        undo(s)
        if s.aborted != 0:
            return DRAW
        s.root_moves_searched += 1
        if value > best:
            s.root_scores[index] = value
            best = value
            s.root_best = index
    return best


@KERNELS.export("void(Hex)")
def paper_costs(s):
    """Fill `root_moves` with the empty cells and `root_costs` with their costs, cheapest first."""
    s.root_count = list_by_cost(s, 0)
    for index in range(s.root_count):
        s.root_moves[index] = s.paper_moves[0, index]
        s.root_costs[index] = s.paper_move_costs[0, index]
