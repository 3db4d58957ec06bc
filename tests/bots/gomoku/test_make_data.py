"""Recording games to learn from."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.rules import MAX_NOTES
from bots.gomoku.notation import format_variant, parse_move
from bots.gomoku.openings import SPREAD
from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import find_reply
from bots.gomoku.training.game_record import SHARE_ONE, GameRecord, Label, decode
from bots.gomoku.training.make_data import (
    BEST_MOVES,
    KINDS,
    Recorder,
    RecordingSettings,
    draw_opening,
    record,
    setup_of,
)
from bots.gomoku.training.samples import padded
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.blocks import open_blocks

SETTINGS = RecordingSettings(seed=5, least_nodes=100, most_nodes=400, strays=6, stray_nodes=60)
GAMES = 14  # of every kind


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of a few quick games, recorded without a break."""
    folder = tmp_path_factory.mktemp("games")
    record(folder, SETTINGS, GAMES)
    return folder


@pytest.fixture(scope="module")
def games(folder: Path) -> list[GameRecord]:
    """The games of that folder."""
    return read_games(folder)


def read_games(folder: Path) -> list[GameRecord]:
    """All games of a folder in the order of its files."""
    files = map(open_blocks, sorted(folder.iterdir()))
    return [decode(file.view(number)) for file in files for number in range(1, len(file.spans))]


