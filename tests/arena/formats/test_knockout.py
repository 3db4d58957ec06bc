"""Tests of the knock-out: known brackets, byes, tie-breaks and the order of the stages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.formats.knockout import list_seeds
from arena.formats.rules import TournamentRules
from arena.formats.tournament import Stage, Tournament


def play_round(tournament: Tournament, *, drawn: bool = False, upset: bool = False) -> Stage:
    """Play the next stage: the better seeds win both games, or with `upset` the others, or all games are drawn."""
    stage = tournament.next_stage()
    assert stage
    first_pair = tournament.pair_count + 1
    tournament.add_stage(stage)
    for number in range(first_pair, tournament.pair_count + 1):
        tournament.add_pair(number, (1.0, 1.0) if drawn else (0.0, 2.0) if upset else (2.0, 0.0))
    return stage


def make_knockout(engines: int, tie_break_games: int = 0, games: int = 2) -> Tournament:
    rounds = (engines - 1).bit_length()
    return Tournament(TournamentRules("knockout", engines, games, rounds=rounds, tie_break_games=tie_break_games))


def test_bracket_of_sixteen_is_the_usual_one() -> None:
    """Pairings of the first round from top to bottom, as in every tennis tournament."""
    seeds = [seed + 1 for seed in list_seeds(16)]
    assert list(zip(seeds[::2], seeds[1::2], strict=True)) == [
        *((1, 16), (8, 9), (4, 13), (5, 12)),
        *((2, 15), (7, 10), (3, 14), (6, 11)),
    ]
    assert [seed + 1 for seed in list_seeds(4)] == [1, 4, 2, 3]
    assert list_seeds(2) == [0, 1]


@given(st.integers(1, 6))
def test_best_seeds_meet_as_late_as_possible(depth: int) -> None:
    """If the better seed always wins, the best 2, 4, 8, ... engines are the last 2, 4, 8, ..."""
    tournament = make_knockout(2**depth)
    while not tournament.is_finished:
        stage = play_round(tournament)
        left = 2 ** (depth - stage.round + 1)
        assert sorted(engine for pairing in stage.pairings for engine in pairing) == list(range(left))
        assert all(first + second == left - 1 for first, second in stage.pairings)
    assert tournament.find_winner(depth, 0, 1) == 0


@given(st.integers(2, 40))
def test_top_seeds_have_the_byes(engines: int) -> None:
    tournament = make_knockout(engines)
    first = play_round(tournament)
    slots = 2**tournament.rules.rounds
    assert sorted(first.byes) == list(range(slots - engines))
    while not tournament.is_finished:
        assert play_round(tournament, upset=True).byes == ()
    assert len(tournament.encounters) == engines - 1
    assert tournament.planned == 2 * (engines - 1) == 2 * tournament.pair_count


def test_five_engines() -> None:
    tournament = make_knockout(5)
    assert play_round(tournament) == Stage(1, ((3, 4),), (0, 1, 2))
    assert play_round(tournament, upset=True) == Stage(2, ((0, 3), (1, 2)))
    assert play_round(tournament) == Stage(3, ((2, 3),))
    assert tournament.is_finished
    assert tournament.list_bracket() == [[(0, None), (3, 4), (1, None), (2, None)], [(0, 3), (1, 2)], [(3, 2)]]


def test_drawn_encounters_go_on_until_one_engine_leads() -> None:
    tournament = make_knockout(4, tie_break_games=6)
    assert play_round(tournament, drawn=True).tie_break == 0
    assert tournament.find_winner(1, 0, 3) is None
    assert play_round(tournament, drawn=True) == Stage(1, ((0, 3), (1, 2)), tie_break=1)
    stage = tournament.next_stage()
    assert stage == Stage(1, ((0, 3), (1, 2)), tie_break=2)
    tournament.add_stage(stage)
    tournament.add_pair(5, (0.5, 1.5))  # decides the first encounter; the second one is drawn again
    assert tournament.next_stage() is None
    tournament.add_pair(6, (1.0, 1.0))
    assert tournament.next_stage() == Stage(1, ((1, 2),), tie_break=3)
    assert play_round(tournament, upset=True).tie_break == 3
    assert tournament.next_stage() == Stage(2, ((2, 3),))
    assert tournament.planned == 3 * 2 + 2 * (2 + 2 + 1)


@pytest.mark.parametrize(("tie_break_games", "stages"), [(0, 1), (2, 2), (4, 3)])
def test_better_seed_advances_if_no_engine_ever_leads(tie_break_games: int, stages: int) -> None:
    """An encounter of a knock-out cannot end without a winner."""
    tournament = make_knockout(2, tie_break_games)
    for _ in range(stages):
        assert not tournament.is_finished
        play_round(tournament, drawn=True)
    assert tournament.is_finished
    assert tournament.next_stage() is None
    assert tournament.find_winner(1, 0, 1) == 0
    assert tournament.encounters[0].leader is None


def test_no_two_stages_use_the_same_opening() -> None:
    """A further pair of a drawn encounter has a new opening, and so has each round."""
    tournament = make_knockout(4, tie_break_games=4, games=6)
    used: list[int] = []
    while not tournament.is_finished:
        stage = play_round(tournament, drawn=True)
        count = 1 if stage.tie_break else 3
        used += range(tournament.first_opening(stage), tournament.first_opening(stage) + count)
    assert len(used) == len(set(used)) == 2 * (3 + 2)
    assert max(used) < tournament.rules.rounds * tournament.rules.openings_per_round


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        (Stage(1, ((0, 3),)), "pairings: must be those of the bracket"),
        (Stage(1, ((0, 1), (2, 3))), "pairings: must be those of the bracket"),
        (Stage(2, ((0, 1),)), "pairings: must be those of the bracket"),
        (Stage(1, ((0, 3), (1, 2)), tie_break=1), "pairings: must be those of the bracket"),
    ],
)
def test_stage_that_is_not_in_the_bracket_is_refused(stage: Stage, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_knockout(4).add_stage(stage)


def test_stage_before_the_end_of_the_last_one_is_refused() -> None:
    tournament = make_knockout(4)
    stage = tournament.next_stage()
    assert stage
    tournament.add_stage(stage)
    tournament.add_pair(2, (2.0, 0.0))
    with pytest.raises(ValueError, match="number: pairs of round 1 are missing"):
        tournament.add_stage(Stage(2, ((0, 1),)))


@pytest.mark.parametrize(
    "stage",
    [
        Stage(2, ((0, 1), (2, 3)), (4,)),
        Stage(1, ((0, 1), (2, 3)), (4,), tie_break=1),
        Stage(1, ((0, 1), (2, 2)), (4,)),
        Stage(1, ((0, 1), (2, 3))),
        Stage(1, ((0, 1),), (2, 3, 4)),
        Stage(1, ((0, 1), (2, 5)), (4,)),
    ],
)
def test_round_of_a_swiss_has_each_engine_once(stage: Stage) -> None:
    with pytest.raises(ValueError, match=r"number: round 1|pairings: must have each engine once"):
        Tournament(TournamentRules("swiss", 5, 2, rounds=3)).add_stage(stage)


def test_round_after_the_last_one_is_refused() -> None:
    tournament = Tournament(TournamentRules("swiss", 2, 2, rounds=1))
    play_round(tournament)
    with pytest.raises(ValueError, match="number: the tournament ended with round 1"):
        tournament.add_stage(Stage(2, ((0, 1),)))
