"""Generate the stubs from which mypy knows the kernels: state types with their fields, and exported kernels.

`python -m core.native.boundary` writes `core/search/boundary.pyi`, with the fields that each kind of search adds to a
game's state, and `bots/<game>/kernels/boundary.pyi` of every game, whose states inherit them. Run it after a change of
a state's fields or of an exported kernel's signature. With `--check` it only names the stubs that are out of date.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.native.library import kernel_module_name
from core.native.signature import Argument, parse_signature
from core.native.state_type import SCALARS, StateType, numpy_name

if TYPE_CHECKING:
    from core.native.kernel import Kernel, KernelSet

COMMAND = "python -m core.native.boundary"
_ROOT = Path(__file__).parents[2]


def search_states() -> list[StateType]:
    """Return the fields that alpha-beta and Monte-Carlo tree search need, as state types of their own."""
    alphabeta = importlib.import_module("core.search.kernels.game_kernels")
    mcts = importlib.import_module("core.search.kernels.mcts")
    return [
        StateType("AlphaBetaState", alphabeta.alphabeta_fields(1, 1)),
        StateType("MctsState", mcts.mcts_fields(1, 1)),
    ]


def search_stub_text(states: Sequence[StateType]) -> str:
    """Return the stub with a class for each kind of search."""
    lines = [
        f'"""The fields of a state that a search needs. Made by `{COMMAND}`; not to be edited."""',
        "",
        "from core.native.library import ArrayField",
    ]
    for state in states:
        lines += ["", f"class {state.name}:", *_fields(state)]
    return "\n".join(lines) + "\n"


def stub_text(kernels: KernelSet, bases: Sequence[StateType] = ()) -> str:
    """Return the stub of a kernel set: a class for each state type, and `Kernels` for the library.

    A state type with all fields of one of the `bases` inherits them. Those that are like another get no class.
    """
    inherited = {record.name: _find_base(record, bases) for record in kernels.records}
    used = sorted({base.name for base in inherited.values() if base})
    lines = [
        f'"""The {kernels.name} kernels as Python sees them. Made by `{COMMAND}`; not to be edited."""',
        "",
        f"from ctypes import {', '.join(['Array', *map(_element, SCALARS)])}",
        "from typing import Literal, overload",
        "",
        "from core.native.library import ArrayField",
        *([f"from core.search.boundary import {', '.join(used)}"] if used else []),
    ]
    for record in kernels.records:
        if not record.like:  # those of other lengths have the same types
            base = inherited[record.name]
            heading = f"class {record.name}({base.name}):" if base else f"class {record.name}:"
            lines += ["", heading, *_fields(record, base)]
    exported = [kernel for kernel in kernels.kernels if kernel.exported and kernel.name == kernel.called]
    lines += ["", "class Kernels:", *_makers(kernels.records), *map(_method, exported)]
    return "\n".join(lines) + "\n"


def _find_base(record: StateType, bases: Sequence[StateType]) -> StateType | None:
    """Return the base whose fields a state type has, all with the same scalar types and numbers of dimensions."""
    has = {(field.name, field.type, len(field.shape)) for field in record.fields}
    return next((base for base in bases if has >= {(f.name, f.type, len(f.shape)) for f in base.fields}), None)


def _fields(record: StateType, base: StateType | None = None) -> Iterator[str]:
    inherited = {field.name for field in base.fields} if base else set()
    for field in record.fields:
        if field.name in inherited:
            continue
        kind = _python_type(field.type)
        for _ in field.shape:
            kind = f"ArrayField[{kind}]"
        yield f"    {field.name}: {kind}"


def _makers(records: tuple[StateType, ...]) -> Iterator[str]:
    for record in records:
        if len(records) > 1:
            yield "    @overload"
        yield f'    def new(self, record: Literal["{record.name}"], /) -> {record.like or record.name}: ...'


def _method(kernel: Kernel) -> str:
    signature = parse_signature(kernel.signature)
    function = getattr(kernel.dispatcher, "py_func", kernel.dispatcher)
    taken = [
        f"{name}: {_argument_type(argument)}"
        for name, argument in zip(inspect.signature(function).parameters, signature.arguments, strict=True)
    ]
    result = "None" if signature.result == "void" else _python_type(signature.result)
    return f"    def {kernel.name}({', '.join(['self', *taken, '/'])}) -> {result}: ..."


def _argument_type(argument: Argument) -> str:
    if argument.is_array:
        return f"Array[{_element(argument.type)}]"
    return argument.type if argument.is_record else _python_type(argument.type)


def _element(scalar: str) -> str:
    """ctypes' name of a scalar, the same on every system."""
    return {"f32": "c_float", "f64": "c_double"}.get(scalar, f"c_{numpy_name(scalar)}")


def _python_type(scalar: str) -> str:
    return "float" if scalar.startswith("f") else "int"


def main(arguments: list[str]) -> int:
    """Write the stubs; with `--check` only name those that are out of date, and return 1 if there are any."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # a stub needs declarations only; compiling all kernels takes minutes
    states = search_states()
    texts = {_ROOT / "core/search/boundary.pyi": search_stub_text(states)}
    for file in sorted(_ROOT.glob("bots/*/kernels/search.py")):
        kernels = importlib.import_module(kernel_module_name(file.parts[-3])).KERNELS
        texts[file.with_name("boundary.pyi")] = stub_text(kernels, states)
    outdated = []
    for stub, text in texts.items():
        if not stub.exists() or stub.read_text(encoding="utf-8") != text:
            outdated.append(str(stub.relative_to(_ROOT)))
            if "--check" not in arguments:
                stub.write_text(text, encoding="utf-8")
    for name in outdated:
        print(f"{name} is out of date: run {COMMAND}" if "--check" in arguments else f"{name} is written")
    return int(bool(outdated) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
