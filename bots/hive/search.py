"""The whole kernel set of Hive, as the library builder looks for it (core/library.py): rules and thesis players."""

from __future__ import annotations

import bots.hive.thesis  # noqa: F401 - defines its kernels, for the library is all that this module knows
from bots.hive.rules import KERNELS

__all__ = ["KERNELS"]
