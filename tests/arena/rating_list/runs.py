"""Simulated runs for the tests of rating lists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from msgspec import structs

from arena.log.events import EngineEntry, GameEnded, PairEnded, RunResumed, RunStarted
from arena.log.file import LogWriter
from arena.terms.ending import Ending
from tests.arena.web.runs import make_game, make_header

STRENGTHS = {"A": 0.3, "B": 0.0, "C": -0.2, "D": 0.1}  # half the logit of the chance to win against 0


def play_pairs(names: Sequence[str], pairs: int, seed: int) -> list[GameEnded]:
    """Return `pairs` pairs of games for each two engines; a fifth of the games is drawn."""
    rng = random.Random(seed)
    games: list[GameEnded] = []
    for _ in range(pairs):
        for one, other in combinations(names, 2):
            for first, second in ((one, other), (other, one)):
                chance = 0.5 + STRENGTHS.get(first, 0.0) - STRENGTHS.get(second, 0.0)
                winner = first if rng.random() < chance else second
                changes = {"winner": "", "ending": Ending.DRAW} if rng.random() < 0.2 else {"winner": winner}
                games.append(make_game(len(games) + 1, first, second, **changes))
    return games


def write_games(
    directory: Path, header: RunStarted, games: Sequence[GameEnded], resumed: dict[int, RunResumed] | None = None
) -> Path:
    """Write a run with these games, numbered anew, and return its folder.

    `resumed` has events of resumptions by the number of the pair that they precede.
    """
    directory.mkdir(parents=True)
    pairings = len(list(combinations(header.engines, 2)))
    per_pairing = 2 * -(-len(games) // 2 // pairings) or 2
    with LogWriter(directory) as log:
        log.write(structs.replace(header, games=per_pairing))
        for index in range(0, len(games), 2):
            pair = index // 2 + 1
            if resumed and pair in resumed:
                log.write(resumed[pair])
            for offset in (0, 1):
                log.write(structs.replace(games[index + offset], number=index + offset + 1, pair=pair))
            log.write(PairEnded(pair))
    return directory


def make_run_header(engines: Sequence[EngineEntry], **changes: object) -> RunStarted:
    """Return the header of a run of these engines."""
    return structs.replace(make_header([engine.name for engine in engines], engines=tuple(engines)), **changes)


def make_program(name: str, file_hash: str | None = None, **changes: object) -> EngineEntry:
    """Return a program; its hash is that of its name unless one is given."""
    fields = {
        "command": f"./{name}",
        "protocol": "gomocup",
        "file_hash": f"hash-of-{name}" if file_hash is None else file_hash,
    }
    return EngineEntry(name, **(fields | changes))  # type: ignore[arg-type]
