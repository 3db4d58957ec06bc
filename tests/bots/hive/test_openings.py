"""Generated openings: legal, with both queens in play, and no two the same under rotation and reflection."""

from __future__ import annotations

import random
from itertools import islice

from bots.hive.board_player import BoardPlayer
from bots.hive.notation import MoveText, format_move, parse_move
from bots.hive.opening.symmetry import canonical_form
from bots.hive.openings import balanced_openings
from bots.hive.position import HivePosition
from bots.hive.tiles import SIDE_TILES
from core.play.openings import play_random_moves
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress

SETUP = Setup(variant="Base+MLP")


def symmetric_game(position: HivePosition, turns: int, *, mirrored: bool) -> HivePosition:
    """Return the same game on the rotated and possibly mirrored board: only the directions of the moves change."""
    symmetric = HivePosition(position.setup)
    for text in position.moves:
        move = parse_move(text)
        if move.direction is not None:
            direction = (-move.direction if mirrored else move.direction) + turns
            move = MoveText(move.tile, move.reference, direction % 6)
        symmetric.play(format_move(move))
    return symmetric


def test_all_twelve_symmetric_positions_have_one_canonical_form() -> None:
    position = HivePosition(SETUP)
    for seed in range(5):
        play_random_moves(position, random.Random(seed), 14)
        form = canonical_form(position)
        images = [
            symmetric_game(position, turns, mirrored=mirrored) for turns in range(6) for mirrored in (False, True)
        ]
        assert {canonical_form(image) for image in images} == {form}
        position.undo()
        assert canonical_form(position) != form


def test_canonical_form_ignores_tile_numbers_but_not_colours() -> None:
    """Swapping two ants of one side gives the same opening."""
    one = HivePosition.from_game("Base;;;wA1;bS1 wA1-;wA2 -wA1;bQ bS1-")
    other = HivePosition.from_game("Base;;;wA1;bS1 -wA1;wA2 wA1-;bQ -bS1")
    assert canonical_form(one) == canonical_form(other)
    swapped = HivePosition.from_game("Base;;;wS1;bA1 wS1-;wQ -wS1;bA2 bA1-")
    assert canonical_form(swapped) != canonical_form(one)


class FakeScorer(BoardPlayer):
    """A fake player that scores a position by its number of moves minus 40; multiples of 7 are proven wins."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        score = len(self.position.legal_numbers()) - 40
        return Decision("", Progress(score=score, win_in=5 if score % 7 == 0 else None))


def test_openings_are_distinct_and_have_no_proven_result() -> None:
    player = FakeScorer(OptionSet(()))
    openings = list(islice(balanced_openings(SETUP, plies=8, depth=2, seed=1, player=player), 12))
    other = FakeScorer(OptionSet(()))
    assert openings == list(islice(balanced_openings(SETUP, plies=8, depth=2, seed=1, player=other), 12))
    positions = [HivePosition.from_game(";".join([SETUP.variant, "", "", *moves])) for moves in openings]
    assert len({canonical_form(position) for position in positions}) == len(openings)
    for position in positions:
        assert len(position.moves) == 8
        assert position.outcome() is None
        assert min(position.state.tile_cell[0], position.state.tile_cell[SIDE_TILES]) >= 0
        player.set_position(position.moves)
        assert player.choose(Limits()).progress.win_in is None
