"""What the arena, the protocols and the searches take for granted of the rules of every game, in random games.

A sixth game is tried as soon as it has its row in the registry and, for the fields that its kernels leave behind, one
in `tests/bots/snapshots.py`.
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

OTHER_SETUPS = {  # than each variant on the usual board: small ones are played to their end, where rows cross
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
        *OTHER_SETUPS.get(game.name, ()),
    ]
]
LINES = 3  # of random games in each setup
MOST_PLIES = 60
LOOKS = 4  # plies of a game that are looked at more closely
TRIED = 30  # moves of which one might end the game


def name_case(value: object) -> str:
    """Of a test."""
    if isinstance(value, Game):
        return value.name
    assert isinstance(value, Setup)
    return "-".join(filter(None, (f"{value.width}x{value.height}", value.variant, value.position[:6].strip())))


every_case = pytest.mark.parametrize(("game", "setup"), CASES, ids=name_case)


@cache
def _board(game: str, variant: str, _number: int) -> Any:
    return GAMES[game].new_position(replace(GAMES[game].default_setup, variant=variant))  # fills tables of patterns


def start(game: Game, setup: Setup, number: int = 0) -> Any:
    """The start, in a record used before; boards that a test needs beside each other have different numbers."""
    position = _board(game.name, setup.variant, number)
    position.restart(setup)
    return position


def on_used_boards(game: Game, number: int) -> Game:
    """The game for what makes a board of its own."""
    return replace(game, new_position=lambda setup: start(game, setup, number))


@cache
def random_lines(name: str, setup: Setup) -> list[tuple[str, ...]]:
    """Games by chance, all but the first of players who mostly end the game where they can."""
    lines = []
    for number in range(LINES):
        position, chance = start(GAMES[name], setup), random.Random(number)
        while position.outcome() is None and len(position.moves) < MOST_PLIES:
            moves = position.legal_moves()
            tried = chance.sample(moves, min(TRIED, len(moves))) if number else []
            position.play(chance.choice([move for move in tried if ends_game(position, move)] or moves))
        lines.append(tuple(position.moves))
    return lines


def ends_game(position: Position, move: str) -> bool:
    position.play(move)
    ended = position.outcome() is not None
    position.undo()
    return ended


def replay(game: Game, setup: Setup, line: Sequence[str], number: int = 0) -> Position:
    """The position after a line that was played straight on."""
    position: Position = start(game, setup, number)
    for move in line:
        position.play(move)
    return position


def choose_plies(line: Sequence[str], seed: int) -> list[int]:
    """Some plies of a game in any order, its start and its end among them."""
    chance = random.Random(seed)
    plies = {0, len(line), *chance.sample(range(len(line) + 1), min(LOOKS, len(line) + 1))}
    return chance.sample(sorted(plies), len(plies))


def look_around(position: Position, seed: int) -> None:
    """All that is asked of a position without changing it."""
    moves, chance = position.legal_moves(), random.Random(seed)
    assert position.perft(1) == len(moves)
    if len(moves) < TRIED:
        position.perft(2)
    for move in chance.sample(moves, min(4, len(moves))):
        position.play(move)
        position.outcome()
        position.undo()
    for nonsense in ("", "zz99", *([] if moves else position.moves[-1:])):
        with pytest.raises(IllegalMove):
            position.play(nonsense)
    position.board()


@every_case
def test_undo_restores_every_field(game: Game, setup: Setup) -> None:
    for seed, line in enumerate(random_lines(game.name, setup)):
        position, before = start(game, setup), []
        plies = choose_plies(line, seed)
        for ply in range(len(line) + 1):
            before.append(snapshot_position(position))
            if ply in plies:
                look_around(position, seed)
                assert not find_changes(before[-1], snapshot_position(position)), line[:ply]
            if ply < len(line):
                position.play(line[ply])
        for ply in reversed(range(len(line))):
            position.undo()
            assert not find_changes(before[ply], snapshot_position(position)), line[: ply + 1]
        with pytest.raises(IllegalMove, match="no move to take back"):
            position.undo()


@every_case
def test_position_is_that_of_a_replay(game: Game, setup: Setup) -> None:
    """However it was come by: with moves looked at, taken back and made again."""
    for seed, line in enumerate(random_lines(game.name, setup)):
        position = start(game, setup)
        for ply in choose_plies(line, seed):
            while len(position.moves) > ply:
                position.undo()
            for move in line[len(position.moves) : ply]:
                position.play(move)
            look_around(position, seed)
            fresh = replay(game, setup, line[:ply], 1)
            assert position.legal_moves() == fresh.legal_moves()
            assert not find_changes(snapshot_position(fresh), snapshot_position(position)), line[:ply]
            assert (position.board(), position.outcome()) == (fresh.board(), fresh.outcome())


@pytest.mark.parametrize("game", GAMES.values(), ids=name_case)
def test_restart_leaves_nothing_of_the_game_before(game: Game) -> None:
    """A table of patterns, a tile in hand or a key of another setup would come to light in the next game."""
    setups = [setup for other, setup in CASES if other is game][::-2]
    position: Any = game.new_position(setups[-1])
    for setup in setups:
        position.restart(setup)
        assert not find_changes(snapshot_position(game.new_position(setup)), snapshot_position(position))
        for move in random_lines(game.name, setup)[-1]:
            position.play(move)


@every_case
def test_move_texts_go_there_and_back(game: Game, setup: Setup) -> None:
    """What is offered can be played, is remembered by the same name, and no two moves share one."""
    for seed, line in enumerate(random_lines(game.name, setup)):
        for ply in choose_plies(line, seed):
            position = replay(game, setup, line[:ply])
            offered = position.legal_moves()
            assert len(set(offered)) == len(offered)
            for text in offered:
                position.play(text)
                assert position.moves == [*line[:ply], text]
                position.undo()


@every_case
def test_games_and_positions_go_to_text_and_back(game: Game, setup: Setup) -> None:
    """Board, rule and start stand in the text of a game, whatever is played now; a position has no swap to come."""
    other = on_used_boards(game, 1)
    for seed, line in enumerate(random_lines(game.name, setup)):
        for ply in choose_plies(line, seed):
            position = replay(game, setup, line[:ply])
            text = write_game(game, position, "you against <b>: # hex")
            found = read_game(other, text, game.default_setup)
            assert not find_changes(snapshot_position(position), snapshot_position(found))
            assert write_game(game, found, "you against <b>: # hex") == text
            if line[:ply] or game.protocol != "gomocup":  # to brains a position is its moves
                found = read_game(other, write_position(game, position), setup)
                assert found.moves == (position.moves if game.protocol != "gtp" else [])
                assert describe(found) == describe(position)


def describe(position: Position) -> tuple[object, ...]:
    """All that a position without its moves tells."""
    moves = set(position.legal_moves()) - {"swap-pieces"}
    return position.board(), position.to_move, position.outcome(), moves


@every_case
def test_records_of_a_run_are_read_again(game: Game, setup: Setup) -> None:
    """All but Gomoku's SGF, beside which there is its PSQ."""
    setup, other = replace(setup, position=""), on_used_boards(game, 1)
    header = make_header("AB", game=game.name, width=setup.width, height=setup.height, variant=setup.variant)
    for line in random_lines(game.name, setup):
        entries = tuple(MoveEntry(move, 10, 5, None, 3, 100, 0, ("a1",), ("MESSAGE # hex: x",)) for move in line)
        played = make_game(1, "A", "B", opening=(), moves=entries)
        for name in set(game.records) - ({"sgf"} if game.protocol == "gomocup" else set()):
            found, position = read_game(other, FORMATS[name].format(header, played), setup), replay(game, setup, line)
            assert (found.moves, describe(found)) == (position.moves, describe(position)), name


