"""Whole games against a scripted Yixin-Board: every branch of swap2 and Soosorv-8, to the end, without a wait."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.negotiation.soosorv import Soosorv
from bots.gomoku.notation import format_variant
from bots.gomoku.position import GomokuPosition
from core.play.options import OptionSet
from core.play.player import Limits, Setup
from core.play.squares import format_square
from protocols.gomocup.session import GomocupSession
from tests.mocks.yixin_board import BLACK, SOOSORV, SWAP2, WHITE, Person, YixinBoard

SETTINGS = (  # a level of few nodes: the GUI names no limit of time then
    "INFO max_node 300",
    "INFO timeout_match 100000000",
    "INFO time_left 100000000",
    "INFO timeout_turn 2000000",
    "INFO max_depth 225",
    "INFO hash_size 4096",
)
FAR = (14, 14)


class Decided(GomokuEngine):
    """The engine with its choices of sides made for it, so that every branch is played."""

    swap2_answers: dict[int, str]  # by stones: swap, stay or add
    should_take_black = should_take_white = False
    offers = 0

    def __init__(self) -> None:
        super().__init__(OptionSet(ENGINE_OPTIONS))
        self.swap2_answers = {}

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        answer = self.swap2_answers.get(len(stones))
        if answer is None:
            return super().swap2(stones, limits)
        self.set_position(stones)
        legal = self.position.legal_moves()
        return {"swap": ["SWAP"], "stay": legal[:1], "add": legal[100:102]}[answer]

    def soosorv(self, limits: Limits) -> Soosorv:
        return DecidedSteps(self, super().soosorv(limits))


class DecidedSteps(Soosorv):
    """The steps with the same."""

    def __init__(self, player: Decided, steps: Soosorv) -> None:
        self._player = player
        super().__init__(steps._setup, steps._evaluator)

    def should_take_black(self, stones: Sequence[str]) -> bool:
        super().should_take_black(stones)
        return self._player.should_take_black

    def should_take_white(self, stones: Sequence[str], offers: int) -> bool:
        super().should_take_white(stones, offers)
        return self._player.should_take_white

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        fourth, offers = super().find_fourth(stones)
        return fourth, self._player.offers or offers


class Table:
    """The GUI, the session and the person who clicks."""

    def __init__(self, player: GomokuEngine, rule: str, engine: int, person: Person, seed: int = 1) -> None:
        self._coming: deque[str] = deque()
        self._session = GomocupSession(player, self._coming.append, format_variant, threaded=False)
        self.board = YixinBoard(self._session.handle, rule, engine, person)
        self._chance = random.Random(seed)

    def play(self) -> YixinBoard:
        """A game to its end."""
        board = self.board
        board.start(*SETTINGS)
        board.new_game()
        self.hear()
        while not board.is_over:
            assert len(board.path) < 220, board.log[-20:]
            board.click(self._choose())
            self.hear()
        return board

    def hear(self) -> None:
        """Hand the GUI all that has come; it must not be left waiting."""
        while self._coming:
            self.board.receive(self._coming.popleft())
        waits = [line for line in self.board.log if line.startswith(("< ERROR", "< UNKNOWN"))]
        assert not waits
        assert not self.board.is_thinking, self.board.log[-20:]
        assert not self.board.awaited, self.board.log[-20:]

    def _choose(self) -> tuple[int, int]:
        board = self.board
        if board.rule == SOOSORV and not board.path:
            return 7, 7
        if board.rule == SOOSORV and board.engine == BLACK and len(board.path) > 5 and board._shows_offers:
            return self._chance.choice(board.path[4:])
        nearest = [point for point, _ in zip(board.free_points(), range(8), strict=False)]
        return self._chance.choice(nearest[:2] if len(board.path) < 3 else nearest)


def check_game(board: YixinBoard) -> None:
    """The stones that the GUI ends with are a legal game, by the rule that it named."""
    variant = "renju" if board.rule == SOOSORV else "standard"
    position = GomokuPosition(Setup(15, 15, variant))
    position.replay([format_square(y, x) for y, x in board.path])
    outcome = position.outcome()
    assert outcome is not None
    assert board.winner == {0: BLACK, 1: WHITE, None: 0}[outcome.winner]


def seen(board: YixinBoard, word: str) -> list[str]:
    return [line for line in board.log if line.lower().startswith(word.lower())]


@pytest.mark.parametrize(("choice", "side"), [("stay", BLACK), ("swap", WHITE)])
def test_swap2_opened_by_the_engine(choice: str, side: int) -> None:
    board = Table(Decided(), SWAP2, BLACK, Person(after_opening=choice)).play()
    check_game(board)
    assert len(seen(board, "< MESSAGE SWAP2 MOVE")) == 3
    assert board.engine == side


@pytest.mark.parametrize(("answer", "side"), [("swap", BLACK), ("stay", WHITE), (None, 0)])
def test_swap2_opened_by_the_engine_and_two_stones_added(answer: str | None, side: int) -> None:
    player = Decided()
    if answer:
        player.swap2_answers[5] = answer
    board = Table(player, SWAP2, BLACK, Person(after_opening="add")).play()
    check_game(board)
    assert len(seen(board, "> yxswap2step3")) == len(seen(board, "< MESSAGE SWAP2 SWAP2")) == 1
    assert board.engine == side or not side


@pytest.mark.parametrize(("answer", "side"), [("swap", BLACK), ("stay", WHITE), (None, 0)])
def test_swap2_opened_by_a_person(answer: str | None, side: int) -> None:
    player = Decided()
    if answer:
        player.swap2_answers[3] = answer
    board = Table(player, SWAP2, WHITE, Person()).play()
    check_game(board)
    assert len(seen(board, "> yxswap2step2")) == len(seen(board, "< MESSAGE SWAP2 SWAP1")) == 1
    assert board.engine == side or not side


@pytest.mark.parametrize(("swaps", "side"), [(True, WHITE), (False, BLACK)])
def test_swap2_opened_by_a_person_and_two_stones_added_by_the_engine(swaps: bool, side: int) -> None:
    player = Decided()
    player.swap2_answers[3] = "add"
    board = Table(player, SWAP2, WHITE, Person(swaps=[swaps])).play()
    check_game(board)
    assert len(seen(board, "< MESSAGE SWAP2 MOVE")) == 2
    assert board.engine == side


@pytest.mark.parametrize("offers", [1, 2, 5, 8])
@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
def test_soosorv_with_a_fourth_move_of_the_engine(opens: int, swaps: bool, offers: int) -> None:
    """The engine is white after three stones: a person has taken black, or stays it."""
    player = Decided()
    player.offers = offers
    first = [True] if opens == BLACK else []
    board = Table(player, SOOSORV, opens, Person(swaps=[*first, swaps]), seed=offers).play()
    check_game(board)
    assert len(seen(board, "< MESSAGE SOOSORV MOVE4")) == 1
    assert board.engine == (BLACK if swaps else WHITE)
    check_fifths(board, offers)


@pytest.mark.parametrize("offers", [1, 2, 5, 8])
@pytest.mark.parametrize("should_take_white", [True, False])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
def test_soosorv_with_a_fourth_move_of_a_person(opens: int, should_take_white: bool, offers: int) -> None:
    """The engine is black after three stones, by its opening or by taking it."""
    player = Decided()
    player.should_take_black, player.should_take_white = True, should_take_white
    first = [False] if opens == BLACK else []
    board = Table(player, SOOSORV, opens, Person(swaps=first, offers=offers), seed=offers).play()
    check_game(board)
    assert len(seen(board, f"> yxsoosorvstep4 {offers}")) == 1
    assert board.engine == (WHITE if should_take_white else BLACK)
    check_fifths(board, offers)


def check_fifths(board: YixinBoard, offers: int) -> None:
    """Offered by the engine as black, or chosen by it as white."""
    if board.engine == BLACK:
        moves = [line.split()[-2:] for line in seen(board, "< MESSAGE SOOSORV MOVE5 ") if line[-1].isdigit()]
        assert len({tuple(move) for move in moves}) == offers
        assert [str(number) for number in board.path[4]] in moves
    else:
        (chosen,) = seen(board, "< MESSAGE SOOSORV MOVE5C")
        assert [str(number) for number in board.path[4]] == chosen.split()[-2:]


@pytest.mark.parametrize("rule", [SWAP2, SOOSORV])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
@pytest.mark.parametrize("seed", range(3))
def test_engine_that_chooses_itself(rule: str, opens: int, seed: int) -> None:
    player = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    chance = random.Random(seed)
    person = Person(
        chance.choice(("stay", "swap", "add")), [chance.random() < 0.5 for _ in range(2)], chance.randint(1, 8)
    )
    check_game(Table(player, rule, opens, person, seed).play())


@pytest.mark.parametrize("rule", [SWAP2, SOOSORV])
def test_several_games_of_one_engine(rule: str) -> None:
    """The next game begins by the first step alone, without START."""
    table = Table(GomokuEngine(OptionSet(ENGINE_OPTIONS)), rule, BLACK, Person(swaps=[False] * 9))
    for _ in range(3):
        check_game(table.play())
        table.board.engine = BLACK
