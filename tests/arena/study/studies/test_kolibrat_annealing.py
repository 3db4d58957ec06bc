"""The measurements and the report of the study of the annealing."""

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
    find_vector,
    list_matches,
    plan,
)
from arena.study.study import Chain, Findings, Record, RecordsByChain, StudyTerms
from bots.kolibrat.notation import Board
from bots.kolibrat.training.annealing import initial_population, play_annealing_round, scale_weights
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS

TERMS = StudyTerms(quick=True, seed=4)


@pytest.fixture
def small_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a board on which games are short."""
    monkeypatch.setattr(module, "BOARD", Board(2, 3, 2, 1))
    monkeypatch.setattr(module, "DEPTH", 1)
    monkeypatch.setattr(module, "CAP_PLIES", 20)


def find_chain(name: str) -> Chain:
    return next(chain for part in plan(TERMS) for chain in part.chains if chain.name == name)


def measure(name: str, count: int, earlier: RecordsByChain | None = None) -> list[Record]:
    records: list[Record] = []
    for _ in range(count):
        records.append(find_chain(name).measure(records, earlier or {}))
    return records


@pytest.mark.usefixtures("small_board")
def test_rounds_are_the_same_as_without_the_study() -> None:
    """Each round depends only on the record before it, so an interruption changes nothing."""
    population, duel = initial_population(4), Duel(Board(2, 3, 2, 1), 1, 20)
    for record in measure(ANNEALING, 2):
        population = play_annealing_round(population, module.QUICK.rounds, 4, duel)
        assert tuple(record["vectors"]) == population.vectors
        assert record["games"] == 20
        assert 0 <= record["won"] <= 20


@pytest.mark.usefixtures("small_board")
def test_matches_use_the_vectors_of_earlier_chains() -> None:
    pytest.importorskip("optuna")
    chains: dict[str, Sequence[Record]] = {ANNEALING: measure(ANNEALING, 1), OPTUNA: measure(OPTUNA, 12)}
    assert [record["games"] for record in chains[OPTUNA]] == [2] * 12
    chains[BEST] = measure(BEST, 1, chains)
    assert tuple(chains[BEST][0]["vector"]) in set(chains[ANNEALING][0]["vectors"][:30])
    for pairing in list_matches(True):
        records = measure("-against-".join(pairing), 3, chains)
        assert [record["games"] for record in records] == [2, 2, 2]
    assert find_vector(START, chains) == START_WEIGHTS
    best = max(range(12), key=lambda number: chains[OPTUNA][number]["trial_won"])
    assert find_vector(OPTUNA, chains) == scale_weights(chains[OPTUNA][best]["vector"])


def make_chains(*names: str) -> dict[str, Sequence[Record]]:
    """Return made-up records: four rounds, two games per match, and trials if `names` contains optuna."""
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
    report = analyse(Findings(TERMS, {}, make_chains(OPTUNA)))
    progress, matches = report.tables
    assert progress.rows == [
        ["1", 30, "10%", "0%"],  # one trial
        ["2", 60, "25%", "17%"],  # three: 0, 1, 0 of two games each
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
    names = [chain.name for part in plan(TERMS) for chain in part.chains]
    assert names == [ANNEALING, BEST, f"{ANNEALING}-against-{START}", f"{ANNEALING}-against-{SHIPPED}"]
    report = analyse(Findings(TERMS, {}, make_chains()))
    assert [row[-1] for row in report.tables[0].rows] == [None] * 4
    assert len(report.tables[1].rows) == 2
    assert 'pip install -e ".[tune]"' in report.remarks[-1]
