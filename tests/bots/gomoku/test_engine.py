"""The engine of Gomoku: forced moves, the probes of Gomocup's organisers, deadlines, levels, swap2, games.

VCF is a victory by continuous fours, VCT one by fours and open threes. Swap2 is an opening rule: one side places three
stones, and the other may swap sides. Moves are written as in `h8i9`: black h8, white i9.
"""

from __future__ import annotations

import random

import pytest

from bots.gomoku.engine import GomokuEngine
from bots.gomoku.notation import format_variant
from bots.gomoku.players import PLAYERS
from bots.gomoku.position import GomokuPosition
from core.play.player import PASS, Decision, Limits, Setup, build_player
from core.play.squares import split_squares
from core.search.clock import CLOCK
from core.search.time_budget import TimeBudget
from tests.bots.gomoku.boards import read_rows
from tests.bots.playing import play_to_end, player_after
from tests.lines import play_on
from tests.manual_clock import ManualClock

FREESTYLE = Setup(15, 15, "freestyle")
GAME_WITH_MANY_THREATS = (  # from a game against itself
    "g8g11k6f8f10h11i11g12g10e10e11i10f13f11h13d9c8g9g13e13f12d10j10h12i13j13i12i15j11j9k8k10d11c10e9b10a10f7g6e7d6h9i9h8h10"
    "l11i8k12m10m12n13h15i14l12j12l14l13k15j15k11k13m13n12n14o15f6f5g5h4b11e8m14j14k14o14h7g7h6h5m11m15n11o11c11f14f15"
)


def engine_at(moves: str, setup: Setup = FREESTYLE, name: str = "pentad:hash=16") -> GomokuEngine:
    """Return an engine after some moves; `name` is `pentad` with its options."""
    player = player_after("gomoku", name, split_squares(moves) or [], setup)
    assert isinstance(player, GomokuEngine)
    return player


@pytest.mark.parametrize(
    ("variant", "moves", "squares"), [(row[0], row[1], row[2:]) for row in read_rows("probes.txt")]
)
def test_organisers_probes(variant: str, moves: str, squares: list[str]) -> None:
    """Positions of Gomocup's organisers: the move must be one of the squares, or if they have a `!`, none of them."""
    move = engine_at(moves, Setup(15, 15, variant)).choose(Limits(move_time_ms=1000)).move
    refused = [square[1:] for square in squares if square.startswith("!")]
    assert move in squares or (refused and move not in refused)


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("h8a1i8c1j8e1k8g2", {"g8", "l8"}),  # four of our own, both ends open: the five
        ("h8h9g8i9f8j9a1k9", {"g9", "l9"}),  # four against us, both ends open: either end, the game is lost
        ("a1h8c1i8e1j8", {"g8", "k8", "f8", "l8"}),  # an open three against us
        ("h8g8i8a1j8c1k8e1", {"l8"}),  # our four with one end closed: the five
        ("g8h8a1i8c1j8e1k8", {"l8"}),  # their four with one end closed: the block
    ],
)
def test_forced_moves(moves: str, answers: set[str]) -> None:
    assert engine_at(moves).choose(Limits(move_time_ms=1000)).move in answers


def test_many_threats_do_not_explode_the_search() -> None:
    """Regression: the search of fours at the horizon used to take 12,000 nodes at depth 1."""
    engine = engine_at(GAME_WITH_MANY_THREATS)
    assert engine.choose(Limits(depth=1)).progress.nodes < 1_000
    assert engine.choose(Limits(nodes=250_000)).progress.proven_result == "win"


def test_own_five_comes_before_a_block() -> None:
    """Regression: if both sides have a four, the generator used to offer only the block."""
    decision = engine_at("h8h9i8i9j8j9k8k9").choose(Limits(move_time_ms=100))
    assert decision.move in {"g8", "l8"}
    assert decision.progress.win_in == 1


