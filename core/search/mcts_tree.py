"""The layout of a Monte-Carlo search tree (core/search/kernels/mcts.py), for code that runs without its source."""

from __future__ import annotations

TREE_START = 8  # index of the first block
MOVE_COUNT, VISITS, SOLVER_CALLED, HEADER_WORDS = 0, 1, 2, 4  # words of a block before its rows
ROWS = 7
ROW_VISITS, ROW_REWARDS, ROW_RAPID_VISITS, ROW_RAPID_REWARDS, ROW_CHILD, ROW_PRIOR = 1, 2, 3, 4, 5, 6
PRIOR_SCALE = 1 << 20  # a share of all visits
NO_CHILD, PROVEN_WIN, PROVEN_LOSS, CLAIMED = 0, -1, -2, -3
UNKNOWN, WON, LOST = 0, 1, 2  # results for a side to move
# Why a search returns: a node to study, no room, the root proven or MAX_REWARDS reached, a limit or stop.
NEEDS_SOLVER, FULL, SPENT, STOPPED = 1, 2, 3, 4
MAX_TREE_DEPTH = 400
MAX_REWARDS = 1 << 30  # of a node's playouts, whose sums have 32 bits
MAX_PRIOR_REWARDS = 1 << 29  # of a move, beside them
MAX_TREE_WORDS = (1 << 31) - 1  # of a tree: an index of a word has 32 bits
PART_WORDS = 1 << 16  # that are copied or read at a time, in a millisecond or less, when a tree is thinned out
