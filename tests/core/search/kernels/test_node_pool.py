"""The pool of nodes: threads take no word twice and none beyond its end, and a proof outlasts a child in the making."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from core.search.mcts_tree import EXPANDING, NO_CHILD, PROVEN_LOSS, PROVEN_WIN
from tests.core.kernels.node_filler import KERNELS

WORD = 3  # a child word
THREADS, SIZE = 4, 3


@pytest.fixture(scope="module")
def pool() -> dict[str, Any]:
    """The compiled kernels by name."""
    KERNELS.compile()
    return {kernel.name: kernel.dispatcher for kernel in KERNELS.kernels}


def test_a_failed_allocation_changes_nothing(pool: dict[str, Any]) -> None:
    """The first free word went beyond the pool, and came no more back."""
    tree = np.zeros(20, np.int32)
    tree[0] = 8
    assert pool["allocate"](tree, 13) == -1
    assert tree[0] == 8
    assert pool["allocate"](tree, 12) == 8
    assert pool["allocate"](tree, 1) == -1
    assert tree[0] == 20


def test_threads_take_each_word_once(pool: dict[str, Any]) -> None:
    """With a pool that is used up by several threads at once; the last words fit no block."""
    tree = np.zeros(300_000 * SIZE + 1 + SIZE - 1, np.int32)
    tree[0] = 1
    blocks: list[int] = []
    threads = [threading.Thread(target=lambda: blocks.append(pool["fill"](tree, SIZE))) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(blocks) == 300_000
    assert tree[0] == 300_000 * SIZE + 1


@pytest.mark.parametrize("content", [NO_CHILD, EXPANDING, PROVEN_WIN, PROVEN_LOSS, 700])
def test_one_thread_makes_a_child(pool: dict[str, Any], content: int) -> None:
    tree = np.zeros(8, np.int32)
    tree[WORD] = content
    assert pool["claim_child"](tree, WORD) == (content == NO_CHILD)
    assert tree[WORD] == (EXPANDING if content == NO_CHILD else content)


@pytest.mark.parametrize("proof", [PROVEN_WIN, PROVEN_LOSS])
def test_a_proof_outlasts_a_child_in_the_making(pool: dict[str, Any], proof: int) -> None:
    """Its index was written over the proof that another thread had just found."""
    tree = np.zeros(8, np.int32)
    assert pool["claim_child"](tree, WORD)
    tree[WORD] = proof
    assert pool["publish_child"](tree, WORD, 700) == 0
    pool["release_child"](tree, WORD)
    assert tree[WORD] == proof


def test_a_child_is_published_or_released(pool: dict[str, Any]) -> None:
    tree = np.zeros(8, np.int32)
    assert pool["claim_child"](tree, WORD)
    pool["release_child"](tree, WORD)
    assert tree[WORD] == NO_CHILD
    assert pool["claim_child"](tree, WORD)
    assert pool["publish_child"](tree, WORD, 700) == 700
    assert tree[WORD] == 700


def test_a_child_is_published_after_its_contents(pool: dict[str, Any]) -> None:
    """A plain store may overtake those of the block on ARM, and another thread then reads a block of zeros."""
    publish = pool["publish_child"]
    code = publish.inspect_llvm(publish.signatures[0])
    assert "cmpxchg" in code
    assert "acq_rel" in code
    assert "store i32" not in code.split("define")[1]
