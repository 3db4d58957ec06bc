"""The whole kernel set of Hex, as the library builder looks for it (core/library.py)."""

from __future__ import annotations

import bots.hex.paper
import bots.hex.proof
import bots.hex.study  # noqa: F401 - these define their kernels, and those of what they import
from bots.hex.rules import KERNELS

__all__ = ["KERNELS"]
