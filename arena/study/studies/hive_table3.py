"""Table 3 of the Hive thesis (Urban Pettersson, "AI för Hive", KTH 2014): time and nodes per move, legal moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.log.events import MoveEntry
from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.game_statistics import MS_PER_S, compute_spread, iter_legal_move_counts, list_moves
from arena.study.study import Cell, Chart, Curve, MatchPart, Study, StudyData, StudyReport, StudySettings, StudyTable

TILE_COUNT = 22  # of the base game, both sides together
TURNS_PER_ROW = 5  # of the table of branching factors
MOVE_LIMIT_S = "3600"  # per move (text for --tc); so long that the fixed depths end the searches


@dataclass(frozen=True)
class PublishedRow:
    """A row of table 3: an algorithm at a fixed depth, and the thesis' figures per move as (lowest, highest)."""

    algorithm: str  # minimax or alphabeta, also the name of our player that implements it
    depth: int
    seconds: tuple[float, float]
    nodes: tuple[float, float]

    @property
    def name(self) -> str:
        """Return the engine's name in the log, such as `minimax 2`."""
        return f"{self.algorithm} {self.depth}"

    @property
    def engine(self) -> str:
        """Return the engine in the form of `pentad match --engine`."""
        return f"player={self.algorithm}:depth={self.depth},name={self.name}"


PUBLISHED_ROWS = (
    PublishedRow("minimax", 2, (0, 1), (2_000, 4_000)),
    PublishedRow("minimax", 3, (30, 50), (200_000, 500_000)),
    PublishedRow("minimax", 4, (2_000, 4_200), (1.3e6, 5.4e6)),
    PublishedRow("alphabeta", 2, (0, 1), (200, 600)),
    PublishedRow("alphabeta", 3, (2, 5), (20_000, 50_000)),
    PublishedRow("alphabeta", 4, (15, 30), (100_000, 200_000)),
    PublishedRow("alphabeta", 5, (600, 1_300), (5e6, 12e6)),
)
PUBLISHED_BRANCHING = "60 to 70 early, 20 to 30 when all tiles are placed"
SLOW_ENGINES = ("minimax 4", "alphabeta 5")  # names of engines that play only each other, in shorter games
# By name of the part: (games per pairing, maximum plies) of the complete study, then of a quick one
PARTS = {
    "whole-games": ((4, 200), (2, 120)),
    "deep-moves": ((2, 60), (2, 14)),
}


def plan(settings: StudySettings) -> Sequence[MatchPart]:
    """Return a round robin of the fast engines, and a short match of the slow ones."""
    parts = []
    for name, sizes in PARTS.items():
        games, max_plies = sizes[settings.quick]  # index 0 or 1
        is_slow_part = name == "deep-moves"
        engines = [row.engine for row in PUBLISHED_ROWS if (row.name in SLOW_ENGINES) == is_slow_part]
        options = MatchOptions(
            game="hive", rule="Base", engine=engines, games=games, max_plies=max_plies, tc=MOVE_LIMIT_S
        )
        parts.append(MatchPart(name, options))
    return parts


def analyse(study_data: StudyData) -> StudyReport:
    """Return tables of times and nodes by engine and of branching factors by turn, with charts."""
    moves_by_engine = {row.name: list(_iter_full_depth_moves(study_data, row)) for row in PUBLISHED_ROWS}
    table = StudyTable(
        "Time and nodes per move, the range of the middle 80 % of our moves. Our nodes are positions visited at all "
        "depths of the iterative deepening:",
        ("player", "moves", "s", "thesis s", "nodes", "thesis nodes"),
        [_make_row(row, moves_by_engine[row.name]) for row in PUBLISHED_ROWS],
    )
    by_turn, with_all_tiles = _count_legal_moves(study_data.runs.values())
    tables = [table, _make_branching_table(by_turn, with_all_tiles)]
    charts = [_make_node_chart(moves_by_engine), _make_branching_chart(by_turn)]
    mean = f"{fmean(with_all_tiles):.1f}" if with_all_tiles else "no such position"
    remark = f"Legal moves in the thesis: {PUBLISHED_BRANCHING}; ours with all {TILE_COUNT} tiles placed: {mean}."
    return StudyReport(tables, charts, [remark])


