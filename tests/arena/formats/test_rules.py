"""Tests of the rules of a tournament: defaults, planned games, and options that do not fit the format."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli import main as cli
from arena.formats.rules import RulesError, TournamentRules, find_rules
from arena.statistics.sprt import Sprt
from arena.terms.settings import RunSettings
from tests.arena.fakes import PILE_GAME


@pytest.mark.parametrize(
    ("engines", "settings", "rules"),
    [
        (4, {}, TournamentRules("round-robin", 4, 2)),
        (4, {"gauntlet": 2}, TournamentRules("gauntlet", 4, 2, gauntlet=2)),
        (4, {"tournament_format": "gauntlet"}, TournamentRules("gauntlet", 4, 2, gauntlet=1)),
        (4, {"tournament_format": "swiss"}, TournamentRules("swiss", 4, 2, rounds=2)),
        (5, {"tournament_format": "swiss"}, TournamentRules("swiss", 5, 2, rounds=3)),
        (2, {"tournament_format": "swiss"}, TournamentRules("swiss", 2, 2, rounds=1)),
        (5, {"tournament_format": "swiss", "rounds": 7}, TournamentRules("swiss", 5, 2, rounds=7)),
        (9, {"tournament_format": "knockout"}, TournamentRules("knockout", 9, 2, rounds=4, tie_break_games=4)),
        (8, {"tournament_format": "knockout", "tie_break_games": 0}, TournamentRules("knockout", 8, 2, rounds=3)),
    ],
)
def test_rules_have_the_defaults_of_their_format(engines: int, settings: Any, rules: TournamentRules) -> None:
    assert find_rules(RunSettings(**settings), engines) == rules


@pytest.mark.parametrize(
    ("rules", "planned"),
    [
        (TournamentRules("round-robin", 5, 4), 40),
        (TournamentRules("gauntlet", 5, 4, gauntlet=2), 24),
        (TournamentRules("swiss", 5, 4, rounds=3), 24),
        (TournamentRules("knockout", 5, 4, rounds=3, tie_break_games=4), 16),
    ],
)
def test_number_of_planned_games(rules: TournamentRules, planned: int) -> None:
    assert rules.planned == planned


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"gauntlet": 5}, "gauntlet"),
        ({"gauntlet": 1, "tournament_format": "swiss"}, "gauntlet"),
        ({"gauntlet": 1, "tournament_format": "round-robin"}, "gauntlet"),
        ({"rounds": 3}, "rounds"),
        ({"rounds": 3, "tournament_format": "knockout"}, "rounds"),
        ({"rounds": 2, "tournament_format": "swiss"}, "rounds"),
        ({"tie_break_games": 2}, "tie_break_games"),
        ({"tie_break_games": 2, "tournament_format": "swiss"}, "tie_break_games"),
        ({"tie_break_games": 3, "tournament_format": "knockout"}, "tie_break_games"),
        ({"games": 3, "tournament_format": "swiss"}, "games"),
        ({"games": 1, "tournament_format": "knockout"}, "games"),
        ({"sprt": Sprt(0, 10), "tournament_format": "swiss"}, "sprt"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: Any, field: str) -> None:
    with pytest.raises(RulesError, match=f"^{field}: ") as caught:
        find_rules(RunSettings(**settings), 5)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--format swiss --rounds 1", "--rounds must be 2 or more for 3 engines, not 1"),
        ("--rounds 4", "--rounds is for the format swiss, not round-robin"),
        ("--format knockout --rounds 2", "--rounds is for the format swiss, not knockout"),
        ("--format knockout --tie-break-games 3", "--tie-break-games must be even, not 3"),
        ("--format swiss --tie-break-games 2", "--tie-break-games is for the format knockout, not swiss"),
        ("--format swiss --gauntlet 1", "--gauntlet is for the format gauntlet, not swiss"),
        ("--format swiss --games 3", "--games must be even in the format swiss, not 3"),
        ("--format swiss --rounds 1001", "--rounds must be 1000 or less, not 1001"),
    ],
)
def test_option_that_does_not_fit_the_format_is_named(
    options: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    engines = [part for name in "ABC" for part in ("--engine", f"player=one,name={name}")]
    assert cli.run(["match", "--game", "pile", *engines, *options.split()]) == 2
    assert capsys.readouterr().err == f"pentad: {message}\n"


def test_sequential_test_of_a_swiss_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    engines = ["--engine", "player=one,name=A", "--engine", "player=one,name=B"]
    assert cli.run(["match", "--game", "pile", *engines, "--format", "swiss", "--sprt", "0,10"]) == 2
    assert capsys.readouterr().err == "pentad: --sprt needs the format round-robin, not swiss\n"
