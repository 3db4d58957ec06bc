"""Tests of the labels that tell programs with one name apart."""

from __future__ import annotations

from arena.rating_list.programs import Program, identify_program, make_labels
from tests.arena.rating_list.runs import make_program, make_run_header


def make_variant(**changes: object) -> Program:
    entry = make_program("A", **changes)  # type: ignore[arg-type]
    return identify_program(entry, make_run_header([entry, make_program("B")]))


def test_label_has_only_what_differs() -> None:
    programs = [make_variant(file_hash="a" * 64, tc="1"), make_variant(file_hash="a" * 64, tc="2")]
    assert make_labels(programs, ["A"]) == ["A [1 s per move]", "A [2 s per move]"]


def test_equal_labels_are_numbered() -> None:
    """Hashes with the same first digits, and a program whose name is that of a label."""
    programs = [make_variant(file_hash=f"12345678{digit}") for digit in "abc"]
    assert make_labels(programs, ["A", "A [12345678] (2)"]) == [
        "A [12345678]",
        "A [12345678] (3)",
        "A [12345678] (4)",
    ]


def test_folders_of_arguments_do_not_matter_but_their_options_do() -> None:
    one = make_variant(command="/x/python3 /x/bot.py --book=/x/b.txt", file_hash="1")
    assert one == make_variant(command="python3 y/bot.py --book=b.txt", file_hash="1")
    assert one != make_variant(command="python3 y/bot.py --weights=b.txt", file_hash="1")
    assert make_variant(command="./A 'unclosed", file_hash="1") != one


def test_player_of_a_file_is_identified_by_the_hash_of_the_file() -> None:
    fields = {"command": "", "protocol": "", "file_hash": "f" * 64}
    one = make_variant(**fields, player="/home/a/mine.py:Mine:depth=2", source="/home/a/mine.py:Mine")
    assert one == make_variant(**fields, player="mine.py:Mine:depth=2", source="/tmp/mine.py:Mine")
    assert one != make_variant(**fields, player="mine.py:Mine:depth=3", source="/tmp/mine.py:Mine")
    assert one.version == "f" * 64


def test_player_of_a_package_has_the_version_of_the_package() -> None:
    fields = {"command": "", "protocol": "", "file_hash": "", "player": "mine"}
    assert make_variant(**fields, source="pack 1.5: mod:Mine").version == "pack 1.5: mod:Mine"
