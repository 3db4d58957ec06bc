"""Whole games with a simulated Yixin-Board, through every branch of swap2 and Soosorv-8; the GUI gets every answer."""

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

SETTINGS = (  # a node limit, and times by which the GUI means no limit
    "INFO max_node 300",
    "INFO timeout_match 100000000",
    "INFO time_left 100000000",
    "INFO timeout_turn 2000000",
    "INFO max_depth 225",
    "INFO hash_size 4096",
)


class EngineWithFixedChoices(GomokuEngine):
    """The Gomoku engine with its choices of colour set by the test, so that every branch is played."""

    swap2_answers: dict[int, str]  # number of stones on the board -> "swap", "stay" or "add"
    should_take_black = should_take_white = False
    offers = 0  # number of fifth moves that black must offer; 0: as the engine decides

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
        return SoosorvWithFixedChoices(self, super().soosorv(limits))


class SoosorvWithFixedChoices(Soosorv):
    """The Soosorv steps with the choices of `EngineWithFixedChoices`."""

    def __init__(self, player: EngineWithFixedChoices, steps: Soosorv) -> None:
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


class GuiGame:
    """A simulated GUI that is connected to a session. `person` makes the choices of its user.

    `rule` is SWAP2 or SOOSORV, `engine` the colour of the engine at the beginning, BLACK or WHITE.
    """

    def __init__(self, player: GomokuEngine, rule: str, engine: int, person: Person, seed: int = 1) -> None:
        self._answers: deque[str] = deque()
        self._session = GomocupSession(player, self._answers.append, format_variant, threaded=False)
        self.board = YixinBoard(self._session.handle, rule, engine, person)
        self._random = random.Random(seed)

    def play(self) -> YixinBoard:
        """Play a game to its end."""
        board = self.board
        board.start(*SETTINGS)
        board.new_game()
        self.deliver_answers()
        while not board.is_over:
            assert len(board.path) < 220, board.log[-20:]
            board.click(self._choose())
            self.deliver_answers()
        return board

    def deliver_answers(self) -> None:
        """Pass all answers to the GUI, and check that it got no error and does not wait for more."""
        while self._answers:
            self.board.receive(self._answers.popleft())
        errors = [line for line in self.board.log if line.startswith(("< ERROR", "< UNKNOWN"))]
        assert not errors
        assert not self.board.is_thinking, self.board.log[-20:]
        assert not self.board.awaited, self.board.log[-20:]

    def _choose(self) -> tuple[int, int]:
        board = self.board
        if board.rule == SOOSORV and not board.path:
            return 7, 7
        if board.rule == SOOSORV and board.engine == BLACK and len(board.path) > 5 and board._shows_offers:
            return self._random.choice(board.path[4:])
        nearest_points = [point for point, _ in zip(board.free_points(), range(8), strict=False)]
        return self._random.choice(nearest_points[:2] if len(board.path) < 3 else nearest_points)


def check_game(board: YixinBoard) -> None:
    """Check that the GUI's stones are a legal, finished game by its rule, and that the GUI knows the winner."""
    variant = "renju" if board.rule == SOOSORV else "standard"
    position = GomokuPosition(Setup(15, 15, variant))
    position.replay([format_square(y, x) for y, x in board.path])
    outcome = position.outcome()
    assert outcome is not None
    assert board.winner == {0: BLACK, 1: WHITE, None: 0}[outcome.winner]


def log_lines(board: YixinBoard, beginning: str) -> list[str]:
    """Return the lines between GUI (`>`) and engine (`<`) that begin with a text, whatever its case."""
    return [line for line in board.log if line.lower().startswith(beginning.lower())]


@pytest.mark.parametrize(("choice", "side"), [("stay", BLACK), ("swap", WHITE)])
def test_swap2_opened_by_the_engine(choice: str, side: int) -> None:
    board = GuiGame(EngineWithFixedChoices(), SWAP2, BLACK, Person(after_opening=choice)).play()
    check_game(board)
    assert len(log_lines(board, "< MESSAGE SWAP2 MOVE")) == 3
    assert board.engine == side


# None: the engine decides for itself, so its colour is not checked (0)
ANSWERS_AND_SIDES = [("swap", BLACK), ("stay", WHITE), (None, 0)]


