"""The whole kernel set of Hex, as the library builder looks for it (core/library.py)."""

from __future__ import annotations

import bots.hex.paper
import bots.hex.proof  # noqa: F401 - defines its kernels, and those of what it imports
from bots.hex.rules import KERNELS

__all__ = ["KERNELS"]
