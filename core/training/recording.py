"""Recording of games into binary files (blocks.py), and the reading of recorded games by number."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from core.training.blocks import BlockSeries, open_blocks
from core.training.games import open_workers, play_in_order

GAMES_AHEAD = 4  # games per process that may be played before it is their turn to be written

GameT = TypeVar("GameT")  # the game's decoded record


def record_blocks(
    series: BlockSeries,
    make: Callable[..., Any],
    arguments: tuple[Any, ...],
    end_index: int | None = None,
    *,
    processes: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[bytes]:
    """Add the games from `series.count` to `end_index` (exclusive; None for no end), and yield each once it is written.

    `make(*arguments)` creates a player, whose `play(index)` returns an encoded game. No game is started once `is_over`
    returns true.
    """
    indices = itertools.count(series.count) if end_index is None else range(series.count, end_index)
    with open_workers(processes) as executor:
        ahead = GAMES_AHEAD * processes if executor else 1
        for game in play_in_order(make, arguments, indices, executor=executor, ahead=ahead, is_over=is_over):
            series.append(game)
            yield game


class RecordedGames(Generic[GameT]):
    """The wanted games of some files, numbered from 0 in the order of the files.

    `decode` decodes a game and raises `ValueError` if it is damaged. `is_wanted` selects games by their encoded form.
    """

    def __init__(
        self,
        paths: Iterable[Path],
        decode: Callable[[memoryview], GameT],
        is_wanted: Callable[[memoryview], bool] = lambda _: True,
    ) -> None:
        self._decode = decode
        self._blocks = [
            (file, block)
            for file in map(open_blocks, paths)
            for block in range(1, len(file.spans))  # block 0 holds the settings of the recording
            if is_wanted(file.view(block))
        ]

    def __len__(self) -> int:
        return len(self._blocks)

    def __iter__(self) -> Iterator[GameT]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> GameT:
        file, block = self._blocks[number]
        try:
            return self._decode(file.view(block))
        except ValueError as error:
            raise ValueError(f"{file.path}, block {block}: {error}") from error
