"""The binary format of recorded training games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.gomoku.training.game_record import GameRecord, Label, SearchedPly, Stray, decode, decode_header, encode

GAME = GameRecord(
    index=258,
    rule=9,
    size=15,
    opening_length=2,
    result=-1,
    moves=(112, 113, 128),
    plies=(
        SearchedPly(Label(-300, ((128, 200), (97, 40))), (Stray((97, 99), Label(31_999, ((98, 255),))),)),
        SearchedPly(Label(-2, ((7, 1),)), ()),
    ),
)
GAME_BYTES = bytes.fromhex(
    "02010000 09 0f 02 ff 0300 0200"  # index, rule, size, opening, result, moves, searched plies
    "70 71 80"  # moves
    "d4fe 02 80c8 6128 01"  # first searched ply: score, number of best moves, moves with shares, number of strays
    "02 6163 ff7c 01 62ff"  # its stray: number of moves, moves, score, number of best moves, move with share
    "feff 01 0701 00"  # second searched ply
)


def games(size: int) -> st.SearchStrategy[GameRecord]:
    """Return a strategy for games on boards of a size."""
    moves = st.integers(0, size * size - 1)
    best = st.lists(st.tuples(moves, st.integers(0, 255)), max_size=4).map(tuple)
    labels = st.builds(Label, st.integers(-32_767, 32_767), best)
    strays = st.builds(Stray, st.lists(moves, max_size=127).map(tuple), labels)
    plies = st.builds(SearchedPly, labels, st.lists(strays, max_size=3).map(tuple))
    return st.builds(
        GameRecord,
        st.integers(0, 2**32 - 1),
        st.integers(0, 15),
        st.just(size),
        st.integers(0, 255),
        st.integers(-1, 1),
        st.lists(moves, max_size=300).map(tuple),
        st.lists(plies, max_size=5).map(tuple),
    )


def test_layout_is_unchanged() -> None:
    """The bytes are written by hand, because a change of the layout would make existing files unreadable."""
    assert encode(GAME) == GAME_BYTES
    assert decode(GAME_BYTES) == GAME
    wide = replace(GAME, size=20, moves=(399,), plies=(SearchedPly(Label(1, ((256, 9),)), ()),))
    assert encode(wide).hex(" ") == "02 01 00 00 09 14 02 ff 01 00 01 00 8f 01 01 00 01 00 01 09 00"


@given(st.sampled_from((5, 15, 16, 17, 22)).flatmap(games))
def test_decode_inverts_encode(game: GameRecord) -> None:
    data = encode(game)
    assert decode(data) == game == decode(memoryview(data))
    assert decode_header(data) == replace(game, moves=(), plies=())
    assert game.positions == len(game.plies) + sum(len(ply.strays) for ply in game.plies)


@pytest.mark.parametrize("data", [GAME_BYTES[:length] for length in range(len(GAME_BYTES))] + [GAME_BYTES + b"\0"])
def test_wrong_length_raises_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=f"a recorded game (of|has) {len(data)} bytes"):
        decode(data)
