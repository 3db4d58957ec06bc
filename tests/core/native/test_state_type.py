"""ctypes and numpy lay out a state in the same way, whatever its fields."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.native.state_type import SCALARS, StateField, StateType, numpy_name

shapes = st.lists(st.integers(1, 5), max_size=3).map(tuple)
records = st.lists(st.tuples(st.sampled_from(sorted(SCALARS)), shapes), min_size=1, max_size=12).map(
    lambda kinds: StateType(
        "Any", tuple(StateField(f"field{i}", kind, shape, "") for i, (kind, shape) in enumerate(kinds))
    )
)


@given(records)
def test_both_layouts_agree(record: StateType) -> None:
    structure, dtype = record.structure(), record.dtype()
    assert ctypes.sizeof(structure) == dtype.itemsize
    assert ctypes.alignment(structure) == dtype.alignment
    for field in record.fields:
        kind, offset = dtype.fields[field.name]
        place = getattr(structure, field.name)
        assert (place.offset, place.size) == (offset, kind.itemsize)
        assert (kind.subdtype[1] if kind.subdtype else ()) == field.shape


@given(records)
def test_what_one_writes_the_other_reads(record: StateType) -> None:
    instance: Any = record.structure()()
    view = numpy.frombuffer(instance, dtype=record.dtype())[0]
    for number, field in enumerate(record.fields):
        place = getattr(instance, field.name)
        if not field.shape:
            setattr(instance, field.name, number)
            assert view[field.name] == number
            continue
        for length in field.shape[:-1]:
            place = place[length - 1]
        place[field.shape[-1] - 1] = number
        assert view[field.name].flat[-1] == number


@given(records)
def test_json_brings_the_layout_back(record: StateType) -> None:
    back = StateType.from_json("Any", record.to_json())
    assert back.to_json() == record.to_json()
    assert back.dtype() == record.dtype()


def test_a_field_declared_twice_is_named() -> None:
    fields = (StateField("nodes", "i64", (), ""), StateField("stop", "i64", (), ""), StateField("nodes", "i32", (), ""))
    with pytest.raises(ValueError, match="record State declares nodes twice"):
        StateType("State", fields)


@pytest.mark.parametrize("scalar", sorted(SCALARS))
def test_numpy_names(scalar: str) -> None:
    assert numpy.dtype(numpy_name(scalar)).itemsize == ctypes.sizeof(SCALARS[scalar])
    assert numpy.dtype(numpy_name(scalar)).kind == scalar[0]
