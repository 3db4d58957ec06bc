"""Judgement of moves from searched positions, which are written down here instead of searched."""

from __future__ import annotations

from arena.game_files.stored_game import StoredGame
from arena.review.grades import Grade, Thresholds
from arena.review.moves import (
    MISSED_WIN,
    ONLY_MOVE,
    GameReview,
    Value,
    list_doubtful_plies,
    list_values,
    review_game,
)
from arena.review.positions import AnalysedPosition, Line
from arena.terms.arguments import find_game
from core.play.player import Setup

GOMOKU = find_game("gomoku")
GAME = StoredGame(GOMOKU, Setup(15, 15, "freestyle"), ("h8", "i9", "g7"), ("Anna", "Ben"))


def position(ply: int, *lines: Line) -> AnalysedPosition:
    return AnalysedPosition(ply, ply % 2, lines)


def judge(*positions: AnalysedPosition, stored: StoredGame = GAME) -> GameReview:
    return review_game(stored, {found.ply: found for found in positions}, Thresholds())


def test_the_loss_is_what_the_next_position_is_worth_less_than_the_best_move() -> None:
    review = judge(
        position(0, Line(("h8",), 0.5)),
        position(1, Line(("j8",), 0.6)),
        position(2, Line(("g7",), 0.55)),
        position(3, Line(("f6",), 0.45)),
    )
    second = review.moves[1]
    assert (second.grade, round(second.loss, 2)) == (Grade.BLUNDER, 0.15)
    assert second.text == "i9?? probably loses 15 % (60 % -> 45 %). j8 is better."
    assert [move.grade for move in review.moves] == [Grade.BEST, Grade.BLUNDER, Grade.BEST]
    assert review.players[1].worst == (2,)
    assert review.probabilities == (0.5, 0.4, 0.55, 0.55)


def test_the_choice_of_the_search_is_no_error_though_the_next_search_likes_it_less() -> None:
    review = judge(position(0, Line(("h8",), 0.7)), position(1, Line(("i9",), 0.6)))
    assert (review.moves[0].grade, review.moves[0].loss) == (Grade.BEST, 0)


def test_what_a_later_position_proves_holds_for_the_earlier() -> None:
    values = list_values(
        GAME,
        {
            found.ply: found
            for found in (
                position(0, Line(("a1",), 0.5)),
                position(1, Line(("a2",), 0.5)),
                position(2, Line(("a3",), 1.0, "win", 5)),
            )
        },
    )
    assert (values[2].result, values[1].result, values[1].probability) == ("win", "", 0.5)  # i9 may have been the error
    proven = list_values(GAME, {2: position(2, Line(("a3",), 0.4)), 3: position(3, Line(("a4",), 0.0, "loss", -4))})
    assert (proven[2].result, proven[2].plies) == ("win", 5)
    lost = list_values(GAME, {1: position(1, Line(("a2",), 0.0, "loss", -6)), 2: position(2, Line(("a3",), 0.8))})
    assert (lost[2].result, lost[2].probability) == ("win", 1.0)


def test_a_missed_win_is_named_and_only_proven_results_are_certain() -> None:
    review = judge(position(1, Line(("j8", "j9"), 1.0, "win", 3)), position(2, Line(("g7",), 1.0, "win", 7)))
    move = review.moves[1]
    assert (move.grade, move.is_proven, move.remarks) == (Grade.BLUNDER, True, (MISSED_WIN,))
    assert move.text == "i9?? loses 100 % (win in 3 plies -> loss in 7 plies). j8 wins in 3 plies: j8 j9. Missed win."
    unsure = judge(position(1, Line(("j8",), 1.0, "win", 3)), position(2, Line(("g7",), 0.8)))
    assert unsure.moves[1].text.startswith("i9?? probably loses 80 % (win in 3 plies -> 20 %).")


def test_the_only_good_move_is_named() -> None:
    review = judge(position(0, Line(("h8",), 0.6), Line(("a1",), 0.4)), position(1, Line(("i9",), 0.4)))
    assert review.moves[0].remarks == (ONLY_MOVE,)
    assert review.moves[0].text == "Only good move."


