"""Ahead-of-time compilation of a game's kernels to native object files for one target, one file per CPU level.

Run as `python -m core.native.aot MODULE TARGET LEVEL=OUT.o...` in a process of its own, because numba reads its
settings from the environment when it is imported; `compile_objects` starts that process. It also writes OUT.json, the
layouts of the states and the signatures of the kernels that the loader binds. `core/native/link.py` links an object
file to a library.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.native.signature import Argument, parse_signature

if TYPE_CHECKING:
    from core.native.kernel import Kernel, KernelSet

TRIPLES = {  # target -> LLVM's target triple
    "x86_64-linux": "x86_64-unknown-linux-gnu",
    "aarch64-linux": "aarch64-unknown-linux-gnu",
    "x86_64-windows": "x86_64-pc-windows-gnu",
    "x86_64-macos": "x86_64-apple-macosx11.0",
    "aarch64-macos": "arm64-apple-macosx11.0",
}
# Architecture -> CPU levels that kernels are compiled for, best first, by LLVM's names.
LEVELS = {"x86_64": ("x86-64-v3", "x86-64-v2"), "aarch64": ("generic",)}

_LLVM_TYPES = {"i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "f32": "float", "f64": "double"}
# Functions that LLVM calls in place of a loop that fills or copies; the runtime that the linker adds provides them.
_PROVIDED_SYMBOLS = frozenset({"memset", "memcpy", "memmove"})
# Operations of LLVM that become calls of the C mathematics library, at least where the CPU level lacks an instruction.
_LIBM_INTRINSIC = re.compile(r"llvm\.(a?(sin|cos|tan)h?|atan2|exp(2|10)?|log(2|10)?|powi?|fma|ldexp|frexp|modf)\.")
# Symbols in numba's code by which a forbidden operation is recognised. Every `raise` refers to its exception as pickled
# bytes. Global arrays that are not contiguous or above a megabyte are referred to by address, not copied.
_REFUSED_SYMBOLS = (
    (re.compile(r"NRT_\w*(alloc|new)", re.IGNORECASE), "allocates memory; buffers belong in the record"),
    (re.compile(r"numba_gil_ensure$"), "prints or calls Python, which no executable can do"),
    (re.compile(r"\.const\.pickle"), "can raise an exception; a kernel returns a code instead"),
    (re.compile(r"numba\.dynamic\.globals\."), "holds an address of this process, such as that of a big global array"),
)
_SYMBOL = re.compile(r'@(?:"([^"]+)"|([-\w.$]+))')  # in LLVM's text


class KernelError(Exception):
    """A kernel cannot be compiled ahead of time; the message names the kernel and the reason."""


def compile_objects(module: str, target: str, outs: Mapping[str, Path]) -> None:
    """Compile `KERNELS` of a module to an object file for each CPU level of a target; raise KernelError.

    `outs` maps each level to the path of its object file. Numba translates the kernels once, always for the first of
    LEVELS, so that an object file does not depend on which others are made with it. That is nine tenths of the work;
    LLVM then optimises for each level.
    """
    environment = dict(os.environ, NUMBA_CPU_FEATURES="", NUMBA_DISABLE_INTEL_SVML="1", NUMBA_DISABLE_JIT="0")
    environment["NUMBA_CPU_NAME"] = LEVELS[target.split("-", maxsplit=1)[0]][0]
    paths = [str(Path(__file__).parents[2]), environment.get("PYTHONPATH")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    # -P: another checkout in the working folder must not be compiled in place of this one
    command = [sys.executable, "-P", "-m", "core.native.aot", module, target]
    command += [f"{level}={out}" for level, out in outs.items()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise KernelError(done.stderr.strip().splitlines()[-1] if done.returncode == 2 else done.stderr.strip())


def emit_object(kernels: KernelSet, target: str, level: str) -> bytes:
    """Return the object file of a kernel set: kernels linked, only exported ones visible, optimised at -O3."""
    import llvmlite.binding as llvm

    from core.native.byte_dots import functions_for_level

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLES[target]).create_target_machine(
        cpu=level if target.startswith("x86") else "", opt=3, reloc="pic", codemodel="default"
    )
    kernels.compile()
    reached = _reached_symbols(kernels)
    for kernel in kernels.kernels:
        signature_count = sum(other.dispatcher is kernel.dispatcher for other in kernels.kernels)
        _refuse_kernel(kernel, reached[kernel.name], signature_count)
    texts = [_wrapper(kernel) for kernel in kernels.kernels if kernel.exported]
    module = llvm.parse_assembly("\n".join([*texts, functions_for_level(level)]))
    for kernel in kernels.kernels:
        module.link_in(_unoptimised_module(kernel), preserve=False)
    module.triple = TRIPLES[target]
    module.data_layout = str(machine.target_data)
    exported = {kernel.name for kernel in kernels.kernels if kernel.exported}
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exported else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    _optimise(llvm, machine, module)
    _refuse_unresolved(reached, module)
    _refuse_writable(reached, module)
    return bytes(machine.emit_object(module))


def declarations(kernels: KernelSet) -> dict[str, object]:
    """Return the layouts of the states, the signatures of the exported kernels and each symbol's name in Python."""
    exported = [kernel for kernel in kernels.kernels if kernel.exported]
    return {
        "records": {record.name: record.to_json() for record in kernels.records},
        "kernels": {kernel.name: kernel.signature for kernel in exported},
        "called": {kernel.name: kernel.called for kernel in exported},
    }


