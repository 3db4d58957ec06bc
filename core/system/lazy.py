"""Runtime hook of PyInstaller, run first in every executable: loads some standard modules only when they are used.

This makes bots start faster. `dataclasses` imports `inspect`, which loads `ast` and more, but rarely uses it. `tomllib`
is needed only if there is a config file, and `traceback` only for an error. importlib's LazyLoader does not help,
because it loads a module at the next import statement.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

LAZY_MODULES = ("inspect", "tomllib", "traceback")


class Postponed(ModuleType):
    """A module whose code runs at the first access to an attribute that is not set yet."""

    def __getattr__(self, name: str) -> Any:
        if self.__class__ is Postponed:
            self.__class__ = ModuleType  # type: ignore[assignment]
            assert self.__spec__ is not None
            assert self.__spec__.loader is not None
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def postpone(name: str) -> None:
    """Put a `Postponed` module into `sys.modules` unless the module has already been imported."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is not None:
        module = sys.modules[name] = module_from_spec(spec)
        module.__class__ = Postponed


for _name in LAZY_MODULES:
    postpone(_name)
