"""One board of the page: a running game, or one that has just ended, and what the page does not know of it yet."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from arena.log.events import GameEnded, GameStarted, MoveEntry
from arena.terms.clock import SideClock
from arena.terms.ending import Ending
from arena.web.live.page_data import BoardUpdate, Evaluation, SideInfo
from arena.web.report.changes import describe_change
from core.play.game import Position
from core.play.player import IllegalMove
from core.play.scene import Painter, Scene

MAX_PV_MOVES = 8  # that are shown
NO_RESULT = "-"
INTERRUPTION = "interrupted"  # shown as the ending of a game that no process plays any more
_REASON = re.compile(r"[a-z][a-z0-9 -]{0,30}")  # a reason that the rules of a game give, such as `five`
_RESULTS = {"win": "win", "loss": "loss", "draw": "draw"}  # of `MoveEntry.result`; a log may have any text


class LiveBoard:
    """A game on the page; `position` is a new one of the game, which the board keeps."""

    def __init__(
        self,
        game: GameStarted | GameEnded,
        players: tuple[int, int],
        position: Position,
        painter: Painter | None,
        clocks: tuple[SideClock, SideClock],
    ) -> None:
        self.slot = 0  # index of the board on the page
        self.number = game.number
        self.is_over = False
        self._players = players
        self._opening = game.opening
        self._position = position
        self._painter = painter
        self._clocks = clocks
        self._entries: list[MoveEntry] = []
        self._is_legal = True  # False: a move was illegal, so that later moves are not drawn
        self._play(game.opening)
        self._info = [SideInfo(), SideInfo()]
        self._info_moves = 0  # number of moves that `_info` covers
        self._thinking_since_s: float | None = None  # by `perf_counter`; None: no engine is thinking
        self._result, self._ending = "", ""
        self._interruption = ""  # why the game does not go on at the moment
        self._scene: Scene | None = None
        # What the page knows
        self._sent_scene: Scene | None = None
        self._sent_moves = 0
        self._is_new = True
        self._has_changed = True

    def add_moves(self, entries: Sequence[MoveEntry], age_s: float) -> None:
        """Play further moves; `age_s` are the seconds since the last one, or since the first engine began to think."""
        self._thinking_since_s = time.perf_counter() - age_s
        self._has_changed = True
        for entry in entries:
            self._entries.append(entry)
            self._clocks[entry.side].spend(entry.time_ms)
            self._play([entry.move])

    def end(self, game: GameEnded) -> None:
        """Show the end of the game, with the moves that are not known yet."""
        if [entry.move for entry in self._entries] == [entry.move for entry in game.moves[: len(self._entries)]]:
            self.add_moves(game.moves[len(self._entries) :], 0.0)
        self._result, self._ending = format_result(game), describe_ending(game)
        self._stop()

    def interrupt(self) -> None:
        """Show that the game was ended without a result."""
        self._result, self._ending = NO_RESULT, INTERRUPTION
        self._stop()

    def suspend(self, interruption: str) -> None:
        """Stop the clock of a running game and show why; an empty text lets it go on."""
        if interruption != self._interruption and not self.is_over:
            self._interruption = interruption
            self._has_changed = True

    def _stop(self) -> None:
        self._interruption = ""
        self._thinking_since_s = None
        self.is_over = self._has_changed = True

    def take_update(self) -> BoardUpdate | None:
        """Return what has changed since the last call, or None if nothing has."""
        if not self._has_changed:
            return None
        update = self._describe(self._sent_scene, self._sent_moves, self._is_new)
        self._sent_scene, self._sent_moves = self._scene, len(self._entries)
        self._is_new = self._has_changed = False
        return update

    def describe(self) -> BoardUpdate:
        """Return the whole board as it was at the last `take_update`, now with the present time of the move."""
        return self._describe(None, 0, is_new=True)

    def _describe(self, sent_scene: Scene | None, sent_moves: int, is_new: bool) -> BoardUpdate:
        if self._has_changed:
            self._scene = self._painter.make_scene(self._position) if self._painter else None
            self._update_info()
        limits = [clock.limits().time_left_ms for clock in self._clocks]
        since_s = None if self._interruption else self._thinking_since_s
        moves = self._position.moves
        return BoardUpdate(
            slot=self.slot,
            number=self.number,
            is_new=is_new,
            players=self._players,
            change=describe_change(None if is_new else sent_scene, self._scene) if self._scene else None,
            evaluations=tuple(self._list_evaluations(sent_moves)),
            plies=len(self._opening) + len(self._entries),
            opening=len(self._opening),
            last_move=moves[-1] if moves else "",
            to_move=self._position.to_move,
            info=(self._info[0], self._info[1]),
            left_ms=(limits[0], limits[1]),
            elapsed_ms=None if since_s is None else round(1000 * (time.perf_counter() - since_s)),
            result=NO_RESULT if self._interruption else self._result,
            ending=self._interruption or self._ending,
        )

    def _list_evaluations(self, sent_moves: int) -> list[Evaluation]:
        opening = len(self._opening)
        return [
            (opening + index + 1, entry.side, entry.score)
            for index, entry in enumerate(self._entries[sent_moves:], sent_moves)
            if entry.score is not None
        ]

    def _play(self, moves: Sequence[str]) -> None:
        """Play moves on the position, until one is illegal: the log may come from anybody."""
        for move in moves if self._is_legal else ():
            try:
                self._position.play(move)
            except IllegalMove:
                self._is_legal = False
                return

    def _update_info(self) -> None:
        """Update the info of the sides that have moved; the variations are checked on the positions they start from."""
        checked: set[int] = set()
        undone: list[str] = []
        for entry in reversed(self._entries[self._info_moves :]):
            if entry.side not in checked:
                checked.add(entry.side)
                pv = self._find_legal_part(entry) if self._is_legal else ()
                move = self._position.moves[-1] if self._is_legal else ""
                self._info[entry.side] = _make_info(entry, move, pv)
            if len(checked) == 2 or not self._is_legal:
                break
            undone.append(self._position.moves[-1])
            self._position.undo()
        for move in reversed(undone):
            self._position.play(move)
        self._info_moves = len(self._entries)

    def _find_legal_part(self, entry: MoveEntry) -> tuple[str, ...]:
        """Return the first moves of a variation after the move of its entry, as far as they are legal.

        Its text comes from a program, which may use another notation or print anything.
        """
        repeats_move = entry.pv and entry.pv[0].lower() == entry.move.lower()
        legal: list[str] = []
        for move in entry.pv[1:] if repeats_move else entry.pv:
            if len(legal) == MAX_PV_MOVES or self._position.outcome():
                break
            try:
                self._position.play(move)
            except IllegalMove:
                break
            legal.append(self._position.moves[-1])
        for _ in legal:
            self._position.undo()
        return tuple(legal)


def format_result(game: GameEnded) -> str:
    """Return the score of the first engine and the second, such as `1-0`, or NO_RESULT for a void game."""
    if not game.ending.counts:
        return NO_RESULT
    return {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}[game.score(game.first)]


def describe_ending(game: GameEnded) -> str:
    """Return how a game ended; the rules' own word for it, such as `five`, if they have one.

    The `detail` of another ending may contain paths and text that a program has written.
    """
    if game.ending in (Ending.WIN, Ending.DRAW) and _REASON.fullmatch(game.detail):
        return game.detail
    return game.ending.value


def _make_info(entry: MoveEntry, move: str, pv: tuple[str, ...]) -> SideInfo:
    return SideInfo(
        move=move,
        time_ms=entry.time_ms,
        score=entry.score,
        win_in=entry.win_in,
        depth=entry.depth,
        nodes=entry.nodes,
        result=_RESULTS.get(entry.result, ""),
        pv=pv,
    )
