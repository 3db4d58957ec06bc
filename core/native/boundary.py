"""Generate the stubs from which mypy knows the kernels: state types with their fields, and exported kernels.

`python -m core.native.boundary` writes `core/search/boundary.pyi`, with the fields that each kind of search adds to a
game's state, and `bots/<game>/kernels/boundary.pyi` of every game, whose states inherit them. In a stub each field is
followed by its description, and comments name the modules that declare the state types and define the kernels. Run the
command after a change of a state's fields or descriptions, or of an exported kernel. With `--check` it only names the
stubs that are out of date.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.native.library import kernel_module_name
from core.native.signature import Argument, parse_signature
from core.native.state_type import SCALARS, StateType, numpy_name

if TYPE_CHECKING:
    from core.native.kernel import Kernel, KernelSet

COMMAND = "python -m core.native.boundary"
SEARCH_MODULES = {  # state type in core/search/boundary.pyi -> module that declares its fields
    "AlphaBetaState": "core.search.kernels.game_kernels",
    "MctsState": "core.search.kernels.mcts",
}
_ROOT = Path(__file__).parents[2]


def search_states() -> list[StateType]:
    """Return the fields that alpha-beta and Monte-Carlo tree search need, as state types of their own."""
    alphabeta, mcts = map(importlib.import_module, SEARCH_MODULES.values())
    fields = alphabeta.alphabeta_fields(1, 1), mcts.mcts_fields(1, 1)  # a stub does not show the array lengths
    return [StateType(name, declared) for name, declared in zip(SEARCH_MODULES, fields, strict=True)]


def search_stub_text(states: Sequence[StateType]) -> str:
    """Return the stub with a class for each kind of search."""
    lines = [
        f'"""State fields that each kind of search needs. Made by `{COMMAND}`; do not edit."""',
        "",
        "from core.native.library import ArrayField",
    ]
    for state in states:
        source = _source_comment("fields declared", SEARCH_MODULES[state.name])
        lines += ["", f"class {state.name}:{source}", *_fields(state)]
    return "\n".join(lines) + "\n"


def stub_text(kernels: KernelSet, bases: Sequence[StateType] = ()) -> str:
    """Return the stub of a kernel set: a class for each state type, and `Kernels` for the library.

    The class of a state type that has all fields of one of the `bases` inherits them. A state type that is `like`
    another has that one's class, because only its array lengths differ.
    """
    base_of = {state_type.name: _find_base(state_type, bases) for state_type in kernels.records}
    base_names = sorted({base.name for base in base_of.values() if base})
    lines = [
        f'"""The {kernels.name} kernels and their states as Python sees them. Made by `{COMMAND}`; do not edit."""',
        "",
        f"from ctypes import {', '.join(['Array', *map(_element, SCALARS)])}",
        "from typing import Literal, overload",
        "",
        "from core.native.library import ArrayField",
        *([f"from core.search.boundary import {', '.join(base_names)}"] if base_names else []),
    ]
    for state_type in kernels.records:
        if not state_type.like:
            base = base_of[state_type.name]
            heading = f"class {state_type.name}({base.name}):" if base else f"class {state_type.name}:"
            heading += _source_comment("declared", _declaring_module(state_type))
            lines += ["", heading, *_fields(state_type, base)]
    lines += ["", "class Kernels:", *_new_overloads(kernels.records), *_methods(kernels)]
    return "\n".join(lines) + "\n"


def _find_base(state_type: StateType, bases: Sequence[StateType]) -> StateType | None:
    """Return the first base whose fields the state type has, with the same scalar types and numbers of dimensions."""
    own_fields = {(field.name, field.type, len(field.shape)) for field in state_type.fields}
    return next((base for base in bases if own_fields >= {(f.name, f.type, len(f.shape)) for f in base.fields}), None)


def _declaring_module(state_type: StateType) -> str:
    """Return the name of the imported module that has `NAME = StateType(...)` for it; empty if there is none."""
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if value is state_type and re.search(rf"^{name} = StateType\(", inspect.getsource(module), re.MULTILINE):
                return module.__name__
    return ""


def _source_comment(verb: str, module: str) -> str:
    """Return the comment `# declared in core/native/jit.py`; empty for a module without a name."""
    return f"  # {verb} in {module.replace('.', '/')}.py" if module else ""


def _fields(state_type: StateType, base: StateType | None = None) -> Iterator[str]:
    """Yield a line with type and description for each field that the base does not have."""
    inherited = {field.name for field in base.fields} if base else set()
    for field in state_type.fields:
        if field.name in inherited:
            continue
        annotation = _python_type(field.type)
        for _ in field.shape:
            annotation = f"ArrayField[{annotation}]"
        description = f"  # {field.meaning}" if field.meaning else ""
        yield f"    {field.name}: {annotation}{description}"


def _new_overloads(state_types: tuple[StateType, ...]) -> Iterator[str]:
    """Yield the method `new`, which returns a zeroed state, once per state type."""
    for state_type in state_types:
        if len(state_types) > 1:
            yield "    @overload"
        class_name = state_type.like or state_type.name
        yield f'    def new(self, record: Literal["{state_type.name}"], /) -> {class_name}: ...'


def _methods(kernels: KernelSet) -> Iterator[str]:
    """Yield a method for each exported kernel, with a comment where the defining module changes."""
    previous = ""
    for kernel in kernels.kernels:
        if kernel.exported and kernel.name == kernel.called:  # not one of its variants for other state types
            module = _python_function(kernel).__module__
            if module != previous:
                yield f"  {_source_comment('defined', module)}"
            previous = module
            yield _method(kernel)


def _python_function(kernel: Kernel) -> Any:
    """Return the function that was decorated: the dispatcher itself when numba's compilation is disabled."""
    return getattr(kernel.dispatcher, "py_func", kernel.dispatcher)


def _method(kernel: Kernel) -> str:
    signature = parse_signature(kernel.signature)
    parameters = [
        f"{name}: {_argument_type(argument)}"
        for name, argument in zip(
            inspect.signature(_python_function(kernel)).parameters, signature.arguments, strict=True
        )
    ]
    result = "None" if signature.result == "void" else _python_type(signature.result)
    return f"    def {kernel.name}({', '.join(['self', *parameters, '/'])}) -> {result}: ..."


def _argument_type(argument: Argument) -> str:
    if argument.is_array:
        return f"Array[{_element(argument.type)}]"
    return argument.type if argument.is_record else _python_type(argument.type)


def _element(scalar: str) -> str:
    """Return the name in ctypes of a scalar type, such as `c_int32`; it has that size on every system."""
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
