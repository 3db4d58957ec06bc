"""Default levels of the opponents on the play page."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.web.play.opponents import list_opponents
from bots.registry import GAMES
from core.search.engine_options import MAX_LEVEL


def test_default_level_comes_from_the_engine_then_from_the_command_line() -> None:
    """Regression: the default level used to replace the level in an engine's text when the player was started."""
    texts = ["player=pentad,option.level=3,name=weak", "player=pentad,name=other", "player=pentad:level=2,name=fixed"]
    levels = {opponent.name: opponent.level for opponent in list_opponents(GAMES["gomoku"], texts, 7)}
    assert (levels["weak"], levels["other"], levels["fixed"]) == (3, 7, None)
    assert (levels["pentad"], levels["random"]) == (7, None)


def test_our_players_have_the_highest_level_by_default() -> None:
    levels = {opponent.name: opponent.level for opponent in list_opponents(GAMES["gomoku"], [], None)}
    assert (levels["pentad"], levels["random"]) == (MAX_LEVEL, None)


def test_level_without_an_engine_that_has_levels_is_refused() -> None:
    with pytest.raises(UsageError, match="--level needs an engine with levels"):
        list_opponents(GAMES["gomoku"], ["player=random"], 3)
