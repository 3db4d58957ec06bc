"""Fields of Gomoku's record that hold the position, its patterns and the threat searches' scratch data."""

from __future__ import annotations

from bots.gomoku.kernels.patterns import GRADE_TABLE_SIZE, GRADES, LONG_REACH, PATTERNS, TABLE_SIZE
from core.native.record import Field
from core.search.kernels.game_kernels import MAX_PLY

MAX_CHANGES = 8 * LONG_REACH + 1  # entries of `changes` per stone; the last one is scratch
MAX_SAMPLES = 64


def position_fields(rows: int, stones: int) -> tuple[Field, ...]:
    """Return the fields for a padded board of `rows` rows of as many cells, with at most `stones` stones."""
    cells = rows * rows
    return (
        Field("width", "i64", (), "columns"),
        Field("height", "i64", (), "rows"),
        Field("rule", "i64", (), "bits EXACT, RENJU, CARO of bots/gomoku/notation.py"),
        Field("reach", "i64", (), "cells on each side of a pattern window"),
        Field("side", "i64", (), "side to move: 0 black, 1 white"),
        Field("stones", "i64", (), "stones on the board"),
        Field("winner", "i64", (), "1 or 2 once black or white has a winning five, else 0"),
        Field("hash", "u64", (), "Zobrist hash of stones and side to move"),
        Field("path", "i32", (stones + 1,), "moves played, as cells"),
        Field("cells", "u8", (cells,), "0 empty, 1 black, 2 white, 3 off the board"),
        Field("lines", "i64", (4, 2 * rows), "cells of each line, two bits each, by direction"),
        Field(
            "patterns",
            "u32",
            (cells,),
            "line patterns of an empty cell, four bits per direction: black in bits 0-15, white in 16-31",
        ),
        Field("grades", "u8", (2, cells), "grade of each empty cell, by colour"),
        Field("pattern_count", "i16", (2, PATTERNS), "number of (empty cell, direction) pairs with each pattern"),
        Field("grade_count", "i16", (2, GRADES), "number of empty cells with each grade"),
        Field(
            "counts_before",
            "i16",
            (stones, 2, 2, PATTERNS),
            "pattern_count and grade_count before each stone, for undo",
        ),
        Field(
            "changes",
            "u64",
            (stones * MAX_CHANGES,),
            "undo stack: cell (16 bits), shift of the direction (16 bits), patterns before",
        ),
        Field(
            "grade_changes",
            "u32",
            (2 * stones * MAX_CHANGES,),
            "undo stack: cell (15 bits), colour (1 bit), grade before",
        ),
        Field("change_ends", "i32", (stones + 1, 2), "lengths of both undo stacks, by number of stones"),
        Field(
            "grade_rows",
            "i64",
            (2, GRADES, rows),
            "bit set of the empty cells with each grade: bit x of a word per padded row",
        ),
        Field("occupied_rows", "i64", (rows,), "bit set of the cells with a stone"),
        Field("board_rows", "i64", (rows,), "bit set of the cells of the board"),
        Field("pattern_table", "u8", (TABLE_SIZE,), "patterns of both colours by window, four bits each"),
        Field("grade_table", "u8", (2, GRADE_TABLE_SIZE), "grade by four patterns, by colour"),
        Field("tables_rule", "i64", (), "1 + rule of the filled tables; 0 before the first setup"),
        Field("list", "i32", (cells,), "cells returned by list_legal and list_forbidden; scratch in drop_lost_moves"),
        Field("marked_rows", "i64", (rows,), "bit set of cells that a kernel is collecting"),
        Field("vcf_budget", "i64", (), "nodes that the VCF search may still visit"),
        Field("vcf_min_grade", "i64", (), "lowest grade of fours that the VCF search tries"),
        Field("attacker", "i64", (), "side for which the VCT search looks for a win"),
        Field("vct_budget", "i64", (), "nodes that the VCT search may still visit"),
        Field("vct_plies", "i64", (), "line length at which the VCT search gives up"),
        Field("proof", "i64", (MAX_PLY,), "proof number of the VCT search's node at each ply"),
        Field("disproof", "i64", (MAX_PLY,), "disproof number of that node"),
        Field("second_phi", "i64", (MAX_PLY,), "second smallest phi of that node's children (kernels/vct.py)"),
        Field("best_child_delta", "i64", (MAX_PLY,), "delta of that node's most-proving child"),
        Field("samples_wanted", "i64", (), "number of evaluated positions to sample for training data; 0 for none"),
        Field("samples_seen", "i64", (), "positions evaluated since the sample was started"),
        Field("samples_root", "i64", (), "stones on the board at the root of the sampled search"),
        Field("sampled_moves", "i16", (MAX_SAMPLES, MAX_PLY), "moves from the root to each sampled position, then 0"),
        Field("vcf_line", "i32", (128,), "moves of the VCF found, attacker and defender in turn"),
    )
