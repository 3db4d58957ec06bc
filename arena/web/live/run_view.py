"""The state of a run for its page, built from the log and the moves of running games while another process writes them.

`RunView.poll` reads what is new. `take_update` returns the changes since its last call, `take_snapshot` everything. A
page that got a snapshot and all later updates shows the present state.
"""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from pathlib import Path

from msgspec import structs

from arena.errors import CommandFailedError, UsageError
from arena.log.events import Event, GameEnded, GameStarted, PairEnded, RunEnded, RunResumed, RunStarted
from arena.log.file import LogError, RunReader
from arena.log.follow import LogFollower
from arena.log.running_games import BeatReader, RunningGameReader
from arena.log.validation import FieldError
from arena.results.outcome import RunOutcome, compute_outcome
from arena.results.rounds import describe_rounds
from arena.run.config import USER_STOP
from arena.statistics import elo
from arena.terms.arguments import find_game
from arena.terms.clock import SideClock, describe_controls, effective_control
from arena.web.live.board import INTERRUPTION, LiveBoard, describe_ending, format_result
from arena.web.live.page_data import (
    FINISHED,
    INTERRUPTED,
    PLAYING,
    SILENT,
    STOPPED,
    WAITING,
    Faults,
    LiveUpdate,
    ShownResult,
    SprtCourse,
    Standings,
    Status,
)
from arena.web.painters import find_painter
from arena.web.report.figures import count_results, list_ratings, make_sprt_chart
from core.play.game import Game
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.scene import DrawnBoard, Painter

MAX_RESULTS = 30  # latest games that are listed
MAX_FAULTS = 15  # likewise
MAX_UNSEEN = 20  # boards of games that have ended before they were seen
MAX_SPRT_POINTS = 400
PROBLEM = "the log cannot be read further: a line is wrong, or the file cannot be opened"
STANDINGS_SHARE = 0.03  # of the time, at most, is spent on ratings and intervals
MIN_STANDINGS_INTERVAL_S, MAX_STANDINGS_INTERVAL_S = 0.4, 30.0
# The folders of an absolute path; a path does not begin within a word, such as that of `new/old`
_FOLDERS = re.compile(r"(?<![\w.)\]-])(?:~|[A-Za-z]:)?(?:/\S*/|\\\S*\\)")


