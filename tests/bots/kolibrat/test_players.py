"""The players of Kolibrat: perfect play from solved tables, time of solving, levels, skipped sides, evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bots.kolibrat import engine as engine_module
from bots.kolibrat.engine import KolibratEngine
from bots.kolibrat.notation import board_of
from bots.kolibrat.paper.player import Minimax
from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver import perfect
from bots.kolibrat.solver.perfect import open_solved_table
from bots.kolibrat.solver.table_file import DamagedTableError, TableFile, read_solved_table
from core.play.player import Decision, Limits, Player, Setup, Solver, build_player
from core.search.scores import MAX_EVALUATION
from tests.bots.kolibrat.naive import NaiveKolibrat
from tests.bots.kolibrat.test_solver import SHIPPED_BOARDS
from tests.bots.playing import play_to_end, winner_of
from tests.lines import play_on
from tests.manual_clock import ManualClock

# Columns x rows - pieces of each side - points that win.
STANDARD = Setup(variant="3x4-4-5")


def find_winner(players: Sequence[Player], setup: Setup, limits: Limits) -> int | None:
    """Let two players play a game; return the side that wins."""
    for player in players:
        player.new_game(setup)
    return winner_of(play_to_end(players, KolibratPosition(setup), limits))


def check_value(previous: int, plies: int, value: int) -> None:
    """Check the value of a position for a perfect player whose position `plies` plies ago had the value `previous`.

    Values are plies to a win (> 0) or a loss (< 0), 0 for neither. Wins get shorter, and losses come no sooner.
    """
    if previous > 0:
        assert 0 < value <= previous - plies
    elif previous == 0:
        assert value >= 0
    else:
        assert value >= 0 or value <= previous + plies


def play_with_values(
    position: KolibratPosition, side: int, other: Player, choose_reply: Callable[[], str]
) -> list[list[int]]:
    """Play the perfect player as `side` against `choose_reply`.

    Return the value of the position and the number of plies before each move of the perfect player.

    `other`, a player that `choose_reply` may ask, follows the game.
    """
    perfect_player, values = build_player(PLAYERS, "pentad"), list[list[int]]()
    table = open_solved_table(position.board_spec, position.library, position.state)
    assert table
    for bot in (perfect_player, other):
        bot.new_game(position.setup)
    while position.outcome() is None:
        move = choose_reply() if position.to_move != side else perfect_player.choose(Limits(move_time_ms=20)).move
        if position.to_move == side:
            values.append([table.value(position.state), len(position.moves)])
        position.play(move)
        for bot in (perfect_player, other):
            play_on(bot, move)
    return values


@pytest.mark.parametrize("opponent", ["random", "minimax"])
@pytest.mark.parametrize("name", SHIPPED_BOARDS)
@pytest.mark.parametrize("game_count", [2, pytest.param(80, marks=pytest.mark.slow)])
def test_perfect_play_never_drops_a_value(name: str, opponent: str, game_count: int) -> None:
    """The perfect player plays as both sides, against random moves, and against a search after some random plies."""
    rng, other = random.Random(f"{name} {opponent}"), build_player(PLAYERS, "minimax:3")
    position = KolibratPosition(Setup(variant=f"{name}-5"))
    for game_number in range(game_count):
        random_plies = rng.randrange(10) if opponent == "minimax" else 1000

        def choose_reply(random_plies: int = random_plies) -> str:
            if len(position.moves) < random_plies:
                return rng.choice(position.legal_moves())
            return other.choose(Limits()).move

        position.restart(position.setup)
        values = play_with_values(position, game_number % 2, other, choose_reply)
        for (previous, previous_ply), (value, ply) in pairwise(values):
            check_value(previous, ply - previous_ply, value)
        outcome = position.outcome()
        assert outcome
        if values[-1][0] >= 0:
            assert outcome.winner == game_number % 2 or (values[-1][0] == 0 and outcome.winner is None)


@pytest.mark.parametrize("game_count", [1, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["minimax:depth=5", "greedy:seed=2", "random:seed=2", "pentad:level=3", "pentad"])
def test_perfect_red_wins_the_standard_game_against_each_player(name: str, game_count: int) -> None:
    players = (build_player(PLAYERS, "pentad"), build_player(PLAYERS, name))
    for _ in range(game_count):
        assert find_winner(players, STANDARD, Limits(move_time_ms=100)) == 0


@pytest.mark.parametrize("error", [DamagedTableError("it is damaged"), OSError("it is damaged"), MemoryError()])
def test_an_unreadable_table_is_skipped_with_a_warning(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: `choose` used to raise the error, so that the first legal move was played in every position."""
    opened: list[Path] = []

    def read(path: Path) -> TableFile:
        opened.append(path)
        if path.parent == tmp_path:
            raise error
        return read_solved_table(path)

    monkeypatch.setattr(perfect, "read_solved_table", read)
    player = build_player(PLAYERS, "pentad")
    player.set_option("tables", str(tmp_path))
    for name in ("3x4-4.solved", "2x6-6.solved"):
        (tmp_path / name).touch()
    decision = player.choose(Limits(move_time_ms=1000))
    assert (decision.move, decision.note) == ("b1", "solved")  # from the shipped table
    assert player.take_warnings() == [str(error) or f"no memory for {tmp_path / '3x4-4.solved'}"]
    player.new_game(Setup(variant="2x6-6-5"))  # no table is shipped for it, and it is too large to solve in a game
    for _ in range(2):
        decision = player.choose(Limits(nodes=2_000))
        assert decision.progress.depth > 1
        play_on(player, decision.move)
    assert opened == [tmp_path / "3x4-4.solved", perfect.SHIPPED_FOLDER / "3x4-4.solved", tmp_path / "2x6-6.solved"]


