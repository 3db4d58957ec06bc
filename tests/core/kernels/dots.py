"""A kernel set with one kernel, which calls `byte_dots`, for tests/core/native/test_byte_dots.py."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from core.native.byte_dots import LANES, emit_byte_dots
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType

DOTS = StateType(
    "Dots", (StateField("sums", "i32", (LANES,), ""), StateField("factors", "i8", (4, 4 * LANES), "in their order"))
)
KERNELS = KernelSet("dots", (DOTS,))


@intrinsic
def call_byte_dots(_context: Any, sums: Any, factors: Any) -> Any:
    """Replace `sums` by the value of `byte_dots`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(argument: int, number: ir.Type, lanes: int, index: int = 0) -> Any:
            data = context.make_array(signature.args[argument])(context, builder, arguments[argument]).data
            place = builder.gep(builder.bitcast(data, number.as_pointer()), [ir.Constant(ir.IntType(64), index)])
            return builder.bitcast(place, ir.VectorType(number, lanes).as_pointer())

        count = 4 * LANES
        parts = [builder.load(pointer(1, ir.IntType(8), count, count * part), align=1) for part in range(4)]
        place = pointer(0, ir.IntType(32), LANES)
        builder.store(emit_byte_dots(builder, builder.load(place, align=4), parts), place, align=4)
        return context.get_dummy_value()

    return types.void(sums, factors), generate


@KERNELS.export("void(Dots)")
def add_dots(s):
    """Add the sums of products of `factors` to `sums`."""
    call_byte_dots(s.sums, s.factors)
