"""Pentago's alpha-beta search: core's search with this game's move generation, horizon and table keys.

Moves that lead to the same board are listed once, with their ordering scores. At the horizon (`quiescence`) one more
ply is evaluated in a loop over marbles and rotations, without playing the moves. Table entries are shared by the eight
symmetric images of a position, so stored moves are transformed. A bitboard or line count `own` (or `mine`) belongs to
the side to move, `other` (or `theirs`) to its opponent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bots.pentago.kernels import paper, retrograde
from bots.pentago.kernels.evaluate import (
    ORDERING_THREE,
    OWN_THREE,
    PHASES,
    QUADRANT_TABLE,
    ROTATED_THREE,
    TEMPO,
    evaluate,
    lazy_evaluation,
    phase_of,
    quadrants_score,
    rotated_lines_scores,
    ternary_index,
)
from bots.pentago.kernels.lanes import first_half, first_of, has_any, inline, second_half, swap_neighbours, third_of
from bots.pentago.kernels.patterns import FIELDS_LOW, KERNELS, PENTAGO, RING, count_node, plain_table, rotate_quadrant
from bots.pentago.kernels.redundant_rotations import redundant_rotations_elsewhere, redundant_rotations_here
from bots.pentago.kernels.rotated_lines import (
    after_rotations,
    cell_lanes,
    five_lines,
    line_lanes,
    open_fours,
    open_lines,
)
from bots.pentago.kernels.rules import apply, inverse_transform_move, is_legal, key, transform_move, undo
from bots.pentago.kernels.threats import WINS, count_after_rotations, must_answer_threat, terminal_score, wins_at_once
from bots.pentago.layout import CELLS, FIRST_CENTRE, NULL_MOVE, PLACEMENT, QUADRANTS
from core.native.intrinsics import popcount, trailing_zeros
from core.search.kernels.alphabeta import make_alphabeta
from core.search.kernels.game_kernels import GameKernels
from core.search.kernels.pruning import CompiledParameters
from core.search.scores import DRAW, WIN

KERNEL_MODULES = (paper, retrograde)  # imported because their kernels belong to the library too

plain_probe, plain_store = plain_table.probe, plain_table.store
MOVE_BITS = np.uint64(0xFFFF)  # of a table entry
LOSING = -(1 << 26)  # ordering score of a move after which the opponent wins at once
QUADRANT_CELLS = np.array([RING << 8 * quadrant | 1 << FIRST_CENTRE + quadrant for quadrant in range(QUADRANTS)])
# Weight of each cell in its quadrant's ternary index.
TERNARY_POWERS = np.array([3 ** (cell % 8 if cell < FIRST_CENTRE else 8) for cell in range(CELLS)])
# Results of a rotation, as bits of each line's field: our five, the opponent's five, the opponent's open four.
OWN_FIVE, OTHER_FIVE, OTHER_FOUR = FIELDS_LOW, FIELDS_LOW << 1, FIELDS_LOW << 2


@inline
def results_after_rotations(own_lines, other_lines):
    """Return the results of both rotations of a quadrant, as OWN_FIVE and the other bits above, in lanes 0 and 2."""
    results = (
        five_lines(own_lines) | (five_lines(other_lines) << 1) | (open_fours(other_lines, open_lines(own_lines)) << 2)
    )
    return results | swap_neighbours(results)


@inline
def opponent_threats_after(own, other, own_lines, other_lines, turn):
    """Return `count_after_rotations` for the opponent after a rotation of ours, from the boards before it."""
    if turn & 1 == 0:
        mine, theirs = first_half(own_lines), first_half(other_lines)
    else:
        mine, theirs = second_half(own_lines), second_half(other_lines)
    return count_after_rotations(rotate_quadrant(other, turn), rotate_quadrant(own, turn), theirs, mine)


@inline
def append_rotations(s, own, other, own_lines, other_lines, cell, redundant, quadrants_part, is_threatened, count, ply):
    """Append the rotations after a marble on `cell`, except the `redundant` ones, to `moves[ply]`; return the number of
    moves.

    `own` includes that marble. `quadrants_part` is the part of the evaluation that rotations do not change.
    `is_threatened` is 1 if the opponent could win at once if we passed. `count` is the number of moves so far, negative
    if all of them lose at once; the first move that does not lose replaces those. A rotation that makes a five of ours
    ends the game, so the opponent's threats after it are not looked at.
    """
    phase = phase_of(own, other)
    for quadrant in range(QUADRANTS):
        if (redundant >> (2 * quadrant)) & 3 == 3:
            continue
        mine, theirs = after_rotations(own_lines, own, quadrant), after_rotations(other_lines, other, quadrant)
        results = results_after_rotations(mine, theirs)
        values = rotated_lines_scores(theirs, mine, phase, ORDERING_THREE[phase])
        for direction in range(2):
            turn = 2 * quadrant + direction
            if (redundant >> turn) & 1 != 0:
                continue
            result, value = (first_of(results), values[0]) if direction == 0 else (third_of(results), values[1])
            value = quadrants_part - value
            if result & OWN_FIVE != 0:
                value = DRAW if result & OTHER_FIVE != 0 else WIN
            elif result != 0 or (is_threatened != 0 and opponent_threats_after(own, other, mine, theirs, turn) == WINS):
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
    """List the moves that lead to distinct boards; moves that lose at once only if there are no others."""
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    s.forced[ply] = 0
    is_threatened = wins_at_once(other, own)
    own_lines, other_lines = line_lanes(own), line_lanes(other)
    phase = min(popcount(own | other) + 1, PHASES - 1)
    quadrants_part = quadrants_score(own, other, phase)
    count = 0
    for quadrant in range(QUADRANTS):
        number = ternary_index(own, other, quadrant)
        rest_of_board = quadrants_part - np.int64(QUADRANT_TABLE[phase, number])
        elsewhere = redundant_rotations_elsewhere(own, other, quadrant)
        free = QUADRANT_CELLS[quadrant] & ~(own | other)
        while free != 0:
            cell = trailing_zeros(free)
            free &= free - 1
            placed = own | (1 << cell)
            lines = own_lines + cell_lanes(cell)
            if has_any(five_lines(lines)):
                s.moves[ply, 0] = PLACEMENT + cell
                return 1
            redundant = elsewhere | redundant_rotations_here(own, other, placed, quadrant, elsewhere)
            value = rest_of_board + np.int64(QUADRANT_TABLE[phase, number + TERNARY_POWERS[cell]])
            count = append_rotations(
                s, placed, other, lines, other_lines, cell, redundant, value, is_threatened, count, ply
            )
    return abs(count)


@KERNELS.kernel("i64(Pentago, i64)")
def can_stage_hash_move(s, move):
    """Return 1 if the table's move is legal and may be searched before the moves are generated, else 0.

    It may not if the opponent threatens to win: then few moves are safe, and the search extends a single one.
    """
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    return 1 if is_legal(s, move) != 0 and wins_at_once(other, own) == 0 else 0


@inline
def best_rotation_score(own, other, own_lines, other_lines, best, quadrants_part, ply, phase):
    """Return the best score of the eight rotations after a marble was placed, or `best` if none is better.

    `quadrants_part` is the part of the evaluation without lines. A board on which the opponent wins at once is lost.
    """
    for quadrant in range(QUADRANTS):
        mine, theirs = after_rotations(own_lines, own, quadrant), after_rotations(other_lines, other, quadrant)
        results = results_after_rotations(mine, theirs)
        values = rotated_lines_scores(theirs, mine, phase, OWN_THREE[phase])
        for direction in range(2):
            result, value = (first_of(results), values[0]) if direction == 0 else (third_of(results), values[1])
            score = quadrants_part - value
            if result & OTHER_FIVE != 0:
                score = DRAW if result & OWN_FIVE != 0 else ply + 1 - WIN
            elif result != 0:
                score = ply + 2 - WIN
            elif score > best:
                found = opponent_threats_after(own, other, mine, theirs, 2 * quadrant + direction)
                score = ply + 2 - WIN if found == WINS else score - ROTATED_THREE[phase] * found
            best = max(best, score)
    return best


@KERNELS.export("i64(Pentago, u64[], i64, i64, i64)")
def quiescence(s, tt, alpha, beta, ply):
    """Return the score at the horizon: the best of all moves by static evaluation, or the evaluation itself if it is >=
    beta.

    The side to move must not have a win in one move.
    """
    if s.full_width == 0:  # pruning is on
        static = lazy_evaluation(s, beta)
        if static >= beta:
            return static
    own, other = (s.white, s.black) if s.side == 0 else (s.black, s.white)
    own_lines, other_lines = line_lanes(own), line_lanes(other)
    best = ply + 1 - WIN
    count = popcount(own | other) + 1
    phase = min(count, PHASES - 1)
    quadrants_part = quadrants_score(own, other, phase) - TEMPO[phase]
    for quadrant in range(QUADRANTS):
        number = ternary_index(own, other, quadrant)
        rest_of_board = quadrants_part - np.int64(QUADRANT_TABLE[phase, number])
        free = QUADRANT_CELLS[quadrant] & ~(own | other)
        while free != 0:
            cell = trailing_zeros(free)
            free &= free - 1
            s.nodes += 7  # with the one that `count_node` counts, eight rotations
            count_node(s)
            value = rest_of_board + np.int64(QUADRANT_TABLE[phase, number + TERNARY_POWERS[cell]])
            lines = own_lines + cell_lanes(cell)
            best = best_rotation_score(own | (1 << cell), other, lines, other_lines, best, value, ply, phase)
            if best >= beta:
                return best if count < CELLS else DRAW
    if count == CELLS and best > ply + 1 - WIN:  # the last marble; what is not lost is a draw
        return DRAW
    return best


@KERNELS.kernel("i64(Pentago, u64[], u64)")
def probe(s, table, word):
    """Probe the table as in core; the move found is transformed from the stored symmetric image to the board."""
    if plain_probe(s, table, word) == 0:
        return 0
    move = inverse_transform_move(np.int64(s.hit_data & MOVE_BITS), s.symmetry)
    s.hit_data = (s.hit_data & ~MOVE_BITS) | np.uint64(move)
    return 1


@KERNELS.kernel("void(Pentago, u64[], u64, i64, i64, i64, i64, i64, i64)")
def store(s, table, word, move, score, evaluation, depth, bound, ply):
    """Store as in core; the move is transformed to the symmetric image whose hash is the key."""
    key(s)
    plain_store(s, table, word, transform_move(move, s.symmetry), score, evaluation, depth, bound, ply)


@KERNELS.kernel("i64(i64)")
def history_slot(move):
    """Return the index of a move in the history table: its number."""
    return move


@KERNELS.kernel("i64(Pentago)")
def null_move(s):
    """Return the null move, or 0 if the last move was one or the board has too many marbles."""
    if s.ply > 0 and s.path[s.ply - 1] == NULL_MOVE:
        return 0
    return NULL_MOVE if popcount(s.white | s.black) < s.max_null_move_marbles else 0


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
    CompiledParameters(),
)
