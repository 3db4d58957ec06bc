"""Tunes the evaluation weights, plays a match against the hand-set ones, and writes the result: `pentad kolibrat tune`.

An interrupted run keeps its state in a file beside the weights and continues when it is started again with the same
parameters.
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

StepDone = Callable[[], None]  # to be called after each step
# Opens a progress bar: text, total number of steps, steps that are done already.
TrackProgress = Callable[[str, int, int], AbstractContextManager[StepDone]]


class CannotTuneError(ValueError):
    """The file with the state of an interrupted run belongs to other parameters; the message names the file."""


@dataclass(frozen=True)
class TuneOptions:
    """The parameters of a run, as options of the command."""

    board: Board
    method: str  # "annealing" or "optuna"
    rounds: int  # of annealing; with optuna, groups of 60 trials
    depth: int  # search depth of the games in plies
    cap: int  # plies after which a random side wins
    games: int  # of the final match against START_WEIGHTS
    seed: int
    out: Path  # file of weights

    @property
    def state_path(self) -> Path:
        """The file with the state of an interrupted run."""
        return self.out.with_suffix(f".{self.method}.run")

    def identity(self) -> dict[str, Any]:
        """Return the parameters that a run must share with a state file in order to continue from it."""
        parameters = asdict(self)
        return {name: parameters[name] for name in ("board", "rounds", "depth", "cap", "seed")}


def tune(options: TuneOptions, track: TrackProgress) -> list[str]:
    """Tune, write the best weights, play the match against START_WEIGHTS, and return the lines of a report.

    Raise CannotTuneError if the state file belongs to another run. The method "optuna" needs that package.
    """
    if options.method == "annealing":
        _restore(options)  # raises its error early, before kernels are compiled; `_anneal` restores again
    duel = Duel(options.board, options.depth, options.cap)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    methods = {"annealing": _anneal, "optuna": _run_optuna}
    best = scale_weights(methods[options.method](options, duel, track))
    write_weights(options.out, options.board, best)
    options.state_path.unlink(missing_ok=True)
    with track("match against the start", options.games, 0) as step_done:
        games_won = 0
        for has_won in duel.play_match(best, START_WEIGHTS, options.games, random.Random(f"{options.seed} match")):
            games_won += has_won
            step_done()
    names = ", ".join(f"{name} {weight}" for name, weight in zip(WEIGHT_NAMES, best, strict=True))
    return [
        f"best weights: {names}",
        f"against the start: {games_won} of {options.games} games at depth {options.depth}, "
        f"{games_won / options.games:.1%}",
        f"written to {options.out}",
    ]


def write_weights(path: Path, board: Board, weights: Weights) -> None:
    """Write the weights of a board size to the file, keeping those of other sizes."""
    sizes = read_json_object(path) if path.exists() else {}
    sizes[f"{board.width}x{board.height}"] = dict(zip(WEIGHT_NAMES, weights, strict=True))
    write_json_object(path, dict(sorted(sizes.items())))


def _anneal(options: TuneOptions, duel: Duel, track: TrackProgress) -> Weights:
    """Run the annealing to its end, saving the population after each round, and return the best vector."""
    population = _restore(options)
    with track("annealing", options.rounds, population.round) as step_done:
        while population.round < options.rounds:
            population = play_annealing_round(population, options.rounds, options.seed, duel)
            state = {"identity": options.identity(), "population": asdict(population)}
            replace_text_file(options.state_path, json.dumps(state))
            step_done()
    with track("choosing the best", POPULATION // 2, 0) as step_done:
        return choose_best(population, options.seed, duel, step_done)


def _restore(options: TuneOptions) -> Population:
    """Return the population of an interrupted run, or a new one; raise CannotTuneError if the file is another run's."""
    if not options.state_path.exists():
        return initial_population(options.seed)
    state = json.loads(options.state_path.read_text(encoding="utf-8"))
    if state["identity"] != options.identity():
        raise _other_run_error(options)
    population = state["population"]
    return Population(population["round"], tuple(tuple(vector) for vector in population["vectors"]))


def _other_run_error(options: TuneOptions) -> CannotTuneError:
    return CannotTuneError(f"{options.state_path} belongs to a run with other numbers: remove it to start again")


def _run_optuna(options: TuneOptions, duel: Duel, track: TrackProgress) -> Weights:
    """Run optuna's trials, which optuna itself saves in the state file, and return the best vector."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    backend = JournalFileBackend(str(options.state_path))
    storage, name = optuna.storages.JournalStorage(backend), json.dumps(options.identity())
    if optuna.get_all_study_names(storage) not in ([], [name]):
        raise _other_run_error(options)
    study = optuna.create_study(study_name=name, storage=storage, load_if_exists=True, direction="maximize")
    trials = options.rounds * POPULATION  # number of trials
    done_count = len(study.get_trials(states=[optuna.trial.TrialState.COMPLETE]))  # an interrupted trial is repeated
    with track("optuna", trials, done_count) as step_done:
        for trial_number in range(done_count, trials):
            run_trial(study, trial_number, options.seed, duel)
            step_done()
    return tuple(study.best_params[name] for name in WEIGHT_NAMES)
