"""The named players of Kolibrat, strongest first."""

from __future__ import annotations

from bots.kolibrat.engine import ENGINE_OPTIONS, KolibratEngine
from bots.kolibrat.paper.player import MINIMAX_OPTIONS, RANDOM_OPTIONS, Greedy, Minimax, Random
from core.play.player import PlayerKind

PLAYERS = (
    PlayerKind("pentad", "our strongest: perfect on solved boards, else alpha-beta", KolibratEngine, ENGINE_OPTIONS),
    PlayerKind("minimax", "the DTU thesis' agent: alpha-beta to a time or depth", Minimax, MINIMAX_OPTIONS),
    PlayerKind("greedy", "the best by the thesis' evaluation after one move", Greedy, RANDOM_OPTIONS),
    PlayerKind("random", "any legal move", Random, RANDOM_OPTIONS),
)