def _optimise(llvm: Any, machine: Any, module: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)


def _unoptimised_module(kernel: Kernel) -> Any:
    return _overload(kernel).library._get_module_for_linking().clone()


def _overload(kernel: Kernel) -> Any:
    return kernel.dispatcher.overloads[kernel.types.args]


def _wrapper(kernel: Kernel) -> str:
    """Return the LLVM text of the C function that calls numba's `i32 f(retptr, excptr, args...)`.

    An array crosses as pointer and length and becomes numba's seven-member array; a record is a pointer on both sides.
    The status that numba returns is always 0, because kernels that can raise are refused.
    """
    signature = parse_signature(kernel.signature)
    outer, inner, inner_types = [], [], []
    lines = []
    for index, argument in enumerate(signature.arguments):
        name = f"%a{index}"
        if argument.is_array:
            outer += [f"ptr {name}", f"i64 {name}.length"]
            length, size = f"i64 {name}.length", f"i64 {int(argument.type[1:]) // 8}"
            inner += ["ptr null", "ptr null", length, size, f"ptr {name}", length, size]
            inner_types += ["ptr", "ptr", "i64", "i64", "ptr", "i64", "i64"]
        else:
            kind = _llvm_type(argument)
            outer.append(f"{kind} {name}")
            inner.append(f"{kind} {name}")
            inner_types.append(kind)
    mangled = f'@"{_overload(kernel).fndesc.mangled_name}"'
    result = "ptr" if signature.result == "void" else _llvm_scalar(signature.result)
    lines.append(f"declare i32 {mangled}({', '.join(['ptr', 'ptr', *inner_types])})")
    returned = "void" if signature.result == "void" else result
    lines.append(f"define {returned} @{kernel.name}({', '.join(outer)}) {{")
    lines += [f"%result = alloca {result}", "%error = alloca ptr"]
    lines.append(f"%status = call i32 {mangled}({', '.join(['ptr %result', 'ptr %error', *inner])})")
    if signature.result == "void":
        lines.append("ret void }")
    else:
        lines += [f"%value = load {result}, ptr %result", f"ret {result} %value }}"]
    return "\n".join(lines)


def _llvm_type(argument: Argument) -> str:
    return "ptr" if argument.is_record else _llvm_scalar(argument.type)


