"""The named players of Gomoku, strongest first: name, description for `--help`, class, and options."""

from __future__ import annotations

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.paper.player import PAPER_OPTIONS, RANDOM_OPTIONS, GreedyPlayer, PaperPlayer, RandomPlayer
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind("pentad", "the strongest: threat searches, alpha-beta, a network", GomokuEngine, ENGINE_OPTIONS),
    PlayerKind("paper", "the Waterloo paper's: VCT search, alpha-beta over the best moves", PaperPlayer, PAPER_OPTIONS),
    PlayerKind(
        "greedy", "the best move by the paper's table of patterns, for attack and defence together", GreedyPlayer
    ),
    PlayerKind("random", "any legal move", RandomPlayer, RANDOM_OPTIONS),
)
