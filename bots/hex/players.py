"""The Hex players. The first one is the strongest and the default; the others are those of the PROP paper."""

from __future__ import annotations

from bots.hex.engine import ENGINE_OPTIONS, HexEngine
from bots.hex.paper.player import (
    MINIMAX_OPTIONS,
    NEGAMONTESCOUT_OPTIONS,
    POTENTIALS_OPTIONS,
    QUEENBEE_OPTIONS,
    SEXSEARCH_OPTIONS,
    Minimax,
    NegaMonteScout,
    Potentials,
    QueenBee,
    SexSearch,
)
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind(
        "pentad", "the strongest: MCTS with a network, virtual connections, a solver", HexEngine, ENGINE_OPTIONS
    ),
    PlayerKind(
        "sexsearch",
        "the paper's negascout on a budget that expensive moves use up sooner",
        SexSearch,
        SEXSEARCH_OPTIONS,
    ),
    PlayerKind("queenbee", "the paper's alpha-beta over two-distance potentials", QueenBee, QUEENBEE_OPTIONS),
    PlayerKind(
        "potentials",
        "the paper's cell of least cost by two-distance potentials, no search",
        Potentials,
        POTENTIALS_OPTIONS,
    ),
    PlayerKind(
        "minimax", "the paper's alpha-beta over paths, resistance and virtual connections", Minimax, MINIMAX_OPTIONS
    ),
    PlayerKind(
        "negamontescout",
        "the paper's negascout over a random sample of the moves",
        NegaMonteScout,
        NEGAMONTESCOUT_OPTIONS,
    ),
)
