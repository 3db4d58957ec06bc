"""Search the positions of a game with the same budget: the best line and the next best, with win probabilities."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace

import msgspec

from arena.engines.clients import make_engine_player
from arena.engines.spec import EngineSpec
from arena.errors import CommandFailedError
from arena.game_files.stored_game import StoredGame
from arena.referee.participant import is_foreign
from arena.review.grades import PROVEN_PROBABILITIES
from arena.terms.clock import TimeControl
from core.play.game import Game, Position
from core.play.player import AllMovesExcluded, Decision, IllegalMove, Limits, Player, Progress, Setup, Solver
from core.play.stop import StopToken
from core.play.win_probability import logistic_probability
from core.search.scores import win_distance
from protocols.driving.process import EngineError

FIRST_LINE_SHARE = 2 / 3  # of a position's time; the lines after the best share the rest
MARGIN_MS = 5000  # a program may be late by this much: a review forfeits no game
LENGTHENING_MS, LENGTHENING_NODES = 20, 1000  # of each further move of a proven line
MAX_LENGTHENED = 15  # moves of such a line
SOLVER_NODES = 10_000  # of a proof if the search is limited by depth
BLOCK_PLIES = 4  # positions that one player searches one after the other, so that its table serves the next


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of play that a search found, for the side to move in its position."""

    moves: tuple[str, ...]  # the first is the move that the line stands for
    probability: float | None = None  # of a win, with half of that of a draw; None if the engine reports no score
    result: str = ""  # win, loss or draw if proven
    win_in: int | None = None  # exact plies to a proven win (> 0) or loss (< 0)
    score: int | None = None  # as the engine reports it
    depth: int = 0  # plies
    nodes: int = 0


class AnalysedPosition(msgspec.Struct, frozen=True):
    """A position of the game with its best lines. `lines` is empty if the game is over there."""

    ply: int  # moves played before
    side: int  # to move
    lines: tuple[Line, ...]
    time_ms: int = 0


@dataclass(frozen=True)
class SearchSettings:
    """How positions are searched. Exactly one of time, nodes and depth is set."""

    spec: EngineSpec
    time_s: float | None = 1.0  # for all lines of a position together
    nodes: int | None = None  # for each line
    depth: int | None = None  # plies, for each line
    lines: int = 2
    threads: int = 1  # of a search, if the player has such an option
    jobs: int = 1  # positions searched at the same time
    scale: float | None = None  # of the engine's scores; None: the game's own win probability

    def enlarged(self, factor: int) -> SearchSettings:
        """Return the settings with more time or nodes, or with two more plies of depth."""
        return replace(
            self,
            time_s=None if self.time_s is None else self.time_s * factor,
            nodes=None if self.nodes is None else self.nodes * factor,
            depth=None if self.depth is None else self.depth + 2,
        )

    def limits(self, line: int, stop: StopToken) -> Limits:
        """Return the limits of the search for line number `line`, from 0."""
        if self.time_s is None:
            return Limits(nodes=self.nodes, depth=self.depth, stop=stop)
        share = 1.0 if self.lines == 1 else FIRST_LINE_SHARE if line == 0 else (1 - FIRST_LINE_SHARE) / (self.lines - 1)
        return Limits(move_time_ms=max(1, round(1000 * self.time_s * share)), stop=stop)

    def probability(self, game: Game, setup: Setup, progress: Progress) -> float | None:
        """Return the win probability of a search result; None if there is no score in it."""
        if progress.result:
            return PROVEN_PROBABILITIES[progress.result]
        if not (progress.depth or progress.score):  # a book move, or a search that was too short for an iteration
            return None
        if self.scale is not None:
            return logistic_probability(progress.score, self.scale)
        return game.win_probability(progress.score, setup)


class ReviewInterruptedError(Exception):
    """The review was stopped; what was searched before is kept."""


def search_positions(
    stored: StoredGame,
    settings: SearchSettings,
    plies: Sequence[int],
    on_searched: Callable[[AnalysedPosition], None],
    stop: StopToken | None = None,
) -> None:
    """Search the positions after `plies` moves, from the last to the first, and report each as it is done.

    Backwards, because what the table knows of later positions helps to judge the earlier ones. `on_searched` is called
    by one thread at a time. Raise CommandFailedError if the engine fails, and ReviewInterruptedError if `stop` was set.
    """
    stop = stop or StopToken()
    ordered = sorted(plies, reverse=True)
    blocks: queue.SimpleQueue[Sequence[int]] = queue.SimpleQueue()
    for begin in range(0, len(ordered), BLOCK_PLIES):
        blocks.put(ordered[begin : begin + BLOCK_PLIES])
    lock = threading.Lock()
    players: list[Player] = []

    def work() -> None:
        """Search blocks of positions until none is left or the review stops; the body of a worker thread."""
        with closing(make_engine_player(settings.spec, stored.game, TimeControl(margin_ms=MARGIN_MS))) as player:
            players.append(player)
            if "threads" in player.options:
                player.set_option("threads", settings.threads)
            player.new_game(stored.setup)
            while not stop.is_set:
                try:
                    block = blocks.get_nowait()
                except queue.Empty:
                    return
                for ply in block:
                    if stop.is_set:
                        return
                    found = search_position(player, stored, ply, settings, stop)
                    if stop.is_set:  # the search was cut short
                        return
                    with lock:
                        on_searched(found)

    if not ordered:
        return
    jobs = max(1, min(settings.jobs, blocks.qsize()))
    with ThreadPoolExecutor(jobs) as pool:
        workers = [pool.submit(work) for _ in range(jobs)]
        try:
            done, _ = wait(workers, return_when=FIRST_EXCEPTION)
            for worker in done:
                worker.result()
        except BaseException as error:
            stop.set()
            for player in players:
                if is_foreign(player):  # it does not see the stop token
                    player.interrupt()
            if isinstance(error, EngineError):
                raise CommandFailedError(f"{settings.spec.name}: {error}") from error
            raise
    if stop.is_set:
        raise ReviewInterruptedError


