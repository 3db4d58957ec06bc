"""Balanced openings by our own search: random stones near the centre that the engine calls even, and its best line."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition
from bots.gomoku.symmetry import canonical_form
from core.play.options import OptionSet
from core.play.player import BadSetup, IllegalMove, Limits, Player, Setup
from core.play.squares import format_square

SPREAD = 3  # squares from the centre that stones keep within
EVEN = 25  # evaluation units; a fraction of an open three
LINE = 4  # plies of best play, each searched anew, that must stay even: many a position loses what one search promised
LINE_EVEN = 40  # what the score may come to on that line


def balanced_openings(setup: Setup, stones: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `stones` moves without end, no two alike under the board's symmetries.

    An opening is kept where searches of `depth` plies find neither side ahead, in it and on the line of best moves.
    """
    chance = random.Random(seed)
    player = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    player.new_game(setup)
    referee = GomokuPosition(setup)
    seen: set[tuple[str, ...]] = set()
    while True:
        moves = random_moves(chance, setup, stones)
        form = canonical_form(moves, setup)
        if form in seen:
            continue
        seen.add(form)
        if not _is_playable(moves, referee):
            continue
        if stays_even(player, moves, depth):
            yield moves


def stays_even(player: Player, moves: Sequence[str], depth: int) -> bool:
    """Whether the player calls a position even, and those after its own next LINE moves."""
    line = list(moves)
    for margin in (EVEN, *[LINE_EVEN] * LINE):
        player.set_position(line)
        decision = player.choose(Limits(depth=depth))
        if decision.progress.result or abs(decision.progress.score) > margin:
            return False
        line.append(decision.move)
    return True


def _is_playable(moves: list[str], position: GomokuPosition) -> bool:
    """True where no move is forbidden and the game goes on."""
    position.restart(position.setup)
    try:
        for move in moves:
            position.play(move)
    except IllegalMove:
        return False
    return position.outcome() is None


def random_moves(chance: random.Random, setup: Setup, stones: int) -> list[str]:
    """Distinct squares within SPREAD of the centre; raise BadSetup where there are not so many."""
    spread = min(SPREAD, (min(setup.width, setup.height) - 1) // 2)
    if stones > (2 * spread + 1) ** 2:
        raise BadSetup(f"an opening has at most {(2 * spread + 1) ** 2} stones, not {stones}")
    columns = range(setup.width // 2 - spread, setup.width // 2 + spread + 1)
    rows = range(setup.height // 2 - spread, setup.height // 2 + spread + 1)
    squares = [format_square(x, y) for x in columns for y in rows]
    return chance.sample(squares, stones)
