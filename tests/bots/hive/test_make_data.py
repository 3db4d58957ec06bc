"""Recording of training games: reproducible, legal, of all game types, with results for the right side."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bots.hive.notation import VARIANTS, format_variant, parse_game, parse_variant
from bots.hive.position import HivePosition
from bots.hive.tiles import PASS
from bots.hive.training import make_data
from bots.hive.training.game_record import BY_RULES, PLY_LIMIT, PROVEN, REPETITION, GameRecord
from bots.hive.training.make_data import (
    GAMES_PER_CYCLE,
    OPENING_PLIES,
    VARIED_PLIES,
    Recorder,
    RecordingSettings,
    record,
    variant_of,
)
from bots.hive.training.samples import GameReplayer, is_validation, recorded_games
from core.play.player import Decision, Setup
from core.search.scores import MAX_EVALUATION, NO_SCORE
from tests.bots.hive.real_games import WON_GAMES

SETTINGS = RecordingSettings(seed=5, nodes=100)
GAME_COUNT = 28  # two cycles of game types


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a few quick games, recorded without interruption."""
    folder = tmp_path_factory.mktemp("games")
    while record(folder, SETTINGS, positions_in(folder) + 1) and len(read_games(folder)) < GAME_COUNT:
        pass
    return folder


@pytest.fixture(scope="module")
def games(folder: Path) -> list[GameRecord]:
    """The games of that folder."""
    return read_games(folder)


def read_games(folder: Path) -> list[GameRecord]:
    """Return all games of a folder, in the order of its files."""
    return list(recorded_games(sorted(folder.iterdir())))


def positions_in(folder: Path) -> int:
    """Return the number of searched positions in a folder."""
    return sum(game.positions for game in read_games(folder))


def replay(game: GameRecord) -> HivePosition:
    """Play a game by the rules for text, which check each move; return its last position."""
    position = HivePosition(Setup(variant=format_variant(game.expansions)))
    for ply, move in enumerate(game.moves):
        assert position.outcome() is None
        assert position.repetitions() < 3
        if ply >= game.opening_length:
            is_forced = len(position.legal_numbers()) == 1
            assert is_forced == (game.scores[ply - game.opening_length] == NO_SCORE)
        position.play(position.format(move))
    return position