def test_win_by_fours_is_played_at_once(clock: ManualClock) -> None:
    """The VCF search finds a win of at most five plies, long before the time limit."""
    clock.step_ms = 1
    decision = engine_at("h8a1i8c1j8g8h9e1h10o1").choose(Limits(move_time_ms=5000))
    assert decision.progress.win_in is not None
    assert 0 < decision.progress.win_in <= 5
    assert decision.progress.time_ms < 20


def test_find_losing_moves() -> None:
    """Black wins by fours unless white, who is to move, answers.

    The test plays every tenth of the losing moves found, and black wins after each.
    """
    player = engine_at("")
    threatened = [*(split_squares("i10e4k6d12e5k7f7i9e8l9e10l5h10g8h11e9") or []), PASS]
    player.set_position(threatened)
    losing_moves = player.find_losing_moves(Limits(nodes=100_000))
    assert len(losing_moves) > 20
    for move in losing_moves[::10]:
        player.set_position([*threatened, move])
        assert player.choose(Limits(move_time_ms=5000)).progress.result == "win"
    player.set_position(["h8", "i9"])
    assert player.find_losing_moves(Limits(nodes=100_000)) == []


def test_decided_board_still_gets_a_free_square() -> None:
    """A manager may continue after a five; a crash or an occupied square would lose."""
    player = engine_at("h8a1i8c1j8e1k8g1l8")
    assert player.choose(Limits(move_time_ms=50)).move not in player.position.moves


def test_full_board_gets_no_move_and_a_nearly_full_one_the_last() -> None:
    moves = [f"{column}{row}" for row in (1, 3, 5, 2, 4) for column in "abcde"]
    player = engine_at("", Setup(5, 5, "freestyle"))
    player.set_position(moves[:24])
    assert player.choose(Limits(move_time_ms=50)).move == moves[24]
    play_on(player, moves[24])
    assert player.choose(Limits(move_time_ms=50)).move == ""


@pytest.mark.parametrize("hard_ms", [0, -1e12])
def test_threat_searches_have_a_deadline_when_no_time_is_left(hard_ms: float) -> None:
    """Regression: with no time left, the VCF and VCT searches used to have no deadline at all."""
    player = engine_at("h8i9g7i7j8")
    player._set_deadline(TimeBudget(hard_ms, hard_ms), time_share=0.2)
    assert 0 < player.position.state.deadline <= CLOCK.now()


def test_threat_searches_without_a_time_limit_have_no_deadline() -> None:
    player = engine_at("h8i9g7i7j8")
    player._set_deadline(TimeBudget(None, None), time_share=0.2)
    assert player.position.state.deadline == 0


def test_only_answer_to_a_four_is_played_at_once(clock: ManualClock) -> None:
    clock.step_ms = 1
    assert engine_at("g8h8a1i8c1j8e1k8").choose(Limits(move_time_ms=10_000)).move == "l8"
    assert clock.now_ms < 50


@pytest.mark.usefixtures("many_processors")
def test_threads_agree_on_a_forced_win() -> None:
    player = engine_at("h8a1i8c1j8", name="pentad:hash=16,threads=2")
    play_on(player, "e1")
    decision = player.choose(Limits(depth=6))
    assert decision.progress.win_in == 3


def test_level_8_beats_level_1() -> None:
    """Level 8 must win three of four games; a level without effect would score half."""
    wins = 0
    for game, opening in enumerate(("h8i9g7", "h8h9j10", "h8i8g6", "h8g9i10")):
        names = ["pentad:level=8,hash=4,seed=6", "pentad:level=1,hash=4,seed=5"]
        strong_side = game % 2
        players = [engine_at(opening, name=names[side ^ strong_side]) for side in range(2)]
        position = GomokuPosition(FREESTYLE)
        for move in split_squares(opening) or []:
            position.play(move)
        outcome = play_to_end(players, position, Limits(move_time_ms=200)).outcome()
        wins += outcome is not None and outcome.winner == strong_side
    assert wins >= 3


