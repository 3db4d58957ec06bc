"""Play the pairs of games of a tuning. The engines keep running and get new parameters by command.

The engine `plus` has the perturbed values of the parameters, and `minus` those with the opposite perturbation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from arena.log.events import GameEnded, PairEnded
from arena.run.pairs import PairRunner
from arena.terms.ending import FAULTS, Ending
from arena.terms.plan import OpeningDealer, Pair, PlannedGame, derive_seed
from arena.terms.tuning import TunedParameter
from arena.tune.config import TuneConfig
from arena.tune.events import PairPlayed, TunedGame, Values

NS_PER_MS = 1_000_000


class EngineCannotPlayError(Exception):
    """A game could not be played, for example because the engine refuses a parameter; the message is the reason."""


class TuningWorker(Protocol):
    """Plays one pair at a time. One thread uses it; only `interrupt` may be called from another thread."""

    def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
        """Play a pair with these values of `plus` and `minus`; return None if it was interrupted.

        Raise EngineCannotPlayError.
        """

    def close(self) -> None:
        """Quit the engines."""

    def interrupt(self) -> None:
        """End the running pair early; it has no result."""


WorkerFactory = Callable[[int], TuningWorker]  # argument: the slot of the worker, from 0


class TuningPairRunner:
    """A TuningWorker that plays on this machine, with two engines that keep running between games."""

    def __init__(self, config: TuneConfig, slot: int) -> None:
        self._engine = config.engine
        self._parameters = config.parameters
        self._runner = PairRunner(config.match, slot, keeps_engines=True)

    def play(self, pair: Pair, iteration: int, values: tuple[Values, Values]) -> PairPlayed | None:
        """Play a pair, see TuningWorker."""
        began_ns = time.perf_counter_ns()
        for engine_index, engine_values in enumerate(values):
            self._runner.set_parameters(engine_index, format_values(self._parameters, engine_values))
        games: list[TunedGame] = []
        is_complete = False
        for event in self._runner.play(pair):
            if isinstance(event, GameEnded):
                if event.ending is Ending.VOID:
                    raise EngineCannotPlayError(f"{self._engine} {event.detail}")
                games.append(_summarize(event))
            is_complete = isinstance(event, PairEnded)
        if not is_complete:
            return None
        time_ms = (time.perf_counter_ns() - began_ns) // NS_PER_MS
        return PairPlayed(pair.number, iteration, *values, tuple(games), time_ms)

    def close(self) -> None:
        """Quit the engines."""
        self._runner.close()

    def interrupt(self) -> None:
        """End the running pair without a result."""
        self._runner.interrupt()


def plan_pair(dealer: OpeningDealer, number: int) -> Pair:
    """Return a pair of the engines 0 and 1, as `MatchConfig.plan` does, without planning those before it."""
    opening, symmetry = dealer.deal(number)
    games = tuple(
        PlannedGame(game, first, derive_seed(dealer.seed, game))
        for first, game in enumerate((2 * number - 1, 2 * number))
    )
    return Pair(number, number, (0, 1), opening, symmetry, games)


def format_values(parameters: Sequence[TunedParameter], values: Sequence[float]) -> dict[str, str]:
    """Return values as texts for the engine, by the names of the parameters."""
    return {parameter.name: parameter.format(value) for parameter, value in zip(parameters, values, strict=True)}


def _summarize(game: GameEnded) -> TunedGame:
    """Return what the log of a tuning keeps of a game; `plus` and `minus` are the names of its engines."""
    blamed = game.blamed if game.ending in FAULTS else ""
    plies = len(game.opening) + len(game.moves)
    return TunedGame(game.ending, game.winner, plies, blamed, game.detail if blamed else "")  # type: ignore[arg-type]
