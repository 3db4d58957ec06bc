"""The UHP session: lines and interrupts during a search, bugs, options, and the choice of the player."""

from __future__ import annotations

import pytest

from core.play.options import OptionSet
from core.play.player import Player, PlayerKind
from protocols.uhp.options import session_options
from protocols.uhp.session import UhpGame, UhpSession
from tests.imports import foreign_modules
from tests.manual_clock import ManualClock
from tests.mocks.hive_player import HivePlayer
from tests.mocks.late_thread import LateThread
from tests.mocks.scripted_player import UNTIL_STOPPED_MS
from tests.mocks.tiny_hive import TinyHive
from tests.protocols.conversation import Conversation

pytestmark = pytest.mark.usefixtures("no_delay")

BANNER = ["id Pentad 1.0", "", "ok"]
BASE = ["Base;NotStarted;White[1]", "ok"]


def converse(player: Player, kinds: tuple[PlayerKind, ...] = ()) -> Conversation:
    """Return a conversation whose banner is checked and removed from the answers."""
    game = UhpGame(TinyHive.load)
    conversation = Conversation(
        lambda write: UhpSession(player, game, write, name="Pentad", version="1.0", kinds=kinds)
    )
    assert conversation.answers == BANNER
    conversation.answers.clear()
    return conversation


def start_search(command: str) -> Conversation:
    """Return a conversation whose player has begun a long search."""
    player = HivePlayer(think_ms=UNTIL_STOPPED_MS)
    conversation = converse(player)
    conversation.say("newgame", command)
    assert player.begun.wait(60)
    assert conversation.answers == BASE
    return conversation


def test_empty_line_stops_a_search_without_limits() -> None:
    conversation = start_search("bestmove")
    conversation.say("")
    assert conversation.wait_and_get_answers() == [*BASE, "wS1", "ok"]


def test_any_command_stops_a_search_without_limits_and_is_answered() -> None:
    conversation = start_search("bestmove")
    conversation.say("play wA1")
    assert conversation.wait_and_get_answers() == [*BASE, "wS1", "ok", "Base;InProgress;Black[1];wA1", "ok"]


@pytest.mark.parametrize("command", ["bestmove", "analyze"])
def test_line_right_after_the_command_stops_its_search(command: str) -> None:
    for _ in range(50):
        conversation = converse(HivePlayer(think_ms=UNTIL_STOPPED_MS))
        conversation.say("newgame", command, "")
        assert len(conversation.wait_and_get_answers()) == 4


def test_empty_line_does_not_stop_a_search_with_a_limit() -> None:
    player = HivePlayer(think_ms=100)
    conversation = converse(player)
    conversation.say("newgame", "bestmove time 00:00:10", "", "")
    assert conversation.wait_and_get_answers() == [*BASE, "wS1", "ok"]
    assert player.was_stopped == [False]


def test_commands_wait_for_the_answer_of_the_search() -> None:
    conversation = converse(HivePlayer(think_ms=50))
    conversation.say("newgame", "bestmove depth 3", "play wS1", "nonsense", "bestmove depth 1")
    answers = conversation.wait_and_get_answers()
    assert answers[2:6] == ["wS1", "ok", "Base;InProgress;Black[1];wS1", "ok"]
    assert answers[6].startswith("err unknown")
    assert answers[7:] == ["ok", "bS1 -wS1", "ok"]


def test_newgame_stops_the_searches_before_it_and_each_is_answered() -> None:
    conversation = start_search("bestmove time 00:10:00")
    conversation.say("bestmove time 00:10:00", "analyze depth 90", "newgame Base+M", "newgame oops", "validmoves")
    answers = conversation.wait_and_get_answers()
    assert answers[:8] == [*BASE, "wS1", "ok", "wS1", "ok", "wS1;0;0", "ok"]
    assert answers[8:10] == ["Base+M;NotStarted;White[1]", "ok"]
    assert answers[10].startswith("err unknown type")
    assert answers[11:] == ["ok", "wS1;wB1;wG1;wA1;wA2;wA3;wM", "ok"]


def test_exit_while_thinking_is_quick_and_silent() -> None:
    conversation = start_search("bestmove")
    assert not conversation.session.handle("EXIT ")
    assert conversation.wait_and_get_answers() == BASE
    assert not conversation.session.handle("info")
    assert conversation.answers == BASE


def test_exit_with_extra_words_is_obeyed_with_a_warning() -> None:
    answers: list[str] = []
    warnings: list[str] = []
    rules = UhpGame(TinyHive.load)
    session = UhpSession(HivePlayer(), rules, answers.append, name="Pentad", version="1.0", warn=warnings.append)
    assert not session.handle("exit now")
    assert not session.handle("info")
    assert answers == BANNER
    assert warnings == ["exit takes no arguments; ignoring 'now'"]