def test_low_levels_stop_a_five_under_caro() -> None:
    """The search tries all cells of the line there, and a mistake used to be drawn from them."""
    line = "n3m1o4o5l6k1l2j1k4m3n1l3j2o3k6m4n2n6l4n5o6m2m5j3j5k5m6l1k2j6o2l5"
    for seed in range(1, 9):
        engine = engine_at(line, Setup(15, 15, "caro"), name=f"pentad:level=1,seed={seed}")
        assert engine.choose(Limits()).move in {"h1", "i1"}


def test_level_one_takes_a_five_and_stops_one() -> None:
    assert engine_at("h8a1i8c1j8e1k8g2", name="pentad:level=1").choose(Limits()).move in {"g8", "l8"}
    assert engine_at("g8h8a1i8c1j8e1k8", name="pentad:level=1").choose(Limits()).move == "l8"


@pytest.mark.parametrize("stones", ["", "h8h9i9", "h8h9i9j10k11"])
def test_swap2_answers(stones: str) -> None:
    player = engine_at("", Setup(15, 15, "standard"))
    answer = player.swap2(split_squares(stones) or [], Limits(move_time_ms=400))
    if stones:
        assert len(answer) == 1
        assert answer == ["SWAP"] or answer[0] not in stones
    else:
        assert len(set(answer)) == 3


def test_table_is_cleared_when_the_board_size_changes() -> None:
    """Regression: hash keys do not contain the size, and a win on 20x20 used to be taken for one on 15x15."""
    new_engine, reused_engine = engine_at("n8c3o9c13m10d12o7j8"), build_player(PLAYERS, "pentad")
    reused_engine.new_game(Setup(20, 20, "freestyle"))
    reused_engine.set_position(split_squares("n8c3o9c13m10d12o7j8") or [])
    wide = reused_engine.choose(Limits(depth=6))
    reused_engine.new_game(Setup(15, 15, "freestyle"))
    reused_engine.set_position(split_squares("n8c3o9c13m10d12o7j8") or [])
    narrow, expected = reused_engine.choose(Limits(depth=6)), new_engine.choose(Limits(depth=6))
    assert (narrow.move, narrow.progress.score) == (expected.move, expected.progress.score)
    assert wide.progress.result != narrow.progress.result


def test_swap2_divides_its_time_among_its_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the short searches for one swap2 answer gets its full share of the time, without the option `margin`.

    Half of the time is for the answer, a fourth of that for each of four rounds with 16, 8, 4 and 2 searches. A search
    has at least 20 ms.
    """
    player = engine_at("")
    allocate_time, hard_limits_ms = player._allocate_time, []

    def record_and_stop(limits: Limits) -> TimeBudget:
        hard_limits_ms.append(allocate_time(limits).hard_ms)
        return TimeBudget(0.0, 0.0)

    monkeypatch.setattr(player, "_allocate_time", record_and_stop)
    player.swap2([], Limits(move_time_ms=2400))
    assert hard_limits_ms == [20] * 16 + [37] * 8 + [75] * 4 + [150] * 2


def test_swap2_proposal_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    player = engine_at("")
    choose, searched = player.choose, []

    def choose_and_stop(limits: Limits) -> Decision:
        decision = choose(limits)
        searched.append(limits)
        limits.stop.set()
        return decision

    monkeypatch.setattr(player, "choose", choose_and_stop)
    assert len(player.swap2([], Limits(move_time_ms=2400))) == 3
    assert len(searched) == 1


def test_swap2_takes_the_better_side() -> None:
    """Black's open three wins, so we take black."""
    assert engine_at("").swap2(["h8", "a1", "i8", "c1", "j8"], Limits(move_time_ms=300)) == ["SWAP"]


@pytest.mark.parametrize("rule", range(16))
def test_quick_games_under_every_rule_are_legal(rule: int) -> None:
    """Every rule number of the Gomocup protocol, each on a board of random size, played to the end."""
    rng = random.Random(rule)
    setup = Setup(rng.randint(5, 22), rng.randint(5, 22), format_variant(rule))
    player = engine_at("", setup, "pentad:hash=4")
    assert play_to_end([player] * 2, GomokuPosition(setup), Limits(nodes=rng.choice((1, 50, 300)))).outcome()
