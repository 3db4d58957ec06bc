"""Merge the results of many runs into rating lists, one for each game, variant, board and start position.

A run is reduced to numbers of games as soon as it is read, so that hundreds of runs fit into memory. Moves are not
checked again: a rating depends on results only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from arena.log.events import EngineEntry, RunStarted
from arena.log.file import Run, read_run
from arena.rating_list.programs import Program, describe_difference, identify_program, make_labels
from arena.results.pgn import GameScore, describe_rules
from arena.results.rating_model import Results
from arena.results.ratings import Ratings, list_rating_warnings, rate_results
from arena.terms.anchors import Anchor, check_anchor_names

MAX_SHOWN_RUNS = 3  # in a warning about a program


@dataclass(frozen=True)
class Rules:
    """What all games of a rating list have in common."""

    game: str
    variant: str
    width: int  # of the board, in squares; 0 for a game that has only one board
    height: int  # likewise
    position: str  # start position, empty for that of the game

    def __str__(self) -> str:
        rules = describe_rules(self.game, self.variant, self.width, self.height)
        return rules + (f" from {self.position}" if self.position else "")


@dataclass(frozen=True)
class RunResults:
    """The results of one run."""

    directory: Path
    header: RunStarted
    header_hash: str  # tells copies of the same run
    programs: tuple[Program, ...]  # that have played
    games: tuple[tuple[int, int, int, float], ...]  # pair, indices of first and second program, score of the first

    @property
    def rules(self) -> Rules:
        """Game, variant and board of the run."""
        header = self.header
        return Rules(header.game, header.variant, header.width, header.height, header.position)


@dataclass(frozen=True)
class Entry:
    """One program of a rating list."""

    name: str
    programs: tuple[Program, ...]  # several only if programs with the same name are merged
    won: int
    drawn: int
    lost: int
    opponents: Mapping[int, int]  # number of games by index of the opponent

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """1 for each win, 1/2 for each draw."""
        return self.won + self.drawn / 2


@dataclass(frozen=True)
class RatingList:
    """The ratings of all programs that played by the same rules."""

    rules: Rules
    runs: tuple[RunResults, ...]
    entries: tuple[Entry, ...]  # in the order of their first runs
    ratings: Ratings  # by names of the entries
    name_of: Mapping[Program, str]  # name of the entry of each program
    warnings: tuple[str, ...]

    def list_played(self, run: RunResults) -> list[GameScore]:
        """Return the games of a run, with the names of the entries."""
        names = [self.name_of[program] for program in run.programs]
        return [GameScore(pair, names[first], names[second], score) for pair, first, second, score in run.games]


def reduce_run(directory: Path, run: Run) -> RunResults:
    """Return the results of a run. An engine that a forced resumption changed is a program of its own from then on."""
    programs: dict[Program, int] = {}  # index of each program that has played

    @cache
    def identify(engines: tuple[EngineEntry, ...]) -> dict[str, Program]:
        """Return the programs of these engines by name."""
        return {engine.name: identify_program(engine, run.header) for engine in engines}

    original, games = identify(run.header.engines), []
    for game in run.games:
        if game.ending.counts:
            changed = run.changed_engines.get(game.number)
            program_of = identify(changed) if changed else original
            first, second = (programs.setdefault(program_of[name], len(programs)) for name in (game.first, game.second))
            games.append((game.pair, first, second, game.score(game.first)))
    return RunResults(directory, run.header, run.header_hash, tuple(programs), tuple(games))


def read_results(directories: Iterable[Path]) -> list[RunResults]:
    """Read the runs in these folders; raise LogError."""
    return [reduce_run(directory, read_run(directory, with_moves=False)) for directory in directories]


def make_rating_lists(
    runs: Sequence[RunResults], anchors: Sequence[Anchor] = (), *, merge_names: bool = False
) -> list[RatingList]:
    """Return a rating list for each set of rules, in the order of the runs.

    A copy of a run counts once. With `merge_names` all programs with the same name are one entry. An anchor is fixed in
    each list that has its name; raise UsageError if none has it.
    """
    kept, copies = _drop_copies(runs)
    runs_by_rules: dict[Rules, list[RunResults]] = defaultdict(list)
    for run in kept:
        runs_by_rules[run.rules].append(run)
    lists = [_merge(rules, tuple(same), merge_names=merge_names) for rules, same in runs_by_rules.items()]
    check_anchor_names(anchors, [entry.name for rating_list in lists for entry in rating_list.entries])
    rated = [_rate(rating_list, anchors) for rating_list in lists]
    return [replace(rated[0], warnings=(*copies, *rated[0].warnings)), *rated[1:]] if rated else []


def _drop_copies(runs: Sequence[RunResults]) -> tuple[list[RunResults], list[str]]:
    """Return each run once, as its copy with the most games, and a warning for each run with copies."""
    by_hash: dict[str, list[RunResults]] = defaultdict(list)
    for run in runs:
        by_hash[run.header_hash].append(run)
    kept, warnings = [], []
    for copies in by_hash.values():
        kept.append(max(copies, key=lambda run: len(run.games)))
        if len(copies) > 1:
            folders = ", ".join(str(run.directory) for run in copies)
            warnings.append(f"the same run counts once: {folders}")
    return kept, warnings


def _merge(rules: Rules, runs: tuple[RunResults, ...], *, merge_names: bool) -> RatingList:
    """Return the list of these runs without ratings."""
    folders: dict[Program, list[Path]] = defaultdict(list)
    for run in runs:
        for program in run.programs:
            folders[program].append(run.directory)
    same_name: dict[str, list[Program]] = defaultdict(list)
    for program in folders:
        same_name[program.name].append(program)
    name_of: dict[Program, str] = {}
    warnings = []
    for name, programs in same_name.items():
        labels = make_labels(programs, same_name) if len(programs) > 1 else [name]
        for program, label in zip(programs, labels, strict=True):
            name_of[program] = name if merge_names else label
        if len(programs) > 1:
            shown = "; ".join(f"{label} in {_show(folders[p])}" for p, label in zip(programs, labels, strict=True))
            treatment = "rated as one" if merge_names else "rated apart; --merge-names rates them as one"
            difference = f"that differ in {describe_difference(programs)}"
            warnings.append(f"{name} stands for {len(programs)} programs {difference} ({treatment}): {shown}")
    entries = _count_entries(runs, name_of)
    return RatingList(rules, runs, entries, Ratings({}, ()), name_of, tuple(warnings))


def _show(folders: Sequence[Path]) -> str:
    """Return the first folders as text."""
    more = f" and {len(folders) - MAX_SHOWN_RUNS} more" if len(folders) > MAX_SHOWN_RUNS else ""
    return ", ".join(map(str, folders[:MAX_SHOWN_RUNS])) + more


def _count_entries(runs: Sequence[RunResults], name_of: Mapping[Program, str]) -> tuple[Entry, ...]:
    """Return the entries with their numbers of games."""
    programs: dict[str, list[Program]] = defaultdict(list)
    for program, name in name_of.items():
        programs[name].append(program)
    names = list(programs)
    scores: list[Counter[float]] = [Counter() for _ in names]
    opponents: list[Counter[int]] = [Counter() for _ in names]
    for (first, second, score), count in _count_results(runs, name_of, names).items():
        for engine, opponent, value in ((first, second, score), (second, first, 1 - score)):
            scores[engine][value] += int(count)
            opponents[engine][opponent] += int(count)
    return tuple(
        Entry(name, tuple(programs[name]), scores[i][1.0], scores[i][0.5], scores[i][0.0], opponents[i])
        for i, name in enumerate(names)
    )


def _count_results(runs: Iterable[RunResults], name_of: Mapping[Program, str], names: Sequence[str]) -> Results:
    """Return the number of games by entries and score."""
    index_of = {name: index for index, name in enumerate(names)}
    results: Results = defaultdict(float)
    for run in runs:
        indices = [index_of[name_of[program]] for program in run.programs]
        for (first, second, score), count in Counter(game[1:] for game in run.games).items():
            results[indices[first], indices[second], score] += count
    return results


def _rate(rating_list: RatingList, anchors: Sequence[Anchor]) -> RatingList:
    """Return the list with ratings."""
    names = [entry.name for entry in rating_list.entries]
    present = [anchor for anchor in anchors if anchor.name in names]
    ratings = rate_results(names, _count_results(rating_list.runs, rating_list.name_of, names), present)
    warnings = (*rating_list.warnings, *list_rating_warnings(ratings, present))
    return replace(rating_list, ratings=ratings, warnings=warnings)
