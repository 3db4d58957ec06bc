"""The binary format of recorded training games: game type, moves, result, and the score of each search.

Layout, little endian:

    header    index u32, expansions u8 (bit set of bots/hive/notation.py), number of opening moves u8, result i8, ending
              u8, nodes per search u16, number of moves u16, number of searches u16, number of deviations u8
    moves     i16 each (bots/hive/tiles.py)
    scores    i16 for each search, from the end of the opening on
    deviation ply u8, best move i16: a ply at which another move than the search's best was played
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from core.search.scores import NO_SCORE

BY_RULES, PROVEN, REPETITION, PLY_LIMIT = range(4)  # values of `GameRecord.ending`
_HEADER = struct.Struct("<IBBbBHHHB")
_DEVIATION = struct.Struct("<Bh")


@dataclass(frozen=True)
class GameRecord:
    """A recorded game."""

    index: int  # of the game in its recording, from 0
    expansions: int  # bit set of the extra kinds in play (bots/hive/notation.py)
    opening_length: int  # number of leading moves, which were not searched
    result: int  # 1 white has won, -1 black, 0 draw
    ending: int  # BY_RULES, PROVEN (by the last search), REPETITION (third time) or PLY_LIMIT
    nodes: int  # node limit of the searches
    moves: tuple[int, ...]  # codes of bots/hive/tiles.py, the opening included
    # For the side to move: one per move after the opening, and one for the last position if a search proved its result.
    # NO_SCORE if there was a single legal move, which is not searched.
    scores: tuple[int, ...]
    # (ply from 0, best move) of each ply at which a move was chosen that is not the search's best
    deviations: tuple[tuple[int, int], ...] = ()

    @property
    def positions(self) -> int:
        """Number of searched positions."""
        return sum(score != NO_SCORE for score in self.scores)

    def best_move(self, ply: int) -> int | None:
        """Return the best move by the search at a ply; None if a single move was legal, or for the last position."""
        if ply >= len(self.moves) or self.scores[ply - self.opening_length] == NO_SCORE:
            return None
        return dict(self.deviations).get(ply, self.moves[ply])


def encode(game: GameRecord) -> bytes:
    """Encode a game."""
    header = (game.index, game.expansions, game.opening_length, game.result, game.ending, game.nodes)
    lengths = len(game.moves), len(game.scores), len(game.deviations)
    numbers = game.moves + game.scores
    return b"".join(
        (
            _HEADER.pack(*header, *lengths),
            struct.pack(f"<{len(numbers)}h", *numbers),
            *(_DEVIATION.pack(*deviation) for deviation in game.deviations),
        )
    )


def decode(data: bytes | memoryview) -> GameRecord:
    """Decode a game; raise `ValueError` if the bytes are not exactly one game."""
    if len(data) < _HEADER.size:
        raise ValueError(f"a recorded game of {len(data)} bytes ends within its header")
    *header, move_count, score_count, deviation_count = _HEADER.unpack_from(data)
    index, expansions, opening_length, result, ending, nodes = header
    numbers_end = _HEADER.size + 2 * (move_count + score_count)
    size = numbers_end + deviation_count * _DEVIATION.size
    if len(data) != size:
        raise ValueError(f"a recorded game has {len(data)} bytes instead of {size}")
    numbers = struct.unpack_from(f"<{move_count + score_count}h", data, _HEADER.size)
    deviations = tuple(_DEVIATION.iter_unpack(data[numbers_end:]))
    moves, scores = numbers[:move_count], numbers[move_count:]
    return GameRecord(index, expansions, opening_length, result, ending, nodes, moves, scores, deviations)
