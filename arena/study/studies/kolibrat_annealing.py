"""The simulated annealing of evaluation weights in the Kolibrat thesis (Lindberg, DTU 2007), compared with optuna.

Both methods search for a weight vector by self-play. The study measures their progress, and plays matches between the
vectors that they found, the start vector and the shipped one. optuna is left out if it is not installed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from arena.errors import install_command
from arena.study.game_statistics import format_share
from arena.study.study import (
    Cell,
    Chain,
    Chart,
    Curve,
    Findings,
    Measurements,
    Record,
    RecordsByChain,
    Study,
    StudyReport,
    StudyTable,
    StudyTerms,
)
from bots.kolibrat.notation import Board
from bots.kolibrat.training.annealing import (
    POPULATION,
    Population,
    choose_best,
    initial_population,
    play_annealing_round,
    scale_weights,
)
from bots.kolibrat.training.optuna_search import TRIAL_GAMES, restore_study, run_trial
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS, Weights, tuned_weights

BOARD, DEPTH, CAP_PLIES = Board(3, 4, 4, 5), 3, 150
ROUND_GAMES = POPULATION // 2
SAMPLE = 10  # survivors of a round, or trials of optuna, that are averaged to measure progress
SAMPLE_GAMES = 2  # per vector, against the shipped weights; nearly every vector beats the start weights
ANNEALING, OPTUNA, START, SHIPPED = "annealing", "optuna", "start", "shipped"
BEST = "best-of-annealing"


@dataclass(frozen=True)
class Size:
    """The length of the study."""

    rounds: int  # of the annealing
    pairs: int  # pairs of games in each final match

    @property
    def trials(self) -> int:
        """Return the number of optuna's trials, which play as many games as the annealing."""
        return self.rounds * ROUND_GAMES // TRIAL_GAMES


WHOLE, QUICK = Size(rounds=150, pairs=200), Size(rounds=8, pairs=10)


def plan(terms: StudyTerms) -> Sequence[Measurements]:
    """Return both methods in parallel, the choice of the annealing's best vector, then the matches."""
    size = QUICK if terms.quick else WHOLE
    methods = [Chain(ANNEALING, size.rounds, partial(_measure_round, terms.seed, size.rounds))]
    if has_optuna():
        methods.append(Chain(OPTUNA, size.trials, partial(_run_optuna_trial, terms.seed)))
    best = Chain(BEST, 1, partial(_choose_best, terms.seed))
    matches = [
        Chain(_match_name(pairing), size.pairs, partial(_play_pair, terms.seed, pairing))
        for pairing in list_matches(has_optuna())
    ]
    return [Measurements(methods), Measurements([best]), Measurements(matches)]


def has_optuna() -> bool:
    """Return whether optuna is installed."""
    return find_spec("optuna") is not None


def list_matches(with_optuna: bool) -> list[tuple[str, str]]:
    """Return the pairings of weight vectors that play a match."""
    pairings = [(ANNEALING, START), (ANNEALING, SHIPPED)]
    return pairings + ([(OPTUNA, START), (OPTUNA, SHIPPED), (ANNEALING, OPTUNA)] if with_optuna else [])


def _match_name(pairing: tuple[str, str]) -> str:
    return "-against-".join(pairing)


def _make_duel() -> Duel:
    return Duel(BOARD, DEPTH, CAP_PLIES)


