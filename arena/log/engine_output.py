"""What an engine told, as log and report keep it: numbers, its main line and its own words, all of it bounded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from arena.log.events import Event, GameEnded, MoveEntry, RunResumed, RunStarted
from core.play.player import Decision
from protocols.driving.line_buffers import LastLines

MOST_PV = 40  # moves
MOST_LINES = 12  # of an engine's words with one move
LINE_LENGTH = 200  # characters
_HEADER_TEXTS = ("game", "variant", "openings", "started", "event_name", "site")
MAX_DETAIL_LENGTH = 1000  # characters of why a game ended


def make_entry(side: int, move: str, decision: Decision, elapsed_ms: int, words: Sequence[str]) -> MoveEntry:
    """The entry of a move of side 0 or 1; `words` came with it, beside the note of the decision."""
    told = decision.progress
    known = told.depth > 0 or told.nodes > 0  # an engine that reported nothing has no score either
    return MoveEntry(
        move=move,
        time_ms=elapsed_ms,
        score=told.score if known else None,
        win_in=told.win_in,
        result="" if told.win_in else told.result,
        depth=told.depth or None,
        nodes=told.nodes or None,
        reported_ms=told.time_ms or None,
        side=side,
        pv=tuple(map(printable_line, told.pv[:MOST_PV])),
        messages=cut_words(words, decision.note),
    )


def cut_words(words: Sequence[str], note: str = "") -> tuple[str, ...]:
    """The last lines that are not empty, each cut short; how many went before them is told in the first."""
    told = [line for line in (*words, note) if line.strip()]
    count = len(told) + (words.left_out if isinstance(words, LastLines) else 0)
    if count <= MOST_LINES:
        return tuple(map(printable_line, told))
    last = told[1 - MOST_LINES :]
    return (f"[... {count - len(last)} lines ...]", *map(printable_line, last))


def truncate_text(text: str, most: int) -> str:
    """Printable text of several lines; of more than `most` characters the beginning and the end, the gap counted."""
    text = text.replace("\r\n", "\n")  # as Windows programs end their lines
    half = most // 2
    if len(text) > 2 * half:
        text = f"{text[:half]}\n[... {len(text) - 2 * half} characters ...]\n{text[-half:]}"
    return make_printable(text, "\n\t")


def printable_line(text: str, most: int = LINE_LENGTH) -> str:
    """One line of printable text, cut short: a player may say anything."""
    line = " ".join(text.split())[:most]
    return make_printable(line)


def make_event_printable(event: Event) -> Event:
    """The event with every text that is shown made printable: a log may come from anybody.

    Commands, folders and options of engines stay as they are, since a run that goes on uses them.
    """
    if isinstance(event, RunStarted | RunResumed):
        engines = tuple(structs.replace(engine, name=make_printable(engine.name)) for engine in event.engines)
        event = structs.replace(event, engines=engines)
    kept = {"stderr": "\n\t"} if isinstance(event, GameEnded) else {}
    shown = _HEADER_TEXTS if isinstance(event, RunStarted) else event.__struct_fields__
    return structs.replace(event, **{name: _clean(getattr(event, name), kept.get(name, "")) for name in shown})


def _clean(value: object, kept: str) -> object:
    if type(value) is str:  # not an ending, which is one of our own words
        return make_printable(value, kept)
    if isinstance(value, tuple):
        return tuple(_clean(part, kept) for part in value)
    if isinstance(value, MoveEntry):
        return structs.replace(value, **{name: _clean(getattr(value, name), kept) for name in value.__struct_fields__})
    return value


def make_printable(text: str, kept: str = "") -> str:
    """The text with a question mark for each character that is neither printable nor among `kept`."""
    return "".join(character if character.isprintable() or character in kept else "?" for character in text)
