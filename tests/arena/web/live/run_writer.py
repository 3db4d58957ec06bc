"""Writes the log and the running games of a run step by step, as a match does, for tests of the page of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from arena.log.events import Event, GameEnded, GameStarted, MoveEntry, PairEnded, RunStarted
from arena.log.file import LogWriter
from arena.log.running_games import RunningGamesWriter
from arena.terms.ending import Ending
from arena.web.live.page_data import BoardUpdate, LiveUpdate
from arena.web.live.run_view import RunView
from arena.web.report.changes import Change
from tests.arena.web.runs import make_header

LINE = ("h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")  # moves of Gomoku that end with five in a row


def make_entry(ply: int, **changes: object) -> MoveEntry:
    """Return the entry of a move of LINE; `changes` replace fields."""
    entry = MoveEntry(LINE[ply], time_ms=100, score=10 * ply, depth=ply + 1, nodes=1000, side=ply % 2, pv=(LINE[ply],))
    return structs.replace(entry, **changes)


class RunWriter:
    """A run of engines A, B, ... in a folder; call `close` at the end of a session."""

    def __init__(self, directory: Path, names: Sequence[str] = "AB", games: int = 8, **header: Any) -> None:
        self.directory = directory
        self.header: RunStarted = structs.replace(make_header(names, **header), games=games)
        pairings = len(self.header.engines) * (len(self.header.engines) - 1) // 2
        self.header = structs.replace(self.header, planned=games * pairings)
        self.messages: list[str] = []
        self.log = LogWriter(directory)
        self.games = RunningGamesWriter(directory, self.messages.append)
        self.games.__enter__()

    def write(self, *events: Event) -> None:
        for event in events:
            self.log.write(event)

    def begin(self) -> None:
        self.write(self.header)

    def start(self, number: int, first: str = "A", second: str = "B", opening: Sequence[str] = ()) -> None:
        """Start a game whose first engine begins to think."""
        self.write(GameStarted(number, (number + 1) // 2, first, second, tuple(opening)))
        self.games.write_move(number, ())

    def play(self, number: int, plies: int) -> None:
        """Let the game have this many moves of LINE."""
        self.games.write_move(number, [make_entry(ply) for ply in range(plies)])

    def end(self, number: int, first: str = "A", second: str = "B", plies: int = 9, **changes: object) -> GameEnded:
        """End a game that the first engine wins, and return its event."""
        entries = tuple(make_entry(ply) for ply in range(plies))
        fields = {"ending": Ending.WIN, "winner": first, "blamed": "", "detail": "five", "moves": entries} | changes
        pair = (number + 1) // 2
        game = GameEnded(number=number, pair=pair, first=first, second=second, opening=(), **fields)  # type: ignore[arg-type]
        self.write(game)
        self.games.remove(number)
        return game

    def play_pair(self, pair: int, first: str = "A", second: str = "B") -> None:
        """Play both games of a pair at once; the engine that moves first wins."""
        for number, names in ((2 * pair - 1, (first, second)), (2 * pair, (second, first))):
            self.start(number, *names)
            self.end(number, *names)
        self.write(PairEnded(pair))

    def close(self) -> None:
        self.games.__exit__(None, None, None)
        self.log.__exit__(None, None, None)


def read_all(view: RunView) -> LiveUpdate:
    """Read everything that is new and return the update, an empty one if nothing has changed."""
    while view.poll():
        pass
    return view.take_update() or LiveUpdate()


class PageState:
    """What a page shows after a snapshot and further updates, as `live.js` keeps it."""

    def __init__(self) -> None:
        self.parts: dict[str, object] = {}
        self.boards: dict[int, tuple[dict[str, object], list[object], BoardUpdate]] = {}

    def receive(self, update: LiveUpdate) -> None:
        """Apply an update."""
        update = msgspec.json.decode(msgspec.json.encode(update), type=LiveUpdate)
        if update.is_snapshot:
            self.boards = {}
        for name in ("status", "board", "standings", "results", "faults"):
            if getattr(update, name) is not None:
                self.parts[name] = getattr(update, name)
        for board in update.boards:
            pieces, evaluations = ({}, []) if board.is_new else self.boards[board.slot][:2]
            if not board.is_new:
                assert self.boards[board.slot][2].number == board.number
            change = board.change or Change()
            pieces = {key: piece for key, piece in {**pieces, **change.pieces}.items() if piece is not None}
            self.boards[board.slot] = (
                pieces,
                [*evaluations, *board.evaluations],
                structs.replace(board, is_new=True, change=None, evaluations=(), elapsed_ms=0),
            )
