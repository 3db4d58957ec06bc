"""Registry of the Hive players by name, strongest first."""

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

PLAYERS = (  # name, text for --help, class, options
    PlayerKind("pentad", "the strongest player: alpha-beta search", HiveEngine, ENGINE_OPTIONS),
    PlayerKind("alphabeta", "alpha-beta to a fixed depth (Pettersson 2014)", AlphaBeta, ALPHABETA_OPTIONS),
    PlayerKind("minimax", "minimax; random move within delta of the best (Pettersson 2014)", Minimax, MINIMAX_OPTIONS),
    PlayerKind("greedy", "the move with the best evaluation after one ply (Pettersson 2014)", Greedy, RANDOM_OPTIONS),
    PlayerKind(
        "aggro", "a move that adds a tile beside the enemy queen, or any (Pettersson 2014)", Aggro, RANDOM_OPTIONS
    ),
    PlayerKind("random", "a random legal move", Random, RANDOM_OPTIONS),
)
