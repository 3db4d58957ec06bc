"""Fields of Gomoku's state: the position, its patterns, the data of the threat searches, and sampled positions.

The state is the structure that all kernels work on. The board is padded: a cell is an index into rows of equal length
(kernels/rules.py). Of the axes of the arrays,

    cells      is a cell
    4          is a direction: row, column, falling diagonal, rising diagonal
    2          is a colour: 0 black, 1 white
    PATTERNS   is a line pattern: what a stone on an empty cell would make in one direction (kernels/patterns.py)
    GRADES     is a grade: what it would make in all four directions together

VCF is a victory by continuous fours (kernels/threats.py), VCT one by fours and open threes (kernels/vct.py).
"""

from __future__ import annotations

from bots.gomoku.kernels.patterns import GRADE_TABLE_SIZE, GRADES, LONG_REACH, PATTERNS, TABLE_SIZE
from core.native.state_type import StateField
from core.search.kernels.game_kernels import MAX_PLY

MAX_CHANGES = 8 * LONG_REACH + 1  # patterns that a stone may change, and one entry that is written but not kept
MAX_SAMPLES = 64  # greatest value of `samples_wanted`


def position_fields(rows: int, max_stones: int) -> tuple[StateField, ...]:
    """Return the fields for a padded board of `rows` rows of as many cells, with at most `max_stones` stones."""
    cells = rows * rows
    return (
        StateField("width", "i64", (), "columns of the board, without padding"),
        StateField("height", "i64", (), "rows of the board, without padding"),
        StateField("rule", "i64", (), "bits EXACT, RENJU, CARO of bots/gomoku/notation.py"),
        StateField("reach", "i64", (), "number of cells on each side of the centre of a pattern's window"),
        StateField("side", "i64", (), "side to move: 0 black, 1 white"),
        StateField("stones", "i64", (), "number of stones on the board"),
        StateField("winner", "i64", (), "1 or 2 once black or white has a winning five, else 0"),
        StateField("hash", "u64", (), "Zobrist hash of stones and side to move"),
        StateField("path", "i32", (max_stones + 1,), "the `stones` moves played, as cells"),
        StateField("cells", "u8", (cells,), "0 empty, 1 black, 2 white, 3 off the board"),
        StateField("lines", "i64", (4, 2 * rows), "the cells of each line as a word with two bits each, as in `cells`"),
        StateField(
            "patterns",
            "u32",
            (cells,),
            "line patterns of an empty cell, four bits per direction: black's in bits 0-15, white's in bits 16-31",
        ),
        StateField("grades", "u8", (2, cells), "grade of each empty cell"),
        StateField("pattern_count", "i16", (2, PATTERNS), "number of (empty cell, direction) pairs with each pattern"),
        StateField("grade_count", "i16", (2, GRADES), "number of empty cells with each grade"),
        StateField(
            "counts_before",
            "i16",
            (max_stones, 2, 2, PATTERNS),
            "pattern_count [0] and grade_count [1] before each stone, for undo; then colour, pattern or grade",
        ),
        StateField(
            "changes",
            "u64",
            (max_stones * MAX_CHANGES,),
            "undo stack of `patterns`, from the low bits: cell (16 bits), 4 * direction (16 bits), old value (32 bits)",
        ),
        StateField(
            "grade_changes",
            "u32",
            (2 * max_stones * MAX_CHANGES,),
            "undo stack of `grades`, from the low bits: cell (15 bits), colour (1 bit), old value (16 bits)",
        ),
        StateField(
            "change_ends",
            "i32",
            (max_stones + 1, 2),
            "lengths of `changes` [0] and `grade_changes` [1], by number of stones",
        ),
        StateField(
            "grade_rows",
            "i64",
            (2, GRADES, rows),
            "bit set of the empty cells with each grade: one word per padded row, bit x for padded column x",
        ),
        StateField("occupied_rows", "i64", (rows,), "bit set of the cells with a stone, by rows likewise"),
        StateField("board_rows", "i64", (rows,), "bit set of the cells of the board, by rows likewise"),
        StateField("pattern_table", "u8", (TABLE_SIZE,), "pattern by window: black's in bits 0-3, white's in bits 4-7"),
        StateField("grade_table", "u8", (2, GRADE_TABLE_SIZE), "grade by the four patterns of a cell, four bits each"),
        StateField("tables_rule", "i64", (), "1 + rule for which both tables are filled; 0 before the first setup"),
        StateField(
            "list", "i32", (cells,), "cells listed by list_legal and list_forbidden; scratch data of drop_lost_moves"
        ),
        StateField("marked_rows", "i64", (rows,), "bit set of the cells that a kernel is collecting, by rows likewise"),
        StateField("vcf_budget", "i64", (), "fours that the VCF search may still try"),
        StateField("vcf_min_grade", "i64", (), "lowest grade of fours that the VCF search tries"),
        StateField("attacker", "i64", (), "side for which the VCT search looks for a win"),
        StateField("vct_budget", "i64", (), "nodes that the VCT search may still visit"),
        StateField("vct_plies", "i64", (), "the VCT search gives up if a line of moves gets this long"),
        StateField("proof", "i64", (MAX_PLY,), "proof number of the VCT search's node at each ply"),
        StateField("disproof", "i64", (MAX_PLY,), "disproof number of that node"),
        StateField("second_phi", "i64", (MAX_PLY,), "second smallest phi of that node's children (kernels/vct.py)"),
        StateField("best_child_delta", "i64", (MAX_PLY,), "delta of that node's most-proving child"),
        StateField(
            "samples_wanted", "i64", (), "number of evaluated positions to sample for training data; 0 for none"
        ),
        StateField("samples_seen", "i64", (), "number of positions evaluated so far from which the sample is taken"),
        StateField("samples_root", "i64", (), "number of stones at the root of the sampled search"),
        StateField(
            "sampled_moves", "i16", (MAX_SAMPLES, MAX_PLY), "moves from the root to each sampled position, then 0"
        ),
        StateField("vcf_line", "i32", (128,), "moves of the VCF found, attacker and defender in turn; 0 for any reply"),
    )
