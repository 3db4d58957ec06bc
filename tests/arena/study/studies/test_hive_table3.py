"""The report of the study of table 3 of the Hive thesis.

Engines are named after algorithm and search depth, such as `minimax 2`. Moves are in UHP notation, such as `bG1 wG1-`.
"""

from __future__ import annotations

import random
from dataclasses import replace

from msgspec import structs

from arena.study.studies.hive_table3 import TILE_COUNT, analyse, plan
from arena.study.study import StudyData, StudySettings
from bots.hive.position import HivePosition
from core.play.player import Setup
from tests.arena.study.fake_games import FakeGame, make_run


def test_only_moves_searched_to_full_depth_count() -> None:
    """A forced move is not searched, and the search ends early when it finds a win."""
    settings = StudySettings()
    whole_games, deep_moves = plan(settings)
    # move, milliseconds, nodes
    moves = [("wG1", 200, 3000), ("bG1 wG1-", 0, None), ("wA1 -wG1", 400, 4000), ("bA1 bG1-", 0, None)]
    game = FakeGame("minimax 2", "alphabeta 2", 1, moves)
    run = make_run(whole_games, [game])
    depths = zip(run.games[0].moves, (2, None, 1, None), strict=True)
    entries = tuple(structs.replace(entry, depth=depth) for entry, depth in depths)
    run = replace(run, games=(structs.replace(run.games[0], moves=entries),))
    study_data = StudyData(settings, {whole_games.name: run, deep_moves.name: make_run(deep_moves, [])})
    rows = {row[0]: row[1:] for row in analyse(study_data).tables[0].rows}
    # moves, our seconds, the thesis' seconds, our nodes, the thesis' nodes
    assert rows["minimax 2"] == (1, "0.2 to 0.2", "0 to 1", "3,000 to 3,000", "2,000 to 4,000")
    assert rows["alphabeta 2"] == (0, "", "0 to 1", "", "200 to 600")
    assert rows["minimax 4"][4] == "1,300,000 to 5,400,000"


def test_branching_is_counted_by_turn_and_with_all_tiles_placed() -> None:
    """Compare with a count made while playing a random game; a turn is two plies."""
    position, rng = HivePosition(Setup(variant="Base")), random.Random(5)
    counts: list[int] = []
    with_all_tiles: list[int] = []
    while not position.outcome() and len(with_all_tiles) < 3:
        legal_moves = position.legal_moves()
        counts.append(len(legal_moves))
        # the first word of a move is the tile
        if len({move.split()[0] for move in position.moves} - {"pass"}) == TILE_COUNT:
            with_all_tiles.append(len(legal_moves))
        # play placements first, so that all tiles are placed soon
        placements = [
            move for move in legal_moves if move.split()[0] not in {played.split()[0] for played in position.moves}
        ]
        position.play(rng.choice(placements or legal_moves))
    assert len(with_all_tiles) == 3
    settings = StudySettings()
    whole_games, deep_moves = plan(settings)
    run = make_run(whole_games, [FakeGame("minimax 2", "minimax 3", 0.5, [(move, 1, 1) for move in position.moves])])
    report = analyse(StudyData(settings, {whole_games.name: run, deep_moves.name: make_run(deep_moves, [])}))
    rows = report.tables[1].rows
    assert rows[0][:3] == ("1 to 5", 10, sum(counts[:10]) / 10)
    assert rows[-1][:3] == ("all tiles placed", 3, sum(with_all_tiles) / 3)
    assert report.charts[1].curves[0].ys[0] == sum(counts[:2]) / 2
    assert report.remarks[0].endswith(f"placed: {sum(with_all_tiles) / 3:.1f}.")
