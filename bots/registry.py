"""The games: one row each. A sixth game is one folder here, one row here and one in `build.spec`."""

from __future__ import annotations

from collections.abc import Iterator

from bots.gomoku.notation import VARIANTS as GOMOKU_VARIANTS
from bots.gomoku.notation import check_setup as check_gomoku_setup
from bots.gomoku.notation import format_position as format_gomoku_position
from bots.gomoku.notation import parse_opening as parse_gomoku_opening
from bots.gomoku.openings import balanced_openings
from bots.gomoku.openings import list_images as list_gomoku_images
from bots.gomoku.players import PLAYERS as GOMOKU_PLAYERS
from bots.gomoku.position import GomokuPosition
from bots.hex.notation import VARIANTS as HEX_VARIANTS
from bots.hex.notation import check_setup as check_hex_setup
from bots.hex.notation import parse_opening as parse_hex_opening
from bots.hex.openings import balanced_openings as balanced_hex_openings
from bots.hex.players import PLAYERS as HEX_PLAYERS
from bots.hex.position import HexPosition
from bots.hex.solver.solve import prove as prove_hex
from bots.hex.symmetry import list_images as list_hex_images
from bots.hive.notation import VARIANTS as HIVE_VARIANTS
from bots.hive.notation import check_setup as check_hive_setup
from bots.hive.notation import find_setup as find_hive_setup
from bots.hive.notation import format_opening as format_hive_opening
from bots.hive.notation import parse_opening as parse_hive_opening
from bots.hive.openings import balanced_openings as balanced_hive_openings
from bots.hive.players import PLAYERS as HIVE_PLAYERS
from bots.hive.position import HivePosition
from bots.kolibrat.notation import DEFAULT_VARIANT as KOLIBRAT_DEFAULT
from bots.kolibrat.notation import VARIANTS as KOLIBRAT_VARIANTS
from bots.kolibrat.notation import check_setup as check_kolibrat_setup
from bots.kolibrat.openings import balanced_openings as balanced_kolibrat_openings
from bots.kolibrat.players import PLAYERS as KOLIBRAT_PLAYERS
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.squares import DRAW_PLIES as KOLIBRAT_DRAW_PLIES
from bots.pentago.notation import check_setup as check_pentago_setup
from bots.pentago.notation import parse_opening as parse_pentago_opening
from bots.pentago.openings import balanced_openings as balanced_pentago_openings
from bots.pentago.players import PLAYERS as PENTAGO_PLAYERS
from bots.pentago.position import PentagoPosition
from bots.pentago.symmetry import list_images as list_pentago_images
from core.play.game import Game, ProofCase
from core.play.player import Setup, build_player

