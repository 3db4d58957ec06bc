"""Random openings, for studies of deterministic players, whose games would otherwise all be equal."""

from __future__ import annotations

import random

from arena.terms.arguments import choose_setup, find_game
from arena.terms.openings import OpeningBook
from arena.tools.book_trial import make_book

MOST_TRIES = 20  # per opening; small boards have few distinct ones


def draw_openings(name: str, rule: str, plies: int, count: int, seed: int) -> OpeningBook:
    """Return up to `count` distinct openings of `plies` random moves; a game that ends earlier is not used."""
    game = find_game(name)
    setup, chance = choose_setup(game, None, rule), random.Random(f"{seed} {name} {rule}")
    lines: dict[tuple[str, ...], None] = {}
    for _ in range(MOST_TRIES * count):
        if len(lines) == count:
            break
        position = game.new_position(setup)
        while len(position.moves) < plies and not position.outcome():
            position.play(chance.choice(position.legal_moves()))
        if not position.outcome():
            lines[tuple(position.moves)] = None
    return make_book(list(lines), f"{plies} random plies")
