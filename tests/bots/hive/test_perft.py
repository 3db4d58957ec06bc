"""The rules of Hive against data that other engines agree on: perft counts, legal moves, illegal moves, game ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.hive.notation import TILE_NAMES, VARIANTS
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, START_CELL, STRIDE
from core.play.game import Outcome
from core.play.player import IllegalMove, Setup

DATA = Path(__file__).parents[2] / "data" / "hive"
QUICK_PLIES = 6  # depth of the perft counts that are tested by default

GAME_WHITE_WINS = (
    "Base;WhiteWins;Black[8];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;"
    "wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bA1 bG2/;wQ /bG1"
)
DRAWN_GAME = (
    "Base;Draw;White[11];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;"
    "wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bG1 wA1/;wQ -bQ;bA1 \\wQ;wB1 -wS1;bG3 bG1-;wB1 /bA1;bG3 -bG2"
)


def read_lines(name: str) -> list[str]:
    """Return the lines of a file in tests/data/hive, without comments."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def read_blocks(name: str) -> list[list[tuple[str, str]]]:
    """Return blocks of lines separated by empty lines, each line split into its first word and the rest."""
    blocks: list[list[tuple[str, str]]] = [[]]
    for line in read_lines(name):
        if line:
            word, _, rest = line.partition(" ")
            blocks[-1].append((word, rest))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def read_start_perft() -> dict[str, list[int]]:
    """Return the perft counts of 1, 2, ... plies from the start position, by game type."""
    rows = [line.split() for line in read_lines("start.txt")]
    return {variant: [int(count) for count in counts] for variant, *counts in rows}


POSITIONS = read_blocks("positions.txt")
ILLEGAL = read_blocks("illegal.txt")
START_PERFT = read_start_perft()


def parse_targets(line: str) -> set[tuple[str, int, int]]:
    """Return tile, cell and height of each move of a line such as `wB1 0,1 -2,3^1`."""
    tile, *targets = line.split()
    moves = set()
    for target in targets or [""]:
        axial, _, level = target.partition("^")
        q, _, r = axial.partition(",")
        cell = (START_CELL + int(q or 0) + STRIDE * int(r or 0)) % CELLS if axial else 0
        moves.add((tile, cell, int(level or 0)))
    return moves


def list_targets(position: HivePosition) -> list[tuple[str, int, int]]:
    """Return tile, target cell and height of the target for each legal move."""
    moves = []
    for code in position.legal_numbers():
        cell = code % CELLS
        tile = "pass" if code == PASS else TILE_NAMES[(code >> MOVE_SHIFT) - 1]
        moves.append((tile, cell, 0 if code == PASS else int(position.state.height[cell])))
    return moves


@pytest.mark.parametrize("block", POSITIONS, ids=[str(number) for number in range(len(POSITIONS))])
def test_moves_and_perft_of_recorded_positions(block: list[tuple[str, str]]) -> None:
    game, counts, *moves = (rest for _, rest in block)
    position = HivePosition.from_game(game)
    expected = set().union(*(parse_targets(line) for line in moves))
    listed = list_targets(position)
    assert set(listed) == expected
    assert len(listed) == len(expected)
    assert [position.parse(text) for text in position.legal_moves()] == position.legal_numbers()
    assert [position.perft(depth) for depth in range(4)] == [1, *map(int, counts.split())]


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_from_the_start(variant: str) -> None:
    position = HivePosition(Setup(variant=variant))
    counts = START_PERFT[variant][:QUICK_PLIES]
    assert [position.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_deep_perft_from_the_start(variant: str) -> None:
    position = HivePosition(Setup(variant=variant))
    for depth in range(QUICK_PLIES + 1, len(START_PERFT[variant]) + 1):
        assert position.perft(depth) == START_PERFT[variant][depth - 1]


@pytest.mark.parametrize("block", ILLEGAL, ids=[dict(block)["rule"] for block in ILLEGAL])
def test_an_illegal_move_is_refused_and_changes_nothing(block: list[tuple[str, str]]) -> None:
    fields = dict(block)
    position = HivePosition.from_game(fields["game"])
    game_string = position.game_string()
    legal = position.legal_moves()
    with pytest.raises(IllegalMove, match="is illegal: "):
        position.play(fields["move"])
    assert position.game_string() == game_string
    assert position.legal_moves() == legal


@pytest.mark.parametrize(
    ("game", "outcome"),
    [(GAME_WHITE_WINS, Outcome(0, "queen surrounded")), (DRAWN_GAME, Outcome(None, "both queens surrounded"))],
)
def test_a_finished_game_has_no_moves_until_undo(game: str, outcome: Outcome) -> None:
    position = HivePosition.from_game(game)
    assert position.outcome() == outcome
    assert position.game_string().split(";")[:3] == game.split(";")[:3]
    assert position.legal_moves() == []
    assert [position.perft(depth) for depth in range(3)] == [1, 0, 0]
    for move in ("pass", "wA2 wS1-", "bA2 bA1/"):
        with pytest.raises(IllegalMove, match="the game is over"):
            position.play(move)
    last = position.moves[-1]
    position.undo()
    assert position.outcome() is None
    assert last in position.legal_moves()
