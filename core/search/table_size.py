"""The size of a transposition table. Without numba, so that executables can import it."""

from __future__ import annotations

BUCKET_WORDS = 8  # four entries of two 64-bit words: one cache line


def table_words(size_bytes: int) -> int:
    """Return the number of 64-bit words, a power of two, of the largest table within `size_bytes`.

    It is at least one bucket.
    """
    words = max(size_bytes // 8, BUCKET_WORDS)
    return 1 << (int(words).bit_length() - 1)
