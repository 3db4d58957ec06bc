"""Tables 3.1 and 3.2 of the Kolibrat thesis (Lindberg, DTU 2007): states, moves, and what solved boards are like."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.openings import draw_openings
from arena.study.readings import iter_branching
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
    StudyGames,
    StudyReport,
    StudyTable,
    StudyTerms,
)
from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.solver.make_table import SHIPPED_GOAL, SolveOptions, solve_and_summarise
from bots.kolibrat.solver.solve import count_placements, count_states

COUNTED_GOAL = 4  # of the thesis' counts
OPENING_PLIES = 4
GAMES, QUICK_GAMES = 40, 2  # on each board by each way to play
PATIENCE_S = "600"  # a move: the players' depths end it
PERFECT_S = 0.05  # a move: where nobody can win, it is chosen by a search
MARGIN_MS = 5000  # nobody is to lose on time here
WAYS = {  # to play, by both sides
    "random": "player=random",
    "alpha-beta": "player=minimax:depth=4",
    "perfect": f"player=pentad,tc={PERFECT_S}",
}


# Width, height and pieces of the boards that the study solves, all to 5 points; the executable has tables of them.
SOLVED_SIZES = ((2, 2, 2), (3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 4), (3, 4, 5), (3, 4, 6))


@dataclass(frozen=True)
class PaperBoard:
    """A board of table 3.2 with the branching factor there."""

    width: int
    height: int
    pieces: int
    branching: float

    @property
    def board(self) -> Board:
        """To the points of the thesis' counts."""
        return Board(self.width, self.height, self.pieces, COUNTED_GOAL)

    @property
    def name(self) -> str:
        """As tables have it."""
        return name_board(self.board)

    @property
    def ways(self) -> list[str]:
        """The ways to play that there are on it: perfect play wants a solved board."""
        is_solved = (self.width, self.height, self.pieces) in SOLVED_SIZES
        return [way for way in WAYS if is_solved or way != "perfect"]


PAPER = (
    PaperBoard(2, 2, 2, 1.6),
    PaperBoard(3, 4, 4, 3.2),
    PaperBoard(3, 4, 5, 3.2),
    PaperBoard(3, 4, 6, 3.2),
    PaperBoard(4, 5, 5, 4.5),
    PaperBoard(4, 5, 6, 5.0),
    PaperBoard(5, 6, 6, 6.0),
    PaperBoard(9, 9, 15, 12.3),
    PaperBoard(9, 9, 30, 12.3),
)
QUICK_SOLVED = tuple(Board(*sizes, SHIPPED_GOAL) for sizes in SOLVED_SIZES[:5])  # those that take a few seconds
SOLVED = (*(Board(*sizes, SHIPPED_GOAL) for sizes in SOLVED_SIZES), Board(4, 4, 5, 1))


def name_board(board: Board) -> str:
    """Columns, rows and pieces."""
    return f"{board.width}x{board.height}/{board.pieces}"


def plan(terms: StudyTerms) -> Sequence[StudyGames | Measurements]:
    """The boards that can be solved, each a measurement, then games on all nine by each way to play."""
    solved = QUICK_SOLVED if terms.quick else SOLVED
    games = QUICK_GAMES if terms.quick else GAMES
    chains = [Chain(f"solved-{format_variant(board)}", 1, partial(_solve, board)) for board in solved]
    played = [_plan_games(paper, way, games, terms.seed) for paper in PAPER for way in paper.ways]
    return [Measurements(chains), *played]


def _plan_games(paper: PaperBoard, way: str, games: int, seed: int) -> StudyGames:
    """A player against itself, each game from another opening of random moves."""
    rule = format_variant(paper.board)
    request = MatchOptions(
        game="kolibrat",
        rule=rule,
        engine=[f"{WAYS[way]},name={name}" for name in "AB"],
        games=games,
        tc=PATIENCE_S,
        margin_ms=MARGIN_MS,
    )
    return StudyGames(_name_part(paper, way), request, draw_openings("kolibrat", rule, OPENING_PLIES, games, seed))