def test_interrupted_recording_continues_with_the_same_games(
    folder: Path, games: list[GameRecord], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recording is interrupted between games and within the last one, and continued by two processes."""
    goal = sum(game.positions for game in games[:3])
    assert record(tmp_path, SETTINGS, goal) == (3, goal)
    file = tmp_path / "5-0000.games"
    file.write_bytes(file.read_bytes()[:-40])
    assert record(tmp_path, SETTINGS, goal) == (1, games[2].positions)
    assert "the block at byte" in capsys.readouterr().err
    with file.open("ab") as out:
        out.write(b"\x50\0\0")
    total = sum(game.positions for game in games)
    assert record(tmp_path, SETTINGS, total, processes=2) == (len(games) - 3, total - goal)
    assert record(tmp_path, SETTINGS, total) == (0, 0)
    assert file.read_bytes() == (folder / file.name).read_bytes()


def test_files_stay_below_their_limit(games: list[GameRecord], tmp_path: Path) -> None:
    goal = sum(game.positions for game in games[:6])
    assert record(tmp_path, SETTINGS, goal, max_bytes=900) == (6, goal)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) > 1
    assert max(sizes) <= 900
    assert read_games(tmp_path) == games[:6]


def test_a_game_depends_on_seed_and_index_alone(games: list[GameRecord]) -> None:
    """Games played before by the same recorder, even the same game, have no influence."""
    recorder = Recorder(SETTINGS)
    assert [recorder.play_game(index) for index in (7, 7, 3)] == [games[7], games[7], games[3]]
    assert Recorder(replace(SETTINGS, seed=6)).play_game(3) != games[3]


def test_games_are_divided_among_all_types(games: list[GameRecord]) -> None:
    expected = dict(GAMES_PER_CYCLE)
    assert set(expected) == set(VARIANTS)
    assert Counter(map(variant_of, range(70))) == {variant: 5 * count for variant, count in expected.items()}
    assert [game.expansions for game in games] == [parse_variant(variant_of(game.index)) for game in games]
    assert [game.index for game in games] == list(range(GAME_COUNT))


def test_games_are_legal_and_end_as_they_say(games: list[GameRecord]) -> None:
    """Every searched move has a score; a proof adds that of the last position, which the winner's side agrees with."""
    for game in games:
        position = replay(game)
        assert OPENING_PLIES[0] <= game.opening_length <= OPENING_PLIES[1]
        assert len(game.scores) == len(game.moves) - game.opening_length + (game.ending == PROVEN)
        outcome, side_sign = position.outcome(), 1 - 2 * position.to_move
        if game.ending == PROVEN:
            assert outcome is None
            assert abs(game.scores[-1]) > MAX_EVALUATION
            assert game.result == side_sign * np.sign(game.scores[-1])
        elif game.ending == BY_RULES:
            assert outcome is not None
            assert game.result == (0 if outcome.winner is None else 1 - 2 * outcome.winner)
        else:
            assert game.result == 0
            assert (position.repetitions() == 3) == (game.ending == REPETITION)
        scores = np.array(game.scores)
        assert (np.abs(scores[scores != NO_SCORE][: -1 if game.ending == PROVEN else None]) <= MAX_EVALUATION).all()
    assert {game.result for game in games} >= {1, -1}
    assert PROVEN in {game.ending for game in games}


def test_a_surrounded_queen_ends_the_game() -> None:
    """The search nearly always proves such an end before it comes."""
    recorder = Recorder(SETTINGS)
    for line in WON_GAMES:
        variant, moves = parse_game(line)
        recorder._engine.new_game(Setup(variant=variant))
        recorder._engine.position.replay(moves)
        assert recorder._find_end() == (1 if "WhiteWins" in line else -1, BY_RULES)


def test_samples_have_the_result_of_the_side_to_move(games: list[GameRecord]) -> None:
    """The result belongs to the side to move, and the scores, which are for it too, agree with it near the end."""
    replayer = GameReplayer()
    agreement = []
    for game in games:
        position = HivePosition(Setup(variant=format_variant(game.expansions)))
        searched = [ply for ply, score in enumerate(game.scores, game.opening_length) if score != NO_SCORE]
        samples = list(replayer.replay(game))
        assert len(samples) == len(searched) == game.positions
        for ply, sample in zip(searched, samples, strict=True):
            assert sample.score == game.scores[ply - game.opening_length]
            assert sample.result == game.result * (-1) ** ply
        agreement += [np.sign(sample.score) * sample.result for sample in samples[-6:] if game.ending == PROVEN]
        keys = []
        for _ in replayer.replay(game):
            keys.append((int(replayer.state.ply), position.library.repetition_key(replayer.state)))
        for ply, move in enumerate([*game.moves, PASS]):
            if ply in searched:
                assert keys.pop(0) == (ply, position.library.repetition_key(position.state))
            if ply < len(game.moves):
                position.play(position.format(move))
    assert np.mean(agreement) > 0.5


def test_near_best_moves_vary_the_first_plies_only(games: list[GameRecord]) -> None:
    """Without variety, games from similar openings would repeat each other."""
    deviations = [deviation for game in games for deviation in game.deviations]
    assert len(deviations) > GAME_COUNT
    assert max(ply for ply, _ in deviations) < VARIED_PLIES
    for game in games:
        position = HivePosition(Setup(variant=format_variant(game.expansions)))
        for ply, move in enumerate(game.moves):
            best = game.best_move(ply) if ply >= game.opening_length else None
            assert best is None or best in position.legal_numbers()
            assert (best is not None and best != move) == (ply in dict(game.deviations))
            position.play(position.format(move))


def test_a_single_legal_move_has_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not searched, and a score of 0 would be taken for a balanced position."""
    recorder, calls = Recorder(SETTINGS), 0

    def choose_as_only_move(nodes: int, rng: random.Random) -> tuple[Decision, str]:
        nonlocal calls
        calls += 1
        decision, move = Recorder._choose(recorder, nodes, rng)
        return (Decision(move, note="only move"), move) if calls == 3 else (decision, move)

    monkeypatch.setattr(recorder, "_choose", choose_as_only_move)
    scores = recorder.play_game(3).scores
    assert [ply for ply, score in enumerate(scores) if score == NO_SCORE] == [2]


@pytest.mark.parametrize(("repetitions", "end"), [(2, None), (3, (0, REPETITION))])
def test_the_third_repetition_is_a_draw(repetitions: int, end: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HivePosition, "repetitions", lambda _: repetitions)
    assert Recorder(SETTINGS)._find_end() == end


def test_long_games_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_data, "MAX_GAME_PLIES", 12)
    game = Recorder(SETTINGS).play_game(0)
    assert (len(game.moves), game.result, game.ending) == (12, 0, PLY_LIMIT)


def test_every_twentieth_game_is_for_validation(games: list[GameRecord]) -> None:
    assert [game.index for game in games if is_validation(game)] == [19]
