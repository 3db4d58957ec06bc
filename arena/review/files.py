"""The files of one reviewed game: `review.json`, `review.csv` and the annotated game as SGF or as text.

`review.json` also has the searched positions, so that a review that was broken off goes on where it stopped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arena.errors import CommandFailedError
from arena.game_files.stored_game import StoredGame, play_moves
from arena.results.game_records import join_moves
from arena.results.sgf import COLOURS, escape_text
from arena.review.grades import Grade
from arena.review.moves import GameReview, ReviewedMove
from arena.review.positions import AnalysedPosition, SearchSettings
from core.play.game import Position
from core.system.files import replace_text_file

JSON_NAME, CSV_NAME, ANNOTATED_NAME, PAGE_NAME = "review.json", "review.csv", "annotated", "review.html"
REVIEW_FORMAT = 1
COLUMNS = (
    "ply",
    "side",
    "move",
    "grade",
    "before",
    "after",
    "loss",
    "accuracy",
    "proven",
    "best",
    "line",
    "second",
    "remarks",
    "text",
)
_SGF_GRADES = {Grade.BLUNDER: "BM[2]", Grade.MISTAKE: "BM[1]", Grade.INACCURACY: "DO[]", Grade.BEST: "TE[1]"}


class StoredReview(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `review.json`."""

    format: int = REVIEW_FORMAT
    game: str  # name of the game
    variant: str
    width: int  # cells; 0 if the game has only one board
    height: int
    position: str  # start position in the game's notation; empty for the standard one
    moves: tuple[str, ...]
    players: tuple[str, str]
    result: str
    opening_plies: int
    note: str  # how something ambiguous in the file was read
    problem: str  # why later moves of the file were not read
    engine: str  # name of the engine that searched
    search: dict[str, str | float | int | None]  # command, threads, time_s, nodes, depth, lines, scale
    preset: str  # of the thresholds for grades
    searched: tuple[AnalysedPosition, ...]
    review: GameReview


def make_stored_review(
    stored: StoredGame,
    settings: SearchSettings,
    preset: str,
    searched: Mapping[int, AnalysedPosition],
    review: GameReview,
) -> StoredReview:
    """Return the content of `review.json`."""
    setup = stored.setup
    return StoredReview(
        game=stored.game.name,
        variant=setup.variant,
        width=setup.width,
        height=setup.height,
        position=setup.position,
        moves=stored.moves,
        players=stored.players,
        result=stored.result,
        opening_plies=stored.opening_plies,
        note=stored.note,
        problem=stored.problem,
        engine=settings.spec.name,
        search=describe_search(settings),
        preset=preset,
        searched=tuple(searched[ply] for ply in sorted(searched)),
        review=review,
    )


def describe_search(settings: SearchSettings) -> dict[str, str | float | int | None]:
    """Return the settings on which the searched positions depend."""
    spec = settings.spec
    options = " ".join(f"{name}={value}" for name, value in spec.options)
    return {
        "command": " ".join(filter(None, (spec.command or spec.player, spec.directory, options))),
        "threads": settings.threads,
        "time_s": settings.time_s,
        "nodes": settings.nodes,
        "depth": settings.depth,
        "lines": settings.lines,
        "scale": settings.scale,
    }


def read_searched(directory: Path, stored: StoredGame, settings: SearchSettings) -> dict[int, AnalysedPosition]:
    """Return the positions that an earlier review in a folder searched with the same engine and limits, by ply.

    The game may have gone on since. A file that is missing, damaged or of another search counts as no review. Raise
    CommandFailedError if the folder has the review of another game, which would be lost.
    """
    try:
        found = msgspec.json.decode((directory / JSON_NAME).read_bytes(), type=StoredReview)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    setup = stored.setup
    same_game = (found.game, found.variant, found.width, found.height, found.position, found.moves) == (
        *(stored.game.name, setup.variant, setup.width, setup.height, setup.position),
        stored.moves[: len(found.moves)],
    )
    if not same_game:
        raise CommandFailedError(f"{directory} has the review of another game: choose another --out")
    same_search = (found.format, found.engine, found.search) == (
        *(REVIEW_FORMAT, settings.spec.name),
        describe_search(settings),
    )
    if not same_search:
        return {}
    return {position.ply: position for position in found.searched if is_valid(stored, position)}


