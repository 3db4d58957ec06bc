"""The page of a reviewed game: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.game_files.stored_game import StoredGame
from arena.review.files import PAGE_NAME, StoredReview
from arena.review.grades import PRESETS, Grade
from arena.review.moves import SWAP_PREFIX, ReviewedMove, Value, describe_value, summarize
from arena.review.positions import Line
from arena.web.painters import find_painter
from arena.web.report.changes import Change, describe_change
from arena.web.static_page import fill_template
from core.play.game import Position
from core.play.scene import Cell, DrawnBoard, Painter, Scene
from core.system.files import replace_text_file

SCRIPTS = ("bugs.js", "board.js", "charts.js", "stored_data.js", "review_exercise.js", "review.js")
STYLES = ("page.css", "board.css", "review.css")


class Variation(msgspec.Struct, frozen=True):
    """The better line instead of a move; `changes` are the scenes after its moves, from that before the move."""

    moves: tuple[str, ...]
    changes: tuple[Change, ...]


class PageMove(msgspec.Struct, frozen=True):
    """A move as the page shows it."""

    move: str
    side: int
    grade: str
    symbol: str
    before: float | None  # win probability of the side that moves
    after: float | None
    text: str
    choices: str  # the moves that the engine prefers, with their values
    better: Variation | None  # only for errors and for moves that are not the first choice
    good: tuple[str, ...] = ()  # for errors: moves of the searched lines that are no errors, the best first
    legal: dict[str, tuple[str, ...]] = {}  # for errors: ids to click for each legal move (core/play/scene.py)
    cells: dict[str, Cell] = {}  # for errors: clickable cells that only the position before the move has


class PagePlayer(msgspec.Struct, frozen=True):
    """A player's row of the summary."""

    name: str
    accuracy: float | None
    grades: dict[str, int]
    worst: tuple[int, ...]


class ReviewPage(msgspec.Struct, frozen=True):
    """All that the page shows. `changes` has the start position before the scenes after each move."""

    title: str
    facts: tuple[tuple[str, str], ...]
    summary: str  # result and greatest error, for people
    problem: str
    board: DrawnBoard
    players: tuple[PagePlayer, PagePlayer]
    sides: tuple[int, ...]  # to move before each move and at the end
    moves: tuple[PageMove, ...]
    changes: tuple[Change, ...]
    probabilities: tuple[float | None, ...]  # of a win of the first side, before each move and at the end


def write_page(directory: Path, stored: StoredGame, content: StoredReview) -> Path:
    """Write the page of a review and return its path."""
    path = directory / PAGE_NAME
    replace_text_file(path, format_page(stored, content))
    return path


def format_page(stored: StoredGame, content: StoredReview) -> str:
    """Return the page as HTML."""
    page = make_page(stored, content)
    return fill_template("review.html", page.title, STYLES, SCRIPTS, page)


def make_page(stored: StoredGame, content: StoredReview) -> ReviewPage:
    """Return the data of the page."""
    painter = find_painter(stored.game)
    position = stored.position(0)
    scene = painter.make_scene(position)
    limit = PRESETS[content.preset].inaccuracy
    changes, sides, moves = [describe_change(None, scene)], [position.to_move], []
    for move in content.review.moves:
        moves.append(_show_move(move, position, scene, painter, limit))
        position.play(move.move)
        before, scene = scene, painter.make_scene(position)
        changes.append(describe_change(before, scene))
        sides.append(position.to_move)
    board = painter.make_board(stored.setup)
    players = [
        PagePlayer(player.name or board.sides[side], player.accuracy, player.grades, player.worst)
        for side, player in enumerate(content.review.players)
    ]
    return ReviewPage(
        title=f"{stored.game.title}: {players[0].name} against {players[1].name}",
        facts=tuple(_list_facts(stored, content)),
        summary=summarize(stored, content.review, [player.name for player in players]),
        problem=stored.problem,
        board=board,
        players=(players[0], players[1]),
        sides=tuple(sides),
        moves=tuple(moves),
        changes=tuple(changes),
        probabilities=content.review.probabilities,
    )


def _show_move(move: ReviewedMove, position: Position, scene: Scene, painter: Painter, limit: float) -> PageMove:
    is_choice = move.best is None or move.best.moves[0] == move.move
    better = None if is_choice or move.grade == Grade.UNGRADED else _show_line(move.best, position, scene, painter)
    shown = PageMove(
        move=move.move,
        side=move.side,
        grade=move.grade.value,
        symbol=move.grade.symbol,
        before=move.before,
        after=move.after,
        text=move.text,
        choices=", ".join(_describe_choice(line) for line in (move.best, move.second) if line is not None),
        better=better,
    )
    if not move.grade.is_error or better is None or better.moves[0].startswith(SWAP_PREFIX):  # a swap has no cell
        return shown
    legal = {text: tuple(clicks) for text, clicks in painter.list_clicks(position).items()}
    return msgspec.structs.replace(shown, good=_list_good(move, limit), legal=legal, cells=scene.cells)


def _describe_choice(line: Line) -> str:
    """Return the first move of a line with its value, such as `i9 (61 %)`; without a value if the engine gave none."""
    if line.probability is None:
        return line.moves[0]
    plies = None if line.win_in is None else abs(line.win_in)
    return f"{line.moves[0]} ({describe_value(Value(line.probability, line.result, plies))})"


def _list_good(move: ReviewedMove, limit: float) -> tuple[str, ...]:
    """Return the moves of the searched lines that lose less than `limit` of win probability, the best first."""
    lines = [line for line in (move.best, move.second) if line is not None and line.probability is not None]
    best = max(line.probability or 0.0 for line in lines)
    return tuple(line.moves[0] for line in lines if best - (line.probability or 0.0) < limit)


def _show_line(line: Line | None, position: Position, scene: Scene, painter: Painter) -> Variation | None:
    if line is None:
        return None
    changes = []
    for move in line.moves:
        position.play(move)
        before, scene = scene, painter.make_scene(position)
        changes.append(describe_change(before, scene))
    for _ in line.moves:
        position.undo()
    return Variation(line.moves, tuple(changes))


def _list_facts(stored: StoredGame, content: StoredReview) -> Sequence[tuple[str, str]]:
    """Return what the page says about the game and the search, as pairs of name and value."""
    setup, search = stored.setup, content.search
    size = f", {setup.width}x{setup.height}" if setup.width else ""
    budget = {
        "time_s": "{} s per position",
        "nodes": "{} nodes per line",
        "depth": "depth {} per line",
    }
    limits = [text.format(search[name]) for name, text in budget.items() if search[name] is not None]
    facts = [
        ("game", f"{stored.game.title}, {setup.variant}{size}"),
        ("result in the file", stored.result),
        ("read as", stored.note),
        ("judged by", f"{content.engine}, {', '.join(limits)}"),
        ("strictness", content.preset),
    ]
    return [(name, value) for name, value in facts if value]
