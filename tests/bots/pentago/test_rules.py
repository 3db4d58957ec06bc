"""The rules of Pentago against a slow reference, published perft counts and examples of the notation."""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path

import pytest

from bots.pentago.layout import LINES, SQUARES
from bots.pentago.notation import format_rows
from bots.pentago.position import PentagoPosition
from core.native.jit import wrap_kernels
from core.native.load_kernels import load_kernels
from core.play.game import Outcome
from core.play.player import BadSetup, IllegalMove, Setup
from tests.bots.pentago import naive

DATA = Path(__file__).parents[2] / "data" / "pentago"
MAX_QUICK_COUNT = 3_000_000  # larger perft counts are skipped
PERFT = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))["positions"]


def position_at(text: str) -> PentagoPosition:
    return PentagoPosition(Setup(position=text))


def test_there_are_32_lines_and_36_squares() -> None:
    assert len(set(LINES)) == 32
    assert len(set(SQUARES)) == 36


@pytest.mark.parametrize("row", PERFT, ids=lambda row: row["position"])
def test_perft(row: dict[str, object]) -> None:
    """Winning placements count once, other squares eight times; finished games have no moves.

    Counts above MAX_QUICK_COUNT are not compared.
    """
    counts = row["perft"]
    assert isinstance(counts, list)
    position = position_at(str(row["position"]))
    for depth, count in enumerate(counts, 1):
        if count <= MAX_QUICK_COUNT:
            assert position.perft(depth) == count


@pytest.mark.slow
def test_perft_of_the_start() -> None:
    assert position_at("").perft(3) == 21_934_080


@pytest.mark.parametrize(
    ("text", "move", "after"),
    [
        ("6/6/6/6/6/6 w", "a1t", "2w3/6/6/6/6/6 b"),
        ("6/6/6/6/6/6 w", "a1s", "6/6/w5/6/6/6 b"),
        ("6/6/6/6/6/6 w", "b1t", "6/2w3/6/6/6/6 b"),
        ("6/6/6/6/6/6 w", "d1u", "6/6/3w2/6/6/6 b"),
        ("6/6/6/6/6/6 w", "f4x", "6/6/6/6/6/5w b"),
        ("6/6/6/6/6/6 w", "b2w", "6/1w4/6/6/6/6 b"),
    ],
)
def test_rotations(text: str, move: str, after: str) -> None:
    position = position_at(text)
    position.play(move)
    assert position.position_text() == after


def test_a_placement_wins_at_once_whatever_the_turn() -> None:
    for move in ("e1", "e1s"):
        position = position_at("wwww2/bbbb2/6/6/6/6 w")
        position.play(move)
        assert position.outcome() == Outcome(0, "five")
        assert position.moves == ["e1"]
        position.undo()
        assert position.position_text() == "wwww2/bbbb2/6/6/6/6 w"


def test_both_fives_are_a_draw_and_a_turn_can_lose() -> None:
    position = position_at("1bw1w1/b2w2/3b2/4b1/w4b/w5 w")
    position.play("b4t")
    assert position.outcome() == Outcome(None, "both have five")
    position = position_at("3bbb/w1b3/2b3/w3w1/1w2w1/6 w")
    position.play("e3s")
    assert position.outcome() == Outcome(1, "five")


def test_random_games_equal_naive_games() -> None:
    """Boards, outcomes and legal moves are equal after every ply."""
    rng = random.Random(7)
    for _ in range(6):
        position = position_at("")
        cells: naive.Cells = {}
        side = "w"
        while position.outcome() is None:
            expected = naive.moves(cells, side)
            assert set(position.legal_moves()) == set(expected)
            move = rng.choice(sorted(expected))
            cells, result = expected[move]
            position.play(move)
            assert naive.parse(position.position_text())[0] == cells
            outcome = position.outcome()
            assert result == ("" if outcome is None else "draw" if outcome.winner is None else "wb"[outcome.winner])
            side = "b" if side == "w" else "w"
        assert position.legal_moves() == []