@pytest.mark.parametrize(("answer", "side"), ANSWERS_AND_SIDES)
def test_swap2_opened_by_the_engine_and_two_stones_added(answer: str | None, side: int) -> None:
    player = EngineWithFixedChoices()
    if answer:
        player.swap2_answers[5] = answer
    board = GuiGame(player, SWAP2, BLACK, Person(after_opening="add")).play()
    check_game(board)
    assert len(log_lines(board, "> yxswap2step3")) == len(log_lines(board, "< MESSAGE SWAP2 SWAP2")) == 1
    assert board.engine == side or not side


@pytest.mark.parametrize(("answer", "side"), ANSWERS_AND_SIDES)
def test_swap2_opened_by_a_person(answer: str | None, side: int) -> None:
    player = EngineWithFixedChoices()
    if answer:
        player.swap2_answers[3] = answer
    board = GuiGame(player, SWAP2, WHITE, Person()).play()
    check_game(board)
    assert len(log_lines(board, "> yxswap2step2")) == len(log_lines(board, "< MESSAGE SWAP2 SWAP1")) == 1
    assert board.engine == side or not side


@pytest.mark.parametrize(("swaps", "side"), [(True, WHITE), (False, BLACK)])
def test_swap2_opened_by_a_person_and_two_stones_added_by_the_engine(swaps: bool, side: int) -> None:
    player = EngineWithFixedChoices()
    player.swap2_answers[3] = "add"
    board = GuiGame(player, SWAP2, WHITE, Person(swaps=[swaps])).play()
    check_game(board)
    assert len(log_lines(board, "< MESSAGE SWAP2 MOVE")) == 2
    assert board.engine == side


@pytest.mark.parametrize("offers", [1, 2, 5, 8])
@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
def test_soosorv_with_a_fourth_move_of_the_engine(opens: int, swaps: bool, offers: int) -> None:
    """The engine is white after three stones, because a person has taken or kept black."""
    player = EngineWithFixedChoices()
    player.offers = offers
    first = [True] if opens == BLACK else []
    board = GuiGame(player, SOOSORV, opens, Person(swaps=[*first, swaps]), seed=offers).play()
    check_game(board)
    assert len(log_lines(board, "< MESSAGE SOOSORV MOVE4")) == 1
    assert board.engine == (BLACK if swaps else WHITE)
    check_fifths(board, offers)


@pytest.mark.parametrize("offers", [1, 2, 5, 8])
@pytest.mark.parametrize("should_take_white", [True, False])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
def test_soosorv_with_a_fourth_move_of_a_person(opens: int, should_take_white: bool, offers: int) -> None:
    """The engine is black after three stones, because it has opened or has taken black."""
    player = EngineWithFixedChoices()
    player.should_take_black, player.should_take_white = True, should_take_white
    first = [False] if opens == BLACK else []
    board = GuiGame(player, SOOSORV, opens, Person(swaps=first, offers=offers), seed=offers).play()
    check_game(board)
    assert len(log_lines(board, f"> yxsoosorvstep4 {offers}")) == 1
    assert board.engine == (WHITE if should_take_white else BLACK)
    check_fifths(board, offers)


def check_fifths(board: YixinBoard, offers: int) -> None:
    """Check the fifth moves that the engine offered as black, or the one that it chose as white."""
    if board.engine == BLACK:
        moves = [line.split()[-2:] for line in log_lines(board, "< MESSAGE SOOSORV MOVE5 ") if line[-1].isdigit()]
        assert len({tuple(move) for move in moves}) == offers
        assert [str(number) for number in board.path[4]] in moves
    else:
        (chosen,) = log_lines(board, "< MESSAGE SOOSORV MOVE5C")
        assert [str(number) for number in board.path[4]] == chosen.split()[-2:]


@pytest.mark.parametrize("rule", [SWAP2, SOOSORV])
@pytest.mark.parametrize("opens", [BLACK, WHITE])
@pytest.mark.parametrize("seed", range(3))
def test_the_engine_with_its_own_choices_plays_games_to_the_end(rule: str, opens: int, seed: int) -> None:
    player = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    rng = random.Random(seed)
    person = Person(rng.choice(("stay", "swap", "add")), [rng.random() < 0.5 for _ in range(2)], rng.randint(1, 8))
    check_game(GuiGame(player, rule, opens, person, seed).play())


@pytest.mark.parametrize("rule", [SWAP2, SOOSORV])
def test_several_games_of_one_engine(rule: str) -> None:
    """The next game begins with the first step, without START."""
    game = GuiGame(GomokuEngine(OptionSet(ENGINE_OPTIONS)), rule, BLACK, Person(swaps=[False] * 9))
    for _ in range(3):
        check_game(game.play())
        game.board.engine = BLACK