def _iter_full_depth_moves(study_data: StudyData, row: PublishedRow) -> Iterator[MoveEntry]:
    """Yield the moves that the row's engine searched to its depth; forced moves and early wins end a search sooner."""
    for run in study_data.runs.values():
        yield from (entry for entry in list_moves(run.games, row.name) if entry.depth == row.depth)


def _make_row(row: PublishedRow, moves: Sequence[MoveEntry]) -> Sequence[Cell]:
    seconds = compute_spread(entry.time_ms / MS_PER_S for entry in moves)
    nodes = compute_spread(entry.nodes for entry in moves if entry.nodes is not None)
    thesis_s, thesis_nodes = ("{:,.0f} to {:,.0f}".format(*bounds) for bounds in (row.seconds, row.nodes))
    return row.name, len(moves), str(seconds or ""), thesis_s, str(nodes or ""), thesis_nodes


def _count_legal_moves(runs: Iterable[Run]) -> tuple[dict[int, list[int]], list[int]]:
    """Return the number of legal moves in each position after the openings.

    The dict has them by turn, which is two plies and counts from 1. The list repeats those of positions in which all
    tiles have been placed.
    """
    by_turn: dict[int, list[int]] = defaultdict(list)
    with_all_tiles = []
    for run in runs:
        for game, ply, legal_count in iter_legal_move_counts(run):
            by_turn[ply // 2 + 1].append(legal_count)
            # The first word of a UHP move such as "wA1 bQ-" is the tile. A tile once placed never leaves the board.
            if len({move.split()[0] for move in game.all_moves[:ply] if move != "pass"}) == TILE_COUNT:
                with_all_tiles.append(legal_count)
    return by_turn, with_all_tiles


def _make_branching_table(by_turn: dict[int, list[int]], with_all_tiles: Sequence[int]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for start in range(1, max(by_turn, default=0) + 1, TURNS_PER_ROW):
        turns = range(start, start + TURNS_PER_ROW)
        counts = [count for turn in turns for count in by_turn.get(turn, ())]
        if counts:
            rows.append((f"{turns[0]} to {turns[-1]}", len(counts), fmean(counts), str(compute_spread(counts))))
    if with_all_tiles:
        spread = str(compute_spread(with_all_tiles))
        rows.append(("all tiles placed", len(with_all_tiles), fmean(with_all_tiles), spread))
    headings = ("turn", "positions", "legal moves", "middle 80 %")
    return StudyTable("Branching factor by turn, in games of all these players:", headings, rows)


def _make_node_chart(moves_by_engine: dict[str, list[MoveEntry]]) -> Chart:
    """Return a chart of the median nodes per move by depth; the thesis' points are the centres of its ranges."""
    curves = []
    for algorithm in dict.fromkeys(row.algorithm for row in PUBLISHED_ROWS):
        rows = [row for row in PUBLISHED_ROWS if row.algorithm == algorithm]
        depths = [row.depth for row in rows]
        spreads = [compute_spread(entry.nodes for entry in moves_by_engine[row.name] if entry.nodes) for row in rows]
        curves.append(Curve(algorithm, depths, [spread.median if spread else None for spread in spreads]))
        curves.append(Curve(f"{algorithm}, thesis", depths, [fmean(row.nodes) for row in rows], is_paper=True))
    return Chart("Hive, nodes per move", "depth", "nodes", curves, log_scale=True)


def _make_branching_chart(by_turn: dict[int, list[int]]) -> Chart:
    turns = sorted(by_turn)
    curve = Curve("legal moves", turns, [fmean(by_turn[turn]) for turn in turns])
    return Chart("Hive, branching factor", "turn", "legal moves", [curve])


HIVE_TABLE3 = Study(
    name="hive-table3",
    help="the Hive thesis' table 3: time and nodes per move, and branching factors by turn",
    plan=plan,
    analyse=analyse,
)
