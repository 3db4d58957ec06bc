"""The cache of kernel libraries: what its key depends on, and that a library is built once."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.native import library_cache
from core.native.aot import KernelError
from core.native.link import host_target, library_suffix
from core.system.build_progress import BuildProgress
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]


def test_the_key_follows_the_imports_and_nothing_else() -> None:
    """A library must be built again for any source that it is made of, and not for each edit of a player."""
    names = {str(path.relative_to(ROOT)) for path in library_cache.kernel_sources("gomoku")}
    kernels = {f"bots/gomoku/kernels/{name}.py" for name in ("rules", "paper_alphabeta", "search")}
    assert kernels | {"bots/gomoku/weights.py", "core/search/kernels/alphabeta.py"} <= names
    assert {"core/native/aot.py", "core/native/link.py"} <= names
    assert not names & {"bots/gomoku/engine.py", "bots/gomoku/players.py", "core/search/iterative_deepening.py"}


def test_the_key_changes_with_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rules.py"
    source.write_text("A = 1")
    monkeypatch.setattr(library_cache, "kernel_sources", lambda game: [source])  # noqa: ARG005 - as the real one is called
    before = library_cache.source_hash("gomoku")
    assert library_cache.source_hash("gomoku") == before
    source.write_text("A = 2")
    assert library_cache.source_hash("gomoku") != before


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The games and CPU levels that were built, into a cache folder of the test's own."""
    found: list[tuple[str, str]] = []

    def build(game: str, folders: Mapping[str, Path], target: str) -> None:
        found.extend((game, level) for level in folders)
        for level, folder in folders.items():
            folder.mkdir(parents=True)
            (folder / f"{game}-{level}{library_suffix(target)}").write_bytes(b"library")
            (folder / f"{game}.json").write_text("{}")

    monkeypatch.setattr(library_cache, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(library_cache, "build_libraries", build)
    return found


def test_a_library_is_built_once(built: list[tuple[str, str]]) -> None:
    assert library_cache.cached_library("gomoku", "level") == library_cache.cached_library("gomoku", "level")
    assert built == [("gomoku", "level")]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere files have other rights")
@pytest.mark.parametrize("part", ["", "gomoku.json", "gomoku-level.so"])
def test_a_library_that_others_could_write_is_built_anew(
    part: str, built: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever writes there would have their code run by this user."""
    folder = library_cache.cached_library("gomoku", "level")
    open_to_all = folder / part.replace(".so", library_suffix(host_target()))
    open_to_all.chmod(0o777)
    (folder / "planted").touch()
    capsys.readouterr()
    assert library_cache.cached_library("gomoku", "level") == folder
    assert f"{open_to_all} can be written by other users: code in it is not run" in capsys.readouterr().err
    assert built == [("gomoku", "level")] * 2
    assert not (folder / "planted").exists()
    assert all(path.stat().st_mode & 0o022 == 0 for path in (folder, *folder.iterdir(), folder.parent))
    library_cache.cached_library("gomoku", "level")
    assert len(built) == 2


@pytest.mark.skipif(os.name != "posix", reason="elsewhere files have other rights")
def test_a_library_is_not_taken_through_a_link(built: list[tuple[str, str]], tmp_path: Path) -> None:
    folder = library_cache.cached_library("gomoku", "level")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    library_cache.cached_library("gomoku", "level")
    assert not folder.is_symlink()
    assert len(built) == 2


@pytest.mark.skipif(os.name != "posix", reason="elsewhere files have other rights")
def test_a_new_library_is_this_users_alone_whatever_the_umask(built: list[tuple[str, str]]) -> None:
    """Where groups may write by default, each start would build again."""
    before = os.umask(0)
    try:
        for _ in range(2):
            library_cache.cached_library("gomoku", "level")
    finally:
        os.umask(before)
    assert built == [("gomoku", "level")]


def test_a_build_that_breaks_off_leaves_nothing_that_looks_whole(
    built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: str, folders: Mapping[str, Path], target: str) -> None:
        ((level, folder),) = folders.items()
        folder.mkdir()
        (folder / f"{game}-{level}{library_suffix(target)}").write_bytes(b"")
        (folder / f"{game}.json").write_bytes(b"")
        raise OSError(28, "No space left on device")

    whole = library_cache.build_libraries
    monkeypatch.setattr(library_cache, "build_libraries", fail)
    with pytest.raises(OSError, match="No space left"):
        library_cache.cached_library("gomoku", "level")
    monkeypatch.setattr(library_cache, "build_libraries", whole)
    assert (library_cache.cached_library("gomoku", "level") / "gomoku.json").read_text() == "{}"
    assert built == [("gomoku", "level")]


def test_executables_get_every_level_and_take_what_is_built_already(built: list[tuple[str, str]]) -> None:
    levels = {game: library_cache.cpu_levels(game, host_target()) for game in ("hex", "hive")}  # which have unlike ones
    library_cache.cached_library("hive", levels["hive"][0])
    for steps in (2, 0):  # the second time all is there
        told: list[str] = []
        found = dict(library_cache.cached_libraries(levels, host_target(), BuildProgress(1, told.append)))
        assert len([line for line in told if " done " in line]) == steps
        for game, folders in found.items():
            assert [sorted(path.name for path in folder.iterdir()) for folder in folders] == [
                [f"{game}-{level}{library_suffix(host_target())}", f"{game}.json"] for level in levels[game]
            ]
    assert sorted(built) == sorted((game, level) for game, wanted in levels.items() for level in wanted)


def test_a_game_is_given_as_soon_as_it_is_there_and_the_longest_is_not_last(
    built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = {"hive": 3.0, "hex": 9.0, "gomoku": 5.0, "pentago": 1.0}
    monkeypatch.setattr(library_cache, "guess_seconds", seconds.__getitem__)
    monkeypatch.setattr(library_cache, "count_workers", lambda: 1)
    library_cache.cached_library("hive", "level")
    given = library_cache.cached_libraries(
        {game: ["level"] for game in seconds}, host_target(), BuildProgress(1, lambda _: None)
    )
    assert next(given)[0] == "hive"  # which is there already
    assert {game for game, _ in given} == {"hex", "gomoku", "pentago"}
    assert [game for game, _ in built] == ["hive", "pentago", "hex", "gomoku"]


def test_a_failed_game_stops_those_that_wait(built: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_who_waits_for_another_process_says_so(
    built: list[tuple[str, str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And takes what the other one has built."""
    (tmp_path / "cache").mkdir()
    held, heard = threading.Event(), list[str]()

    def says_that_it_waits() -> bool:
        heard.append(capsys.readouterr().err)
        return "waiting" in "".join(heard)

    def build_elsewhere() -> None:
        with library_cache._hold("gomoku"):
            held.set()
            wait_until(says_that_it_waits)
            target = host_target()
            library_cache._build_into("gomoku", target, library_cache._find_places("gomoku", target, ["level"]))

    other = threading.Thread(target=build_elsewhere)
    other.start()
    assert held.wait(10)
    library_cache.cached_library("gomoku", "level")
    other.join()
    assert "pentad: another process is compiling the gomoku kernels; waiting for it\n" in "".join(heard)
    assert "about" not in "".join(heard)
    assert built == [("gomoku", "level")]


@pytest.mark.parametrize(
    ("processors", "free", "workers"), [(8, 64 << 30, 8), (8, 3 * library_cache.COMPILE_BYTES, 3), (2, 0, 1)]
)
def test_as_many_are_compiled_side_by_side_as_there_is_room_for(
    processors: int, free: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_cache, "list_processors", lambda: list(range(processors)))
    monkeypatch.setattr(library_cache, "free_memory", lambda: free)
    assert library_cache.count_workers() == workers


def test_another_system_has_libraries_of_its_own_in_the_same_cache(built: list[tuple[str, str]]) -> None:
    for target in (host_target(), "x86_64-windows", "aarch64-macos"):
        ((_, (folder,)),) = library_cache.cached_libraries({"hex": ["level"]}, target, BuildProgress(1, lambda _: None))
        assert (folder / f"hex-level{library_suffix(target)}").exists()
    assert built == [("hex", "level")] * 3
