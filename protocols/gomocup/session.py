"""The server side of the Gomocup protocol (Piskvork's pipe): a session gets the manager's lines and writes answers.

    > START 15        > TURN 7,7        > TURN 7,7
    < OK              < 8,8             < ERROR TURN must name a free square, not 7,7

Commands are answered in the order in which they arrive. While the player searches,

- END ends the session, and nothing more is written;
- STOP, YXSTOP and an interrupt make the session answer all pending commands at once;
- INFO timeout_turn 0, which Piskvork sends to get a move now, does the same, and then sets the time;
- START, RECTSTART, RESTART and the first step of an opening (YXSWAP2STEP1, YXSOOSORVSTEP1) abandon the game, unless
  they are going to fail. START does not abandon a Soosorv step that is not answered yet. The search is stopped, its
  move is not written, and queued commands are dropped, except INFO, YXBLOCK..., YXHASHCLEAR and those that begin a
  game. Yixin-Board and its relatives are an exception: they count the moves that they have requested by BEGIN, TURN and
  BOARD, so they get the abandoned move first, and discard it;
- all other commands are queued.

A command that fails is answered by ERROR and changes nothing; only INFO is never answered. BEGIN on a board with stones
requests a move of the side to move. A game that is over can be continued as long as a square is free. The body of a
command, such as the stones after BOARD, is read up to DONE even if a line is wrong, and is then answered by one ERROR.
Inside a body only END, STOP, YXSTOP, INFO and the commands that begin a game are executed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.play.player import BadSetup, IllegalMove, Limits, Player, Setup
from protocols.gomocup.board import MAX_SIDE, ManagerBoard
from protocols.gomocup.commands import (
    BLOCK_WORDS,
    FIRST_STEPS,
    NEW_GAME_WORDS,
    STOP_WORDS,
    GomocupCommand,
    Lines,
    make_kept_line_check,
    wants_move_now,
)
from protocols.gomocup.opening_replies import Reply, parse_swap2, reply_to_swap2board
from protocols.gomocup.player_abilities import ForbiddenPoints, HashTable, MoveFinder, SearchRequest, Swap2Player
from protocols.gomocup.settings import Settings, bad_number_warning, parse_rule
from protocols.gomocup.text import (
    RULE_BIT_CONTINUOUS,
    RULE_BIT_RENJU,
    UNLIMITED_MS,
    WALL,
    YIXIN_RULE_RENJU,
    About,
    Point,
    assign_walls,
    check_point,
    format_about,
    format_forbidden,
    format_point,
    order_stones,
    parse_board_line,
    parse_point,
    parse_sides,
    split_keyword,
)
from protocols.gomocup.yixin import BODY_WORDS as YIXIN_BODY_WORDS
from protocols.gomocup.yixin import PATH_WORDS, AskPlayer, SessionCallbacks, SoosorvLines, YixinCommands
from protocols.serving.command_session import (
    Command,
    CommandSession,
    WriteLine,
    check_no_arguments,
    ignored_arguments_warning,
)
from protocols.serving.move_chooser import WrongAnswer
from protocols.serving.runner import Job
from protocols.text import ECHO_LENGTH, CommandError, clean_text, parse_number, quote_argument

BODY_WORDS = frozenset({"BOARD", "YXBOARD", "SWAP2BOARD"}) | BLOCK_WORDS | YIXIN_BODY_WORDS
MAX_BODY_LINES = 2 * MAX_SIDE * MAX_SIDE  # a longer body repeats a square, so it is wrong even when cut off here


class GomocupSession(CommandSession[Lines, Lines]):
    """A conversation with one manager (tournament program or GUI).

    `variant_of_rule` maps the bits of `INFO rule` to the name of the variant. `check_setup` raises BadSetup for a board
    that the player will refuse. With `threaded=False` searches run inside `handle`, which tests use.
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
        super().__init__(player, write, self._write_message, threaded=threaded)
        self._player = player
        self._variant_of_rule = variant_of_rule
        self._check_setup = check_setup
        self._about = about or About()
        self._settings = Settings()
        self._board: ManagerBoard | None = None
        # Kept for the next game, because GUIs block squares before they set up the board
        self._blocked: frozenset[Point] = frozenset()
        self._is_yixin_gui = False  # the manager has sent YXSHOWINFO, as Yixin-Board and its relatives do
        # Keyword and arguments so far of a command whose body is not finished
        self._body: tuple[str, Lines] | None = None
        self._soosorv_lines = SoosorvLines()
        self._move_finder = MoveFinder(player, self._move_chooser, self._write_line, self._is_abandoned)
        callbacks = SessionCallbacks(self._require_board, self._parse_points, self._reply, self._defend)
        self._yixin_commands = YixinCommands(player, callbacks)
        self._add_commands([*self._make_commands(), *self._yixin_commands.make_commands()])

    def _make_commands(self) -> list[GomocupCommand]:
        def command(run: Callable[[str], Lines], usage: str, help_text: str, *, slow: bool = False) -> GomocupCommand:
            return GomocupCommand(lambda arguments: run(arguments[0]), usage, help_text, slow)

        def body_command(
            run: Callable[[Lines], Lines], keyword: str, help_text: str, *, slow: bool = False
        ) -> GomocupCommand:
            return GomocupCommand(lambda arguments: run(arguments[1:]), f"{keyword} ... DONE", help_text, slow)

        return [
            command(self._start, "START n", "begin a game on a square board"),
            command(self._rectstart, "RECTSTART width,height", "begin a game"),
            command(self._restart, "RESTART", "begin a game on the same board"),
            command(self._begin, "BEGIN", "move for the side to move", slow=True),
            command(self._turn, "TURN x,y", "take the opponent's stone and move", slow=True),
            command(self._play, "PLAY x,y", "place our stone"),
            command(self._takeback, "TAKEBACK x,y", "take the last stone back"),
            command(self._set_info, "INFO key value", "set a limit, the rule or an option"),
            command(self._tell_about, "ABOUT", "name, version and author"),
            command(self._nbest, "YXNBEST n", "move, and show the principal variations of the n best moves", slow=True),
            command(self._show_info, "YXSHOWINFO", "name and limits of the options"),
            command(self._show_forbidden, "YXSHOWFORBID", "squares that renju forbids"),
            command(self._clear_hash, "YXHASHCLEAR", "clear the transposition table"),
            command(self._unblock_all, "YXBLOCKRESET", "consider all squares again"),
            body_command(self._set_board_and_think, "BOARD", "take a position and move", slow=True),
            body_command(self._set_board_only, "YXBOARD", "take a position"),
            body_command(self._swap2, "SWAP2BOARD", "answer the swap2 opening", slow=True),
            body_command(self._block, "YXBLOCK", "squares not to consider"),
            body_command(self._unblock, "YXBLOCKUNDO", "squares to consider again"),
        ]

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Handle one line of the manager; return False if the session has ended.

        `waiting_since_ns` is the earliest time at which the manager can have sent it; None means now.
        """
        keyword, rest = split_keyword(line)
        if rest and (keyword == "END" or keyword in STOP_WORDS):  # executed all the same
            self._write_message(ignored_arguments_warning(keyword, rest))
        if keyword == "END" or self._is_closed:
            self.close()
            return False
        if keyword in STOP_WORDS:
            self.interrupt()
            return True
        if wants_move_now(line):
            self.interrupt()
        begins_game = keyword in NEW_GAME_WORDS and self._can_start(keyword, rest)
        self._soosorv_lines.note_line(keyword, self._runner.last_number + 1, begins_game=begins_game)
        if begins_game and not self._soosorv_lines.has_step_from(self._runner.current.number):
            self._runner.abandon(make_kept_line_check())
        self._runner.submit(line, waiting_since_ns)
        return True

    def interrupt(self) -> None:
        """Stop all pending commands; each is answered with its result so far. Thread-safe."""
        self._runner.stop_all()

    def _is_abandoned(self) -> bool:
        """Return whether the manager no longer expects the running command's answer: it began a game or sent END."""
        return self._is_closed or self._runner.current.is_abandoned

    def _write_line(self, text: str) -> None:
        if not self._is_closed:
            self._write(text)

    def _write_message(self, text: str) -> None:
        self._move_finder.write_message(text)

    def _write_answer(self, _: str, answer: Lines) -> None:
        for line in answer:
            self._write_line(line)

    def _write_error(self, _: str, error: Exception, error_prefix: str = "") -> None:
        if not self._is_abandoned():  # else the manager would take it for the answer to a later command
            self._write_line(f"ERROR {clean_text(f'{error_prefix}{error}')}")

    def _on_bug(self, command: Command[Lines, Lines], error: Exception) -> None:
        """Write nothing: the ERROR line suffices, and a manager could take another line for the answer."""

    def _on_player_failure(self, error: Exception, _: str) -> None:
        """Handle a failure of the player.

        An illegal move is replaced silently. If the player refuses the setup or position, the command fails, because
        the player knows the rules better than we do. Other failures are reported by a MESSAGE.
        """
        if isinstance(error, WrongAnswer):
            return
        if isinstance(error, (BadSetup, IllegalMove)):
            raise error
        self._write_message(f"internal {type(error).__name__}: {error}")

    def _run_line(self, line: str) -> Job | None:
        keyword, rest = split_keyword(line)
        if self._body is not None and keyword not in {"INFO", *NEW_GAME_WORDS}:
            return self._continue_body(keyword, line)
        if keyword in BODY_WORDS:
            self._body = (keyword, [rest])
            return self._run_body() if keyword in PATH_WORDS and rest else None
        if keyword in self.commands:
            return self._run_command(keyword, [rest], "")
        if keyword:
            self._write_line(f"UNKNOWN {clean_text(line, ECHO_LENGTH)}")
        return None

    def _continue_body(self, keyword: str, line: str) -> Job | None:
        assert self._body is not None
        command, arguments = self._body
        if keyword == "DONE" and line.strip().upper() != keyword:
            arguments.append(line)  # a wrong line, which makes the command fail, but it ends the body
        if keyword == "DONE" or (keyword and command in PATH_WORDS):
            return self._run_body()
        if keyword and len(arguments) <= MAX_BODY_LINES:
            arguments.append(line)
        return None

    def _run_body(self) -> Job | None:
        assert self._body is not None
        (command, arguments), self._body = self._body, None
        return self._run_command(command, arguments, "")

    def _can_start(self, keyword: str, rest: str) -> bool:
        """Return whether a command of NEW_GAME_WORDS will succeed; one that fails must not abandon the game.

        `INFO rule` lines that are still queued are taken into account.
        """
        rule = self._settings.rule
        for line in self._runner.queued_lines():
            words = line.upper().split()
            if words[:2] == ["INFO", "RULE"] and len(words) == 3:
                rule = rule if (queued_rule := parse_rule(words[2])) is None else queued_rule
        if keyword in FIRST_STEPS and not self._yixin_commands.can_open(keyword):
            return False
        try:
            self._new_setup(keyword, rest, rule)
        except Exception:  # it is raised again, and answered, when the line runs
            return False
        return True

    def _new_setup(self, keyword: str, rest: str, rule: int) -> Setup:
        """Return the setup that a command of NEW_GAME_WORDS asks for.

        Raise CommandError if its text is wrong, or BadSetup if the player cannot play it.
        """
        if keyword in {"RESTART", *FIRST_STEPS}:
            check_no_arguments(keyword, rest)
            board = self._require_board()
            width, height = board.width, board.height
        elif keyword == "RECTSTART":
            width, height = parse_sides("RECTSTART width,height", rest, 2)
        elif len(rest.split()) == 2:  # Yixin-Board swaps the axes: `START columns rows`, but squares `row,column`
            height, width = parse_sides("START n", rest.replace(" ", ","), 2)
        else:
            width = height = parse_sides("START n", rest, 1)[0]
        setup = Setup(width, height, self._variant(rule))
        self._check_setup(setup)
        if not 1 <= min(width, height) <= max(width, height) <= MAX_SIDE:
            raise CommandError(f"board size must be 1 to {MAX_SIDE}, not {quote_argument(rest)}")
        return setup

    def _start(self, rest: str) -> Lines:
        return self._new_game("START", rest)

    def _rectstart(self, rest: str) -> Lines:
        return self._new_game("RECTSTART", rest)

    def _restart(self, rest: str) -> Lines:
        return self._new_game("RESTART", rest)

    def _new_game(self, keyword: str, rest: str) -> Lines:
        setup = self._new_setup(keyword, rest, self._settings.rule)
        self._move_finder.new_game(setup, self._settings)
        self._board, self._body = ManagerBoard(setup.width, setup.height), None
        return ["OK"]

    @property
    def _rule(self) -> int:
        """Return the bits of the present rule."""
        return self._rule_bits(self._settings.rule)

    def _rule_bits(self, rule: int) -> int:
        """Return the protocol's bits for an `INFO rule` value; Yixin-Board sends 2 for renju."""
        return RULE_BIT_RENJU if self._is_yixin_gui and rule == YIXIN_RULE_RENJU else rule

    def _variant(self, rule: int) -> str:
        return self._variant_of_rule(self._rule_bits(rule))

    def _require_board(self) -> ManagerBoard:
        if self._board is None:
            raise CommandError("START must come first")
        return self._board

    def _board_with_stone(self, command: str, text: str) -> ManagerBoard:
        """Return a copy of the board with the stone that a command names; raise CommandError."""
        board = self._require_board().with_stones()
        point = check_point(command, parse_point(text), text, board.width, board.height)
        board.check_free(command, point)
        board.add_opponent(point)
        return board

    def _begin(self, _: str) -> Lines:
        return self._think(self._require_board())

    def _turn(self, rest: str) -> Lines:
        return self._think(self._board_with_stone("TURN", rest))

    def _play(self, rest: str) -> Lines:
        """Place our stone. Managers answer SUGGEST by PLAY; we never send SUGGEST, but a manager may send PLAY."""
        self._board = self._board_with_stone("PLAY", rest)
        return [format_point(self._board.stones[-1])]

    def _takeback(self, rest: str) -> Lines:
        board = self._require_board()
        point = check_point("TAKEBACK", parse_point(rest), rest, board.width, board.height)
        board.take_back(point)
        return ["OK"]

    def _set_info(self, rest: str) -> Lines:
        """Store an INFO pair. INFO is never answered, even if it is wrong."""
        key, value = (*rest.split(maxsplit=1), "", "")[:2]
        number = parse_number(value.strip())
        if key.lower() != "time_left":
            self._move_finder.add_warning(self._settings.store(key, value.strip()))
        elif number is None:
            self._move_finder.add_warning(bad_number_warning(key.lower(), value))
        else:
            self._move_finder.clock.set_time_left(min(number, UNLIMITED_MS))
        return []

    def _tell_about(self, _rest: str) -> Lines:
        """Return the answer to ABOUT. In a game, warnings about the INFO lines before it are written first."""
        if self._board is not None:
            self._move_finder.apply_settings(self._settings)
        return [format_about(self._about)]

    def _nbest(self, rest: str) -> Lines:
        multi_pv = parse_number(rest)
        if multi_pv is None or multi_pv < 1:
            raise CommandError(f"YXNBEST number of lines must be 1 or more, not {quote_argument(rest)}")
        return self._think(self._require_board(), min(multi_pv, MAX_SIDE * MAX_SIDE), is_sent_if_abandoned=False)

    def _set_board_and_think(self, lines: Lines) -> Lines:
        return self._think(self._parse_board("BOARD", lines, we_move=True))

    def _set_board_only(self, lines: Lines) -> Lines:
        self._board = self._parse_board("YXBOARD", lines, we_move=False)
        return []

    def _think(self, board: ManagerBoard, multi_pv: int = 1, *, is_sent_if_abandoned: bool = True) -> Lines:
        """Find a move and return the answer. The board with the move becomes the session's board.

        If the manager has begun another game meanwhile, the answer is empty, except that with `is_sent_if_abandoned`
        Yixin-Board still gets the move.
        """
        if not board.free_count:
            raise CommandError("the board is full, no move is left")
        point = self._move_finder.find_move(replace(self._new_request(board), multi_pv=multi_pv))
        self._board = board.with_stones(point)
        return (
            [] if self._is_abandoned() and not (is_sent_if_abandoned and self._is_yixin_gui) else [format_point(point)]
        )

    def _new_request(self, board: ManagerBoard) -> SearchRequest:
        setup = Setup(board.width, board.height, self._variant(self._settings.rule))
        return SearchRequest(board.with_stones(), setup, self._settings, self._blocked)

    def _parse_board(self, command: str, lines: Lines, *, we_move: bool) -> ManagerBoard:
        """Return the board of lines such as `7,7,1`; raise CommandError. With `we_move` the player is to move."""
        board = self._require_board()
        stones = [parse_board_line(line) for line in lines]
        self._check_points(command, [point for point, _ in stones])
        if self._rule & (RULE_BIT_RENJU | RULE_BIT_CONTINUOUS) == RULE_BIT_RENJU:
            # In renju code 3 marks forbidden squares. The player knows them, and white may play on them.
            stones = [(point, code) for point, code in stones if code != WALL]
        stones = assign_walls(stones, we_move=we_move)
        walls = frozenset(point for point, code in stones if code == WALL)
        return ManagerBoard(board.width, board.height, order_stones(stones, we_move=we_move), walls)

    def _parse_points(self, command: str, lines: Lines) -> list[Point]:
        """Return the points of a body without codes; raise CommandError."""
        board = self._require_board()
        points = [check_point(command, parse_point(line), line, board.width, board.height) for line in lines]
        return self._check_points(command, points)

    def _check_points(self, command: str, points: list[Point]) -> list[Point]:
        """Return the points; raise CommandError if one is outside the board or occurs twice."""
        board = self._require_board()
        seen: set[Point] = set()
        for point in points:
            check_point(command, point, "", board.width, board.height)
            if point in seen:
                raise CommandError(f"{command} squares must differ, not name {format_point(point)} twice")
            seen.add(point)
        return points

    def _block(self, lines: Lines) -> Lines:
        self._blocked = self._blocked.union(self._parse_points("YXBLOCK", lines))
        return []

    def _unblock(self, lines: Lines) -> Lines:
        self._blocked = self._blocked.difference(self._parse_points("YXBLOCKUNDO", lines))
        return []

    def _unblock_all(self, _: str) -> Lines:
        self._blocked = frozenset()
        return []

    def _swap2(self, lines: Lines) -> Lines:
        points = self._parse_points("SWAP2BOARD", lines)
        if len(points) not in (0, 3, 5):
            raise CommandError(f"SWAP2BOARD must have 0, 3 or 5 stones, not {len(points)}")
        board = self._require_board()
        player = self._player
        if not isinstance(player, Swap2Player):
            return ["UNKNOWN SWAP2BOARD"]

        def ask_player(request: SearchRequest, limits: Limits) -> Reply:
            added = player.swap2(request.moves, limits)
            return reply_to_swap2board(parse_swap2(added, len(points), request.board.free_points()))

        return self._reply(
            ManagerBoard(board.width, board.height, points), ask_player, is_sent_if_abandoned=self._is_yixin_gui
        )

    def _reply(
        self,
        board: ManagerBoard,
        ask_player: AskPlayer,
        *,
        begins_game: bool = False,
        is_sent_if_abandoned: bool = False,
        counts_as_move: bool = False,
    ) -> Lines:
        """Return the lines of the player's reply. The board with the reply's stones becomes the session's board.

        See `protocols.gomocup.yixin.Answer` for the parameters.
        """

        def make_any_move() -> Lines:
            return [format_point(board.free_points()[0])]

        request, clock = self._new_request(board), replace(self._move_finder.clock)
        if begins_game:
            self._move_finder.new_game(request.setup, self._settings)
        try:
            reply = self._move_finder.find_reply(request, ask_player)
        except Exception:
            self._move_finder.clock = clock
            if counts_as_move and self._is_abandoned():
                return make_any_move()
            raise
        self._board = board.with_stones(*reply.stones)
        if not self._is_abandoned():
            return list(reply.lines)
        if not is_sent_if_abandoned:
            return []
        return make_any_move() if counts_as_move else list(reply.lines)

    def _defend(self, board: ManagerBoard) -> Lines:
        """Answer YXSEARCHDEFEND: search all moves that do not lose to a threat, with a PV for each."""
        free_count = board.free_count
        if not free_count:
            raise CommandError("the board is full, no move is left")
        point = self._move_finder.find_defending_move(replace(self._new_request(board), multi_pv=free_count))
        self._board = board.with_stones(point)
        return [] if self._is_abandoned() else [format_point(point)]

    def _show_info(self, _: str) -> Lines:
        """Answer YXSHOWINFO, by which Yixin-Board begins. MAX_HASH_SIZE is the binary logarithm of the size in KiB."""
        self._is_yixin_gui = True
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
        board = self._require_board()
        if isinstance(self._player, ForbiddenPoints):
            points = self._move_finder.find_forbidden_points(self._new_request(board))
        return [format_forbidden(points)]

    def _clear_hash(self, _: str) -> Lines:
        if not isinstance(self._player, HashTable):
            return ["UNKNOWN YXHASHCLEAR"]
        self._player.clear_hash()
        return []
