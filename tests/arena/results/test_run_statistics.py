"""Tests of the statistics of pairings and engines, counted from games and pairs."""

from __future__ import annotations

from msgspec import structs

from arena.log.events import GameEnded, MoveEntry
from arena.results.run_statistics import compute_statistics, list_game_warnings
from arena.terms.ending import Ending


def make_game(number: int, winner: str) -> GameEnded:
    """Return game `number` (from 1) of A and B, in which A begins if the number is odd; no winner means a draw."""
    names = ("A", "B") if number % 2 else ("B", "A")
    ending = Ending.WIN if winner else Ending.DRAW
    return GameEnded(number, (number + 1) // 2, *names, ending, winner, "", "", (), ())


def test_drawn_games_and_pairs_won_to_pairs_lost() -> None:
    """The ratio of pairs won to pairs lost is that of A, 1/3; that of B would be 3."""
    # two winners per pair; empty: a draw
    winners = ("A", "A", "B", "B", "", "B", "A", "B", "B", "B", "", "")
    (pairing,) = compute_statistics(("A", "B"), [make_game(*game) for game in enumerate(winners, 1)]).pairings
    assert pairing.pentanomial == (2, 1, 2, 0, 1)  # pairs of A: LL, LD, WL or DD, WD, WW
    assert (pairing.pair_ratio, pairing.draw_share, pairing.split_share) == (1 / 3, 3 / 12, 1 / 6)


def test_share_of_split_pairs_is_of_all_pairings() -> None:
    """One of two pairs of A and B is split, and the only pair of A and C; a single game is no pair."""
    winners = ("A", "A", "A", "B")
    games = [make_game(*game) for game in enumerate(winners, 1)]
    games_of_a_and_c = [
        structs.replace(make_game(number, "A"), first="A", second="C", winner=winner)
        for number, winner in ((5, "A"), (6, "C"))
    ]
    assert compute_statistics(("A", "B", "C"), games).split_share == 1 / 2
    assert compute_statistics(("A", "B", "C"), games + games_of_a_and_c).split_share == 2 / 3
    assert compute_statistics(("A", "B"), games[:1]).split_share is None


def test_split_pairs_cause_a_warning_from_ten_pairs_on() -> None:
    """A single pair must not cause the warning: equal engines split about half of their pairs."""
    ended = [make_game(number, "A" if number % 2 else "B") for number in range(1, 21)]
    games = [structs.replace(game, opening=(str(game.number),)) for game in ended]  # none repeats another
    assert not list_game_warnings(compute_statistics(("A", "B"), games[:18]))
    (warning,) = list_game_warnings(compute_statistics(("A", "B"), games))
    assert warning.startswith("100% of the pairs of A and B are split: the openings decide")


def test_ratio_without_a_lost_pair_is_undefined() -> None:
    (pairing,) = compute_statistics(("A", "B"), [make_game(1, "A"), make_game(2, "A")]).pairings
    assert (pairing.pair_ratio, pairing.draw_share) == (None, 0)


def test_cpu_time_per_move_excludes_games_lost_by_a_fault() -> None:
    """B lost the second game by a stall: CPU time that it spent on the move it never sent must not count.

    The opponent's time in that game counts.
    """
    moves = (MoveEntry("1"), MoveEntry("1", side=1))
    fair = structs.replace(make_game(1, "A"), moves=moves, cpu_ms=(20, 30))
    stalled = structs.replace(make_game(2, "A"), ending=Ending.STALL, blamed="B", moves=moves, cpu_ms=(10_000, 40))
    assert [engine.cpu_ms for engine in compute_statistics(("A", "B"), [fair, stalled]).engines] == [30, 30]
    assert [engine.cpu_ms for engine in compute_statistics(("A", "B"), [stalled]).engines] == [40, None]
