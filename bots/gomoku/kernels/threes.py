"""Victory by continuous threats (VCT): threes as well as fours, searched by proof numbers.

A threat is a stone after which its owner threatens a five or an open four; the other side must answer, and the answers
are few (bots/gomoku/kernels/threats.py). That makes an AND/OR tree of the attacker's threats and the answers to them,
in which depth-first proof-number search (Nagai 2002) finds wins of twenty plies and more that alpha-beta is too broad
for. Proof and disproof numbers are kept in the transposition table under keys of their own.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.moves import generate, take_marked
from bots.gomoku.kernels.patterns import (
    GRADE_DOUBLE_THREE,
    GRADE_FIVE,
    GRADE_FOUR,
    GRADE_FOUR_THREE,
    GRADE_OPEN_FOUR,
    GRADE_OPEN_THREE,
)
from bots.gomoku.kernels.rules import KERNELS, PAD, ZOBRIST, ZOBRIST_SIDE, apply, count_node, table, undo
from bots.gomoku.kernels.threats import find_vcf, first_cell, has_free_move, mark, mark_grade, may_play
from bots.gomoku.notation import CARO
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.transposition_table import EXACT

probe, store, score_of, evaluation_of = table.probe, table.store, table.score_of, table.evaluation_of

SALTS = np.array([0x2545F4914F6CDD1D, 0x6C8E9CF570932BD5], dtype=np.uint64)  # of the table's keys, by attacker
PROVEN = 30_000  # a proof number that means disproven, a disproof number that means proven
DOUBLE_THREE_PROOF, THREE_PROOF = 4, 8  # with 1 for both, wins of 19 plies took three to twelve times the nodes
DEPTH = 6  # of an entry in the table, whose places it shares with the search's
OPEN, WON, LOST = 0, 1, 2


@KERNELS.kernel("i64(Gomoku)")
def see(s):
    """WON or LOST for the attacker where that is seen without search, else OPEN."""
    us, them = s.attacker, 1 - s.attacker
    fives, their_fives = s.grade_count[us, GRADE_FIVE], s.grade_count[them, GRADE_FIVE]
    if s.side == us:
        if fives > 0:
            return WON
        if their_fives > 0:
            return LOST if their_fives > 1 or may_play(s, us, first_cell(s, them, GRADE_FIVE)) == 0 else OPEN
        return WON if s.grade_count[us, GRADE_OPEN_FOUR] > 0 and (us == 0 or has_free_move(s, 1) != 0) else OPEN
    if their_fives > 0 or (them == 0 and has_free_move(s, 1) == 0):
        return LOST
    if fives > 0:
        is_lost = fives > 1 or may_play(s, them, first_cell(s, us, GRADE_FIVE)) == 0
        return WON if is_lost else OPEN
    return LOST if s.grade_count[us, GRADE_OPEN_FOUR] == 0 or s.grade_count[them, GRADE_OPEN_FOUR] > 0 else OPEN


@KERNELS.kernel("i64(Gomoku, i64)")
def list_threats(s, ply):
    """List the attacker's moves that may be threats, and return their number; the only answer to a four may be none."""
    us, them = s.side, 1 - s.side
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] = 0
    s.forced[ply] = 1
    if s.grade_count[them, GRADE_FIVE] > 0:
        mark(s, first_cell(s, them, GRADE_FIVE))
    else:
        for grade in range(GRADE_FOUR, GRADE_FOUR_THREE + 1):
            mark_grade(s, us, grade)
        if s.grade_count[them, GRADE_OPEN_FOUR] == 0:  # else only a four comes before his
            for grade in range(GRADE_OPEN_THREE, GRADE_DOUBLE_THREE + 1):
                mark_grade(s, us, grade)
    return take_marked(s, ply, 0)


@KERNELS.kernel("i64(Gomoku, i64)")
def first_guess(s, cell):
    """Proof number of a threat that has not been searched, by how many answers it leaves."""
    grade = s.grades[s.side, cell]
    if grade >= GRADE_FOUR:
        return 1
    return DOUBLE_THREE_PROOF if grade == GRADE_DOUBLE_THREE else THREE_PROOF


