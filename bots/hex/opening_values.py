"""How good first moves are: made by `bots.hex.make_openings`, not by hand."""

from __future__ import annotations

VALUES: dict[int, tuple[str, ...]] = {}
