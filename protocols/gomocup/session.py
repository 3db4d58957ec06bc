"""Gomocup (Piskvork pipe) protocol, our side: a session takes lines and writes lines through a callable.

Commands are answered in the order in which they came. While the player thinks,
- END ends the session, and nothing more is written;
- STOP, YXSTOP and an interrupt make the player answer at once; without a search they do nothing and say nothing;
- INFO timeout_turn 0, which Piskvork sends to have a move now, does so, too, and then sets the time as any INFO does;
- START, RECTSTART and RESTART abandon the game: the search ends, its move is not written, commands that waited are
  dropped (INFO lines, blocked squares and YXHASHCLEAR are kept), and only the new command is answered; but GUIs of
  Yixin's family count the moves that they have asked for by BEGIN, TURN and BOARD, and get the abandoned one first,
  which they throw away;
- everything else waits until the move is out. Nothing is lost, as the queue belongs to the session, not to the search.

BEGIN on a board with stones makes the player move for the side whose turn it is. A decided game is played on as long as
a square is free. BOARD and its kin are consumed up to DONE even where they are wrong, with one ERROR at the end; only
END, STOP, INFO and the START family are obeyed inside them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from core.play.player import Player, Setup
from protocols.gomocup.board import MAX_SIDE, ManagerBoard
from protocols.gomocup.negotiation import parse_swap2, reply_to_swap2board
from protocols.gomocup.search import ForbiddenPoints, GomocupSearch, GomocupThinker, HashTable, Swap2Player
from protocols.gomocup.settings import Settings
from protocols.gomocup.text import (
    CONTINUOUS,
    RENJU,
    UNLIMITED_MS,
    WALL,
    YIXIN_RENJU,
    About,
    Point,
    check_point,
    colour_walls,
    format_about,
    format_forbidden,
    format_point,
    order_stones,
    parse_point,
    parse_stone,
    split_command,
)
from protocols.gomocup.yixin import BODY_WORDS as YIXIN_BODY_WORDS
from protocols.gomocup.yixin import FIRST_STEPS, PATH_WORDS, Host, OpeningSteps, YixinWords
from protocols.serving.command_session import REFUSALS, Write
from protocols.serving.runner import CommandRunner, Job
from protocols.text import ECHO_LENGTH, CommandError, clean_text, echo, parse_number

STOP_WORDS = frozenset({"STOP", "YXSTOP"})
NEW_GAME_WORDS = frozenset({"START", "RECTSTART", "RESTART"}) | FIRST_STEPS
BLOCK_WORDS = frozenset({"YXBLOCK", "YXBLOCKUNDO"})
BODY_WORDS = frozenset({"BOARD", "YXBOARD", "SWAP2BOARD"}) | BLOCK_WORDS | YIXIN_BODY_WORDS
MAX_BODY_LINES = 2 * MAX_SIDE * MAX_SIDE  # a longer body names some square twice, so cutting it keeps it wrong


class GomocupSession:
    """One conversation with a manager. One thread calls `handle`; `close` may come from any thread.

    With `threaded=False` the player thinks inside `handle`, so a test sees the answer when the call returns.
    """

    def __init__(
        self,
        player: Player,
        write: Write,
        variant_of_rule: Callable[[int], str],
        about: About | None = None,
        *,
        threaded: bool = True,
    ) -> None:
        self._player = player
        self._write = write
        self._variant_of_rule = variant_of_rule
        self._about = about or About()
        self._settings = Settings()
        self._board: ManagerBoard | None = None
        self._blocked: set[Point] = set()  # also for later games, as GUIs tell them before they set up the board
        self._is_yixin = False  # the manager is a GUI of Yixin's family
        self._body: tuple[str, str, list[str]] | None = None  # an unfinished BOARD or the like: word, rest, lines
        self._lock = threading.Lock()  # guards _new_games and _closed
        self._new_games = 0  # START and the like that have come but not been run
        self._closed = False
        self._stopped = 0  # the last line that the word to stop was for, by the runner's number
        self._steps = OpeningSteps()
        self._runner = CommandRunner(self._run_line, threaded=threaded)
        self._thinker = GomocupThinker(player, self._say, self._is_abandoned, self._is_stopped, self._runner.clock)
        yixin = YixinWords(
            player,
            self._thinker,
            Host(self._say, self._need_board, self._put_board, self._begin_game, self._new_search, self._points),
        )
        self._handlers: dict[str, Callable[[str], Job | None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": lambda _: self._think(),
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._takeback,
            "INFO": self._info,
            "ABOUT": lambda _: self._say(format_about(self._about)),
            "YXNBEST": self._nbest,
            "YXSHOWINFO": self._show_info,
            "YXSHOWFORBID": self._show_forbidden,
            "YXHASHCLEAR": self._clear_hash,
            "YXBLOCKRESET": lambda _: self._blocked.clear(),
            **yixin.words,
        }
        self._body_handlers: dict[str, Callable[[str, list[str]], Job | None]] = {
            "BOARD": lambda _, lines: self._set_board_and_think(lines),
            "YXBOARD": lambda _, lines: self._set_board_only(lines),
            "SWAP2BOARD": lambda _, lines: self._swap2(lines),
            "YXBLOCK": lambda _, lines: self._blocked.update(self._points("YXBLOCK", lines)),
            "YXBLOCKUNDO": lambda _, lines: self._blocked.difference_update(self._points("YXBLOCKUNDO", lines)),
            **yixin.bodies,
        }

    def handle(self, line: str, since_ns: int | None = None) -> bool:
        """Take one line of the manager, who may be waiting since then; False where the session has ended."""
        word, _ = split_command(line)
        if word == "END" or self._closed:
            self.close()
            return False
        if word in STOP_WORDS:
            self.interrupt()
            return True
        if _wants_move_now(line):
            self.interrupt()
        self._steps.hear(word, self._runner.last + 1, begins_game=word in NEW_GAME_WORDS)
        if word in NEW_GAME_WORDS:
            with self._lock:
                self._new_games += 1
            if not self._steps.holds(self._runner.current):
                self._runner.keep_waiting(_outlives_game())
                self._thinker.decider.stop()
        self._runner.submit(line, since_ns)
        return True

    def interrupt(self) -> None:
        """Have all that has come answered at once. Called from any thread."""
        self._stopped = self._runner.last
        self._thinker.decider.stop()

    def close(self) -> None:
        """End a running search without an answer; nothing is written from now on."""
        with self._lock:
            self._closed = True
        self._runner.keep_waiting(lambda _: False)
        self._thinker.decider.stop()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until every line is dealt with; False where that took too long."""
        return self._runner.wait_idle(timeout_s)

    def _is_abandoned(self) -> bool:
        """Whether the present search has lost its game: its move must not be written."""
        with self._lock:
            return self._closed or (self._new_games > 0 and not self._steps.holds(self._runner.current))

    def _is_stopped(self) -> bool:
        """Whether the present search was told to stop, be it before it began."""
        return self._runner.current <= self._stopped

    def _say(self, text: str) -> None:
        if not self._closed:
            self._write(text)

    def _run_line(self, line: str) -> Job | None:
        """Run one line. A command that fails answers ERROR and changes nothing; a bug in one must not end the game."""
        word, rest = split_command(line)
        if word in NEW_GAME_WORDS:
            with self._lock:
                self._new_games -= 1
        try:
            return self._dispatch(word, rest, line)
        except REFUSALS as error:
            self._say(f"ERROR {clean_text(str(error))}")
        except Exception as error:
            self._thinker.decider.forget()
            self._say(f"ERROR internal {clean_text(f'{type(error).__name__}: {error}')}")
        return None

    def _dispatch(self, word: str, rest: str, line: str) -> Job | None:
        if word in NEW_GAME_WORDS:
            self._body = None
        elif self._body is not None and word != "INFO":
            return self._continue_body(word, line)
        if word in PATH_WORDS and rest:
            return self._body_handlers[word](rest, [])
        if word in BODY_WORDS:
            self._body = (word, rest, [])
        elif word in self._handlers:
            return self._handlers[word](rest)
        elif word:
            self._say(f"UNKNOWN {clean_text(line, ECHO_LENGTH)}")
        return None

    def _continue_body(self, word: str, line: str) -> Job | None:
        assert self._body is not None
        command, rest, lines = self._body
        if word == "DONE" or (word and command in PATH_WORDS):
            self._body = None
            return self._body_handlers[command](rest, lines)
        if word and len(lines) < MAX_BODY_LINES:
            lines.append(line)
        return None

    def _start(self, rest: str) -> None:
        """YixinBoard names both sides, and says x of what is y here: columns, rows for squares of row, column."""
        if len(rest.split()) == 2:
            height, width = _parse_sides("START n", rest.replace(" ", ","), 2)
        else:
            width = height = _parse_sides("START n", rest, 1)[0]
        self._new_game(width, height)

    def _rectstart(self, rest: str) -> None:
        width, height = _parse_sides("RECTSTART width,height", rest, 2)
        self._new_game(width, height)

    def _restart(self, _: str) -> None:
        board = self._need_board()
        self._new_game(board.width, board.height)

    def _new_game(self, width: int, height: int) -> None:
        self._thinker.new_game(Setup(width, height, self._variant_of_rule(self._rule)), self._settings)
        self._board = ManagerBoard(width, height)
        self._say("OK")

    def _begin_game(self) -> ManagerBoard:
        """An empty board of the same size and the clock of a new game, without an answer."""
        board = self._need_board()
        self._thinker.new_game(Setup(board.width, board.height, self._variant_of_rule(self._rule)), self._settings)
        self._board = ManagerBoard(board.width, board.height)
        return self._board

    def _put_board(self, board: ManagerBoard) -> None:
        self._board = board

    @property
    def _rule(self) -> int:
        """The rule's bits; GUIs of Yixin's family number the rules, and 2 is renju."""
        return RENJU if self._is_yixin and self._settings.rule == YIXIN_RENJU else self._settings.rule

    def _need_board(self) -> ManagerBoard:
        if self._board is None:
            raise CommandError("START must come first")
        return self._board

    def _free_point(self, command: str, text: str) -> Point:
        board = self._need_board()
        point = check_point(command, parse_point(text), text, board.width, board.height)
        board.check_free(command, point)
        return point

    def _turn(self, rest: str) -> Job:
        point = self._free_point("TURN", rest)
        self._need_board().add_opponent(point)
        return self._think()

    def _play(self, rest: str) -> None:
        """PLAY answers our own SUGGEST, which we never send; a manager that wants it may still place our stone."""
        point = self._free_point("PLAY", rest)
        self._need_board().stones.append(point)
        self._say(format_point(point))

    def _takeback(self, rest: str) -> None:
        board = self._need_board()
        point = check_point("TAKEBACK", parse_point(rest), rest, board.width, board.height)
        board.take_back(point)
        self._say("OK")

    def _info(self, rest: str) -> None:
        """INFO is never answered, whatever it holds."""
        key, value = (*rest.split(maxsplit=1), "", "")[:2]
        number = parse_number(value)
        if key.lower() == "time_left" and number is not None:
            self._thinker.clock.tell(min(number, UNLIMITED_MS))
        else:
            self._settings.store(key, value.strip())

    def _think(self) -> Job:
        return self._search(1, is_owed=self._is_yixin)

    def _search(self, lines: int, *, is_owed: bool) -> Job:
        board = self._need_board()
        if not board.free_points():
            raise CommandError("the board is full, no move is left")
        search = replace(self._new_search(board), lines=lines, is_owed=is_owed)
        return lambda: self._thinker.answer_move(search)

    def _new_search(self, board: ManagerBoard) -> GomocupSearch:
        variant = self._variant_of_rule(self._rule)
        return GomocupSearch(board, Setup(board.width, board.height, variant), self._settings, frozenset(self._blocked))

    def _nbest(self, rest: str) -> Job:
        lines = parse_number(rest)
        if lines is None or lines < 1:
            raise CommandError(f"YXNBEST wants a number of lines, not {echo(rest)}")
        return self._search(min(lines, MAX_SIDE * MAX_SIDE), is_owed=False)

    def _set_board_and_think(self, lines: list[str]) -> Job:
        self._board = self._parse_board("BOARD", lines, we_move=True)
        return self._think()

    def _set_board_only(self, lines: list[str]) -> None:
        self._board = self._parse_board("YXBOARD", lines, we_move=False)

    def _parse_board(self, command: str, lines: list[str], *, we_move: bool) -> ManagerBoard:
        board = self._need_board()
        stones = [parse_stone(line) for line in lines]
        self._check_points(command, [point for point, _ in stones])
        if self._rule & (RENJU | CONTINUOUS) == RENJU:
            # There field 3 marks a forbidden square; the player knows those, and they are free to white.
            stones = [(point, field) for point, field in stones if field != WALL]
        stones = colour_walls(stones, we_move=we_move)
        walls = frozenset(point for point, field in stones if field == WALL)
        return ManagerBoard(board.width, board.height, order_stones(stones, we_move=we_move), walls)

    def _points(self, command: str, lines: list[str]) -> list[Point]:
        """The squares of a body without colours."""
        board = self._need_board()
        points = [check_point(command, parse_point(line), line, board.width, board.height) for line in lines]
        return self._check_points(command, points)

    def _check_points(self, command: str, points: list[Point]) -> list[Point]:
        board = self._need_board()
        seen: set[Point] = set()
        for point in points:
            check_point(command, point, "", board.width, board.height)
            if point in seen:
                raise CommandError(f"{command} wants each square once, not {format_point(point)} again")
            seen.add(point)
        return points

    def _swap2(self, lines: list[str]) -> Job | None:
        points = self._points("SWAP2BOARD", lines)
        if len(points) not in (0, 3, 5):
            raise CommandError(f"SWAP2BOARD wants 0, 3 or 5 stones, not {len(points)}")
        board = self._need_board()
        player = self._player
        if not isinstance(player, Swap2Player):
            self._say("UNKNOWN SWAP2BOARD")
            return None
        self._board = ManagerBoard(board.width, board.height, points)
        search = replace(self._new_search(self._board), is_owed=self._is_yixin)
        free = self._board.free_points()
        return lambda: self._thinker.answer(
            search,
            lambda limits: reply_to_swap2board(parse_swap2(player.swap2(search.moves, limits), len(points), free)),
        )

    def _show_info(self, _: str) -> None:
        """The handshake of Yixin GUIs; the hash limit is the binary logarithm of a number of KB."""
        self._is_yixin = True
        options = self._player.options
        threads = options.find("threads").high if "threads" in options else None
        megabytes = options.find("hash").high if "hash" in options else None
        self._say(f"MESSAGE {clean_text(f'{self._about.name} {self._about.version}')}")
        self._say(f"MESSAGE INFO MAX_THREAD_NUM {int(threads or 1)}")
        self._say(f"MESSAGE INFO MAX_HASH_SIZE {(int(megabytes or 1) * 1024).bit_length() - 1}")

    def _show_forbidden(self, _: str) -> None:
        points: list[Point] = []
        if isinstance(self._player, ForbiddenPoints):
            points = self._thinker.forbidden(self._new_search(self._need_board()))
        self._say(format_forbidden(points))

    def _clear_hash(self, _: str) -> None:
        if isinstance(self._player, HashTable):
            self._player.clear_hash()
        else:
            self._say("UNKNOWN YXHASHCLEAR")


def _outlives_game() -> Callable[[str], bool]:
    """What tells of each waiting line, in their order, whether it still counts when a new game begins.

    Settings do, blocked squares among them, as does the emptying of the table, and each START gets its answer.
    """
    is_inside = False  # a body of blocked squares

    def outlives(line: str) -> bool:
        nonlocal is_inside
        word, _ = split_command(line)
        was_inside = is_inside
        is_inside = word in BLOCK_WORDS or (is_inside and word not in {"DONE", *NEW_GAME_WORDS})
        return was_inside or is_inside or word in {"INFO", "YXBLOCKRESET", "YXHASHCLEAR", *NEW_GAME_WORDS}

    return outlives


def _wants_move_now(line: str) -> bool:
    return line.upper().split() == ["INFO", "TIMEOUT_TURN", "0"]


def _parse_sides(usage: str, text: str, count: int) -> list[int]:
    """Board lengths that square names can hold; whether they can be played is the player's word."""
    numbers = [parse_number(part.strip()) for part in text.split(",")]
    lengths = [number for number in numbers if number is not None and 1 <= number <= MAX_SIDE]
    if len(numbers) != count or len(lengths) != count:
        raise CommandError(f"board size must be given as {usage}, not {echo(text)}")
    return lengths
