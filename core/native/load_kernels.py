"""`load_kernels("gomoku", False)`: return the kernels of a game as a library.

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
def load_kernels(game: str, with_avx512: bool, /) -> Any:
    """Load the library of a game in the mode that PENTAD_KERNELS selects; later calls return the same object.

    `with_avx512` is `Game.has_avx512_kernels`. Callers annotate the result with `Kernels` of the game's
    `kernels/boundary.pyi`, which lists the kernels.
    """
    mode = os.environ.get(MODE_VARIABLE, "native")
    if mode == "njit":
        from core.native.jit import jit_library

        return jit_library(game)
    if mode != "native":
        raise ValueError(f"{MODE_VARIABLE} must be native or njit, not {mode!r}")
    level = best_cpu_level(with_avx512)
    bundle = getattr(sys, "_MEIPASS", None)  # folder with the files of an executable made by PyInstaller
    if bundle is not None:
        return open_library((Path(bundle) / "native").resolve(), game, level, program=Path(sys.executable))
    from core.native.library_cache import cached_library

    return open_library(cached_library(game, level), game, level)
