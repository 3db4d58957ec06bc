"""The binary format of recorded training games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.hive.tiles import PASS
from bots.hive.training.game_record import PLY_LIMIT, PROVEN, GameRecord, decode, encode
from core.search.scores import NO_SCORE

GAME = GameRecord(
    index=258,
    expansions=0xE0,
    opening_length=2,
    result=-1,
    ending=PROVEN,
    nodes=1200,
    moves=(9744, 16911, 4625, PASS),
    scores=(-300, NO_SCORE, 31995),
    deviations=((2, 4626),),
)
GAME_BYTES = bytes.fromhex(
    "02010000 e0 02 ff 01 b004 0400 0300 01"  # index, expansions, opening, result, ending, nodes; three lengths
    "1026 0f42 1112 0074"  # moves
    "d4fe 0080 fb7c"  # scores
    "02 1212"  # deviation
)

MOVES = st.integers(1 << 10, PASS)
GAMES = st.builds(
    GameRecord,
    index=st.integers(0, 2**32 - 1),
    expansions=st.integers(0, 255),
    opening_length=st.integers(0, 255),
    result=st.integers(-1, 1),
    ending=st.integers(0, PLY_LIMIT),
    nodes=st.integers(0, 2**16 - 1),
    moves=st.lists(MOVES, max_size=200).map(tuple),
    scores=st.lists(st.integers(NO_SCORE, 32_000), max_size=200).map(tuple),
    deviations=st.lists(st.tuples(st.integers(0, 255), MOVES), max_size=12).map(tuple),
)


def test_layout_is_unchanged() -> None:
    """The bytes are written by hand, because a change of the layout would make existing files unreadable."""
    assert encode(GAME) == GAME_BYTES
    assert decode(GAME_BYTES) == GAME


@given(GAMES)
def test_decode_inverts_encode(game: GameRecord) -> None:
    data = encode(game)
    assert decode(data) == game == decode(memoryview(data))


@pytest.mark.parametrize("data", [GAME_BYTES[:length] for length in range(len(GAME_BYTES))] + [GAME_BYTES + b"\0"])
def test_wrong_length_raises_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=f"a recorded game (of|has) {len(data)} bytes"):
        decode(data)


def test_best_move_is_the_played_one_unless_recorded() -> None:
    """A single legal move and the last position have none."""
    assert GAME.positions == 2
    assert [GAME.best_move(ply) for ply in (2, 3, 4)] == [4626, None, None]
    score_of_last_move = GameRecord(0, 0, 1, 0, PLY_LIMIT, 9, (9744, 16911), (-1,))
    assert score_of_last_move.best_move(1) == 16911
