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
        "pentad",
        "strongest player: alpha-beta, and an exact solver near the end of the game",
        PentagoEngine,
        ENGINE_OPTIONS,
    ),
    PlayerKind(
        "alphabeta",
        "alpha-beta with an evaluation of rows of marbles (Jonsson 2014)",
        AlphaBetaPlayer,
        ALPHABETA_OPTIONS,
    ),
    PlayerKind(
        "genetic",
        "genetic minimax with the same evaluation (Hong, Huang and Lin 2001; Jonsson 2014)",
        GeneticPlayer,
        GENETIC_OPTIONS,
    ),
    PlayerKind("mcts", "Monte-Carlo tree search with random playouts", MctsPlayer, MCTS_OPTIONS),
    PlayerKind(
        "greedy", "the move with the best evaluation by the same rows after one ply", GreedyPlayer, RANDOM_OPTIONS
    ),
    PlayerKind("random", "a random legal move", RandomPlayer, RANDOM_OPTIONS),
)
