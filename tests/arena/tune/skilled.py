"""A player of the pile game whose strength depends on its options, and tunings of it.

`skill` is the probability of a perfect move; it is best at its maximum. `taste` changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.options.tune import SpsaOptions
from arena.terms.ending import Ending
from arena.terms.plan import Pair
from arena.tune.config import TuneConfig, configure_tuning
from arena.tune.events import PairPlayed, TunedGame
from arena.tune.pairs import TuningWorker
from arena.tune.spsa import Values
from core.play.options import Option
from core.play.player import Limits, PlayerKind
from tests.arena.fakes import PILE_GAME, Taker

OPTIONS = (
    Option("skill", 50, "probability of a perfect move, per cent", minimum=0, maximum=100),
    Option("taste", 0.5, "nothing", minimum=0, maximum=1),
    Option("seed", 0, "random stream"),
)
PARAMETERS = ("skill=50,0,100,10,int", "taste=0.5,0,1,0.1,float")


def play_with_skill(taker: Taker, limits: Limits) -> str:  # noqa: ARG001
    """Return a perfect move with the probability of the option `skill`, else a single stone."""
    generator = random.Random(f"{taker.options['seed']}/{len(taker.pile.moves)}")
    is_perfect = generator.random() * 100 < taker.options.get_int("skill")
    return str(max(1, taker.pile.left % 4)) if is_perfect else "1"


SKILLED_GAME = replace(
    PILE_GAME,
    players=lambda: (
        PlayerKind("skilled", "plays as well as told", lambda options: Taker(play_with_skill, options), OPTIONS),
    ),
)


class QuietTuningObserver:
    """A TuningObserver that counts pairs and keeps messages; `on_pair_number` is called after each pair."""

    def __init__(self, on_pair_number: Callable[[int], object] = lambda _: None) -> None:
        self.pairs = 0
        self.iterations = 0
        self.messages: list[str] = []
        self._on_pair_number = on_pair_number

    def on_start(self, tuning: object) -> None:
        """Do nothing."""

    def on_pair(self, pair: object) -> None:  # noqa: ARG002
        self.pairs += 1
        self._on_pair_number(self.pairs)

    def on_iteration(self, iteration: object) -> None:  # noqa: ARG002
        self.iterations += 1

    def show_message(self, text: str) -> None:
        self.messages.append(text)


class SimulatedWorker:
    """A TuningWorker without games: results depend on the pair and on the values, and games are won by chance."""

    def __init__(self, slot: int = 0) -> None:
        self.slot = slot
        self.closed = False
        self.interrupted = False

    def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
        generator = random.Random(f"{pair.number}/{values}")
        games = []
        for _ in range(2):
            draw = generator.random()
            expected = 0.5 + 0.005 * (values[0][0] - values[1][0])
            winner = "plus" if draw < expected - 0.1 else "" if draw < expected + 0.1 else "minus"
            games.append(TunedGame(Ending.WIN if winner else Ending.DRAW, winner, 5))  # type: ignore[arg-type]
        return PairPlayed(pair.number, iteration, *values, tuple(games))

    def close(self) -> None:
        self.closed = True

    def interrupt(self) -> None:
        self.interrupted = True


def make_simulated_worker(slot: int) -> TuningWorker:
    return SimulatedWorker(slot)


def configure(out: Path, **changes: Any) -> TuneConfig:
    """Return a tuning of the skilled player; the tests register its game."""
    defaults: dict[str, Any] = {
        "game": "pile",
        "engine": "player=skilled",
        "nodes": 10,
        "seed": 5,
        "iterations": 20,
        "pairs": 3,
    }
    return configure_tuning(SpsaOptions(**(defaults | {"parameter": list(PARAMETERS), "out": out} | changes)))
