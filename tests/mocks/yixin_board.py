"""A simulation of the GUI Yixin-Board: what it sends for clicks and dialogs, and how it handles each line it receives.

Written after its source (accreator/Yixin-Board 609c060, main.c). Docstrings name the C function that a method follows.
Points are (row, column), both from 0, as in the lines that the GUI sends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Point = tuple[int, int]

BLACK, WHITE = 1, 2  # bits of `YixinBoard.engine`; also values of `winner`
SWAP2, SOOSORV = "swap2", "soosorv"  # opening rules; the sequences of `yx...step` commands implement them
INFO_RULES = {"freestyle": 0, "standard": 1, "renju": 2, SWAP2: 1, SOOSORV: 2}  # change_rule: the value of INFO rule
LINE_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass
class Person:
    """The answers of the user to dialogs."""

    after_opening: str = "stay"  # after the engine's three stones of swap2: stay, swap or add
    swaps: list[bool] = field(default_factory=list)  # whether to swap, for each further question
    offers: int = 3  # number of fifth moves that the engine must offer (Soosorv)


class YixinBoard:
    """The GUI. It calls `send` with each line for the engine; the test calls `receive` with each line of the engine.

    While `is_thinking`, the GUI shows that it waits for a move. `awaited` is the name of the answer to an opening step
    that it waits for without showing it, or empty.
    """

    def __init__(self, send: Callable[[str], object], rule: str, engine: int, person: Person, size: int = 15) -> None:
        self._send_line = send
        self.rule = rule
        self.engine = engine  # sides that the engine plays: BLACK, WHITE, both bits, or 0
        self.person = person
        self.size = size
        self.path: list[Point] = []  # the moves
        self.forbidden: set[Point] = set()
        self.is_over = False
        self.winner = 0  # BLACK, WHITE or 0
        self.is_thinking = False
        self.awaited = ""
        self.offers = 0  # number of fifth moves of Soosorv
        self.log: list[str] = []  # lines sent (`> `) and received (`< `)
        self._needs_restart = True  # the next search needs the whole board instead of `turn`
        self._moves_to_ignore = 0  # answers to searches of earlier games
        self._swap2_done = False  # the sides are chosen, and ordinary moves follow
        self._shows_offers = False  # fifth moves of Soosorv on the board (refreshboardflag in main.c)
        self._offers_done = False  # all of them have been placed (refreshboardflag2)

    def start(self, *settings: str) -> None:
        """Start the engine with settings of the user (init_engine)."""
        self._send("info show_detail 1", "yxshowinfo", f"START {self.size} {self.size}", *settings)
        self._send(f"INFO rule {INFO_RULES[self.rule]}")
        self._show_forbidden()

    def new_game(self) -> None:
        """Start a new game (new_game_resetclock)."""
        self._clear()
        self._swap2_done = self._offers_done = self._shows_offers = False
        self.awaited = ""
        if self.engine == BLACK and self.rule in (SWAP2, SOOSORV):
            self._send(f"yx{self.rule}step1")
            self.awaited = "MOVE3"

    def undo(self) -> None:
        """Take a move back (change_piece by the right mouse button)."""
        self._shows_offers = False
        self._take_back()

    def click(self, point: Point) -> None:
        """Handle a click on a point (on_button_press_windowmain)."""
        assert not self.is_thinking
        assert not self.is_over
        count = len(self.path)
        if self.rule == SWAP2 and (count < 3 or (count < 5 and not self._swap2_done)):
            self._place_in_swap2(point)
        elif not self._shows_offers and (self.rule != SOOSORV or count >= 3 or count == 0) and self._is_engines_turn():
            self._request_move()
        elif self._shows_offers and self.engine != WHITE and self.rule == SOOSORV:
            if point in self.path[4:]:
                self._needs_restart, self._shows_offers = True, False
                while len(self.path) >= 5:
                    self._take_back()
                self._make_move(point)
        elif point not in self.path and (self._shows_offers or point not in self.forbidden or count % 2):
            self._play(point)
        self._query_database()

    def receive(self, line: str) -> None:
        """Handle a line of the engine (iochannelout_watch)."""
        self.log.append(f"< {line}")
        words = line.upper().split()
        if words[0] == "MESSAGE":
            self._handle_message(words[1:])
        elif words[0] == "FORBID":
            digits = words[1].rstrip(".")
            self.forbidden = {(int(digits[i : i + 2]), int(digits[i + 2 : i + 4])) for i in range(0, len(digits), 4)}
        elif words[0] not in {"OK", "DETAIL", "DEBUG", "ERROR", "UNKNOWN"}:
            self._receive_move(line)

    def free_points(self) -> Iterator[Point]:
        """Yield the points that the user may click on, the nearest to the stones first."""
        points = [(y, x) for y in range(self.size) for x in range(self.size) if (y, x) not in self.path]
        if len(self.path) % 2 == 0 and not self._shows_offers:
            points = [point for point in points if point not in self.forbidden]
        stones = self.path or [(self.size // 2, self.size // 2)]
        yield from sorted(points, key=lambda point: min(abs(point[0] - y) + abs(point[1] - x) for y, x in stones))

    def _send(self, *lines: str) -> None:
        for line in lines:
            self.log.append(f"> {line}")
            self._send_line(line)

    def _is_engines_turn(self) -> bool:
        return bool(self.engine & (WHITE if len(self.path) % 2 else BLACK))

    def _clear(self) -> None:
        """Empty the board (new_game)."""
        self.path, self.is_over, self.winner, self.forbidden = [], False, 0, set()
        self._moves_to_ignore += self.is_thinking
        self.is_thinking = False
        self._needs_restart = True

    def _make_move(self, point: Point) -> None:
        assert point not in self.path, f"{point} is taken"
        self.path.append(point)
        stones = self.path[::-2]  # of the side that moves
        for dy, dx in LINE_DIRECTIONS:
            length = 1  # of the row through the point
            for sign in (1, -1):
                y, x = point[0] + sign * dy, point[1] + sign * dx
                while (y, x) in stones and (y, x) != point:
                    length, y, x = length + 1, y + sign * dy, x + sign * dx
            if length >= 5 and (length == 5 or INFO_RULES[self.rule] != 1):
                self.is_over, self.winner = True, BLACK if len(self.path) % 2 else WHITE
        self.is_over = self.is_over or len(self.path) == self.size**2

    def _board_lines(self) -> list[str]:
        """Return the stones as lines of `board`: row, column, and 1 for the side to move, 2 for the other."""
        count = len(self.path)
        return [f"{y},{x},{1 if count % 2 == ply % 2 else 2}" for ply, (y, x) in enumerate(self.path)]

    def _path_lines(self) -> list[str]:
        return [f"{y},{x}" for y, x in self.path]

    def _start_search(self, *lines: str) -> None:
        """Start a search, and show that the engine is thinking."""
        self.is_thinking, self._needs_restart = True, False
        self._send("INFO time_left 100000000", "yxhashclear", f"start {self.size} {self.size}", *lines)

    def _request_move(self) -> None:
        self._start_search("board", *self._board_lines(), "done")

    def _request_step(self, step: int, answer: str, argument: str = "") -> None:
        """Request a step of Soosorv, whose answer is awaited without showing it."""
        self.awaited = answer
        self._send(f"yxsoosorvstep{step}{argument}", *self._path_lines(), "done")

    def _show_forbidden(self) -> None:
        """Request the forbidden points if the user plays black and is to move (show_forbid)."""
        if self.engine & BLACK or len(self.path) % 2:
            self.forbidden = set()
            return
        self._send(f"start {self.size} {self.size}", "yxboard", *self._board_lines(), "done", "yxshowforbid")

    def _query_database(self) -> None:
        self._send("yxquerydatabaseall", *self._path_lines(), "done")

    def _take_back(self) -> None:
        path = self.path[:-1]
        self._clear()
        for point in path:
            self._make_move(point)
        self._show_forbidden()
        self._query_database()
        self._send("yxstop")

    def _switch_sides(self) -> None:
        self.engine = BLACK if self.engine == WHITE else WHITE

    def _place_in_swap2(self, point: Point) -> None:
        count = len(self.path)
        assert point not in self.path
        if count < 3 and self.engine & BLACK:
            return
        if count >= 3 and self.engine & WHITE:
            return
        self._make_move(point)
        if count in (2, 4):
            self._start_search("yxboard", *self._board_lines(), "done", f"yxswap2step{3 if count == 4 else 2}")

    def _play(self, point: Point) -> None:
        """Handle the rest of a click: place a stone of the user."""
        self._make_move(point)
        count, is_step = len(self.path), False
        if self.rule == SOOSORV and self.engine in (BLACK, WHITE):
            is_step = self._continue_soosorv(count)
        self._show_forbidden()
        if self.is_over or is_step or (self.rule == SOOSORV and count < 3) or not self._is_engines_turn():
            return
        if self._needs_restart:
            self._request_move()
        else:
            self.is_thinking = True
            self._send("INFO time_left 100000000", "yxhashclear", f"turn {point[0]},{point[1]}")

    def _continue_soosorv(self, count: int) -> bool:
        """Request the step of Soosorv that follows the stone; return whether the stone belongs to a step."""
        is_step = False
        if count == 3 and self.engine == WHITE:
            self._request_step(2, "SWAP1")
            is_step = True
        if count == 4 and self.engine == BLACK:
            self.offers = self.person.offers
            self._request_step(4, "SWAP2", f" {self.offers}")
            is_step = True
        if 5 <= count <= 4 + self.offers and self.engine == WHITE:
            self._shows_offers = self._shows_offers or not self._offers_done
            is_step = is_step or self._shows_offers
            if count == 4 + self.offers and not self._offers_done:
                self._shows_offers, self._offers_done, self._needs_restart = False, True, True
                self._request_step(6, "MOVE5C")
                is_step = True
        return is_step

    def _handle_message(self, words: list[str]) -> None:
        if words[0] == "SWAP2":
            self._handle_swap2(words[1], words[2:])
        elif words[0] == "SOOSORV":
            self._handle_soosorv(words[1], words[2:])

    def _handle_swap2(self, word: str, rest: list[str]) -> None:
        if word.startswith("MOVE"):
            self._make_move((int(rest[0]), int(rest[1])))
            if word == "MOVE3":
                self.awaited = ""
                self._ask_after_opening()
            elif word == "MOVE5":
                self._swap2_done, self.is_thinking = True, False
                if self.person.swaps.pop(0):
                    self._request_move()
                else:
                    self._switch_sides()
        elif (word, rest) == ("SWAP1", ["NO"]):
            self._swap2_done = True
            self._request_move()
        elif (word, rest) == ("SWAP1", ["YES"]):
            self._swap2_done, self.is_thinking, self._needs_restart = True, False, True
            self._switch_sides()
        elif (word, rest) == ("SWAP2", ["YES"]):
            self.is_thinking = False
        else:
            assert (word, rest) == ("SWAP2", ["NO"])
            self._switch_sides()
            self._request_move()

    def _ask_after_opening(self) -> None:
        """Ask the user after the three stones of swap2 (show_dialog_swap_query2)."""
        if self.person.after_opening == "swap":
            self._switch_sides()
            self._request_move()
        self._swap2_done = self.person.after_opening != "add"

    def _handle_soosorv(self, word: str, rest: list[str]) -> None:
        if word.startswith("MOVE5"):
            self._handle_fifth(word, rest)
            return
        if word.startswith("MOVE"):
            self._make_move((int(rest[0]), int(rest[1])))
        if word == self.awaited:
            self.awaited = ""
        if word == "MOVE3":
            self._ask_swap(3, "MOVE4")
        elif word == "MOVE4":
            self.offers = int(rest[2])
            self._shows_offers = self._shows_offers or not self._offers_done
            self._ask_swap(5, "DONE", f" {self.offers}")
        elif word in {"SWAP1", "SWAP2"}:
            if rest == ["Y"]:
                self._switch_sides()
                self._needs_restart = True
            elif word == "SWAP1":
                self._request_step(3, "MOVE4")
            else:
                self._request_step(5, "DONE", f" {self.offers}")

    def _ask_swap(self, step: int, answer: str, argument: str = "") -> None:
        """Ask the user whether to swap; if so, request a step (show_dialog_swap_query)."""
        if self.person.swaps.pop(0):
            self._needs_restart = True
            self._switch_sides()
            self._request_step(step, answer, argument)

    def _handle_fifth(self, word: str, rest: list[str]) -> None:
        if word == "MOVE5C":
            self.awaited, self._shows_offers = "", False
            while len(self.path) >= 5:
                self._take_back()
            self._make_move((int(rest[0]), int(rest[1])))
            self._request_move()
        elif rest == ["REFRESH"]:
            self._shows_offers = True
        elif rest == ["DONE"]:
            self.awaited, self._offers_done = "", True
            self._shows_offers = self.offers > 1
        else:
            self._make_move((int(rest[0]), int(rest[1])))

    def _receive_move(self, line: str) -> None:
        if self._moves_to_ignore:
            self._moves_to_ignore -= 1
            return
        y, x = (int(part) for part in line.split(maxsplit=1)[0].split(","))
        self.is_thinking = False
        assert 0 <= y < self.size
        assert 0 <= x < self.size
        self._make_move((y, x))
        if INFO_RULES[self.rule] == 2 and not self.engine & BLACK:
            self._send("yxshowforbid")
        self._query_database()
        if not self.is_over and self._is_engines_turn():
            self._request_move()
