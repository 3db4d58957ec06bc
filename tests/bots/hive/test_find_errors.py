"""The search for errors in lost games, and the kinds of errors that it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots.hive.engine import HiveEngine
from bots.hive.position import HivePosition
from bots.hive.training.error_kinds import ComparedPosition, classify, format_table, group_positions
from bots.hive.training.find_errors import lost_games_of_file, lost_games_of_run, main, read_positions
from core.search.scores import WIN
from tests.bots.hive.test_boardspace import OPENING_EVENTS, boardspace_sgf

# Kind, moves, line of the long search, and whether the short search hoped too much for the side to move.
# Checked by eye: no other kind occurs in the line.
KIND_CASES = (
    (
        "tile pinned",
        r"wB1;bP wB1-;wQ \wB1;bQ bP/;wA1 /wQ",
        r"bA1 bP\;wA1 bA1-",
        True,
    ),
    (
        "moved beside queen",
        r"wL;bP \wL;wP /wL;bQ \bP;wQ wL-;bL -bQ",
        r"wA1 /wP;bL \wQ",
        True,
    ),
    (
        "pinning defence",
        "wG1;bS1 wG1/;wQ /wG1;bM bS1/;wM /wQ;bQ -bM;wA1 wQ\\",
        r"bA1 \bM;wM bA1/",
        False,
    ),
    (
        "queen thrown",
        r"wG1;bS1 \wG1;wM /wG1;bP bS1/;wQ wM\;bQ -bS1;wB1 -wM;bM -bP",
        r"wA1 wG1\;bQ \bP",
        True,
    ),
    (
        "tile covered",
        r"wB1;bP wB1-;wB2 \wB1;bQ bP\;wQ /wB1;bM /bQ;wB2 wB1;bB1 bP/;wB2 bP",
        "bB1 wB2",
        False,
    ),
    (
        "queen's escape",
        r"wS1;bG1 /wS1;wQ \wS1;bQ -bG1;wB1 wS1-;bB1 bQ\;wB2 -wQ;bB1 bG1;wA1 wB1/;bB1 wS1;wA1 bG1\;"
        "bB1 wQ",
        "wB2 bB1;bQ /bG1",
        True,
    ),
    (
        "queen covered",
        r"wS1;bS1 wS1-;wQ -wS1;bB1 bS1/;wL /wQ;bQ bB1/;wA1 wQ\;bA1 bB1\;wA1 bQ-;bA1 wL\;wB1 wA1-;"
        r"bA2 bA1\;wB1 wA1;bA2 \wQ",
        "wB1 bQ",
        False,
    ),
    (
        "throw of an enemy tile",
        r"wM;bP -wM;wS1 wM\;bL -bP;wQ wS1/;bQ /bL;wS1 bQ\;bA1 \bL;wA1 /wS1;bM \bP;wA1 bM/;bA1 wQ/;"
        r"wA2 wA1/;bB1 \bA1;wA2 \bB1",
        r"wA1 \wM",
        False,
    ),
    (
        "placed beside queen",
        r"wS1;bS1 wS1\;wQ \wS1;bQ /bS1;wP wQ/;bA1 bS1-;wA1 wP/;bA1 \wA1;wM wA1\;bP -bQ;wM bQ\;"
        "bP /wS1;wB1 /wM;bB1 -bP;wB1 /bQ;bB1 /wQ;wM bQ;bB1 wQ",
        r"wG1 wM\;bB2 -bB1",
        True,
    ),
    (
        "gate closed",
        r"wS1;bS1 wS1\;wP \wS1;bQ /bS1;wQ /wP;bP bS1\;wA1 wS1/;bA1 bP-;wA1 bA1/;bM bP\;wA2 wS1/;"
        r"bM -wQ;wA3 \wA1;bA2 bA1\;wA3 /bA2;bQ /bP;wM /wA3;bB1 \bM;wM bB1/;bB2 /bS1;wA2 -bB2;"
        r"bL /bB1;wL \wA1",
        r"bL wQ\;wL -wA1",
        True,
    ),
    (
        "pinned tile freed",
        r"wA1;bA1 wA1-;wB1 \wA1;bS1 bA1/;wQ \wB1;bQ bS1-;wM /wB1;bM bS1\;wM bQ\;bS1 wQ/;wB2 wM-;"
        r"bP -bQ;wA2 /wA1;bA2 \bP;wB2 wM/;bQ bP/;wA2 \bA2;bA1 wA1\;wA3 /wB1;bB1 \bS1;wA3 \bB1;"
        r"bA3 bQ/;wB2 wM;bA3 -wQ;wB2 bM;bG1 \bA3;wS1 wB2\;bG1 bA3\;wM bQ/;bS2 /bA3;wS1 wM\;bS2 /bB1",
        r"wA3 bG1\;bB1 bS1",
        True,
    ),
)
# White's queen has one empty neighbour, and an ant and a grasshopper of black can fill the last one after LOST_LINE.
LOST_GAME = (
    r"wS1;bP \wS1;wP wS1-;bQ -bP;wQ wP/;bL /bQ;wA1 wP\;bL bQ\;wM wA1-;bM bP/;wM -bQ;bM -wQ;"
    r"wA1 \bP;wQ \bM;wB1 /wM;bL wQ/;wA1 wM\;bA1 \bL;wM bQ;bA1 \wB1;wB2 \wM;bA2 \bL;wB2 -wM;"
    r"wS1 wP/;wS2 \wM;bA2 /wP;wB1 bA1;bA2 wP\;wL wB1\;bA2 -bL;wA2 -wB1;bG1 \bL;wP bP\;bB1 bL-;"
    r"wA2 bB1/;wP bL\;wA1 \bG1;bB2 bP\;wQ bB1\;bA2 wQ-;wS1 /bB2;bG2 bM\;wG1 wB2\;bA3 /bG1;"
    r"wL -wS2;bG2 wP\;wA1 bA2/;bG3 bM\;bG2 bA3\;bG3 wP\;wG1 /bA3;bP bM\;wG2 wB2\;bL wA2\;"
    r"bB1 bG1\;bA3 wQ\;wQ /wA2;bA2 -wA2;wA2 bA3\;bG1 \bL"
)
LOST_LINE = ("wQ /bL", "bM bA2\\", "wM wG1\\")


def compared(moves: str, line: str, short: int = 0, long: int = 0) -> ComparedPosition:
    return ComparedPosition(
        "game", "Base+MLP", moves.split(";"), "", 0, short, long, [], line.split(";") if line else []
    )


@pytest.mark.parametrize(("kind", "moves", "line", "is_over"), KIND_CASES, ids=[case[0] for case in KIND_CASES])
def test_each_kind_is_seen(kind: str, moves: str, line: str, is_over: bool) -> None:
    position = compared(moves, line, 50 if is_over else -50)
    assert classify(position) - {"few cells", "race", "threats"} == {kind}


def test_kinds_are_those_of_the_side_that_the_short_search_underrated() -> None:
    """White's pin of the ant is the victim's defence if black hoped for too little, else the attacker's pin."""
    _, moves, line, _ = next(case for case in KIND_CASES if case[0] == "pinning defence")
    assert classify(compared(moves, line, -50)) == {"pinning defence"}
    assert classify(compared(moves, line, 50)) == {"tile pinned"}


