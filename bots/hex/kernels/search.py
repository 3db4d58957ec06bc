"""The whole kernel set of Hex, as the library builder looks for it (core/native/library.py)."""

from __future__ import annotations

from bots.hex.kernels.paper import search as paper
from bots.hex.kernels.rules import KERNELS
from bots.hex.kernels.solver import proof
from bots.hex.kernels.tree import study

PARTS = (paper, proof, study)  # modules whose kernels belong to the library, too

__all__ = ["KERNELS", "PARTS"]
