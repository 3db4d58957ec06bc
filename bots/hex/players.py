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
        "pentad",
        "strongest player: Monte-Carlo tree search with a network, virtual connections and a solver",
        HexEngine,
        ENGINE_OPTIONS,
    ),
    PlayerKind(
        "sexsearch",
        "player of the PROP paper: negascout in which moves of high cost use up more of the depth",
        SexSearch,
        SEXSEARCH_OPTIONS,
    ),
    PlayerKind(
        "queenbee",
        "player of the PROP paper: alpha-beta with an evaluation by two-distance potentials",
        QueenBee,
        QUEENBEE_OPTIONS,
    ),
    PlayerKind(
        "potentials",
        "player of the PROP paper: the cell of least cost by two-distance potentials, without a search",
        Potentials,
        POTENTIALS_OPTIONS,
    ),
    PlayerKind(
        "minimax",
        "player of the PROP paper: alpha-beta over shortest paths, resistance and virtual connections",
        Minimax,
        MINIMAX_OPTIONS,
    ),
    PlayerKind(
        "negamontescout",
        "player of the PROP paper: negascout over a random sample of the moves",
        NegaMonteScout,
        NEGAMONTESCOUT_OPTIONS,
    ),
)
