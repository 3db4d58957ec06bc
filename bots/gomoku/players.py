"""The named players of Gomoku, strongest first."""

from __future__ import annotations

from bots.gomoku.engine import ENGINE_OPTIONS, Engine
from core.player import PlayerKind

PLAYERS = (PlayerKind("pentad", "our strongest: pattern tables, threats, alpha-beta", Engine, ENGINE_OPTIONS),)
