"""The named players of Gomoku, strongest first."""

from __future__ import annotations

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.paper.player import PAPER_OPTIONS, RANDOM_OPTIONS, Greedy, Paper, RandomPlayer
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind("pentad", "our strongest: pattern tables, threats, alpha-beta", GomokuEngine, ENGINE_OPTIONS),
    PlayerKind("paper", "the Waterloo paper's: kill search, then alpha-beta over best points", Paper, PAPER_OPTIONS),
    PlayerKind("greedy", "the best point by the paper's table of patterns, for attack and defence together", Greedy),
    PlayerKind("random", "any legal move", RandomPlayer, RANDOM_OPTIONS),
)
