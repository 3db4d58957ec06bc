"""Slow reference implementation of Gomoku's linear evaluation; patterns and grades are named by words.

A pattern is what a stone on an empty cell would make in one line. A grade is what it would make in all four lines. The
words correspond, in order, to the numbers of bots/gomoku/kernels/patterns.py, which explains them.

A window is the part of a line around the cell, from one colour's point of view: `x` own stone, `o` opponent's stone,
`.` empty, `#` off the board. The pattern is found by trying the stones that may follow.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from bots.gomoku.notation import CARO, EXACT, RENJU
from bots.gomoku.weights import GRADE_WEIGHTS, PATTERN_WEIGHTS, TEMPO, WEIGHT_DIVISOR
from core.search.scores import MAX_EVALUATION
from tests.bots.gomoku.naive import BLACK, STEPS, Board, Point, move_by

PATTERNS = """
    nothing one open-one two open-two open-two-2way three open-three open-three-2way four open-four double-four
    five overline
"""
GRADES = (
    "nothing foul maybe-foul little three double-two open-three open-three-plus double-three four four-plus "
    "four-three open-four five"
)
PATTERN_NUMBER = {name: number for number, name in enumerate(PATTERNS.split())}
GRADE_NUMBER = {name: number for number, name in enumerate(GRADES.split())}
FOURS = {"four", "open-four", "double-four"}
OPEN_THREES, OPEN_TWOS = {"open-three", "open-three-2way"}, {"open-two", "open-two-2way"}


def put(window: str, index: int, stone: str) -> str:
    """Return the window with another content of one cell."""
    return window[:index] + stone + window[index + 1 :]


@cache
def pattern_of(window: str, exact: bool, caro: bool) -> str:
    """Return the pattern of a window that has an own stone in its middle.

    `exact` is True if only exactly five stones win, `caro` if blocked fives do not win.
    """
    first = last = len(window) // 2
    while first > 0 and window[first - 1] == "x":
        first -= 1
    while last + 1 < len(window) and window[last + 1] == "x":
        last += 1
    if last - first > 4:
        return "overline" if exact else "five"
    if last - first == 4 and not (caro and window[first - 1] == window[last + 1] == "o"):
        return "five"
    after = {i: pattern_of(put(window, i, "x"), exact, caro) for i, stone in enumerate(window) if stone == "."}
    completing = [index for index, pattern in after.items() if pattern == "five"]
    if not completing:
        return quiet_pattern(Counter(after.values()))
    stopped = {pattern_of(put(window, index, "o"), exact, caro) for index in completing}
    if len(completing) == 1 or not stopped <= FOURS | {"five"}:
        return "four"
    return "open-four" if completing[-1] - completing[0] == 5 else "double-four"


def quiet_pattern(after: Counter[str]) -> str:
    """Return the pattern if no next own stone completes five; `after` counts the patterns that next stones make."""
    if after["open-four"]:
        return "open-three-2way" if after["open-four"] > 1 else "open-three"
    if after["four"] or after["double-four"]:
        return "three"
    open_threes = after["open-three"] + after["open-three-2way"]
    if open_threes:
        return "open-two-2way" if open_threes > 1 else "open-two"
    if after["three"]:
        return "two"
    if after["open-two"] or after["open-two-2way"]:
        return "open-one"
    return "one" if after["two"] else "nothing"


def grade_of(patterns: list[str], has_fouls: bool) -> str:
    """Return the grade of a cell from its four patterns; `has_fouls` is True for black under renju."""
    count = Counter(patterns)
    fours = count["four"] + count["open-four"] + 2 * count["double-four"]
    open_threes = sum(count[pattern] for pattern in OPEN_THREES)
    lesser_count = count["three"] + sum(count[pattern] for pattern in OPEN_TWOS)
    if count["five"]:
        return "five"
    if has_fouls and (count["overline"] or fours > 1):
        return "foul"
    if has_fouls and open_threes > 1:
        return "maybe-foul"
    if count["open-four"] or fours > 1:
        return "open-four"
    if fours:
        return "four-three" if open_threes else "four-plus" if lesser_count else "four"
    if open_threes:
        return "double-three" if open_threes > 1 else "open-three-plus" if lesser_count else "open-three"
    if lesser_count > 1:
        return "double-two"
    if count["three"]:
        return "three"
    return "little" if set(patterns) - {"nothing", "overline"} else "nothing"


def window_around(board: Board, colour: int, point: Point, step: Point) -> str:
    """Return the window around a free point along `step`, with a stone of `colour` on the point."""
    reach = 5 if board.rule else 4  # except in freestyle, the cell beyond a five matters
    window = ""
    for distance in range(-reach, reach + 1):
        x, y = cell = move_by(point, step, distance)
        if not (0 <= x < board.width and 0 <= y < board.height):
            window += "#"
        else:
            window += ".xo"[1 + (board.stones[cell] != colour)] if cell in board.stones else "."
    return put(window, reach, "x")


def value_for(board: Board, colour: int, row: int) -> int:
    """Return the weighted sum of a colour's patterns and grades, in sixteenths of evaluation units.

    `row` of the weights is 0 for the side to move, 1 for the opponent.
    """
    has_fouls = bool(board.rule & RENJU) and colour == BLACK
    exact = bool(board.rule & EXACT) or has_fouls
    total = 0
    for point in filter(board.is_empty, board.points()):
        windows = (window_around(board, colour, point, step) for step in STEPS)
        patterns = [pattern_of(window, exact, bool(board.rule & CARO)) for window in windows]
        total += sum(PATTERN_WEIGHTS[row][PATTERN_NUMBER[pattern]] for pattern in patterns)
        total += GRADE_WEIGHTS[row][GRADE_NUMBER[grade_of(patterns, has_fouls)]]
    return total


def evaluate(board: Board, side: int) -> int:
    """Return the linear evaluation for the side to move."""
    total = TEMPO + value_for(board, side, 0) - value_for(board, 1 - side, 1)
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total // WEIGHT_DIVISOR))
