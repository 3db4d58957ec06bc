"""`split_command` splits command lines as POSIX or Windows does, and `join_command` is its inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.command_line import join_command, split_command


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (r"C:\games\pbrain-x.exe --level 3", [r"C:\games\pbrain-x.exe", "--level", "3"]),
        (r'"C:\Program Files\x.exe" "a b" c', [r"C:\Program Files\x.exe", "a b", "c"]),
        # Regression: a quotation mark in the middle of an argument used to be kept
        (r'x.exe --name="a b" d\"e', ["x.exe", "--name=a b", 'd"e']),
        (r'x "ends with\\" y', ["x", "ends with\\", "y"]),
        ("x ''", ["x", "''"]),
        ('x "" y', ["x", "", "y"]),
        (" \t ", []),
    ],
)
def test_windows_command_line(text: str, arguments: list[str]) -> None:
    assert split_command(text, windows=True) == arguments


def test_sequence_of_arguments_is_returned_unchanged() -> None:
    assert split_command(["a b", '"']) == ["a b", '"']


def test_unclosed_posix_quotation_is_an_error() -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command("x 'y", windows=False)


@pytest.mark.parametrize("windows", [True, False])
@given(st.lists(st.text(st.sampled_from("ab \\\"'=\t"), min_size=1), min_size=1))
def test_joined_arguments_are_split_again(windows: bool, arguments: list[str]) -> None:
    assert split_command(join_command(arguments, windows=windows), windows=windows) == arguments
