"""The named players of Hex, strongest first."""

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
    PlayerKind("pentad", "our strongest: tree search, virtual connections, proofs", HexEngine, ENGINE_OPTIONS),
    PlayerKind("sexsearch", "the paper's search on a budget that costly moves use up", SexSearch, SEXSEARCH_OPTIONS),
    PlayerKind("queenbee", "the paper's alpha-beta over two-distance potentials", QueenBee, QUEENBEE_OPTIONS),
    PlayerKind("potentials", "the cell of least cost by these potentials", Potentials, POTENTIALS_OPTIONS),
    PlayerKind("minimax", "the paper's paths, resistance and virtual connections", Minimax, MINIMAX_OPTIONS),
    PlayerKind(
        "negamontescout",
        "the paper's search of a random part of the moves",
        NegaMonteScout,
        NEGAMONTESCOUT_OPTIONS,
    ),
)
