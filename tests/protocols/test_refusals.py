"""A command that is answered by an error changes nothing: board, side to move, history, options, blocks and clocks.

Every command of the three protocols is sent with many kinds of wrong arguments, in several states of a game.
Regression: a TURN on the last free square used to keep its stone, and BOARD its position, although both had answered
ERROR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from bots.gomoku.notation import check_setup, format_variant
from bots.hex.gtp import GTP as HEX
from bots.hex.gtp_commands import make_commands as make_hex_commands
from bots.hive.__main__ import RULES
from bots.kolibrat.gtp import GTP as KOLIBRAT
from bots.kolibrat.gtp_commands import make_commands as make_kolibrat_commands
from bots.pentago.gtp import GTP as PENTAGO
from bots.registry import GAMES
from core.play.options import OptionSet
from core.play.player import Player, build_player
from protocols.gomocup.session import GomocupSession
from protocols.gomocup.yixin import BODY_WORDS as YIXIN_BODY_WORDS
from protocols.gomocup.yixin import SILENT_BODY_WORDS, SILENT_WORDS
from protocols.gtp.session import GtpSession
from protocols.uhp.session import UhpSession
from tests.mocks.scripted_player import GiftedPlayer

Session = GomocupSession | GtpSession | UhpSession
# Attributes that a failed command may change: streams, threads, the running command, results of a search
IGNORED_ATTRIBUTES = {
    "_runner",
    "_move_chooser",
    "_soosorv_lines",
    "_write",
    "_warn",
    "_write_line",
    "command",
    "commands",
    "last_progress",
}
ARGUMENTS = ("", "x", "0", "-1", "999", "h8", "é", "no=such")


def snapshot(value: object, seen: tuple[int, ...] = ()) -> object:
    """Return the state of a session as plain values that can be compared.

    `seen` has the ids of the objects around `value`, so that cycles end.
    """
    if id(value) in seen or isinstance(value, type) or callable(value):
        return None
    if isinstance(value, OptionSet):
        return dict(value)
    if isinstance(value, Mapping):
        return {str(key): snapshot(item, (*seen, id(value))) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [snapshot(item, (*seen, id(value))) for item in value]
    if isinstance(value, Player):
        return type(value).__name__, dict(value.options)
    if hasattr(value, "position_text"):
        return value.setup, list(value.moves), value.position_text()  # type: ignore[attr-defined]
    if hasattr(value, "game_string"):
        return value.setup, list(value.moves), value.game_string()  # type: ignore[attr-defined]
    if hasattr(value, "__dict__"):
        kept = {name: item for name, item in vars(value).items() if name not in IGNORED_ATTRIBUTES}
        return type(value).__name__, snapshot(kept, (*seen, id(value)))
    return value if isinstance(value, (int, float, str, bytes, frozenset, set)) else str(value)


@dataclass(frozen=True)
class ProtocolCase:
    """A session and what the tests send to it."""

    make: Callable[[Callable[[str], None]], Session]  # gets the function that writes an answer
    states: Mapping[str, Sequence[str]]  # name of a state -> the lines that lead to it
    error_prefixes: tuple[str, ...]  # beginnings of error answers
    never_fails: frozenset[str] = frozenset()  # commands
    more_lines: tuple[str, ...] = ()  # further bad lines

    def lines(self, session: Session) -> Iterator[str]:
        """Yield each command with no argument, one argument of each kind, two, and four; then `more_lines`."""
        for name in session.commands:
            for arguments in (*product(ARGUMENTS), *product(("b",), ARGUMENTS[1:6]), ("b", "h8", "x", "3")):
                yield " ".join((name, *arguments)).strip()
        yield from self.more_lines


def gtp_maker(game_name: str, **settings: Any) -> Callable[[Callable[[str], None]], GtpSession]:
    """Return a function that makes a GTP session of a game with a player that answers at once."""

    def make(write: Callable[[str], None]) -> GtpSession:
        kinds = GAMES[game_name].players()
        player = build_player(kinds, "random" if game_name != "hex" else "potentials")
        return GtpSession(player, write=write, name="Pentad", version="1", kinds=kinds, threaded=False, **settings)

    return make


def make_uhp(write: Callable[[str], None]) -> UhpSession:
    kinds = GAMES["hive"].players()
    return UhpSession(build_player(kinds, "random"), RULES, write, name="P", version="1", kinds=kinds, threaded=False)


def make_gomocup(write: Callable[[str], None]) -> GomocupSession:
    player = GiftedPlayer()
    player.swap2_answers = {0: ["a1", "b1", "c1"], 3: ["SWAP"], 5: ["SWAP"]}  # no answers for Soosorv
    return GomocupSession(player, write, format_variant, check_setup=check_setup, threaded=False)


def body(command: str, *lines: str) -> str:
    """Return a command with a body as one text of several lines."""
    return "\n".join((command, *lines, "DONE"))


def full_board(size: int, free_count: int = 0) -> list[str]:
    """Return the lines of a BOARD without five in a row; the last `free_count` squares are free."""
    points = [(x, y) for y in range(size) for x in range(size)][: size * size - free_count]
    black = [point for point in points if (point[0] // 2 + point[1]) % 2 == 0]
    white = [point for point in points if point not in black]
    while len(black) > (len(points) + 1) // 2:
        white.append(black.pop())
    while len(white) > len(points) // 2:
        black.append(white.pop())
    black_code, white_code = (1, 2) if len(points) % 2 == 0 else (2, 1)  # code 1 is the side to move
    stones = [(point, black_code) for point in black] + [(point, white_code) for point in white]
    return [f"{x},{y},{code}" for (x, y), code in stones]


CASES = {
    "hex": ProtocolCase(
        gtp_maker("hex", game=HEX, commands=make_hex_commands),
        {
            "beginning": ("boardsize 4", "time_settings 60 0 0"),
            "game": ("boardsize 4", "time_left w 5 1", "play b b2", "play w c3", "param_player seed 7"),
            "over": ("boardsize 1", "play b a1"),
        },
        error_prefixes=("?",),
        never_fails=frozenset({"quit"}),
    ),
    "pentago": ProtocolCase(
        gtp_maker("pentago", game=PENTAGO),
        {
            "game": ("time_settings 0 9 1", "play white b2s", "play black c3z"),
        },
        error_prefixes=("?",),
        never_fails=frozenset({"quit"}),
    ),
    "kolibrat": ProtocolCase(
        gtp_maker("kolibrat", game=KOLIBRAT, commands=make_kolibrat_commands),
        {"game": ("kolibrat_setup 3 4 4 5", "genmove red", "genmove black")},
        error_prefixes=("?",),
        never_fails=frozenset({"quit"}),
        more_lines=("kolibrat_setup 1 1 1 1", "kolibrat_setup 3 4 99 5", "kolibrat_setup 3 4 4 0"),
    ),
    "uhp": ProtocolCase(
        make_uhp,
        {
            "no game": (),
            "game": ("options set Verbosity 1", "newgame Base+M", "play wS1", "play bS1 wS1-"),
            "over": (
                "newgame Base;InProgress;White[8];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;"
                "wA1 wQ\\;bA1 bG2/;wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bA1 bG2/",
                "play wQ /bG1",
            ),
        },
        error_prefixes=("err", "invalidmove"),
        never_fails=frozenset({"exit"}),  # ends the session with any arguments
        more_lines=("newgame Base;wS1;bS1 wS1-", "newgame Base;x", "options set Player nobody", "options set Nodes x"),
    ),
    "gomocup": ProtocolCase(
        make_gomocup,
        {
            "before START": ("INFO rule 1",),
            "beginning": ("START 15", "INFO time_left 5000"),
            "game": (
                "START 15",
                "INFO rule 4",
                "INFO timeout_turn 0",
                "TURN 7,7",
                body("YXBLOCK", "0,0", "1,1"),
                "INFO max_node 50",
            ),
            "one square left": ("START 6", body("YXBOARD", *full_board(6, 1))),
            "full": ("START 6", body("YXBOARD", *full_board(6))),
        },
        error_prefixes=("ERROR", "UNKNOWN"),
        never_fails=frozenset({"INFO"} | SILENT_WORDS | SILENT_BODY_WORDS),
        more_lines=(
            *("TURN 5,5", "PLAY 5,5", "TAKEBACK 7,6", "START 23", "RECTSTART 4,9", "RECTSTART 15", "TURN 7,7,1"),
            *(body(word, *full_board(6)) for word in ("BOARD", "YXBOARD")),
            *(body(word, "7,7,1", "7,7,2") for word in ("BOARD", "YXBOARD")),
            *(body(word, "7,7,1", "x") for word in ("BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO")),
            *(body(word, "7,7", "99,0") for word in ("SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO")),
            *(body(word, "7,7") for word in sorted(YIXIN_BODY_WORDS - SILENT_BODY_WORDS)),
            *(body("SWAP2BOARD", "7,7", "8,8"), body("SWAP2BOARD", "7,7", "8,8", "7,7")),
            *(body(f"{word} now") for word in ("BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO")),
            *(f"{word}\nDONE now" for word in ("BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO")),
        ),
    ),
}


class StateConversation:
    """A conversation with a session that was brought to a state of its `ProtocolCase`."""

    def __init__(self, case: ProtocolCase, state: str) -> None:
        self._answers: list[str] = []
        self.session = case.make(self._answers.append)
        for lines in case.states[state]:
            answer = self.say(lines)
            assert not answer.startswith(case.error_prefixes), (lines, answer)

    def say(self, lines: str) -> str:
        """Send lines and return the first line of the answer, or an empty string. MESSAGE lines are ignored."""
        self._answers.clear()
        for line in lines.split("\n"):
            self.session.handle(line)
        answers = [answer for answer in self._answers if not answer.startswith("MESSAGE")]
        return answers[0] if answers else ""


@pytest.mark.parametrize("protocol", CASES)
def test_failed_command_changes_nothing(protocol: str) -> None:
    """Each command except `never_fails` must fail in some state, so that the test covers new commands, too."""
    case, failed_commands = CASES[protocol], set()
    for state in case.states:
        conversation = StateConversation(case, state)
        for line in case.lines(conversation.session):
            old_state = snapshot(conversation.session)
            answer = conversation.say(line)
            if answer.startswith(case.error_prefixes):
                failed_commands.add(line.split()[0])
                assert snapshot(conversation.session) == old_state, (state, line, answer)
            elif snapshot(conversation.session) != old_state:
                conversation = StateConversation(case, state)
    assert set(conversation.session.commands) - failed_commands == case.never_fails


def list_lines_with_extra_word(session: Session) -> list[str]:
    """Return each command that takes no arguments, with an extra word after its name and its body if it has one."""
    usages = [command.usage for name, command in session.commands.items() if name not in SILENT_WORDS]
    lines = [body(f"{usage.split()[0]} extra") for usage in usages if usage.split()[1:] == ["...", "DONE"]]
    lines += [f"{usage} extra" for usage in usages if " " not in usage and usage not in ("exit", "quit")]
    return [line for line in lines if line.split()[0] not in SILENT_BODY_WORDS]


@pytest.mark.parametrize("protocol", CASES)
def test_command_without_arguments_fails_with_an_extra_word(protocol: str) -> None:
    for state in CASES[protocol].states:
        conversation = StateConversation(CASES[protocol], state)
        lines = list_lines_with_extra_word(conversation.session)
        assert lines
        for line in lines:
            old_state = snapshot(conversation.session)
            answer = conversation.say(line)
            assert answer.startswith(CASES[protocol].error_prefixes), line
            assert "'extra'" in answer, (line, answer)
            assert snapshot(conversation.session) == old_state, line
