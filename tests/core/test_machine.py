"""What may be taken of this machine."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from core import machine


@pytest.mark.parametrize(("limit", "wanted"), [("1048576\n", 1 << 20), ("max\n", None), (None, None)])
def test_a_container_has_no_more_memory_than_its_limit(
    limit: str | None, wanted: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "CONTROL_GROUP", tmp_path)
    if limit:
        (tmp_path / "memory.max").write_text(limit)
    found = machine.free_memory()
    assert found == wanted if wanted else 1 << 20 < found <= psutil.virtual_memory().total
