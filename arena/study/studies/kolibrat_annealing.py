"""The annealing of the Kolibrat thesis (Lindberg, DTU 2007): its progress, its gain, and a library in its place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from arena.errors import install_command
from arena.study.study import (
    Cell,
    Chain,
    Chart,
    Curve,
    Findings,
    Measurements,
    Record,
    Records,
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
SAMPLE = 10  # survivors of a round, or trials of the library, that tell how far it is
SAMPLE_GAMES = 2  # of each against the shipped weights: against the start nearly every vector wins
ANNEALING, LIBRARY, START, SHIPPED = "annealing", "optuna", "start", "shipped"
BEST = "best-of-annealing"


@dataclass(frozen=True)
class Size:
    """How long the methods run, and the pairs of games of a match between what they found."""

    rounds: int
    pairs: int

    @property
    def trials(self) -> int:
        """Of the library, for as many games as the annealing plays."""
        return self.rounds * ROUND_GAMES // TRIAL_GAMES


WHOLE, QUICK = Size(rounds=150, pairs=200), Size(rounds=8, pairs=10)


def plan(terms: StudyTerms) -> Sequence[Measurements]:
    """Both methods side by side, the best of the annealing, then the matches."""
    size = QUICK if terms.quick else WHOLE
    methods = [Chain(ANNEALING, size.rounds, partial(_anneal, terms.seed, size.rounds))]
    if has_library():
        methods.append(Chain(LIBRARY, size.trials, partial(_try, terms.seed)))
    best = Chain(BEST, 1, partial(_choose, terms.seed))
    matches = [
        Chain(_name_match(pair), size.pairs, partial(_play, terms.seed, pair)) for pair in list_matches(has_library())
    ]
    return [Measurements(methods), Measurements([best]), Measurements(matches)]


def has_library() -> bool:
    """Whether optuna is installed."""
    return find_spec("optuna") is not None


def list_matches(with_library: bool) -> list[tuple[str, str]]:
    """Which vectors play each other."""
    found = [(ANNEALING, START), (ANNEALING, SHIPPED)]
    return found + ([(LIBRARY, START), (LIBRARY, SHIPPED), (ANNEALING, LIBRARY)] if with_library else [])


def _name_match(pair: tuple[str, str]) -> str:
    return "-against-".join(pair)


def _make_duel() -> Duel:
    return Duel(BOARD, DEPTH, CAP_PLIES)


def _anneal(seed: int, rounds: int, before: Sequence[Record], earlier: Records) -> Record:  # noqa: ARG001
    """A round, and how survivors of it do against the shipped weights."""
    duel, number = _make_duel(), len(before)
    population = _restore(before) if before else initial_population(seed)
    population = play_annealing_round(population, rounds, seed, duel)
    survivors = population.vectors[: POPULATION // 2 : POPULATION // 2 // SAMPLE]
    chance = random.Random(f"{seed} progress {number}")
    won = sum(_measure(duel, vector, chance) for vector in survivors)
    return {"vectors": population.vectors, "won": won, "games": SAMPLE_GAMES * len(survivors)}


def _measure(duel: Duel, vector: Weights, chance: random.Random) -> int:
    """How many games a vector wins against the shipped weights."""
    return sum(duel.play_match(scale_weights(vector), tuned_weights(BOARD), SAMPLE_GAMES, chance))


def _restore(before: Sequence[Record]) -> Population:
    return Population(len(before), tuple(tuple(vector) for vector in before[-1]["vectors"]))


def _try(seed: int, before: Sequence[Record], earlier: Records) -> Record:  # noqa: ARG001
    """A trial of the library, which knows its games against the start, and how the vector does as in a round."""
    study, duel = restore_study((tuple(record["vector"]), record["trial_won"]) for record in before), _make_duel()
    vector, trial_won = run_trial(study, len(before), seed, duel)
    won = _measure(duel, vector, random.Random(f"{seed} trial {len(before)}"))
    return {"vector": vector, "trial_won": trial_won, "won": won, "games": SAMPLE_GAMES}


def _choose(seed: int, before: Sequence[Record], earlier: Records) -> Record:  # noqa: ARG001
    """The survivor of the annealing that does best against others."""
    return {"vector": choose_best(_restore(earlier[ANNEALING]), seed, _make_duel(), lambda: None)}


def _play(seed: int, pair: tuple[str, str], before: Sequence[Record], earlier: Records) -> Record:
    """Two games from one opening with colours swapped; `won` by the first."""
    chance = random.Random(f"{seed} {_name_match(pair)} {len(before)}")
    first, second = (find_vector(name, earlier) for name in pair)
    return {"won": sum(_make_duel().play_match(first, second, 2, chance)), "games": 2}


def find_vector(name: str, chains: Records) -> Weights:
    """The weights of a side of a match."""
    if name == LIBRARY:
        return scale_weights(tuple(max(chains[LIBRARY], key=lambda record: record["trial_won"])["vector"]))
    if name == ANNEALING:
        return scale_weights(tuple(chains[BEST][0]["vector"]))
    return START_WEIGHTS if name == START else tuned_weights(BOARD)


def analyse(findings: Findings) -> StudyReport:
    """Progress by games played, and the matches."""
    annealed, tried = findings.chains[ANNEALING], findings.chains.get(LIBRARY, ())
    tables = [_make_progress(annealed, tried), _make_matches(findings.chains)]
    rounds = [ROUND_GAMES * number for number in range(1, len(annealed) + 1)]
    curves = [Curve("annealing, survivors of a round", rounds, [share_won([record]) for record in annealed])]
    if tried:
        blocks = range(SAMPLE, len(tried) + 1, SAMPLE)
        shares = [share_won(tried[end - SAMPLE : end]) for end in blocks]
        curves.append(Curve(f"optuna, {SAMPLE} trials", [TRIAL_GAMES * end for end in blocks], shares))
    chart = Chart("Kolibrat 3x4: games won against the shipped weights", "games played", "share", curves)
    remarks = [
        f"{BOARD.width}x{BOARD.height}, {BOARD.pieces} pieces, {BOARD.goal} points, searches of {DEPTH} plies; the "
        "start is set by hand, the shipped weights are those of the executable."
    ]
    if not tried:
        remarks.append(f"The library was left out, as optuna is missing: {install_command('tune')}.")
    return StudyReport(tables, [chart], remarks, {"weights": {BEST: findings.chains[BEST][0]["vector"]}})


def share_won(records: Sequence[Record]) -> float | None:
    """The share of games that were won; None where there are none."""
    games = sum(record["games"] for record in records)
    return sum(record["won"] for record in records) / games if games else None


def _make_progress(annealed: Sequence[Record], tried: Sequence[Record]) -> StudyTable:
    """About ten rows, the first and last round among them; the library's last trials after as many games."""
    steps = sorted({1 + round(place * (len(annealed) - 1) / 9) for place in range(10)})
    rows: list[list[Cell]] = []
    for number in steps:
        games = ROUND_GAMES * number
        end = games // TRIAL_GAMES
        shares = [share_won([annealed[number - 1]]), share_won(tried[max(0, end - SAMPLE) : end])]
        rows.append([str(number), games, *(None if share is None else f"{share:.0%}" for share in shares)])
    headings = ("round", "games", "annealing's survivors", f"optuna's last {SAMPLE} trials")
    return StudyTable("Progress: games won against the shipped weights:", headings, rows)


def _make_matches(chains: Records) -> StudyTable:
    rows = []
    for pair in list_matches(LIBRARY in chains):
        records = chains[_name_match(pair)]
        won, games = (sum(record[key] for record in records) for key in ("won", "games"))
        rows.append((*pair, won, games - won, f"{won / games:.1%}"))
    return StudyTable(
        "Matches of what was found; draws are decided by lot:", ("", "against", "won", "lost", "share"), rows
    )


KOLIBRAT_ANNEALING = Study(
    name="kolibrat-annealing",
    help="the Kolibrat thesis' annealing of weights: its progress, what it gains, and optuna in its place",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