def test_solves_at_once_from_the_table_and_by_search_elsewhere(clock: ManualClock) -> None:
    clock.step_ms = 1
    player = build_player(PLAYERS, "pentad")
    assert isinstance(player, Solver)
    solution = player.solve(Limits(move_time_ms=1))
    assert (solution.result, solution.move, solution.distance) == ("win", "b1", 72)
    assert clock.now_ms < 20
    player.new_game(Setup(position="4/1r2/b3/4/3r r 2 2 3 3"))
    found = player.solve(Limits(move_time_ms=2000))
    assert (found.result, found.distance) == ("win", 3)


@pytest.mark.parametrize("player", ["pentad:perfect=no", "minimax:depth=8"])
@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("1r1/3/3/3 r 4 0 4 5", "b4off"),
        ("b1b/b1b/rr1/r1r r 0 0 4 5", "a2off"),  # a2b3 would block both and lose
        ("3/3/3/r1b b 0 4 4 5", "c1off"),
    ],
)
def test_finds_obvious_moves(player: str, position: str, move: str) -> None:
    bot = build_player(PLAYERS, player)
    bot.new_game(Setup(position=position))
    assert bot.choose(Limits(depth=6)).move == move


def positions_before_a_skip(count: int) -> list[tuple[str, int]]:
    """Return positions on a 3x4 board, with their values, in which a move of red makes black skip a turn.

    Their wins and losses take 2 to 6 plies.
    """
    rng = random.Random(5)
    found: list[tuple[str, int]] = []
    position = KolibratPosition(Setup(variant="3x4-4-2"))
    library, state = position.library, position.state
    table = open_solved_table(position.board_spec, library, state)
    assert table
    placement_count = library.number_placements(state)
    while len(found) < count:
        library.set_placement(state, rng.randrange(placement_count))
        moves = position.legal_numbers() if library.has_move(state, 0) else []
        value = table.value(state) if len(moves) > 1 else 0
        if 1 < abs(value) <= 6 and any(_skips_black(position, move) for move in moves):
            found.append((position.position_text(), value))
    return found


def _skips_black(position: KolibratPosition, move: int) -> bool:
    position.library.apply(position.state, move)
    is_skipped = position.state.side == 0 and not position.state.result
    position.library.undo(position.state)
    return is_skipped


@pytest.mark.parametrize("player", ["pentad:perfect=no", "minimax:depth=7"])
def test_searches_agree_with_the_table_if_a_side_moves_twice(player: str) -> None:
    """If the search negated the value after every move, these wins would be losses."""
    bot = build_player(PLAYERS, player)
    for text, value in positions_before_a_skip(25):
        bot.new_game(Setup(position=text))
        progress = bot.choose(Limits(depth=8)).progress
        if player.startswith("minimax"):
            assert progress.win_in == value, text
        elif value > 0:
            assert progress.result == "win", text


def test_levels_are_weak_and_strong() -> None:
    """Level 1 searches few nodes, and level 10 beats it."""
    setup = Setup(variant="4x5-5-2")
    weak = build_player(PLAYERS, "pentad:level=1,seed=3")
    weak.new_game(setup)
    assert weak.choose(Limits(move_time_ms=1000)).progress.nodes < 500
    strong = build_player(PLAYERS, "pentad:hash=4")
    for side in (0, 1):
        players = (strong, weak) if side == 0 else (weak, strong)
        assert find_winner(players, setup, Limits(nodes=20_000)) == side


