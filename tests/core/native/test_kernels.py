"""Kernels give the same results under numba and as a native library, and the compiler refuses faulty kernels."""

from __future__ import annotations

import ctypes
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.native.aot import LEVELS, KernelError, _unoptimised_module, compile_objects, emit_object
from core.native.kernel import KernelSet
from core.native.library import KernelLibrary, new_array
from core.native.load_kernels import load_kernels
from core.native.signature import parse_signature
from core.native.state_type import SCALARS
from tests.core.kernels import refused, sample

words = st.integers(0, (1 << 64) - 1)  # unsigned 64-bit integers

# Fixtures of tests/core/conftest.py: `native` and `njit` are the sample kernels, compiled ahead of time and just in
# time; `library` is each of them in turn.

ROOT = Path(__file__).parents[3]


def make_array(scalar: str, values: list[int]) -> Any:
    """Return an array for kernels, such as `u64[]` if `scalar` is u64."""
    return (SCALARS[scalar] * len(values))(*values)


def test_only_exported_kernels_can_be_called(native: KernelLibrary, njit: KernelLibrary) -> None:
    exported = {kernel.name for kernel in sample.KERNELS.kernels if kernel.exported}
    assert set(native.kernels) == set(njit.kernels) == exported
    for library in (native, njit):
        with pytest.raises(AttributeError, match="library sample has no kernel nth_prime"):
            library.nth_prime(1)


@given(st.integers(-(1 << 40), 1 << 40))
def test_both_libraries_write_the_same_state(native: KernelLibrary, njit: KernelLibrary, seed: int) -> None:
    states = []
    for library in (native, njit):
        state = library.new("Sample")
        library.fill(state, seed)
        states.append(bytes(state))
        assert state.flag == seed & 255
        assert state.counts[5] == 13 * seed & 0xFFFFFFFF
        assert state.grid[2][4] == ctypes.c_int16(2 * seed - 4).value
        assert state.total == sum(value for row in state.grid for value in row)
        assert math.isclose(state.ratio, math.hypot(state.total, 1))
    assert states[0] == states[1]


@given(st.lists(words, max_size=9), st.lists(st.integers(0, 65535), max_size=9))
def test_both_libraries_read_arrays(
    native: KernelLibrary, njit: KernelLibrary, longs: list[int], shorts: list[int]
) -> None:
    expected = len(longs) + 1000 * len(shorts) + sum(index * value for index, value in enumerate(shorts))
    expected += sum(3 * word.bit_count() + ((word & -word).bit_length() - 1 if word else 0) for word in longs)
    for library in (native, njit):
        arrays = make_array("u64", longs), make_array("u16", shorts)
        assert library.digest(library.new("Sample"), *arrays) == expected


@given(words)
def test_bit_counts(native: KernelLibrary, njit: KernelLibrary, word: int) -> None:
    for library in (native, njit):
        assert library.bits_of(word) == word.bit_count()
        if word:
            assert library.lowest_bit(word) == (word & -word).bit_length() - 1


def test_recursion(library: KernelLibrary) -> None:
    assert [library.fibonacci(n) for n in range(12)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(-128, 127), st.integers(0, 255))
def test_scalars_of_several_types(native: KernelLibrary, njit: KernelLibrary, a: int, b: int, c: int, d: int) -> None:
    for library in (native, njit):
        assert library.mix(a / 8, b / 8, c, d) == a / 4 + b / 8 + c - d


@settings(deadline=None)
@given(st.integers(0, 70), st.binary(max_size=70))
def test_arrays_are_filled_and_copied_within_bounds(native: KernelLibrary, length: int, content: bytes) -> None:
    """LLVM turns these loops into calls of memset and memcpy, which the library therefore has to contain."""
    buffer = (ctypes.c_ubyte * (length + 8))(*([7] * (length + 8)))
    native.clear((ctypes.c_ubyte * length).from_buffer(buffer))
    assert bytes(buffer) == bytes(length) + b"\7" * 8
    target = (ctypes.c_ubyte * (len(content) + 8))()
    native.copy((ctypes.c_ubyte * len(content)).from_buffer(target), (ctypes.c_ubyte * len(content))(*content))
    assert bytes(target) == content + bytes(8)
    for value in (0, (1 << 64) - 1, random.Random(length).getrandbits(64)):
        longs = make_array("u64", [1] * length)
        native.reset(longs, value)
        assert list(longs) == [value] * length


