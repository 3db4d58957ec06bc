"""White's replies to the openings of 7x7, made by bots/hex/make_replies.py: proven wins where there are."""

from __future__ import annotations

REPLIES: dict[str, str] = {}
