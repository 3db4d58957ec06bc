"""A parser of Smart Game Format (SGF) for tests: the main line of the first game, such as `(;GM[11]SZ[3];B[a1])`."""

from __future__ import annotations

import re

from core.play.player import BadSetup

Node = dict[str, list[str]]  # property name in capital letters -> values

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)


def parse_sgf(text: str) -> list[Node]:
    """Return the nodes of the main line, the root first; raise BadSetup if the text is not SGF."""
    start = text.find("(;")
    if start < 0:
        raise BadSetup("a game in SGF must begin with '(;', which is not in the text")
    nodes: list[Node] = []
    name, offset = "", start + 1
    while match := _TOKEN.match(text, offset):
        offset = match.end()
        bracket, word, value = match.groups()
        if bracket == ")":
            return nodes
        if bracket == ";":
            nodes.append({})
        elif word:
            name = "".join(
                letter for letter in word if letter.isupper()
            )  # SGF before FF[4] allows small letters between them
        elif value is not None:
            _add_property_value(nodes, name, value)
    raise BadSetup(f"SGF: {text[offset : offset + 20].strip()!r} after {offset} characters is no property, node or end")


def _add_property_value(nodes: list[Node], name: str, value: str) -> None:
    if not name:
        raise BadSetup(f"SGF: no property before the value {value[:20]!r}")
    nodes[-1].setdefault(name, []).append(_ESCAPE.sub(lambda match: match[1].strip("\r\n"), value))
