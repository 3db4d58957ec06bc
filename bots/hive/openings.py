"""Balanced openings by our own search: random plies from the start that a player calls even."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bots.hive.position import HivePosition
from bots.hive.tiles import KIND_LETTERS, KINDS, SIDE_TILES
from core.player import Limits, Player, Setup

CANDIDATES = 4  # of which the most even is taken: players count in units of their own
PATIENCE = 1000  # known openings in a row after which there seem to be no others

Form = tuple[tuple[int, int, str], ...]


def balanced_openings(player: Player, setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two alike under the hive's symmetries, until no others are found.

    Each is the most even of CANDIDATES by a search of `depth` plies. Both queens are in play where there are plies
    enough for that, so that tiles may move; no opening has a proven end.
    """
    chance = random.Random(seed)
    player.new_game(setup)
    seen: set[Form] = set()
    while candidates := list(_draw_candidates(chance, setup, plies, seen)):
        scored = [(score, moves) for moves in candidates if (score := _measure(player, moves, depth)) is not None]
        if scored:
            yield min(scored)[1]


def _draw_candidates(chance: random.Random, setup: Setup, plies: int, seen: set[Form]) -> Iterator[list[str]]:
    """CANDIDATES openings that were never drawn before, or fewer where there are no more."""
    position = HivePosition(setup)
    found = misses = 0
    while found < CANDIDATES and misses < PATIENCE:
        play_random(position, chance, plies)
        form = canonical_form(position)
        if form in seen or position.outcome() is not None or not _has_queens(position):
            misses += 1
            continue
        seen.add(form)
        found, misses = found + 1, 0
        yield position.moves


def _has_queens(position: HivePosition) -> bool:
    """Whether both queens are in play; a side that has had fewer than three turns may keep it in hand."""
    turns = (len(position.moves) + 1) // 2, len(position.moves) // 2
    cells = position.state.tile_cell[0], position.state.tile_cell[SIDE_TILES]
    return all(cell >= 0 or count < 3 for cell, count in zip(cells, turns, strict=True))


def _measure(player: Player, moves: Sequence[str], depth: int) -> int | None:
    """How far the score is from even, None for a proven end."""
    player.set_moves(moves)
    progress = player.choose(Limits(depth=depth)).progress
    return None if progress.win_in is not None else abs(progress.score)


def play_random(position: HivePosition, chance: random.Random, plies: int) -> None:
    """Replace the game by one of random moves, ended early where it is over."""
    position.restart(position.setup)
    while len(position.moves) < plies and (numbers := position.legal_numbers()):
        position.play(position.format(chance.choice(numbers)))


def canonical_form(position: HivePosition) -> Form:
    """The least of a hive's twelve images, moved to the origin: each cell's tiles by colour and kind, ground first."""
    stacks = {place: _name_stack(tiles) for place, tiles in position.stacks().items()}
    images = []
    for image in range(12):
        turned = [(*_transform(q, r, image), names) for (q, r), names in stacks.items()]
        left, top = min((q for q, _, _ in turned), default=0), min((r for _, r, _ in turned), default=0)
        images.append(tuple(sorted((q - left, r - top, names) for q, r, names in turned)))
    return min(images)


def _name_stack(tiles: Sequence[int]) -> str:
    return "".join("wb"[tile // SIDE_TILES] + KIND_LETTERS[KINDS[tile % SIDE_TILES]] for tile in tiles)


def _transform(q: int, r: int, image: int) -> tuple[int, int]:
    """Turn axial coordinates by sixths, the images from 6 on mirrored first."""
    if image >= 6:
        q, r = r, q
    for _ in range(image % 6):
        q, r = -r, q + r
    return q, r
