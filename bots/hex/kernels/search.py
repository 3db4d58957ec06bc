"""The complete kernel set of Hex. The library builder imports this module (core/native/library.py)."""

from __future__ import annotations

from bots.hex.kernels.paper import search as paper
from bots.hex.kernels.rules import KERNELS
from bots.hex.kernels.solver import proof
from bots.hex.kernels.tree import solver_call

PARTS = (paper, proof, solver_call)  # modules whose kernels belong to the library, too

__all__ = ["KERNELS", "PARTS"]
