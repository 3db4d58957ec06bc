"""The size of a transposition table, for code that runs without the kernels' sources."""

from __future__ import annotations

BUCKET_WORDS = 8  # four entries of two words, one cache line


def table_words(size_bytes: int) -> int:
    """Words of the largest table that fits into a number of bytes, at least one bucket."""
    words = max(size_bytes // 8, BUCKET_WORDS)
    return 1 << (int(words).bit_length() - 1)