def test_positions_that_were_not_searched_and_swaps_are_not_graded() -> None:
    review = judge(position(0, Line(("h8",), 0.5)), position(1, Line(("i9",), 0.5)))
    assert [move.grade for move in review.moves] == [Grade.GOOD, Grade.UNGRADED, Grade.UNGRADED] or (
        [move.grade for move in review.moves] == [Grade.BEST, Grade.UNGRADED, Grade.UNGRADED]
    )
    swap = StoredGame(find_game("hex"), Setup(11, 11, "swap"), ("a3", "swap-pieces", "f6"))
    review = judge(
        position(0, Line(("f6",), 0.9)),
        position(1, Line(("f6",), 0.9)),
        position(2, Line(("f6",), 0.9)),
        position(3, Line(("g6",), 0.1)),
        stored=swap,
    )
    assert [move.grade for move in review.moves] == [Grade.UNGRADED, Grade.UNGRADED, Grade.BEST]


def test_a_search_without_a_score_takes_the_value_of_the_next_position() -> None:
    review = judge(position(0, Line(("h8",))), position(1, Line(("i9",), 0.4)))
    assert (review.moves[0].grade, review.moves[0].before) == (Grade.BEST, 0.6)


def test_losses_are_differences_of_the_percents_that_are_shown() -> None:
    review = judge(position(0, Line(("a1",), 0.644)), position(1, Line(("i9",), 0.505)))
    move = review.moves[0]
    assert move.text == "h8? probably loses 14 % (64 % -> 50 %). a1 is better."
    assert (move.loss, move.grade) == (0.14, Grade.MISTAKE)


def test_a_position_whose_best_move_is_proven_to_lose_is_worth_what_its_next_move_is() -> None:
    """Regression: a move that kept a win used to be an error if the search did not see that the best reply loses."""
    values = list_values(
        GAME,
        {
            1: position(1, Line(("i9",), 0.3), Line(("j8",), 0.05)),
            2: position(2, Line(("a3",), 1.0, "win", 5)),
        },
    )
    assert values[1] == Value(0.05)


def test_claims_that_a_later_win_contradicts_are_searched_again() -> None:
    """The win was there before the move, and again after the reply."""
    searched = {
        0: position(0, Line(("a1",), 1.0, "win", 9)),
        1: position(1, Line(("i9",), 0.3), Line(("j8",), 0.2)),
        2: position(2, Line(("a3",), 1.0, "win", 5)),
    }
    assert list_doubtful_plies(GAME, searched) == [1]
    searched[1] = position(1, Line(("i9",), 0.0, "loss", -6))
    assert list_doubtful_plies(GAME, searched) == []


def test_a_proven_result_is_kept_by_the_move_that_is_proven_to_keep_it() -> None:
    """Regression: the opponent's next move used to be an error because the next search did not see its loss."""
    values = list_values(
        GAME,
        {
            0: position(0, Line(("h8",), 1.0, "win", 5)),
            1: position(1, Line(("i9",), 0.2)),
            2: position(2, Line(("a3",), 0.7)),
        },
    )
    assert values[1] == Value(0.0, "loss", 4)
    other_move = list_values(GAME, {0: position(0, Line(("a1",), 1.0, "win", 5)), 1: position(1, Line(("i9",), 0.2))})
    assert other_move[1] == Value(0.2)


def test_a_draw_in_hand_is_no_proof_that_the_position_is_a_draw() -> None:
    values = list_values(GAME, {0: position(0, Line(("h8",), 0.4)), 1: position(1, Line(("i9",), 0.5, "draw"))})
    assert values[0] == Value(0.5)


def test_a_book_move_without_a_score_is_no_error() -> None:
    review = judge(position(0, Line(("h8",)), Line(("j5",), 0.7)), position(1, Line(("i9",), 0.4)))
    assert (review.moves[0].grade, review.moves[0].loss) == (Grade.BEST, 0)