def test_a_game_is_decided_by_its_fives() -> None:
    """The named squares are those of all fives of one colour."""
    rng = random.Random(13)
    for _ in range(40):
        position = position_at("")
        while position.outcome() is None:
            assert position.decided_by() == []
            position.play(rng.choice(position.legal_moves()))
        cells, _ = naive.parse(position.position_text())
        full = [line for line in naive.LINES if {cells.get(square, "") for square in line} in ({"w"}, {"b"})]
        assert set(position.decided_by()) == {f"{'abcdef'[x]}{y + 1}" for row in full for x, y in row}


def test_both_fives_decide_a_draw() -> None:
    position = position_at("1bw1w1/b2w2/3b2/4b1/w4b/w5 w")
    position.play("b4t")
    assert len(position.decided_by()) == 10


def rotate_rows(rows: list[str]) -> list[str]:
    return ["".join(row[x] for row in reversed(rows)) for x in range(6)]


def test_key_is_equal_for_symmetric_boards_only() -> None:
    """With equal keys of different boards, the transposition table would mix them."""
    rng = random.Random(3)
    keys = set()
    for count in range(4, 24):
        cells = rng.sample(range(36), count)
        rows = ["".join("w" if 6 * y + x in cells[::2] else "b" if 6 * y + x in cells else "." for x in range(6))
                for y in range(6)]  # fmt: skip
        board_keys = set()
        for mirrored in (rows, ["".join(column) for column in zip(*rows, strict=True)]):
            rotated = mirrored
            for _ in range(4):
                rotated = rotate_rows(rotated)
                text = "/".join("".join("1" if letter == "." else letter for letter in row) for row in rotated)
                position = position_at(f"{text} {'b' if count % 2 else 'w'}")
                assert format_rows(position.state.white, position.state.black) == rotated
                board_keys.add(position.library.key(position.state))
        assert len(board_keys) == 1
        keys |= board_keys
    assert len(keys) == 20


@pytest.mark.parametrize("move", ["a1", "a1r", "g1s", "a7s", "", "a1ss", "1as", "e1"])
def test_bad_moves_change_nothing(move: str) -> None:
    position = position_at("wwww2/bbbb2/6/6/6/6 w") if move != "e1" else position_at("6/6/6/6/6/6 w")
    text = position.position_text()
    with pytest.raises(IllegalMove):
        position.play(move)
    assert position.position_text() == text


@pytest.mark.parametrize("text", ["6/6/6/6/6 w", "6/6/6/6/6/6", "6/6/6/6/6/6 b", "7/6/6/6/6/6 w", "ww4/6/6/6/6/6 w"])
def test_bad_positions_are_refused(text: str) -> None:
    with pytest.raises(BadSetup):
        position_at(text)


def test_illegal_move_messages() -> None:
    position = position_at("wb4/6/2w3/3b2/6/5w b")
    for square in ("a1", "b1", "c3", "d4", "f6"):
        for turn in ("", "s", "z"):
            with pytest.raises(IllegalMove, match=f"^{square}{turn} is illegal: the square is occupied$"):
                position.play(square + turn)
    for square in ("c1", "a2", "e5", "e6"):
        with pytest.raises(
            IllegalMove, match=f"^{square} is illegal: a bare square is for a placement that makes five"
        ):
            position.play(square)


def test_numba_and_native_rules_are_equal() -> None:
    """The whole states are compared in random games; compiling only the rules takes seconds."""
    kernels = import_module("bots.pentago.kernels.rules").KERNELS
    libraries = load_kernels("pentago", False), wrap_kernels(kernels)
    states = [library.new("Pentago") for library in libraries]
    for seed in range(3):
        rng, plies = random.Random(seed), 0
        for library, state in zip(libraries, states, strict=True):
            library.setup(state, 0, 0, 0)
        while not states[0].result:
            numbers = [
                (library.perft(state, 1), library.key(state), library.list_legal(state))
                for library, state in zip(libraries, states, strict=True)
            ]
            move = rng.choice(states[0].list[: numbers[0][-1]])
            for library, state in zip(libraries, states, strict=True):
                library.apply(state, move)
            plies += 1
            assert numbers[0] == numbers[1]
            assert bytes(states[0]) == bytes(states[1])
        for _ in range(plies):
            for library, state in zip(libraries, states, strict=True):
                library.undo(state)
            assert bytes(states[0]) == bytes(states[1])
