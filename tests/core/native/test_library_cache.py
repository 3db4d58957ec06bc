"""The cache of kernel libraries: the key in its folder names, and when a library is compiled or compiled again.

The fixture `built` replaces the compiler by a fake, which lists the builds as pairs of game and CPU level. The level
of most tests is just called `level`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.native import library_cache
from core.native.aot import KernelError
from core.native.link import host_target, library_suffix
from core.system.build_progress import BuildProgress
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]


def test_the_key_depends_on_the_kernels_and_their_imports_only() -> None:
    """A library must be compiled again after any change of its sources, but not after a change of a player."""
    names = {str(path.relative_to(ROOT)) for path in library_cache.kernel_sources("gomoku")}
    kernels = {f"bots/gomoku/kernels/{name}.py" for name in ("rules", "paper_alphabeta", "search")}
    assert kernels | {"bots/gomoku/weights.py", "core/search/kernels/alphabeta.py"} <= names
    assert {"core/native/aot.py", "core/native/link.py"} <= names
    assert not names & {"bots/gomoku/engine.py", "bots/gomoku/players.py", "core/search/iterative_deepening.py"}


def test_the_key_changes_with_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rules.py"
    source.write_text("A = 1")
    monkeypatch.setattr(library_cache, "kernel_sources", lambda game: [source])  # noqa: ARG005 - as the real one is called
    old_hash = library_cache.source_hash("gomoku")
    assert library_cache.source_hash("gomoku") == old_hash
    source.write_text("A = 2")
    assert library_cache.source_hash("gomoku") != old_hash


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Replace the compiler by a fake and the cache folder by a temporary one; return the builds: (game, level)."""
    builds: list[tuple[str, str]] = []

    def build(game: str, folders: Mapping[str, Path], target: str) -> None:
        builds.extend((game, level) for level in folders)
        for level, folder in folders.items():
            folder.mkdir(parents=True)
            (folder / f"{game}-{level}{library_suffix(target)}").write_bytes(b"library")
            (folder / f"{game}.json").write_text("{}")

    monkeypatch.setattr(library_cache, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(library_cache, "build_libraries", build)
    return builds


def test_a_library_is_built_once(built: list[tuple[str, str]]) -> None:
    assert library_cache.cached_library("gomoku", "level") == library_cache.cached_library("gomoku", "level")
    assert built == [("gomoku", "level")]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
@pytest.mark.parametrize("name", ["", "gomoku.json", "gomoku-level.so"])
def test_a_library_that_others_can_write_to_is_built_again(
    name: str, built: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise this user would run code of another one. An empty `name` is the folder of the library."""
    folder = library_cache.cached_library("gomoku", "level")
    unsafe_path = folder / name.replace(".so", library_suffix(host_target()))
    unsafe_path.chmod(0o777)
    (folder / "planted").touch()
    capsys.readouterr()
    assert library_cache.cached_library("gomoku", "level") == folder
    assert f"{unsafe_path} can be written by other users: code in it is not run" in capsys.readouterr().err
    assert built == [("gomoku", "level")] * 2
    assert not (folder / "planted").exists()
    assert all(path.stat().st_mode & 0o022 == 0 for path in (folder, *folder.iterdir(), folder.parent))
    library_cache.cached_library("gomoku", "level")
    assert len(built) == 2


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
def test_a_link_to_a_library_is_replaced_by_a_new_library(built: list[tuple[str, str]], tmp_path: Path) -> None:
    folder = library_cache.cached_library("gomoku", "level")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    library_cache.cached_library("gomoku", "level")
    assert not folder.is_symlink()
    assert len(built) == 2


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
def test_only_this_user_can_write_to_a_new_library_whatever_the_umask(built: list[tuple[str, str]]) -> None:
    """If groups could write to it, each start would compile it again."""
    old_umask = os.umask(0)
    try:
        for _ in range(2):
            library_cache.cached_library("gomoku", "level")
    finally:
        os.umask(old_umask)
    assert built == [("gomoku", "level")]


def test_an_interrupted_build_leaves_no_library_in_the_cache(
    built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: str, folders: Mapping[str, Path], target: str) -> None:
        ((level, folder),) = folders.items()
        folder.mkdir()
        (folder / f"{game}-{level}{library_suffix(target)}").write_bytes(b"")
        (folder / f"{game}.json").write_bytes(b"")
        raise OSError(28, "No space left on device")

    working_build = library_cache.build_libraries
    monkeypatch.setattr(library_cache, "build_libraries", fail)
    with pytest.raises(OSError, match="No space left"):
        library_cache.cached_library("gomoku", "level")
    monkeypatch.setattr(library_cache, "build_libraries", working_build)
    assert (library_cache.cached_library("gomoku", "level") / "gomoku.json").read_text() == "{}"
    assert built == [("gomoku", "level")]


def test_all_missing_levels_are_built(built: list[tuple[str, str]]) -> None:
    levels = {name: library_cache.cpu_levels(host_target(), GAMES[name].has_avx512_kernels) for name in ("hex", "hive")}
    library_cache.cached_library("hive", levels["hive"][0])
    for step_count in (2, 0):  # the second time nothing is missing
        messages: list[str] = []
        libraries = dict(library_cache.cached_libraries(levels, host_target(), BuildProgress(1, messages.append)))
        assert len([message for message in messages if " done " in message]) == step_count
        for game, folders in libraries.items():
            assert [sorted(path.name for path in folder.iterdir()) for folder in folders] == [
                [f"{game}-{level}{library_suffix(host_target())}", f"{game}.json"] for level in levels[game]
            ]
    assert sorted(built) == sorted((game, level) for game, game_levels in levels.items() for level in game_levels)


def test_cached_games_come_first_and_the_slowest_is_not_compiled_last(
    built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fastest game is compiled first, so that something is ready early, then the others, the slowest first."""
    seconds = {"hive": 3.0, "hex": 9.0, "gomoku": 5.0, "pentago": 1.0}
    monkeypatch.setattr(library_cache, "guess_seconds", seconds.__getitem__)
    monkeypatch.setattr(library_cache, "count_workers", lambda: 1)
    library_cache.cached_library("hive", "level")
    libraries = library_cache.cached_libraries(
        {game: ["level"] for game in seconds}, host_target(), BuildProgress(1, lambda _: None)
    )
    assert next(libraries)[0] == "hive"  # it is in the cache
    assert {game for game, _ in libraries} == {"hex", "gomoku", "pentago"}
    assert [game for game, _ in built] == ["hive", "pentago", "hex", "gomoku"]


def test_an_error_cancels_the_games_that_wait(built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: str, folders: Mapping[str, Path], target: str) -> None:  # noqa: ARG001
        built.extend((game, level) for level in folders)
        raise KernelError(f"kernel of {game}")

    monkeypatch.setattr(library_cache, "build_libraries", fail)
    monkeypatch.setattr(library_cache, "count_workers", lambda: 1)
    games = ["gomoku", "hive", "hex", "pentago"]
    with pytest.raises(KernelError):
        list(
            library_cache.cached_libraries(
                {game: ["level"] for game in games}, host_target(), BuildProgress(1, lambda _: None)
            )
        )
    assert len(built) < 4


def test_a_process_that_waits_for_another_says_so_and_uses_its_library(
    built: list[tuple[str, str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Here the other process is a thread."""
    (tmp_path / "cache").mkdir()
    is_locked, output = threading.Event(), list[str]()

    def has_printed_that_it_waits() -> bool:
        output.append(capsys.readouterr().err)
        return "waiting" in "".join(output)

    def build_elsewhere() -> None:
        with library_cache._compile_lock("gomoku"):
            is_locked.set()
            wait_until(has_printed_that_it_waits)
            target = host_target()
            library_cache._build_into("gomoku", target, library_cache._cache_folders("gomoku", target, ["level"]))

    other = threading.Thread(target=build_elsewhere)
    other.start()
    assert is_locked.wait(10)
    library_cache.cached_library("gomoku", "level")
    other.join()
    assert "pentad: another process is compiling the gomoku kernels; waiting for it\n" in "".join(output)
    assert "about" not in "".join(output)  # this process does not announce a build
    assert built == [("gomoku", "level")]


@pytest.mark.parametrize(
    ("processors", "free", "workers"), [(8, 64 << 30, 8), (8, 3 * library_cache.COMPILE_BYTES, 3), (2, 0, 1)]
)
def test_the_number_of_workers_depends_on_processors_and_free_memory(
    processors: int, free: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_cache, "list_processors", lambda: list(range(processors)))
    monkeypatch.setattr(library_cache, "free_memory", lambda: free)
    assert library_cache.count_workers() == workers


def test_the_cache_has_separate_libraries_for_each_target(built: list[tuple[str, str]]) -> None:
    for target in (host_target(), "x86_64-windows", "aarch64-macos"):
        ((_, (folder,)),) = library_cache.cached_libraries({"hex": ["level"]}, target, BuildProgress(1, lambda _: None))
        assert (folder / f"hex-level{library_suffix(target)}").exists()
    assert built == [("hex", "level")] * 3
