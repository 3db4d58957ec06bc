"""Recording of training games: reproducible, legal, and labelled with the results of the searches.

An opening is followed by searched positions. Each has a label and strays, that is, positions that its search evaluated.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.kernels.position_record import MAX_SAMPLES
from bots.gomoku.notation import format_variant, parse_move
from bots.gomoku.openings import MAX_CENTRE_DISTANCE
from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import find_reply
from bots.gomoku.training.game_record import SHARE_SCALE, GameRecord, Label, decode
from bots.gomoku.training.make_data import (
    GAMES_PER_CYCLE,
    MAX_BEST_MOVES,
    Recorder,
    RecordingSettings,
    draw_opening,
    record,
    setup_of,
)
from bots.gomoku.training.samples import padded_cell
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from core.training.blocks import open_blocks

SETTINGS = RecordingSettings(seed=5, least_nodes=100, most_nodes=400, strays=6, stray_nodes=60)
GAME_COUNT = 14  # half a cycle: the boards and rules in the ratio 5:2:2:2:3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a few quick games, recorded without interruption."""
    folder = tmp_path_factory.mktemp("games")
    record(folder, SETTINGS, GAME_COUNT)
    return folder


@pytest.fixture(scope="module")
def games(folder: Path) -> list[GameRecord]:
    """The games of that folder."""
    return read_games(folder)


def read_games(folder: Path) -> list[GameRecord]:
    """Return all games of a folder, in the order of its files."""
    files = map(open_blocks, sorted(folder.iterdir()))
    return [decode(file.view(number)) for file in files for number in range(1, len(file.spans))]


def file_contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def stop_after(games: int) -> Callable[[], bool]:
    """Return a stop condition that becomes true after `games` games."""
    call_count = 0

    def is_over() -> bool:
        nonlocal call_count
        call_count += 1
        return call_count > 2 * games  # it is called before and after each game

    return is_over


def test_interrupted_recording_continues_with_the_same_games(folder: Path, tmp_path: Path) -> None:
    """The recording is interrupted after 3 games, by the loss of the last bytes, and by garbage at the end."""
    assert record(tmp_path, SETTINGS, is_over=stop_after(3))[0] == 3
    file = tmp_path / "5-0000.games"
    file.write_bytes(file.read_bytes()[:-40])
    assert record(tmp_path, SETTINGS, 5)[0] == 3
    with open(file, "ab") as out:
        out.write(b"\x50\0\0")
    assert record(tmp_path, SETTINGS, GAME_COUNT, processes=2)[0] == GAME_COUNT - 5
    assert record(tmp_path, SETTINGS, GAME_COUNT) == (0, 0)
    assert file_contents(tmp_path) == file_contents(folder)


def test_files_stay_below_their_limit(games: list[GameRecord], tmp_path: Path) -> None:
    # The longest of these games has 17,238 bytes.
    added, positions = record(tmp_path, SETTINGS, 6, max_bytes=19_000)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) > 1
    assert max(sizes) <= 19_000
    assert read_games(tmp_path) == games[:6]
    assert (added, positions) == (6, sum(game.positions for game in games[:6]))


def test_a_game_depends_on_seed_and_index_alone(games: list[GameRecord]) -> None:
    """Games played before by the same recorder have no influence."""
    recorder = Recorder(SETTINGS)
    assert [recorder.play_game(index) for index in (7, 3)] == [games[7], games[3]]
    assert Recorder(replace(SETTINGS, seed=6)).play_game(3) != games[3]


def test_games_are_divided_among_rules() -> None:
    """Freestyle 15x15 and 20x20, standard, renju, caro in the ratio 5:2:2:2:3, also within short stretches."""
    assert Counter(map(setup_of, range(280))) == {setup: 10 * games for setup, games in GAMES_PER_CYCLE}
    expected = {"freestyle 15": 5, "freestyle 20": 2, "standard 15": 2, "renju 15": 2, "caro 15": 3}
    assert Counter(_kind(setup_of(index)) for index in range(14, 28)) == expected
    assert {GomokuPosition(setup).state.rule for setup, _ in GAMES_PER_CYCLE} == {0, 1, 4, 8, 9}
    assert [setup_of(index, ("renju", "caro")).variant for index in range(7)].count("caro") == 3


def _kind(setup: Setup) -> str:
    return f"{setup.variant.removesuffix('-overline')} {setup.width}"


