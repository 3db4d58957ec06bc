"""`summary.json` and `results.csv` of stored logs keep their keys and values, documented in arena/results."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.log.file import LOG_NAME, read_run
from arena.results.derived_files import write_derived_files
from arena.results.outcome import compute_outcome

DATA = Path(__file__).parents[2] / "data" / "arena"


def list_values(value: Any, path: str = "$") -> list[tuple[str, Any]]:
    """Return the leaves of a JSON document in order, each with its path, such as `$.standing.engines[0].name`."""
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in list_values(part, f"{path}.{key}")]
    if isinstance(value, list):
        return [leaf for index, part in enumerate(value) for leaf in list_values(part, f"{path}[{index}]")]
    return [(path, value)]


@pytest.mark.parametrize("name", ["match", "tournament", "knockout"])
def test_keys_and_values_are_those_of_the_stored_files(name: str, tmp_path: Path) -> None:
    """The match has a sequential test. The tournament has ratings; one is one-sided and one is undefined.

    The knock-out has a bye, tie-breaks, and a drawn encounter that the better seed wins.
    """
    shutil.copy(DATA / f"{name}_log.txt", tmp_path / LOG_NAME)
    write_derived_files(tmp_path, (), compute_outcome(read_run(tmp_path)))
    found = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    expected = json.loads((DATA / f"{name}_summary.json").read_text(encoding="utf-8"))
    assert [path for path, _ in list_values(found)] == [path for path, _ in list_values(expected)]
    for (path, value), (_, expected_value) in zip(list_values(found), list_values(expected), strict=True):
        assert value == (
            pytest.approx(expected_value, abs=1e-4) if isinstance(expected_value, float) else expected_value
        ), path
    results = (tmp_path / "results.csv").read_text(encoding="utf-8")
    assert results == (DATA / f"{name}_results.txt").read_text(encoding="utf-8")
