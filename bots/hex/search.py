"""The whole kernel set of Hex, as the library builder looks for it (core/library.py): so far its rules alone."""

from __future__ import annotations

from bots.hex.rules import KERNELS

__all__ = ["KERNELS"]
