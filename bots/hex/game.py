"""Registration of Hex: what the rest of the project needs to know about the game."""

from __future__ import annotations

from bots.hex.notation import VARIANTS, check_setup, parse_opening
from bots.hex.openings import balanced_openings
from bots.hex.players import PLAYERS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import solve_case
from bots.hex.symmetry import list_symmetries
from core.play.game import Game, ProofCase, SgfDialect, lazy_attribute
from core.play.player import Setup
from core.play.win_probability import logistic_probability

# What `pentad bench` searches: positions after opening lines on 11x11, an empty board of 7x7, and positions to prove.
BENCH_LINES = ("c2 j10 d8", "e7 f5 d5 g7 h3 c8", "a10 g5 e6 f7 d9 h8 i4 c9", "f6 e7 g5 h5 d8 c10 f8 e10 i3 h8")
SMALL_SETUP = Setup(7, 7, VARIANTS[0])
BENCH_PROOFS = (  # setup, opening line, node limit; the first two are solved before the limit
    ProofCase(SMALL_SETUP, "b2", 100_000),
    ProofCase(SMALL_SETUP, "f3", 100_000),
    ProofCase(Setup(11, 11, VARIANTS[0]), BENCH_LINES[3], 300),
)
SCORE_SCALE = 1986  # score at which a side wins 73 %; README.md, section "Win probability"
GAME = Game(
    name="hex",
    title="Hex",
    protocol="gtp",
    has_avx512_kernels=HexPosition.has_avx512_kernels,
    executable="pentad-hex",
    variants=VARIANTS,
    default_setup=Setup(11, 11, VARIANTS[0]),
    check_setup=check_setup,
    win_probability=lambda score, _: logistic_probability(score, SCORE_SCALE),
    new_position=HexPosition,
    players=lambda: PLAYERS,
    max_plies=lambda setup: setup.width * setup.height + 1,  # one more than the cells: a swap adds no stone
    symbols=("X", "O"),
    parse_opening=parse_opening,
    make_openings=balanced_openings,
    opening_plies=2,
    opening_depth=6,
    book="hex-11.txt",
    symmetries=list_symmetries,
    gtp=lazy_attribute("bots.hex.gtp", "GTP"),
    painter=lazy_attribute("bots.hex.pages.painter", "PAINTER"),
    rules_page=lazy_attribute("bots.hex.pages.rules", "SECTIONS"),
    loadable_formats="cells (c2 f6 d4), .sgf and positions (b1w/3/2b w)",
    sgf=SgfDialect(11),  # GM[11]
    records=("sgf",),
    bench_positions=BENCH_LINES,
    bench_depth=5,  # 3,200 evaluations by the network in each position
    bench_setups=(SMALL_SETUP,),
    bench_proofs=BENCH_PROOFS,
    prove=solve_case,
)
