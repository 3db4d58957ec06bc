"""Pages that are one HTML file and need nothing else: styles, scripts and data are inside."""

from __future__ import annotations

import base64
import gzip
import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

STATIC = Path(__file__).parent / "static"


def fill_template(template: str, title: str, styles: Sequence[str], scripts: Sequence[str], data: Any) -> str:
    """Return a template of the folder `static` with the contents of style and script files and with the data.

    The page gets its data as compressed JSON in base64 and inserts all texts as text nodes, so that nothing in a name
    or a message can become markup.
    """
    values = {
        "TITLE": html.escape(title),
        "STYLE": _join(styles),
        "SCRIPT": _join(scripts),
        "DATA": base64.b64encode(gzip.compress(msgspec.json.encode(data), mtime=0)).decode("ascii"),
    }
    # One pass over the template, so that a placeholder inside a name is not replaced.
    content = (STATIC / template).read_text(encoding="utf-8")
    return re.sub("{{([A-Z]+)}}", lambda match: values[match[1]], content)


def _join(names: Sequence[str]) -> str:
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)
