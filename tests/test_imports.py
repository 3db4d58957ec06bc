"""Imports, also those for types only, go from higher layers to lower ones, without cycles.

Modules are also checked for their size, and class names for having one meaning in the whole tree.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

MOST_MODULES = 15  # of a folder
ROOT = Path(__file__).parents[1]
FLOORS = ("core", "protocols", "bots", "arena")  # from the ground; each imports from those below
ENTRY_POINTS = {"__main__", "gtp", "gtp_commands"}  # of a bot: what serves it, and what its game plugs into GTP
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for floor in FLOORS
    for path in (ROOT / floor).rglob("*.py")
}


def find_imports(module: str) -> Iterator[str]:
    """Modules of ours that a module imports, wherever in its text."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from [name] if name in FILES else {node.module} & FILES.keys()


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return {module: set(find_imports(module)) - {module} for module in FILES}


def test_no_circle(graph: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_floors_import_downwards(graph: dict[str, set[str]]) -> None:
    def floor(module: str) -> int:
        return FLOORS.index(module.partition(".")[0])

    assert not [
        (module, used) for module, all_used in graph.items() for used in all_used if floor(used) > floor(module)
    ]


def test_bots_meet_protocols_at_their_entry_points_alone(graph: dict[str, set[str]]) -> None:
    bots = [module for module in graph if module.startswith("bots.")]
    met = {module for module in bots if any(used.startswith("protocols.") for used in graph[module])}
    assert {module.rpartition(".")[2] for module in met} == ENTRY_POINTS
    assert not [(module, graph[module] & met) for module in bots if module not in met and graph[module] & met]


@pytest.mark.parametrize("folder", sorted({module.rpartition(".")[0] for module in FILES} - {""}))
def test_no_circle_in_a_folder(folder: str, graph: dict[str, set[str]]) -> None:
    """What stands in a folder, modules and folders, has an order in which each knows only those before it."""
    depth = folder.count(".") + 2
    arrows = defaultdict(set)
    for module, all_used in graph.items():
        for used in all_used:
            here, there = (".".join(name.split(".")[:depth]) for name in (module, used))
            if here != there and here.startswith(f"{folder}.") and there.startswith(f"{folder}."):
                arrows[here].add(there)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_folders_are_small() -> None:
    sizes = Counter(path.parent for path in FILES.values() if path.name != "__init__.py")
    assert not {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > MOST_MODULES}


def test_a_class_has_a_name_of_its_own() -> None:
    """Only what plays the same part in several games, in the same module of each, is called alike."""
    places = defaultdict(list)
    for module, path in FILES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                parts = module.split(".")
                places[node.name].append(".".join(["bots", "*", *parts[2:]]) if parts[0] == "bots" else module)
    assert not {name: found for name, found in places.items() if len(set(found)) > 1}