class RunView:
    """Follows one run; `poll` and the methods that return data must not be called at the same time."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._follower = LogFollower(directory)
        self._beats = BeatReader(directory)
        self._reader = RunReader()
        self._game: Game | None = None
        self._setup = Setup()
        self._painter: Painter | None = None
        self._slots: list[LiveBoard] = []
        self._running: dict[int, GameStarted] = {}  # by number
        self._readers: dict[int, RunningGameReader] = {}  # of running games with a board, by number
        self._unseen: deque[GameEnded] = deque(maxlen=MAX_UNSEEN)  # games that never had a board
        self._open_pairs: dict[int, list[ShownResult]] = {}  # by pair: its games that have ended in this session
        self._results: list[ShownResult] = []  # all games that have ended, in this order
        self._faults: list[ShownResult] = []  # those with an engine to blame
        self._ended: RunEnded | None = None
        self._uses_cluster = False
        self._problem = ""  # why the log cannot be read
        self._wrong_line: LogError | None = None  # an event that contradicts those before it; the rest is not read
        self._is_played = False  # False: no process plays the run
        self._player_has_ended = False  # True: the process that played the run has ended for certain
        self._played = 0
        # Parts that the page does not know yet
        self._status: Status | None = None  # as sent
        self._has_new_results = True
        self._has_new_pairs = True
        self._standings: Standings | None = None
        self._standings_due_s = float("-inf")

    def poll(self) -> bool:
        """Read what is new in the log and in the running games; return whether the log may have more at once.

        Raise LogReplacedError if another run has begun in the folder, and LogError for a wrong line or if the log
        cannot be read at the moment. Then the boards stop, and the status has `problem`.
        """
        try:
            has_more = self._read_log()
        except LogError:
            self._problem = PROBLEM
            self._suspend_boards()
            raise
        self._problem = ""
        self._update_boards()
        self._suspend_boards()
        return has_more

    def _read_log(self) -> bool:
        events = self._follower.poll()
        for number, event in () if self._wrong_line else events:
            try:
                self._add(event)
            except FieldError as error:
                self._wrong_line = self._follower.locate(error, number)
                break
        if self._wrong_line:
            raise self._wrong_line
        return bool(events)

    def end_player(self) -> None:
        """Take note that the process that played the run has ended."""
        self._player_has_ended = True

    @property
    def has_ended(self) -> bool:
        """Whether the last session has ended."""
        return self._ended is not None

    def take_update(self) -> LiveUpdate | None:
        """Return what has changed since the last call, or None if nothing has."""
        status = self._describe_status()
        is_first = self._status is None or (self._status.state == WAITING) != (status.state == WAITING)
        update = LiveUpdate(
            status=status if status != self._status else None,
            board=self._draw_board() if is_first else None,
            boards=tuple(update for board in self._slots if (update := board.take_update())),
            standings=self._take_standings(),
            results=self._list_results() if self._has_new_results else None,
            faults=self._count_faults() if self._has_new_results else None,
        )
        self._status, self._has_new_results = status, False
        return update if update != LiveUpdate() else None

    def make_snapshot(self) -> LiveUpdate:
        """Return everything as it was at the last `take_update`."""
        return LiveUpdate(
            is_snapshot=True,
            status=self._describe_status(),
            board=self._draw_board(),
            boards=tuple(board.describe() for board in self._slots),
            standings=self._standings,
            results=self._list_results(),
            faults=self._count_faults(),
        )

    def _add(self, event: Event) -> None:
        """Add an event of the log. Games are kept without moves and messages, which would fill the memory."""
        if isinstance(event, GameEnded):
            self._reader.add(structs.replace(event, moves=(), messages=(), stderr=()), 0)
            self._end_game(event)
            return
        self._reader.add(event, 0)
        if isinstance(event, RunStarted):
            self._begin(event)
        elif isinstance(event, RunResumed):
            self._resume()
        elif isinstance(event, GameStarted):
            self._running[event.number] = event
        elif isinstance(event, PairEnded):
            self._played += len(self._open_pairs.pop(event.number, []))
            self._uses_cluster = bool(event.worker)
            self._has_new_pairs = True
        elif isinstance(event, RunEnded):
            self._ended = event
            self._interrupt_games()

    def _begin(self, header: RunStarted) -> None:
        try:
            self._game = find_game(header.game)
            self._setup = Setup(header.width, header.height, header.variant, header.position)
            self._game.new_position(self._setup)
        except UsageError as error:
            raise FieldError(f"game: {error}") from None
        except (BadSetup, IllegalMove) as error:
            raise FieldError(f"width, height, variant, position: {error}") from None
        try:
            self._painter = find_painter(self._game)
        except CommandFailedError:  # a game without drawings: its boards show moves and scores only
            self._painter = None

    def _resume(self) -> None:
        """Forget the games of incomplete pairs, which are played again."""
        self._interrupt_games()
        dropped = {id(result) for results in self._open_pairs.values() for result in results}
        self._results = [result for result in self._results if id(result) not in dropped]
        self._faults = [result for result in self._faults if id(result) not in dropped]
        self._open_pairs.clear()
        self._ended = None
        self._has_new_results = True

    def _update_boards(self) -> None:
        """Give new games a board, and read the moves of all running games.

        A game that has begun and ended since the last call is shown if a board is free, so that very short games are
        seen, too. When a long log is read for the first time, only its last games are replayed.
        """
        for number, game in self._running.items():
            if number not in self._readers:
                self._place(self._make_board(game))
                self._readers[number] = RunningGameReader(self._directory, number)
        for number, reader in self._readers.items():
            changes = reader.poll()
            board = self._board_of(number)
            if changes and board:
                board.add_moves(*changes)
        for ended in list(self._unseen)[-self._max_boards() :]:
            has_room = len(self._slots) < self._max_boards()
            if has_room or any(board.is_over for board in self._slots):
                board = self._make_board(ended)
                board.end(ended)
                self._place(board, takes_over=not has_room)
        self._unseen.clear()

    def _suspend_boards(self) -> None:
        """Stop the clocks of running games while no process plays them or their moves cannot be read."""
        self._is_played = not self._player_has_ended and self._beats.is_played()
        interruption = "" if self._is_played else INTERRUPTION
        for board in self._slots:
            board.suspend(interruption or ("cannot be followed" if self._problem else ""))

    def _max_boards(self) -> int:
        """Return how many boards are shown for games that have ended."""
        return min(MAX_UNSEEN, max(1, self._header.concurrency)) if self._reader.header else 1

    def _make_board(self, game: GameStarted | GameEnded) -> LiveBoard:
        assert self._game
        header = self._header
        controls = {engine.name: effective_control(engine.tc, header.control) for engine in header.engines}
        names = [engine.name for engine in header.engines]
        return LiveBoard(
            game,
            (names.index(game.first), names.index(game.second)),
            self._game.new_position(self._setup),
            self._painter,
            (SideClock(controls[game.first]), SideClock(controls[game.second])),
        )

    def _place(self, board: LiveBoard, *, takes_over: bool = True) -> None:
        """Put a board into the slot of the same game, of the first of the ended games (`takes_over`), or a new one."""
        replaced = [other for other in self._slots if other.number == board.number]
        if takes_over:
            replaced += sorted((other for other in self._slots if other.is_over), key=lambda other: other.number)
        if replaced:
            board.slot = replaced[0].slot
            self._slots[board.slot] = board
        else:
            board.slot = len(self._slots)
            self._slots.append(board)

    def _board_of(self, number: int) -> LiveBoard | None:
        return next((board for board in self._slots if board.number == number), None)

    def _end_game(self, game: GameEnded) -> None:
        names = [engine.name for engine in self._header.engines]
        result = ShownResult(
            number=game.number,
            first=names.index(game.first),
            second=names.index(game.second),
            result=format_result(game),
            ending=describe_ending(game),
            plies=len(game.all_moves),
            blamed=names.index(game.blamed) if game.blamed else -1,
        )
        self._results.append(result)
        self._open_pairs.setdefault(game.pair, []).append(result)
        if result.blamed >= 0:
            self._faults.append(result)
        self._has_new_results = True
        self._running.pop(game.number, None)
        board = self._board_of(game.number)
        if self._readers.pop(game.number, None) and board:
            board.end(game)
        else:
            self._unseen.append(game)

    def _interrupt_games(self) -> None:
        """Show that the running games were ended without a result."""
        self._running.clear()
        for number in self._readers:
            board = self._board_of(number)
            if board:
                board.interrupt()
        self._readers.clear()

    @property
    def _header(self) -> RunStarted:
        assert self._reader.header
        return self._reader.header

    def _describe_status(self) -> Status:
        if self._reader.header is None or self._game is None:
            return Status(WAITING, problem=self._problem)
        header, state = self._reader.header, self._find_state()
        names = tuple(_hide_folders(engine.name) for engine in header.engines)
        engines = " against ".join(names) if len(names) == 2 else f"{len(names)} engines"
        size = f", {header.width}x{header.height}" if header.width else ""
        return Status(
            state=state,
            title=_hide_folders(header.event_name) or f"{self._game.title}: {engines}",
            game=f"{self._game.title}, {header.variant}{size}",
            limits=describe_controls(header.control, zip(names, (engine.tc for engine in header.engines), strict=True)),
            names=names,
            played=self._played,
            planned=self._reader.planned,
            running=0 if state == SILENT else len(self._running),
            has_boards=not self._uses_cluster and self._beats.has_boards(),
            problem=self._problem,
        )

    def _find_state(self) -> str:
        if self._ended is None:
            return PLAYING if self._is_played else SILENT
        if not self._ended.reason:
            return FINISHED
        return INTERRUPTED if self._ended.reason == USER_STOP else STOPPED

    def _draw_board(self) -> DrawnBoard | None:
        return structs.replace(self._painter.make_board(self._setup), cells={}) if self._painter else None

    def _take_standings(self) -> Standings | None:
        """Return new standings, unless they have not changed or, during the run, were computed too short a time ago."""
        if not self._has_new_pairs or self._reader.header is None:
            return None
        if self._ended is None and time.perf_counter() < self._standings_due_s:
            return None
        self._has_new_pairs = False
        elo.preload_scipy()  # takes a second the first time
        now_s = time.perf_counter()
        self._standings = _make_standings(compute_outcome(self._reader.build_run(self._header)))
        spent_s = time.perf_counter() - now_s
        interval_s = min(max(MIN_STANDINGS_INTERVAL_S, spent_s / STANDINGS_SHARE), MAX_STANDINGS_INTERVAL_S)
        self._standings_due_s = now_s + interval_s
        return self._standings

    def _list_results(self) -> tuple[ShownResult, ...]:
        return tuple(reversed(self._results[-MAX_RESULTS:]))

    def _count_faults(self) -> Faults:
        if self._reader.header is None:
            return Faults((), ())
        counts: list[Counter[str]] = [Counter() for _ in self._header.engines]
        for fault in self._faults:
            counts[fault.blamed][fault.ending] += 1
        return Faults(tuple(map(dict, counts)), tuple(reversed(self._faults[-MAX_FAULTS:])))


def _make_standings(outcome: RunOutcome) -> Standings:
    results = count_results(outcome.run.names, outcome.run.games)
    names = [_hide_folders(name) for name in outcome.run.names]
    return Standings(
        results=tuple(structs.replace(result, name=_hide_folders(result.name)) for result in results),
        ratings=tuple(structs.replace(rating, name=_hide_folders(rating.name)) for rating in list_ratings(outcome)),
        has_anchors=bool(outcome.ratings and outcome.ratings.anchors),
        rounds=describe_rounds(outcome.tournament, names) if outcome.tournament else None,
        sprt=_make_sprt_course(outcome),
    )


def _hide_folders(name: str) -> str:
    """Return a name without the folders of absolute paths: some logs name an engine by its command."""
    return _FOLDERS.sub("", name)


def _make_sprt_course(outcome: RunOutcome) -> SprtCourse | None:
    chart = make_sprt_chart(outcome)
    if chart is None:
        return None
    points = [(0, 0.0), *enumerate(chart.llr_history, 1)]
    step = -(-len(points) // MAX_SPRT_POINTS)
    kept = [*points[:-1:step], points[-1]]
    return SprtCourse(chart.title, chart.lower, chart.upper, tuple((pairs, round(llr, 3)) for pairs, llr in kept))
