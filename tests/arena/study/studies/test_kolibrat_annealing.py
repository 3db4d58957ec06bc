"""The measurements (rounds of annealing, trials of optuna) and the report of the study of Kolibrat's weights."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.study.studies import kolibrat_annealing as module
from arena.study.studies.kolibrat_annealing import (
    ANNEALING,
    BEST,
    OPTUNA,
    SHIPPED,
    START,
    analyse,
    find_weights,
    list_matches,
    plan,
)
from arena.study.study import Chain, Record, RecordsByChain, StudyData, StudySettings
from bots.kolibrat.notation import Board
from bots.kolibrat.training.annealing import initial_population, play_annealing_round, scale_weights
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS

SETTINGS = StudySettings(quick=True, seed=4)
SMALL_BOARD = Board(width=2, height=3, pieces=2, goal=1)


@pytest.fixture
def small_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a board, a depth and a maximum length with which games are short."""
    monkeypatch.setattr(module, "BOARD", SMALL_BOARD)
    monkeypatch.setattr(module, "DEPTH", 1)
    monkeypatch.setattr(module, "MAX_PLIES", 20)


def find_chain(name: str) -> Chain:
    return next(chain for part in plan(SETTINGS) for chain in part.chains if chain.name == name)


def measure(name: str, count: int, earlier_chains: RecordsByChain | None = None) -> list[Record]:
    """Return the first `count` records of a chain."""
    records: list[Record] = []
    for _ in range(count):
        records.append(find_chain(name).measure(records, earlier_chains or {}))
    return records


@pytest.mark.usefixtures("small_board")
def test_rounds_are_the_same_as_without_the_study() -> None:
    """Each round depends only on the record before it, so an interruption changes nothing."""
    population, duel = initial_population(SETTINGS.seed), Duel(SMALL_BOARD, depth=1, max_plies=20)
    for record in measure(ANNEALING, 2):
        population = play_annealing_round(population, module.QUICK.rounds, SETTINGS.seed, duel)
        assert tuple(record["vectors"]) == population.vectors
        assert record["games"] == 20  # two against the shipped weights by each of ten survivors
        assert 0 <= record["won"] <= 20


@pytest.mark.usefixtures("small_board")
def test_matches_use_the_vectors_of_earlier_chains() -> None:
    pytest.importorskip("optuna")
    chains: dict[str, Sequence[Record]] = {ANNEALING: measure(ANNEALING, 1), OPTUNA: measure(OPTUNA, 12)}
    assert [record["games"] for record in chains[OPTUNA]] == [2] * 12
    chains[BEST] = measure(BEST, 1, chains)
    survivors = chains[ANNEALING][0]["vectors"][:30]  # the other 30 vectors are their mutants
    assert tuple(chains[BEST][0]["vector"]) in survivors
    for pairing in list_matches(True):
        records = measure("-against-".join(pairing), 3, chains)
        assert [record["games"] for record in records] == [2, 2, 2]
    assert find_weights(START, chains) == START_WEIGHTS
    best = max(range(12), key=lambda number: chains[OPTUNA][number]["trial_won"])
    assert find_weights(OPTUNA, chains) == scale_weights(chains[OPTUNA][best]["vector"])


def make_chains(*names: str) -> dict[str, Sequence[Record]]:
    """Return made-up records: four rounds, two records per match, and trials if `names` contains optuna."""
    chains: dict[str, Sequence[Record]] = {
        ANNEALING: [{"vectors": [], "won": won, "games": 20} for won in (2, 5, 10, 15)],
        BEST: [{"vector": [1, 2]}],
    }
    if OPTUNA in names:
        chains[OPTUNA] = [{"vector": [], "trial_won": 1, "won": number % 2, "games": 2} for number in range(30)]
    for pairing in list_matches(OPTUNA in names):
        chains["-against-".join(pairing)] = [{"won": 2, "games": 2}, {"won": 1, "games": 2}]
    return chains


def test_progress_and_matches_are_counted() -> None:
    report = analyse(StudyData(SETTINGS, {}, make_chains(OPTUNA)))
    progress, matches = report.tables
    # round, games played by then, wins of the survivors, wins of optuna's last trials after as many games
    assert progress.rows == [
        ["1", 30, "10%", "0%"],  # one trial
        ["2", 60, "25%", "17%"],  # three trials, which won 0, 1 and 0 of two games each
        ["3", 90, "50%", "25%"],
        ["4", 120, "75%", "25%"],
    ]
    assert matches.rows[0] == (ANNEALING, START, 3, 1, "75.0%")
    assert matches.rows[-1][:2] == (ANNEALING, OPTUNA)
    assert report.charts[0].curves[0].ys == [0.1, 0.25, 0.5, 0.75]
    assert report.charts[0].curves[1].xs == [200, 400, 600]
    assert report.charts[0].curves[1].ys == [0.25] * 3


def test_without_optuna_the_rest_is_measured_and_a_remark_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    names = [chain.name for part in plan(SETTINGS) for chain in part.chains]
    assert names == [ANNEALING, BEST, f"{ANNEALING}-against-{START}", f"{ANNEALING}-against-{SHIPPED}"]
    report = analyse(StudyData(SETTINGS, {}, make_chains()))
    assert [row[-1] for row in report.tables[0].rows] == [None] * 4
    assert len(report.tables[1].rows) == 2
    assert 'pip install -e ".[tune]"' in report.remarks[-1]
