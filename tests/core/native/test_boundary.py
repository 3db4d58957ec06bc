"""The generated stubs of the kernels are up to date, and mypy reports fields and kernels that are not in them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from mypy import api

from core.native.boundary import search_states, search_stub_text, stub_text
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from tests.core.kernels import sample

ROOT = Path(__file__).parents[3]
MYPY_ERRORS = {  # a wrong statement -> a part of mypy's message
    "position.state.stone": '"Gomoku" has no attribute "stone"',
    "position.state.side = None": 'expression has type "None", variable has type "int"',
    "position.state.cells[0] = 'x'": "No overload variant",
    "position.library.aply(position.state, 1)": '"Kernels" has no attribute "aply"',
    "position.library.apply(1, position.state)": '"apply" of "Kernels" has incompatible type "Gomoku"; expected "int"',
    "position.library.find_full_vcf(position.state, new_array('i32', 8), 1, 1)": "Array[c_int32]",
    "position.library.new('Hex')": "Literal['Gomoku']",
}
PREAMBLE = """from bots.gomoku.position import GomokuPosition
from core.native.library import new_array
def use(position: GomokuPosition) -> None:
"""


def test_stubs_are_up_to_date() -> None:
    command = [sys.executable, "-m", "core.native.boundary", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_stub_has_fields_and_exported_kernels_with_their_types() -> None:
    lines = stub_text(sample.KERNELS).splitlines()
    assert "    grid: ArrayField[ArrayField[int]]  # a nested array" in lines
    assert "    ratio: float  # a number" in lines
    assert "    def fill(self, s: Sample, seed: int, /) -> None: ..." in lines
    assert "    def nth_prime" not in "".join(lines)  # it is not exported
    assert "    def digest(self, s: Sample, words: Array[c_uint64], shorts: Array[c_uint16], /) -> int: ..." in lines


def test_a_stub_names_the_modules_that_declare_states_and_define_kernels() -> None:
    lines = stub_text(sample.KERNELS).splitlines()
    assert "class Sample:  # declared in tests/core/kernels/sample.py" in lines
    kernel_lines = lines[lines.index("class Kernels:") :]
    assert kernel_lines[2] == "    # defined in tests/core/kernels/sample.py"
    assert sum("# defined in" in line for line in kernel_lines) == 1  # all exported kernels are of that module
    assert "class MctsState:  # fields declared in core/search/kernels/mcts.py" in search_stub_text(search_states())


def test_a_state_inherits_the_fields_of_its_search() -> None:
    """A state type inherits only if it has all fields of the search."""
    bases = search_states()
    complete = StateType("Complete", (*bases[1].fields, StateField("stones", "u8", (4,), "")))
    incomplete = StateType("Incomplete", complete.fields[1:])
    lines = stub_text(KernelSet("toy", (complete, incomplete)), bases).splitlines()
    assert "from core.search.boundary import MctsState" in lines
    index = lines.index("class Complete(MctsState):")
    assert lines[index + 1 : index + 4] == ["    stones: ArrayField[int]", "", "class Incomplete:"]
    assert "    root_result: int  # " in search_stub_text(bases)


def test_mypy_reports_wrong_uses_of_kernels_and_states(tmp_path: Path) -> None:
    """The last statement is correct."""
    code = tmp_path / "uses.py"
    statements = [*MYPY_ERRORS, "position.library.undo(position.state)"]
    code.write_text(PREAMBLE + "".join(f"    {statement}\n" for statement in statements))
    options = ["--follow-imports=silent", "--ignore-missing-imports", "--cache-dir", str(tmp_path)]
    out, _, _ = api.run(["--config-file=", *options, str(code)])
    errors = {int(number): text for number, text in re.findall(r"uses\.py:(\d+): error: (.*)", out)}
    first = len(PREAMBLE.splitlines()) + 1  # line number of the first statement
    assert sorted(errors) == list(range(first, first + len(MYPY_ERRORS))), out
    for number, expected in enumerate(MYPY_ERRORS.values(), first):
        assert expected in errors[number]
