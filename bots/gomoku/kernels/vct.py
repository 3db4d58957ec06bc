"""Victory by continuous threats (VCT): forced wins by fours and open threes, found by proof-number search.

A threat is a stone after which its owner can make a five or an open four with the next stone. The defender must answer,
and has few answers (bots/gomoku/kernels/threats.py). The attacker's threats and the answers form an AND/OR tree, which
this module searches with df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). It
finds wins of twenty plies and more, for which alpha-beta is too broad. The engine runs it at the root if its option
`threats` asks for it, for its own wins and for the opponent's.

    node             proof number              disproof number           phi       delta
    attacker (OR)    minimum over children     sum over children         proof     disproof
    defender (AND)   sum over children         minimum over children     disproof  proof

phi is the number by which the side to move at a node selects a child: the one with the smallest phi. delta is the other
number. Phi and delta of a child are named from its parent's point of view. A child is searched until its
    phi   >= min(phi threshold of the node, second smallest phi + 1)  or its
    delta >= delta threshold of the node - sum of the deltas of all children + the child's own delta.

`s.grade_count[side, MAKES_FIVE]` is the number of empty cells on which a stone of that side would make a five; the
other grades likewise (bots/gomoku/kernels/patterns.py lists them in ascending order). Proof numbers are stored in the
transposition table of the alpha-beta search, under keys of their own.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.moves import append_marked, generate
from bots.gomoku.kernels.patterns import (
    MAKES_DOUBLE_THREE,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_FOUR_THREE,
    MAKES_OPEN_FOUR,
    MAKES_OPEN_THREE,
)
from bots.gomoku.kernels.rules import KERNELS, PAD, ZOBRIST, ZOBRIST_SIDE, apply, count_node, table, undo
from bots.gomoku.kernels.threats import black_can_move, can_play, find_vcf, first_cell, mark, mark_grade
from bots.gomoku.notation import CARO
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.transposition_table import EXACT

probe, store, score_of, evaluation_of = table.probe, table.store, table.score_of, table.evaluation_of

# Xored with the position's hash, by attacker, so that these entries never match those of the alpha-beta search.
VCT_SALT_OF_ATTACKER = np.array([0x2545F4914F6CDD1D, 0x6C8E9CF570932BD5], dtype=np.uint64)
INFINITY = 30_000  # fits the table's 16-bit scores; proof number of a disproven node, disproof number of a proven one
# Initial proof numbers of unsearched threes. With 1 for both, wins of 19 plies took three to twelve times the nodes.
DOUBLE_THREE_PROOF, THREE_PROOF = 4, 8
TABLE_DEPTH = 6  # depth stored with each entry: the table's replacement compares it with alpha-beta entries
UNKNOWN, PROVEN, DISPROVEN = 0, 1, 2  # results of `static_result`: whether the attacker's win is proven


@KERNELS.kernel("i64(Gomoku)")
def static_result(s):
    """Return PROVEN or DISPROVEN if it is known without search whether the attacker wins by threats, else UNKNOWN.

    In renju, an attack of white (side 1) is no win if black has no legal move left: the game is then a draw.
    """
    us, them = s.attacker, 1 - s.attacker
    fives, their_fives = s.grade_count[us, MAKES_FIVE], s.grade_count[them, MAKES_FIVE]
    if s.side == us:
        if fives > 0:
            return PROVEN
        if their_fives > 0:  # a second five, or one that renju forbids us to stop, loses
            return DISPROVEN if their_fives > 1 or can_play(s, us, first_cell(s, them, MAKES_FIVE)) == 0 else UNKNOWN
        return PROVEN if s.grade_count[us, MAKES_OPEN_FOUR] > 0 and (us == 0 or black_can_move(s, 1) != 0) else UNKNOWN
    if their_fives > 0 or (them == 0 and black_can_move(s, 1) == 0):
        return DISPROVEN
    if fives > 0:
        is_unstoppable = fives > 1 or can_play(s, them, first_cell(s, us, MAKES_FIVE)) == 0
        return PROVEN if is_unstoppable else UNKNOWN
    # Either the attacker threatens no open four, or the defender makes one first.
    return DISPROVEN if s.grade_count[us, MAKES_OPEN_FOUR] == 0 or s.grade_count[them, MAKES_OPEN_FOUR] > 0 else UNKNOWN


@KERNELS.kernel("i64(Gomoku, i64)")
def list_threats(s, ply):
    """List the attacker's candidate threats in the ply's moves, and return their number.

    If the defender threatens a five, the only move listed is the cell that stops it, which may itself be no threat.
    """
    us, them = s.side, 1 - s.side
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] = 0
    s.forced[ply] = 1
    if s.grade_count[them, MAKES_FIVE] > 0:
        mark(s, first_cell(s, them, MAKES_FIVE))
    else:
        for grade in range(MAKES_FOUR, MAKES_FOUR_THREE + 1):
            mark_grade(s, us, grade)
        if s.grade_count[them, MAKES_OPEN_FOUR] == 0:  # against an open three only our own fours are fast enough
            for grade in range(MAKES_OPEN_THREE, MAKES_DOUBLE_THREE + 1):
                mark_grade(s, us, grade)
    return append_marked(s, ply, 0)


@KERNELS.kernel("i64(Gomoku, i64)")
def initial_proof_number(s, cell):
    """Return the proof number of a threat that has not been searched: higher for threes, which leave more answers."""
    grade = s.grades[s.side, cell]
    if grade >= MAKES_FOUR:
        return 1
    return DOUBLE_THREE_PROOF if grade == MAKES_DOUBLE_THREE else THREE_PROOF


@KERNELS.kernel("void(Gomoku, u64[], u64, i64, i64)")
def load_numbers(s, tt, key, ply, default_proof):
    """Load a position's numbers into `proof[ply]` and `disproof[ply]`; `default_proof` and 1 on a table miss."""
    s.proof[ply], s.disproof[ply] = default_proof, 1
    if probe(s, tt, key ^ VCT_SALT_OF_ATTACKER[s.attacker]) != 0:
        s.proof[ply] = score_of(s.hit_data, 0)
        s.disproof[ply] = evaluation_of(s.hit_data)


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64)")
def store_numbers(s, tt, ply, proof, disproof):
    """Store the numbers of the present node in `proof[ply]`, `disproof[ply]` and the table."""
    s.proof[ply], s.disproof[ply] = proof, disproof
    store(s, tt, s.hash ^ VCT_SALT_OF_ATTACKER[s.attacker], 0, proof, disproof, TABLE_DEPTH, EXACT, 0)


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def update_and_select(s, tt, ply, count):
    """Compute the numbers of the node at `ply` from its `count` children; return the index of the most-proving child.

    Also stores, for the thresholds: the second smallest phi in `second_phi[ply]`, and the most-proving child's delta in
    `best_child_delta[ply]`. `proof` and `disproof` of `ply + 1` are overwritten for each child.
    """
    is_attack = s.side == s.attacker
    best_phi, second_phi, delta_sum, best, best_delta = INFINITY + 1, INFINITY + 1, 0, 0, 0
    for i in range(count):
        key = s.hash ^ ZOBRIST[s.side, s.moves[ply, i]] ^ ZOBRIST_SIDE
        load_numbers(s, tt, key, ply + 1, initial_proof_number(s, s.moves[ply, i]) if is_attack else 1)
        phi, delta = s.proof[ply + 1], s.disproof[ply + 1]
        if not is_attack:
            phi, delta = delta, phi
        delta_sum = min(delta_sum + delta, INFINITY)
        if phi < best_phi:
            best_phi, second_phi, best, best_delta = phi, best_phi, i, delta
        elif phi < second_phi:
            second_phi = phi
    s.second_phi[ply] = second_phi
    s.best_child_delta[ply] = best_delta
    s.proof[ply] = best_phi if is_attack else delta_sum
    s.disproof[ply] = delta_sum if is_attack else best_phi
    return best


