"""Judge the moves of a game from its searched positions: loss of win probability, grade, better move, remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from arena.game_files.stored_game import StoredGame
from arena.results.game_records import join_moves
from arena.review.grades import (
    PROVEN_PROBABILITIES,
    Grade,
    Thresholds,
    list_volatilities,
    move_accuracy,
    player_accuracy,
)
from arena.review.positions import AnalysedPosition, Line
from core.play.game import FIRST, SECOND

ONLY_MOVE = "only good move"
MISSED_WIN, THREW_DRAW, ONLY_DEFENCE = "missed win", "threw the draw", "only defence"
LONGEST_RESISTANCE, FASTER_LOSS = "longest resistance", "loses faster"
SWAP_PREFIX = "swap"  # a move that is an agreement about the sides


@dataclass(frozen=True)
class Value:
    """The value of a position for the side to move."""

    probability: float  # of a win, with half of that of a draw
    result: str = ""  # win, loss or draw if proven
    plies: int | None = None  # to the end, if known exactly

    def for_side(self, side: int, to_move: int) -> Value:
        """Return the value for `side` in a position in which `to_move` is to move."""
        if side == to_move:
            return self
        return Value(1 - self.probability, _OPPOSITE.get(self.result, ""), self.plies)


_OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}


class ReviewedMove(msgspec.Struct, frozen=True):
    """A move of the game with its judgement. Probabilities are of a win for the side that moved."""

    ply: int  # number of the move, from 1
    side: int
    move: str
    grade: Grade
    before: float | None  # with the best move; None if the move is not graded
    after: float | None  # after the move that was played
    loss: float  # of win probability, 0 to 1
    accuracy: float | None  # percent
    is_proven: bool  # whether before and after are both proven results
    best: Line | None  # the better or equal line
    second: Line | None
    remarks: tuple[str, ...] = ()
    text: str = ""  # one or two sentences for people; empty for a good move without remarks


class PlayerReview(msgspec.Struct, frozen=True):
    """The moves of one side in numbers."""

    name: str
    accuracy: float | None  # percent; None without a graded move
    grades: dict[str, int]  # number of moves by grade
    worst: tuple[int, ...]  # plies of the three greatest losses, the worst first


class GameReview(msgspec.Struct, frozen=True):
    """The judgement of a whole game."""

    moves: tuple[ReviewedMove, ...]
    players: tuple[PlayerReview, PlayerReview]
    probabilities: tuple[float | None, ...]  # of a win of the first side, before each move and at the end


def list_values(stored: StoredGame, searched: Mapping[int, AnalysedPosition]) -> dict[int, Value]:
    """Return the value of each searched position, by ply, with what later positions prove about earlier ones.

    A position is at least worth what the move that was played leads to. After a move in a lost position, the opponent
    has a proven win.
    """
    sides = list_sides(stored)
    values: dict[int, Value] = {}
    last = len(stored.moves)
    for ply in sorted(searched, reverse=True):
        known = _value_of_lines(searched[ply].lines) if ply < last else _value_at_end(stored, searched[ply])
        following = values.get(ply + 1)
        if following is not None:
            after = following.for_side(sides[ply], sides[ply + 1])
            if known is None or (after.result == "win" and not known.result):
                known = Value(after.probability, after.result, None if after.plies is None else after.plies + 1)
            elif not known.result and after.result != "loss":
                known = Value(max(known.probability, after.probability))
            elif not known.result and is_first_choice(searched[ply], stored.moves[ply]):
                # The move that the search chose is proven to lose, so the position is worth what the next line is.
                others = [line.probability for line in searched[ply].lines[1:] if line.probability is not None]
                known = Value(min(known.probability, max(after.probability, *others, 0.0)))
        if known is not None:
            values[ply] = known
    for ply in sorted(values):
        if ply + 1 not in values or values[ply + 1].result or not values[ply].result:
            continue
        if values[ply].result == "loss":  # a lost position stays lost whatever is played
            values[ply + 1] = Value(0.0, "loss").for_side(sides[ply + 1], sides[ply])
        elif searched[ply].lines[0].result and is_first_choice(searched[ply], stored.moves[ply]):
            plies = values[ply].plies  # the move that is proven to keep the result was played
            kept = replace(values[ply], plies=None if plies is None else plies - 1)
            values[ply + 1] = kept.for_side(sides[ply + 1], sides[ply])
    return values


def is_first_choice(searched: AnalysedPosition, move: str) -> bool:
    """Return whether the search chose the move that was played."""
    return bool(searched.lines) and searched.lines[0].moves[0] == move


def list_doubtful_plies(stored: StoredGame, searched: Mapping[int, AnalysedPosition]) -> list[int]:
    """Return the plies of positions that may be lost although no search has proven it.

    The opponent had a proven win before the last move, and has one again after the reply: the win was probably never
    gone, so these positions deserve a longer search before the last move is called an error.
    """
    values, sides = list_values(stored, searched), list_sides(stored)

    def is_won(ply: int, side: int) -> bool:
        return ply in values and values[ply].for_side(side, sides[ply]).result == "win"

    return [
        ply
        for ply in sorted(searched)
        if ply > 0
        and ply in values
        and not values[ply].result
        and is_won(ply - 1, sides[ply - 1])
        and is_won(ply + 1, sides[ply - 1])
    ]


def list_sides(stored: StoredGame) -> list[int]:
    """Return the side to move before each move and at the end."""
    position = stored.position(0)
    sides = [position.to_move]
    for move in stored.moves:
        position.play(move)
        sides.append(position.to_move)
    return sides


def _value_of_lines(lines: Sequence[Line]) -> Value | None:
    """Return the value of the first line; if that is a book move without a score, of the best line with one."""
    best = next((line for line in lines if line.probability is not None), None)
    if best is None or best.probability is None:
        return None
    if best is not lines[0]:
        return Value(best.probability)
    return Value(best.probability, best.result, None if best.win_in is None else abs(best.win_in))


def _value_at_end(stored: StoredGame, searched: AnalysedPosition) -> Value | None:
    position = stored.position()
    outcome = position.outcome()
    if outcome is None:
        return _value_of_lines(searched.lines)
    result = "draw" if outcome.winner is None else "win" if outcome.winner == position.to_move else "loss"
    return Value(PROVEN_PROBABILITIES[result], result, 0)


def review_game(stored: StoredGame, searched: Mapping[int, AnalysedPosition], thresholds: Thresholds) -> GameReview:
    """Judge every move of which both positions were searched; the others get the grade `ungraded`."""
    values, sides = list_values(stored, searched), list_sides(stored)
    moves = []
    for ply, move in enumerate(stored.moves):
        before, after = values.get(ply), values.get(ply + 1)
        if before is None or after is None or is_agreement(stored, ply):
            moves.append(_ungraded(ply, sides[ply], move, searched.get(ply)))
        else:
            after = after.for_side(sides[ply], sides[ply + 1])
            moves.append(_review_move(sides[ply], move, before, after, searched[ply], thresholds))
    first = [values[ply].for_side(FIRST, side).probability if ply in values else None for ply, side in enumerate(sides)]
    weights = list_volatilities(_fill_gaps(first))
    players = tuple(_review_player(stored.players[side], side, moves, weights) for side in (FIRST, SECOND))
    return GameReview(tuple(moves), (players[0], players[1]), tuple(first))


def is_agreement(stored: StoredGame, ply: int) -> bool:
    """Return whether a move belongs to the negotiation of the sides: a swap, or the first move under a swap rule."""
    return stored.moves[ply].startswith(SWAP_PREFIX) or (ply == 0 and "swap" in stored.setup.variant)


def _fill_gaps(probabilities: Sequence[float | None]) -> list[float]:
    """Return the probabilities with 0.5 in place of unknown ones."""
    return [0.5 if probability is None else probability for probability in probabilities]


def _ungraded(ply: int, side: int, move: str, searched: AnalysedPosition | None) -> ReviewedMove:
    lines = searched.lines if searched else ()
    best, second = (*lines[:2], None, None)[:2]
    return ReviewedMove(ply + 1, side, move, Grade.UNGRADED, None, None, 0.0, None, False, best, second)


def _review_move(
    side: int,
    move: str,
    before: Value,
    after: Value,
    searched: AnalysedPosition,
    thresholds: Thresholds,
) -> ReviewedMove:
    lines = searched.lines
    best, second = (*lines[:2], None, None)[:2]
    is_choice = best is not None and best.moves[0] == move
    is_proven = bool(before.result and after.result)
    loss = max(0, to_percent(before.probability) - to_percent(after.probability)) / 100
    if is_choice and not is_proven:
        loss = 0.0  # only two searches of different positions differ here
    grade = Grade.BEST if is_choice and not loss else thresholds.grade(loss)
    if not is_choice and loss == 0 and is_proven and before.result == after.result and before.plies == _plus_one(after):
        grade = Grade.BEST
    remarks = _list_remarks(before, after, best, second, thresholds, is_choice=is_choice)
    reviewed = ReviewedMove(
        searched.ply + 1,
        side,
        move,
        grade,
        before.probability,
        after.probability,
        loss,
        move_accuracy(loss),
        is_proven,
        best,
        second,
        remarks,
    )
    return msgspec.structs.replace(reviewed, text=describe_move(reviewed, before, after))


def to_percent(probability: float) -> int:
    """Return whole percent. Losses are differences of these, so that the numbers shown add up."""
    return round(100 * probability)


def _plus_one(after: Value) -> int | None:
    return None if after.plies is None else after.plies + 1


def _list_remarks(
    before: Value, after: Value, best: Line | None, second: Line | None, thresholds: Thresholds, *, is_choice: bool
) -> tuple[str, ...]:
    remarks = []
    if before.result == "win" and after.result in ("draw", "loss"):
        remarks.append(MISSED_WIN)
    elif before.result == "draw" and after.result == "loss":
        remarks.append(THREW_DRAW)
    elif before.result == after.result == "loss" and before.plies is not None and after.plies is not None:
        if after.plies + 1 < before.plies:
            remarks.append(FASTER_LOSS)
        elif is_choice and second is not None and second.win_in is not None and -second.win_in < before.plies:
            remarks.append(LONGEST_RESISTANCE)
    if is_choice and best is not None and second is not None:
        gap = _gap(best, second)
        if gap is not None and gap >= thresholds.mistake:
            remarks.append(ONLY_DEFENCE if before.result == "draw" and second.result == "loss" else ONLY_MOVE)
    return tuple(remarks)


def _gap(best: Line, second: Line) -> float | None:
    if best.probability is None or second.probability is None:
        return None
    return best.probability - second.probability


def describe_move(reviewed: ReviewedMove, before: Value, after: Value) -> str:
    """Return what a person should know about a move: what it loses, and what was better."""
    parts = []
    if reviewed.grade.is_error:
        loss = "" if reviewed.is_proven else "probably "
        parts.append(
            f"{annotate(reviewed.move, reviewed.grade)} {loss}loses {100 * reviewed.loss:.0f} % "
            f"({describe_value(before)} -> {describe_value(after)})."
        )
        if reviewed.best is not None and reviewed.best.moves[0] != reviewed.move:
            parts.append(_describe_line(reviewed.best))
    if reviewed.remarks:
        parts.append(f"{', '.join(reviewed.remarks).capitalize()}.")
    return " ".join(parts)


def annotate(move: str, grade: Grade) -> str:
    """Return a move with the symbol of its grade; Hive's moves may end with punctuation, so a blank comes between."""
    return f"{move} {grade.symbol}" if " " in move and grade.symbol else f"{move}{grade.symbol}"


