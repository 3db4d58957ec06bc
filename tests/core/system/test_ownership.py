"""Code is run only from files that no other user could have written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.system.ownership import UnsafeFileError, check_trusted, deny_write_to_others, make_private_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere files have other rights")


@pytest.fixture
def code(tmp_path: Path) -> Path:
    file = tmp_path / "code.so"
    file.write_bytes(b"code")
    file.chmod(0o644)
    return file


def test_own_files_pass_and_missing_ones_are_told(code: Path) -> None:
    check_trusted(code.parent, code)
    with pytest.raises(FileNotFoundError):
        check_trusted(code.with_name("other.so"))


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666, 0o777])
def test_what_others_may_write_is_refused(mode: int, code: Path) -> None:
    code.chmod(mode)
    with pytest.raises(UnsafeFileError, match=r"code\.so can be written by other users"):
        check_trusted(code)


def test_what_belongs_to_another_user_is_refused(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root could give the file away: this user is made another one instead."""
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        check_trusted(code)  # root's files are everybody's
        os.chown(code, owner + 2, -1)
    with pytest.raises(UnsafeFileError, match="belongs to another user"):
        check_trusted(code)


def test_a_link_is_refused(code: Path) -> None:
    """It may lead to a file that its owner has good reasons to share."""
    link = code.with_name("link.so")
    link.symlink_to(code)
    with pytest.raises(UnsafeFileError, match="is a link"):
        check_trusted(link)


def test_a_program_may_come_with_what_belongs_to_it(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An organiser's account runs programs that another account has installed."""
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


def test_a_folder_is_made_for_this_user_alone(tmp_path: Path) -> None:
    made = tmp_path / "a" / "cache"
    make_private_folder(made)
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o775)
    make_private_folder(made)
    assert made.stat().st_mode & 0o777 == 0o755


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = os.geteuid()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(UnsafeFileError, match=r"cache (belongs to another user|can be written by other users)"):
        make_private_folder(tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o777


def test_rights_of_others_are_taken_away(code: Path) -> None:
    code.chmod(0o777)
    deny_write_to_others(code)
    assert code.stat().st_mode & 0o777 == 0o755
