"""Tables 3.1 and 3.2 of the Kolibrat thesis (Lindberg, DTU 2007), and properties of solved boards.

Table 3.1 has the number of states of nine boards, table 3.2 their branching factors. The study computes the former by
the thesis' formula, and measures the latter in games of each of three players against itself. It also solves small
boards exactly.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.game_statistics import iter_legal_move_counts
from arena.study.openings import draw_openings
from arena.study.study import (
    Cell,
    Chain,
    Chart,
    Curve,
    MatchPart,
    MeasurementPart,
    Record,
    RecordsByChain,
    Study,
    StudyData,
    StudyReport,
    StudySettings,
    StudyTable,
)
from bots.kolibrat.notation import Board, format_variant
from bots.kolibrat.solver.make_table import SHIPPED_GOAL, SolveOptions, solve_and_summarise
from bots.kolibrat.solver.solve import count_placements, count_states

THESIS_GOAL = 4  # points to win in the thesis' tables
OPENING_PLIES = 4
GAME_COUNT, QUICK_GAME_COUNT = 40, 2  # per board and player
MOVE_LIMIT_S = "600"  # per move (text for --tc); so long that the fixed depth ends the searches
# Time per move of the perfect player, in seconds. It looks solved boards up in a table, and searches only to choose
# between moves if neither side can force a win.
PERFECT_S = 0.05
MARGIN_MS = 5000  # so large that no engine loses on time
# By name in the report: player and its options, as for `pentad match --engine`
PLAYERS = {
    "random": "player=random",
    "alpha-beta": "player=minimax:depth=4",
    "perfect": f"player=pentad,tc={PERFECT_S}",
}


# Boards as (width, height, pieces) that the study solves with SHIPPED_GOAL (5) points to win. Tables of these boards
# are shipped with pentad.
SOLVED_SIZES = ((2, 2, 2), (3, 3, 2), (3, 3, 3), (3, 3, 4), (3, 4, 4), (3, 4, 5), (3, 4, 6))


@dataclass(frozen=True)
class ThesisBoard:
    """A board of table 3.2 with its branching factor in the thesis."""

    width: int
    height: int
    pieces: int
    branching: float

    @property
    def board(self) -> Board:
        """Return the board with the thesis' number of points to win."""
        return Board(self.width, self.height, self.pieces, THESIS_GOAL)

    @property
    def name(self) -> str:
        """Return the board's name in tables."""
        return format_board(self.board)

    @property
    def players(self) -> list[str]:
        """Return the keys of `PLAYERS` that play on this board; perfect play needs a solved board."""
        is_solved = (self.width, self.height, self.pieces) in SOLVED_SIZES
        return [player for player in PLAYERS if is_solved or player != "perfect"]


THESIS_BOARDS = (
    ThesisBoard(2, 2, 2, 1.6),
    ThesisBoard(3, 4, 4, 3.2),
    ThesisBoard(3, 4, 5, 3.2),
    ThesisBoard(3, 4, 6, 3.2),
    ThesisBoard(4, 5, 5, 4.5),
    ThesisBoard(4, 5, 6, 5.0),
    ThesisBoard(5, 6, 6, 6.0),
    ThesisBoard(9, 9, 15, 12.3),
    ThesisBoard(9, 9, 30, 12.3),
)
# Boards that the quick and the complete study solve
QUICK_SOLVED_BOARDS = tuple(Board(*sizes, SHIPPED_GOAL) for sizes in SOLVED_SIZES[:5])  # solved in a few seconds
SOLVED_BOARDS = (*(Board(*sizes, SHIPPED_GOAL) for sizes in SOLVED_SIZES), Board(4, 4, 5, 1))


def format_board(board: Board) -> str:
    """Return columns, rows and pieces, such as `3x4/5`."""
    return f"{board.width}x{board.height}/{board.pieces}"


def plan(settings: StudySettings) -> Sequence[MatchPart | MeasurementPart]:
    """Return a measurement for each board to be solved, then self-play of each player on each board.

    The perfect player plays only on boards whose tables are shipped.
    """
    solved = QUICK_SOLVED_BOARDS if settings.quick else SOLVED_BOARDS
    games = QUICK_GAME_COUNT if settings.quick else GAME_COUNT
    chains = [Chain(f"solved-{format_variant(board)}", 1, partial(_solve, board)) for board in solved]
    self_play = [
        _plan_games(thesis_board, player, games, settings.seed)
        for thesis_board in THESIS_BOARDS
        for player in thesis_board.players
    ]
    return [MeasurementPart(chains), *self_play]


def _plan_games(thesis_board: ThesisBoard, player: str, games: int, seed: int) -> MatchPart:
    """Return games of a player against itself, from different random openings."""
    rule = format_variant(thesis_board.board)
    options = MatchOptions(
        game="kolibrat",
        rule=rule,
        engine=[f"{PLAYERS[player]},name={name}" for name in "AB"],
        games=games,
        tc=MOVE_LIMIT_S,
        margin_ms=MARGIN_MS,
    )
    return MatchPart(
        _part_name(thesis_board, player), options, draw_openings("kolibrat", rule, OPENING_PLIES, games, seed)
    )


