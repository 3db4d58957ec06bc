"""Painters, which draw positions for the web pages: pieces, marks, and clicks that correspond to the legal moves.

Coordinates are drawing units, x to the right and y downwards. A cell is about CELL units wide.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from arena.errors import CommandFailedError
from arena.web.painters import find_painter
from arena.web.report.changes import describe_change
from bots.registry import GAMES
from core.play.game import Game
from core.play.player import Setup
from core.play.scene import CELL, DECISIVE, FORBIDDEN, FROM, LAST, TURN, Painter, Piece, Scene

BUTTONS = {"swap-pieces", "pass"}  # moves that are made with a button beside the board
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def position_after(name: str, line: str, setup: Setup | None = None) -> Any:
    """Return the position of a game after moves separated by spaces, or by semicolons if they contain spaces."""
    game = GAMES[name]
    position = game.new_position(setup or game.default_setup)
    for move in line.split(";" if ";" in line else " ") if line else []:
        position.play(move.strip())
    return position


def play_random_moves(game: Game, plies: int, seed: int) -> Iterator[Any]:
    """Play a random game of at most `plies` plies; yield the same position object after each ply."""
    position, rng = game.new_position(game.default_setup), random.Random(seed)
    while position.legal_moves() and len(position.moves) < plies:
        position.play(rng.choice(position.legal_moves()))
        yield position


def test_every_game_is_drawn() -> None:
    """Every game of the registry has a painter; a game without one gives an error message."""
    for game in GAMES.values():
        assert isinstance(find_painter(game), Painter)
        assert find_painter(game).make_board(game.default_setup).how
    with pytest.raises(CommandFailedError, match="no board is drawn for Hex"):
        find_painter(replace(GAMES["hex"], painter=None))


def test_games_with_a_hover_preview_and_with_skipped_turns() -> None:
    """`ghost` shows a stone under the pointer; `skips` makes the page say that a side was skipped."""
    boards = {name: find_painter(game).make_board(game.default_setup) for name, game in GAMES.items()}
    assert {name for name, board in boards.items() if board.ghost} == {"gomoku", "hex", "pentago"}
    assert {name for name, board in boards.items() if board.skips} == {"kolibrat"}


@each_game
def test_each_legal_move_has_its_own_clicks(game: Game) -> None:
    """A move without clicks could not be played; two moves with the same clicks would be ambiguous."""
    painter = find_painter(game)
    board = painter.make_board(game.default_setup)
    for position in play_random_moves(game, 40, seed=3):
        clicks, scene = painter.list_clicks(position), painter.make_scene(position)
        assert sorted(clicks) == sorted(position.legal_moves())
        assert len({tuple(ids) for ids in clicks.values()}) == len(clicks)
        hands = {entry.id for entry in scene.hands[position.to_move]}
        clickable = board.cells.keys() | scene.cells.keys() | scene.pieces.keys()
        assert {click for ids in clicks.values() for click in ids} <= clickable | hands | BUTTONS


@each_game
def test_changes_of_pieces_add_up_to_the_scene(game: Game) -> None:
    """Match reports store changes of scenes; a piece that is not removed would stay for the rest of the game."""
    painter, previous = find_painter(game), None
    pieces: dict[str, Piece] = {}
    for position in play_random_moves(game, 50, seed=5):
        scene = painter.make_scene(position)
        change = describe_change(previous, scene)
        pieces |= {key: piece for key, piece in change.pieces.items() if piece is not None}
        for key in [key for key, piece in change.pieces.items() if piece is None]:
            del pieces[key]
        assert pieces == scene.pieces
        previous = scene


@each_game
def test_the_last_move_is_marked_on_a_piece_of_the_mover(game: Game) -> None:
    """The mark follows a Pentago marble that its rotation moves. In Hive the piece may belong to the other side."""
    painter, mover = find_painter(game), 0
    for position in play_random_moves(game, 40, seed=7):
        scene = painter.make_scene(position)
        for mark in (mark for mark in scene.marks if mark.kind == LAST):
            marked_pieces = [piece for piece in scene.pieces.values() if (piece.x, piece.y) == (mark.x, mark.y)]
            assert marked_pieces
            if game.name != "hive":  # a pillbug may have moved a tile of the other side
                assert marked_pieces[0].side == mover
        mover = position.to_move


@each_game
def test_the_decisive_pieces_are_marked_only_at_the_end(game: Game) -> None:
    painter, position = find_painter(game), game.new_position(game.default_setup)
    for seed in range(4):
        for position in play_random_moves(game, 300, seed):
            scene = painter.make_scene(position)
            decisive = [(mark.x, mark.y) for mark in scene.marks if mark.kind == DECISIVE]
            outcome = position.outcome()
            if outcome is None or game.name == "kolibrat":  # no piece decides a game of Kolibrat
                assert decisive == []
            elif outcome.winner is not None:
                pieces = [scene.pieces[name] for name in position.decided_by()]
                assert decisive == [(piece.x, piece.y) for piece in pieces]
                # In Hive the surrounded queen, in the other games a row or a chain of at least five.
                assert len(decisive) >= (1 if game.name == "hive" else 5)


def test_a_covered_queen_is_marked_on_the_top_tile() -> None:
    """Both queens are surrounded here, the black one under a beetle."""
    line = (
        "wS1;bS1 wS1-;wQ /wS1;bQ bS1-;wQ /bS1;bQ wQ-;wQ /bQ;bB1 bS1-;wG1 /wQ;bP bQ-;wS1 -wG1;bB1 bQ;wS2 wS1/;bB2 bS1-;"
        "wM wG1-;bA1 bP-;wS1 wS2/;bA1 wQ-"
    )
    scene = find_painter(GAMES["hive"]).make_scene(position_after("hive", line))
    white, black = scene.pieces["wQ"], scene.pieces["bB1"]
    assert (scene.pieces["bQ"].level, black.level) == (0, 1)
    marked = [(mark.x, mark.y) for mark in scene.marks if mark.kind == DECISIVE]
    assert marked == [(white.x, white.y), (black.x, black.y)]


def test_gomoku_numbers_stones_and_marks_forbidden_moves() -> None:
    scene = find_painter(GAMES["gomoku"]).make_scene(position_after("gomoku", "h8 i9"))
    assert scene.pieces == {
        "h8": Piece(0, "stone", 7 * CELL, 7 * CELL, "1"),
        "i9": Piece(1, "stone", 8 * CELL, 8 * CELL, "2"),
    }
    # On j8, black would make two open threes: h8 i8 j8 and j8 j9 j10.
    double_three = position_after("gomoku", "h8 a1 i8 a3 j9 a5 j10 a7", Setup(15, 15, "renju"))
    marks = find_painter(GAMES["gomoku"]).make_scene(double_three).marks
    assert [(mark.x, mark.y) for mark in marks if mark.kind == FORBIDDEN] == [(9 * CELL, 7 * CELL)]


def test_hex_labels_a_swapped_stone() -> None:
    scene = find_painter(GAMES["hex"]).make_scene(position_after("hex", "c2 swap-pieces", Setup(11, 11, "swap")))
    assert [(cell, piece.side, piece.label) for cell, piece in scene.pieces.items()] == [("b3", 1, "S")]
    assert scene.swapped


@pytest.mark.parametrize(
    ("line", "start", "labels"),
    [
        ("c3 swap-pieces b2", "", {"c3": "S", "b2": "3"}),
        ("swap-pieces b2", "2b2/5/5/5/5 w", {"a3": "S", "b2": "2"}),
        ("b2", "2b2/5/5/5/w4 w", {"c1": "", "a5": "", "b2": "1"}),
    ],
    ids=["swap on the diagonal", "swap of a stone of the start position", "no swap"],
)
def test_hex_labels_only_the_swapped_stone_with_s(line: str, start: str, labels: dict[str, str]) -> None:
    """Regression: on the long diagonal the swapped stone stays on its cell, and used to be labelled 1 instead of S."""
    setup = Setup(5, 5, "swap", position=start)
    scene = find_painter(GAMES["hex"]).make_scene(position_after("hex", line, setup))
    assert {cell: piece.label for cell, piece in scene.pieces.items()} == labels


def test_hex_edges_have_the_colours_of_their_sides() -> None:
    """Black connects top and bottom."""
    board = find_painter(GAMES["hex"]).make_board(Setup(5, 4, "standard"))
    edges = {"first": [], "second": []}  # type: dict[str, list[tuple[float, ...]]]
    for shape in board.shapes:
        if shape.style.startswith("edge"):
            edges[shape.style.split()[1]].append(shape.numbers)
    # The coordinates of a line alternate between x and y.
    heights = [max(line[1::2]) - min(line[1::2]) for line in edges["first"]]
    assert max(heights) < CELL  # horizontal lines
    assert min(max(line[1::2]) - min(line[1::2]) for line in edges["second"]) > 3 * CELL / 2


def test_pentago_marks_marble_and_rotation() -> None:
    """The clockwise rotation moves a1 to c1, where the marble is marked; the quadrant is marked as well."""
    scene = find_painter(GAMES["pentago"]).make_scene(position_after("pentago", "a1t"))
    assert list(scene.pieces) == ["c1"]
    last, turn = scene.marks
    assert (last.kind, last.x, last.y) == (LAST, 2 * CELL, 0)
    assert (turn.kind, turn.x, turn.y, turn.angle) == (TURN, CELL, CELL, 90)


def test_kolibrat_shows_hands_points_and_moves_off_the_board() -> None:
    position = position_after("kolibrat", "", Setup(variant="3x4-4-5", position="r2/3/3/3 r 0 0 4 5"))
    assert find_painter(GAMES["kolibrat"]).list_clicks(position)["a4off"] == ("a4", "off0")
    position.play("a4off")
    scene = find_painter(GAMES["kolibrat"]).make_scene(position)
    assert scene.points == (1, 0)
    assert [entry.count for entry in scene.hands[0]] == [4]
    assert [mark.kind for mark in scene.marks] == [FROM]


def test_hive_shows_stacks_hands_and_the_origin_of_a_move() -> None:
    line = r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ"
    position = position_after("hive", line)
    scene = find_painter(GAMES["hive"]).make_scene(position)
    assert (scene.pieces["wB1"].level, scene.pieces["wQ"].level) == (1, 0)
    assert [mark.kind for mark in scene.marks] == [FROM, LAST]
    assert {entry.look: entry.count for entry in scene.hands[0]} == {
        **{"S": 1, "B": 1, "G": 3, "A": 3},
        **{"M": 1, "L": 1, "P": 1},
    }
    assert position.moves[-1] == "wB1 wQ"  # unchanged, although the painter undoes and repeats the move


def test_hive_tiles_that_do_not_move_are_drawn_in_the_same_place() -> None:
    """If coordinates depended on some tile in play, the whole hive would jump with it."""
    painter, previous = find_painter(GAMES["hive"]), None
    for position in play_random_moves(GAMES["hive"], 60, seed=11):
        scene = painter.make_scene(position)
        moved = position.moves[-1].split()[0]
        if previous is not None:
            unmoved = [key for key in previous.pieces if key != moved]
            assert [scene.pieces[key] for key in unmoved] == [previous.pieces[key] for key in unmoved]
        previous = scene


def test_scene_is_encoded_as_json() -> None:
    scene = find_painter(GAMES["hive"]).make_scene(position_after("hive", "wS1"))
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
