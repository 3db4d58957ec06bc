"""The course of a tournament that is played by rounds: its stages and the points of its encounters so far.

A stage is a set of encounters that are played at the same time. Each round is one stage; in a knock-out, each further
pair of games of the round's drawn encounters is one more. A stage begins when all pairs of the one before are complete.
Pairs are numbered through all stages, and a stage has its pairs round by round (arena/terms/plan.py).

Engines are indices into the list of engines, which are also their seeds. Everything is computed from the stages and
from the points of complete pairs, so a resumed run and a report get the same tournament from the log.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from arena.formats.knockout import Slot, list_bracket, list_encounters
from arena.formats.rules import TournamentRules
from arena.formats.swiss import SwissRank, SwissRecord, pair_swiss_round, rank_swiss
from arena.terms.settings import KNOCKOUT, SWISS


@dataclass(frozen=True)
class Stage:
    """Encounters that are played at the same time."""

    round: int  # from 1
    pairings: tuple[tuple[int, int], ...]  # the better engine first: by score in a Swiss, by seed in a knock-out
    byes: tuple[int, ...] = ()  # engines without an opponent in this round
    tie_break: int = 0  # 0: the encounters of the round; N: the N-th further pair of those that are drawn


@dataclass
class Encounter:
    """The games of two engines in one round, with their tie-breaks."""

    round: int
    engines: tuple[int, int]
    pair_count: int  # number of pairs begun or complete in this encounter; grows with each tie-break
    tie_breaks: int = 0  # number of further pairs among them
    complete_pairs: int = 0
    points: list[float] = field(default_factory=lambda: [0.0, 0.0])

    @property
    def is_complete(self) -> bool:
        """Whether no pair is missing."""
        return self.complete_pairs == self.pair_count

    @property
    def leader(self) -> Slot:
        """The engine with more points in a complete encounter; None if there is none."""
        if not self.is_complete or self.points[0] == self.points[1]:
            return None
        return self.engines[0] if self.points[0] > self.points[1] else self.engines[1]


class Tournament:
    """A Swiss or a knock-out: add the stages and the pairs of its log, or play what `next_stage` returns."""

    def __init__(self, rules: TournamentRules) -> None:
        assert rules.is_by_rounds
        self.rules = rules
        self.stages: list[Stage] = []
        self.encounters: list[Encounter] = []  # of all rounds, in the order of their stages
        self._by_engines: dict[tuple[int, tuple[int, int]], Encounter] = {}  # by round and engines
        self.pair_count = 0  # number of pairs of all stages so far, which is also the number of the last pair
        self._first_pairs: list[int] = []  # number of the first pair of each stage
        self._stage_encounters: list[list[Encounter]] = []  # by stage
        self._complete_pairs: set[int] = set()

    @property
    def planned(self) -> int:
        """Number of games of the whole tournament, with the tie-breaks of the stages so far."""
        return self.rules.planned + 2 * sum(encounter.tie_breaks for encounter in self.encounters)

    @property
    def is_stage_complete(self) -> bool:
        """Whether no pair of the stages so far is missing."""
        return len(self._complete_pairs) == self.pair_count

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play."""
        if not self.stages or not self.is_stage_complete or self.stages[-1].round < self.rules.rounds:
            return False
        return not self._list_tied()

    def find_engines(self, pair: int) -> tuple[int, int]:
        """Return the engines of a pair of a stage."""
        return self._find_encounter(pair).engines

    def add_stage(self, stage: Stage) -> None:
        """Begin a stage; raise ValueError if it cannot follow the stages so far."""
        self._check_stage(stage)
        pairs = 1 if stage.tie_break else self.rules.games // 2
        if stage.tie_break:
            encounters = [self._by_engines[stage.round, pairing] for pairing in stage.pairings]
            for encounter in encounters:
                encounter.pair_count += 1
                encounter.tie_breaks += 1
        else:
            encounters = [Encounter(stage.round, pairing, pairs) for pairing in stage.pairings]
            self.encounters += encounters
            self._by_engines |= {(stage.round, encounter.engines): encounter for encounter in encounters}
        self.stages.append(stage)
        self._first_pairs.append(self.pair_count + 1)
        self._stage_encounters.append(encounters)
        self.pair_count += pairs * len(encounters)

    def add_pair(self, number: int, points: tuple[float, float]) -> None:
        """Add a complete pair of a stage with the points of its engines, in the order of `find_engines`."""
        encounter = self._find_encounter(number)
        assert number not in self._complete_pairs
        self._complete_pairs.add(number)
        encounter.complete_pairs += 1
        for side in (0, 1):
            encounter.points[side] += points[side]

    def next_stage(self) -> Stage | None:
        """Return the stage that follows, or None if pairs are missing or the tournament is finished."""
        if self.is_finished or not self.is_stage_complete:
            return None
        next_round = self.stages[-1].round + 1 if self.stages else 1
        if self.rules.format == SWISS:
            pairings, byes = pair_swiss_round(self.list_records())
            return Stage(next_round, tuple(pairings), tuple(byes))
        if tied := self._list_tied():
            last = self.stages[-1]
            return Stage(last.round, tuple(tied), tie_break=last.tie_break + 1)
        return self._knockout_round(next_round)

    def first_opening(self, stage: Stage) -> int:
        """Return the number of openings that come before those of a stage, so that no round uses those of another."""
        used = self.rules.games // 2 + stage.tie_break - 1 if stage.tie_break else 0
        return (stage.round - 1) * self.rules.openings_per_round + used

    def list_records(self) -> list[SwissRecord]:
        """Return the results of each engine of a Swiss; an encounter that is not complete has the points so far."""
        opponents: list[list[tuple[int, float]]] = [[] for _ in range(self.rules.engine_count)]
        for encounter in self.encounters:
            for side in (0, 1):
                opponents[encounter.engines[side]].append((encounter.engines[1 - side], encounter.points[side]))
        byes = [0] * self.rules.engine_count
        for stage in self.stages:
            for engine in stage.byes:
                byes[engine] += 1
        return [
            SwissRecord(tuple(met), count, float(count * self.rules.games))
            for met, count in zip(opponents, byes, strict=True)
        ]

    def rank(self) -> list[SwissRank]:
        """Return the engines of a Swiss in their order after the games so far."""
        return rank_swiss(self.list_records())

    def list_bracket(self) -> list[list[tuple[Slot, Slot]]]:
        """Return the matches of each round of a knock-out, see `list_bracket` in arena/formats/knockout.py."""
        return list_bracket(self.rules.engine_count, self.find_winner)

    def find_winner(self, round_number: int, one: int, other: int) -> Slot:
        """Return the engine that advances from an encounter of a knock-out, or None if that is not decided."""
        encounter = self.find_encounter(round_number, one, other)
        if encounter is None or not encounter.is_complete:
            return None
        if encounter.leader is None and self._can_go_on(encounter):
            return None
        return encounter.engines[0] if encounter.leader is None else encounter.leader

    def find_encounter(self, round_number: int, one: int, other: int) -> Encounter | None:
        """Return the encounter of two engines in a round, or None if they do not meet in it."""
        encounter = self._by_engines.get((round_number, (one, other)))
        return encounter or self._by_engines.get((round_number, (other, one)))

    def _find_encounter(self, pair: int) -> Encounter:
        """Return the encounter of a pair; the pairs of a stage go through its encounters again and again."""
        stage = bisect_right(self._first_pairs, pair) - 1
        encounters = self._stage_encounters[stage]
        return encounters[(pair - self._first_pairs[stage]) % len(encounters)]

    def _can_go_on(self, encounter: Encounter) -> bool:
        return encounter.tie_breaks < self.rules.tie_break_games // 2

    def _list_tied(self) -> list[tuple[int, int]]:
        """Return the encounters of the last round of a knock-out that need a further pair."""
        if self.rules.format != KNOCKOUT or not self.stages:
            return []
        return [
            encounter.engines
            for encounter in self.encounters
            if encounter.round == self.stages[-1].round and encounter.leader is None and self._can_go_on(encounter)
        ]

    def _knockout_round(self, number: int) -> Stage:
        matches = self.list_bracket()[number - 1]
        byes = [one if other is None else other for one, other in matches if None in (one, other)]
        return Stage(number, tuple(list_encounters(matches)), tuple(bye for bye in byes if bye is not None))

    def _check_stage(self, stage: Stage) -> None:
        """Raise ValueError if a stage cannot follow; the message begins with the name of its wrong field."""
        number = self.stages[-1].round if self.stages else 0
        if not self.is_stage_complete:
            raise ValueError(f"number: pairs of round {number} are missing")
        if self.is_finished:
            raise ValueError(f"number: the tournament ended with round {number}")
        if self.rules.format == KNOCKOUT:
            expected = self.next_stage()
            if expected and stage != expected:
                tie_break = f", tie-break {expected.tie_break}" if expected.tie_break else ""
                raise ValueError(f"pairings: must be those of the bracket in round {expected.round}{tie_break}")
            return
        if (stage.round, stage.tie_break) != (number + 1, 0):
            raise ValueError(f"number: round {number + 1} without tie-breaks must follow, not round {stage.round}")
        engines = sorted(engine for pairing in (*stage.pairings, stage.byes) for engine in pairing)
        if engines != list(range(self.rules.engine_count)) or len(stage.byes) != self.rules.engine_count % 2:
            raise ValueError("pairings: must have each engine once, and a bye if their number is odd")
