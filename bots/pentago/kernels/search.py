"""What Pentago adds to the alpha-beta skeleton: distinct moves by promise, the last ply in a loop, symmetry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bots.pentago.kernels import paper, retrograde
from bots.pentago.kernels.evaluate import (
    COUNTS,
    ORDER_THREE,
    OWN_THREE,
    QUADRANT_TABLE,
    TEMPO,
    TURNED,
    bounded_estimate,
    evaluate,
    lines_values,
    marbles_of,
    quadrant_number,
    quadrants_value,
)
from bots.pentago.kernels.lanes import first_half, first_of, has_any, inline, second_half, swap_neighbours, third_of
from bots.pentago.kernels.patterns import FIELDS_LOW, KERNELS, PENTAGO, RING, count_node, plain_table, turn_quadrant
from bots.pentago.kernels.rules import apply, is_legal, key, move_before, move_image, undo
from bots.pentago.kernels.threats import WINS, look_round, must_answer_threat, terminal_score, wins_at_once
from bots.pentago.kernels.turns import idle_turns, repeated_turns
from bots.pentago.kernels.ways import after_turns, cell_lines, fours, full, lines_of, open_to
from bots.pentago.layout import CELLS, CENTRES, PLACEMENT, QUADRANTS, SKIP
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels
from core.search.kernels.pruning import SearchParameters
from core.search.scores import DRAW, WIN

PARTS = (paper, retrograde)  # modules whose kernels belong to the library, too

MAX_SKIP_MARBLES = 28  # beyond, a turn can be a burden, and skipping it proves nothing
plain_probe, plain_store = plain_table.probe, plain_table.store
MOVE_BITS = np.uint64(0xFFFF)
LOSING = -(1 << 26)  # ordering value of a move after which the enemy is seen to win at once
QUADRANT_CELLS = np.array([RING << 8 * quadrant | 1 << CENTRES + quadrant for quadrant in range(QUADRANTS)])
POWERS = np.array([3 ** (cell % 8 if cell < CENTRES else 8) for cell in range(CELLS)])  # in a quadrant's number
# How the game ends with a turn, or with the enemy's next move, as a bit of each line's field.
OWN_FIVE, OTHER_FIVE, OTHER_FOUR = FIELDS_LOW, FIELDS_LOW << 1, FIELDS_LOW << 2


@inline
def ends_after(own_lines, other_lines):
    """How the game ends after a quadrant's turns, by bits as OWN_FIVE in the first word of either way."""
    ends = full(own_lines) | (full(other_lines) << 1) | (fours(other_lines, open_to(own_lines)) << 2)
    return ends | swap_neighbours(ends)


@inline
def look_after(own, other, own_lines, other_lines, turn):
    """`look_round` for the enemy after a turn, from the boards before it and the line counts after either way."""
    if turn & 1 == 0:
        mine, theirs = first_half(own_lines), first_half(other_lines)
    else:
        mine, theirs = second_half(own_lines), second_half(other_lines)
    return look_round(turn_quadrant(other, turn), turn_quadrant(own, turn), theirs, mine)


@inline
def list_turns(s, own, other, own_lines, other_lines, cell, skipped, quadrants, is_threatened, count, ply):
    """Add the turns after a marble on a cell to the moves of a ply, but those `skipped`; the number of moves.

    `own` has that marble, `quadrants` is the estimate's part that turns do not change, and `is_threatened` says that
    the enemy would have won at once before the move. `count` is the number of moves so far, negative where all of them
    lose at once. A five of one's own ends the game as well as one of the enemy's: nothing that the enemy could do next
    counts then.
    """
    marbles = marbles_of(own, other)
    for quadrant in range(QUADRANTS):
        if (skipped >> (2 * quadrant)) & 3 == 3:
            continue
        mine, theirs = after_turns(own_lines, own, quadrant), after_turns(other_lines, other, quadrant)
        ends = ends_after(mine, theirs)
        values = lines_values(theirs, mine, marbles, ORDER_THREE[marbles])
        for way in range(2):
            turn = 2 * quadrant + way
            if (skipped >> turn) & 1 != 0:
                continue
            end, value = (first_of(ends), values[0]) if way == 0 else (third_of(ends), values[1])
            value = quadrants - value
            if end & OWN_FIVE != 0:
                value = DRAW if end & OTHER_FIVE != 0 else WIN
            elif end != 0 or (is_threatened != 0 and look_after(own, other, mine, theirs, turn) == WINS):
                value = LOSING
            if value == LOSING and count > 0:
                continue
            if value > LOSING:
                count = max(count, 0)
            s.moves[ply, abs(count)] = 1 + 8 * cell + turn
            s.move_scores[ply, abs(count)] = value
            count += 1 if value > LOSING else -1
    return count


