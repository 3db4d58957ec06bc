"""Tests of the referee: endings, clocks, faults, messages, interruption, seeds."""

from __future__ import annotations

import errno
import math
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import structs

from arena.log.events import MoveEntry
from arena.referee.game import GameSettings, play_game
from arena.referee.participant import Participant
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.terms.engine_limits import EngineLimits
from bots.hive.board_player import BoardPlayer
from bots.registry import GAMES
from core.play.options import Option, OptionSet
from core.play.player import (
    BadSetup,
    Decision,
    Limits,
    Player,
    Progress,
    ProgressCallback,
    Setup,
    build_player,
    ignore_progress,
)
from protocols.driving.deadlines import Deadlines
from protocols.driving.process import EngineMisbehaved, EngineTerminated, EngineTimeout
from tests.arena.fakes import MAX_PLIES, PILE_GAME, PILE_SIZE, Answer, Taker, take_after, take_one
from tests.arena.referee.games import LOOSE_CONTROL, make_participants, play
from tests.manual_clock import ManualClock
from tests.waiting import PATIENCE_S


def make_raising_player(error: Exception) -> Taker:
    """Return a player that raises at its second move."""

    def answer(taker: Taker, limits: Limits) -> str:
        if len(taker.pile.moves) >= 2:
            raise error
        return take_one(taker, limits)

    return Taker(answer)


def test_win_by_rule() -> None:
    played = play(Taker(), Taker(take_one))
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (Ending.WIN, 0, None)
    assert played.verdict.detail == "last stone"
    assert sum(int(entry.move) for entry in played.moves) == PILE_SIZE
    assert (played.moves[0].score, played.moves[0].depth, played.moves[0].nodes) == (7, 3, PILE_SIZE)


def test_draw_by_rule() -> None:
    played = play(Taker(), Taker(), setup=Setup(4, 1, "tie"))
    assert (played.verdict.ending, played.verdict.winner) == (Ending.DRAW, None)


def test_game_at_its_maximum_length_is_drawn() -> None:
    played = play(Taker(take_one), Taker(take_one))
    assert (played.verdict.ending, played.verdict.winner) == (Ending.MOVE_CAP, None)
    assert len(played.moves) == MAX_PLIES


def test_third_occurrence_is_a_draw_if_the_game_counts_repetitions() -> None:
    # As if each position had occurred as many times as moves were played
    game = replace(PILE_GAME, repetitions=lambda pile: len(pile.moves))
    played = play(Taker(take_one), Taker(take_one), game=game)
    assert (played.verdict.ending, played.verdict.winner, played.verdict.detail) == (Ending.DRAW, None, "repetition")
    assert len(played.moves) == 3