REFUSALS = {  # function that adds the faulty kernel -> part of the compiler's message
    refused.raising: "can raise an exception",
    refused.raising_in_numba: "can raise an exception",
    refused.allocating: "allocates memory",
    refused.listing: "allocates memory",
    refused.calling_libm: "needs llvm.log.f64",
    refused.printing: "prints or calls Python",
    refused.writing_a_global: "writes the global number_of_calls",
    refused.calling_itself_otherwise: "calls itself with argument types other than its signature's",
    refused.holding_an_address: "holds an address of this process",
}


@pytest.mark.parametrize("define", REFUSALS, ids=lambda define: define.__name__)
def test_the_compiler_refuses_a_faulty_kernel_and_names_it(define: Any) -> None:
    kernels = refused.make_set(define)
    with pytest.raises(KernelError, match=f"^kernel culprit {REFUSALS[define]}"):
        emit_object(kernels, "x86_64-linux", "x86-64-v2")


def test_the_message_of_the_compiler_process_is_raised_here(tmp_path: Path) -> None:
    """`compile_objects` starts a process; it must leave no file behind."""
    with pytest.raises(KernelError, match=r"^kernel culprit can raise an exception; a kernel returns a code instead$"):
        compile_objects("tests.core.kernels.raising", "x86_64-linux", {"x86-64-v2": tmp_path / "raising.o"})
    assert not list(tmp_path.iterdir())


def test_the_code_before_optimisation_names_no_cpu(tmp_path: Path) -> None:
    """The objects of all CPU levels are made from that code.

    If it named a CPU, lower levels would get instructions that they lack. An object does not depend on which other
    levels are compiled with it.
    """
    sample.KERNELS.compile()
    assert not [kernel.name for kernel in sample.KERNELS.kernels if '"target-' in str(_unoptimised_module(kernel))]
    levels = LEVELS["x86_64"]
    compile_objects(sample.__name__, "x86_64-linux", {level: tmp_path / f"{level}.o" for level in levels})
    highest, lowest = (tmp_path / f"{level}.o" for level in levels)
    assert highest.read_bytes() != lowest.read_bytes()
    compile_objects(sample.__name__, "x86_64-linux", {levels[1]: tmp_path / "alone.o"})
    assert (tmp_path / "alone.o").read_bytes() == lowest.read_bytes()


def test_a_missing_module_is_a_kernel_error(tmp_path: Path) -> None:
    with pytest.raises(KernelError, match=r"No module named 'tests\.core\.kernels\.absent'"):
        compile_objects("tests.core.kernels.absent", "x86_64-linux", {"x86-64-v2": tmp_path / "absent.o"})


def test_only_compile_compiles_kernels_and_only_once() -> None:
    """Importing a kernel file for a constant must not take the minutes of compiling its kernels."""
    kernels = KernelSet("late", ())
    inner = kernels.kernel("i64(i64)")(lambda n: n + 1)
    kernels.export("i64(i64)")(lambda n: inner(n) * 2)
    assert [kernel.dispatcher.signatures for kernel in kernels.kernels] == [[], []]
    for _ in range(2):
        kernels.compile()
        assert [len(kernel.dispatcher.signatures) for kernel in kernels.kernels] == [1, 1]
    assert kernels.kernels[1].dispatcher(20) == 42
    with pytest.raises(TypeError, match="No matching definition"):
        inner("x")


def test_a_signature_with_an_unknown_state_type_is_an_error() -> None:
    kernels = KernelSet("empty", ())
    with pytest.raises(ValueError, match="kernel set empty has no record Sample"):
        kernels.kernel("void(Sample)")(lambda _: None)


def test_a_call_with_wrong_arguments_is_a_type_error(native: KernelLibrary) -> None:
    for kernel in sample.KERNELS.kernels:
        if kernel.exported:
            arguments = len(parse_signature(kernel.signature).arguments)
            with pytest.raises((TypeError, ctypes.ArgumentError)):
                native.kernels[kernel.name](*[object()] * (arguments + 1))


def test_a_new_array_contains_zeros() -> None:
    for length in (1, 8, 100_000):
        array = new_array("u64", length)
        assert len(array) == length
        assert not any(array)


def test_an_unknown_mode_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTAD_KERNELS", "wasm")
    with pytest.raises(ValueError, match="PENTAD_KERNELS must be native or njit, not 'wasm'"):
        load_kernels.__wrapped__("gomoku", False)


def test_a_bot_does_not_import_numba() -> None:
    """Executables do not contain it; importing it would take seconds and many megabytes."""
    modules = (
        "core.play.bot_cli, core.native.library, core.search.iterative_deepening, protocols.serving.serve, "
        "protocols.gomocup.session, bots.gomoku.players"
    )
    code = f"import sys, {modules}; print(sorted({{'numba', 'llvmlite', 'numpy'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
