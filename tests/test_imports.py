"""Imports go from higher layers to lower ones without cycles, folders are small, and class names are unique.

Imports inside functions and imports that are only for type checking count, too.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

MAX_MODULES = 15  # per folder
ROOT = Path(__file__).parents[1]
LAYERS = ("core", "protocols", "bots", "arena")  # from the lowest; a layer may import itself and lower ones
ENTRY_POINTS = {"__main__", "gtp", "gtp_commands"}  # the modules of a bot that may import protocols
FILES = {  # module name -> file
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for layer in LAYERS
    for path in (ROOT / layer).rglob("*.py")
}


def find_imports(module: str) -> Iterator[str]:
    """Yield the modules of this project that a module imports anywhere, even inside functions."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from [name] if name in FILES else {node.module} & FILES.keys()


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    """Return the imported modules of each module."""
    return {module: set(find_imports(module)) - {module} for module in FILES}


def test_no_import_cycle(graph: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_layers_import_lower_layers_only(graph: dict[str, set[str]]) -> None:
    def layer_index(module: str) -> int:
        return LAYERS.index(module.partition(".")[0])

    assert not [
        (module, used)
        for module, all_used in graph.items()
        for used in all_used
        if layer_index(used) > layer_index(module)
    ]


def test_bots_import_protocols_only_in_their_entry_points(graph: dict[str, set[str]]) -> None:
    """The other modules of a bot must not import its entry points either."""
    bots = [module for module in graph if module.startswith("bots.")]
    importers = {module for module in bots if any(used.startswith("protocols.") for used in graph[module])}
    assert {module.rpartition(".")[2] for module in importers} == ENTRY_POINTS
    assert not [
        (module, graph[module] & importers) for module in bots if module not in importers and graph[module] & importers
    ]


@pytest.mark.parametrize("folder", sorted({module.rpartition(".")[0] for module in FILES} - {""}))
def test_no_import_cycle_between_the_entries_of_a_folder(folder: str, graph: dict[str, set[str]]) -> None:
    """A subfolder counts as one entry, so two subfolders must not import each other."""
    depth = folder.count(".") + 2
    edges = defaultdict(set)
    for module, all_used in graph.items():
        for used in all_used:
            importer, imported = (".".join(name.split(".")[:depth]) for name in (module, used))
            if importer != imported and all(name.startswith(f"{folder}.") for name in (importer, imported)):
                edges[importer].add(imported)
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_folders_are_small() -> None:
    sizes = Counter(path.parent for path in FILES.values() if path.name != "__init__.py")
    assert not {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > MAX_MODULES}


def test_class_names_are_unique() -> None:
    """Two public classes may have the same name only in the same module of different games."""
    modules_by_class = defaultdict(set)
    for module, path in FILES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                parts = module.split(".")
                modules_by_class[node.name].add(".".join(["bots", "*", *parts[2:]]) if parts[0] == "bots" else module)
    assert not {name: modules for name, modules in modules_by_class.items() if len(modules) > 1}
