"""Weights of the prior: made by `bots.hex.teach`, not by hand."""
RING: dict[int, int] = {}
BRIDGE = [0] * 48
REPLY = [0] * 26
FOLLOW = [0] * 26
