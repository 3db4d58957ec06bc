"""Knock-out tournaments: the seeded bracket. An engine is an index into the list of engines, which is also its seed.

The bracket has a power of two of slots. The best two seeds can meet only in the final, the best four only in the
semi-finals, and so on: with 16 engines the first round has 1-16, 8-9, 5-12, ... Slots without an engine give byes to
the top seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Slot = int | None  # an engine; None if its slot is empty or its engine is not known yet


def list_seeds(size: int) -> list[int]:
    """Return the seeds (from 0) of the slots of a bracket of `size` slots, a power of two, from top to bottom."""
    seeds = [0]
    while len(seeds) < size:
        # each engine meets the one whose seed adds up to the same sum, and so the best one meets the worst one
        seeds = [one for seed in seeds for one in (seed, 2 * len(seeds) - 1 - seed)]
    return seeds


def count_slots(engine_count: int) -> int:
    """Return the number of slots of the bracket: the smallest power of two that has room for all engines."""
    return 1 << (engine_count - 1).bit_length()


def list_bracket(engine_count: int, find_winner: Callable[[int, int, int], Slot]) -> list[list[tuple[Slot, Slot]]]:
    """Return the two engines of each match of each round, from top to bottom.

    `find_winner(round, one, other)` returns the winner of an encounter, None if it is not known. Rounds count from 1.
    In the first round None is an empty slot, whose opponent has a bye; later it is an engine that is not known yet.
    """
    size = count_slots(engine_count)
    slots: list[Slot] = [seed if seed < engine_count else None for seed in list_seeds(size)]
    rounds: list[list[tuple[Slot, Slot]]] = []
    while len(slots) > 1:
        matches = list(zip(slots[::2], slots[1::2], strict=True))
        rounds.append(matches)
        slots = [_find_advancing(match, len(rounds), find_winner) for match in matches]
    return rounds


def list_encounters(matches: Sequence[tuple[Slot, Slot]]) -> list[tuple[int, int]]:
    """Return the matches with two engines, the better seed first."""
    return [(min(one, other), max(one, other)) for one, other in matches if one is not None and other is not None]


def _find_advancing(match: tuple[Slot, Slot], round_number: int, find_winner: Callable[[int, int, int], Slot]) -> Slot:
    """Return the engine that advances from a match, or None if it is not known."""
    one, other = match
    if one is not None and other is not None:
        return find_winner(round_number, one, other)
    return (one if other is None else other) if round_number == 1 else None
