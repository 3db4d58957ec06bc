"""Processors and memory that this process may use, with the limits of a container."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from core.native import machine
from core.native.memory import memory_limit


def test_free_memory_is_at_most_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """test_memory.py tests `memory_limit` itself."""
    assert 1 << 20 < machine.free_memory() <= min(psutil.virtual_memory().total, memory_limit())
    monkeypatch.setattr(machine, "memory_limit", lambda: 1 << 20)
    assert machine.free_memory() == 1 << 20


@pytest.mark.parametrize(
    ("outer", "inner", "version_1", "limits"),
    [
        ("max 100000", "max 100000", None, []),
        ("150000 100000", "max 100000", None, [1.5]),
        ("400000 100000", "50000 100000", None, [0.5, 4.0]),
        ("max 100000", "max 100000", ("-1", "100000"), []),
        ("max 100000", "max 100000", ("250000", "100000"), [2.5]),
    ],
)
def test_the_processor_limits_of_control_groups_are_read(
    tmp_path: Path, outer: str, inner: str, version_1: tuple[str, str] | None, limits: list[float]
) -> None:
    """A limit is quota / period in processors.

    `outer` and `inner` are `cpu.max` of nested control groups of version 2: quota and period. `version_1` has the
    quota and the period of a group of version 1.
    """
    group_file, groups = tmp_path / "cgroup", tmp_path / "groups"
    group_file.write_text("0::/outer/inner\n")
    (groups / "outer" / "inner").mkdir(parents=True)
    (groups / "outer" / "cpu.max").write_text(f"{outer}\n")
    (groups / "outer" / "inner" / "cpu.max").write_text(f"{inner}\n")
    if version_1:
        (groups / "cpu").mkdir()
        for name, value in zip(("quota", "period"), version_1, strict=True):
            (groups / "cpu" / f"cpu.cfs_{name}_us").write_text(f"{value}\n")
    assert sorted(machine._container_cpu_limits(groups, group_file)) == limits


@pytest.mark.parametrize(
    ("processors", "limits", "count"), [(8, [], 8), (8, [2.5], 2), (8, [0.5], 1), (2, [4.0], 2), (8, [6.0, 3.0], 3)]
)
def test_the_processor_count_is_limited_by_the_control_groups(
    processors: int, limits: list[float], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system pauses threads beyond the limit for tens of milliseconds, so they would exceed their time limits."""
    monkeypatch.setattr(machine, "list_processors", lambda: list(range(processors)))
    monkeypatch.setattr(machine, "_container_cpu_limits", lambda: iter(limits))
    assert machine.count_processors() == count