@KERNELS.kernel("void(Gomoku, u64[], u64, i64, i64)")
def read_numbers(s, words, key, ply, guess):
    """Proof and disproof number of a position into those of a ply; the guess and 1 where it is not known."""
    s.proof[ply], s.disproof[ply] = guess, 1
    if probe(s, words, key ^ SALTS[s.attacker]) != 0:
        s.proof[ply] = score_of(s.hit_data, 0)
        s.disproof[ply] = evaluation_of(s.hit_data)


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64)")
def write_numbers(s, words, ply, proof, disproof):
    s.proof[ply], s.disproof[ply] = proof, disproof
    store(s, words, s.hash ^ SALTS[s.attacker], 0, proof, disproof, DEPTH, EXACT, 0)


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def survey(s, words, ply, count):
    """Compute a node's numbers from its children's, into `proof` and `disproof` of its ply; return the best child's
    index, the one to search next.

    "Near" is the number by which the side to move chooses: the proof number if the attacker moves, else the disproof
    number. `second` of the ply becomes the second best child's near number, `child_far` the best child's other number.
    """
    is_attack = s.side == s.attacker
    easiest, second, whole, best, other = PROVEN + 1, PROVEN + 1, 0, 0, 0
    for i in range(count):
        key = s.hash ^ ZOBRIST[s.side, s.moves[ply, i]] ^ ZOBRIST_SIDE
        read_numbers(s, words, key, ply + 1, first_guess(s, s.moves[ply, i]) if is_attack else 1)
        near, far = s.proof[ply + 1], s.disproof[ply + 1]
        if not is_attack:
            near, far = far, near
        whole = min(whole + far, PROVEN)
        if near < easiest:
            easiest, second, best, other = near, easiest, i, far
        elif near < second:
            second = near
    s.second[ply] = second
    s.child_far[ply] = other
    s.proof[ply] = easiest if is_attack else whole
    s.disproof[ply] = whole if is_attack else easiest
    return best


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64)")
def prove(s, words, ply, most_proof, most_disproof):
    """Search a node until its proof or disproof number reaches a bound, or the budget is used; the numbers are left in
    those of its ply and in the table.

    A line of `vct_plies` ends the whole search, by its budget: the node at the end has no numbers to store, since the
    key does not say how far from a root it is, and a later search with more room would take it for disproven.
    """
    seen = see(s)
    if seen != OPEN:
        write_numbers(s, words, ply, 0 if seen == WON else PROVEN, PROVEN if seen == WON else 0)
        return
    if ply >= s.vct_plies:
        s.proof[ply], s.disproof[ply] = 1, 1
        s.vct_budget = 0
        return
    is_attack = s.side == s.attacker
    count = list_threats(s, ply) if is_attack else generate(s, ply)
    if count == 0:
        write_numbers(s, words, ply, PROVEN if is_attack else 0, 0 if is_attack else PROVEN)
        return
    while True:
        best = survey(s, words, ply, count)
        proof, disproof = s.proof[ply], s.disproof[ply]
        if proof >= most_proof or disproof >= most_disproof or s.vct_budget <= 0 or s.aborted != 0:
            break
        near_bound = min(most_proof if is_attack else most_disproof, s.second[ply] + 1)
        far_bound = (most_disproof - disproof if is_attack else most_proof - proof) + s.child_far[ply]
        cell = np.int64(s.moves[ply, best])
        apply(s, cell)
        count_node(s)
        s.vct_budget -= 1
        if is_attack:
            prove(s, words, ply + 1, near_bound, far_bound)
        else:
            prove(s, words, ply + 1, far_bound, near_bound)
        undo(s)
    write_numbers(s, words, ply, s.proof[ply], s.disproof[ply])


@KERNELS.kernel("i64(Gomoku)")
def winning_cell(s):
    """Return the cell of a five, or of an open four, of an attacker to move for whom `see` says WON."""
    five = first_cell(s, s.side, GRADE_FIVE)
    return five if five >= 0 else first_cell(s, s.side, GRADE_OPEN_FOUR)


@KERNELS.export("i64(Gomoku, u64[], i64, i64)")
def find_vct(s, words, plies, budget):
    """Return the first move of a win by continuous threats for the side to move, or 0 if none was found.

    The search visits `budget` nodes and gives up when a line has `plies` plies; from MAX_PLY - 2 on there is no room.
    Caro is left out, because a four has several answers there. The moves of the plies below the root are overwritten.
    """
    if s.rule & CARO != 0 or s.winner != 0:
        return 0
    s.attacker = s.side
    s.vct_budget = budget
    s.vct_plies = min(plies, MAX_PLY - 2)
    seen = see(s)
    if seen != OPEN:
        return winning_cell(s) if seen == WON else 0
    prove(s, words, 1, PROVEN, PROVEN)
    if s.proof[1] != 0:
        return 0
    count = list_threats(s, 1)
    for i in range(count):
        cell = np.int64(s.moves[1, i])
        read_numbers(s, words, s.hash ^ ZOBRIST[s.side, cell] ^ ZOBRIST_SIDE, 2, 1)
        if s.proof[2] == 0:
            return cell
    return 0


@KERNELS.export("i64(Gomoku, u64[], i64, i64, i64)")
def drop_lost_moves(s, words, plies, fours, threes):
    """Take the root moves out of the list after which the other side wins by continuous fours or threats, each looked
    for in so many nodes; return how many were.

    When the time is used up the moves that are left stay. Where that leaves none, all stay: the search then finds what
    holds out longest.
    """
    kept = 0
    for i in range(s.root_move_count):
        cell = np.int64(s.root_moves[i])
        apply(s, cell)
        lost = s.winner == 0 and s.aborted == 0
        lost = lost and (
            find_vcf(s, words, plies, fours, GRADE_FOUR) > 0 or (threes > 0 and find_vct(s, words, MAX_PLY, threes) > 0)
        )
        undo(s)
        if not lost:
            s.list[kept] = cell
            kept += 1
    dropped = s.root_move_count - kept
    if kept == 0 or dropped == 0:
        return 0
    s.root_move_count = kept
    for i in range(kept):
        s.root_moves[i] = s.list[i]
    return dropped
