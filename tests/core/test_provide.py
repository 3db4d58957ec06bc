"""The cache of kernel libraries: what its key depends on, and that a library is built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import provide
from core.aot import LEVELS
from core.link import host_target, library_suffix


def test_the_key_follows_the_imports_and_nothing_else() -> None:
    """A library must be built again for any source that it is made of, and not for each edit of a player."""
    names = {str(path.relative_to(Path(provide.__file__).parent.parent)) for path in provide.kernel_sources("gomoku")}
    assert {"bots/gomoku/rules.py", "bots/gomoku/paper.py", "bots/gomoku/weights.py", "core/alphabeta.py"} <= names
    assert {"core/aot.py", "core/link.py"} <= names
    assert not names & {"bots/gomoku/engine.py", "bots/gomoku/players.py", "core/deepening.py"}


def test_the_key_changes_with_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rules.py"
    source.write_text("A = 1")
    monkeypatch.setattr(provide, "kernel_sources", lambda game: [source])  # noqa: ARG005 - as the real one is called
    before = provide.source_hash("gomoku")
    assert provide.source_hash("gomoku") == before
    source.write_text("A = 2")
    assert provide.source_hash("gomoku") != before


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The games and CPU levels that were built, into a cache folder of the test's own."""
    found: list[tuple[str, str]] = []

    def build(game: str, folder: Path, target: str, level: str) -> None:
        found.append((game, level))
        folder.mkdir(parents=True)
        (folder / f"{game}-{level}{library_suffix(target)}").write_bytes(b"library")
        (folder / f"{game}.json").write_text("{}")

    monkeypatch.setattr(provide, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(provide, "build_library", build)
    return found


def test_a_library_is_built_once(built: list[tuple[str, str]]) -> None:
    assert provide.provide_library("gomoku", "level") == provide.provide_library("gomoku", "level")
    assert built == [("gomoku", "level")]


def test_executables_get_every_level_and_take_what_is_built_already(
    built: list[tuple[str, str]], tmp_path: Path
) -> None:
    levels = LEVELS[host_target().split("-")[0]]
    provide.provide_library("hive", levels[0])
    for _ in range(2):  # the second time over what is there
        provide.collect_for_host(["gomoku", "hive"], tmp_path / "native")
    for game in ("gomoku", "hive"):
        libraries = {f"{game}-{level}{library_suffix(host_target())}" for level in levels}
        assert {path.name for path in (tmp_path / "native" / game).iterdir()} == {f"{game}.json", *libraries}
    assert sorted(built) == sorted((game, level) for game in ("gomoku", "hive") for level in levels)
