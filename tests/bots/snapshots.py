"""All that a position is made of, field by field, to be compared before and after what must leave no trace."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from core.play.game import Position

MOST_BYTES = 1 << 15  # of a field; larger ones are lists and histories of searches and tables of patterns


@dataclass(frozen=True)
class Traces:
    """What kernels leave in a record as they please: whole fields, and what lies beyond the length of a stack."""

    scratch: frozenset[str]
    stacks: dict[str, str]  # fields by the one that says how many of their entries count


_HIVE_CUTS = {"cuts", "cut_order", "cut_low", "cut_path", "cut_left"}
_HEX_PATHS = ("path", "path_colour", "path_side", "path_out_of_turn", "path_links")
TRACES = {  # by record
    "Gomoku": Traces(
        frozenset({"list", "marked_rows", "vcf_budget", "vcf_line"}), dict.fromkeys(("path", "change_ends"), "stones")
    ),
    "Hex": Traces(frozenset({"list"}), {"links": "link_count"} | dict.fromkeys(_HEX_PATHS, "plies")),
    "Hive": Traces(
        frozenset({"lists", "free_cells", "mark", "stamp"} | _HIVE_CUTS),
        dict.fromkeys(("path", "path_origin", "path_rested"), "ply"),
    ),
    "Pentago": Traces(frozenset({"list"}), dict.fromkeys(("path", "path_white", "path_black"), "ply")),
    "Kolibrat": Traces(frozenset({"moves"}), dict.fromkeys(("path", "path_side", "path_score", "path_keys"), "ply")),
}


def snapshot(state: Any) -> dict[str, object]:
    """Every field of a record, byte by byte, but what `TRACES` names and what no rule touches.

    The record itself tells its fields, because importing the kernels would compile them once more.
    """
    traces = TRACES[type(state).__name__]
    fields = [(name, ctypes.sizeof(kind)) for name, kind in state._fields_ if name not in traces.scratch]
    names = [name for name, size in fields if size <= MOST_BYTES]
    return {name: _bytes_of(getattr(state, name), getattr(state, traces.stacks.get(name, ""), None)) for name in names}


def snapshot_position(position: Position) -> dict[str, object]:
    """The same of a position's record, and whatever its Python side remembers."""
    own = {name: value for name, value in vars(position).items() if name not in ("library", "state")}
    kept = {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}
    return kept | snapshot(vars(position)["state"])


def find_changes(before: dict[str, object], after: dict[str, object]) -> set[str]:
    """The fields in which two snapshots differ."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def _bytes_of(value: Any, length: int | None) -> object:
    """An array as its bytes, of a stack as many entries as count."""
    if not isinstance(value, ctypes.Array):
        return value
    return (
        bytes(value) if length is None else bytes(memoryview(value).cast("B"))[: length * ctypes.sizeof(value._type_)]
    )