def test_a_recorded_game_is_legal_and_its_labels_match_its_moves_and_result(games: list[GameRecord]) -> None:
    assert [game.index for game in games] == list(range(GAME_COUNT))
    for game in games:
        check_moves_and_result(game)


def check_moves_and_result(game: GameRecord) -> None:
    """Check that a game is legal, and that its labels match its moves and its result."""
    setup = Setup(game.size, game.size, format_variant(game.rule))
    assert setup == setup_of(game.index)
    position = GomokuPosition(setup)
    for move in game.moves:
        position.play(position.format(padded_cell(move, game.size)))
    assert len(game.plies) - (len(game.moves) - game.opening_length) in (0, 1)
    last_score = game.plies[-1].label.score * (1 - 2 * ((game.opening_length + len(game.plies) - 1) % 2))
    assert game.result == np.sign(last_score) or position.outcome() is not None or abs(last_score) < MAX_EVALUATION
    for number, ply in enumerate(game.plies[: len(game.moves) - game.opening_length]):
        assert ply.label.best[0][0] == game.moves[game.opening_length + number]


def test_games_from_strays(games: list[GameRecord], monkeypatch: pytest.MonkeyPatch) -> None:
    """They begin with the openings of other games, and go from there to a stray; some have many stones."""
    found: list[tuple[int, list[int]]] = []  # number of stones and moves to the sample, of each search

    def moves_to_sample(recorder: Recorder, sample_index: int) -> list[int]:
        moves = original(recorder, sample_index)
        found.append((recorder._engine.position.state.stones, moves))
        return moves

    original = Recorder._moves_to_sample
    monkeypatch.setattr(Recorder, "_moves_to_sample", moves_to_sample)
    recorder = Recorder(replace(SETTINGS, strays=0, from_strays=True))
    lengths, same_openings = [], 0
    for game in games:
        found.clear()
        from_stray = recorder.play_game(game.index)
        check_moves_and_result(from_stray)
        assert all(not ply.strays for ply in from_stray.plies)
        length = from_stray.opening_length
        opening = [padded_cell(move, game.size) for move in from_stray.moves[:length]]
        assert any(length == stones + len(moves) and opening[stones:] == moves for stones, moves in found)
        lengths.append(length)
        same_openings += from_stray.moves[: game.opening_length] == game.moves[: game.opening_length]
    assert recorder.play_game(GAME_COUNT - 1) == from_stray
    assert same_openings > GAME_COUNT // 2  # a drawn opening is left if no stray of its game is usable
    assert max(lengths) > 40
    assert np.mean(lengths) > 2 * np.mean([game.opening_length for game in games])


def labels_of(game: GameRecord) -> list[tuple[tuple[int, ...], Label]]:
    """Return the moves up to each labelled position, with its label."""
    labels = []
    for number, ply in enumerate(game.plies):
        moves_before = game.moves[: game.opening_length + number]
        labels.append((moves_before, ply.label))
        labels += [((*moves_before, *stray.moves), stray.label) for stray in ply.strays]
    return labels


def test_the_best_moves_are_legal_and_their_shares_are_parts_of_all_nodes(games: list[GameRecord]) -> None:
    """Best moves are distinct and free squares. Shares sum to at most 1; after the first they are sorted."""
    labels = [(game, *found) for game in games for found in labels_of(game)]
    for game, moves, label in labels:
        best = [move for move, _ in label.best]
        assert 1 <= len(set(best)) == len(best) <= MAX_BEST_MOVES
        assert not {*best} & {*moves}
        assert max(best) < game.size**2
        shares = [share for _, share in label.best]
        assert 0 < sum(shares) <= SHARE_SCALE
        assert shares[1:] == sorted(shares[1:], reverse=True)
    assert np.mean([sum(share for _, share in label.best) for *_, label in labels]) > 0.3 * SHARE_SCALE


def test_label_matches_the_search() -> None:
    """Best move first, then by nodes, each with its own share."""
    recorder = Recorder(SETTINGS)
    engine = recorder._engine
    engine.new_game(Setup(20, 20, "standard"))
    for square in ("k10", "l11", "j11", "l9"):
        engine.position.play(square)
    decision = engine.choose(Limits(nodes=3_000))
    label, state = recorder._label(decision), engine.position.state
    assert label.score == decision.progress.score
    nodes_by_move = {move: state.root_nodes[i] for i, move in enumerate(state.root_moves[: state.root_move_count])}
    assert sum(nodes_by_move.values()) == decision.progress.nodes
    best = padded_cell(label.best[0][0], 20)
    assert engine.position.format(best) == decision.move
    others = sorted((nodes for move, nodes in nodes_by_move.items() if move != best), reverse=True)
    for move, share in label.best:
        assert share == SHARE_SCALE * nodes_by_move[padded_cell(move, 20)] // decision.progress.nodes
    assert [nodes_by_move[padded_cell(move, 20)] for move, _ in label.best[1:]] == others[: MAX_BEST_MOVES - 1]


