"""The named players of Hive, strongest first."""

from __future__ import annotations

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.paper.player import (
    ALPHABETA_OPTIONS,
    MINIMAX_OPTIONS,
    RANDOM_OPTIONS,
    Aggro,
    AlphaBeta,
    Greedy,
    Minimax,
    Random,
)
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind("pentad", "our strongest: alpha-beta over queens, pins and attackers", HiveEngine, ENGINE_OPTIONS),
    PlayerKind("alphabeta", "the KTH thesis' strongest: alpha-beta to a fixed depth", AlphaBeta, ALPHABETA_OPTIONS),
    PlayerKind("minimax", "the thesis' full search, any move within delta of the best", Minimax, MINIMAX_OPTIONS),
    PlayerKind("greedy", "the best by the thesis' evaluation after one move", Greedy, RANDOM_OPTIONS),
    PlayerKind("aggro", "a move that adds a tile round the enemy queen, else any", Aggro, RANDOM_OPTIONS),
    PlayerKind("random", "any legal move", Random, RANDOM_OPTIONS),
)