def _name_part(paper: PaperBoard, way: str) -> str:
    return f"{way}-{format_variant(paper.board)}"


def _solve(board: Board, before: Sequence[Record], earlier: Records) -> Record:  # noqa: ARG001 - as chains are measured
    """Solve a board; what it is like."""
    with tempfile.TemporaryDirectory() as folder:
        return asdict(solve_and_summarise(SolveOptions(board, Path(folder)), lambda _: None))


def analyse(findings: Findings) -> StudyReport:
    """The two tables of the thesis, then values and loops of the solved boards."""
    solved = [records[0] for records in findings.chains.values()]
    branching = {
        (paper.name, way): measure_branching(findings.runs[_name_part(paper, way)])
        for paper in PAPER
        for way in paper.ways
    }
    tables = [_make_counts(), _make_branching(branching, solved), _make_values(solved), _make_loops(solved)]
    names = [paper.name for paper in PAPER]
    curves = [Curve("thesis", names, [paper.branching for paper in PAPER], is_paper=True)]
    curves += [Curve(way, names, [branching.get((name, way)) for name in names]) for way in WAYS]
    return StudyReport(tables, [Chart("Kolibrat, branching factor", "", "legal moves", curves, bars=True)])


def measure_branching(run: Run) -> float | None:
    """Legal moves of who is to move, on the average of a run's positions after the openings; nobody passes."""
    counts = [legal for _, _, legal in iter_branching(run)]
    return fmean(counts) if counts else None


def _make_counts() -> StudyTable:
    rows = []
    for paper in PAPER:
        boards, states = count_placements(paper.board), count_states(paper.board)
        rows.append((paper.name, _format_count(boards), _format_count(states)))
    title = f"Table 3.1, counted by its formula, to {COUNTED_GOAL} points:"
    return StudyTable(title, ("board/pieces", "boards", "states"), rows)


def _format_count(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"{count:.3g}"


def _make_branching(found: dict[tuple[str, str], float | None], solved: Sequence[Record]) -> StudyTable:
    means = {name_board(Board(**record["board"])): float(record["mean_moves"]) for record in solved}
    rows: list[list[Cell]] = []
    for paper in PAPER:
        rows.append(
            [paper.name, paper.branching, *(found.get((paper.name, way)) for way in WAYS), means.get(paper.name)]
        )
    title = "Table 3.2, branching factors: moves of who is to move, in games and over all states of solved boards:"
    return StudyTable(title, ("board/pieces", "thesis", *WAYS, "all states"), rows)


def _make_values(solved: Sequence[Record]) -> StudyTable:
    rows = [
        (name_board(Board(**record["board"])), str(result["goal"]), _format_value(result["value"]), _join(result))
        for record in solved
        for result in record["results"]
    ]
    return StudyTable(
        "Solved boards: who wins from the start in how many plies, by points to win; red begins:",
        ("board/pieces", "to", "value", "best"),
        rows,
    )


def _format_value(value: int) -> str:
    """Who wins in how many plies, in short: the table is to fit a terminal."""
    return f"{'red' if value > 0 else 'black'} in {abs(value)}" if value else "endless"


def _join(result: Record) -> str:
    return " ".join(result["best"])


def _make_loops(solved: Sequence[Record]) -> StudyTable:
    """For each board how many states are forced loops, and one from which the fewest points are to be won."""
    return StudyTable(
        "Forced loops, from which either side can keep the game going for ever, mirror images once:",
        ("board/pieces", "states", "such as"),
        [(name_board(Board(**record["board"])), *_sum_loops(record)) for record in solved],
    )


def _sum_loops(record: Record) -> Iterator[Cell]:
    loops = record["loops"]
    yield sum(loop["states"] for loop in loops)
    yield min(loops, key=lambda loop: loop["mine"] + loop["other"])["example"] if loops else ""


KOLIBRAT_TABLES = Study(
    name="kolibrat-tables",
    help="the Kolibrat thesis' tables 3.1 and 3.2: states and branching factors of nine boards; the solved ones",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
