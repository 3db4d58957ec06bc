"""Kernels compiled for several state types that differ only in array lengths (`StateType.like`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.native.aot import compile_objects, declarations
from core.native.boundary import stub_text
from core.native.jit import wrap_kernels
from core.native.library import KernelLibrary, open_library
from core.native.library_cache import cpu_levels
from core.native.link import host_target, library_suffix, link_library
from tests.core.kernels import lengths


def native_library(folder: Path) -> KernelLibrary:
    """Compile and open the kernel set as a native library."""
    level = cpu_levels(host_target())[0]
    target, object_file = host_target(), folder / "lengths.o"
    compile_objects("tests.core.kernels.lengths", target, {level: object_file})
    link_library(object_file, target, folder / f"lengths-{level}{library_suffix(target)}")
    manifest = {**json.loads(object_file.with_suffix(".json").read_text()), "suffix": library_suffix(target)}
    (folder / "lengths.json").write_text(json.dumps(manifest))
    return open_library(folder, "lengths", level)


@pytest.mark.parametrize("mode", ["njit", "native"])
def test_the_type_of_the_state_selects_the_kernel(mode: str, tmp_path: Path) -> None:
    library = wrap_kernels(lengths.KERNELS) if mode == "njit" else native_library(tmp_path)
    short, long = library.new("Short"), library.new("Long")
    short.items[:], long.items[:] = [250, 5], range(300)
    assert library.add_up(1, long) == sum(range(300)) + 1
    assert library.add_up(1, short) == 256
    assert (short.total, long.total) == (255, sum(range(300)))
    assert library.double(4) == 8


def test_python_code_sees_one_kernel_name_and_one_class() -> None:
    declared = declarations(lengths.KERNELS)
    assert declared["called"] == {"add_up": "add_up", "add_up_Long": "add_up", "double": "double"}
    lines = stub_text(lengths.KERNELS).splitlines()
    assert "class Long:" not in lines
    assert '    def new(self, record: Literal["Long"], /) -> Short: ...' in lines
    assert [line for line in lines if "add_up" in line] == ["    def add_up(self, extra: int, s: Short, /) -> int: ..."]
