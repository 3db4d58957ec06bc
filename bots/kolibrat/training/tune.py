"""Tunes the weights of the evaluation, shows what that gains, and writes them for the bot.

A run keeps its state beside the weights and goes on from there when it is started again with the same numbers.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bots.kolibrat.notation import Board
from bots.kolibrat.parameters import WEIGHT_NAMES
from bots.kolibrat.training.annealing import (
    POPULATION,
    Population,
    choose_best,
    initial_population,
    play_annealing_round,
    scale_weights,
)
from bots.kolibrat.training.optuna_search import run_trial
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS, Weights
from core.system.files import read_json_object, replace_text_file, write_json_object

StepDone = Callable[[], None]  # that a step is done
Watch = Callable[
    [str, int, int], AbstractContextManager[StepDone]
]  # of a name, the steps in all, and those done before


class CannotTuneError(ValueError):
    """The state that lies there is another run's; the text says which."""


@dataclass(frozen=True)
class TuneOptions:
    """What a run depends on. `rounds` are those of the annealing, or 60 trials of the other method each."""

    board: Board
    method: str
    rounds: int
    depth: int
    cap: int  # plies after which a game is drawn by lot
    games: int  # of the match against the start
    seed: int
    out: Path

    @property
    def state_path(self) -> Path:
        """Where the run's state is kept."""
        return self.out.with_suffix(f".{self.method}.run")

    def identity(self) -> dict[str, Any]:
        """The numbers that a state must share to be gone on with."""
        found = asdict(self)
        return {name: found[name] for name in ("board", "rounds", "depth", "cap", "seed")}


def tune(request: TuneOptions, watch: Watch) -> list[str]:
    """Tune, write the best weights, play the match against the start, and return the lines of the report.

    Raise CannotTuneError. The method `optuna` wants that package.
    """
    if request.method == "annealing":
        _restore(request)  # so that another run's state is told before kernels are compiled
    duel = Duel(request.board, request.depth, request.cap)
    request.out.parent.mkdir(parents=True, exist_ok=True)
    methods = {"annealing": _anneal, "optuna": _optimise}
    best = scale_weights(methods[request.method](request, duel, watch))
    write_weights(request.out, request.board, best)
    request.state_path.unlink(missing_ok=True)
    with watch("match against the start", request.games, 0) as tell:
        won = 0
        for point in duel.play_match(best, START_WEIGHTS, request.games, random.Random(f"{request.seed} match")):
            won += point
            tell()
    names = ", ".join(f"{name} {weight}" for name, weight in zip(WEIGHT_NAMES, best, strict=True))
    return [
        f"best weights: {names}",
        f"against the start: {won} of {request.games} games at depth {request.depth}, {won / request.games:.1%}",
        f"written to {request.out}",
    ]


def write_weights(path: Path, board: Board, weights: Weights) -> None:
    """Put the weights of a size into the file, beside those of other sizes."""
    sizes = read_json_object(path) if path.exists() else {}
    sizes[f"{board.width}x{board.height}"] = dict(zip(WEIGHT_NAMES, weights, strict=True))
    write_json_object(path, dict(sorted(sizes.items())))


def _anneal(request: TuneOptions, duel: Duel, watch: Watch) -> Weights:
    population = _restore(request)
    with watch("annealing", request.rounds, population.round) as tell:
        while population.round < request.rounds:
            population = play_annealing_round(population, request.rounds, request.seed, duel)
            state = {"identity": request.identity(), "population": asdict(population)}
            replace_text_file(request.state_path, json.dumps(state))
            tell()
    with watch("choosing the best", POPULATION // 2, 0) as tell:
        return choose_best(population, request.seed, duel, tell)


def _restore(request: TuneOptions) -> Population:
    """The population of a run that was broken off, or the first one; raise CannotTuneError for another run's."""
    if not request.state_path.exists():
        return initial_population(request.seed)
    state = json.loads(request.state_path.read_text(encoding="utf-8"))
    if state["identity"] != request.identity():
        raise _foreign_run(request)
    found = state["population"]
    return Population(found["round"], tuple(tuple(vector) for vector in found["vectors"]))


def _foreign_run(request: TuneOptions) -> CannotTuneError:
    return CannotTuneError(f"{request.state_path} is of a run with other numbers: remove it to begin anew")


def _optimise(request: TuneOptions, duel: Duel, watch: Watch) -> Weights:
    """The best of the library's trials, which it keeps itself."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    backend = JournalFileBackend(str(request.state_path))
    storage, name = optuna.storages.JournalStorage(backend), json.dumps(request.identity())
    if optuna.get_all_study_names(storage) not in ([], [name]):
        raise _foreign_run(request)
    study = optuna.create_study(study_name=name, storage=storage, load_if_exists=True, direction="maximize")
    trials = request.rounds * POPULATION
    done = len(study.get_trials(states=[optuna.trial.TrialState.COMPLETE]))  # a kill leaves one that is not
    with watch("optuna", trials, done) as tell:
        for number in range(done, trials):
            run_trial(study, number, request.seed, duel)
            tell()
    return tuple(study.best_params[name] for name in WEIGHT_NAMES)