@KERNELS.kernel("void(Gomoku, u64[], i64, i64, i64)")
def dfpn(s, tt, ply, proof_threshold, disproof_threshold):
    """Search a node (Nagai's procedure MID) until one of its numbers reaches its threshold, or the budget is used.

    The numbers are left in `proof[ply]`, `disproof[ply]` and the table. If a line reaches `vct_plies`, the budget is
    set to 0, which ends the whole search. That node is not stored as disproven: the key does not contain the ply, so a
    later search with a higher limit would find the entry.
    """
    # 1. Terminal nodes.
    result = static_result(s)
    if result != UNKNOWN:
        store_numbers(s, tt, ply, 0 if result == PROVEN else INFINITY, INFINITY if result == PROVEN else 0)
        return
    if ply >= s.vct_plies:
        s.proof[ply], s.disproof[ply] = 1, 1
        s.vct_budget = 0
        return
    # 2. Children: threats of the attacker, or answers of the defender.
    is_attack = s.side == s.attacker
    count = list_threats(s, ply) if is_attack else generate(s, ply)
    if count == 0:
        store_numbers(s, tt, ply, INFINITY if is_attack else 0, 0 if is_attack else INFINITY)
        return
    # 3. Descend into the most-proving child until a threshold is reached.
    while True:
        best = update_and_select(s, tt, ply, count)
        proof, disproof = s.proof[ply], s.disproof[ply]
        if proof >= proof_threshold or disproof >= disproof_threshold or s.vct_budget <= 0 or s.aborted != 0:
            break
        phi_threshold = min(proof_threshold if is_attack else disproof_threshold, s.second_phi[ply] + 1)
        delta_threshold = (
            disproof_threshold - disproof if is_attack else proof_threshold - proof
        ) + s.best_child_delta[ply]
        cell = np.int64(s.moves[ply, best])
        apply(s, cell)
        count_node(s)
        s.vct_budget -= 1
        if is_attack:
            dfpn(s, tt, ply + 1, phi_threshold, delta_threshold)
        else:
            dfpn(s, tt, ply + 1, delta_threshold, phi_threshold)
        undo(s)
    store_numbers(s, tt, ply, s.proof[ply], s.disproof[ply])


