"""Code is run only from files that no other user could have written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.system.ownership import UnsafeFileError, check_trusted, deny_write_to_others, make_private_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a file with code that only this user can write to."""
    file = tmp_path / "code.so"
    file.write_bytes(b"code")
    file.chmod(0o644)
    return file


def test_files_of_this_user_are_trusted_and_missing_ones_are_errors(code: Path) -> None:
    check_trusted(code.parent, code)
    with pytest.raises(FileNotFoundError):
        check_trusted(code.with_name("other.so"))


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666, 0o777])
def test_a_file_that_others_can_write_to_is_refused(mode: int, code: Path) -> None:
    code.chmod(mode)
    with pytest.raises(UnsafeFileError, match=r"code\.so can be written by other users"):
        check_trusted(code)


def test_a_file_of_another_user_is_refused(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root can change the owner of a file, so the test changes the user id that the code sees."""
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        check_trusted(code)  # every user trusts root's files
        os.chown(code, owner + 2, -1)
    with pytest.raises(UnsafeFileError, match="belongs to another user"):
        check_trusted(code)


def test_a_link_is_refused(code: Path) -> None:
    """It may point to a file that its owner shares with other users."""
    link = code.with_name("link.so")
    link.symlink_to(code)
    with pytest.raises(UnsafeFileError, match="is a link"):
        check_trusted(link)


def test_files_of_a_program_may_have_the_owner_and_permissions_of_the_program(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament organiser's account runs programs that another account has installed."""
    program = code.with_name("program")
    program.write_bytes(b"")
    program.chmod(0o775)
    code.chmod(0o664)
    check_trusted(code, program=program)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    check_trusted(code, program=program)
    program.chmod(0o755)
    with pytest.raises(UnsafeFileError, match="can be written by other users"):
        check_trusted(code, program=program)


def test_only_this_user_can_write_to_a_private_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "cache"
    make_private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o775)
    make_private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o755


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = os.geteuid()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    # If root runs the test, the folder is root's, which is refused for its permissions only
    with pytest.raises(UnsafeFileError, match=r"cache (belongs to another user|can be written by other users)"):
        make_private_folder(tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o777


def test_write_permission_of_others_is_removed(code: Path) -> None:
    code.chmod(0o777)
    deny_write_to_others(code)
    assert code.stat().st_mode & 0o777 == 0o755
