"""Generate the stub with which mypy checks calls of a game's kernels: state classes and exported kernels.

`python -m core.native.boundary` writes `bots/<game>/kernels/boundary.pyi` of every game anew: after a change of a
record's fields or of an exported kernel's signature. With `--check` it only names the stubs that are out of date.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.native.library import kernel_module_name
from core.native.signature import Argument, parse_signature
from core.native.state_type import SCALARS, StateType, numpy_name

if TYPE_CHECKING:
    from core.native.kernel import Kernel, KernelSet

COMMAND = "python -m core.native.boundary"
_ROOT = Path(__file__).parents[2]


def stub_text(kernels: KernelSet) -> str:
    """Return the stub of a kernel set: a class per state type (not for those `like` another), and `Kernels`."""
    lines = [
        f'"""The {kernels.name} kernels as Python sees them. Made by `{COMMAND}`; not to be edited."""',
        "",
        f"from ctypes import {', '.join(['Array', *map(_element, SCALARS)])}",
        "from typing import Literal, overload",
        "",
        "from core.native.library import ArrayField",
    ]
    for record in kernels.records:
        if not record.like:  # those of other lengths have the same types
            lines += ["", f"class {record.name}:", *_fields(record)]
    exported = [kernel for kernel in kernels.kernels if kernel.exported and kernel.name == kernel.called]
    lines += ["", "class Kernels:", *_makers(kernels.records), *map(_method, exported)]
    return "\n".join(lines) + "\n"


def _fields(record: StateType) -> Iterator[str]:
    for field in record.fields:
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
    """Return ctypes' name of a scalar, the same on every system."""
    return {"f32": "c_float", "f64": "c_double"}.get(scalar, f"c_{numpy_name(scalar)}")


def _python_type(scalar: str) -> str:
    return "float" if scalar.startswith("f") else "int"


def main(arguments: list[str]) -> int:
    """Write the stubs; with `--check` only print those that are out of date and return 1 if there are any."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # only declarations are needed; compiling takes minutes
    outdated = []
    for file in sorted(_ROOT.glob("bots/*/kernels/search.py")):
        text = stub_text(importlib.import_module(kernel_module_name(file.parts[-3])).KERNELS)
        stub = file.with_name("boundary.pyi")
        if not stub.exists() or stub.read_text(encoding="utf-8") != text:
            outdated.append(str(stub.relative_to(_ROOT)))
            if "--check" not in arguments:
                stub.write_text(text, encoding="utf-8")
    for name in outdated:
        print(f"{name} is out of date: run {COMMAND}" if "--check" in arguments else f"{name} is written")
    return int(bool(outdated) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
