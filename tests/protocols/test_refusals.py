"""A command that is answered by an error changes nothing: board, side to move, history, options, blocks and clocks.

Every command of the three protocols gets arguments of every wrong kind, in every state of a game. A former defect: TURN
on the last free square kept its stone and BOARD its position, although both had answered ERROR.
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
# Attributes that are no state of the conversation: streams, threads, the running command, results of a search
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
WORDS = ("", "x", "0", "-1", "999", "h8", "é", "no=such")


def snapshot(value: object, seen: tuple[int, ...] = ()) -> object:
    """Return the state of a session as plain values that can be compared."""
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
    """A protocol's test data: the lines that lead to each state, and how an error answer begins."""

    make: Callable[[Callable[[str], None]], Session]
    states: Mapping[str, Sequence[str]]
    error_prefixes: tuple[str, ...]
    never_fails: frozenset[str] = frozenset()
    more_lines: tuple[str, ...] = ()  # bad lines that WORDS cannot form

    def lines(self, session: Session) -> Iterator[str]:
        """Yield each command with no argument, one argument of each kind, two arguments, and four."""
        for name in session.commands:
            for words in (*product(WORDS), *product(("b",), WORDS[1:6]), ("b", "h8", "x", "3")):
                yield " ".join((name, *words)).strip()
        yield from self.more_lines


def gtp(name: str, **settings: Any) -> Callable[[Callable[[str], None]], GtpSession]:
    def make(write: Callable[[str], None]) -> GtpSession:
        kinds = GAMES[name].players()
        player = build_player(kinds, "random" if name != "hex" else "potentials")
        return GtpSession(player, write=write, name="Pentad", version="1", kinds=kinds, threaded=False, **settings)

    return make


def uhp(write: Callable[[str], None]) -> UhpSession:
    kinds = GAMES["hive"].players()
    return UhpSession(build_player(kinds, "random"), RULES, write, name="P", version="1", kinds=kinds, threaded=False)


def gomocup(write: Callable[[str], None]) -> GomocupSession:
    player = GiftedPlayer()
    player.swap2_answers = {0: ["a1", "b1", "c1"], 3: ["SWAP"], 5: ["SWAP"]}  # but none for Soosorv
    return GomocupSession(player, write, format_variant, check_setup=check_setup, threaded=False)


def body(command: str, *lines: str) -> str:
    """Return a command with a body as one text of several lines."""
    return "\n".join((command, *lines, "DONE"))


def full_board(size: int, left: int = 0) -> list[str]:
    """Return the lines of a BOARD without a five, whose last `left` squares are free."""
    points = [(x, y) for y in range(size) for x in range(size)][: size * size - left]
    black = [point for point in points if (point[0] // 2 + point[1]) % 2 == 0]
    white = [point for point in points if point not in black]
    while len(black) > (len(points) + 1) // 2:
        white.append(black.pop())
    while len(white) > len(points) // 2:
        black.append(white.pop())
    ours = {True: 1, False: 2}
    turn = len(points) % 2 == 0
    fields = [(point, ours[turn]) for point in black] + [(point, ours[not turn]) for point in white]
    return [f"{x},{y},{field}" for (x, y), field in fields]


CASES = {
    "hex": ProtocolCase(
        gtp("hex", game=HEX, commands=make_hex_commands),
        {
            "beginning": ("boardsize 4", "time_settings 60 0 0"),
            "game": ("boardsize 4", "time_left w 5 1", "play b b2", "play w c3", "param_player seed 7"),
            "over": ("boardsize 1", "play b a1"),
        },
        ("?",),
        frozenset({"quit"}),
    ),
    "pentago": ProtocolCase(
        gtp("pentago", game=PENTAGO),
        {
            "game": ("time_settings 0 9 1", "play white b2s", "play black c3z"),
        },
        ("?",),
        frozenset({"quit"}),
    ),
    "kolibrat": ProtocolCase(
        gtp("kolibrat", game=KOLIBRAT, commands=make_kolibrat_commands),
        {"game": ("kolibrat_setup 3 4 4 5", "genmove red", "genmove black")},
        ("?",),
        frozenset({"quit"}),
        more_lines=("kolibrat_setup 1 1 1 1", "kolibrat_setup 3 4 99 5", "kolibrat_setup 3 4 4 0"),
    ),
    "uhp": ProtocolCase(
        uhp,
        {
            "no game": (),
            "game": ("options set Verbosity 1", "newgame Base+M", "play wS1", "play bS1 wS1-"),
            "over": (
                "newgame Base;InProgress;White[8];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;"
                "wA1 wQ\\;bA1 bG2/;wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bA1 bG2/",
                "play wQ /bG1",
            ),
        },
        ("err", "invalidmove"),
        frozenset({"exit"}),  # obeyed whatever follows it
        ("newgame Base;wS1;bS1 wS1-", "newgame Base;x", "options set Player nobody", "options set Nodes x"),
    ),
    "gomocup": ProtocolCase(
        gomocup,
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
        ("ERROR", "UNKNOWN"),
        frozenset({"INFO"} | SILENT_WORDS | SILENT_BODY_WORDS),
        (
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


class Conversation:
    """A session that answers within `handle`, brought to a state."""

    def __init__(self, case: ProtocolCase, state: str) -> None:
        self._answers: list[str] = []
        self.session = case.make(self._answers.append)
        for lines in case.states[state]:
            answer = self.say(lines)
            assert not answer.startswith(case.error_prefixes), (lines, answer)

    def say(self, lines: str) -> str:
        """Send lines and return the first line of the answer, "" if there is none."""
        self._answers.clear()
        for line in lines.split("\n"):
            self.session.handle(line)
        answers = [answer for answer in self._answers if not answer.startswith("MESSAGE")]
        return answers[0] if answers else ""


@pytest.mark.parametrize("protocol", CASES)
def test_failed_command_changes_nothing(protocol: str) -> None:
    """Each command except `never_fails` must fail in some state, so that a new command cannot escape the test."""
    case, failed = CASES[protocol], set()
    for state in case.states:
        conversation = Conversation(case, state)
        for line in case.lines(conversation.session):
            before = snapshot(conversation.session)
            answer = conversation.say(line)
            if answer.startswith(case.error_prefixes):
                failed.add(line.split()[0])
                assert snapshot(conversation.session) == before, (state, line, answer)
            elif snapshot(conversation.session) != before:
                conversation = Conversation(case, state)
    assert set(conversation.session.commands) - failed == case.never_fails


def list_argument_free(session: Session) -> list[str]:
    """Return the lines of each command without arguments, its body included, with an extra word behind the name."""
    usages = [command.usage for name, command in session.commands.items() if name not in SILENT_WORDS]
    rows = [body(f"{usage.split()[0]} extra") for usage in usages if usage.split()[1:] == ["...", "DONE"]]
    rows += [f"{usage} extra" for usage in usages if " " not in usage and usage not in ("exit", "quit")]
    return [row for row in rows if row.split()[0] not in SILENT_BODY_WORDS]


@pytest.mark.parametrize("protocol", CASES)
def test_command_without_arguments_refuses_extra_words(protocol: str) -> None:
    for state in CASES[protocol].states:
        conversation = Conversation(CASES[protocol], state)
        lines = list_argument_free(conversation.session)
        assert lines
        for line in lines:
            before = snapshot(conversation.session)
            answer = conversation.say(line)
            assert answer.startswith(CASES[protocol].error_prefixes), line
            assert "'extra'" in answer, (line, answer)
            assert snapshot(conversation.session) == before, line
