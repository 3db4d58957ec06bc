"""Link an object file into a shared library with the linker of the PyPI package `ziglang`, for every target."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from core.native.aot import TRIPLES, KernelError

SUFFIXES = {"linux": ".so", "windows": ".dll", "macos": ".dylib"}
_LINKER_TARGETS = {  # target -> name of the target for `zig cc`
    "x86_64-linux": "x86_64-linux-gnu",
    "aarch64-linux": "aarch64-linux-gnu",
    "x86_64-windows": "x86_64-windows-gnu",
    "x86_64-macos": "x86_64-macos",
    "aarch64-macos": "aarch64-macos",
}

# The library has no C runtime, but LLVM turns loops into calls of memset and memcpy, so they are defined here. memset
# writes 8-byte words, then the rest; memmove copies single bytes, backwards if the target begins inside the source.
# Speed does not matter, because kernels copy little.
_RUNTIME = """
define hidden ptr @memset(ptr %to, i32 %value, i64 %count) {
entry:
  %byte = trunc i32 %value to i8
  %wide = zext i8 %byte to i64
  %word = mul i64 %wide, 72340172838076673
  %words = and i64 %count, -8
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %words
  br i1 %more, label %body, label %tail
body:
  %at = getelementptr i8, ptr %to, i64 %i
  store i64 %word, ptr %at, align 1
  %i.next = add i64 %i, 8
  br label %head
tail:
  %j = phi i64 [ %words, %head ], [ %j.next, %rest ]
  %left = icmp ult i64 %j, %count
  br i1 %left, label %rest, label %done
rest:
  %spot = getelementptr i8, ptr %to, i64 %j
  store i8 %byte, ptr %spot
  %j.next = add i64 %j, 1
  br label %tail
done:
  ret ptr %to
}
define hidden ptr @memmove(ptr %to, ptr %from, i64 %count) {
entry:
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %gap = sub i64 %a, %b
  %overlaps = icmp ult i64 %gap, %count
  br i1 %overlaps, label %down, label %up
up:
  %i = phi i64 [ 0, %entry ], [ %i.next, %up.body ]
  %up.more = icmp ult i64 %i, %count
  br i1 %up.more, label %up.body, label %done
up.body:
  %up.from = getelementptr i8, ptr %from, i64 %i
  %up.to = getelementptr i8, ptr %to, i64 %i
  %up.byte = load i8, ptr %up.from
  store i8 %up.byte, ptr %up.to
  %i.next = add i64 %i, 1
  br label %up
down:
  %j = phi i64 [ %count, %entry ], [ %k, %down.body ]
  %down.more = icmp ne i64 %j, 0
  br i1 %down.more, label %down.body, label %done
down.body:
  %k = sub i64 %j, 1
  %down.from = getelementptr i8, ptr %from, i64 %k
  %down.to = getelementptr i8, ptr %to, i64 %k
  %down.byte = load i8, ptr %down.from
  store i8 %down.byte, ptr %down.to
  br label %down
done:
  ret ptr %to
}
define hidden ptr @memcpy(ptr %to, ptr %from, i64 %count) {
  %result = call ptr @memmove(ptr %to, ptr %from, i64 %count)
  ret ptr %result
}
"""
_WINDOWS_ENTRY = "define i32 @DllMainCRTStartup(ptr %a, i32 %b, ptr %c) {\n  ret i32 1\n}\n"


def host_target() -> str:
    """Return the target of this machine, a key of `TRIPLES`; raise KernelError if it is not supported."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    target = f"{machine}-{system}"
    if target not in TRIPLES:
        raise KernelError(f"no kernels can be built for {target}; known targets: {', '.join(TRIPLES)}")
    return target


def library_suffix(target: str) -> str:
    """Return the file suffix of a shared library on a target."""
    return SUFFIXES[target.split("-")[1]]


def link_library(object_file: Path, target: str, out: Path) -> None:
    """Link an object file and `_RUNTIME` into the shared library `out`.

    Raise KernelError with the linker's message if that fails.
    """
    with tempfile.TemporaryDirectory() as work:  # linkers for Windows leave an import library beside the result
        runtime, linked = Path(work) / "runtime.o", Path(work) / out.name
        runtime.write_bytes(_runtime_object(target))
        command = [sys.executable, "-m", "ziglang", "cc", "-target", _LINKER_TARGETS[target], "-shared", "-nostdlib"]
        command += [
            "-s",
            "-Wl,-z,defs",
            "-o",
            str(linked),
            str(object_file),
            str(runtime),
        ]  # defs: refuse undefined symbols
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise KernelError(f"linking {out.name} failed: {done.stderr.strip()}")
        shutil.copyfile(linked, out)


def _runtime_object(target: str) -> bytes:
    """Return `_RUNTIME`, with an entry point for Windows, as an object file."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(_RUNTIME + (_WINDOWS_ENTRY if target.endswith("windows") else ""))
    module.triple = TRIPLES[target]
    machine = llvm.Target.from_triple(TRIPLES[target]).create_target_machine(opt=1, reloc="pic", codemodel="default")
    return bytes(machine.emit_object(module))
