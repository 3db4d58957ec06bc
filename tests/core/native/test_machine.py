"""Processors and memory that a container leaves to the process."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from core.native import machine
from core.native.memory import memory_limit


def test_no_more_is_free_than_a_process_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's limit is one of those; which there are is tested with `memory_limit`."""
    assert 1 << 20 < machine.free_memory() <= min(psutil.virtual_memory().total, memory_limit())
    monkeypatch.setattr(machine, "memory_limit", lambda: 1 << 20)
    assert machine.free_memory() == 1 << 20


@pytest.mark.parametrize(
    ("outer", "inner", "version_1", "shares"),
    [
        ("max 100000", "max 100000", None, []),
        ("150000 100000", "max 100000", None, [1.5]),
        ("400000 100000", "50000 100000", None, [0.5, 4.0]),
        ("max 100000", "max 100000", ("-1", "100000"), []),
        ("max 100000", "max 100000", ("250000", "100000"), [2.5]),
    ],
)
def test_a_container_s_share_of_the_processors(
    tmp_path: Path, outer: str, inner: str, version_1: tuple[str, str] | None, shares: list[float]
) -> None:
    """Control groups of version 2, nested in each other, and of version 1."""
    own, groups = tmp_path / "cgroup", tmp_path / "groups"
    own.write_text("0::/outer/inner\n")
    (groups / "outer" / "inner").mkdir(parents=True)
    (groups / "outer" / "cpu.max").write_text(f"{outer}\n")
    (groups / "outer" / "inner" / "cpu.max").write_text(f"{inner}\n")
    if version_1:
        (groups / "cpu").mkdir()
        for name, value in zip(("quota", "period"), version_1, strict=True):
            (groups / "cpu" / f"cpu.cfs_{name}_us").write_text(f"{value}\n")
    assert sorted(machine._container_shares(groups, own)) == shares


@pytest.mark.parametrize(
    ("processors", "shares", "count"), [(8, [], 8), (8, [2.5], 2), (8, [0.5], 1), (2, [4.0], 2), (8, [6.0, 3.0], 3)]
)
def test_no_more_processors_than_a_container_s_share(
    processors: int, shares: list[float], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads beyond it are paused for tens of milliseconds, in which no limit of time is kept."""
    monkeypatch.setattr(machine, "list_processors", lambda: list(range(processors)))
    monkeypatch.setattr(machine, "_container_shares", lambda: iter(shares))
    assert machine.count_processors() == count
