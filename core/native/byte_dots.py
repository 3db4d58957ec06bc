"""Sums of products of bytes, for which CPUs have instructions that LLVM does not use by itself.

    byte_dots(sums, one, other, two, another)[i] = sums[i] + one[4i] other[4i] + ... + one[4i + 3] other[4i + 3]
                                                           + two[4i] another[4i] + ... + two[4i + 3] another[4i + 3]

`sums` is a vector of LANES int32; the others are vectors of 4 LANES int8. Numbers in `one` and `two` must lie in
0..POSITIVE_TOP, those in `other` and `another` in -SIGNED_TOP..SIGNED_TOP: then the sum of four products fits into
int16, where AVX2 and NEON add them.

`emit_byte_dots` emits a call of this function, and a portable version of it, which numba uses. When kernels are
compiled ahead of time, the version of `functions_for_level` takes its place and is inlined. `emit_has_many_registers`
works in the same way; the branch that its constant result does not take is then removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from core.native.library import AVX512_LEVEL

LANES = 16
POSITIVE_TOP, SIGNED_TOP = 127, 63
NAME = "byte_dots"
MANY_REGISTERS = "has_many_registers"
_BYTES, _BIT = 4 * LANES, ir.IntType(1)
_SUMS, _OPERAND = ir.VectorType(ir.IntType(32), LANES), ir.VectorType(ir.IntType(8), _BYTES)
_FACTORS = (("one", "other"), ("two", "another"))
# Level -> width of its vectors in bits, and the instructions that multiply bytes and add two products, and that
# add two int16
_PAIR_INSTRUCTIONS = {
    "x86-64-v3": (256, "llvm.x86.avx2.pmadd.ub.sw", "llvm.x86.avx2.pmadd.wd"),
    "x86-64-v2": (128, "llvm.x86.ssse3.pmadd.ub.sw.128", "llvm.x86.sse2.pmadd.wd"),
}


def emit_byte_dots(builder: Any, sums: Any, factors: Sequence[Any]) -> Any:
    """Emit a call of `byte_dots` and return its value. `factors` are its other four arguments."""
    module = builder.module
    return builder.call(module.globals.get(NAME) or _define_portable(module), [sums, *factors])


def emit_has_many_registers(builder: Any) -> Any:
    """Emit a call that returns, as one bit, whether the CPU level has 32 registers that hold LANES int32 each."""
    module = builder.module
    function = module.globals.get(MANY_REGISTERS)
    if function is None:
        function = _declare_portable(module, MANY_REGISTERS, ir.FunctionType(_BIT, []))
        ir.IRBuilder(function.append_basic_block()).ret(ir.Constant(_BIT, 0))
    return builder.call(function, [])


def _declare_portable(module: Any, name: str, kind: Any) -> Any:
    """Add a function without code to a module, and return it.

    Any other version takes precedence when modules are linked; it must not be inlined before.
    """
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    return function


def _define_portable(module: Any) -> Any:
    """Add the portable version of `byte_dots` to a module, and return it."""
    function = _declare_portable(module, NAME, ir.FunctionType(_SUMS, [_SUMS, *[_OPERAND] * 4]))
    builder = ir.IRBuilder(function.append_basic_block())
    total, *factors = function.args
    wide = ir.VectorType(ir.IntType(32), _BYTES)
    for one, other in (factors[:2], factors[2:]):
        products = builder.mul(builder.sext(one, wide), builder.sext(other, wide))
        for part in range(4):
            places = ir.Constant(_SUMS, list(range(part, _BYTES, 4)))
            total = builder.add(total, builder.shuffle_vector(products, ir.Constant(wide, ir.Undefined), places))
    builder.ret(total)
    return function


def functions_for_level(level: str) -> str:
    """Return the LLVM text of both functions for a CPU level (core/native/aot.py)."""
    if level == AVX512_LEVEL:
        lines, declared = _dots_by_vnni()
    elif level in _PAIR_INSTRUCTIONS:
        lines, declared = _dots_by_pairs(*_PAIR_INSTRUCTIONS[level])
    else:
        lines, declared = _dots_by_neon()
    arguments = [f"{_SUMS} %sums", *(f"{_OPERAND} %{name}" for pair in _FACTORS for name in pair)]
    head = f"define {_SUMS} @{NAME}({', '.join(arguments)}) alwaysinline {{"
    many_registers = [f"define i1 @{MANY_REGISTERS}() alwaysinline {{", f"ret i1 {int(level == AVX512_LEVEL)}", "}"]
    return "\n".join([*declared, head, *lines, "}", *many_registers])


def _dots_by_vnni() -> tuple[list[str], list[str]]:
    """Return the lines of the function's body, and the declarations of its instructions."""
    name = "llvm.x86.avx512.vpdpbusd.512"
    lines, total = [], "%sums"
    for one, other in _FACTORS:
        lines.append(f"%{one}.total = call {_SUMS} @{name}({_SUMS} {total}, {_OPERAND} %{one}, {_OPERAND} %{other})")
        total = f"%{one}.total"
    return [*lines, f"ret {_SUMS} {total}"], [f"declare {_SUMS} @{name}({_SUMS}, {_OPERAND}, {_OPERAND})"]