def _part_name(thesis_board: ThesisBoard, player: str) -> str:
    return f"{player}-{format_variant(thesis_board.board)}"


def _solve(board: Board, previous_records: Sequence[Record], earlier_chains: RecordsByChain) -> Record:  # noqa: ARG001
    """Solve a board and return its summary (`BoardSummary`) as a record."""
    with tempfile.TemporaryDirectory() as folder:
        return asdict(solve_and_summarise(SolveOptions(board, Path(folder)), lambda _: None))


def analyse(study_data: StudyData) -> StudyReport:
    """Return the two tables of the thesis, then values and forced loops of the solved boards."""
    # each chain has one record, a `BoardSummary` of bots/kolibrat/solver/make_table.py
    summaries = [records[0] for records in study_data.chains.values()]
    branching = {
        (thesis_board.name, player): mean_branching(study_data.runs[_part_name(thesis_board, player)])
        for thesis_board in THESIS_BOARDS
        for player in thesis_board.players
    }
    tables = [
        _make_count_table(),
        _make_branching_table(branching, summaries),
        _make_value_table(summaries),
        _make_loop_table(summaries),
    ]
    names = [thesis_board.name for thesis_board in THESIS_BOARDS]
    curves = [Curve("thesis", names, [thesis_board.branching for thesis_board in THESIS_BOARDS], is_paper=True)]
    curves += [Curve(player, names, [branching.get((name, player)) for name in names]) for player in PLAYERS]
    return StudyReport(tables, [Chart("Kolibrat, branching factor", "", "legal moves", curves, bars=True)])


def mean_branching(run: Run) -> float | None:
    """Return the mean number of legal moves in a run's positions after the openings, or None if there are none."""
    counts = [legal_count for _, _, legal_count in iter_legal_move_counts(run)]
    return fmean(counts) if counts else None


def _make_count_table() -> StudyTable:
    rows = []
    for thesis_board in THESIS_BOARDS:
        placements, states = count_placements(thesis_board.board), count_states(thesis_board.board)
        rows.append((thesis_board.name, _format_count(placements), _format_count(states)))
    title = f"Table 3.1, computed by the thesis' formula, {THESIS_GOAL} points win; placements: of pieces on the board:"
    return StudyTable(title, ("board/pieces", "placements", "states"), rows)


def _format_count(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"{count:.3g}"


def _make_branching_table(branching: dict[tuple[str, str], float | None], summaries: Sequence[Record]) -> StudyTable:
    means = {_format_solved_board(summary): float(summary["mean_moves"]) for summary in summaries}
    rows: list[list[Cell]] = []
    for thesis_board in THESIS_BOARDS:
        in_games = (branching.get((thesis_board.name, player)) for player in PLAYERS)
        rows.append([thesis_board.name, thesis_board.branching, *in_games, means.get(thesis_board.name)])
    title = "Table 3.2, mean number of legal moves: in games by player, and over all placements with a move:"
    return StudyTable(title, ("board/pieces", "thesis", *PLAYERS, "all placements"), rows)


def _make_value_table(summaries: Sequence[Record]) -> StudyTable:
    rows = [
        (_format_solved_board(summary), str(result["goal"]), _format_value(result["value"]), " ".join(result["best"]))
        for summary in summaries
        for result in summary["results"]
    ]
    return StudyTable(
        "Solved boards: winner and plies to the end, by points to win; red moves first:",
        ("board/pieces", "to", "value", "best"),
        rows,
    )


def _format_value(value: int) -> str:
    """Return the winner and the number of plies, such as `red in 7`, or `endless` if neither side can force a win."""
    return f"{'red' if value > 0 else 'black'} in {abs(value)}" if value else "endless"


def _make_loop_table(summaries: Sequence[Record]) -> StudyTable:
    """Return a table with the number of states in forced loops of each board, and one such state."""
    return StudyTable(
        "Forced loops: states from which neither side can force an end; mirror images count once:",
        ("board/pieces", "states", "such as"),
        [(_format_solved_board(summary), *_count_loops(summary)) for summary in summaries],
    )


def _count_loops(summary: Record) -> tuple[int, str]:
    """Return the number of states in forced loops, and a state in which both sides together need the fewest points."""
    loops = summary["loops"]
    example = min(loops, key=lambda loop: loop["mine"] + loop["other"])["example"] if loops else ""
    return sum(loop["states"] for loop in loops), example


def _format_solved_board(summary: Record) -> str:
    return format_board(Board(**summary["board"]))


KOLIBRAT_TABLES = Study(
    name="kolibrat-tables",
    help="the Kolibrat thesis' tables 3.1 and 3.2: states and branching factors of nine boards; solved boards",
    plan=plan,
    analyse=analyse,
    duration="about ten minutes",
)
