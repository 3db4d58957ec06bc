"""Registry of the Kolibrat players by name, strongest first."""

from __future__ import annotations

from bots.kolibrat.engine import ENGINE_OPTIONS, KolibratEngine
from bots.kolibrat.paper.player import MINIMAX_OPTIONS, RANDOM_OPTIONS, Greedy, Minimax, Random
from core.play.player import PlayerKind

PLAYERS = (  # name, text for --help, class, options
    PlayerKind("pentad", "the strongest player: perfect on solved boards", KolibratEngine, ENGINE_OPTIONS),
    PlayerKind("minimax", "alpha-beta to a time or depth (Lindberg 2007)", Minimax, MINIMAX_OPTIONS),
    PlayerKind("greedy", "the move with the best evaluation after one ply", Greedy, RANDOM_OPTIONS),
    PlayerKind("random", "a random legal move", Random, RANDOM_OPTIONS),
)
