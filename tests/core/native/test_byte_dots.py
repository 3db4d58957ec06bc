"""`byte_dots` on every CPU level that this machine has, and under numba, against sums in Python."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from core.native.aot import compile_objects
from core.native.byte_dots import LANES, POSITIVE_TOP, SIGNED_TOP
from core.native.jit import wrap_kernels
from core.native.library import KernelLibrary, best_cpu_level, open_library
from core.native.library_cache import cpu_levels
from core.native.link import host_target, library_suffix, link_library
from tests.core.kernels import dots

ALL_LEVELS = cpu_levels(host_target(), with_avx512=True)
LEVELS = ALL_LEVELS[ALL_LEVELS.index(best_cpu_level(with_avx512=True)) :]


@pytest.fixture(scope="module", params=[*LEVELS, "njit"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> KernelLibrary:
    """Return the kernels, compiled for a CPU level or by numba."""
    level = request.param
    if level == "njit":
        return wrap_kernels(dots.KERNELS)
    folder = tmp_path_factory.mktemp(level)
    target, object_file = host_target(), folder / "dots.o"
    compile_objects(dots.__name__, target, {level: object_file})
    link_library(object_file, target, folder / f"dots-{level}{library_suffix(target)}")
    manifest = {**json.loads(object_file.with_suffix(".json").read_text()), "suffix": library_suffix(target)}
    (folder / "dots.json").write_text(json.dumps(manifest))
    return open_library(folder, "dots", level)


def sum_products(sums: Any, factors: Any) -> list[int]:
    """Return what `byte_dots` computes, in Python's integers."""
    one, other, two, another = factors.tolist()
    products = [a * b + c * d for a, b, c, d in zip(one, other, two, another, strict=True)]
    return [int(start) + sum(products[4 * lane : 4 * lane + 4]) for lane, start in enumerate(sums)]


def test_sums_are_those_of_python(library: KernelLibrary) -> None:
    """The first rows have the greatest and the least sums, which must not be cut off at 16 bits."""
    state = library.new("Dots")
    fields = np.frombuffer(state, dtype=dots.DOTS.dtype())[0]
    rng = np.random.default_rng(1)
    for trial in range(20):
        sums = rng.integers(-(1 << 20), 1 << 20, LANES)
        factors = rng.integers(-SIGNED_TOP, SIGNED_TOP + 1, (4, 4 * LANES))
        factors[::2] = rng.integers(0, POSITIVE_TOP + 1, (2, 4 * LANES))
        if trial < 2:
            factors[::2], factors[1::2] = POSITIVE_TOP, SIGNED_TOP if trial else -SIGNED_TOP
        fields["sums"], fields["factors"] = sums, factors
        library.add_dots(state)
        assert fields["sums"].tolist() == sum_products(sums, factors)