def test_bug_is_answered_by_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: TinyHive) -> list[str]:
        raise ZeroDivisionError("by\nzero")

    conversation = converse(HivePlayer())
    conversation.say("newgame")
    monkeypatch.setattr(TinyHive, "legal_moves", fail)
    conversation.say("validmoves", "bestmove depth 1")
    error = ["err internal ZeroDivisionError: by zero", "ok"]
    assert conversation.wait_and_get_answers() == [*BASE, *error, *error]
    monkeypatch.undo()
    conversation.say("bestmove depth 1")
    assert conversation.wait_and_get_answers()[-2:] == ["wS1", "ok"]


def test_options_of_the_command_line_are_set() -> None:
    """Regression: `pentad-hive --nodes 500` used to be refused, although it was documented."""
    options = session_options()
    options.set("nodes", "500")
    answers: list[str] = []
    session = UhpSession(
        HivePlayer(), UhpGame(TinyHive.load), answers.append, name="Pentad", version="1.0", options=options
    )
    for line in ("options get Nodes", "options get Verbosity", "options set Nodes 600", "options get nodes"):
        session.handle(line)
    assert session.wait_idle(60)
    values = [line.split(";")[2] for line in answers[len(BANNER) :] if line != "ok"]
    assert values == ["500", "0", "600", "600"]
    assert options.get_int("nodes") == 500


def test_refused_player_is_closed_and_the_old_one_stays() -> None:
    made: list[HivePlayer] = []

    def build(_: OptionSet) -> HivePlayer:
        made.append(HivePlayer())
        return made[-1]

    class Omnivore(HivePlayer):
        """Accepts every setup; a HivePlayer refuses Base+ML."""

        def new_game(self, setup: object) -> None:
            self.setup, self.moves = setup, []  # type: ignore[assignment]

    old = Omnivore()
    kinds = (PlayerKind("omnivore", "", lambda _: Omnivore()), PlayerKind("picky", "", build))
    conversation = converse(old, kinds)
    conversation.say("newgame Base+ML", "options set Player picky", "options get Player", "bestmove depth 1")
    answers = conversation.wait_and_get_answers()
    assert answers[2:] == [
        "err this player refuses Base+ML", "ok", "Player;enum;omnivore;omnivore;omnivore;picky", "ok", "wS1", "ok"
    ]  # fmt: skip
    assert made[0].closed
    assert not old.closed
    conversation.say("newgame", "options set player PICKY", "bestmove depth 1")
    assert conversation.wait_and_get_answers()[-4:] == ["Player;enum;picky;omnivore;omnivore;picky", "ok", "wS1", "ok"]
    assert old.closed


def test_serving_side_needs_the_standard_library_only() -> None:
    """Executables contain no other packages."""
    assert not foreign_modules("protocols.serving.serve", "protocols.uhp.session")


@pytest.mark.parametrize("command", ["bestmove depth 9", "analyze depth 9"])
def test_interrupt_before_the_search_has_begun_is_not_lost(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = converse(HivePlayer(think_ms=UNTIL_STOPPED_MS))
    conversation.say("newgame")
    monkeypatch.setattr("protocols.serving.runner.threading.Thread", LateThread)
    conversation.say(command)
    conversation.session.interrupt()
    answers = conversation.wait_and_get_answers()
    assert len(answers) == 4
    assert answers[2].startswith("wS1")


def test_interrupted_perft_leaves_out_the_unfinished_depth(clock: ManualClock) -> None:
    """The interrupt does not stop the next command."""
    sessions: list[UhpSession] = []

    class Interrupting(TinyHive):
        calls = 0

        def perft(self, depth: int) -> int:
            if depth == 2:
                clock.advance(50)  # so slow that depth 3 is counted in chunks
                Interrupting.calls += 1
                if Interrupting.calls == 3:
                    sessions[0].interrupt()
            return super().perft(depth)

    answers: list[str] = []
    sessions.append(
        UhpSession(
            HivePlayer(),
            UhpGame(Interrupting.load),
            answers.append,
            name="Pentad",
            version="1.0",
            threaded=False,
        )
    )
    for line in ("newgame", "perft 4", "perft 1"):
        sessions[0].handle(line)
    counts = [answer.split(" in ")[0] for answer in answers[5:] if answer.startswith(("perft", "ok"))]
    assert counts == ["perft(0) = 1", "perft(1) = 6", "perft(2) = 36", "ok", "perft(0) = 1", "perft(1) = 6", "ok"]
