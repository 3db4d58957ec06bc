"""The named players of Pentago, strongest first."""

from __future__ import annotations

from bots.pentago.engine import ENGINE_OPTIONS, PentagoEngine
from bots.pentago.paper.mcts import MCTS_OPTIONS, Mcts
from bots.pentago.paper.player import (
    ALPHABETA_OPTIONS,
    GENETIC_OPTIONS,
    RANDOM_OPTIONS,
    AlphaBeta,
    Genetic,
    Greedy,
    Random,
)
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind(
        "pentad", "our strongest: alpha-beta, and an exact solver when it can finish", PentagoEngine, ENGINE_OPTIONS
    ),
    PlayerKind("alphabeta", "the thesis': alpha-beta over rows of marbles", AlphaBeta, ALPHABETA_OPTIONS),
    PlayerKind("genetic", "the thesis': genetic minimax over the same rows", Genetic, GENETIC_OPTIONS),
    PlayerKind("mcts", "Monte-Carlo tree search with random playouts", Mcts, MCTS_OPTIONS),
    PlayerKind("greedy", "the best rows after one move", Greedy, RANDOM_OPTIONS),
    PlayerKind("random", "any legal move", Random, RANDOM_OPTIONS),
)
