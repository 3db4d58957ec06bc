"""Libraries that are built for Windows and macOS: their files are valid and export exactly the kernels."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from core.native.aot import TRIPLES
from core.native.library_cache import build_libraries
from core.native.link import library_suffix, link_library
from tests.core.conftest import build_sample

FOREIGN_TARGETS = [target for target in TRIPLES if target.endswith(("windows", "macos"))]
# Constants of macOS' loader.h and nlist.h, by their names there
MH_DYLIB, LC_SYMTAB, LC_CODE_SIGNATURE = 6, 2, 0x1D
CPU_ARM64 = 0x0100000C
# Load commands that name another library: LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB, LC_LAZY_LOAD_DYLIB
LC_LOADING = (0xC, 0x18 | 1 << 31, 0x1F | 1 << 31, 0x20)
LIBSYSTEM = "/usr/lib/libSystem.B.dylib"
# Symbols of libSystem that a library may import: functions that LLVM calls in place of loops that fill memory, and the
# function that binds symbols at their first call
ALLOWED_IMPORTS = {"___bzero", "_bzero", "_memset_pattern16", "dyld_stub_binder"}
LINKER_SYMBOLS = {"DllMainCRTStartup", "_mh_dylib_header", "__dso_handle"}  # exported without being kernels
N_STAB, N_EXT, N_TYPE, N_PRIVATE = 0xE0, 0x01, 0x0E, 0x10  # bits of a symbol's type in nlist.h


def level_of(target: str) -> str:
    """Return the lowest CPU level of a target."""
    return "x86-64-v2" if target.startswith("x86") else "generic"


def unpack(fields: str, data: bytes, offset: int) -> tuple[int, ...]:
    """Return little-endian integers; `fields` is a format of `struct`."""
    return struct.unpack_from("<" + fields, data, offset)


def text_at(data: bytes, offset: int) -> str:
    """Return a text that ends at a zero byte."""
    return data[offset : data.index(b"\0", offset)].decode("ascii")


def read_pe_exports(data: bytes) -> set[str]:
    """Return the names in the export table of a 64-bit Windows library (Microsoft, "PE Format")."""
    (start,) = unpack("I", data, 0x3C)
    assert data[start : start + 4] == b"PE\0\0"
    count, optional_size = unpack("2xH12xH", data, start + 4)
    optional = start + 24
    assert unpack("H", data, optional) == (0x20B,)  # PE32+
    (export_address,) = unpack("I", data, optional + 112)
    sections = [unpack("IIII", data, optional + optional_size + 40 * index + 8) for index in range(count)]

    def file_offset(address: int) -> int:
        for virtual_size, virtual_address, raw_size, raw_offset in sections:
            if virtual_address <= address < virtual_address + max(virtual_size, raw_size):
                return address - virtual_address + raw_offset
        raise ValueError(f"address {address} is in no section")

    name_count, name_table = unpack("I4xI", data, file_offset(export_address) + 24)
    addresses = (unpack("I", data, file_offset(name_table) + 4 * index)[0] for index in range(name_count))
    return {text_at(data, file_offset(address)) for address in addresses} - LINKER_SYMBOLS


def read_macho_exports(data: bytes) -> set[str]:
    """Return the symbols that a 64-bit macOS library exports, without the leading underscore.

    Formats: Apple, loader.h and nlist.h.
    """
    magic, file_type, command_count = unpack("I8xII", data, 0)
    assert (magic, file_type) == (0xFEEDFACF, MH_DYLIB)
    offset, exports, commands = 32, set(), set()
    for _ in range(command_count):
        command, size = unpack("II", data, offset)
        commands.add(command)
        if command == LC_SYMTAB:
            symbols, count, strings = unpack("III", data, offset + 8)
            for index in range(count):
                name, flags = unpack("IB", data, symbols + 16 * index)
                if flags & N_EXT and flags & N_TYPE and not flags & (N_STAB | N_PRIVATE):
                    exports.add(text_at(data, strings + name).removeprefix("_"))
        offset += size
    # On ARM, macOS kills a process that loads a library without a signature
    assert LC_CODE_SIGNATURE in commands or unpack("I", data, 4) != (CPU_ARM64,)
    return exports - LINKER_SYMBOLS


def check_macho_imports(data: bytes) -> None:
    """Check that a macOS library loads only libSystem, and imports only ALLOWED_IMPORTS."""
    *_, command_count = unpack("I8xII", data, 0)
    offset = 32
    for _ in range(command_count):
        command, size = unpack("II", data, offset)
        if command in LC_LOADING:
            (name,) = unpack("I", data, offset + 8)
            assert text_at(data, offset + name) == LIBSYSTEM
        if command == LC_SYMTAB:
            symbols, count, strings = unpack("III", data, offset + 8)
            for index in range(count):
                name, flags = unpack("IB", data, symbols + 16 * index)
                is_undefined = flags & N_EXT and not flags & (N_TYPE | N_STAB)
                assert not is_undefined or text_at(data, strings + name) in ALLOWED_IMPORTS
        offset += size


def read_exports(target: str, library: Path) -> set[str]:
    """Return the names that a library exports."""
    read = read_pe_exports if target.endswith("windows") else read_macho_exports
    return read(library.read_bytes())


@pytest.mark.parametrize("target", FOREIGN_TARGETS)
def test_the_sample_kernels_cross_build(target: str, tmp_path: Path) -> None:
    library = build_sample(tmp_path, target, level_of(target))
    manifest = json.loads((tmp_path / "sample.json").read_text())
    assert read_exports(target, library) == set(manifest["kernels"])
    if target.endswith("macos"):
        check_macho_imports(library.read_bytes())
    assert {path.name for path in tmp_path.iterdir()} == {library.name, "sample.json", "sample.o"}


@pytest.mark.slow
@pytest.mark.parametrize("target", FOREIGN_TARGETS)
def test_the_gomoku_kernels_cross_build(target: str, tmp_path: Path) -> None:
    build_libraries("gomoku", {level_of(target): tmp_path}, target)
    manifest = json.loads((tmp_path / "gomoku.json").read_text())
    library = tmp_path / f"gomoku-{level_of(target)}{library_suffix(target)}"
    assert read_exports(target, library) == set(manifest["kernels"])
    assert library.stat().st_size < 1 << 20


def test_a_link_error_names_the_undefined_symbol(tmp_path: Path) -> None:
    from core.native.aot import KernelError, emit_object
    from core.native.kernel import KernelSet

    kernels = KernelSet("remainder", ())
    kernels.export("f64(f64, f64)")(remainder)
    compiled = tmp_path / "remainder.o"
    compiled.write_bytes(emit_object(kernels, "x86_64-linux", "x86-64-v2"))
    with pytest.raises(KernelError, match=r"linking remainder\.so failed: .*undefined symbol: fmod"):
        link_library(compiled, "x86_64-linux", tmp_path / "remainder.so")


def remainder(a: float, b: float) -> float:
    """Return a remainder. LLVM compiles it to a call of `fmod` of the C mathematics library."""
    return a % b
