"""The Kolibrat thesis' simulated annealing of evaluation weights (Lindberg, DTU 2007), compared with optuna.

Both methods search for a vector of evaluation weights by self-play. The study measures their progress, and plays
matches between four vectors: the two that they found, the start weights (set by hand) and the shipped weights (those of
`bots/kolibrat/weights.json`, which `tuned_weights` returns). optuna is left out if it is not installed.

Each method and each match is a `Chain`: a sequence of measurements, each a JSON object (`Record`) on disk, so that an
interrupted study can continue.
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
    MeasurementPart,
    Record,
    RecordsByChain,
    Study,
    StudyData,
    StudyReport,
    StudySettings,
    StudyTable,
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

BOARD = Board(width=3, height=4, pieces=4, goal=5)
DEPTH = 3  # of the searches, in plies
MAX_PLIES = 150  # length at which a game ends; a random side wins it
GAMES_PER_ROUND = POPULATION // 2  # of the annealing: the vectors of the population play in pairs
SAMPLE_SIZE = 10  # survivors of a round, or trials of optuna, that are averaged to measure progress
# Number of games against the shipped weights, to measure progress. The start weights would be too weak an opponent:
# nearly every vector beats them.
GAMES_PER_VECTOR = 2
# Names of weight vectors; the first two are also names of chains
ANNEALING, OPTUNA, START, SHIPPED = "annealing", "optuna", "start", "shipped"
BEST = "best-of-annealing"  # name of the chain whose only record has the best vector of the annealing


@dataclass(frozen=True)
class Size:
    """The length of the study."""

    rounds: int  # of the annealing
    pairs: int  # pairs of games in each final match

    @property
    def trials(self) -> int:
        """Return the number of optuna's trials, which play as many games as the annealing."""
        return self.rounds * GAMES_PER_ROUND // TRIAL_GAMES


COMPLETE, QUICK = Size(rounds=150, pairs=200), Size(rounds=8, pairs=10)


def plan(settings: StudySettings) -> Sequence[MeasurementPart]:
    """Return both methods in parallel, the choice of the annealing's best vector, then the matches."""
    size = QUICK if settings.quick else COMPLETE
    methods = [Chain(ANNEALING, size.rounds, partial(_measure_round, settings.seed, size.rounds))]
    if has_optuna():
        methods.append(Chain(OPTUNA, size.trials, partial(_run_optuna_trial, settings.seed)))
    best = Chain(BEST, 1, partial(_choose_best_vector, settings.seed))
    matches = [
        Chain(_match_name(pairing), size.pairs, partial(_play_pair, settings.seed, pairing))
        for pairing in list_matches(has_optuna())
    ]
    return [MeasurementPart(methods), MeasurementPart([best]), MeasurementPart(matches)]


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
    return Duel(BOARD, DEPTH, MAX_PLIES)