def search_position(
    player: Player, stored: StoredGame, ply: int, settings: SearchSettings, stop: StopToken
) -> AnalysedPosition:
    """Search one position: the best line, then the best line without the moves found so far, and so on.

    Each line is searched alone, because a search of several lines at once uses neither solvers nor threat searches.
    """
    position = stored.position(ply)
    if position.outcome() is not None:
        return AnalysedPosition(ply, position.to_move, ())
    player.set_position(stored.moves[:ply])
    begun = time.perf_counter()
    lines = _solve(player, settings, stop)
    moves = position.legal_moves()
    while len(lines) < min(settings.lines, len(moves)) and not stop.is_set:
        excluded = tuple(line.moves[0] for line in lines)
        try:
            decision = player.choose(replace(settings.limits(len(lines), stop), excluded_moves=excluded))
        except AllMovesExcluded:
            break
        line = _make_line(decision, position, stored, settings)
        if line is None or line.moves[0] in excluded:  # a program may resign, or ignore the excluded moves
            break
        lines.append(_bounded_by(lines[0], line) if lines else line)
    if lines and not stop.is_set:
        lines[0] = _lengthen(player, lines[0], stored, ply, settings)
    elapsed_ms = round(1000 * (time.perf_counter() - begun))
    return AnalysedPosition(ply, position.to_move, tuple(_sort_lines(lines)), elapsed_ms)


def _solve(player: Player, settings: SearchSettings, stop: StopToken) -> list[Line]:
    """Return the line that the player's solver proves, if any.

    With a time limit the search itself uses the solver; with a limit of nodes or depth it does not.
    """
    if settings.time_s is not None or not isinstance(player, Solver):
        return []
    solution = player.solve(Limits(nodes=settings.nodes or SOLVER_NODES, stop=stop))
    if solution.result == "unknown" or not solution.move:
        return []
    sign = -1 if solution.result == "loss" else 1
    win_in = None if solution.distance is None or solution.result == "draw" else sign * solution.distance
    return [Line((solution.move,), PROVEN_PROBABILITIES[solution.result], solution.result, win_in)]


def _make_line(decision: Decision, position: Position, stored: StoredGame, settings: SearchSettings) -> Line | None:
    """Return the line of a decision, with as much of its variation as is legal; None if it is no legal move."""
    progress = decision.progress
    variation = progress.pv if progress.pv[:1] == (decision.move,) else (decision.move,)
    legal = _play_variation(position, variation)
    if not legal:
        return None
    distance = progress.win_in or win_distance(progress.score)
    result = progress.result or ("" if distance is None else "win" if distance > 0 else "loss")
    scored = progress if not result else replace(progress, proven_result=result)
    return Line(
        legal,
        settings.probability(stored.game, stored.setup, scored),
        result,
        progress.win_in or None,
        progress.score,
        progress.depth,
        progress.nodes,
    )


def _lengthen(player: Player, line: Line, stored: StoredGame, ply: int, settings: SearchSettings) -> Line:
    """Return a line that is proven to win or lose with the moves that follow it, to the end of the game if it is near.

    Tables and solvers give a single move, and searches often a part of the line.
    """
    if line.result not in ("win", "loss"):
        return line
    position, moves = stored.position(ply), list(line.moves)
    for move in moves:
        position.play(move)
    longest = min(MAX_LENGTHENED, abs(line.win_in)) if line.win_in else MAX_LENGTHENED
    limits = Limits(move_time_ms=LENGTHENING_MS) if settings.time_s is not None else Limits(nodes=LENGTHENING_NODES)
    while len(moves) < longest and position.outcome() is None:
        player.set_position([*stored.moves[:ply], *moves])
        decision = player.choose(limits)
        following = _play_variation(position, (decision.move,))
        if not following:
            break
        moves += following
        position.play(following[0])
    return msgspec.structs.replace(line, moves=tuple(moves))


def _bounded_by(best: Line, line: Line) -> Line:
    """Return a line that was found when `best` was excluded, worth no more than a proven `best`."""
    if best.result not in ("draw", "loss") or line.probability is None or line.result:
        return line
    if best.result == "loss":  # every move loses
        return msgspec.structs.replace(line, probability=0.0, result="loss")
    return msgspec.structs.replace(line, probability=min(line.probability, PROVEN_PROBABILITIES["draw"]))


def _play_variation(position: Position, variation: Sequence[str]) -> tuple[str, ...]:
    played = []
    for move in variation:
        try:
            position.play(move)
        except IllegalMove:
            break
        played.append(move)
    for _ in played:
        position.undo()
    return tuple(played)


def _sort_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the best first: the search for a later one may find that its move is better.

    A book move, which has no score, stays first; the move of a search that was too short for a score comes last.
    """

    def rank(index: int) -> float:
        line = lines[index]
        if line.probability is None:
            return -2.0 if index == 0 and line.nodes == 0 else 1.0
        return -line.probability

    return [lines[index] for index in sorted(range(len(lines)), key=rank)]


def select_plies(stored: StoredGame, first: int | None, last: int | None, known: Mapping[int, object]) -> list[int]:
    """Return the plies to search for a review of the moves `first` to `last` (from 1), except those already known."""
    begin = max((first or 1) - 1, stored.opening_plies)
    end = min(last or len(stored.moves), len(stored.moves))
    return [ply for ply in range(begin, end + 1) if ply not in known]