def test_the_time_of_solving_is_subtracted_from_the_search(monkeypatch: pytest.MonkeyPatch, clock: ManualClock) -> None:
    """A search with its full time would lose the game on time. A board that was not solved is not tried again."""
    clock.step_ms = 0.2
    player, attempts, search_limits = build_player(PLAYERS, "pentad:hash=4"), list[int](), list[Limits]()
    assert isinstance(player, KolibratEngine)

    def fail(*_arguments: object) -> None:
        attempts.append(1)
        clock.advance(300)

    search = player._search

    def record_limits(limits: Limits, *rest: Any) -> Decision:
        search_limits.append(limits)
        return search(limits, *rest)

    monkeypatch.setattr(engine_module, "solve_at_once", fail)
    monkeypatch.setattr(player, "_search", record_limits)
    player.new_game(Setup(variant="2x4-4-2"))
    for _ in range(2):
        play_on(player, player.choose(Limits(move_time_ms=500, time_left_ms=9000)).move)
    assert len(attempts) == 1
    first, second = search_limits
    assert (first.move_time_ms or 0) <= 200
    assert (first.time_left_ms or 0) <= 8700
    assert (second.move_time_ms or 0) > 300


@pytest.mark.parametrize("ask", [KolibratEngine.choose, KolibratEngine.solve])
def test_a_search_follows_failed_solving(
    ask: Callable[[KolibratEngine, Limits], object], monkeypatch: pytest.MonkeyPatch, clock: ManualClock
) -> None:
    """Regression: the time of solving used to be subtracted twice, so the first move was played without a search."""
    clock.step_ms = 0.2
    player = build_player(PLAYERS, "pentad:hash=4")
    assert isinstance(player, KolibratEngine)
    monkeypatch.setattr(engine_module, "solve_at_once", lambda *_arguments: clock.advance(300))
    player.new_game(Setup(variant="2x4-4-2"))
    ask(player, Limits(move_time_ms=500))
    assert player.position.state.root_depth > 1


@pytest.mark.parametrize("seed", range(4))
def test_evaluation_equals_the_sum_of_its_parameters(seed: int) -> None:
    """The eleven terms are computed here from the simple implementation of the rules."""
    rng = random.Random(seed)
    bot = Minimax(build_player(PLAYERS, "minimax").options)
    weights = tuple(rng.randrange(1, 1000) for _ in range(11))
    bot.new_game(Setup(variant="4x5-6-3"))
    bot.use_weights(weights)
    position, naive = bot.position, NaiveKolibrat(4, 5, 6, 3)
    while position.outcome() is None:
        own_terms, enemy_terms = (
            naive_parameters(naive, side) for side in (naive.side, "b" if naive.side == "r" else "r")
        )
        expected = sum(weight * (a - b) for weight, a, b in zip(weights, own_terms, enemy_terms, strict=True))
        limited = max(-MAX_EVALUATION, min(MAX_EVALUATION, expected))
        assert position.library.evaluate(position.state) == limited
        move = rng.choice(position.legal_moves())
        play_on(bot, move)
        naive = naive.play(move)


def naive_parameters(naive: NaiveKolibrat, side: str) -> list[int]:
    """Return the eleven terms of a side in the order of WEIGHT_NAMES."""
    enemy = "b" if side == "r" else "r"
    board, home, enemy_home = dict(naive.board), naive.home_row(side), naive.home_row(enemy)
    own_squares = [square for square, owner in board.items() if owner == side]
    step = 1 if side == "r" else -1
    exposed = [1 for x, y in own_squares if board.get((x, y + step)) == enemy and naive.side == enemy]
    has_piece_in_hand = len(own_squares) < naive.pieces
    return [
        sum(y == home for _, y in own_squares),
        sum(abs(y - home) for _, y in own_squares),
        sum(y not in (home, enemy_home) for _, y in own_squares),
        -len(exposed),
        sum((x + 1, y) in own_squares for x, y in own_squares),
        len(naive.moves(side)),
        naive.points["rb".index(side)],
        int(naive.side == side),
        int(has_piece_in_hand and any((x, home) not in board for x in range(naive.width))),
        sum(y == enemy_home for _, y in own_squares),
        int(len(own_squares) > len(board) - len(own_squares)),
    ]


@pytest.mark.parametrize("name", ["pentad", "minimax", "greedy", "random"])
def test_a_finished_game_is_answered_without_a_move(name: str) -> None:
    """Regression: the note used to say that there was only one move."""
    player = build_player(PLAYERS, name)
    player.new_game(Setup(position="3/3/3/1r1 b 5 0 4 5"))
    decision = player.choose(Limits(move_time_ms=100))
    assert (decision.move, decision.note) == ("", "game over")


def test_the_board_of_a_start_position_overrides_the_variant() -> None:
    assert board_of(Setup(variant="3x4-4-5", position="2/2 r 0 0 2 1")).width == 2