GOMOKU_BENCH = (
    "h8i9g7i7j8",
    "h8h9g7i9j8g9f9i6",
    "h8i8h9h10i9g9j10k11",
    "h8g9i9i7g8j8h10h7f8e8",
    "h8i7i9g7h10h7j9j7f7g10",
    "h8h7i7g9j6k5i9i8g8f7h10k8",
)
HIVE_BENCH = (  # the last two without expansions in play
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
HEX_BENCH = ("c2 j10 d8", "e7 f5 d5 g7 h3 c8", "a10 g5 e6 f7 d9 h8 i4 c9", "f6 e7 g5 h5 d8 c10 f8 e10 i3 h8")
HEX_SMALL = Setup(7, 7, HEX_VARIANTS[0])
HEX_PROOFS = (  # the first two to their end
    ProofCase(HEX_SMALL, "b2", 100_000),
    ProofCase(HEX_SMALL, "f3", 100_000),
    ProofCase(Setup(11, 11, HEX_VARIANTS[0]), HEX_BENCH[3], 300),
)
PENTAGO_BENCH = (
    "",
    "c3t d4v",
    "b1s e2u a4y d5w",
    "c2t c4s a2s e5v d1u b6y",
    "e3v a3t d4x c5z f2u b1s a6y e6w",
)
KOLIBRAT_BENCH = (
    "b1 c4 b1a2 c4b3 c1 a4 b1 b4 c1b2 c4 c1 b4a3",
    "b1 a4 b1c2 a4b3 a1 b4 b1 c4",
    "b1 a4 b1c2 b4 a1 a4b3 a1b2 b3a2 b2a3",
    "a1 a4 b1 b4 a1b2",
    "a1 b4 c1 c4 c1b2",
    "c1 a4 a1 a4b3 b1 b3a2 a1a3 a4 c1b2 a4a3 c1 a4 b1c2",
)


def _make_hive_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    player = build_player(HIVE_PLAYERS, HIVE_PLAYERS[0].name)
    return balanced_hive_openings(player, setup, plies, depth, seed)


GAMES: dict[str, Game] = {
    "gomoku": Game(
        name="gomoku",
        title="Gomoku",
        protocol="gomocup",
        executable="pbrain-pentad",
        variants=tuple(GOMOKU_VARIANTS),
        default_setup=Setup(15, 15, "freestyle"),
        check_setup=check_gomoku_setup,
        new_position=GomokuPosition,
        players=lambda: GOMOKU_PLAYERS,
        max_plies=lambda setup: setup.width * setup.height,
        usual_tc="30/180",  # Gomocup's
        usual_margin_ms=1000,
        symbols=("X", "O"),
        parse_opening=parse_gomoku_opening,
        format_opening=lambda moves, _: format_gomoku_position(moves),
        make_openings=balanced_openings,
        images=list_gomoku_images,
        book="gomoku-freestyle-15.txt",
        records=("psq", "sgf"),
        bench_positions=GOMOKU_BENCH,
        bench_depth=10,
    ),
    "hex": Game(
        name="hex",
        title="Hex",
        protocol="gtp",
        executable="pentad-hex",
        variants=HEX_VARIANTS,
        default_setup=Setup(11, 11, HEX_VARIANTS[0]),
        check_setup=check_hex_setup,
        new_position=HexPosition,
        players=lambda: HEX_PLAYERS,
        max_plies=lambda setup: setup.width * setup.height + 1,  # a swap is a move without a new stone
        symbols=("X", "O"),
        parse_opening=parse_hex_opening,
        make_openings=balanced_hex_openings,
        book="hex-11.txt",
        images=list_hex_images,
        records=("sgf",),
        bench_positions=HEX_BENCH,
        bench_depth=9,  # 51,200 playouts
        bench_setups=(HEX_SMALL,),
        bench_proofs=HEX_PROOFS,
        prove=prove_hex,
    ),
    "hive": Game(
        name="hive",
        title="Hive",
        protocol="uhp",
        executable="pentad-hive",
        variants=HIVE_VARIANTS[::-1],  # first the whole game, as tournaments play it
        default_setup=Setup(variant=HIVE_VARIANTS[-1]),
        check_setup=check_hive_setup,
        new_position=HivePosition,
        players=lambda: HIVE_PLAYERS,
        max_plies=lambda _: 400,
        parse_opening=parse_hive_opening,
        format_opening=format_hive_opening,
        find_setup=find_hive_setup,
        repetitions=HivePosition.repetitions,
        make_openings=_make_hive_openings,
        book="hive-base-mlp.txt",
        records=("uhp", "moves"),
        bench_positions=HIVE_BENCH,
        bench_depth=9,
    ),
    "pentago": Game(
        name="pentago",
        title="Pentago",
        protocol="gtp",
        executable="pentad-pentago",
        variants=("pentago",),
        default_setup=Setup(6, 6, "pentago"),
        check_setup=check_pentago_setup,
        new_position=PentagoPosition,
        players=lambda: PENTAGO_PLAYERS,
        max_plies=lambda _: 36,
        parse_opening=parse_pentago_opening,
        make_openings=balanced_pentago_openings,
        book="pentago.txt",
        images=list_pentago_images,
        bench_positions=PENTAGO_BENCH,
        bench_depth=9,
    ),
    "kolibrat": Game(
        name="kolibrat",
        title="Kolibrat",
        protocol="gtp",
        executable="pentad-kolibrat",
        variants=KOLIBRAT_VARIANTS,
        default_setup=Setup(variant=KOLIBRAT_DEFAULT),
        check_setup=check_kolibrat_setup,
        new_position=KolibratPosition,
        players=lambda: KOLIBRAT_PLAYERS,
        max_plies=lambda _: KOLIBRAT_DRAW_PLIES,
        symbols=("r", "b"),
        make_openings=balanced_kolibrat_openings,
        bench_positions=KOLIBRAT_BENCH,
        bench_depth=12,
    ),
}
