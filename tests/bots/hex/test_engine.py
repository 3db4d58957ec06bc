"""The engine of Hex: proofs, use of time, levels, swaps, resignation, and the tree that it keeps for the next move."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bots.hex.engine import FIRST_NETWORK_LEVEL, LEVELS, PLAYOUT_LEVELS, HexEngine
from bots.hex.notation import SWAP
from bots.hex.opening.first_moves import solved_openings
from bots.hex.opening.swap import FAIR_RANKS, choose_opening, is_worth_swapping, opening_value, opening_values
from core.play.player import RESIGN, Limits, Setup
from core.play.squares import parse_square
from core.search.engine_options import LEVEL_NODE_SPREAD
from tests.bots.playing import player_after, winner_of
from tests.lines import play_on
from tests.manual_clock import ManualClock

# Positions and openings with the results of other solvers.
SOLVED = json.loads((Path(__file__).parents[2] / "data" / "hex" / "solved.json").read_text(encoding="utf-8"))
WON = [position for position in SOLVED["positions"] if position["mover_wins"]]
LOST = [position for position in SOLVED["positions"] if not position["mover_wins"]]


def engine_at(moves: str, size: int = 7, player_text: str = "pentad:hash=16", variant: str = "standard") -> HexEngine:
    """Return an engine after moves such as `e5 f4`; `player_text` has its name and options."""
    player = player_after("hex", player_text, moves.split(), Setup(size, size, variant))
    assert isinstance(player, HexEngine)
    return player


@pytest.mark.parametrize("position", WON[::11], ids=lambda position: position["id"])
def test_wins_are_found(position: dict[str, object]) -> None:
    player = engine_at(" ".join(position["moves"]), position["size"])  # type: ignore[arg-type]
    decision = player.choose(Limits(move_time_ms=1000))
    assert decision.move in position["winning_moves"]  # type: ignore[operator]


@pytest.mark.parametrize("position", LOST[::12], ids=lambda position: position["id"])
def test_lost_games_are_played_to_the_end(position: dict[str, object]) -> None:
    """The engine plays on to the end in a lost position, and does not win against itself."""
    player = engine_at(" ".join(position["moves"]), position["size"])  # type: ignore[arg-type]
    loser = player.position.to_move
    while player.position.outcome() is None:
        move = player.choose(Limits(move_time_ms=100)).move
        assert move in player.position.legal_moves()
        play_on(player, move)
    assert winner_of(player.position) == 1 - loser


def test_fixed_move_time_is_used(clock: ManualClock) -> None:
    """With a fixed time per move an early decision saves nothing, so the search goes on."""
    clock.step_ms = 0.2
    player = engine_at("", 11)
    for limits, min_time_ms in ((Limits(move_time_ms=200), 100), (Limits(move_time_ms=300), 200)):
        decision = player.choose(limits)
        assert decision.progress.time_ms >= min_time_ms
        play_on(player, decision.move)


@pytest.mark.parametrize("size", [4, 11, 13])
def test_win_in_one_move_is_played(size: int) -> None:
    """A win in one move is played, on a small and on two large boards."""
    middle_row = size // 2 + 1
    columns = "abcdefghijklm"[: size - 1]  # white lacks the last cell of the middle row
    stones = [f"{colour}:{x}{y}" for x in columns for colour, y in (("black", 1), ("white", middle_row))]
    player = engine_at("", size)
    player.set_position([*stones, "black:a2"])
    play_on(player, player.choose(Limits(move_time_ms=500)).move)
    assert player.position.outcome() is not None


def test_won_games_end_soon() -> None:
    """A proven win against a random opponent takes at most 21 plies on 7x7; a chain needs at least 7 stones."""
    player, rng = engine_at("d4"), random.Random(3)
    while player.position.outcome() is None:
        if player.position.to_move == 0:
            play_on(player, player.choose(Limits(move_time_ms=300)).move)
        else:
            play_on(player, rng.choice(player.position.legal_moves()))
    assert player.position.outcome().winner == 0  # type: ignore[union-attr]
    assert len(player.position.moves) <= 21


def test_node_limit_is_exact() -> None:
    assert engine_at("e5", 11).choose(Limits(nodes=3000)).progress.nodes == 3000


def test_same_seed_same_search() -> None:
    """Another seed gives another score."""
    players = [engine_at("e5", 11, f"pentad:hash=16,seed={seed}") for seed in (1, 1, 2)]
    results = [player.choose(Limits(nodes=4000)).progress for player in players]
    assert (results[0].pv, results[0].score) == (results[1].pv, results[1].score)
    assert results[0].score != results[2].score


def test_tree_is_reused_for_the_next_move_only() -> None:
    """The tree is not reused after moves taken back, a new game, or stones out of turn."""
    player = engine_at("e5", 9)
    play_on(player, player.choose(Limits(nodes=5000)).move)
    player.choose(Limits(nodes=10))
    root = player._search.states[0].root
    assert sum(entry.visits for entry in player._search.move_statistics(root)) > 100
    for moves in ("", "b2 c3 d4", "e5", "e5 black:c3"):
        player.set_position(moves.split())
        player.choose(Limits(nodes=10))
        visits = sum(entry.visits for entry in player._search.move_statistics(player._search.states[0].root))
        assert visits == 10
    assert {entry.move for entry in player._search.move_statistics(player._search.states[0].root)} <= {
        player.position.parse(move) for move in player.position.legal_moves()
    }


@pytest.mark.parametrize("search", ["network", "playouts"])
@pytest.mark.parametrize("level", [1, 5, 9])
def test_levels_limit_playouts_and_evaluations(level: int, search: str) -> None:
    player = engine_at("e5", 9, f"pentad:level={level},hash=16,search={search}")
    nodes = (LEVELS if search == "network" else PLAYOUT_LEVELS).nodes[level - 1]
    progress = player.choose(Limits(move_time_ms=5000)).progress
    assert (1 - LEVEL_NODE_SPREAD) * nodes <= progress.nodes <= (1 + LEVEL_NODE_SPREAD) * nodes


@pytest.mark.parametrize(
    ("size", "options", "expected"),
    [
        ((7, 7), "", 1),
        ((19, 19), "", 1),
        ((9, 11), "", 0),
        ((7, 7), ",search=playouts", 0),
        ((7, 7), f",level={FIRST_NETWORK_LEVEL}", 1),
        ((7, 7), f",level={FIRST_NETWORK_LEVEL - 1}", 0),
    ],
)
def test_the_network_is_used_on_all_square_boards(size: tuple[int, int], options: str, expected: int) -> None:
    """Regression: boards larger than 13x13 were searched by playouts, which lost 18 of 20 games on 15x15."""
    player = player_after("hex", f"pentad:hash=16{options}", (), Setup(*size, "standard"))
    assert isinstance(player, HexEngine)
    player.choose(Limits(nodes=1))
    assert player._search.states[0].network == expected


@pytest.mark.usefixtures("many_processors")
def test_two_threads_find_a_winning_move() -> None:
    position = WON[-1]
    player = engine_at(" ".join(position["moves"]), position["size"], "pentad:threads=2,hash=16")
    decision = player.choose(Limits(nodes=20_000))
    assert decision.move in position["winning_moves"]


def test_resigning_is_an_option() -> None:
    position = LOST[0]
    lost = " ".join(position["moves"])
    assert engine_at(lost, position["size"]).choose(Limits(move_time_ms=500)).move != RESIGN
    resigning = engine_at(lost, position["size"], "pentad:resign=true,hash=16")
    assert resigning.choose(Limits(move_time_ms=2000)).move == RESIGN


@pytest.mark.parametrize("size", [5, 9, 11, 13, 15, 19, 3])
def test_centre_is_swapped_and_acute_corner_is_not(size: int) -> None:
    """The engine itself does not open in the centre, which would be swapped."""
    limits = Limits(move_time_ms=3000 if size == 3 else 300)  # 3x3 has no table; it is solved in some milliseconds
    centre = f"{chr(97 + size // 2)}{size // 2 + 1}"
    assert engine_at(centre, size, variant="swap").choose(limits).move == SWAP
    assert engine_at("a1", size, variant="swap").choose(limits).move != SWAP
    opening = engine_at("", size, variant="swap").choose(limits).move
    assert opening in engine_at("", size).position.legal_moves()
    assert opening != centre


@pytest.mark.parametrize("size", [5, 6, 7])
def test_opening_wins_if_the_opponent_does_not_swap(size: int) -> None:
    """Regression: the engine used to open with losing stones, and lost three of fifty games to players that never swap.

    The opening is one of the 2 * FAIR_RANKS winning stones that look worst.
    """
    openings = {choose_opening(size, random.Random(seed)) for seed in range(40)}
    assert len(openings) == 2 * FAIR_RANKS
    assert all(solved_openings(size)[opening][0] == 0 for opening in openings)


def test_values_of_openings_agree_with_solved_ones() -> None:
    for size in (5, 6):
        for cell, wins in SOLVED["openings"][str(size)].items():
            value = opening_value(size, ord(cell[0]) - 97, int(cell[1:]) - 1)
            assert value == (100 if wins else 0)


@pytest.mark.parametrize("size", range(8, 20))
def test_opening_is_fair_by_its_value(size: int) -> None:
    """Regression: on 11x11 the engine used to open with stones after which black wins 55 to 57 % by their values.

    It did not swap such stones either.
    """
    openings = {parse_square(choose_opening(size, random.Random(seed))) or (-1, -1) for seed in range(40)}
    values = {cell: opening_value(size, *cell) or 0 for cell in openings}
    assert len(values) == 2 * FAIR_RANKS
    assert all(abs(value - 48) <= 8 for value in values.values())
    assert min(values.values()) <= 48 < max(values.values())
    assert all(is_worth_swapping(size, *cell) == (value > 48) for cell, value in values.items())


def test_boards_from_5x5_to_19x19_have_values_of_openings() -> None:
    assert [size for size in range(21) if opening_values(size)] == list(range(5, 20))
