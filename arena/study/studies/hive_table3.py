"""Table 3 of the Hive thesis (Pettersson, AI för Hive, KTH 2014): time and nodes of one move, and branching factors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.log.events import MoveEntry
from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.study.readings import MS_PER_S, iter_branching, list_moves_of, measure_spread
from arena.study.study import Cell, Chart, Curve, Findings, Study, StudyGames, StudyReport, StudyTable, StudyTerms

TILES = 22  # of the base game
TURNS = 5  # of a row of the table of branching factors
PATIENCE_S = "3600"  # a move: the players' depths end it


@dataclass(frozen=True)
class Method:
    """A player of the table and what the thesis tells of one move of it: seconds, nodes."""

    player: str
    depth: int
    seconds: tuple[float, float]
    nodes: tuple[float, float]

    @property
    def name(self) -> str:
        """As the log has it."""
        return f"{self.player} {self.depth}"

    @property
    def engine(self) -> str:
        """As a match takes it."""
        return f"player={self.player}:depth={self.depth},name={self.name}"


METHODS = (
    Method("minimax", 2, (0, 1), (2_000, 4_000)),
    Method("minimax", 3, (30, 50), (200_000, 500_000)),
    Method("minimax", 4, (2_000, 4_200), (1.3e6, 5.4e6)),
    Method("alphabeta", 2, (0, 1), (200, 600)),
    Method("alphabeta", 3, (2, 5), (20_000, 50_000)),
    Method("alphabeta", 4, (15, 30), (100_000, 200_000)),
    Method("alphabeta", 5, (600, 1_300), (5e6, 12e6)),
)
PAPER_BRANCHING = "60 to 70 early, 20 to 30 when all tiles are placed"
DEEP = ("minimax 4", "alphabeta 5")  # these play each other alone, and shorter games
PARTS = {  # games of each two and most plies, of the whole study and of a quick one
    "whole-games": ((4, 200), (2, 120)),
    "deep-moves": ((2, 60), (2, 14)),
}


def plan(terms: StudyTerms) -> Sequence[StudyGames]:
    """Whole games of the players that are quick, and the others' moves as far as time allows."""
    found = []
    for name, sizes in PARTS.items():
        games, most_plies = sizes[terms.quick]
        engines = [method.engine for method in METHODS if (method.name in DEEP) == (name == "deep-moves")]
        request = MatchOptions(
            game="hive", rule="Base", engine=engines, games=games, max_plies=most_plies, tc=PATIENCE_S
        )
        found.append(StudyGames(name, request))
    return found


def analyse(findings: Findings) -> StudyReport:
    """A row for each player, the branching factor by turn and with all tiles placed."""
    moves = {method.name: list(_list_whole(findings, method)) for method in METHODS}
    table = StudyTable(
        "One move, four of five in the middle; the nodes of ours are positions visited, those of all depths together:",
        ("player", "moves", "s", "paper s", "nodes", "paper nodes"),
        [_make_row(method, moves[method.name]) for method in METHODS],
    )
    branching, placed = _measure_branching(findings.runs.values())
    tables = [table, _make_branching(branching, placed)]
    charts = [_draw_nodes(moves), _draw_branching(branching)]
    remark = f"The thesis has {PAPER_BRANCHING}; ours with all {TILES} tiles placed: "
    return StudyReport(tables, charts, [remark + (f"{fmean(placed):.1f}." if placed else "no such position.")])


def _list_whole(findings: Findings, method: Method) -> Iterator[MoveEntry]:
    """A player's moves that were searched to its depth: no only moves, and none that win before."""
    for run in findings.runs.values():
        yield from (entry for entry in list_moves_of(run.games, method.name) if entry.depth == method.depth)


def _make_row(method: Method, moves: Sequence[MoveEntry]) -> Sequence[Cell]:
    seconds = measure_spread(entry.time_ms / MS_PER_S for entry in moves)
    nodes = measure_spread(entry.nodes for entry in moves if entry.nodes is not None)
    paper_s, paper_nodes = ("{:,.0f} to {:,.0f}".format(*span) for span in (method.seconds, method.nodes))
    return method.name, len(moves), str(seconds or ""), paper_s, str(nodes or ""), paper_nodes


def _measure_branching(runs: Iterable[Run]) -> tuple[dict[int, list[int]], list[int]]:
    """Legal moves by turn, from 1, and those in positions with all tiles placed."""
    by_turn: dict[int, list[int]] = defaultdict(list)
    placed = []
    for run in runs:
        for game, ply, legal in iter_branching(run):
            by_turn[ply // 2 + 1].append(legal)
            if len({move.split()[0] for move in game.all_moves[:ply] if move != "pass"}) == TILES:
                placed.append(legal)
    return by_turn, placed


def _make_branching(by_turn: dict[int, list[int]], placed: Sequence[int]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for start in range(1, max(by_turn, default=0) + 1, TURNS):
        found = [legal for turn in range(start, start + TURNS) for legal in by_turn.get(turn, ())]
        if found:
            rows.append((f"{start} to {start + TURNS - 1}", len(found), fmean(found), str(measure_spread(found))))
    if placed:
        rows.append(("all tiles placed", len(placed), fmean(placed), str(measure_spread(placed))))
    headings = ("turn", "positions", "legal moves", "four of five")
    return StudyTable("Branching factor by turn, in games of all these players:", headings, rows)


def _draw_nodes(moves: dict[str, list[MoveEntry]]) -> Chart:
    """Nodes of a move by depth, the paper's in the middle of what it gives."""
    curves = []
    for player in dict.fromkeys(method.player for method in METHODS):
        own = [method for method in METHODS if method.player == player]
        depths = [method.depth for method in own]
        spreads = [measure_spread(entry.nodes for entry in moves[method.name] if entry.nodes) for method in own]
        curves.append(Curve(player, depths, [spread.median if spread else None for spread in spreads]))
        curves.append(Curve(f"{player}, paper", depths, [fmean(method.nodes) for method in own], is_paper=True))
    return Chart("Hive, nodes of a move", "depth", "nodes", curves, log_scale=True)


def _draw_branching(by_turn: dict[int, list[int]]) -> Chart:
    turns = sorted(by_turn)
    curve = Curve("legal moves", turns, [fmean(by_turn[turn]) for turn in turns])
    return Chart("Hive, branching factor", "turn", "legal moves", [curve])


HIVE_TABLE3 = Study(
    name="hive-table3",
    help="the Hive thesis' table 3: time and nodes of one move, and branching factors by turn",
    plan=plan,
    analyse=analyse,
)
