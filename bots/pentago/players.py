"""Registry of the Pentago players by name, strongest first. The Skövde thesis is S. Jonsson's of 2014."""

from __future__ import annotations

from bots.pentago.engine import ENGINE_OPTIONS, PentagoEngine
from bots.pentago.paper.mcts import MCTS_OPTIONS, MctsPlayer
from bots.pentago.paper.player import (
    ALPHABETA_OPTIONS,
    GENETIC_OPTIONS,
    RANDOM_OPTIONS,
    AlphaBetaPlayer,
    GeneticPlayer,
    GreedyPlayer,
    RandomPlayer,
)
from core.play.player import PlayerKind

PLAYERS = (  # name, text for --help, class, options
    PlayerKind(
        "pentad", "the strongest: alpha-beta, and an exact solver when it can finish", PentagoEngine, ENGINE_OPTIONS
    ),
    PlayerKind("alphabeta", "the Skövde thesis': alpha-beta over rows of marbles", AlphaBetaPlayer, ALPHABETA_OPTIONS),
    PlayerKind("genetic", "the Skövde thesis': genetic minimax over the same rows", GeneticPlayer, GENETIC_OPTIONS),
    PlayerKind("mcts", "Monte-Carlo tree search with random playouts", MctsPlayer, MCTS_OPTIONS),
    PlayerKind("greedy", "the move with the best rows of marbles after it", GreedyPlayer, RANDOM_OPTIONS),
    PlayerKind("random", "any legal move", RandomPlayer, RANDOM_OPTIONS),
)
