"""Words of Yixin's family beyond the first ones: openings agreed on, balanced moves, defences, files and databases.

protocols/README.md lists all words that Yixin-Board can send, with their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, runtime_checkable

from core.play.player import Limits, Player, Progress
from core.play.squares import format_square
from protocols.gomocup.board import ManagerBoard
from protocols.gomocup.negotiation import (
    MAX_OFFERS,
    Reply,
    parse_squares,
    parse_swap2,
    reply_to_swap2,
    reply_with_choice,
    reply_with_fifths,
    reply_with_fourth,
    reply_with_opening,
    reply_with_swap,
)
from protocols.gomocup.search import GomocupSearch, GomocupThinker, Swap2Player
from protocols.gomocup.text import Point, format_point, format_progress
from protocols.serving.runner import Job
from protocols.text import CommandError, echo, parse_number

FIRST_STEPS = frozenset({"YXSWAP2STEP1", "YXSOOSORVSTEP1"})  # begin a game, as START does
SOOSORV_STEPS = frozenset(f"YXSOOSORVSTEP{step}" for step in range(2, 7))  # each with squares up to DONE
# After every click, and where lines of play are blocked: we have no databases and block no lines, and say nothing.
SILENT_BODY_WORDS = frozenset(
    {"YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT"}
    | {"YXBLOCKPATH", "YXBLOCKPATHUNDO"}
)
SILENT_WORDS = frozenset({"YXBLOCKPATHRESET", "YXRESIGN"})
# What a user asks for by name, with squares up to DONE, or with a path on the next line.
UNKNOWN_BODY_WORDS = frozenset(
    {"YXSETBESTMOVEDATABASE", "YXCLEARBESTMOVEDATABASE", "YXEDITLABELDATABASE", "YXEDITTVDDATABASE"}
    | {"YXEDITTEXTDATABASE", "YXDELETEDATABASEONE", "YXDELETEDATABASEALL"}
)
PATH_WORDS = frozenset(
    {"YXHASHDUMP", "YXHASHLOAD", "YXSETDATABASE", "YXDBTOPOS", "YXDBTOTXT", "YXTXTTODB"}
    | {"YXDBTOTXTALL", "YXLIBTODB", "YXDBTOLIB", "YXDBSPLIT", "YXDBMERGE"}
)
BODY_WORDS = SOOSORV_STEPS | SILENT_BODY_WORDS | UNKNOWN_BODY_WORDS | PATH_WORDS


class SoosorvSteps(Protocol):
    """A player's answers to one step of Soosorv-8; stones are those on the board, black's first."""

    def propose(self) -> Sequence[str]:
        """Return three stones of a standard opening."""

    def takes_black(self, stones: Sequence[str]) -> bool:
        """Return whether to take black after three stones."""

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        """Return the fourth move and how many fifth moves black must offer."""

    def takes_white(self, stones: Sequence[str], offers: int) -> bool:
        """Return whether to take white after four stones."""

    def find_fifths(self, stones: Sequence[str], offers: int) -> Sequence[str]:
        """Return the fifth moves to offer, as many as asked for or as there are."""

    def choose_fifth(self, stones: Sequence[str], fifths: Sequence[str]) -> str:
        """Return the fifth move that is left of those offered."""


@runtime_checkable
class SoosorvPlayer(Protocol):
    """A player that knows the Soosorv-8 opening."""

    def soosorv(self, limits: Limits) -> SoosorvSteps:
        """Return what answers one step within the limits."""


@runtime_checkable
class BalancingPlayer(Protocol):
    """A player that finds moves after which a game is even."""

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        """Return one or two moves as a line, with the score of the side to move after them, which is near `bias`."""


@dataclass(frozen=True)
class Host:
    """The parts of the session that these words use."""

    say: Callable[[str], None]
    need_board: Callable[[], ManagerBoard]  # raises CommandError before START
    put_board: Callable[[ManagerBoard], None]
    begin_game: Callable[[], ManagerBoard]  # on an empty board of the present size
    new_search: Callable[[ManagerBoard], GomocupSearch]
    parse_points: Callable[[str, list[str]], list[Point]]  # of a body without colours; raises CommandError


class OpeningSteps:
    """The lines that belong to steps of Soosorv: START does not abandon a step that came before it.

    Yixin-Board asks for forbidden squares right behind a step, with a START, and waits for the step's answer.
    """

    def __init__(self) -> None:
        self._is_inside = False
        self._last = 0  # line of a step, by number

    def hear(self, word: str, number: int, *, begins_game: bool) -> None:
        """Take the first word of a line and its number, and whether it begins a game."""
        if word in FIRST_STEPS:
            self._last = 0
        self._is_inside = word in SOOSORV_STEPS or (self._is_inside and not begins_game)
        if self._is_inside:
            self._last = number
        if word == "DONE":
            self._is_inside = False

    def holds(self, number: int) -> bool:
        """Return whether a step has come that ends with the line of that number or a later one."""
        return number <= self._last


class YixinWords:
    """Handlers of these words: `words` take the rest of the line, `bodies` also the lines up to DONE."""

    def __init__(self, player: Player, thinker: GomocupThinker, host: Host) -> None:
        self._player = player
        self._thinker = thinker
        self._host = host
        self.words: dict[str, Callable[[str], Job | None]] = {
            "YXSWAP2STEP1": lambda _: self._open(Swap2Player, "YXSWAP2STEP1", self._propose_swap2),
            "YXSWAP2STEP2": lambda _: self._answer_swap2("YXSWAP2STEP2", 3),
            "YXSWAP2STEP3": lambda _: self._answer_swap2("YXSWAP2STEP3", 5),
            "YXSOOSORVSTEP1": lambda _: self._open(SoosorvPlayer, "YXSOOSORVSTEP1", self._propose_soosorv),
            "YXSEARCHDEFEND": lambda _: self._search_defences(),
            "YXBALANCEONE": partial(self._balance, "YXBALANCEONE", 1),
            "YXBALANCETWO": partial(self._balance, "YXBALANCETWO", 2),
            "YXDRAW": lambda _: host.say("MESSAGE DRAW REJECT"),
            **dict.fromkeys(SILENT_WORDS, lambda _: None),
        }
        self.bodies: dict[str, Callable[[str, list[str]], Job | None]] = {
            "YXSOOSORVSTEP2": partial(self._answer_soosorv, "YXSOOSORVSTEP2", 3, self._take_black),
            "YXSOOSORVSTEP3": partial(self._answer_soosorv, "YXSOOSORVSTEP3", 3, self._find_fourth),
            "YXSOOSORVSTEP4": partial(self._answer_soosorv, "YXSOOSORVSTEP4", 4, self._take_white),
            "YXSOOSORVSTEP5": partial(self._answer_soosorv, "YXSOOSORVSTEP5", 4, self._find_fifths),
            "YXSOOSORVSTEP6": self._choose_fifth,
            **dict.fromkeys(SILENT_BODY_WORDS, lambda *_: None),
            **{word: partial(self._refuse, word) for word in UNKNOWN_BODY_WORDS | PATH_WORDS},
        }

    def _refuse(self, word: str, *_: object) -> None:
        self._host.say(f"UNKNOWN {word}")

    def _open(self, ability: type, word: str, propose: Callable[[GomocupSearch, Limits], Reply]) -> Job | None:
        """Begin a game on an empty board with stones of ours."""
        self._host.need_board()
        if not isinstance(self._player, ability):
            self._refuse(word)
            return None
        search = self._host.new_search(self._host.begin_game())
        return lambda: self._thinker.answer(search, partial(propose, search))

    def _propose_swap2(self, search: GomocupSearch, limits: Limits) -> Reply:
        assert isinstance(self._player, Swap2Player)
        free = search.board.free_points()
        return reply_to_swap2(0, parse_swap2(self._player.swap2([], limits), 0, free))

    def _answer_swap2(self, word: str, count: int) -> Job | None:
        """Choose a side, or add two stones. The GUI counts this answer as a move."""
        board = self._host.need_board()
        if len(board.stones) != count or len(board.placed) != count:
            raise CommandError(f"{word} wants {count} stones in order of play on the board, not {len(board.placed)}")
        player = self._player
        if not isinstance(player, Swap2Player):
            self._refuse(word)
            return None
        search = replace(self._host.new_search(board), is_owed=True)

        def ask(limits: Limits) -> Reply:
            added = parse_swap2(player.swap2(search.moves, limits), count, board.free_points())
            return reply_to_swap2(count, added)

        return lambda: self._thinker.answer(search, ask, is_counted=True)

    def _propose_soosorv(self, search: GomocupSearch, limits: Limits) -> Reply:
        assert isinstance(self._player, SoosorvPlayer)
        return reply_with_opening(parse_squares(self._player.soosorv(limits).propose(), search.board.free_points(), 3))

    def _answer_soosorv(
        self,
        word: str,
        count: int,
        ask: Callable[[SoosorvSteps, ManagerBoard, int], Reply],
        rest: str,
        lines: list[str],
    ) -> Job | None:
        """Answer a step by the squares that come with it; after four stones the number of fifth moves comes, too."""
        points = self._host.parse_points(word, lines)
        if len(points) != count:
            raise CommandError(f"{word} wants {count} squares, not {len(points)}")
        offers = self._parse_offers(word, rest) if count == 4 else 0
        return self._ask_soosorv(word, points, lambda steps, board: ask(steps, board, offers))

    def _parse_offers(self, word: str, rest: str) -> int:
        offers = parse_number(rest)
        if offers is None or not 1 <= offers <= MAX_OFFERS:
            raise CommandError(f"{word} wants a number of fifth moves from 1 to {MAX_OFFERS}, not {echo(rest)}")
        return offers

    def _ask_soosorv(
        self, word: str, points: list[Point], ask: Callable[[SoosorvSteps, ManagerBoard], Reply]
    ) -> Job | None:
        player, board = self._player, self._host.need_board()
        if not isinstance(player, SoosorvPlayer):
            self._refuse(word)
            return None
        board = ManagerBoard(board.width, board.height, points)
        self._host.put_board(board)
        search = self._host.new_search(board)
        return lambda: self._thinker.answer(search, lambda limits: ask(player.soosorv(limits), board))

    def _take_black(self, steps: SoosorvSteps, board: ManagerBoard, _: int) -> Reply:
        return reply_with_swap(1, steps.takes_black(board.squares()))

    def _find_fourth(self, steps: SoosorvSteps, board: ManagerBoard, _: int) -> Reply:
        fourth, offers = steps.find_fourth(board.squares())
        return reply_with_fourth(parse_squares([fourth], board.free_points(), 1)[0], offers)

    def _take_white(self, steps: SoosorvSteps, board: ManagerBoard, offers: int) -> Reply:
        return reply_with_swap(2, steps.takes_white(board.squares(), offers))

    def _find_fifths(self, steps: SoosorvSteps, board: ManagerBoard, offers: int) -> Reply:
        fifths = steps.find_fifths(board.squares(), offers)
        return reply_with_fifths(parse_squares(fifths, board.free_points(), len(fifths)))

    def _choose_fifth(self, _: str, lines: list[str]) -> Job | None:
        word = "YXSOOSORVSTEP6"
        points = self._host.parse_points(word, lines)
        if not 5 <= len(points) <= 4 + MAX_OFFERS:
            raise CommandError(f"{word} wants 4 squares and 1 to {MAX_OFFERS} fifth moves, not {len(points)} squares")
        fifths = [format_square(*point) for point in points[4:]]

        def ask(steps: SoosorvSteps, board: ManagerBoard) -> Reply:
            return reply_with_choice(parse_squares([steps.choose_fifth(board.squares(), fifths)], points[4:], 1)[0])

        return self._ask_soosorv(word, points[:4], ask)

    def _search_defences(self) -> Job:
        """Think about all moves that do not lose to a threat, and list them as best lines."""
        board = self._host.need_board()
        free = len(board.free_points())
        if not free:
            raise CommandError("the board is full, no move is left")
        search = replace(self._host.new_search(board), lines=free)
        return lambda: self._thinker.answer_defence(search)

    def _balance(self, word: str, count: int, rest: str) -> Job | None:
        """Find moves that give the side to move a score near the bias, and put them on the board."""
        bias = parse_number(rest or "0")
        if bias is None:
            raise CommandError(f"{word} wants a score or nothing, not {echo(rest)}")
        board, player = self._host.need_board(), self._player
        if len(board.free_points()) < count:
            raise CommandError(f"{word} wants a board with {count} free squares")
        if not isinstance(player, BalancingPlayer):
            self._refuse(word)
            return None
        search = self._host.new_search(board)

        def ask(limits: Limits) -> Reply:
            found = player.balance(count, bias, limits)
            points = parse_squares(found.pv, board.free_points(), count)
            return Reply((format_progress(found), " ".join(map(format_point, points))), tuple(points))

        return lambda: self._thinker.answer(search, ask)
