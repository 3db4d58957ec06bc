"""Fixtures: the sample kernel set (tests/core/kernels/sample.py) as a native library and under numba."""

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
    """Compile and link the sample kernels for a target; write the manifest beside the library and return its path.

    `level` is a CPU level, as `best_cpu_level` returns it.
    """
    object_file = folder / "sample.o"
    compile_objects(sample.__name__, target, {level: object_file})
    library = folder / f"sample-{level}{library_suffix(target)}"
    link_library(object_file, target, library)
    declared = json.loads(object_file.with_suffix(".json").read_text())
    (folder / f"sample{MANIFEST_SUFFIX}").write_text(json.dumps({**declared, "suffix": library_suffix(target)}))
    return library


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> KernelLibrary:
    """Return the sample kernels as a native library, compiled once per session."""
    folder = tmp_path_factory.mktemp("native")
    level = best_cpu_level()
    build_sample(folder, host_target(), level)
    return open_library(folder, "sample", level)


@pytest.fixture(scope="session")
def njit() -> KernelLibrary:
    """Return the sample kernels compiled by numba in this process."""
    return wrap_kernels(sample.KERNELS)


@pytest.fixture(params=["native", "njit"])
def library(request: pytest.FixtureRequest) -> KernelLibrary:
    """Return the sample kernels; a test with this fixture runs once for each of the two fixtures above."""
    kernels: KernelLibrary = request.getfixturevalue(request.param)
    return kernels