def describe_value(value: Value) -> str:
    """Return a value as text: `61 %`, or a proven result such as `win in 5`."""
    if value.result:
        has_distance = value.plies is not None and value.result != "draw"
        return f"{value.result} in {count_plies(value.plies or 0)}" if has_distance else value.result
    return f"{to_percent(value.probability)} %"


def count_plies(plies: int) -> str:
    """Return a number of plies as text."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def _describe_line(line: Line) -> str:
    verb = {"win": "wins", "draw": "draws", "loss": "holds out longest"}.get(line.result, "is better")
    distance = f" in {count_plies(line.win_in)}" if line.win_in and line.win_in > 0 else ""
    variation = f": {join_moves(line.moves)}" if len(line.moves) > 1 else ""
    return f"{line.moves[0]} {verb}{distance}{variation}."


def summarize(stored: StoredGame, review: GameReview, names: Sequence[str]) -> str:
    """Return who won and how, and the move that lost the most; `names` are those of the first and second side."""
    outcome = stored.position().outcome()
    if outcome is None:
        result = f"The game has no end on the board; result in the file: {stored.result or 'none'}"
    elif outcome.winner is None:
        result = f"Draw: {outcome.reason}"
    else:
        result = f"{names[outcome.winner]} won: {outcome.reason}"
    errors = [move for move in review.moves if move.grade.is_error]
    if not errors:
        return f"{result}."
    greatest = max(errors, key=lambda move: move.loss)
    move, name = annotate(greatest.move, greatest.grade), names[greatest.side]
    return f"{result}. Greatest loss: move {greatest.ply}, {move} by {name}, {to_percent(greatest.loss)} %."


def _review_player(name: str, side: int, moves: Sequence[ReviewedMove], weights: Sequence[float]) -> PlayerReview:
    graded = [move for move in moves if move.side == side and move.grade != Grade.UNGRADED]
    accuracy = player_accuracy([move.loss for move in graded], [weights[move.ply - 1] for move in graded])
    grades = {grade.value: sum(move.grade == grade for move in graded) for grade in Grade if grade != Grade.UNGRADED}
    worst = sorted((move for move in graded if move.grade.is_error), key=lambda move: -move.loss)[:3]
    return PlayerReview(name, accuracy, grades, tuple(move.ply for move in worst))
