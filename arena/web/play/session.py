"""The game of the play page, with the commands of the page. A person plays both sides, one of them or neither.

The sides that the person does not play are played by an engine. This module knows nothing of the web server.

One lock guards the game, as the server and the engines call from several threads. `version` grows with every change,
so that a page can wait for the next state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import structs

from arena.errors import UsageError
from arena.game_files.stored_game import StoredGame
from arena.options.play import Person
from arena.referee.game import outcome_by_rule
from arena.terms.arguments import choose_setup
from arena.web.painters import find_painter
from arena.web.play.analyst import ANALYSIS, HINT, AnalysisLine, Analyst, make_analysis_line
from arena.web.play.game_review import BackgroundReview
from arena.web.play.game_text import read_game, write_game, write_position
from arena.web.play.opponents import Opponent
from arena.web.play.player_thread import EngineRequest, PlayerThread
from arena.web.play.state import MAX_MOVE_TIME_MS, CommandRefused, NewGameSettings, Result, State, View
from core.play.game import FIRST, SECOND, Game, Position
from core.play.player import RESIGN, BadSetup, Decision, IllegalMove, Limits, Progress
from core.play.scene import DrawnBoard
from core.search.engine_options import MAX_LEVEL

_SIDES_OF_PERSON: dict[Person, tuple[int, ...]] = {
    "first": (FIRST,),
    "second": (SECOND,),
    "both": (FIRST, SECOND),
    "none": (),
}


class PlaySession:
    """The current game, its engine and the analyst. `opponents` has the engines that a new game may choose, by name."""

    def __init__(self, game: Game, opponents: list[Opponent], settings: NewGameSettings) -> None:
        self.game = game
        self.opponents = {opponent.name: opponent for opponent in opponents}
        self.version = 0
        self._painter = find_painter(game)
        self._lock = threading.RLock()
        self._game_number = 0
        # grows with every change of position, result or engine, to recognize results of outdated searches
        self._position_number = 0
        self._engine: PlayerThread | None = None  # None if the person plays both sides
        self._analyst = Analyst(game, self._painter, self._notify)
        self._analysis_on = False
        self._result: Result | None = None
        self._engine_line: AnalysisLine | None = None
        self._review: BackgroundReview | None = None
        self.new_game(settings)

    def close(self) -> None:
        """End the engine, the analyst and the review."""
        if self._engine is not None:
            self._engine.close()
        self._analyst.close()
        if self._review is not None:
            self._review.close()

    def new_game(self, settings: NewGameSettings) -> None:
        """Begin a new game; raise CommandRefused if a setting is not allowed."""
        position = self._make_position(settings)
        with self._lock:
            self._begin(position, settings)

    def load(self, text: str) -> None:
        """Begin a new game at the end of a game, or at a position, given as text; raise CommandRefused.

        Opponent, level, sides and time stay as they are.
        """
        with self._lock:
            try:
                position = read_game(self.game, text, self._position.setup)
            except (BadSetup, IllegalMove) as error:
                raise CommandRefused(str(error)) from None
            setup = position.setup
            size = setup.width if setup.width and setup.width == setup.height else None
            self._begin(position, structs.replace(self._settings, size=size, variant=setup.variant))

    def play(self, move: str, ply: int) -> None:
        """Play the person's move in the position after `ply` moves; raise CommandRefused."""
        with self._lock:
            self._require_game_in_progress()
            if ply != len(self._position.moves) or self._position.to_move not in self._people:
                raise CommandRefused(f"{move}: it is not your turn, or the position has changed")
            try:
                self._position.play(move)
            except IllegalMove as error:
                raise CommandRefused(str(error)) from None
            self._position_changed()

    def undo(self) -> None:
        """Take back the person's last move and all moves after it; raise CommandRefused if there is none."""
        with self._lock:
            movers = self._list_movers()
            last = max((ply for ply, side in enumerate(movers) if side in self._people), default=None)
            if last is None:
                raise CommandRefused("there is no move of yours to take back")
            self._take_back_to(last)

    def rewind(self, ply: int) -> None:
        """Continue from the position after `ply` moves; raise CommandRefused if the game has fewer moves."""
        with self._lock:
            self._check_ply(ply)
            self._take_back_to(ply)

    def resign(self) -> None:
        """Resign for the person, for the side to move if the person plays both; raise CommandRefused."""
        with self._lock:
            self._require_game_in_progress()
            if not self._people:
                raise CommandRefused("you play neither side")
            loser = self._position.to_move if len(self._people) > 1 else self._people[0]
            self._result = Result(1 - loser, "resignation")
            self._position_changed()

    def set_analysis(self, on: bool) -> None:
        """Switch the analysis on or off."""
        with self._lock:
            self._analysis_on = on
            self._update_analysis()
            self._notify()

    def hint(self) -> None:
        """Search briefly for the best move, shown as analysis.

        Raise CommandRefused if the game is over or the person is not to move.
        """
        with self._lock:
            self._require_game_in_progress()
            if self._position.to_move not in self._people:
                raise CommandRefused("it is not your turn")
            self._analyst.analyse(self._position, HINT)
            self._notify()

    def start_review(self) -> None:
        """Review the moves so far in the background; raise CommandRefused if there is no move."""
        with self._lock:
            if not self._position.moves:
                raise CommandRefused("there is no move to review")
            previous_review, names = self._review, (self._player_name(FIRST), self._player_name(SECOND))
            if previous_review is not None:
                threading.Thread(target=previous_review.close, name="close review").start()
            result = "" if self._result is None else self._result.reason
            stored = StoredGame(self.game, self._position.setup, tuple(self._position.moves), names, result)
            self._review = BackgroundReview(stored, self._notify)
            self._notify()

    def review_page(self) -> str:
        """Return the page of the last review; raise CommandRefused if there is none that is ready."""
        page = self._review.page if self._review is not None else ""
        if not page:
            raise CommandRefused("no review is ready")
        return page

    def restart_engine(self) -> None:
        """Start the engine again after a failure; it searches if it is to move."""
        with self._lock:
            self._replace_engine()
            self._position_changed()

    def board(self) -> DrawnBoard:
        """Return the drawing that all scenes of the current game share."""
        with self._lock:
            return self._painter.make_board(self._position.setup)

    def view(self, ply: int) -> View:
        """Return the position after `ply` moves; raise CommandRefused if the game has fewer moves."""
        with self._lock, self._temporarily_at(ply) as position:
            return View(self._game_number, ply, position.to_move, self._painter.make_scene(position))

    def state(self) -> State:
        """Return everything that the page shows."""
        with self._lock:
            to_move = self._position.to_move
            is_persons_turn = self._result is None and to_move in self._people
            legal = self._painter.list_clicks(self._position) if is_persons_turn else {}
            players = (self._player_name(FIRST), self._player_name(SECOND))
            return State(
                version=self.version,
                game_number=self._game_number,
                moves=tuple(self._position.moves),
                to_move=to_move,
                players=players,
                people=self._people,
                settings=self._settings,
                scene=self._painter.make_scene(self._position),
                legal={move: tuple(clicks) for move, clicks in legal.items()},
                result=self._result,
                is_thinking=self._is_thinking,
                failure=self._failure,
                engine_line=self._engine_line,
                analysis_on=self._analysis_on,
                analyst_is_busy=self._analyst.is_busy,
                analysis=self._analyst.lines,
                analysis_failure=self._analyst.failure,
                review=self._review.progress if self._review is not None else None,
                game_text=write_game(self.game, self._position, " against ".join(players)),
                position_text=write_position(self.game, self._position),
            )

    @property
    def _people(self) -> tuple[int, ...]:
        return _SIDES_OF_PERSON[self._settings.person]

    @property
    def _opponent(self) -> Opponent:
        return self.opponents[self._settings.opponent]

    def _player_name(self, side: int) -> str:
        if side in self._people:
            return "you"
        level = self._settings.level or self._opponent.level
        return self._opponent.name + (f", level {level}" if self._opponent.level is not None else "")

    def _make_position(self, settings: NewGameSettings) -> Position:
        """Return the start position for the settings; raise CommandRefused if a setting is not allowed."""
        if settings.opponent not in self.opponents:
            raise CommandRefused(f"unknown opponent {settings.opponent!r}; known: {', '.join(self.opponents)}")
        if settings.level is not None and not 1 <= settings.level <= MAX_LEVEL:
            raise CommandRefused(f"the level must be 1..{MAX_LEVEL}, not {settings.level}")
        if not 1 <= settings.move_time_ms <= MAX_MOVE_TIME_MS:
            raise CommandRefused(f"the time per move must be 1..{MAX_MOVE_TIME_MS} ms, not {settings.move_time_ms}")
        try:
            return self.game.new_position(choose_setup(self.game, settings.size, settings.variant))
        except (UsageError, BadSetup) as error:
            raise CommandRefused(str(error)) from None

    def _begin(self, position: Position, settings: NewGameSettings) -> None:
        self._game_number += 1
        self._position = position
        self._settings = settings
        self._result = self._engine_line = None
        self._replace_engine()
        self._position_changed()

    def _require_game_in_progress(self) -> None:
        if self._result is not None:
            raise CommandRefused("the game is over")

    def _check_ply(self, ply: int) -> None:
        count = len(self._position.moves)
        if not 0 <= ply <= count:
            raise CommandRefused(f"the ply must be 0..{count}, the moves of the game, not {ply}")

    def _take_back_to(self, ply: int) -> None:
        for _ in self._position.moves[ply:]:
            self._position.undo()
        self._result = self._engine_line = None
        self._position_changed()

    @contextmanager
    def _temporarily_at(self, ply: int) -> Iterator[Position]:
        """Take back the moves after `ply`, and play them again at the end; raise CommandRefused for a wrong ply."""
        self._check_ply(ply)
        later = self._position.moves[ply:]
        for _ in later:
            self._position.undo()
        try:
            yield self._position
        finally:
            for move in later:
                self._position.play(move)

    def _list_movers(self) -> list[int]:
        """Return the side that made each move; they need not alternate, as Kolibrat skips a side without moves."""
        replayed = self.game.new_position(self._position.setup)
        movers = []
        for move in self._position.moves:
            movers.append(replayed.to_move)
            replayed.play(move)
        return movers

    def _notify(self) -> None:
        with self._lock:
            self.version += 1

    def _position_changed(self) -> None:
        """After a change of position, result or engine: look for the end of the game, then start or stop searches."""
        self._position_number += 1
        self._result = self._result or self._find_result()
        self._is_thinking = self._result is None and self._position.to_move not in self._people and not self._failure
        if self._is_thinking:
            self._start_search()
        elif self._engine is not None:
            self._engine.cancel()
        self._update_analysis()
        self._notify()

    def _find_result(self) -> Result | None:
        outcome = outcome_by_rule(self.game, self._position)
        return Result(outcome.winner, outcome.reason) if outcome else None

    def _update_analysis(self) -> None:
        """Start or stop the analysis. It does not run while the engine thinks, so as not to slow the engine down."""
        if self._analysis_on and self._result is None and not self._is_thinking:
            self._analyst.analyse(self._position, ANALYSIS)
        else:
            self._analyst.stop()

    def _replace_engine(self) -> None:
        """Start a new engine, or none if the person plays both sides. The old one ends on a thread of its own."""
        if self._engine is not None:
            threading.Thread(target=self._engine.close, name="close engine").start()
        self._engine, self._failure = None, ""
        if self._settings.person != "both":
            opponent, level = self._opponent, self._settings.level
            self._engine = PlayerThread(opponent.name, lambda: opponent.start(self.game, level))

    def _start_search(self) -> None:
        """Start the engine's search. Its results are ignored if the position has changed when they arrive."""
        assert self._engine is not None
        position_number, clicks = self._position_number, self._painter.list_clicks(self._position)

        def on_progress(progress: Progress) -> None:
            if progress.pv and progress.pv_index == 1:
                line = make_analysis_line(progress, progress.pv[0], clicks)
                self._call_if_current(position_number, lambda: self._set_engine_line(line))

        def on_decision(decision: Decision) -> None:
            line = make_analysis_line(decision.progress, decision.move, clicks)
            self._call_if_current(position_number, lambda: self._play_decision(decision, line))

        def on_failure(text: str) -> None:
            self._call_if_current(position_number, lambda: self._fail(text))

        limits = Limits(move_time_ms=self._settings.move_time_ms)
        moves = tuple(self._position.moves)
        self._engine.submit(EngineRequest(self._position.setup, moves, limits, on_progress, on_decision, on_failure))

    def _call_if_current(self, position_number: int, act: Callable[[], None]) -> None:
        with self._lock:
            if position_number == self._position_number:
                act()

    def _set_engine_line(self, line: AnalysisLine) -> None:
        self._engine_line = line
        self._notify()

    def _play_decision(self, decision: Decision, line: AnalysisLine) -> None:
        self._engine_line = line
        if decision.move.lower() == RESIGN:
            self._result = Result(1 - self._position.to_move, "resignation")
            self._position_changed()
            return
        try:
            self._position.play(decision.move)
        except IllegalMove as error:
            self._fail(f"an illegal move: {error}")
        else:
            self._position_changed()

    def _fail(self, text: str) -> None:
        self._failure, self._is_thinking = text, False
        self._notify()