@KERNELS.export("i64(Pentago, i64)")
def generate(s, ply):
    """The moves that lead to distinct boards, without those that lose at once where there are others."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.forced[ply] = 0
    is_threatened = wins_at_once(other, own)
    own_lines, other_lines = lines_of(own), lines_of(other)
    marbles = min(popcount(own | other) + 1, COUNTS - 1)
    quadrants = quadrants_value(own, other, marbles)
    count = 0
    for quadrant in range(QUADRANTS):
        number = quadrant_number(own, other, quadrant)
        rest = quadrants - np.int64(QUADRANT_TABLE[marbles, number])
        idle = idle_turns(own, other, quadrant)
        free = QUADRANT_CELLS[quadrant] & ~(own | other)
        while free != 0:
            cell = trailing_zeros(free)
            free &= free - 1
            placed = own | (1 << cell)
            lines = own_lines + cell_lines(cell)
            if has_any(full(lines)):
                s.moves[ply, 0] = PLACEMENT + cell
                return 1
            skipped = idle | repeated_turns(own, other, placed, quadrant, idle)
            value = rest + np.int64(QUADRANT_TABLE[marbles, number + POWERS[cell]])
            count = list_turns(s, placed, other, lines, other_lines, cell, skipped, value, is_threatened, count, ply)
    return abs(count)


@KERNELS.kernel("i64(Pentago, i64)")
def can_stage_hash_move(s, move):
    """1 for a legal move where the enemy threatens nothing, for else few moves are safe, and a lone one counts more."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return 1 if is_legal(s, move) != 0 and wins_at_once(other, own) == 0 else 0


@inline
def best_turn(own, other, own_lines, other_lines, best, quadrants, ply, marbles):
    """The best score of the eight turns of a board, its marble placed, or `best` where none is better.

    `quadrants` is the estimate's part without lines. A board on which the enemy wins at once is lost.
    """
    for quadrant in range(QUADRANTS):
        mine, theirs = after_turns(own_lines, own, quadrant), after_turns(other_lines, other, quadrant)
        ends = ends_after(mine, theirs)
        values = lines_values(theirs, mine, marbles, OWN_THREE[marbles])
        for way in range(2):
            end, value = (first_of(ends), values[0]) if way == 0 else (third_of(ends), values[1])
            score = quadrants - value
            if end & OTHER_FIVE != 0:
                score = DRAW if end & OWN_FIVE != 0 else ply + 1 - WIN
            elif end != 0:
                score = ply + 2 - WIN
            elif score > best:
                found = look_after(own, other, mine, theirs, 2 * quadrant + way)
                score = ply + 2 - WIN if found == WINS else score - TURNED[marbles] * found
            best = max(best, score)
    return best


@KERNELS.export("i64(Pentago, u64[], i64, i64, i64)")
def quiescence(s, words, alpha, beta, ply):
    """The best of all moves by the estimate, or the estimate where that reaches beta. No win in one is at hand."""
    if s.full_width == 0:
        static = bounded_estimate(s, beta)
        if static >= beta:
            return static
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    own_lines, other_lines = lines_of(own), lines_of(other)
    best = ply + 1 - WIN
    count = popcount(own | other) + 1
    marbles = min(count, COUNTS - 1)
    quadrants = quadrants_value(own, other, marbles) - TEMPO[marbles]
    for quadrant in range(QUADRANTS):
        number = quadrant_number(own, other, quadrant)
        rest = quadrants - np.int64(QUADRANT_TABLE[marbles, number])
        free = QUADRANT_CELLS[quadrant] & ~(own | other)
        while free != 0:
            cell = trailing_zeros(free)
            free &= free - 1
            s.nodes += 7
            count_node(s)
            value = rest + np.int64(QUADRANT_TABLE[marbles, number + POWERS[cell]])
            lines = own_lines + cell_lines(cell)
            best = best_turn(own | (1 << cell), other, lines, other_lines, best, value, ply, marbles)
            if best >= beta:
                return best if count < CELLS else DRAW
    if count == CELLS and best > ply + 1 - WIN:  # the last marble; what is not lost is a draw
        return DRAW
    return best


SEARCH_PARAMETERS = SearchParameters(
    rfp_max_depth=2,
    rfp_margin=100,
    lmp_base=24,
    lmp_factor=12,
    lmp_max_depth=3,
    lmr_divisor=1.7,
)


@KERNELS.kernel("i64(Pentago, u64[], u64)")
def probe(s, table, word):
    """As in core/search/kernels/transposition_table.py; the move found is turned from the stored image to the board."""
    if plain_probe(s, table, word) == 0:
        return 0
    move = move_before(np.int64(s.hit_data & MOVE_BITS), s.image)
    s.hit_data = (s.hit_data & ~MOVE_BITS) | np.uint64(move)
    return 1


@KERNELS.kernel("void(Pentago, u64[], u64, i64, i64, i64, i64, i64, i64)")
def store(s, table, word, move, score, evaluation, depth, bound, ply):
    """As in core/search/kernels/transposition_table.py, with the move as the image that the key stands for sees it."""
    key(s)
    plain_store(s, table, word, move_image(move, s.image), score, evaluation, depth, bound, ply)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    return move


@KERNELS.kernel("i64(Pentago)")
def null_move(s):
    """A skipped turn, but not twice running."""
    if s.ply > 0 and s.path[s.ply - 1] == SKIP:
        return 0
    return SKIP if popcount(s.white | s.black) < MAX_SKIP_MARBLES else 0


table = replace(plain_table, probe=probe, store=store)
search = make_alphabeta(
    KERNELS,
    PENTAGO.name,
    GameKernels(
        apply=apply,
        undo=undo,
        key=key,
        count_node=count_node,
        terminal_score=terminal_score,
        must_answer_threat=must_answer_threat,
        generate=generate,
        quiescence=quiescence,
        evaluate=evaluate,
        history_slot=history_slot,
        table=table,
        null_move=null_move,
        can_stage_hash_move=can_stage_hash_move,
    ),
    SEARCH_PARAMETERS,
)