class Reciter(BoardPlayerBase[Any]):
    """Plays the moves of a line, on a board of its own."""

    def __init__(self, position: Any, line: Sequence[str]) -> None:
        super().__init__(OptionSet(()), position)
        self.line = line

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        return Decision(self.line[len(self.position.moves)])


def find_first_end(game: Game, position: Position, line: Sequence[str]) -> tuple[int, Outcome | None]:
    """After how many plies a match game ends, and how: in Hive a third occurrence does that, too."""
    for ply, move in enumerate(line):
        if end := outcome_by_rule(game, position):
            return ply, end
        position.play(move)
    return len(line), outcome_by_rule(game, position)


@every_case
def test_all_agree_when_and_how_a_game_ends(game: Game, setup: Setup) -> None:
    """The position on its way and one that is played anew, lists and counts of moves, and the referee."""
    for line in random_lines(game.name, setup):
        position = start(game, setup)
        for move in line:
            assert position.outcome() is None
            assert position.legal_moves()
            position.play(move)
        outcome = position.outcome()
        assert (outcome is None) == bool(position.legal_moves()) == (position.perft(1) > 0)
        plies, end = find_first_end(game, start(game, setup, 1), line)
        assert outcome in (None, end)
        first, second = (partial(Reciter, start(game, setup, number), line) for number in (0, 2))
        terms = GameSettings(on_used_boards(game, 1), setup, TimeControl(move_ms=60_000), max_plies=len(line))
        played = play_game(terms, (Participant("first", first), Participant("second", second)))
        assert played is not None
        ending = Ending.MOVE_CAP if end is None else Ending.DRAW if end.winner is None else Ending.WIN
        assert (played.verdict.ending, played.verdict.winner) == (ending, end.winner if end else None)
        assert tuple(entry.move for entry in played.moves) == line[:plies]


@pytest.mark.parametrize("game", GAMES.values(), ids=name_case)
def test_random_games_are_won_by_either_side(game: Game) -> None:
    """Else the ends above would agree about nothing."""
    setups = [setup for other, setup in CASES if other is game]
    ends = [replay(game, setup, line).outcome() for setup in setups for line in random_lines(game.name, setup)]
    assert {end.winner for end in ends if end} >= {FIRST, SECOND}
