"""A function that returns the modules that an import loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def foreign_modules(*modules: str) -> set[str]:
    """Return the top-level modules that importing `modules` loads, except the standard library, `core` and `protocols`.

    Names that begin with an underscore do not count, nor modules that Python has loaded at its start, such as the
    `sitecustomize` of Debian.
    """
    code = f"import sys; before = {{*sys.modules}}; import {', '.join(modules)}; print(*{{*sys.modules}} - before)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    return {name for name in loaded - sys.stdlib_module_names - {"core", "protocols"} if not name.startswith("_")}