def _measure_round(seed: int, rounds: int, before: Sequence[Record], earlier: RecordsByChain) -> Record:  # noqa: ARG001
    """Play a round of the annealing, and games of some survivors against the shipped weights."""
    duel, number = _make_duel(), len(before)
    population = _restore_population(before) if before else initial_population(seed)
    population = play_annealing_round(population, rounds, seed, duel)
    survivors = population.vectors[: POPULATION // 2 : POPULATION // 2 // SAMPLE]
    rng = random.Random(f"{seed} progress {number}")
    won = sum(_count_wins(duel, vector, rng) for vector in survivors)
    return {"vectors": population.vectors, "won": won, "games": SAMPLE_GAMES * len(survivors)}


def _count_wins(duel: Duel, vector: Weights, rng: random.Random) -> int:
    """Play `SAMPLE_GAMES` games of a vector against the shipped weights, and return the number of wins."""
    return sum(duel.play_match(scale_weights(vector), tuned_weights(BOARD), SAMPLE_GAMES, rng))


def _restore_population(before: Sequence[Record]) -> Population:
    return Population(len(before), tuple(tuple(vector) for vector in before[-1]["vectors"]))


def _run_optuna_trial(seed: int, before: Sequence[Record], earlier: RecordsByChain) -> Record:  # noqa: ARG001
    """Run a trial of optuna, and play games of its vector against the shipped weights.

    `trial_won`, the wins of the vector in the trial's games against the start weights, is what optuna maximises.
    """
    study, duel = restore_study((tuple(record["vector"]), record["trial_won"]) for record in before), _make_duel()
    vector, trial_won = run_trial(study, len(before), seed, duel)
    won = _count_wins(duel, vector, random.Random(f"{seed} trial {len(before)}"))
    return {"vector": vector, "trial_won": trial_won, "won": won, "games": SAMPLE_GAMES}


def _choose_best(seed: int, before: Sequence[Record], earlier: RecordsByChain) -> Record:  # noqa: ARG001
    """Return the last round's vector that wins most games against others."""
    return {"vector": choose_best(_restore_population(earlier[ANNEALING]), seed, _make_duel(), lambda: None)}


def _play_pair(seed: int, pairing: tuple[str, str], before: Sequence[Record], earlier: RecordsByChain) -> Record:
    """Play two games from one opening with colours swapped; `won` counts the wins of the pairing's first vector."""
    rng = random.Random(f"{seed} {_match_name(pairing)} {len(before)}")
    first, second = (find_vector(name, earlier) for name in pairing)
    return {"won": sum(_make_duel().play_match(first, second, 2, rng)), "games": 2}


def find_vector(name: str, chains: RecordsByChain) -> Weights:
    """Return the weights that a name such as `annealing` or `start` stands for."""
    if name == OPTUNA:
        return scale_weights(tuple(max(chains[OPTUNA], key=lambda record: record["trial_won"])["vector"]))
    if name == ANNEALING:
        return scale_weights(tuple(chains[BEST][0]["vector"]))
    return START_WEIGHTS if name == START else tuned_weights(BOARD)


def analyse(findings: Findings) -> StudyReport:
    """Return a table and a chart of the progress, and a table of the matches."""
    rounds, trials = findings.chains[ANNEALING], findings.chains.get(OPTUNA, ())
    tables = [_make_progress_table(rounds, trials), _make_match_table(findings.chains)]
    games_played = [ROUND_GAMES * number for number in range(1, len(rounds) + 1)]
    curves = [Curve("annealing, survivors of a round", games_played, [share_won([record]) for record in rounds])]
    if trials:
        ends = range(SAMPLE, len(trials) + 1, SAMPLE)
        shares = [share_won(trials[end - SAMPLE : end]) for end in ends]
        curves.append(Curve(f"optuna, {SAMPLE} trials", [TRIAL_GAMES * end for end in ends], shares))
    chart = Chart("Kolibrat 3x4: games won against the shipped weights", "games played", "share", curves)
    remarks = [
        f"{BOARD.width}x{BOARD.height}, {BOARD.pieces} pieces, {BOARD.goal} points, searches of {DEPTH} plies. The "
        "start weights were chosen by hand; the shipped weights are those of the executable."
    ]
    if not trials:
        remarks.append(f"optuna is missing and was left out: {install_command('tune')}.")
    return StudyReport(tables, [chart], remarks, {"weights": {BEST: findings.chains[BEST][0]["vector"]}})


def share_won(records: Sequence[Record]) -> float | None:
    """Return wins divided by games, or None if there are no games."""
    games = sum(record["games"] for record in records)
    return sum(record["won"] for record in records) / games if games else None


def _make_progress_table(rounds: Sequence[Record], trials: Sequence[Record]) -> StudyTable:
    """Return up to ten rows from the first to the last round, each with optuna's last trials after as many games."""
    shown_rounds = sorted({1 + round(i * (len(rounds) - 1) / 9) for i in range(10)})  # numbered from 1
    rows: list[list[Cell]] = []
    for number in shown_rounds:
        games = ROUND_GAMES * number
        end = games // TRIAL_GAMES
        shares = [share_won([rounds[number - 1]]), share_won(trials[max(0, end - SAMPLE) : end])]
        rows.append([str(number), games, *map(format_share, shares)])
    headings = ("round", "games", "annealing's survivors", f"optuna's last {SAMPLE} trials")
    return StudyTable("Progress: games won against the shipped weights:", headings, rows)


def _make_match_table(chains: RecordsByChain) -> StudyTable:
    rows = []
    for pairing in list_matches(OPTUNA in chains):
        records = chains[_match_name(pairing)]
        won, games = (sum(record[key] for record in records) for key in ("won", "games"))
        rows.append((*pairing, won, games - won, f"{won / games:.1%}"))
    title = f"Matches of the weights; games that reach {CAP_PLIES} plies are decided at random:"
    return StudyTable(title, ("", "against", "won", "lost", "share"), rows)


KOLIBRAT_ANNEALING = Study(
    name="kolibrat-annealing",
    help="the Kolibrat thesis' annealing of weights: its progress and its gain, compared with optuna",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