def test_hive_is_drawn_by_repetition() -> None:
    """The queens step back and forth until the third occurrence. The referee ends the game; a UHP engine need not."""
    cycle = ("wQ /wS1", "bQ bS1\\", "wQ -wS1", "bQ bS1-")

    class Walker(BoardPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
            return Decision(cycle[len(self.position.moves) % 4])

    opening = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
    played = play(Walker(OptionSet(())), Walker(OptionSet(())), game=GAMES["hive"], opening=opening)
    assert (played.verdict.ending, played.verdict.detail) == (Ending.DRAW, "repetition")
    assert [entry.move for entry in played.moves] == list(cycle * 2)


def test_kolibrat_is_drawn_after_500_plies() -> None:
    """Random players do not reach 50 points; the two plies of the opening count towards the 500."""
    kolibrat = GAMES["kolibrat"]
    first, second = (build_player(kolibrat.players(), name) for name in ("random:1", "random:2"))
    played = play(first, second, game=kolibrat, setup=Setup(variant="5x6-6-50"), opening=("b1", "a6"))
    assert (played.verdict.ending, played.verdict.winner, played.verdict.detail) == (Ending.DRAW, None, "plies")
    assert len(played.moves) == 498


def test_resignation() -> None:
    played = play(Taker(lambda *_: "resign"), Taker())
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (Ending.RESIGNED, 1, None)


class MisreturningPlayer(Taker):
    """A player that returns `returned` instead of a valid decision, and whose `close` fails."""

    def __init__(self, returned: Any) -> None:
        super().__init__()
        self.returned = returned

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        return self.returned  # type: ignore[no-any-return]

    def close(self) -> None:
        super().close()
        raise OSError("nothing to close")


FAULTY_PLAYERS: list[tuple[Ending, Callable[[], Taker]]] = [
    (Ending.DISCONNECT, lambda: MisreturningPlayer("1")),
    (Ending.DISCONNECT, lambda: MisreturningPlayer(None)),
    (Ending.DISCONNECT, lambda: MisreturningPlayer(Decision(1))),  # type: ignore[arg-type]
    (Ending.DISCONNECT, lambda: MisreturningPlayer(Decision("1", None))),  # type: ignore[arg-type]
    (Ending.DISCONNECT, lambda: MisreturningPlayer(Decision("1", Progress(depth=1, score=math.nan)))),  # type: ignore[arg-type]
    (Ending.DISCONNECT, lambda: MisreturningPlayer(Decision("1", Progress(depth=1, score=10**20)))),
    (Ending.DISCONNECT, lambda: MisreturningPlayer(Decision("1", Progress(pv=None)))),  # type: ignore[arg-type]
    (Ending.ILLEGAL, lambda: Taker(lambda *_: "4")),
    (Ending.ILLEGAL, lambda: Taker(lambda *_: "")),
    (Ending.STALL, lambda: make_raising_player(EngineTimeout("no answer"))),
    (Ending.DISCONNECT, lambda: make_raising_player(EngineTerminated("exit code 3"))),
    (Ending.DISCONNECT, lambda: make_raising_player(ZeroDivisionError("division by zero"))),
    (Ending.ILLEGAL, lambda: make_raising_player(EngineMisbehaved("illegal", "move '99,1' is outside the board"))),
    (Ending.REFUSED, lambda: make_raising_player(EngineMisbehaved("refused", "ERROR I will not"))),
]


@pytest.mark.parametrize(("ending", "make"), FAULTY_PLAYERS)
@pytest.mark.parametrize("side", [0, 1])
def test_engine_at_fault_loses_and_only_it_is_killed(ending: Ending, make: Callable[[], Taker], side: int) -> None:
    faulty, good = make(), Taker(take_one)
    players = (faulty, good) if side == 0 else (good, faulty)
    played = play(*players)
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (ending, 1 - side, side)
    assert played.verdict.detail
    assert (faulty.closed, good.closed) == (True, False)


@pytest.mark.parametrize("side", [0, 1])
def test_late_answer_loses(side: int, clock: ManualClock) -> None:
    late, good = Taker(take_after(clock, 201)), Taker(take_after(clock, 200))
    played = play(*((late, good) if side == 0 else (good, late)), control=TimeControl(move_ms=150, margin_ms=50))
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (Ending.TIME, 1 - side, side)
    assert "201" in played.verdict.detail
    assert (late.closed, good.closed) == (True, False)


def test_numbers_and_texts_of_an_in_process_player_are_normalized() -> None:
    """Numbers become int and texts str, because the log could not be read otherwise."""
    progress: Any = Progress(depth=np.int64(4), score=0.53, win_in=np.float32(6.8), nodes=2**53, time_ms=True, pv=[1])  # type: ignore[arg-type]
    played = play(MisreturningPlayer(Decision(np.str_("1"), progress, None)), Taker())  # type: ignore[arg-type]
    entry = MoveEntry("1", played.moves[0].time_ms, score=1, win_in=7, depth=4, nodes=2**53, pv=("1",), reported_ms=1)
    logged = structs.replace(played.moves[0], overhead_us=0, over_ms=None)
    assert msgspec.json.decode(msgspec.json.encode(logged), type=MoveEntry) == entry


def test_failing_close_is_kept_with_the_crash() -> None:
    assert "nothing to close" in play(MisreturningPlayer(None), Taker()).stderr[0]


def test_margin_is_tolerated_but_not_offered_to_the_engine(clock: ManualClock) -> None:
    seen_limits: list[Limits] = []

    def answer(taker: Taker, limits: Limits) -> str:
        seen_limits.append(limits)
        return take_after(clock, 60)(taker, limits)

    played = play(Taker(answer), Taker(), TimeControl(move_ms=40, game_ms=70, margin_ms=400))
    assert played.verdict.ending is Ending.WIN
    assert [limits.move_time_ms for limits in seen_limits] == [40] * len(seen_limits)
    assert [limits.time_left_ms for limits in seen_limits] == [70, 10, *[0] * (len(seen_limits) - 2)]
    assert len(seen_limits) > 2


def test_game_clock_runs_out(clock: ManualClock) -> None:
    played = play(Taker(take_after(clock, 60)), Taker(take_one), TimeControl(game_ms=100, margin_ms=0))
    assert (played.verdict.ending, played.verdict.blamed) == (Ending.TIME, 0)
    assert "game clock" in played.verdict.detail


class Talker(Taker):
    """A player that acts as a protocol client: it prints a line at the start, two per move, and an error at its end."""

    last_elapsed_ms = 1.0

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__(answer)
        self.messages: list[str] = []
        self.stderr = ""

    def new_game(self, setup: Setup) -> None:
        super().new_game(setup)
        self.messages = ["hello"]

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self.messages = [f"move {len(self.pile.moves)}", "thinking"]
        return super().choose(limits, report)

    def take_stderr(self) -> str:
        text, self.stderr = self.stderr, ""
        return text

    def close(self) -> None:
        super().close()
        self.stderr = "bye\n"

    def interrupt(self) -> None:
        """There is no program to end."""


def test_messages_are_logged_with_their_moves() -> None:
    played = play(Talker(), Taker(take_one))
    assert [entry.messages for entry in played.moves[:3]] == [
        ("hello", "move 0", "thinking"),
        (),
        ("move 2", "thinking"),
    ]
    assert (played.messages, played.stderr) == ((), ())


@pytest.mark.parametrize(
    "answer",
    [lambda *_: "4", lambda *_: "resign", lambda *_: 1 // 0],
    ids=["illegal", "resigned", "crash"],
)
def test_messages_are_kept_if_no_move_follows(answer: Answer) -> None:
    """The last messages and the standard error may explain an illegal move or a crash."""
    played = play(Taker(take_one), Talker(answer))
    assert played.messages == ("hello", "move 1", "thinking")
    assert played.stderr == (() if played.verdict.ending is Ending.RESIGNED else ("", "bye\n"))


class BoardRefuser(Taker):
    """A player that refuses every board size."""

    def new_game(self, setup: Setup) -> None:
        raise BadSetup(f"no board of {setup.width}")


def test_engine_that_refuses_the_board_loses() -> None:
    played = play(Taker(), BoardRefuser())
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (Ending.REFUSED, 0, 1)
    assert "no board of 9" in played.verdict.detail


@pytest.mark.parametrize(
    ("error", "ending", "winner"),
    [
        (EngineTimeout("no answer"), Ending.STALL, 1),
        (EngineTerminated("exited with status 1"), Ending.DISCONNECT, 1),
        (EngineMisbehaved("refused", "ERROR no license"), Ending.REFUSED, 1),
        (FileNotFoundError(errno.ENOENT, "no such file"), Ending.DISCONNECT, 1),
        (ValueError("bug of a player"), Ending.DISCONNECT, 1),
        (OSError(errno.EAGAIN, "too many processes"), Ending.VOID, None),
    ],
)
def test_engine_that_no_longer_starts_loses_unless_the_machine_is_the_reason(
    error: Exception, ending: Ending, winner: int | None
) -> None:
    """A lost game is the engine's fault; a machine without room for a process must not cost it a point."""

    def fail() -> Player:
        if isinstance(error, OSError):
            raise EngineTerminated(f"cannot start x: {error}") from error
        raise error

    participants = (Participant("broken", fail), Participant("other", Taker))
    played = play_game(GameSettings(PILE_GAME, PILE_GAME.default_setup, LOOSE_CONTROL), participants)
    assert played is not None
    assert (played.verdict.ending, played.verdict.winner, played.verdict.blamed) == (ending, winner, 0)
    assert played.verdict.detail.startswith("could not start: ")


def test_engine_that_died_between_games_is_started_again() -> None:
    class Mortal(Taker):
        games = 0

        def new_game(self, setup: Setup) -> None:
            self.games += 1
            if self.games == 2:
                raise EngineTerminated("gone since the last game")
            super().new_game(setup)

    started: list[Player] = []

    def start() -> Player:
        started.append(Mortal())
        return started[-1]

    participants = (Participant("mortal", start), Participant("other", Taker))
    for _ in range(2):
        played = play_game(GameSettings(PILE_GAME, PILE_GAME.default_setup, LOOSE_CONTROL), participants)
        assert played is not None
        assert played.verdict.ending is Ending.WIN
    assert len(started) == 2


def test_engine_that_refuses_the_played_move_loses() -> None:
    class Refusing(Taker):
        def set_position(self, moves: Sequence[str]) -> None:
            if len(moves) == 3:
                raise EngineMisbehaved("refused", "ERROR what is that")
            super().set_position(moves)

    played = play(Taker(take_one), Refusing(take_one))
    assert (played.verdict.ending, played.verdict.blamed) == (Ending.REFUSED, 1)


def test_both_engines_get_the_opening_and_the_side_to_move_begins() -> None:
    first, second = Taker(take_one), Taker()
    played = play(first, second, opening=("3",), seed=5)
    moves = ["3", *(entry.move for entry in played.moves)]
    assert (first.pile.moves, second.pile.moves) == (moves[:-2], moves[:-1])  # as sent to each of them last
    assert (played.verdict.ending, played.verdict.winner) == (Ending.WIN, 1)


def interrupt_after_a_move(first: Player, control: TimeControl) -> bool:
    """Interrupt a game at its first report of a position and assert that it has no result.

    Return whether a position was reported before the game ended.
    """
    positions: list[object] = []
    settings = GameSettings(PILE_GAME, PILE_GAME.default_setup, control)
    played = play_game(
        settings,
        make_participants(first, Taker()),
        is_interrupted=lambda: bool(positions),
        on_move=lambda position, _: positions.append(position),
    )
    assert played is None
    return bool(positions)


def test_interrupted_game_has_no_result() -> None:
    assert interrupt_after_a_move(make_raising_player(EngineTerminated("killed")), LOOSE_CONTROL)


@pytest.mark.parametrize("obeys_stop", [True, False])
def test_in_process_player_that_hangs_loses_and_is_replaced(obeys_stop: bool) -> None:
    """A thread cannot be killed. One that ignores the stop token is abandoned, and a new player is started."""
    released, answers = threading.Event(), list[bool]()

    class HangingOnce(Taker):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
            with limits.stop.calling(released.set) if obeys_stop else nullcontext():
                answers.append(released.wait(PATIENCE_S))
            return super().choose(limits, report)

    started: list[HangingOnce] = []

    def start() -> Player:
        started.append(HangingOnce())
        return started[-1]

    participants = (Participant("hanging", start), Participant("other", Taker))
    played = play_game(
        GameSettings(PILE_GAME, PILE_GAME.default_setup, TimeControl(move_ms=50, margin_ms=50)), participants
    )
    assert answers == [True] * obeys_stop
    released.set()
    assert played is not None
    assert (played.verdict.ending, played.verdict.blamed) == (Ending.TIME if obeys_stop else Ending.STALL, 0)
    assert started[0].closed == obeys_stop
    participants[0].prepare(PILE_GAME.default_setup, (), 0)
    assert len(started) == 2


class Hanging(Taker):
    """A player that answers no request for a move before `released` is set."""

    def __init__(self) -> None:
        super().__init__(self.wait)
        self.released, self.has_answered = threading.Event(), False

    def wait(self, *_: object) -> str:
        self.released.wait(PATIENCE_S)
        self.has_answered = True
        return "1"


def test_player_that_hangs_at_fixed_nodes_does_not_hold_the_run() -> None:
    """With fixed nodes no clock runs, so only the deadline for a move ends the game."""
    hanging, limits = Hanging(), EngineLimits(Deadlines(move_s=0.05))
    settings = GameSettings(PILE_GAME, PILE_GAME.default_setup, TimeControl(nodes=100), limits)
    played = play_game(settings, make_participants(hanging, Taker()))
    assert not hanging.has_answered
    hanging.released.set()
    assert played is not None
    assert (played.verdict.ending, played.verdict.blamed) == (Ending.STALL, 0)


def test_interruption_does_not_wait_for_a_player_that_hangs() -> None:
    hanging = Hanging()
    assert interrupt_after_a_move(hanging, TimeControl())
    assert not hanging.has_answered
    hanging.released.set()


def test_no_move_is_requested_after_an_interruption_between_games() -> None:
    """An interrupt may kill an idle engine. It is then restarted for its next game, but must not think."""
    participants = (
        Participant("first", lambda: make_raising_player(AssertionError("asked"))),
        Participant("second", Taker),
    )
    settings = GameSettings(PILE_GAME, PILE_GAME.default_setup, LOOSE_CONTROL)
    seen_positions: list[object] = []
    played = play_game(
        settings, participants, is_interrupted=lambda: True, on_move=lambda position, _: seen_positions.append(position)
    )
    assert played is None
    assert not seen_positions


def test_seed_is_set_only_with_reseed() -> None:
    seeded, plain = Taker(), Taker()
    participants = (Participant("seeded", lambda: seeded, reseed=True), Participant("plain", lambda: plain))
    play_game(GameSettings(PILE_GAME, PILE_GAME.default_setup, LOOSE_CONTROL), participants, seed=77)
    assert (seeded.options["seed"], plain.options["seed"]) == (77, 0)


def test_seed_that_a_user_gave_is_kept_in_every_game() -> None:
    """`player=random:7` sets the seed inside the player, so that only a changed option shows that it was given."""
    seeded_player = Taker(options=OptionSet((Option("seed", 0, "random stream"),), {"seed": 7}))
    unseeded_player = Taker()
    participants = (
        Participant("given", lambda: seeded_player, reseed=True),
        Participant("drawn", lambda: unseeded_player, reseed=True),
    )
    for seed in (77, 78):
        play_game(GameSettings(PILE_GAME, PILE_GAME.default_setup, LOOSE_CONTROL), participants, seed=seed)
        assert (seeded_player.options["seed"], unseeded_player.options["seed"]) == (7, seed)
