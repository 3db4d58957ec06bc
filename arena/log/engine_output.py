"""Shorten texts for the log and the reports, and replace their unprintable characters.

Engines may print any amount of any characters, and a log may come from anybody. Unchanged, such texts could
fill the log, or control the terminal by an escape sequence in a name. The referee calls `make_entry` for each move.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from arena.log.events import Event, GameEnded, MoveEntry, RunResumed, RunStarted
from core.play.player import Decision
from protocols.driving.line_buffers import LastLines

MAX_PV_MOVES = 40  # of a principal variation in the log
MAX_MESSAGE_LINES = 12  # per move
MAX_LINE_LENGTH = 200  # characters
MAX_DETAIL_LENGTH = 1000  # characters; the `detail` of a game's end
_HEADER_TEXTS = ("game", "variant", "openings", "started", "event_name", "site")  # fields of RunStarted that are shown


def make_entry(side: int, move: str, decision: Decision, elapsed_ms: int, messages: Sequence[str]) -> MoveEntry:
    """Return the log entry of a move of side 0 or 1.

    `elapsed_ms` is the measured time, `messages` are the lines that the engine has printed since its previous move.
    """
    progress = decision.progress
    has_score = progress.depth > 0 or progress.nodes > 0  # without a search, Progress.score is only the default 0
    return MoveEntry(
        move=move,
        time_ms=elapsed_ms,
        score=progress.score if has_score else None,
        win_in=progress.win_in,
        result="" if progress.win_in else progress.result,
        depth=progress.depth or None,
        nodes=progress.nodes or None,
        reported_ms=progress.time_ms or None,
        side=side,
        pv=tuple(map(printable_line, progress.pv[:MAX_PV_MOVES])),
        messages=limit_messages(messages, decision.note),
    )


def limit_messages(messages: Sequence[str], note: str = "") -> tuple[str, ...]:
    """Return the last lines of messages and note, without empty ones, each printable and of bounded length.

    If there are more than MAX_MESSAGE_LINES, the first returned line counts the omitted ones: `[... 989 lines ...]`.
    """
    lines = [line for line in (*messages, note) if line.strip()]
    count = len(lines) + (messages.left_out if isinstance(messages, LastLines) else 0)
    if count <= MAX_MESSAGE_LINES:
        return tuple(map(printable_line, lines))
    last = lines[1 - MAX_MESSAGE_LINES :]
    return (f"[... {count - len(last)} lines ...]", *map(printable_line, last))


def truncate_text(text: str, max_length: int) -> str:
    """Return printable text of several lines; line feeds and tabs stay.

    If it has more than `max_length` characters, its middle is replaced by a line such as `[... 500 characters ...]`.
    """
    text = text.replace("\r\n", "\n")  # line ends of Windows programs
    half = max_length // 2
    if len(text) > 2 * half:
        text = f"{text[:half]}\n[... {len(text) - 2 * half} characters ...]\n{text[-half:]}"
    return make_printable(text, "\n\t")


def printable_line(text: str, max_length: int = MAX_LINE_LENGTH) -> str:
    """Return the text as one printable line, cut to `max_length` characters; any whitespace becomes a single space."""
    line = " ".join(text.split())[:max_length]
    return make_printable(line)


def make_event_printable(event: Event) -> Event:
    """Return the event with every text that is shown to people made printable.

    Commands, folders and options of engines stay unchanged, because a resumed run uses them.
    """
    if isinstance(event, RunStarted | RunResumed):
        engines = tuple(structs.replace(engine, name=make_printable(engine.name)) for engine in event.engines)
        event = structs.replace(event, engines=engines)
    kept = {"stderr": "\n\t"} if isinstance(event, GameEnded) else {}  # allowed characters by field
    fields = _HEADER_TEXTS if isinstance(event, RunStarted) else event.__struct_fields__
    return structs.replace(
        event, **{name: _make_value_printable(getattr(event, name), kept.get(name, "")) for name in fields}
    )


def _make_value_printable(value: object, kept: str) -> object:
    """Return the value of a field with its texts made printable, also those in tuples and in move entries."""
    if type(value) is str:  # isinstance would include `Ending`, whose texts are constants
        return make_printable(value, kept)
    if isinstance(value, tuple):
        return tuple(_make_value_printable(part, kept) for part in value)
    if isinstance(value, MoveEntry):
        fields = value.__struct_fields__
        return structs.replace(value, **{name: _make_value_printable(getattr(value, name), kept) for name in fields})
    return value


def make_printable(text: str, kept: str = "") -> str:
    """Return the text with `?` for each character that is neither printable nor in `kept`."""
    if text.isprintable():  # almost always, and much faster than the loop below
        return text
    return "".join(character if character.isprintable() or character in kept else "?" for character in text)
