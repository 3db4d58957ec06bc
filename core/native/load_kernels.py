"""`load_kernels("gomoku")`: return the kernels of a game as a library.

An executable carries the native library. Otherwise (source tree, `pip install`) it is compiled on first use into the
user's cache folder. `PENTAD_KERNELS=njit` runs the same kernels in this process under numba (tests, tuning).
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from core.native.library import best_cpu_level, open_library

MODE_VARIABLE = "PENTAD_KERNELS"  # `native` (default) or `njit`


@cache
def load_kernels(game: str) -> Any:
    """Load the library of a game in the mode that PENTAD_KERNELS selects; later calls return the same object.

    Callers annotate the result with `Kernels` of the game's `kernels/boundary.pyi`, which lists the kernels.
    """
    mode = os.environ.get(MODE_VARIABLE, "native")
    if mode == "njit":
        from core.native.jit import jit_library

        return jit_library(game)
    if mode != "native":
        raise ValueError(f"{MODE_VARIABLE} wants native or njit, not {mode!r}")
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return open_library(
            (Path(bundle) / "native").resolve(), game, best_cpu_level(game), program=Path(sys.executable)
        )
    from core.native.library_cache import cached_library

    level = best_cpu_level(game)
    return open_library(cached_library(game, level), game, level)