def test_openings_are_random_stones_or_begin_as_the_book() -> None:
    """Random stones are near the centre; only book lines start farther away."""
    rng = random.Random(1)
    for setup, _ in GAMES_PER_CYCLE:
        drawn = [draw_opening(setup, rng) for _ in range(200)]
        assert len({tuple(moves) for moves in drawn}) > 150
        assert {len(moves) for moves in drawn} >= set(range(1, 8))
        away = [moves for moves in drawn if max(map(partial(_from_centre, setup), moves)) > MAX_CENTRE_DISTANCE]
        assert 0.05 < len(away) / len(drawn) < 0.35
        variant = "freestyle" if "caro" in setup.variant else setup.variant
        assert all(_has_book_line(moves, Setup(setup.width, setup.height, variant)) for moves in away)


def _from_centre(setup: Setup, move: str) -> int:
    return max(abs(coordinate - setup.width // 2) for coordinate in parse_move(move, setup))


def _has_book_line(moves: list[str], setup: Setup) -> bool:
    return any(find_reply(setup, moves[:stones]) == moves[stones] for stones in range(min(len(moves), 3)))


def test_strays_are_quiet_off_game_positions(games: list[GameRecord]) -> None:
    """Strays are positions that the search evaluates: undecided, mostly off the game, and hardly ever under threat."""
    boards = {setup: GomokuPosition(setup) for setup, _ in GAMES_PER_CYCLE}
    differing_plies: list[int] = []  # of each stray from the game
    threatened_count = 0  # at the horizon, where answers to threats are not extended any more
    for game in games:
        position = boards[setup_of(game.index)]
        for number, ply in enumerate(game.plies):
            plies_before = game.opening_length + number
            for stray in ply.strays:
                for move in (*game.moves[:plies_before], *stray.moves):
                    position.play(position.format(padded_cell(move, game.size)))
                assert position.library.terminal_score(position.state, 0) == NO_SCORE
                threatened_count += position.library.must_answer_threat(position.state)
                differing_plies.append(
                    sum(a != b for a, b in zip(game.moves[plies_before:], stray.moves, strict=False))
                )
                position.restart(position.setup)
    assert len(differing_plies) > 200
    assert threatened_count < 0.08 * len(differing_plies)
    assert np.mean([count > 0 for count in differing_plies]) > 0.7


def sample_a_search(sample_count: int) -> tuple[int, list[tuple[int, ...]]]:
    """Return how many positions a small search evaluates, and at most `sample_count` of them as moves from the root."""
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("evaluation", "counts")
    engine.set_option("lazy_margin_above", 30)  # so that few positions are sampled
    engine.new_game(Setup(15, 15, "freestyle"))
    for move in ("h8", "i9", "g9", "k7"):
        engine.position.play(move)
    state = engine.position.state
    state.samples_wanted, state.samples_seen, state.samples_root = sample_count, 0, state.stones
    engine.choose(Limits(nodes=300))
    evaluated = int(state.samples_seen)
    return evaluated, [
        tuple(takewhile(bool, state.sampled_moves[index])) for index in range(min(evaluated, sample_count))
    ]


def test_samples_come_from_the_whole_search() -> None:
    """Samples of only the first or last positions would all be near the first moves searched."""
    evaluated, all_lines = sample_a_search(MAX_SAMPLES)
    assert 24 < evaluated == len(all_lines) <= MAX_SAMPLES
    assert {len(moves) for moves in all_lines} >= {1, 2}
    for sample_count in (4, 8, 12):
        evaluated_again, lines = sample_a_search(sample_count)
        assert (evaluated_again, len(lines)) == (evaluated, sample_count)
        assert set(lines) <= set(all_lines)
        indices = sorted(all_lines.index(moves) for moves in lines)
        assert indices[0] < evaluated // 2 < indices[-1]
    assert sample_a_search(0) == (0, [])
