"""Runs first in an executable: what modules import and a start does not use is loaded when it is used.

`dataclasses` imports `inspect`, which brings in the parser's modules; most starts find no config file to read, and have
no error to print. (importlib's own LazyLoader loads as soon as somebody imports the module.)
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

LAZY = ("inspect", "tomllib", "traceback")


class Postponed(ModuleType):
    """A module that runs at the first look for something of its own."""

    def __getattr__(self, name: str) -> Any:
        if self.__class__ is Postponed:
            self.__class__ = ModuleType  # type: ignore[assignment]
            assert self.__spec__ is not None
            assert self.__spec__.loader is not None
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def postpone(name: str) -> None:
    """Let an import of a module that nobody has imported yet give a postponed one."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is not None:
        module = sys.modules[name] = module_from_spec(spec)
        module.__class__ = Postponed


for _name in LAZY:
    postpone(_name)
