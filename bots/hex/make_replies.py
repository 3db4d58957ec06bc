"""Makes bots/hex/opening_replies.py: `python -m bots.hex.make_replies > replies.py`, some minutes of solving.

The reply to a lost opening is one that the solver has proven to win. To a won opening it is the one that takes the most
positions to refute, each beginning with an empty table.
"""

from __future__ import annotations

from bots.hex.position import HexPosition
from bots.hex.solve import Solver
from core.player import Setup
from core.squares import format_square, parse_square

SIZE = 7
HEAD = '''"""White's replies to the openings of 7x7, made by bots/hex/make_replies.py: proven wins where there are."""

from __future__ import annotations

REPLIES = {'''


def main() -> None:
    """Print the module."""
    replies = {}
    for number in range((SIZE * SIZE + 1) // 2):  # the others are these turned by half a circle
        opening = format_square(number % SIZE, number // SIZE)
        replies[opening] = find_reply(opening)
        replies[turn(opening)] = turn(replies[opening])
    print(HEAD)
    for opening in sorted(replies):
        print(f'    "{opening}": "{replies[opening]}",')
    print("}")


def find_reply(opening: str) -> str:
    """White's best reply to an opening."""
    position = HexPosition(Setup(SIZE, SIZE, "standard"))
    position.play(opening)
    solution = Solver(position).solve(position)
    if solution.winner == 1:
        return solution.move
    efforts = {}
    for reply in position.legal_moves():
        position.play(reply)
        efforts[reply] = Solver(position).solve(position).nodes
        position.undo()
    return max(efforts, key=lambda reply: efforts[reply])


def turn(cell: str) -> str:
    """The cell where another comes to lie when the board is turned by half a circle."""
    place = parse_square(cell)
    assert place is not None
    return format_square(SIZE - 1 - place[0], SIZE - 1 - place[1])


if __name__ == "__main__":
    main()