@KERNELS.kernel("i64(Gomoku)")
def winning_cell(s):
    """Return a cell on which the side to move makes a five, else an open four; `static_result` must be PROVEN."""
    five = first_cell(s, s.side, MAKES_FIVE)
    return five if five >= 0 else first_cell(s, s.side, MAKES_OPEN_FOUR)


@KERNELS.export("i64(Gomoku, u64[], i64, i64)")
def find_vct(s, tt, max_plies, budget):
    """Return the first move of a forced win by threats for the side to move, or 0 if none was found.

    The search visits at most `budget` nodes and gives up if a line gets `max_plies` or MAX_PLY - 2 plies long. It is
    not done under caro, where a four has several answers. The root is at ply 1, so that the moves listed at ply 0 stay.
    """
    if s.rule & CARO != 0 or s.winner != 0:
        return 0
    s.attacker = s.side
    s.vct_budget = budget
    s.vct_plies = min(max_plies, MAX_PLY - 2)
    result = static_result(s)
    if result != UNKNOWN:
        return winning_cell(s) if result == PROVEN else 0
    dfpn(s, tt, 1, INFINITY, INFINITY)
    if s.proof[1] != 0:
        return 0
    count = list_threats(s, 1)
    for i in range(count):
        cell = np.int64(s.moves[1, i])
        load_numbers(s, tt, s.hash ^ ZOBRIST[s.side, cell] ^ ZOBRIST_SIDE, 2, 1)
        if s.proof[2] == 0:
            return cell
    return 0


@KERNELS.export("i64(Gomoku, u64[], i64, i64, i64)")
def drop_lost_moves(s, tt, max_plies, vcf_nodes, vct_nodes):
    """Remove the root moves that allow the opponent a VCF or VCT; return how many were removed.

    `vcf_nodes` and `vct_nodes` are the budgets of the two searches after each move; 0 leaves the VCT search out.
    `max_plies` limits the VCF search only. After an abort the remaining moves are kept untested. If every move loses,
    all are kept, and the alpha-beta search finds the one that holds out longest.
    """
    kept = 0
    for i in range(s.root_move_count):
        cell = np.int64(s.root_moves[i])
        apply(s, cell)
        is_tested = s.winner == 0 and s.aborted == 0
        is_lost = is_tested and (
            find_vcf(s, tt, max_plies, vcf_nodes, MAKES_FOUR) > 0
            or (vct_nodes > 0 and find_vct(s, tt, MAX_PLY, vct_nodes) > 0)
        )
        undo(s)
        if not is_lost:
            s.list[kept] = cell
            kept += 1
    dropped = s.root_move_count - kept
    if kept == 0 or dropped == 0:
        return 0
    s.root_move_count = kept
    for i in range(kept):
        s.root_moves[i] = s.list[i]
    return dropped
