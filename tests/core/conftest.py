"""Fixtures: the sample kernel set, compiled natively once per session and wrapped for numba."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.native.aot import compile_objects
from core.native.jit import wrap_kernels
from core.native.library import MANIFEST_SUFFIX, KernelLibrary, best_cpu_level, open_library
from core.native.link import host_target, library_suffix, link_library
from tests.core.kernels import sample


def build_sample(folder: Path, target: str, level: str) -> Path:
    """Compile and link the sample kernels for a target; return the library, with the manifest beside it."""
    compiled = folder / "sample.o"
    compile_objects(sample.__name__, target, {level: compiled})
    library = folder / f"sample-{level}{library_suffix(target)}"
    link_library(compiled, target, library)
    declared = json.loads(compiled.with_suffix(".json").read_text())
    (folder / f"sample{MANIFEST_SUFFIX}").write_text(json.dumps({**declared, "suffix": library_suffix(target)}))
    return library


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> KernelLibrary:
    """The sample kernels as a native library."""
    folder = tmp_path_factory.mktemp("native")
    level = best_cpu_level("sample")
    build_sample(folder, host_target(), level)
    return open_library(folder, "sample", level)


@pytest.fixture(scope="session")
def njit() -> KernelLibrary:
    """The sample kernels under numba."""
    return wrap_kernels(sample.KERNELS)


@pytest.fixture(params=["native", "njit"])
def library(request: pytest.FixtureRequest) -> KernelLibrary:
    """The sample kernels in each of the two ways."""
    found: KernelLibrary = request.getfixturevalue(request.param)
    return found
