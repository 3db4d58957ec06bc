"""Fields of Gomoku's state that hold the position, its patterns and the threat searches' scratch data."""

from __future__ import annotations

from bots.gomoku.kernels.patterns import GRADE_TABLE_SIZE, GRADES, LONG_REACH, PATTERNS, TABLE_SIZE
from core.native.state_type import StateField
from core.search.kernels.game_kernels import MAX_PLY

MAX_CHANGES = 8 * LONG_REACH + 1  # entries of `changes` per stone; the last one is scratch
MAX_SAMPLES = 64


def position_fields(rows: int, stones: int) -> tuple[StateField, ...]:
    """Return the fields for a padded board of `rows` rows of as many cells, with at most `stones` stones."""
    cells = rows * rows
    return (
        StateField("width", "i64", (), "columns"),
        StateField("height", "i64", (), "rows"),
        StateField("rule", "i64", (), "bits EXACT, RENJU, CARO of bots/gomoku/notation.py"),
        StateField("reach", "i64", (), "cells on each side of a pattern window"),
        StateField("side", "i64", (), "side to move: 0 black, 1 white"),
        StateField("stones", "i64", (), "stones on the board"),
        StateField("winner", "i64", (), "1 or 2 once black or white has a winning five, else 0"),
        StateField("hash", "u64", (), "Zobrist hash of stones and side to move"),
        StateField("path", "i32", (stones + 1,), "moves played, as cells"),
        StateField("cells", "u8", (cells,), "0 empty, 1 black, 2 white, 3 off the board"),
        StateField("lines", "i64", (4, 2 * rows), "cells of each line, two bits each, by direction"),
        StateField(
            "patterns",
            "u32",
            (cells,),
            "line patterns of an empty cell, four bits per direction: black in bits 0-15, white in 16-31",
        ),
        StateField("grades", "u8", (2, cells), "grade of each empty cell, by colour"),
        StateField("pattern_count", "i16", (2, PATTERNS), "number of (empty cell, direction) pairs with each pattern"),
        StateField("grade_count", "i16", (2, GRADES), "number of empty cells with each grade"),
        StateField(
            "counts_before",
            "i16",
            (stones, 2, 2, PATTERNS),
            "pattern_count and grade_count before each stone, for undo",
        ),
        StateField(
            "changes",
            "u64",
            (stones * MAX_CHANGES,),
            "undo stack: cell (16 bits), shift of the direction (16 bits), patterns before",
        ),
        StateField(
            "grade_changes",
            "u32",
            (2 * stones * MAX_CHANGES,),
            "undo stack: cell (15 bits), colour (1 bit), grade before",
        ),
        StateField("change_ends", "i32", (stones + 1, 2), "lengths of both undo stacks, by number of stones"),
        StateField(
            "grade_rows",
            "i64",
            (2, GRADES, rows),
            "bit set of the empty cells with each grade: bit x of a word per padded row",
        ),
        StateField("occupied_rows", "i64", (rows,), "bit set of the cells with a stone"),
        StateField("board_rows", "i64", (rows,), "bit set of the cells of the board"),
        StateField("pattern_table", "u8", (TABLE_SIZE,), "patterns of both colours by window, four bits each"),
        StateField("grade_table", "u8", (2, GRADE_TABLE_SIZE), "grade by four patterns, by colour"),
        StateField("tables_rule", "i64", (), "1 + rule of the filled tables; 0 before the first setup"),
        StateField(
            "list", "i32", (cells,), "cells returned by list_legal and list_forbidden; scratch in drop_lost_moves"
        ),
        StateField("marked_rows", "i64", (rows,), "bit set of cells that a kernel is collecting"),
        StateField("vcf_budget", "i64", (), "nodes that the VCF search may still visit"),
        StateField("vcf_min_grade", "i64", (), "lowest grade of fours that the VCF search tries"),
        StateField("attacker", "i64", (), "side for which the VCT search looks for a win"),
        StateField("vct_budget", "i64", (), "nodes that the VCT search may still visit"),
        StateField("vct_plies", "i64", (), "line length at which the VCT search gives up"),
        StateField("proof", "i64", (MAX_PLY,), "proof number of the VCT search's node at each ply"),
        StateField("disproof", "i64", (MAX_PLY,), "disproof number of that node"),
        StateField("second_phi", "i64", (MAX_PLY,), "second smallest phi of that node's children (kernels/vct.py)"),
        StateField("best_child_delta", "i64", (MAX_PLY,), "delta of that node's most-proving child"),
        StateField(
            "samples_wanted", "i64", (), "number of evaluated positions to sample for training data; 0 for none"
        ),
        StateField("samples_seen", "i64", (), "positions evaluated since the sample was started"),
        StateField("samples_root", "i64", (), "stones on the board at the root of the sampled search"),
        StateField(
            "sampled_moves", "i16", (MAX_SAMPLES, MAX_PLY), "moves from the root to each sampled position, then 0"
        ),
        StateField("vcf_line", "i32", (128,), "moves of the VCF found, attacker and defender in turn"),
    )
