"""A game between a person and an engine: the board, the turn, and what the person may do. It knows no web.

All is done under one lock. `version` grows with every change, so that a page can wait for the next one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import structs

from arena.errors import UsageError
from arena.options.play import Person
from arena.referee.game import outcome_by_rule
from arena.terms.arguments import choose_setup
from arena.web.painters import find_painter
from arena.web.play.analyst import ANALYSIS, HINT, Analyst, Insight, make_insight
from arena.web.play.game_text import read_game, write_game, write_position
from arena.web.play.opponents import Opponent
from arena.web.play.state import MOST_MOVE_TIME_MS, NewGameTerms, Refused, Result, State, View
from arena.web.play.thinker import Order, Thinker
from core.play.game import FIRST, SECOND, Game, Position
from core.play.player import RESIGN, BadSetup, Decision, IllegalMove, Limits, Progress
from core.play.scene import DrawnBoard
from core.search.engine_options import MAX_LEVEL

_SIDES: dict[Person, tuple[int, ...]] = {"first": (FIRST,), "second": (SECOND,), "both": (FIRST, SECOND), "none": ()}


class PlayTable:
    """One game at a time, with its engine and an analyst. `opponents` are those that may be chosen."""

    def __init__(self, game: Game, opponents: list[Opponent], terms: NewGameTerms) -> None:
        self.game = game
        self.opponents = {opponent.name: opponent for opponent in opponents}
        self.version = 0
        self._painter = find_painter(game)
        self._lock = threading.RLock()
        self._games = self._turn = 0  # `_turn` grows with every change of the position
        self._engine: Thinker | None = None
        self._analyst = Analyst(game, self._painter, self._change)
        self._analysing = False
        self._result: Result | None = None
        self._told: Insight | None = None
        self.new_game(terms)

    def close(self) -> None:
        """End both engines."""
        if self._engine is not None:
            self._engine.close()
        self._analyst.close()

    def new_game(self, terms: NewGameTerms) -> None:
        """Begin another game; raise Refused where there is no such opponent, level, board or rule."""
        position = self._check(terms)
        with self._lock:
            self._begin(position, terms)

    def load(self, text: str) -> None:
        """Go on with a game or a position that was written down, on the present terms; raise Refused."""
        with self._lock:
            try:
                position = read_game(self.game, text, self._position.setup)
            except (BadSetup, IllegalMove) as error:
                raise Refused(str(error)) from None
            setup = position.setup
            size = setup.width if setup.width and setup.width == setup.height else None
            self._begin(position, structs.replace(self._terms, size=size, variant=setup.variant))

    def play(self, move: str, ply: int) -> None:
        """Play the person's move in the position after `ply` moves; raise Refused."""
        with self._lock:
            self._check_going_on()
            if ply != len(self._position.moves) or self._position.to_move not in self._people:
                raise Refused(f"{move}: it is not your turn, or the position has changed")
            try:
                self._position.play(move)
            except IllegalMove as error:
                raise Refused(str(error)) from None
            self._go_on()

    def undo(self) -> None:
        """Take moves back until it is the person's turn again; raise Refused where the person has not moved."""
        with self._lock:
            turns = self._list_turns()
            last = max((ply for ply, side in enumerate(turns) if side in self._people), default=None)
            if last is None:
                raise Refused("there is no move of yours to take back")
            for _ in turns[last:]:
                self._position.undo()
            self._result = self._told = None
            self._go_on()

    def rewind(self, ply: int) -> None:
        """Go on from the position after `ply` moves, whoever is to move there; raise Refused where there is none."""
        with self._lock:
            self._check_ply(ply)
            for _ in self._position.moves[ply:]:
                self._position.undo()
            self._result = self._told = None
            self._go_on()

    def resign(self) -> None:
        """Give the game up for the person, or for the side to move where the person plays both; raise Refused."""
        with self._lock:
            self._check_going_on()
            if not self._people:
                raise Refused("you play neither side")
            loser = self._position.to_move if len(self._people) > 1 else self._people[0]
            self._result = Result(1 - loser, "resignation")
            self._go_on()

    def analyse(self, on: bool) -> None:
        """Switch the analysis on or off."""
        with self._lock:
            self._analysing = on
            self._look()
            self._change()

    def hint(self) -> None:
        """Look for the best move once; it appears as analysis. Raise Refused where the person is not to move."""
        with self._lock:
            self._check_going_on()
            if self._position.to_move not in self._people:
                raise Refused("it is not your turn")
            self._analyst.look(self._position, HINT)
            self._change()

    def restart_engine(self) -> None:
        """Start the engine anew after it failed, and let it think again where it is to move."""
        with self._lock:
            self._replace_engine()
            self._go_on()

    def board(self) -> DrawnBoard:
        """What all scenes of the present game share."""
        with self._lock:
            return self._painter.make_board(self._position.setup)

    def look_at(self, ply: int) -> View:
        """The position after `ply` moves, to be seen only; raise Refused where there is none."""
        with self._lock, self._taken_back_to(ply) as position:
            return View(self._games, ply, position.to_move, self._painter.make_scene(position))

    def state(self) -> State:
        """All that a page shows."""
        with self._lock:
            to_move = self._position.to_move
            is_persons = self._result is None and to_move in self._people
            legal = self._painter.list_clicks(self._position) if is_persons else {}
            return State(
                version=self.version,
                board=self._games,
                moves=tuple(self._position.moves),
                to_move=to_move,
                players=(self._name(FIRST), self._name(SECOND)),
                people=self._people,
                terms=self._terms,
                scene=self._painter.make_scene(self._position),
                legal={move: tuple(steps) for move, steps in legal.items()},
                result=self._result,
                thinking=self._thinking,
                failure=self._failure,
                told=self._told,
                analysing=self._analysing,
                looking=self._analyst.busy,
                analysis=self._analyst.lines,
                analysis_failure=self._analyst.failure,
                game_text=write_game(self.game, self._position, " against ".join(map(self._name, (FIRST, SECOND)))),
                position_text=write_position(self.game, self._position),
            )

    @property
    def _people(self) -> tuple[int, ...]:
        return _SIDES[self._terms.person]

    @property
    def _opponent(self) -> Opponent:
        return self.opponents[self._terms.opponent]

    def _name(self, side: int) -> str:
        if side in self._people:
            return "you"
        level = self._terms.level or self._opponent.level
        return self._opponent.name + (f", level {level}" if self._opponent.level is not None else "")

    def _check(self, terms: NewGameTerms) -> Position:
        """The start of a game on these terms; raise Refused."""
        if terms.opponent not in self.opponents:
            raise Refused(f"unknown opponent {terms.opponent!r}; known: {', '.join(self.opponents)}")
        if terms.level is not None and not 1 <= terms.level <= MAX_LEVEL:
            raise Refused(f"the level must be 1..{MAX_LEVEL}, not {terms.level}")
        if not 1 <= terms.move_time_ms <= MOST_MOVE_TIME_MS:
            raise Refused(f"the time for a move must be 1..{MOST_MOVE_TIME_MS} ms, not {terms.move_time_ms}")
        try:
            return self.game.new_position(choose_setup(self.game, terms.size, terms.variant))
        except (UsageError, BadSetup) as error:
            raise Refused(str(error)) from None

    def _begin(self, position: Position, terms: NewGameTerms) -> None:
        self._games += 1
        self._position = position
        self._terms = terms
        self._result = self._told = None
        self._replace_engine()
        self._go_on()

    def _check_going_on(self) -> None:
        if self._result is not None:
            raise Refused("the game is over")

    def _check_ply(self, ply: int) -> None:
        most = len(self._position.moves)
        if not 0 <= ply <= most:
            raise Refused(f"the game has positions after 0..{most} moves, not after {ply}")

    @contextmanager
    def _taken_back_to(self, ply: int) -> Iterator[Position]:
        """The position with its later moves taken back for a moment; raise Refused where it has not so many."""
        self._check_ply(ply)
        later = self._position.moves[ply:]
        for _ in later:
            self._position.undo()
        try:
            yield self._position
        finally:
            for move in later:
                self._position.play(move)

    def _list_turns(self) -> list[int]:
        """Who made each move: in Kolibrat sides do not always alternate."""
        replayed = self.game.new_position(self._position.setup)
        turns = []
        for move in self._position.moves:
            turns.append(replayed.to_move)
            replayed.play(move)
        return turns

    def _change(self) -> None:
        with self._lock:
            self.version += 1

    def _go_on(self) -> None:
        """After any change of the position: look for the end, then let engine and analyst think."""
        self._turn += 1
        self._result = self._result or self._judge()
        self._thinking = self._result is None and self._position.to_move not in self._people and not self._failure
        if self._thinking:
            self._ask_engine()
        elif self._engine is not None:
            self._engine.cancel()
        self._look()
        self._change()

    def _judge(self) -> Result | None:
        """The end by rule."""
        end = outcome_by_rule(self.game, self._position)
        return Result(end.winner, end.reason) if end else None

    def _look(self) -> None:
        """Analyse the position where that is wanted, but never beside an engine that thinks about its move."""
        if self._analysing and self._result is None and not self._thinking:
            self._analyst.look(self._position, ANALYSIS)
        else:
            self._analyst.stop()

    def _replace_engine(self) -> None:
        """A new engine, or none where the person plays both sides. The old one may take its time to end."""
        if self._engine is not None:
            threading.Thread(target=self._engine.close, name="farewell").start()
        self._engine, self._failure = None, ""
        if self._terms.person != "both":
            opponent, level = self._opponent, self._terms.level
            self._engine = Thinker(opponent.name, lambda: opponent.start(self.game, level))

    def _ask_engine(self) -> None:
        """Let the engine choose. What it says comes on its thread, perhaps after the position has changed."""
        assert self._engine is not None
        turn, steps = self._turn, self._painter.list_clicks(self._position)

        def on_progress(progress: Progress) -> None:
            if progress.pv and progress.pv_index == 1:
                self._at(turn, lambda: self._tell(make_insight(progress, progress.pv[0], steps)))

        def on_decision(decision: Decision) -> None:
            self._at(turn, lambda: self._take(decision, make_insight(decision.progress, decision.move, steps)))

        def on_failure(text: str) -> None:
            self._at(turn, lambda: self._fail(text))

        limits = Limits(move_time_ms=self._terms.move_time_ms)
        moves = tuple(self._position.moves)
        self._engine.ask(Order(self._position.setup, moves, limits, on_progress, on_decision, on_failure))

    def _at(self, turn: int, act: Callable[[], None]) -> None:
        with self._lock:
            if turn == self._turn:
                act()

    def _tell(self, insight: Insight) -> None:
        self._told = insight
        self._change()

    def _take(self, decision: Decision, insight: Insight) -> None:
        self._told = insight
        if decision.move.lower() == RESIGN:
            self._result = Result(1 - self._position.to_move, "resignation")
            self._go_on()
            return
        try:
            self._position.play(decision.move)
        except IllegalMove as error:
            self._fail(f"an illegal move: {error}")
        else:
            self._go_on()

    def _fail(self, text: str) -> None:
        self._failure, self._thinking = text, False
        self._change()