def test_tiles_that_fill_the_last_cell_are_those_that_end_the_game() -> None:
    position = compared(LOST_GAME, ";".join(LOST_LINE), 263, 4 - WIN)
    assert classify(position) == {"few cells", "race", "threats", "moved beside queen", "last cell 3", "last cell 4"}


def test_groups_follow_proof_and_error() -> None:
    """A proven result that the short search expected is no error; an unproven error is none of a threat's."""
    scores = {"proven": (200, 6 - WIN), "other errors": (100, 0), "small": (10, 0), "": (-900, 6 - WIN)}
    positions = {name: compared("wS1", "", short, long) for name, (short, long) in scores.items()}
    groups = group_positions(list(positions.values()))
    assert groups == {name: [positions[name]] for name in ("proven", "other errors", "small")}


def test_table_has_the_share_of_each_group() -> None:
    _, moves, line, _ = next(case for case in KIND_CASES if case[0] == "queen covered")
    covered, other = compared(moves, line, -90, 90), compared(moves, "", -90, 90)
    table = format_table([covered, other, other, other, compared(moves, line)])
    assert "| in the line of the long search | proven: 0 | other errors: 4 | small: 1 |" in table
    assert "| the attacker climbs on the victim's queen | 0% | 25% | 100% |" in table


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of a match with a game that `pentad` loses as white, a win, a draw as black, and a loss on time."""
    games = [
        ("pentad", "win by rule", "other"),
        ("pentad", "win by rule", "pentad"),
        ("other", "draw by rule", ""),
        ("pentad", "time loss", "other"),
    ]
    moves = [*LOST_GAME.split(";"), *LOST_LINE, "bA3 bA1\\"]
    events: list[dict[str, object]] = [{"event": "run", "variant": "Base+MLP"}, {"event": "start"}]
    for number, (first, ending, winner) in enumerate(games, 1):
        played = {"opening": moves[:54], "moves": [{"move": move} for move in moves[54:61]]}
        events.append({"event": "end", "number": number, "first": first, "ending": ending, "winner": winner, **played})
    folder = tmp_path / "first"
    folder.mkdir()
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    return folder


def test_only_games_lost_or_drawn_by_the_rules_are_taken(run: Path) -> None:
    games = list(lost_games_of_run(run, "pentad"))
    assert [(game.name, game.loser) for game in games] == [("first 1", 0), ("first 3", 1)]
    assert games[0].moves == [*LOST_GAME.split(";"), LOST_LINE[0]]
    HivePosition.from_game(";".join(("Base+MLP", "", "", *games[0].moves)))


@pytest.mark.parametrize(("resigning", "losers"), [("P0", [0]), ("P1", []), ("", [0])])
def test_files_count_if_a_program_did_not_win(tmp_path: Path, resigning: str, losers: list[int]) -> None:
    text = boardspace_sgf("hive-plm", *OPENING_EVENTS, *([f"{resigning} Resign"] if resigning else []))
    file = tmp_path / "game.sgf"
    file.write_text(text.replace("someone", "WeakBot"), encoding="utf-8")
    assert [game.loser for game in lost_games_of_file(file)] == losers
    file.write_text(text, encoding="utf-8")  # two people
    assert list(lost_games_of_file(file)) == []


def test_positions_of_the_loser_are_searched_once(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second command adds nothing; the last position is the lost one, whose loss only the long search proves."""
    out = tmp_path / "errors.jsonl"
    arguments = [str(run), "--out", str(out), "--nodes", "100", "--factor", "200"]
    main(arguments)
    first = capsys.readouterr()
    positions = read_positions(out)
    assert "2 games, 7 positions" in first.err
    assert "| proven: " in first.out
    plies = [(position.game, len(position.moves)) for position in positions]
    assert plies == [*(("first 1", ply) for ply in (54, 56, 58, 60)), *(("first 3", ply) for ply in (55, 57, 59))]
    last = positions[3]
    assert (last.moves, last.played) == (LOST_GAME.split(";"), LOST_LINE[0])
    assert (last.short > 100, last.long) == (True, 4 - WIN)
    monkeypatch.setattr(HiveEngine, "choose", None)  # a search would fail
    main(arguments)
    assert read_positions(out) == positions
    assert capsys.readouterr().out == first.out
