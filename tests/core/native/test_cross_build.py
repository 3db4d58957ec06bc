"""Libraries for other systems: each file format is valid and exports exactly the kernels."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from core.native.aot import TRIPLES
from core.native.library_cache import build_libraries
from core.native.link import library_suffix, link_library
from tests.core.conftest import build_sample

CROSS = [target for target in TRIPLES if target.endswith(("windows", "macos"))]
MH_DYLIB, LC_SYMTAB, LC_CODE_SIGNATURE = 6, 2, 0x1D
CPU_ARM64 = 0x0100000C
LC_LOADING = (0xC, 0x18 | 1 << 31, 0x1F | 1 << 31, 0x20)  # a library: needed, weak, passed on, when first used
LIBSYSTEM = "/usr/lib/libSystem.B.dylib"
# What LLVM makes of loops that fill, on macOS alone, and what binds such symbols when they are first called.
OF_LIBSYSTEM = {"___bzero", "_bzero", "_memset_pattern16", "dyld_stub_binder"}
LINKERS_OWN = {"DllMainCRTStartup", "_mh_dylib_header", "__dso_handle"}
N_STAB, N_EXT, N_TYPE, N_PRIVATE = 0xE0, 0x01, 0x0E, 0x10


def level_of(target: str) -> str:
    return "x86-64-v2" if target.startswith("x86") else "generic"


def unpack(form: str, data: bytes, offset: int) -> tuple[int, ...]:
    return struct.unpack_from("<" + form, data, offset)


def text_at(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode("ascii")


def read_pe_exports(data: bytes) -> set[str]:
    """Names in the export table of a 64-bit Windows library (Microsoft, "PE Format")."""
    (start,) = unpack("I", data, 0x3C)
    assert data[start : start + 4] == b"PE\0\0"
    count, optional_size = unpack("2xH12xH", data, start + 4)
    optional = start + 24
    assert unpack("H", data, optional) == (0x20B,)  # PE32+
    (export_address,) = unpack("I", data, optional + 112)
    sections = [unpack("IIII", data, optional + optional_size + 40 * index + 8) for index in range(count)]

    def place(address: int) -> int:
        size_start_raw = next(s for s in sections if s[1] <= address < s[1] + max(s[0], s[2]))
        return address - size_start_raw[1] + size_start_raw[3]

    names, table = unpack("I4xI", data, place(export_address) + 24)
    found = {text_at(data, place(unpack("I", data, place(table) + 4 * index)[0])) for index in range(names)}
    return found - LINKERS_OWN


def read_macho_exports(data: bytes) -> set[str]:
    """Names of the defined external symbols of a 64-bit macOS library (Apple, loader.h, nlist.h), less underscore."""
    magic, kind, commands = unpack("I8xII", data, 0)
    assert (magic, kind) == (0xFEEDFACF, MH_DYLIB)
    offset, exports, seen = 32, set(), set()
    for _ in range(commands):
        command, size = unpack("II", data, offset)
        seen.add(command)
        if command == LC_SYMTAB:
            symbols, count, strings = unpack("III", data, offset + 8)
            for index in range(count):
                name, flags = unpack("IB", data, symbols + 16 * index)
                if flags & N_EXT and flags & N_TYPE and not flags & (N_STAB | N_PRIVATE):
                    exports.add(text_at(data, strings + name).removeprefix("_"))
        offset += size
    assert LC_CODE_SIGNATURE in seen or unpack("I", data, 4) != (CPU_ARM64,)  # else the system kills who loads it
    return exports - LINKERS_OWN


def check_macho_imports(data: bytes) -> None:
    """Nothing is asked for but the one library that every macOS program has, and of that few symbols."""
    *_, commands = unpack("I8xII", data, 0)
    offset = 32
    for _ in range(commands):
        command, size = unpack("II", data, offset)
        if command in LC_LOADING:
            (name,) = unpack("I", data, offset + 8)
            assert text_at(data, offset + name) == LIBSYSTEM
        if command == LC_SYMTAB:
            symbols, count, strings = unpack("III", data, offset + 8)
            for index in range(count):
                name, flags = unpack("IB", data, symbols + 16 * index)
                is_undefined = flags & N_EXT and not flags & (N_TYPE | N_STAB)
                assert not is_undefined or text_at(data, strings + name) in OF_LIBSYSTEM
        offset += size


def read_exports(target: str, library: Path) -> set[str]:
    read = read_pe_exports if target.endswith("windows") else read_macho_exports
    return read(library.read_bytes())


@pytest.mark.parametrize("target", CROSS)
def test_the_sample_kernels_cross_build(target: str, tmp_path: Path) -> None:
    library = build_sample(tmp_path, target, level_of(target))
    manifest = json.loads((tmp_path / "sample.json").read_text())
    assert read_exports(target, library) == set(manifest["kernels"])
    if target.endswith("macos"):
        check_macho_imports(library.read_bytes())
    assert {path.name for path in tmp_path.iterdir()} == {library.name, "sample.json", "sample.o"}


@pytest.mark.slow
@pytest.mark.parametrize("target", CROSS)
def test_the_gomoku_kernels_cross_build(target: str, tmp_path: Path) -> None:
    build_libraries("gomoku", {level_of(target): tmp_path}, target)
    manifest = json.loads((tmp_path / "gomoku.json").read_text())
    library = tmp_path / f"gomoku-{level_of(target)}{library_suffix(target)}"
    assert read_exports(target, library) == set(manifest["kernels"])
    assert library.stat().st_size < 1 << 20


def test_what_the_linker_cannot_find_is_told(tmp_path: Path) -> None:
    from core.native.aot import KernelError, emit_object
    from core.native.kernel import KernelSet

    kernels = KernelSet("remainder", ())
    kernels.export("f64(f64, f64)")(remainder)
    compiled = tmp_path / "remainder.o"
    compiled.write_bytes(emit_object(kernels, "x86_64-linux", "x86-64-v2"))
    with pytest.raises(KernelError, match=r"linking remainder\.so failed: .*undefined symbol: fmod"):
        link_library(compiled, "x86_64-linux", tmp_path / "remainder.so")


def remainder(a: float, b: float) -> float:
    """LLVM has an operation for this, which becomes a call of the C mathematics library."""
    return a % b