def _dots_by_pairs(bits: int, add_bytes: str, add_words: str) -> tuple[list[str], list[str]]:
    """As `_dots_by_vnni`, with vectors of `bits` bits and the two instructions of _PAIR_INSTRUCTIONS."""
    size, lanes = bits // 8, bits // 32
    part, pairs, dots = f"<{size} x i8>", f"<{size // 2} x i16>", f"<{lanes} x i32>"
    lines = []
    for index in range(_BYTES // size):
        for one, other in _FACTORS:
            lines += [_take(_OPERAND, name, index, size) for name in (one, other)]
            lines.append(
                f"%{one}.pairs.{index} = call {pairs} @{add_bytes}({part} %{one}.{index}, {part} %{other}.{index})"
            )
        lines.append(f"%pairs.{index} = add {pairs} %one.pairs.{index}, %two.pairs.{index}")
        lines.append(f"%dots.{index} = call {dots} @{add_words}({pairs} %pairs.{index}, {pairs} splat (i16 1))")
    declared = [f"declare {pairs} @{add_bytes}({part}, {part})", f"declare {dots} @{add_words}({pairs}, {pairs})"]
    return [*lines, *_add_dots(lanes)], declared


def _dots_by_neon() -> tuple[list[str], list[str]]:
    """As `_dots_by_vnni`: products as int16, then sums of adjacent numbers, first in int16, then in int32."""
    multiply, add, widen = (f"llvm.aarch64.neon.{name}" for name in ("smull.v8i16", "addp.v8i16", "saddlp.v4i32.v8i16"))
    half, words, dots = "<8 x i8>", "<8 x i16>", "<4 x i32>"
    lines = []
    for index in range(_BYTES // 8):
        for one, other in _FACTORS:
            lines += [_take(_OPERAND, name, index, 8) for name in (one, other)]
            lines.append(
                f"%{one}.words.{index} = call {words} @{multiply}({half} %{one}.{index}, {half} %{other}.{index})"
            )
        lines.append(f"%words.{index} = add {words} %one.words.{index}, %two.words.{index}")
    for index in range(_BYTES // 16):
        low, high = f"{words} %words.{2 * index}", f"{words} %words.{2 * index + 1}"
        lines.append(f"%pairs.{index} = call {words} @{add}({low}, {high})")
        lines.append(f"%dots.{index} = call {dots} @{widen}({words} %pairs.{index})")
    declared = [
        f"declare {words} @{multiply}({half}, {half})",
        f"declare {words} @{add}({words}, {words})",
        f"declare {dots} @{widen}({words})",
    ]
    return [*lines, *_add_dots(4)], declared


def _add_dots(lanes: int) -> list[str]:
    """Return the lines that add the vectors %dots.0, %dots.1, ... to `sums`, and return the result."""
    lines, parts, count = [], [f"%dots.{index}" for index in range(LANES // lanes)], lanes
    while len(parts) > 1:  # join them two by two
        joined = [f"{left}.{count}" for left in parts[::2]]
        for name, left, right in zip(joined, parts[::2], parts[1::2], strict=True):
            kind, places = f"<{count} x i32>", ", ".join(f"i32 {place}" for place in range(2 * count))
            lines.append(f"{name} = shufflevector {kind} {left}, {kind} {right}, <{2 * count} x i32> <{places}>")
        parts, count = joined, 2 * count
    return [*lines, f"%result = add {_SUMS} %sums, {parts[0]}", f"ret {_SUMS} %result"]


def _take(kind: Any, name: str, index: int, count: int) -> str:
    """Return the line that takes part `index`, of `count` elements, of the vector `%name` as `%name.index`."""
    places = ", ".join(f"i32 {place}" for place in range(index * count, (index + 1) * count))
    return f"%{name}.{index} = shufflevector {kind} %{name}, {kind} poison, <{count} x i32> <{places}>"
