"""The cache of kernel libraries: what its key depends on, and that a library is built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import provide


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


def test_a_library_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def build(game: str, folder: Path, *_: object) -> None:
        built.append(game)
        folder.mkdir(parents=True)
        (folder / f"{game}.json").write_text("{}")

    monkeypatch.setattr(provide, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(provide, "build_library", build)
    assert provide.provide_library("gomoku") == provide.provide_library("gomoku")
    assert built == ["gomoku"]
