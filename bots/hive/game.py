"""Hive's entry in the game registry (bots/registry.py). `Game` in core/play/game.py explains the fields."""

from __future__ import annotations

from bots.hive.notation import VARIANTS, check_setup, format_opening, parse_opening, setup_of_opening
from bots.hive.openings import balanced_openings
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from core.play.game import Game, lazy_attribute
from core.play.player import Setup
from core.play.win_probability import logistic_probability

BENCH = (  # positions of `pentad bench`, as moves (bots/hive/notation.py); the last two use no expansion tiles
    r"wL;bG1 /wL;wA1 wL/;bG2 /bG1;wM wA1-;bB1 \bG2;wQ /wM;bQ bG2\;wS1 wQ\;bB2 bQ/;wG1 \wL;bP bQ\;wG1 bG1-;"
    r"bS1 bQ-;wM /bQ;bS1 wS1-",
    r"wG1;bB1 /wG1;wP \wG1;bM -bB1;wL wP/;bP \bM;wQ wL/;bQ bM\;wA1 wL\;bA1 -bM;wA1 bQ\;bG1 \bP;wM wL\;"
    r"bG1 /wP;wG1 /bQ;bM wQ/;wA2 wQ\;bA1 wA2-",
    r"wL;bL /wL;wM wL/;bQ bL\;wQ wM\;bP bQ-;wA1 \wL;bM bQ\;wP wQ/;bA1 bP\;wA1 bA1\;bS1 -bL;wA2 \wP;"
    r"bS1 \wM;wS1 wQ-;bM wQ\;wQ wP-;bM wQ-;bS1 /wP;bS2 bM/",
    r"wG1;bL wG1/;wP -wG1;bB1 bL/;wQ \wP;bQ bL-;wL /wQ;bA1 \bL;wB1 wG1\;bA1 /wB1;wS1 wB1-;bP bQ-;wA1 wQ/;"
    r"bB1 bL",
    r"wB1;bL /wB1;wL \wB1;bM /bL;wA1 wL-;bQ \bM;wQ -wL;bA1 bL\;wS1 wA1\;bA1 wA1/;wA2 wQ/;bA2 bL\;wA2 /bM;"
    r"bS1 -bQ;wS1 bA2\;bS1 \wQ;wB2 wA1\;bB1 -bQ;wA3 wA2\;bB1 bQ",
    r"wA1;bM /wA1;wL \wA1;bP bM\;wP wL-;bB1 bP-;wQ wP/;bQ /bP;wL \bQ;bB1 wA1\;wS1 -wL;bB1 wP\;wS1 bQ\;"
    r"bB1 wP;wS2 /wS1;wL bM-;wS2 \bQ;bM wQ/",
    r"wG1;bB1 /wG1;wQ wG1/;bB2 -bB1;wB1 -wQ;bG1 \bB2;wA1 wQ\;bQ \bG1;wA1 -bQ;bS1 bB1\;wA2 \wB1;bS1 wQ-;"
    r"wA2 bQ/;bA1 -bB2;wB1 wG1;bS2 bS1\;wG2 wA2/;bS2 wQ/;wG2 /bQ;bA2 /bB2",
    r"wS1;bB1 /wS1;wG1 wS1/;bB2 /bB1;wQ \wG1;bA1 /bB2;wA1 /wQ;bQ bA1\;wG1 -bQ;bQ wG1\;wG2 wQ\;bS1 bB1\;"
    r"wA1 bQ\;bA2 \bB2;wS2 /wQ;bS2 \bA1",
)


SCORE_SCALE = 94  # score at which a side wins 73 %; README.md, section "Win probability"


GAME = Game(
    name="hive",
    title="Hive",
    protocol="uhp",  # Universal Hive Protocol
    executable="pentad-hive",
    variants=VARIANTS[::-1],  # Base+MLP first, because tournaments play it
    default_setup=Setup(variant=VARIANTS[-1]),
    check_setup=check_setup,
    win_probability=lambda score, _: logistic_probability(score, SCORE_SCALE),
    new_position=HivePosition,
    players=lambda: PLAYERS,
    max_plies=lambda _: 400,
    parse_opening=parse_opening,
    format_opening=format_opening,
    setup_of_opening=setup_of_opening,
    repetitions=HivePosition.repetitions,
    make_openings=balanced_openings,
    opening_plies=6,
    book="hive-base-mlp.txt",
    painter=lazy_attribute("bots.hive.pages.painter", "PAINTER"),
    rules_page=lazy_attribute("bots.hive.pages.rules", "SECTIONS"),
    loadable_formats="GameStrings and moves between semicolons",
    records=("uhp", "moves"),
    bench_positions=BENCH,
    bench_depth=9,
)