def is_valid(stored: StoredGame, searched: AnalysedPosition) -> bool:
    """Return whether a position from a file belongs to the game: side to move, legal lines, probabilities in range."""
    if not 0 <= searched.ply <= len(stored.moves):
        return False
    position = stored.position(searched.ply)
    return searched.side == position.to_move and all(
        line.moves
        and _play_and_take_back(position, line.moves)
        and (line.probability is None or 0 <= line.probability <= 1)
        for line in searched.lines
    )


def _play_and_take_back(position: Position, moves: Sequence[str]) -> bool:
    """Return whether the moves are legal one after the other; the position is restored."""
    before = len(position.moves)
    problem = play_moves(position, moves)
    for _ in position.moves[before:]:
        position.undo()
    return not problem


def write_review(directory: Path, stored: StoredGame, content: StoredReview) -> None:
    """Write all files but the page into a folder, which is created if it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    replace_text_file(directory / JSON_NAME, msgspec.json.encode(content).decode() + "\n")
    replace_text_file(directory / CSV_NAME, format_csv(content.review))
    if stored.game.sgf is not None and not stored.setup.position:  # stones that are set up are written in the text
        replace_text_file(directory / f"{ANNOTATED_NAME}.sgf", format_annotated_sgf(stored, content.review))
    else:
        replace_text_file(directory / f"{ANNOTATED_NAME}.txt", format_annotated_text(stored, content.review))


def format_csv(review: GameReview) -> str:
    """Return a table with a row per move."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for move in review.moves:
        best = move.best
        writer.writerow(
            (
                *(move.ply, move.side + 1, move.move, move.grade.value),
                *(_percent(move.before), _percent(move.after), _percent(move.loss), _number(move.accuracy)),
                *(int(move.is_proven), best.moves[0] if best else "", join_moves(best.moves) if best else ""),
                move.second.moves[0] if move.second else "",
                *("; ".join(move.remarks), move.text),
            )
        )
    return text.getvalue()


def _percent(probability: float | None) -> str:
    return "" if probability is None else f"{100 * probability:.1f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def format_annotated_sgf(stored: StoredGame, review: GameReview) -> str:
    """Return the game as SGF with grades, win probabilities of black and, after an error, the better line.

    BM is a bad move (2: a blunder), DO a doubtful one, TE a good one, V the win probability in percent.
    """
    dialect = stored.game.sgf
    assert dialect is not None
    setup = stored.setup
    size = f"{setup.width}" if setup.width == setup.height else f"{setup.width}:{setup.height}"
    root = f"(;FF[4]GM[{dialect.number}]CA[UTF-8]AP[pentad]SZ[{size}]RU[{escape_text(setup.variant)}]"
    root += "".join(
        f"{key}[{escape_text(name)}]" for key, name in zip(("PB", "PW"), stored.players, strict=True) if name
    )
    root += f"RE[{escape_text(stored.result)}]" if stored.result else ""
    tree = ""
    for move in reversed(review.moves):
        node = _format_node(dialect.format_point(move.move), move)
        if move.grade.is_error and move.best is not None and move.best.moves[0] != move.move:
            points = [dialect.format_point(point) for point in move.best.moves]
            better = "".join(f";{COLOURS[(move.side + index) % 2]}[{point}]" for index, point in enumerate(points))
            tree = f"\n({node}{tree})\n({better})"
        else:
            tree = f"\n{node}{tree}"
    return f"{root}{tree})\n"


def _format_node(point: str, move: ReviewedMove) -> str:
    node = f";{COLOURS[move.side]}[{point}]{_SGF_GRADES.get(move.grade, '')}"
    if move.after is not None:
        black = move.after if move.side == 0 else 1 - move.after
        node += f"V[{100 * black:.0f}]"
    return node + (f"C[{escape_text(move.text)}]" if move.text else "")


def format_annotated_text(stored: StoredGame, review: GameReview) -> str:
    """Return the game as text: a title as our records have it, the moves, then a comment per remarkable move."""
    setup, players = stored.setup, " against ".join(name or "unknown" for name in stored.players)
    size = f" {setup.width}x{setup.height}" if setup.width else ""
    lines = [f"# {stored.game.name} {setup.variant}{size}: {players}"]
    lines += [f"# from {setup.position}"] if setup.position else []
    lines.append(stored.game.format_opening(stored.moves, setup))
    for move in review.moves:
        if move.text:
            lines.append(f"# {move.ply} {move.text if move.grade.is_error else f'{move.move}: {move.text}'}")
    return "\n".join(lines) + "\n"
