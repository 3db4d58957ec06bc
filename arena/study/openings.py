"""Random openings for studies. Without them, deterministic players would repeat the same game."""

from __future__ import annotations

import random

from arena.terms.arguments import choose_setup, find_game
from arena.terms.openings import OpeningBook
from arena.tools.book_trial import make_book

MAX_TRIES_PER_OPENING = 20  # a small board may have fewer distinct openings than requested


def draw_openings(game_name: str, rule: str, plies: int, count: int, seed: int) -> OpeningBook:
    """Return up to `count` distinct openings of `plies` random moves, none of which ends the game.

    There are fewer only if the tries run out, as on a small board with few openings. The result depends only on the
    arguments.
    """
    game = find_game(game_name)
    setup, rng = choose_setup(game, None, rule), random.Random(f"{seed} {game_name} {rule}")
    openings: dict[tuple[str, ...], None] = {}  # a dict as an ordered set
    for _ in range(MAX_TRIES_PER_OPENING * count):
        if len(openings) == count:
            break
        position = game.new_position(setup)
        while len(position.moves) < plies and not position.outcome():
            position.play(rng.choice(position.legal_moves()))
        if not position.outcome():
            openings[tuple(position.moves)] = None
    return make_book(list(openings), f"{plies} random plies")
