"""The naive rules (naive.py) against boards drawn by hand, counts by formula, and examples of the rule books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.gomoku.notation import CARO, EXACT, RENJU, VARIANTS
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square, split_squares
from tests.bots.gomoku.boards import DATA, read_rows
from tests.bots.gomoku.naive import (
    BLACK,
    DOUBLE_FOUR,
    DOUBLE_THREE,
    OVERLINE,
    WHITE,
    NaiveGomoku,
    five_points,
    foul,
    fours,
    is_forbidden,
    makes_five,
    parse_board,
    straight_four,
    threes,
)


def read_drawn_boards(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield title and rows of each board of a file, where `== title` starts a board and `#` a comment."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    starts = [index for index, line in enumerate(lines) if line.startswith("== ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start][3:], lines[start + 1 : end]


# Renju boards with black to move. `f` marks forbidden points, `a` allowed ones that look forbidden. A title begins with
# the foul, or with `none`.
FORBIDDEN = list(read_drawn_boards(DATA / "forbidden.txt"))
PROBES = read_rows("probes.txt")  # variant, moves, and squares that are good answers or, with `!`, must not be played


def play_all(position: NaiveGomoku, moves: str) -> NaiveGomoku:
    for move in split_squares(moves) or []:
        position.play(move)
    return position


def new_position(variant: str, width: int = 15, height: int = 15) -> NaiveGomoku:
    return NaiveGomoku(Setup(width, height, variant))


@pytest.mark.parametrize(("title", "rows"), FORBIDDEN, ids=[title for title, _ in FORBIDDEN])
def test_forbidden_points_are_those_of_the_drawing(title: str, rows: list[str]) -> None:
    assert len({len(row) for row in rows}) == 1
    board, marks = parse_board(rows, RENJU)
    assert set(marks.values()) <= {"f", "a"}
    reasons = {point: foul(board, BLACK, point) for point in board.points() if board.is_empty(point)}
    name = title.partition(":")[0]
    assert name in {"none", OVERLINE, DOUBLE_FOUR, DOUBLE_THREE}
    assert {point: reason for point, reason in reasons.items() if reason} == {
        point: name for point, mark in marks.items() if mark == "f"
    }
    assert any(mark == "f" for mark in marks.values()) == (name != "none")


@pytest.mark.parametrize("rule", [RENJU, RENJU | EXACT])
def test_white_has_no_fouls(rule: int) -> None:
    for _, rows in FORBIDDEN:
        board, marks = parse_board(rows, rule)
        assert not any(foul(board, WHITE, point) for point in marks)
        assert all(is_forbidden(board, point) for point, mark in marks.items() if mark == "f")


def test_without_renju_black_has_no_fouls_either() -> None:
    for _, rows in FORBIDDEN:
        for rule in (0, EXACT, CARO, CARO | EXACT):
            board, marks = parse_board(rows, rule)
            assert not any(is_forbidden(board, point) for point in marks)


# Cases of FIVES: a row with the point `*` to fill, the colour that plays there, and the variants in which it wins.
ALL_VARIANTS = {"freestyle", "standard", "renju", "caro", "caro-overline", "rule-5", "rule-12", "rule-13"}
BLOCKED_FIVES_WIN = ALL_VARIANTS - {"caro", "caro-overline", "rule-12", "rule-13"}
OVERLINES_WIN_FOR_BLACK = {"freestyle", "caro-overline"}
OVERLINES_WIN_FOR_WHITE = OVERLINES_WIN_FOR_BLACK | {"renju", "rule-12"}
FIVES = [
    ("..XX*XX..", BLACK, ALL_VARIANTS),
    ("..XX*X...", BLACK, set()),
    ("XXXX*....", BLACK, ALL_VARIANTS),
    ("OXXXX*...", BLACK, ALL_VARIANTS),
    ("....*XXXX", BLACK, ALL_VARIANTS),
    ("OXXXX*O..", BLACK, BLOCKED_FIVES_WIN),
    ("...OXX*XX", BLACK, ALL_VARIANTS),  # one end is the edge, which does not block
    ("XXXX*O...", BLACK, ALL_VARIANTS),
    (".XXXX*X..", BLACK, OVERLINES_WIN_FOR_BLACK),
    ("OXXX*XXO.", BLACK, OVERLINES_WIN_FOR_BLACK),  # blocked at both ends, but longer than five
    ("XXXX*XXXX", BLACK, OVERLINES_WIN_FOR_BLACK),
    ("XXXX*.X..", BLACK, ALL_VARIANTS),
    ("..OO*OO..", WHITE, ALL_VARIANTS),
    ("XOOOO*X..", WHITE, BLOCKED_FIVES_WIN),
    ("OOOO*X...", WHITE, ALL_VARIANTS),
    (".OOO*OO..", WHITE, OVERLINES_WIN_FOR_WHITE),
    ("XOOO*OOX.", WHITE, OVERLINES_WIN_FOR_WHITE),
]


@pytest.mark.parametrize(("row", "colour", "winning"), FIVES)
def test_what_counts_as_five(row: str, colour: int, winning: set[str]) -> None:
    """The nine points are tried as a row, as a column and on both diagonals."""
    rules = {name: VARIANTS[name] if name in VARIANTS else int(name[5:]) for name in ALL_VARIANTS}
    place = row.index("*")
    blank = ["." * 9] * 9
    across = [*blank[:4], row, *blank[5:]]
    down = ["." * 4 + mark + "." * 4 for mark in row]
    falling = ["." * index + mark + "." * (8 - index) for index, mark in enumerate(row)]
    rising = falling[::-1]
    for rows, point in (
        (across, (place, 4)),
        (down, (4, place)),
        (falling, (place, place)),
        (rising, (place, 8 - place)),
    ):
        boards = {name: parse_board(rows, rule)[0] for name, rule in rules.items()}
        assert {name for name, board in boards.items() if makes_five(board, colour, point)} == winning


@pytest.mark.parametrize("variant", sorted(ALL_VARIANTS))
def test_a_game_ends_with_the_five_and_goes_on_after_undo(variant: str) -> None:
    position = play_all(new_position(variant, 9, 5), "c1c2d1d2e1e2f1f2")
    assert position.outcome() is None
    position.play("g1")
    assert position.outcome() == Outcome(FIRST, "five")
    assert (position.legal_moves(), position.perft(1), position.perft(0)) == ([], 0, 1)
    with pytest.raises(IllegalMove, match="h1 after the end"):
        position.play("h1")
    position.undo()
    assert position.outcome() is None
    play_all(position, "h1g2")
    assert position.outcome() == Outcome(SECOND, "five")
    assert position.board() == "..XXXX.X.\n..OOOOO..\n" + "\n".join(["." * 9] * 3)


def test_an_overline_does_not_end_a_standard_game() -> None:
    moves = "b1b3c1c3d1d3f1f3g1g3e1"
    assert play_all(new_position("standard"), moves).outcome() is None
    assert play_all(new_position("freestyle"), moves).outcome() == Outcome(FIRST, "five")
    with pytest.raises(IllegalMove, match="e1 is forbidden for black: overline"):
        play_all(new_position("renju"), moves)


def test_a_foul_is_an_illegal_move_that_changes_nothing() -> None:
    position = play_all(new_position("renju"), "h7a1h9a3g8a5i8a7")
    assert "h8" not in position.legal_moves()
    expected = (position.moves, position.board())
    with pytest.raises(IllegalMove, match="h8 is forbidden for black: double-three"):
        position.play("h8")
    assert (position.moves, position.board()) == expected
    position.play("o15")
    assert "h8" in position.legal_moves()


def test_errors_say_what_is_wrong() -> None:
    position = play_all(new_position("freestyle", 5, 7), "e7")
    for move, reason in (("e7", "e7 is occupied"), ("f1", "f1 is outside"), ("a8", "a8 is outside"), ("x", "a square")):
        with pytest.raises(IllegalMove, match=reason):
            position.play(move)
    position.undo()
    with pytest.raises(IllegalMove, match="no move"):
        position.undo()
    for width, height, variant in ((4, 9, "renju"), (9, 23, "renju"), (9, 9, "chess")):
        with pytest.raises(BadSetup):
            new_position(variant, width, height)


def test_a_full_board_is_a_draw() -> None:
    """Rows of XXOOX and OOXXO alternate and contain no five; black has one stone more."""
    black = [f"{letter}{row}" for row in range(1, 6) for letter in ("abe" if row % 2 else "cd")]
    white = [f"{letter}{row}" for row in range(1, 6) for letter in ("cd" if row % 2 else "abe")]
    position = new_position("freestyle", 5, 5)
    for index, move in enumerate(black):
        play_all(position, move + "".join(white[index : index + 1]))
    assert position.outcome() == Outcome(None, "full board")
    assert position.legal_moves() == []
    assert position.board().splitlines()[:2] == ["XXOOX", "OOXXO"]


def test_black_with_fouls_only_is_a_draw() -> None:
    """The last free point would make black's top row seven long."""
    moves = "d3e2g1a5d5d4b5e3a3b3a1f5g2g3e4e5e1a2b2c3f3c2c4b4d2f2b1g4g5f4c1a4f1c5"
    position = play_all(new_position("renju", 7, 5), moves)
    assert position.board().splitlines() == ["XXX.XXX", "OXOXOOX", "XOOXOXO", "OOXOXOO", "OXOXOOX"]
    assert (position.outcome(), position.legal_moves()) == (Outcome(None, "no legal move"), [])
    with pytest.raises(IllegalMove, match="d1 after the end"):
        position.play("d1")
    assert play_all(new_position("standard", 7, 5), moves).legal_moves() == ["d1"]