def contents(folder: Path) -> dict[str, bytes]:
    """Files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def begin_only(games: int) -> Callable[[], bool]:
    """A clock that is over once so many games may have begun."""
    asked = [0]

    def is_over() -> bool:
        asked[0] += 1
        return asked[0] > 2 * games  # asked before each game and after

    return is_over


def test_a_recording_that_was_broken_off_goes_on_with_the_same_games(folder: Path, tmp_path: Path) -> None:
    """Else a network could be trained on half a game or on one twice, and no data could be made again."""
    assert record(tmp_path, SETTINGS, is_over=begin_only(3))[0] == 3
    file = tmp_path / "5-0000.games"
    file.write_bytes(file.read_bytes()[:-40])
    assert record(tmp_path, SETTINGS, 5)[0] == 3
    with open(file, "ab") as out:
        out.write(b"\x50\0\0")
    assert record(tmp_path, SETTINGS, GAMES, processes=2)[0] == GAMES - 5
    assert record(tmp_path, SETTINGS, GAMES) == (0, 0)
    assert contents(tmp_path) == contents(folder)


def test_files_stay_below_their_limit(games: list[GameRecord], tmp_path: Path) -> None:
    added, positions = record(tmp_path, SETTINGS, 6, max_bytes=9_000)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) > 1
    assert max(sizes) <= 9_000
    assert read_games(tmp_path) == games[:6]
    assert (added, positions) == (6, sum(game.positions for game in games[:6]))


def test_a_game_depends_on_seed_and_index_alone(games: list[GameRecord]) -> None:
    """A player that has played other games before, and the index before the seed."""
    recorder = Recorder(SETTINGS)
    assert [recorder.play_game(index) for index in (7, 3)] == [games[7], games[3]]
    assert Recorder(RecordingSettings(6, 100, 400, 6, 60)).play_game(3) != games[3]


def test_rules_share_the_games() -> None:
    """Freestyle 15x15 and 20x20, standard, renju, caro in the ratio 5:2:2:2:3, in every stretch of some games."""
    assert Counter(map(setup_of, range(280))) == {setup: 10 * games for setup, games in KINDS}
    wanted = {"freestyle 15": 5, "freestyle 20": 2, "standard 15": 2, "renju 15": 2, "caro 15": 3}
    assert Counter(_kind(setup_of(index)) for index in range(14, 28)) == wanted
    assert {GomokuPosition(setup).state.rule for setup, _ in KINDS} == {0, 1, 4, 8, 9}


def _kind(setup: Setup) -> str:
    return f"{setup.variant.removesuffix('-overline')} {setup.width}"


def test_a_recorded_game_is_legal_and_its_scores_are_of_its_positions(games: list[GameRecord]) -> None:
    assert [game.index for game in games] == list(range(GAMES))
    for game in games:
        setup = Setup(game.size, game.size, format_variant(game.rule))
        assert setup == setup_of(game.index)
        position = GomokuPosition(setup)
        for move in game.moves:
            position.play(position.format(padded(move, game.size)))
        assert len(game.plies) - (len(game.moves) - game.opening) in (0, 1)
        last = game.plies[-1].label.score * (1 - 2 * ((game.opening + len(game.plies) - 1) % 2))
        assert game.result == np.sign(last) or position.outcome() is not None or abs(last) < MAX_EVALUATION
        for number, ply in enumerate(game.plies[: len(game.moves) - game.opening]):
            assert ply.label.best[0][0] == game.moves[game.opening + number]


def labels_of(game: GameRecord) -> list[tuple[tuple[int, ...], Label]]:
    """Moves up to each position, and its label."""
    found = []
    for number, ply in enumerate(game.plies):
        before = game.moves[: game.opening + number]
        found.append((before, ply.label))
        found += [((*before, *stray.moves), stray.label) for stray in ply.strays]
    return found


def test_the_best_moves_are_legal_and_their_shares_are_parts_of_all_nodes(games: list[GameRecord]) -> None:
    """A policy learnt from shares that sum to more than all, or of a move twice, would be of no position."""
    labels = [(game, *found) for game in games for found in labels_of(game)]
    for game, moves, label in labels:
        best = [move for move, _ in label.best]
        assert 1 <= len(set(best)) == len(best) <= BEST_MOVES
        assert not {*best} & {*moves}
        assert max(best) < game.size**2
        shares = [share for _, share in label.best]
        assert 0 < sum(shares) <= SHARE_ONE
        assert shares[1:] == sorted(shares[1:], reverse=True)
    assert np.mean([sum(share for _, share in label.best) for *_, label in labels]) > 0.3 * SHARE_ONE


def test_a_label_is_that_of_the_same_search_anew() -> None:
    """Best move first, then by nodes, each with its own ones."""
    recorder = Recorder(SETTINGS)
    engine = recorder._engine
    engine.new_game(Setup(20, 20, "standard"))
    for square in ("k10", "l11", "j11", "l9"):
        engine.position.play(square)
    decision = engine.choose(Limits(nodes=3_000))
    label, state = recorder._label(decision), engine.position.state
    assert label.score == decision.progress.score
    spent = {move: state.root_nodes[number] for number, move in enumerate(state.root_moves[: state.root_move_count])}
    assert sum(spent.values()) == decision.progress.nodes
    best = padded(label.best[0][0], 20)
    assert engine.position.format(best) == decision.move
    others = sorted((nodes for move, nodes in spent.items() if move != best), reverse=True)
    for move, share in label.best:
        assert share == SHARE_ONE * spent[padded(move, 20)] // decision.progress.nodes
    assert [spent[padded(move, 20)] for move, _ in label.best[1:]] == others[: BEST_MOVES - 1]


def test_openings_are_random_stones_or_begin_as_the_book() -> None:
    """Random stones keep near the centre, so without the book no game would show an answer to a stone at the edge."""
    chance = random.Random(1)
    for setup, _ in KINDS:
        drawn = [draw_opening(setup, chance) for _ in range(200)]
        assert len({tuple(moves) for moves in drawn}) > 150
        assert {len(moves) for moves in drawn} >= set(range(1, 8))
        away = [moves for moves in drawn if max(map(partial(_from_centre, setup), moves)) > SPREAD]
        assert 0.05 < len(away) / len(drawn) < 0.35
        variant = "freestyle" if "caro" in setup.variant else setup.variant
        assert all(_has_book_line(moves, Setup(setup.width, setup.height, variant)) for moves in away)


def _from_centre(setup: Setup, move: str) -> int:
    return max(abs(coordinate - setup.width // 2) for coordinate in parse_move(move, setup))


def _has_book_line(moves: list[str], setup: Setup) -> bool:
    return any(find_reply(setup, moves[:stones]) == moves[stones] for stones in range(min(len(moves), 3)))


def test_strays_are_quiet_positions_away_from_the_game(games: list[GameRecord]) -> None:
    """What a search judges is hardly ever played. Strays that it never asks for would teach what it does not need."""
    boards = {setup: GomokuPosition(setup) for setup, _ in KINDS}
    away: list[int] = []
    forced = 0  # a leaf may be, where answers are followed no further
    for game in games:
        position = boards[setup_of(game.index)]
        for number, ply in enumerate(game.plies):
            before = game.opening + number
            for stray in ply.strays:
                for move in (*game.moves[:before], *stray.moves):
                    position.play(position.format(padded(move, game.size)))
                assert position.library.terminal_score(position.state, 0) == NO_SCORE
                forced += position.library.must_answer_threat(position.state)
                away.append(sum(a != b for a, b in zip(game.moves[before:], stray.moves, strict=False)))
                position.restart(position.setup)
    assert len(away) > 200
    assert forced < 0.05 * len(away)
    assert np.mean([number > 0 for number in away]) > 0.7


def judged_in_a_search(wanted: int) -> tuple[int, list[tuple[int, ...]]]:
    """How many positions a small search judges, and its notes of so many."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("evaluation", "counts")
    engine.new_game(Setup(15, 15, "freestyle"))
    for move in ("h8", "i9", "g9", "k7"):
        engine.position.play(move)
    state = engine.position.state
    state.notes_wanted, state.notes_seen, state.notes_from = wanted, 0, state.stones
    engine.choose(Limits(nodes=300))
    seen = int(state.notes_seen)
    return seen, [tuple(takewhile(bool, state.notes[index])) for index in range(min(seen, wanted))]


def test_each_position_that_is_judged_may_be_noted() -> None:
    """Were the first ones noted alone, or the last, all would be near the first moves that a search tries."""
    seen, every = judged_in_a_search(MAX_NOTES)
    assert 24 < seen == len(every) <= MAX_NOTES
    assert {len(moves) for moves in every} >= {1, 2}
    for wanted in (4, 8, 12):
        again, some = judged_in_a_search(wanted)
        assert (again, len(some)) == (seen, wanted)
        assert set(some) <= set(every)
        places = sorted(every.index(moves) for moves in some)
        assert places[0] < seen // 2 < places[-1]
    assert judged_in_a_search(0) == (0, [])
