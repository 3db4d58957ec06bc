"""Properties that the arena, the protocols and the searches require of every game's rules, checked in random games.

A new game is tested as soon as it is in the registry. The class of its state needs an entry in IGNORED_FIELDS of
tests/bots/snapshots.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from arena.log.events import MoveEntry
from arena.referee.game import GameSettings, outcome_by_rule, play_game
from arena.referee.participant import Participant
from arena.results.game_records import FORMATS
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.web.play.game_text import read_game, write_game, write_position
from bots.registry import GAMES
from core.play.board_player import BoardPlayerBase
from core.play.game import FIRST, SECOND, Game, Outcome, Position
from core.play.options import OptionSet
from core.play.player import Decision, IllegalMove, Limits, ProgressCallback, Setup, ignore_progress
from tests.arena.web.runs import make_game, make_header
from tests.bots.snapshots import find_changes, snapshot_position

EXTRA_SETUPS = {  # besides each variant on the default board; games on small boards reach their end
    "gomoku": [
        *(Setup(7, 7, variant) for variant in ("freestyle", "standard", "renju", "caro", "caro-overline", "rule-5")),
        *(Setup(8, 6, "rule-12"), Setup(6, 9, "rule-13"), Setup(22, 5, "renju")),
    ],
    "hex": [Setup(1, 1, "standard"), Setup(5, 2, "standard"), Setup(5, 5, "swap"), Setup(19, 19, "standard")],
    "pentago": [Setup(6, 6, "pentago", "2w3/3b2/1w4/6/6/6 b"), Setup(6, 6, "pentago", "wbwbwb/bwbwbw/6/6/wbwbwb/6 w")],
    "kolibrat": [Setup(variant="5x6-6-4", position="5/5/5/5/5/1r3 b 0 3 6 4"), Setup(variant="2x9-4-2")],
}
CASES = [
    (game, setup)
    for game in GAMES.values()
    for setup in [
        *(replace(game.default_setup, variant=name) for name in game.variants),
        *EXTRA_SETUPS.get(game.name, ()),
    ]
]
GAMES_PER_SETUP = 3
MAX_PLIES = 60  # per game
SAMPLED_PLY_COUNT = 4  # plies per game that are checked more closely, besides the first and the last
MAX_TRIED_MOVES = 30  # legal moves per ply that are tried in search of one that ends the game


def case_id(value: object) -> str:
    """Return the test id of a parameter."""
    if isinstance(value, Game):
        return value.name
    assert isinstance(value, Setup)
    return "-".join(filter(None, (f"{value.width}x{value.height}", value.variant, value.position[:6].strip())))


every_case = pytest.mark.parametrize(("game", "setup"), CASES, ids=case_id)


@cache
def _cached_position(game: str, variant: str, _instance: int) -> Any:
    # Slow, because it fills pattern tables.
    return GAMES[game].new_position(replace(GAMES[game].default_setup, variant=variant))


def reused_position(game: Game, setup: Setup, instance: int = 0) -> Any:
    """Return the start position in a reused object; positions in use at the same time need different `instance`s."""
    position = _cached_position(game.name, setup.variant, instance)
    position.restart(setup)
    return position


def with_reused_positions(game: Game, instance: int) -> Game:
    """Return the game with a `new_position` that reuses positions, for code that makes positions itself."""
    return replace(game, new_position=lambda setup: reused_position(game, setup, instance))


@cache
def random_games(name: str, setup: Setup) -> list[tuple[str, ...]]:
    """Return random games. In all but the first one, a move that ends the game is played if one is found."""
    lines = []
    for seed in range(GAMES_PER_SETUP):
        position, rng = reused_position(GAMES[name], setup), random.Random(seed)
        while position.outcome() is None and len(position.moves) < MAX_PLIES:
            moves = position.legal_moves()
            tried = rng.sample(moves, min(MAX_TRIED_MOVES, len(moves))) if seed else []
            position.play(rng.choice([move for move in tried if ends_game(position, move)] or moves))
        lines.append(tuple(position.moves))
    return lines


def ends_game(position: Position, move: str) -> bool:
    position.play(move)
    ended = position.outcome() is not None
    position.undo()
    return ended


def replay(game: Game, setup: Setup, line: Sequence[str], instance: int = 0) -> Position:
    """Return the position after a line of moves."""
    position: Position = reused_position(game, setup, instance)
    for move in line:
        position.play(move)
    return position


def sample_plies(line: Sequence[str], seed: int) -> list[int]:
    """Return some plies of a game in random order, including its start and its end."""
    rng = random.Random(seed)
    plies = {0, len(line), *rng.sample(range(len(line) + 1), min(SAMPLED_PLY_COUNT, len(line) + 1))}
    return rng.sample(sorted(plies), len(plies))


def query_position(position: Position, seed: int) -> None:
    """Call everything that must leave a position unchanged: lists, counts, moves with undo, refused moves."""
    moves, rng = position.legal_moves(), random.Random(seed)
    assert position.perft(1) == len(moves)
    if len(moves) < 30:  # so that it takes little time
        position.perft(2)
    for move in rng.sample(moves, min(4, len(moves))):
        position.play(move)
        position.outcome()
        position.undo()
    for nonsense in ("", "zz99", *([] if moves else position.moves[-1:])):
        with pytest.raises(IllegalMove):
            position.play(nonsense)
    position.board()


@every_case
def test_undo_restores_every_compared_field(game: Game, setup: Setup) -> None:
    """Undo, and queries of a position, leave each field as it was, except those that snapshots.py leaves out."""
    for seed, line in enumerate(random_games(game.name, setup)):
        position, snapshots = reused_position(game, setup), []
        plies = sample_plies(line, seed)
        for ply in range(len(line) + 1):
            snapshots.append(snapshot_position(position))
            if ply in plies:
                query_position(position, seed)
                assert not find_changes(snapshots[-1], snapshot_position(position)), line[:ply]
            if ply < len(line):
                position.play(line[ply])
        for ply in reversed(range(len(line))):
            position.undo()
            assert not find_changes(snapshots[ply], snapshot_position(position)), line[: ply + 1]
        with pytest.raises(IllegalMove, match="no move to take back"):
            position.undo()


@every_case
def test_a_position_does_not_depend_on_how_it_was_reached(game: Game, setup: Setup) -> None:
    """Moves with undo in between lead to the same position as playing the line directly."""
    for seed, line in enumerate(random_games(game.name, setup)):
        position = reused_position(game, setup)
        for ply in sample_plies(line, seed):
            while len(position.moves) > ply:
                position.undo()
            for move in line[len(position.moves) : ply]:
                position.play(move)
            query_position(position, seed)
            direct = replay(game, setup, line[:ply], 1)
            assert position.legal_moves() == direct.legal_moves()
            assert not find_changes(snapshot_position(direct), snapshot_position(position)), line[:ply]
            assert (position.board(), position.outcome()) == (direct.board(), direct.outcome())


@pytest.mark.parametrize("game", GAMES.values(), ids=case_id)
def test_restart_leaves_nothing_of_the_previous_game(game: Game) -> None:
    """Pattern tables, tiles in hand or keys of another setup would disturb the next game."""
    setups = [setup for other, setup in CASES if other is game][::-2]
    position: Any = game.new_position(setups[-1])
    for setup in setups:
        position.restart(setup)
        assert not find_changes(snapshot_position(game.new_position(setup)), snapshot_position(position))
        for move in random_games(game.name, setup)[-1]:
            position.play(move)


@every_case
def test_texts_of_legal_moves_are_unique_and_playable(game: Game, setup: Setup) -> None:
    """A move is recorded under the same text as it is listed."""
    for seed, line in enumerate(random_games(game.name, setup)):
        for ply in sample_plies(line, seed):
            position = replay(game, setup, line[:ply])
            legal = position.legal_moves()
            assert len(set(legal)) == len(legal)
            for text in legal:
                position.play(text)
                assert position.moves == [*line[:ply], text]
                position.undo()


@every_case
def test_games_and_positions_are_written_and_read_back(game: Game, setup: Setup) -> None:
    """The text of a game contains its setup. A position read from text does not offer the swap.

    The comment in the text contains characters and words that could confuse the parser.
    """
    reusing_game = with_reused_positions(game, 1)
    for seed, line in enumerate(random_games(game.name, setup)):
        for ply in sample_plies(line, seed):
            position = replay(game, setup, line[:ply])
            text = write_game(game, position, "you against <b>: # hex")
            reread = read_game(reusing_game, text, game.default_setup)
            assert not find_changes(snapshot_position(position), snapshot_position(reread))
            assert write_game(game, reread, "you against <b>: # hex") == text
            if line[:ply] or game.protocol != "gomocup":  # Gomocup has no text for an empty position
                reread = read_game(reusing_game, write_position(game, position), setup)
                # GTP games write a position without its moves.
                assert reread.moves == (position.moves if game.protocol != "gtp" else [])
                assert observe(reread) == observe(position)


def observe(position: Position) -> tuple[object, ...]:
    """Return board, side to move, outcome and legal moves (without the swap) of a position."""
    moves = set(position.legal_moves()) - {"swap-pieces"}
    return position.board(), position.to_move, position.outcome(), moves


@every_case
def test_game_records_of_a_run_are_read_back(game: Game, setup: Setup) -> None:
    """Test all formats except Gomoku's SGF, which cannot be read back; Gomoku's games are read from PSQ."""
    setup, reusing_game = replace(setup, position=""), with_reused_positions(game, 1)
    header = make_header("AB", game=game.name, width=setup.width, height=setup.height, variant=setup.variant)
    for line in random_games(game.name, setup):
        entries = tuple(
            MoveEntry(move, time_ms=10, score=5, depth=3, nodes=100, pv=("a1",), messages=("MESSAGE # hex: x",))
            for move in line
        )
        played = make_game(1, "A", "B", opening=(), moves=entries)
        for record_format in set(game.records) - ({"sgf"} if game.protocol == "gomocup" else set()):
            reread, position = (
                read_game(reusing_game, FORMATS[record_format].format(header, played), setup),
                replay(game, setup, line),
            )
            assert (reread.moves, observe(reread)) == (position.moves, observe(position)), record_format


class ScriptedPlayer(BoardPlayerBase[Any]):
    """A player that plays the moves of a given line."""

    def __init__(self, position: Any, line: Sequence[str]) -> None:
        super().__init__(OptionSet(()), position)
        self.line = line

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        return Decision(self.line[len(self.position.moves)])


def find_first_end(game: Game, position: Position, line: Sequence[str]) -> tuple[int, Outcome | None]:
    """Return the number of plies after which a match game ends, and its outcome.

    In a match, the third occurrence of a position also ends games of Hive, although its rules do not say so.
    """
    for ply, move in enumerate(line):
        if end := outcome_by_rule(game, position):
            return ply, end
        position.play(move)
    return len(line), outcome_by_rule(game, position)


@every_case
def test_position_move_list_perft_and_referee_agree_on_the_end(game: Game, setup: Setup) -> None:
    for line in random_games(game.name, setup):
        position = reused_position(game, setup)
        for move in line:
            assert position.outcome() is None
            assert position.legal_moves()
            position.play(move)
        outcome = position.outcome()
        assert (outcome is None) == bool(position.legal_moves()) == (position.perft(1) > 0)
        plies, end = find_first_end(game, reused_position(game, setup, 1), line)
        assert outcome in (None, end)
        first, second = (partial(ScriptedPlayer, reused_position(game, setup, instance), line) for instance in (0, 2))
        settings = GameSettings(with_reused_positions(game, 1), setup, TimeControl(move_ms=60_000), max_plies=len(line))
        played = play_game(settings, (Participant("first", first), Participant("second", second)))
        assert played is not None
        ending = Ending.MOVE_CAP if end is None else Ending.DRAW if end.winner is None else Ending.WIN
        assert (played.verdict.ending, played.verdict.winner) == (ending, end.winner if end else None)
        assert tuple(entry.move for entry in played.moves) == line[:plies]


@pytest.mark.parametrize("game", GAMES.values(), ids=case_id)
def test_random_games_are_won_by_either_side(game: Game) -> None:
    """If random games had no wins, the test above would not compare any."""
    setups = [setup for other, setup in CASES if other is game]
    outcomes = [replay(game, setup, line).outcome() for setup in setups for line in random_games(game.name, setup)]
    assert {end.winner for end in outcomes if end} >= {FIRST, SECOND}