def _measure_round(
    seed: int,
    rounds: int,
    previous_records: Sequence[Record],
    earlier_chains: RecordsByChain,  # noqa: ARG001
) -> Record:
    """Play a round of the annealing, and games of `SAMPLE_SIZE` survivors against the shipped weights.

    The record has the vectors after the round, and the survivors' `games` and wins (`won`).
    """
    duel, number = _make_duel(), len(previous_records)
    population = _restore_population(previous_records) if previous_records else initial_population(seed)
    population = play_annealing_round(population, rounds, seed, duel)
    # The first half of the vectors survived the round, the others are their mutants. Take every third survivor.
    survivor_count = POPULATION // 2
    survivors = population.vectors[: survivor_count : survivor_count // SAMPLE_SIZE]
    rng = random.Random(f"{seed} progress {number}")
    won = sum(_count_wins(duel, vector, rng) for vector in survivors)
    return {"vectors": population.vectors, "won": won, "games": GAMES_PER_VECTOR * len(survivors)}


def _count_wins(duel: Duel, vector: Weights, rng: random.Random) -> int:
    """Play `GAMES_PER_VECTOR` games of a vector against the shipped weights, and return the number of wins."""
    return sum(duel.play_match(scale_weights(vector), tuned_weights(BOARD), GAMES_PER_VECTOR, rng))


def _restore_population(previous_records: Sequence[Record]) -> Population:
    """Return the population after the rounds of these records."""
    return Population(len(previous_records), tuple(tuple(vector) for vector in previous_records[-1]["vectors"]))


def _run_optuna_trial(seed: int, previous_records: Sequence[Record], earlier_chains: RecordsByChain) -> Record:  # noqa: ARG001
    """Run a trial of optuna, and play games of its vector against the shipped weights.

    `trial_won`, the wins of the vector in the trial's games against the start weights, is what optuna maximises.
    """
    optuna_study = restore_study((tuple(record["vector"]), record["trial_won"]) for record in previous_records)
    duel = _make_duel()
    vector, trial_won = run_trial(optuna_study, len(previous_records), seed, duel)
    won = _count_wins(duel, vector, random.Random(f"{seed} trial {len(previous_records)}"))
    return {"vector": vector, "trial_won": trial_won, "won": won, "games": GAMES_PER_VECTOR}


def _choose_best_vector(seed: int, previous_records: Sequence[Record], earlier_chains: RecordsByChain) -> Record:  # noqa: ARG001
    """Return a record with the last round's survivor that wins most games against other survivors."""
    return {"vector": choose_best(_restore_population(earlier_chains[ANNEALING]), seed, _make_duel(), lambda: None)}


def _play_pair(
    seed: int, pairing: tuple[str, str], previous_records: Sequence[Record], earlier_chains: RecordsByChain
) -> Record:
    """Play two games from one opening with colours swapped; `won` counts the wins of the pairing's first vector."""
    rng = random.Random(f"{seed} {_match_name(pairing)} {len(previous_records)}")
    first, second = (find_weights(name, earlier_chains) for name in pairing)
    return {"won": sum(_make_duel().play_match(first, second, 2, rng)), "games": 2}


def find_weights(name: str, chains: RecordsByChain) -> Weights:
    """Return the weights that play under a name such as `annealing` or `start`; vectors that were found are scaled."""
    if name == OPTUNA:
        return scale_weights(tuple(max(chains[OPTUNA], key=lambda record: record["trial_won"])["vector"]))
    if name == ANNEALING:
        return scale_weights(tuple(chains[BEST][0]["vector"]))
    return START_WEIGHTS if name == START else tuned_weights(BOARD)


def analyse(study_data: StudyData) -> StudyReport:
    """Return a table and a chart of the progress, and a table of the matches."""
    rounds, trials = study_data.chains[ANNEALING], study_data.chains.get(OPTUNA, ())
    tables = [_make_progress_table(rounds, trials), _make_match_table(study_data.chains)]
    games_played = [GAMES_PER_ROUND * number for number in range(1, len(rounds) + 1)]
    curves = [Curve("annealing, survivors of a round", games_played, [share_won([record]) for record in rounds])]
    if trials:
        # a point after each `SAMPLE_SIZE` trials, for the trials since the last point
        ends = range(SAMPLE_SIZE, len(trials) + 1, SAMPLE_SIZE)
        shares = [share_won(trials[end - SAMPLE_SIZE : end]) for end in ends]
        curves.append(Curve(f"optuna, {SAMPLE_SIZE} trials", [TRIAL_GAMES * end for end in ends], shares))
    chart = Chart("Kolibrat 3x4: games won against the shipped weights", "games played", "share", curves)
    remarks = [
        f"{BOARD.width}x{BOARD.height}, {BOARD.pieces} pieces, {BOARD.goal} points, searches of {DEPTH} plies. The "
        "start weights were chosen by hand; the shipped weights are those of the executable."
    ]
    if not trials:
        remarks.append(f"optuna is missing and was left out: {install_command('tune')}.")
    return StudyReport(tables, [chart], remarks, {"weights": {BEST: study_data.chains[BEST][0]["vector"]}})


def share_won(records: Sequence[Record]) -> float | None:
    """Return wins divided by games, or None if there are no games."""
    games = sum(record["games"] for record in records)
    return sum(record["won"] for record in records) / games if games else None


def _make_progress_table(rounds: Sequence[Record], trials: Sequence[Record]) -> StudyTable:
    """Return up to ten rows from the first to the last round, each with optuna's last trials after as many games."""
    shown_rounds = sorted({1 + round(i * (len(rounds) - 1) / 9) for i in range(10)})  # numbered from 1
    rows: list[list[Cell]] = []
    for number in shown_rounds:
        games = GAMES_PER_ROUND * number
        end = games // TRIAL_GAMES  # number of trials that play as many games
        shares = [share_won([rounds[number - 1]]), share_won(trials[max(0, end - SAMPLE_SIZE) : end])]
        rows.append([str(number), games, *map(format_share, shares)])
    headings = ("round", "games", "annealing's survivors", f"optuna's last {SAMPLE_SIZE} trials")
    return StudyTable("Progress: games won against the shipped weights:", headings, rows)


def _make_match_table(chains: RecordsByChain) -> StudyTable:
    rows = []
    for pairing in list_matches(OPTUNA in chains):
        records = chains[_match_name(pairing)]
        won, games = (sum(record[key] for record in records) for key in ("won", "games"))
        rows.append((*pairing, won, games - won, f"{won / games:.1%}"))
    title = f"Matches of the weights; games that reach {MAX_PLIES} plies are decided at random:"
    return StudyTable(title, ("", "against", "won", "lost", "share"), rows)


KOLIBRAT_ANNEALING = Study(
    name="kolibrat-annealing",
    help="the Kolibrat thesis' annealing of weights: its progress and its gain, compared with optuna",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
