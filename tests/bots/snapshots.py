"""Snapshots of a position's state, for tests that an operation restores it or does not change it.

Large fields and working memory are left out.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from core.play.game import Position

MAX_FIELD_BYTES = 1 << 15  # larger fields are not compared: move lists and histories of searches, pattern tables


@dataclass(frozen=True)
class IgnoredFields:
    """Parts of a game's state whose content has no meaning between moves."""

    scratch: frozenset[str]  # working memory of kernels
    stacks: dict[str, str]  # array field -> field with the number of its valid entries; later entries are ignored


# Working memory of the search for tiles that must not move because they hold the hive together.
_HIVE_CUTS = {"cut_tiles", "dfs_number", "dfs_low", "dfs_path", "dfs_remaining"}
_HEX_PATHS = ("path", "path_colour", "path_side", "path_out_of_turn", "path_links")
IGNORED_FIELDS = {  # by name of the state's class
    "Gomoku": IgnoredFields(
        frozenset({"list", "marked_rows", "vcf_budget", "vcf_line"}), dict.fromkeys(("path", "change_ends"), "stones")
    ),
    "Hex": IgnoredFields(frozenset({"list"}), {"links": "link_count"} | dict.fromkeys(_HEX_PATHS, "plies")),
    "Hive": IgnoredFields(
        frozenset({"move_lists", "placement_cells", "cell_stamp", "current_stamp"} | _HIVE_CUTS),
        dict.fromkeys(("path", "path_origin", "path_last_moved", "path_anchor", "path_tiles_key"), "ply"),
    ),
    "Pentago": IgnoredFields(frozenset({"list"}), dict.fromkeys(("path", "path_white", "path_black"), "ply")),
    "Kolibrat": IgnoredFields(
        frozenset({"moves"}), dict.fromkeys(("path", "path_side", "path_last_point", "path_keys"), "ply")
    ),
}


def snapshot(state: Any) -> dict[str, object]:
    """Return every field of a kernels' state byte by byte, except large ones and those in IGNORED_FIELDS.

    The field names are taken from the ctypes structure, because importing the kernel modules would compile them.
    """
    ignored = IGNORED_FIELDS[type(state).__name__]
    fields = [(name, ctypes.sizeof(field_type)) for name, field_type in state._fields_ if name not in ignored.scratch]
    names = [name for name, size in fields if size <= MAX_FIELD_BYTES]
    # A field that is not in `stacks` has no length field: its length is None, and all of it is compared.
    return {name: _bytes_of(getattr(state, name), getattr(state, ignored.stacks.get(name, ""), None)) for name in names}


def snapshot_position(position: Position) -> dict[str, object]:
    """Return a snapshot of a position: its state, and its attributes on the Python side."""
    attributes = {name: value for name, value in vars(position).items() if name not in ("library", "state")}
    copied = {name: tuple(value) if isinstance(value, list) else value for name, value in attributes.items()}
    return copied | snapshot(vars(position)["state"])


def find_changes(first: dict[str, object], second: dict[str, object]) -> set[str]:
    """Return the names of the fields in which two snapshots differ."""
    return {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}


def _bytes_of(value: Any, length: int | None) -> object:
    """Return an array as bytes, cut to `length` entries if given, and any other value unchanged."""
    if not isinstance(value, ctypes.Array):
        return value
    return (
        bytes(value) if length is None else bytes(memoryview(value).cast("B"))[: length * ctypes.sizeof(value._type_)]
    )
