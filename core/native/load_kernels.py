"""`load_kernels("gomoku")`: the kernels of a game, from wherever they are to be had.

In an executable the native library lies in the bundle. From a source tree or a plain `pip install` it is built once
into the user's cache folder. `PENTAD_KERNELS=njit` runs the same kernels in this process under numba (tests, tuning).
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
    """The library of a game, in the mode that the environment asks for. A second call gives the same object.

    Who calls it says which kernels it has: those of the game's `kernels/boundary.pyi`.
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
