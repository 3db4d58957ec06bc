"""Games between two players in the process of the test, played by the referee."""

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
    """Return the participants `first` and `second`; they never get a new player."""
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
    """Play a game, which must not be interrupted; by default a pile game with a loose time control."""
    settings = GameSettings(game, setup or game.default_setup, control, adjudicator=adjudicator)
    played = play_game(settings, make_participants(first, second), **play_game_arguments)
    assert played is not None
    return played