def _llvm_scalar(name: str) -> str:
    return _LLVM_TYPES[name.replace("u", "i")]


def _reached_symbols(kernels: KernelSet) -> dict[str, set[str]]:
    """Return the symbols that each kernel refers to, directly or through helper functions, but not other kernels."""
    mangled = {_overload(kernel).fndesc.mangled_name for kernel in kernels.kernels}
    reached = {}
    for kernel in kernels.kernels:
        module = _unoptimised_module(kernel)
        values = {value.name: value for value in (*module.functions, *module.global_variables)}
        start = _overload(kernel).fndesc.mangled_name
        symbols, waiting = {start}, [start]
        while waiting:
            value = values.get(waiting.pop())
            new_symbols = {quoted or plain for quoted, plain in _SYMBOL.findall(str(value))} - symbols
            symbols |= new_symbols
            waiting += new_symbols - mangled
        reached[kernel.name] = symbols
    return reached


def _find_culprit(reached: dict[str, set[str]], symbol: str) -> str:
    """Return the first kernel that refers to a symbol; later ones may only have inlined or called that kernel."""
    return next((name for name, symbols in reached.items() if symbol in symbols), "?")


def _refuse_kernel(kernel: Kernel, symbols: set[str], signature_count: int) -> None:
    """Raise KernelError for faults that optimisation would hide.

    `signature_count` is the number of signatures that the function was declared with.
    """
    if len(kernel.dispatcher.overloads) > signature_count:  # numba compiled it once more for the other types
        raise KernelError(f"kernel {kernel.name} calls itself with argument types other than its signature's")
    for pattern, reason in _REFUSED_SYMBOLS:
        if any(pattern.match(symbol) for symbol in symbols):
            raise KernelError(f"kernel {kernel.name} {reason}")


def _refuse_unresolved(reached: dict[str, set[str]], module: Any) -> None:
    unresolved = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")}
    unresolved |= {f.name for f in module.functions if _LIBM_INTRINSIC.match(f.name)}
    unresolved |= {v.name for v in module.global_variables if v.is_declaration}
    for symbol in sorted(unresolved - _PROVIDED_SYMBOLS):
        culprit = _find_culprit(reached, symbol)
        raise KernelError(f"kernel {culprit} needs {symbol}, which no executable carries (libm?)")


def _refuse_writable(reached: dict[str, set[str]], module: Any) -> None:
    for variable in module.global_variables:
        # " = internal global i64 0" is writable, " = internal constant ..." is not
        if not variable.is_declaration and " global " in str(variable).partition("=")[2].partition("[")[0]:
            culprit = _find_culprit(reached, variable.name)
            raise KernelError(f"kernel {culprit} writes the global {variable.name}; state belongs in the record")


def _spare_machine_code() -> None:
    """Patch numba so that it makes no machine code and no Python wrapper for this process.

    Only the LLVM modules are needed; this saves a quarter of the time. The kernels cannot be called afterwards.
    """
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext

    context: Any = CPUContext
    library: Any = JITCodeLibrary
    codegen: Any = JITCPUCodegen
    context.create_cpython_wrapper = lambda *_, **__: None
    library._finalize_specific = lambda _: None
    library.get_pointer_to_function = lambda self, _: self._ensure_finalized() or 0
    codegen.set_env = lambda *_: None  # would look up an address in the code


def main(arguments: list[str]) -> int:
    """Run in the process that `compile_objects` starts. Exit status 2: a kernel was refused, see the last line."""
    module, target, *outs = arguments
    _spare_machine_code()
    gc.disable()  # numba's graphs of types live on anyway
    kernels = importlib.import_module(module).KERNELS
    try:
        for out in outs:
            level, _, path = out.partition("=")
            Path(path).write_bytes(emit_object(kernels, target, level))
            Path(path).with_suffix(".json").write_text(json.dumps(declarations(kernels), indent=1), encoding="utf-8")
    except KernelError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
