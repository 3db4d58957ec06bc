"""Creation of players from texts such as `paper:depth=2`, and proven results in search info.

KINDS: the player `paper` has the options depth (1 to 8, default 3) and noise, the player `random` has none.
"""

from __future__ import annotations

import pytest

from core.play.options import OptionError
from core.play.player import Progress, build_player
from tests.core.stub import KINDS


@pytest.mark.parametrize(
    ("text", "depth", "noise"),
    [
        ("paper", 3, 0.0),
        ("paper:", 3, 0.0),
        ("paper:2", 2, 0.0),
        (" PAPER : Depth = 2 , noise=0.5 ", 2, 0.5),
        ("paper:2,noise=1", 2, 1.0),
        ("paper:noise=1,,4", 4, 1.0),
    ],
)
def test_a_text_sets_the_options_of_a_player(text: str, depth: int, noise: float) -> None:
    player = build_player(KINDS, text)
    assert dict(player.options) == {"depth": depth, "noise": noise}


def test_players_do_not_share_options() -> None:
    build_player(KINDS, "paper:2")
    assert build_player(KINDS, "paper").options["depth"] == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("papers", "unknown player 'papers'; known: paper, random"),
        ("", "unknown player ''; known: paper, random"),
        ("random:3", "player random takes no parameters, but '3' is given"),
        ("random:depth=3", "unknown option 'depth'; known: none"),
        ("paper:9", "option depth must be a whole number from 1 to 8, not '9'"),
        ("paper:depth=", "option depth must be a whole number from 1 to 8, not ''"),
        ("paper:depth=2,Depth=3", "option depth of player paper is given twice"),
        ("paper:2,depth=3", "option depth of player paper is given twice"),
        ("paper:speed=1", "unknown option 'speed'; known: depth, noise"),
    ],
)
def test_a_wrong_text_raises_an_option_error(text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        build_player(KINDS, text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("progress", "result", "expected"),
    [
        (Progress(depth=5, score=63), "draw", (0, None)),
        (Progress(depth=5, score=31995, win_in=5), "draw", (0, None)),
        (Progress(depth=5, score=31995, win_in=5), "win", (31995, 5)),
        (Progress(depth=5, score=31995, win_in=5), "loss", (31995, None)),
        (Progress(depth=5, score=-31996, win_in=-4), "loss", (-31996, -4)),
    ],
)
def test_a_proven_result_replaces_a_contradicting_claim_of_the_search(
    progress: Progress, result: str, expected: tuple[int, int | None]
) -> None:
    """`expected` are the score and the distance to the win. The scores 31995 and -31996 are a win in 5, a loss in 4."""
    proven = progress.as_proven(result)
    assert (proven.score, proven.win_in, proven.proven_result, proven.depth) == (*expected, result, 5)
