"""The whole kernel set of Hex, as the library builder looks for it (core/native/library.py)."""

from __future__ import annotations

from bots.hex.kernels import paper, proof, study
from bots.hex.kernels.rules import KERNELS

PARTS = (paper, proof, study)  # modules whose kernels belong to the library, too

__all__ = ["KERNELS", "PARTS"]
