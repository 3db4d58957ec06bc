"""Helpers that let the referee play a game between two players in this process."""

from __future__ import annotations

from typing import Any

from arena.referee.adjudicator import Adjudicator
from arena.referee.game import GameSettings, PlayedGame, play_game
from arena.referee.participant import Participant
from arena.terms.clock import TimeControl
from core.play.game import Game
from core.play.player import Player, Setup
from tests.arena.fakes import PILE_GAME

LOOSE_CONTROL = TimeControl(move_ms=5000)  # more than any move of a test takes


def make_participants(first: Player, second: Player) -> tuple[Participant, Participant]:
    """Return participants named `first` and `second`; each keeps its player, even after a fault."""
    return Participant("first", lambda: first), Participant("second", lambda: second)


def play(
    first: Player,
    second: Player,
    control: TimeControl = LOOSE_CONTROL,
    *,
    game: Game = PILE_GAME,
    setup: Setup | None = None,
    adjudicator: Adjudicator | None = None,
    **play_game_arguments: Any,
) -> PlayedGame:
    """Play a game to its end and return it; by default a pile game with a loose time control."""
    settings = GameSettings(game, setup or game.default_setup, control, adjudicator=adjudicator)
    played = play_game(settings, make_participants(first, second), **play_game_arguments)
    assert played is not None
    return played
