"""Game records as SGF (FF[4]) in each game's dialect; comments have times, search output and engine messages."""

from __future__ import annotations

from arena.log.events import GameEnded, MoveEntry, RunStarted
from arena.terms.arguments import find_game
from arena.terms.ending import Ending

COLOURS = "BW"  # by side: the engine that began is black
# By ending: text after the plus sign in RE, such as `B+R`; none for a win by rule or adjudication. F: forfeit
_RESULTS = {Ending.RESIGNED: "R", Ending.TIME: "T", Ending.STALL: "T"}
_RESULTS |= dict.fromkeys((Ending.ILLEGAL, Ending.DISCONNECT, Ending.MEMORY, Ending.REFUSED), "F")


def format_sgf(header: RunStarted, game: GameEnded) -> str:
    """Format one game as SGF, one node per line. A swap is a separate move, as HexGui writes it."""
    dialect = find_game(header.game).sgf
    assert dialect is not None  # only games with SGF records come here
    size = f"{header.width}" if header.width == header.height else f"{header.width}:{header.height}"
    root = f"(;FF[4]GM[{dialect.number}]CA[UTF-8]AP[pentad]SZ[{size}]RU[{escape_text(header.variant)}]"
    root += f"PB[{escape_text(game.first)}]PW[{escape_text(game.second)}]RE[{_format_result(game)}]"
    root += "".join(
        f"{key}[{escape_text(text)}]" for key, text in (("EV", header.event_name), ("PC", header.site)) if text
    )
    remark = "\n".join(filter(None, (game.detail, *game.messages)))
    root += f"GC[{escape_text(remark)}]" if remark else ""
    comments = [""] * len(game.opening) + [_describe(entry) for entry in game.moves]
    nodes = [
        f";{COLOURS[ply % 2]}[{dialect.format_point(move)}]" + (f"C[{escape_text(comment)}]" if comment else "")
        for ply, (move, comment) in enumerate(zip(game.all_moves, comments, strict=True))
    ]
    return "\n".join([root, *nodes]) + ")\n"


def _format_result(game: GameEnded) -> str:
    """Return the value of the property RE, such as `B+T`."""
    if not game.winner:
        return "0" if game.ending.counts else "Void"
    return f"{COLOURS[game.winner != game.first]}+{_RESULTS.get(game.ending, '')}"


def _describe(entry: MoveEntry) -> str:
    """Format a move comment: numbers in the first line, then the principal variation, then the engine's messages."""
    pv = [f"pv {' '.join(entry.pv)}"] if entry.pv else []
    return "\n".join((describe_numbers(entry), *pv, *entry.messages))


def describe_numbers(entry: MoveEntry) -> str:
    """Format the numbers of a move as `name=value`, such as `time_ms=512 score=31 depth=9`; omit missing ones."""
    numbers: dict[str, int | str | None] = {"time_ms": entry.time_ms, "score": entry.score, "win_in": entry.win_in}
    numbers |= {"result": entry.result or None, "depth": entry.depth, "nodes": entry.nodes}
    return " ".join(f"{name}={value}" for name, value in numbers.items() if value is not None)


def escape_text(text: str) -> str:
    """Return a text as the value of an SGF property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