def test_perft_stops_at_fives() -> None:
    """Both sides have four in a row at the left edge, so each wins on one point: black on e1, white on e5."""
    position = play_all(new_position("caro", 9, 5), "a1a5b1b5c1c5d1d5")
    free = 45 - 8
    assert position.perft(1) == free
    assert position.perft(2) == (free - 1) * (free - 1)
    black_stops_white, black_elsewhere = 1, free - 2
    assert position.perft(3) == (black_stops_white * (free - 1) + black_elsewhere * (free - 2)) * (free - 2)


def test_two_fours_in_one_line_share_the_middle() -> None:
    board, _ = parse_board([".........", ".X.X.X.X.", ".........", ".........", "........."], EXACT)
    expected = [{1, 3, 4, 5}, {3, 4, 5, 7}]
    assert fours(board, BLACK, (4, 1)) == {frozenset((x, 1) for x in columns) for columns in expected}
    assert fours(board, BLACK, (2, 1)) == {frozenset((x, 1) for x in (1, 2, 3, 5))}
    assert fours(board, WHITE, (4, 1)) == set()


def test_a_four_or_three_open_at_both_ends_is_counted_once() -> None:
    board, _ = parse_board([".........", "..XX.....", ".........", ".........", "........."], EXACT)
    three, four = (frozenset((x, 1) for x in range(2, end)) for end in (5, 6))
    assert (threes(board, BLACK, (4, 1)), fours(board, BLACK, (4, 1))) == ({three}, set())
    board = board.with_stone((4, 1), BLACK)
    assert straight_four(board, BLACK, (5, 1), (1, 0)) == four
    assert straight_four(board, BLACK, (6, 1), (1, 0)) is None
    assert (threes(board, BLACK, (5, 1)), fours(board, BLACK, (5, 1))) == (set(), {four})


@pytest.mark.parametrize(("variant", "moves", "answers"), [(row[0], row[1], row[2:]) for row in PROBES])
def test_good_answers_of_the_probes_are_legal_and_refused_ones_are_not(
    variant: str, moves: str, answers: list[str]
) -> None:
    position = play_all(new_position(variant), moves)
    good = {answer for answer in answers if not answer.startswith("!")}
    refused = {answer[1:] for answer in answers if answer.startswith("!")}
    legal = set(position.legal_moves())
    assert good <= legal
    assert not refused & legal


def test_only_the_freestyle_probe_has_a_winning_point() -> None:
    moves = {row[0]: row[1] for row in PROBES}
    freestyle = play_all(new_position("freestyle"), moves["freestyle"]).grid
    assert [format_square(*point) for point in five_points(freestyle, BLACK)] == ["g8", "l8"]
    assert five_points(play_all(new_position("standard"), moves["standard"]).grid, WHITE) == []
    assert five_points(play_all(new_position("caro-overline"), moves["caro-overline"]).grid, BLACK) == []
