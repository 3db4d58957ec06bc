"""Smart Game Format: the main line of the first game in a text. What the properties mean is the game's business."""

from __future__ import annotations

import re

from core.play.player import BadSetup

Node = dict[str, list[str]]  # values by property, in capital letters

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)


def parse_sgf(text: str) -> list[Node]:
    """The nodes of the main line, the root first; raise BadSetup where the text is no SGF."""
    start = text.find("(;")
    if start < 0:
        raise BadSetup("a game in SGF is wanted: there is no '(;' in the text")
    nodes: list[Node] = []
    name, place = "", start + 1
    while match := _TOKEN.match(text, place):
        place = match.end()
        mark, word, value = match.groups()
        if mark == ")":
            return nodes
        if mark == ";":
            nodes.append({})
        elif word:
            name = "".join(letter for letter in word if letter.isupper())  # FF[3] allowed small letters between
        elif value is not None:
            _add_value(nodes, name, value)
    raise BadSetup(f"SGF: {text[place : place + 20].strip()!r} after {place} characters is no property, node or end")


def _add_value(nodes: list[Node], name: str, value: str) -> None:
    if not name:
        raise BadSetup(f"SGF: the value {value[:20]!r} belongs to no property")
    nodes[-1].setdefault(name, []).append(_ESCAPE.sub(lambda match: match[1].strip("\r\n"), value))
