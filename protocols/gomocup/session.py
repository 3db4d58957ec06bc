"""Gomocup (Piskvork pipe) protocol, our side: a session takes lines and writes lines through a callable.

Commands are answered in the order in which they came. While the player thinks,
- END ends the session, and nothing more is written;
- STOP, YXSTOP and an interrupt have every command that has come answered at once;
- INFO timeout_turn 0, which Piskvork sends to have a move now, does so, too, and then sets the time as any INFO does;
- START, RECTSTART and RESTART, unless they will fail, abandon the game: the search ends, its move is not written,
  commands that waited are dropped (INFO lines, blocked squares and YXHASHCLEAR are kept), and only the new command is
  answered; but GUIs of Yixin's family count the moves that they have asked for by BEGIN, TURN and BOARD, and get the
  abandoned one first, which they throw away;
- everything else waits until the move is out.

A command that fails answers ERROR and changes nothing. BEGIN on a board with stones makes the player move for the side
whose turn it is. A decided game is played on as long as a square is free. A body, as of BOARD, is read up to DONE even
if it is wrong, with one ERROR at the end; only END, STOP, INFO and the START family are obeyed inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.play.player import BadSetup, IllegalMove, Limits, Player, Setup
from protocols.gomocup.board import MAX_SIDE, ManagerBoard
from protocols.gomocup.opening_replies import Reply, parse_swap2, reply_to_swap2board
from protocols.gomocup.player_abilities import ForbiddenPoints, GomocupSearch, GomocupThinker, HashTable, Swap2Player
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
from protocols.gomocup.yixin import FIRST_STEPS, PATH_WORDS, Ask, Host, Lines, OpeningSteps, YixinWords
from protocols.serving.command_session import Command, CommandSession, WriteLine
from protocols.serving.move_chooser import WrongAnswer
from protocols.serving.runner import Job
from protocols.text import ECHO_LENGTH, CommandError, clean_text, parse_number, quote_argument

STOP_WORDS = frozenset({"STOP", "YXSTOP"})
NEW_GAME_WORDS = frozenset({"START", "RECTSTART", "RESTART"}) | FIRST_STEPS
BLOCK_WORDS = frozenset({"YXBLOCK", "YXBLOCKUNDO"})
BODY_WORDS = frozenset({"BOARD", "YXBOARD", "SWAP2BOARD"}) | BLOCK_WORDS | YIXIN_BODY_WORDS
MAX_BODY_LINES = 2 * MAX_SIDE * MAX_SIDE  # a longer body names some square twice, so cutting it keeps it wrong


_Command = Command[Lines, Lines]  # the text after the command word and the lines of a body, to lines of the answer


class GomocupSession(CommandSession[Lines, Lines]):
    """One conversation with a manager.

    `variant_of_rule` names the variant of rule bits, `check_setup` raises BadSetup for a board that the player will
    refuse. With `threaded=False` the player thinks inside `handle`, so a test sees the answer when the call returns.
    """

    def __init__(
        self,
        player: Player,
        write: WriteLine,
        variant_of_rule: Callable[[int], str],
        about: About | None = None,
        *,
        check_setup: Callable[[Setup], object] = lambda _: None,
        threaded: bool = True,
    ) -> None:
        super().__init__(player, write, self._tell, threaded=threaded)
        self._player = player
        self._variant_of_rule = variant_of_rule
        self._check_setup = check_setup
        self._about = about or About()
        self._settings = Settings()
        self._board: ManagerBoard | None = None
        self._blocked: frozenset[Point] = (
            frozenset()
        )  # also for later games, as GUIs block before they set up the board
        self._is_yixin = False  # the manager is a GUI of Yixin's family
        self._body: tuple[str, Lines] | None = None  # an unfinished BOARD or the like: its word, then its arguments
        self._steps = OpeningSteps()
        self._thinker = GomocupThinker(player, self._move_chooser, self._say, self._is_abandoned)
        host = Host(self._need_board, self._points, self._reply, self._defend)
        self._yixin = YixinWords(player, host)
        self._add_commands([*self._make_commands(), *self._yixin.make_commands()])

    def _make_commands(self) -> list[_Command]:
        def row(run: Callable[[str], Lines], usage: str, text: str, *, slow: bool = False) -> _Command:
            return _Command(lambda arguments: run(arguments[0]), usage, text, slow)

        def body(run: Callable[[Lines], Lines], word: str, text: str, *, slow: bool = False) -> _Command:
            return _Command(lambda arguments: run(arguments[1:]), f"{word} ... DONE", text, slow)

        return [
            row(self._start, "START n", "begin a game on a square board"),
            row(self._rectstart, "RECTSTART width,height", "begin a game"),
            row(self._restart, "RESTART", "begin a game on the same board"),
            row(self._begin, "BEGIN", "move for the side to move", slow=True),
            row(self._turn, "TURN x,y", "take the opponent's stone and move", slow=True),
            row(self._play, "PLAY x,y", "place our own stone"),
            row(self._takeback, "TAKEBACK x,y", "take the last stone back"),
            row(self._info, "INFO key value", "set a limit, the rule or an option"),
            row(lambda _: [format_about(self._about)], "ABOUT", "name, version and author"),
            row(self._nbest, "YXNBEST n", "move, and show the n best lines", slow=True),
            row(self._show_info, "YXSHOWINFO", "name and limits of the options"),
            row(self._show_forbidden, "YXSHOWFORBID", "squares that renju forbids"),
            row(self._clear_hash, "YXHASHCLEAR", "empty the transposition table"),
            row(self._unblock_all, "YXBLOCKRESET", "consider all squares again"),
            body(self._set_board_and_think, "BOARD", "take a position and move", slow=True),
            body(self._set_board_only, "YXBOARD", "take a position"),
            body(self._swap2, "SWAP2BOARD", "answer the swap2 opening", slow=True),
            body(self._block, "YXBLOCK", "squares not to consider"),
            body(self._unblock, "YXBLOCKUNDO", "squares to consider again"),
        ]

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Take one line of the manager, who may be waiting since then; return False if the session has ended."""
        word, rest = split_command(line)
        if word == "END" or self._closed:
            self.close()
            return False
        if word in STOP_WORDS:
            self.interrupt()
            return True
        if _wants_move_now(line):
            self.interrupt()
        begins_game = word in NEW_GAME_WORDS and self._can_start(word, rest)
        self._steps.hear(word, self._runner.last_number + 1, begins_game=begins_game)
        if begins_game and not self._steps.holds(self._runner.current.number):
            self._runner.abandon(_outlives_game())
        self._runner.submit(line, waiting_since_ns)
        return True

    def interrupt(self) -> None:
        """Have all that has come answered at once. Called from any thread."""
        self._runner.stop_all()

    def _is_abandoned(self) -> bool:
        """Whether the running command has lost its game, so that nobody wants its answer."""
        return self._closed or self._runner.current.is_abandoned

    def _say(self, text: str) -> None:
        if not self._closed:
            self._write(text)

    def _tell(self, text: str) -> None:
        self._thinker.tell(text)

    def _write_answer(self, _: str, answer: Lines) -> None:
        for line in answer:
            self._say(line)

    def _write_error(self, _: str, error: Exception, error_prefix: str = "") -> None:
        if not self._is_abandoned():  # else the manager would take it for the answer to what it has sent since
            self._say(f"ERROR {clean_text(f'{error_prefix}{error}')}")

    def _note_bug(self, command: _Command, error: Exception) -> None:
        """The ERROR line says it all, and a manager may take another line for the answer."""

    def _note_failure(self, error: Exception, _: str) -> None:
        """Replace a wrong answer without a word. The player's word on the rules counts: nothing is tried again."""
        if isinstance(error, WrongAnswer):
            return
        if isinstance(error, (BadSetup, IllegalMove)):
            raise error
        self._tell(f"internal {type(error).__name__}: {error}")

    def _run_line(self, line: str) -> Job | None:
        word, rest = split_command(line)
        if self._body is not None and word not in {"INFO", *NEW_GAME_WORDS}:
            return self._continue_body(word, line)
        if word in BODY_WORDS:
            self._body = (word, [rest])
            return self._run_body() if word in PATH_WORDS and rest else None
        if word in self.commands:
            return self._run_command(word, [rest], "")
        if word:
            self._say(f"UNKNOWN {clean_text(line, ECHO_LENGTH)}")
        return None

    def _continue_body(self, word: str, line: str) -> Job | None:
        assert self._body is not None
        command, arguments = self._body
        if word == "DONE" or (word and command in PATH_WORDS):
            return self._run_body()
        if word and len(arguments) <= MAX_BODY_LINES:
            arguments.append(line)
        return None

    def _run_body(self) -> Job | None:
        assert self._body is not None
        (command, arguments), self._body = self._body, None
        return self._run_command(command, arguments, "")

    def _can_start(self, word: str, rest: str) -> bool:
        """Whether a new game will begin when its line has its turn; one that fails must not end the game before it."""
        rule = self._settings.rule
        for line in self._runner.waiting():
            words = line.upper().split()
            if words[:2] == ["INFO", "RULE"] and len(words) == 3:
                rule = parse_number(words[2]) or 0
        if word in FIRST_STEPS and not self._yixin.can_open(word):
            return False
        try:
            self._new_setup(word, rest, rule)
        except Exception:  # whatever it is, the line is answered by it when its turn comes
            return False
        return True

    def _new_setup(self, word: str, rest: str, rule: int) -> Setup:
        """What a command of NEW_GAME_WORDS asks for; raise CommandError, or BadSetup if the player cannot play it."""
        if word in {"RESTART", *FIRST_STEPS}:
            board = self._need_board()
            width, height = board.width, board.height
        elif word == "RECTSTART":
            width, height = _parse_sides("RECTSTART width,height", rest, 2)
        elif len(rest.split()) == 2:  # YixinBoard says x of what is y here: columns, rows for squares of row, column
            height, width = _parse_sides("START n", rest.replace(" ", ","), 2)
        else:
            width = height = _parse_sides("START n", rest, 1)[0]
        setup = Setup(width, height, self._variant(rule))
        self._check_setup(setup)
        if not 1 <= min(width, height) <= max(width, height) <= MAX_SIDE:
            raise CommandError(f"board size must be 1..{MAX_SIDE}, not {quote_argument(rest)}")
        return setup

    def _start(self, rest: str) -> Lines:
        return self._new_game("START", rest)

    def _rectstart(self, rest: str) -> Lines:
        return self._new_game("RECTSTART", rest)

    def _restart(self, rest: str) -> Lines:
        return self._new_game("RESTART", rest)

    def _new_game(self, word: str, rest: str) -> Lines:
        setup = self._new_setup(word, rest, self._settings.rule)
        self._thinker.new_game(setup, self._settings)
        self._board, self._body = ManagerBoard(setup.width, setup.height), None
        return ["OK"]

    @property
    def _rule(self) -> int:
        """The rule's bits in force."""
        return self._rule_bits(self._settings.rule)

    def _rule_bits(self, rule: int) -> int:
        """GUIs of Yixin's family number the rules, and 2 is renju."""
        return RENJU if self._is_yixin and rule == YIXIN_RENJU else rule

    def _variant(self, rule: int) -> str:
        return self._variant_of_rule(self._rule_bits(rule))

    def _need_board(self) -> ManagerBoard:
        if self._board is None:
            raise CommandError("START must come first")
        return self._board

    def _with_stone(self, command: str, text: str) -> ManagerBoard:
        """The board with one more stone; raise CommandError."""
        board = self._need_board().with_stones()
        point = check_point(command, parse_point(text), text, board.width, board.height)
        board.check_free(command, point)
        board.add_opponent(point)
        return board

    def _begin(self, _: str) -> Lines:
        return self._think(self._need_board())

    def _turn(self, rest: str) -> Lines:
        return self._think(self._with_stone("TURN", rest))

    def _play(self, rest: str) -> Lines:
        """PLAY answers our own SUGGEST, which we never send; a manager that wants it may still place our stone."""
        self._board = self._with_stone("PLAY", rest)
        return [format_point(self._board.stones[-1])]

    def _takeback(self, rest: str) -> Lines:
        board = self._need_board()
        point = check_point("TAKEBACK", parse_point(rest), rest, board.width, board.height)
        board.take_back(point)
        return ["OK"]

    def _info(self, rest: str) -> Lines:
        """INFO is never answered, whatever it holds."""
        key, value = (*rest.split(maxsplit=1), "", "")[:2]
        number = parse_number(value)
        if key.lower() == "time_left" and number is not None:
            self._thinker.clock.tell(min(number, UNLIMITED_MS))
        else:
            self._settings.store(key, value.strip())
        return []

    def _nbest(self, rest: str) -> Lines:
        lines = parse_number(rest)
        if lines is None or lines < 1:
            raise CommandError(f"YXNBEST wants a number of lines, not {quote_argument(rest)}")
        return self._think(self._need_board(), min(lines, MAX_SIDE * MAX_SIDE), is_owed=False)

    def _set_board_and_think(self, lines: Lines) -> Lines:
        return self._think(self._parse_board("BOARD", lines, we_move=True))

    def _set_board_only(self, lines: Lines) -> Lines:
        self._board = self._parse_board("YXBOARD", lines, we_move=False)
        return []

    def _think(self, board: ManagerBoard, lines: int = 1, *, is_owed: bool = True) -> Lines:
        """Move on a board, which becomes that of the game with the answer.

        `is_owed` says that a GUI of Yixin's family waits for the move even if it has begun another game.
        """
        if not board.free_points():
            raise CommandError("the board is full, no move is left")
        point = self._thinker.find_move(replace(self._new_search(board), lines=lines))
        self._board = board.with_stones(point)
        return [] if self._is_abandoned() and not (is_owed and self._is_yixin) else [format_point(point)]

    def _new_search(self, board: ManagerBoard) -> GomocupSearch:
        setup = Setup(board.width, board.height, self._variant(self._settings.rule))
        return GomocupSearch(board.with_stones(), setup, self._settings, self._blocked)

    def _parse_board(self, command: str, lines: Lines, *, we_move: bool) -> ManagerBoard:
        board = self._need_board()
        stones = [parse_stone(line) for line in lines]
        self._check_points(command, [point for point, _ in stones])
        if self._rule & (RENJU | CONTINUOUS) == RENJU:
            # There field 3 marks a forbidden square; the player knows those, and they are free to white.
            stones = [(point, field) for point, field in stones if field != WALL]
        stones = colour_walls(stones, we_move=we_move)
        walls = frozenset(point for point, field in stones if field == WALL)
        return ManagerBoard(board.width, board.height, order_stones(stones, we_move=we_move), walls)

    def _points(self, command: str, lines: Lines) -> list[Point]:
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

    def _block(self, lines: Lines) -> Lines:
        self._blocked = self._blocked.union(self._points("YXBLOCK", lines))
        return []

    def _unblock(self, lines: Lines) -> Lines:
        self._blocked = self._blocked.difference(self._points("YXBLOCKUNDO", lines))
        return []

    def _unblock_all(self, _: str) -> Lines:
        self._blocked = frozenset()
        return []

    def _swap2(self, lines: Lines) -> Lines:
        points = self._points("SWAP2BOARD", lines)
        if len(points) not in (0, 3, 5):
            raise CommandError(f"SWAP2BOARD wants 0, 3 or 5 stones, not {len(points)}")
        board = self._need_board()
        player = self._player
        if not isinstance(player, Swap2Player):
            return ["UNKNOWN SWAP2BOARD"]

        def ask(search: GomocupSearch, limits: Limits) -> Reply:
            added = player.swap2(search.moves, limits)
            return reply_to_swap2board(parse_swap2(added, len(points), search.board.free_points()))

        return self._reply(ManagerBoard(board.width, board.height, points), ask, is_owed=self._is_yixin)

    def _reply(
        self,
        board: ManagerBoard,
        ask: Ask,
        *,
        begins_game: bool = False,
        is_owed: bool = False,
        is_counted: bool = False,
    ) -> Lines:
        """Answer by what the player says of a board, which becomes that of the game with the reply's stones.

        See `protocols.gomocup.yixin.Answer`.
        """

        def give_any_move() -> Lines:
            return [format_point(board.free_points()[0])]

        search, clock = self._new_search(board), replace(self._thinker.clock)
        if begins_game:
            self._thinker.new_game(search.setup, self._settings)
        try:
            reply = self._thinker.find_reply(search, ask)
        except Exception:
            self._thinker.clock = clock
            if is_counted and self._is_abandoned():
                return give_any_move()
            raise
        self._board = board.with_stones(*reply.stones)
        if not self._is_abandoned():
            return list(reply.lines)
        return [] if not is_owed else give_any_move() if is_counted else list(reply.lines)

    def _defend(self, board: ManagerBoard) -> Lines:
        """Think about all moves that do not lose to a threat, and list them as best lines."""
        free = len(board.free_points())
        if not free:
            raise CommandError("the board is full, no move is left")
        point = self._thinker.find_defence(replace(self._new_search(board), lines=free))
        self._board = board.with_stones(point)
        return [] if self._is_abandoned() else [format_point(point)]

    def _show_info(self, _: str) -> Lines:
        """The handshake of Yixin GUIs; the hash limit is the binary logarithm of a number of KB."""
        self._is_yixin = True
        options = self._player.options
        threads = options.get_option("threads").maximum if "threads" in options else None
        megabytes = options.get_option("hash").maximum if "hash" in options else None
        return [
            f"MESSAGE {clean_text(f'{self._about.name} {self._about.version}')}",
            f"MESSAGE INFO MAX_THREAD_NUM {int(threads or 1)}",
            f"MESSAGE INFO MAX_HASH_SIZE {(int(megabytes or 1) * 1024).bit_length() - 1}",
        ]

    def _show_forbidden(self, _: str) -> Lines:
        points: list[Point] = []
        board = self._need_board()
        if isinstance(self._player, ForbiddenPoints):
            points = self._thinker.forbidden(self._new_search(board))
        return [format_forbidden(points)]

    def _clear_hash(self, _: str) -> Lines:
        if not isinstance(self._player, HashTable):
            return ["UNKNOWN YXHASHCLEAR"]
        self._player.clear_hash()
        return []


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
    """Board lengths of any size; raise CommandError."""
    numbers = [parse_number(part.strip()) for part in text.split(",")]
    lengths = [number for number in numbers if number is not None]
    if len(numbers) != count or len(lengths) != count:
        raise CommandError(f"board size must be given as {usage}, not {quote_argument(text)}")
    return lengths
