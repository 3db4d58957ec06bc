"""The node pool of a search tree: threads never share words, exceed the pool or overwrite a proof."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from core.search.mcts_tree import EXPANDING, NO_CHILD, PROVEN_LOSS, PROVEN_WIN
from tests.core.kernels.node_filler import KERNELS

SLOT = 3  # index of a child slot
THREAD_COUNT = 4
NODE_COUNT = 300_000
SIZE = 3  # words of a node


@pytest.fixture(scope="module")
def pool() -> dict[str, Any]:
    """Return the compiled kernels by name."""
    KERNELS.compile()
    return {kernel.name: kernel.dispatcher for kernel in KERNELS.kernels}


def test_a_failed_allocation_changes_nothing(pool: dict[str, Any]) -> None:
    """Regression: it used to leave the index of the first free word beyond the end of the pool."""
    tree = np.zeros(20, np.int32)
    tree[0] = 8  # index of the first free word
    assert pool["allocate"](tree, 13) == -1
    assert tree[0] == 8
    assert pool["allocate"](tree, 12) == 8
    assert pool["allocate"](tree, 1) == -1
    assert tree[0] == 20


def test_threads_take_each_word_once(pool: dict[str, Any]) -> None:
    """Several threads fill a pool, whose last two words are too few for another node."""
    tree = np.zeros(1 + NODE_COUNT * SIZE + SIZE - 1, np.int32)
    tree[0] = 1  # index of the first free word
    node_counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: node_counts.append(pool["fill"](tree, SIZE))) for _ in range(THREAD_COUNT)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(node_counts) == NODE_COUNT
    assert tree[0] == 1 + NODE_COUNT * SIZE


@pytest.mark.parametrize("content", [NO_CHILD, EXPANDING, PROVEN_WIN, PROVEN_LOSS, 700])
def test_only_an_empty_slot_can_be_claimed(pool: dict[str, Any], content: int) -> None:
    tree = np.zeros(8, np.int32)
    tree[SLOT] = content
    assert pool["claim_child"](tree, SLOT) == (content == NO_CHILD)
    assert tree[SLOT] == (EXPANDING if content == NO_CHILD else content)


@pytest.mark.parametrize("proof", [PROVEN_WIN, PROVEN_LOSS])
def test_a_proof_is_not_overwritten_by_the_child_being_made(pool: dict[str, Any], proof: int) -> None:
    """Regression: the node's index used to overwrite the proof of another thread."""
    tree = np.zeros(8, np.int32)
    assert pool["claim_child"](tree, SLOT)
    tree[SLOT] = proof
    assert pool["publish_child"](tree, SLOT, 700) == 0
    pool["release_child"](tree, SLOT)
    assert tree[SLOT] == proof


def test_a_child_is_published_or_released(pool: dict[str, Any]) -> None:
    tree = np.zeros(8, np.int32)
    assert pool["claim_child"](tree, SLOT)
    pool["release_child"](tree, SLOT)
    assert tree[SLOT] == NO_CHILD
    assert pool["claim_child"](tree, SLOT)
    assert pool["publish_child"](tree, SLOT, 700) == 700
    assert tree[SLOT] == 700


def test_a_child_is_published_with_release_semantics(pool: dict[str, Any]) -> None:
    """On ARM a plain store may become visible before the node's contents; another thread then reads zeros."""
    publish = pool["publish_child"]
    code = publish.inspect_llvm(publish.signatures[0])
    assert "cmpxchg" in code
    assert "acq_rel" in code
    assert "store i32" not in code.split("define")[1]
