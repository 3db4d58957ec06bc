"""How good first moves are: made by `bots.hex.make_swap_values`, not by hand."""

from __future__ import annotations

VALUES: dict[int, tuple[str, ...]] = {}
