"""Who may import whom, also for types alone: the four floors, the entry points of the bots, no circle anywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

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
