"""The layouts of a state type in ctypes and numpy agree for any fields."""

from __future__ import annotations

import ctypes
import json
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.native.library import LARGE_RECORD, KernelLibrary
from core.native.state_type import SCALARS, StateField, StateType, numpy_name

shapes = st.lists(st.integers(1, 5), max_size=3).map(tuple)
state_types = st.lists(st.tuples(st.sampled_from(sorted(SCALARS)), shapes), min_size=1, max_size=12).map(
    lambda pairs: StateType(
        "Any", tuple(StateField(f"field{index}", scalar, shape, "") for index, (scalar, shape) in enumerate(pairs))
    )
)


@given(state_types)
def test_both_layouts_agree(state_type: StateType) -> None:
    structure, dtype = state_type.structure(), state_type.dtype()
    assert ctypes.sizeof(structure) == dtype.itemsize
    assert ctypes.alignment(structure) == dtype.alignment
    for field in state_type.fields:
        field_dtype, offset = dtype.fields[field.name]
        descriptor = getattr(structure, field.name)
        assert (descriptor.offset, descriptor.size) == (offset, field_dtype.itemsize)
        assert (field_dtype.subdtype[1] if field_dtype.subdtype else ()) == field.shape


@given(state_types)
def test_numpy_reads_what_ctypes_writes(state_type: StateType) -> None:
    """Write the index of each field into it; in an array field, into the last element."""
    state: Any = state_type.structure()()
    view = numpy.frombuffer(state, dtype=state_type.dtype())[0]
    for index, field in enumerate(state_type.fields):
        if not field.shape:
            setattr(state, field.name, index)
            assert view[field.name] == index
            continue
        row = getattr(state, field.name)
        for length in field.shape[:-1]:
            row = row[length - 1]
        row[field.shape[-1] - 1] = index
        assert view[field.name].flat[-1] == index


@given(state_types, st.booleans())
def test_long_arrays_of_a_new_state_begin_at_a_cache_line(state_type: StateType, large: bool) -> None:
    """A vector that crosses two cache lines costs two accesses; large states are allocated in another way."""
    if large:
        state_type = StateType("Any", (*state_type.fields, StateField("large", "u8", (LARGE_RECORD,), "")))
    state = KernelLibrary("any", {"Any": state_type.structure()}, {}).new("Any")
    for field in state_type.fields:
        descriptor = getattr(type(state), field.name)
        if descriptor.size >= 64:
            assert (ctypes.addressof(state) + descriptor.offset) % 64 == 0


@given(state_types)
def test_json_keeps_the_layout(state_type: StateType) -> None:
    restored = StateType.from_json("Any", state_type.to_json())
    assert restored.to_json() == state_type.to_json()
    assert restored.dtype() == state_type.dtype()


def test_the_error_for_a_field_declared_twice_names_it() -> None:
    fields = (StateField("nodes", "i64", (), ""), StateField("stop", "i64", (), ""), StateField("nodes", "i32", (), ""))
    with pytest.raises(ValueError, match="record State declares nodes twice"):
        StateType("State", fields)


@pytest.mark.parametrize("scalar", sorted(SCALARS))
def test_numpy_types_have_the_size_and_kind_of_the_scalars(scalar: str) -> None:
    assert numpy.dtype(numpy_name(scalar)).itemsize == ctypes.sizeof(SCALARS[scalar])
    assert numpy.dtype(numpy_name(scalar)).kind == scalar[0]


def test_a_new_state_has_the_initial_values() -> None:
    """They survive the manifest of a library; integers stay integers, which ctypes requires."""
    declared = StateType("Any", (StateField("depth", "i64", (), "", 3), StateField("ratio", "f64", (), "", 2.0)))
    for state_type in (declared, StateType.from_json("Any", json.loads(json.dumps(declared.to_json())))):
        state = KernelLibrary("any", {"Any": state_type.structure()}, {}).new("Any")
        assert (state.depth, state.ratio) == (3, 2.0)


def test_an_array_with_an_initial_value_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^record Any: only scalars have an initial value, not path$"):
        StateType("Any", (StateField("path", "i64", (4,), "", 1),))
