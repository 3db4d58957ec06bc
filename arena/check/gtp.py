"""`pentad check gtp -- CMD`: takes any GTP engine through the points on which controllers fail programs.

The first points need no game; where one is given, the engine's moves are compared with our rules. Each point starts the
program afresh, so one failure does not spoil the next point.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from arena.check.check_list import CheckFailed, CheckResult, compare_closed_input, run_checks
from arena.check.gtp_talk import USUAL_PATIENCE, GtpCandidate, GtpPatience, GtpTalk
from core.play.player import RESIGN
from protocols.gtp.game import GtpGame, GtpPosition

REQUIRED = (
    *("protocol_version", "name", "version", "known_command", "list_commands"),
    *("quit", "boardsize", "clear_board", "play", "genmove"),
)
LONG_S = 60.0  # a time that a search does not reach while it is interrupted
AT_ONCE_S = 2.0  # from `# interrupt` to the answer
MAX_PLIES = 400  # of a game
GAME_MOVES = 15  # so many times the time for a move has a side for the game of the engine against itself
RANDOM_GAMES = 3  # in which the legal moves are compared
MENU_FIELDS = range(3, 6)
NONSENSE = ("play", "play {0}", "play purple a1", "play {0} nowhere", "genmove", "genmove purple", "boardsize none")


def check_gtp(
    command: Sequence[str],
    report: Callable[[CheckResult], None],
    move_time_s: float = 1.0,
    game: GtpGame | None = None,
    patience: GtpPatience = USUAL_PATIENCE,
    start_up: Sequence[str] = (),
) -> list[CheckResult]:
    """Examine the program that `command` starts, sent `start_up` each time; report each point, and return them all."""
    candidate = GtpCandidate(command, move_time_s, game, patience, start_up)
    return run_checks((*CHECK_ITEMS, *GAME_POINTS) if game else CHECK_ITEMS, candidate, report)


def _check_required(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        seconds = (time.perf_counter_ns() - engine.born_ns) / 1e9
        if (version := engine.expect_ok("protocol_version")) != "2":
            raise CheckFailed(f"protocol_version is {version!r}, not 2")
        missing = [name for name in REQUIRED if name not in engine.commands()]
        if missing:
            raise CheckFailed(f"list_commands lacks {', '.join(missing)}")
        name = f"{engine.expect_ok('name')} {engine.expect_ok('version')}"
        return f"{name}, first answer after {seconds:.2f} s"


def _check_framing(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        listed = engine.commands()
        wanted = ["name", "list_commands", "showboard", "showposition", "help", "all_legal_moves", "final_score"]
        for command in (name for name in wanted if name in listed):
            engine.ask(command)
            engine.expect_silence(command)
        return ""


def _check_ids(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        for line in ("1 name", "0 name", "123456 version", "7 frobnicate", "8 play", "name", "9 clear_board"):
            engine.ask(line)
        return ""


def _check_blank_lines(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        for line in ("", "   ", "\t", "# a comment", "\r", "  # another # one"):
            engine.process.write(line)
        engine.expect_silence("empty lines and comments")
        name = engine.expect_ok("name")
        if engine.expect_ok("name # with a comment") != name:
            raise CheckFailed("a comment behind a command changes its answer")
        return ""


def _check_blanks(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        name = engine.expect_ok("name")
        for line in ("name\r", "  name", "\tname  ", "name \t\r"):
            if engine.expect_ok(line) != name:
                raise CheckFailed(f"{line!r} is not understood as name")
        known = engine.expect_ok("known_command\tname")
        if known != "true":
            raise CheckFailed(f"a tab is no blank: known_command name is {known!r}")
        return ""


def _check_unknown(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        text = engine.expect_failure("frobnicate b2 c3")
        engine.expect_ok("name")
        return text


def _check_known(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        listed = engine.commands()
        doubled = {name for name in listed if listed.count(name) > 1}
        if doubled:
            raise CheckFailed(f"list_commands names twice: {', '.join(sorted(doubled))}")
        unknown = [name for name in listed if engine.expect_ok(f"known_command {name}") != "true"]
        if unknown:
            raise CheckFailed(f"listed but not known: {', '.join(unknown)}")
        if engine.expect_ok("known_command frobnicate") != "false":
            raise CheckFailed("known_command frobnicate is not false")
        return f"{len(listed)} commands"


def _check_clear(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        first, _ = engine.begin()
        empty = engine.snapshot()
        engine.genmove(first)
        engine.expect_ok("clear_board")
        engine.expect_ok("clear_board")
        engine.check_unchanged(empty, "a move and clear_board")
        return ""


def _check_nonsense(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        first, _ = engine.begin()
        before = engine.snapshot()
        for line in NONSENSE:
            engine.expect_failure(line.format(first))
        engine.check_unchanged(before, "commands that failed")
        return ""


def _check_genmove(candidate: GtpCandidate) -> str:
    """The move is played by genmove itself, and the same square cannot be played again."""
    with candidate.engine() as engine:
        first, second = engine.begin()
        before = engine.snapshot()
        move = engine.genmove(first)
        seconds = engine.last_elapsed_s
        if move.lower() == RESIGN:
            raise CheckFailed("genmove on an empty board resigns")
        if engine.snapshot() == before:
            raise CheckFailed(f"genmove answered {move} and did not play it")
        engine.genmove(second)
        return f"{move} in {seconds:.2f} s"


def _check_reg_genmove(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "reg_genmove" not in engine.commands():
            return "not listed"
        first, _ = engine.begin()
        before = engine.snapshot()
        move = engine.genmove(first, "reg_genmove")
        engine.check_unchanged(before, "reg_genmove")
        return move


def _check_undo(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "undo" not in engine.commands():
            return "not listed"
        first, second = engine.begin()
        shown = [engine.snapshot()]
        for colour in (first, second):
            engine.genmove(colour)
            shown.append(engine.snapshot())
        for before in reversed(shown[:-1]):
            engine.expect_ok("undo")
            engine.check_unchanged(before, "a move and undo")
        engine.expect_failure("undo")
        return ""


def _check_time(candidate: GtpCandidate) -> str:
    """Whole seconds, as most controllers send them."""
    with candidate.engine() as engine:
        if "time_settings" not in engine.commands():
            return "not listed"
        first, second = engine.begin()
        limit_s = max(1, round(candidate.move_time_s))
        slowest = 0.0
        for colour in (first, second, first):
            engine.genmove(colour)
            slowest = max(slowest, engine.last_elapsed_s)
        if slowest > limit_s:
            raise CheckFailed(f"a move took {slowest:.3f} s of {limit_s} s")
        for line in ("time_settings 600 0 0", f"time_left {first} 300 0", f"time_left {second} 5 1"):
            engine.expect_ok(line)
        engine.expect_failure("time_settings soon")
        return f"{slowest:.3f} s of {limit_s} s"


def _check_pipelining(candidate: GtpCandidate) -> str:
    """Lines that come all at once are answered in order, also behind a search."""
    with candidate.engine() as engine:
        first, _ = engine.begin()
        lines = [f"11 genmove {first}", "12 name", "# a comment", "13 frobnicate", "14 clear_board", "15 version"]
        sent_ns = engine.process.write(*lines)
        for line in lines:
            if line[0] != "#":
                engine.read_answer(line, sent_ns, candidate.move_time_s + candidate.patience.reply_s)
        engine.expect_silence("five answers")
        return ""


def _check_interrupt(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "gogui-interrupt" not in engine.commands():
            return "not announced"
        first, _ = engine.begin()
        began_ns = _think_long(engine, first)
        interrupted = time.perf_counter()
        engine.process.write("# interrupt")
        engine.read_answer(f"genmove {first}", began_ns, LONG_S)
        seconds = time.perf_counter() - interrupted
        if seconds > AT_ONCE_S:
            raise CheckFailed(f"the answer came {seconds:.2f} s after # interrupt")
        engine.expect_ok("name")
        return f"{seconds:.2f} s"


def _check_menus(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        found = []
        listed = engine.commands()
        for command in ("gogui-analyze_commands", "hexgui-analyze_commands"):
            if command not in listed:
                continue
            rows = [line.split("/") for line in engine.expect_ok(command).splitlines() if line.strip()]
            labels = [row[1] for row in rows if len(row) in MENU_FIELDS]
            if len(labels) != len(rows) or len(set(labels)) != len(labels):
                raise CheckFailed(f"{command}: rows of type/label/command with labels of their own are wanted")
            unknown = [row[2] for row in rows if row[2].split()[0] not in listed]
            if unknown:
                raise CheckFailed(f"{command} names what list_commands does not: {unknown[0]}")
            found.append(f"{len(rows)} rows")
        return ", ".join(found) or "not listed"


def _check_quit(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        engine.expect_ok("5 quit")
        return engine.expect_exit(candidate.patience.end_s, "quit")


def _check_input_end(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        engine.expect_ok("name")
        engine.process.close_input()
        return engine.expect_exit(candidate.patience.end_s, "the end of input")


def _check_closed_input(candidate: GtpCandidate) -> str:
    """A script in a pipe ends its input behind the last command and wants all answers."""
    times = []
    for closes_input in (False, True):
        with candidate.engine() as engine:
            command = f"genmove {engine.begin()[0]}"
            sent_ns = engine.process.write(command, "name")
            if closes_input:
                engine.process.close_input()
            move = engine.read_answer(command, sent_ns, candidate.move_time_s + candidate.patience.reply_s)
            times.append((time.perf_counter_ns() - sent_ns) / 1e9)
            if not move.ok:
                raise CheckFailed(f"{command} failed: {move.text!r}")
            engine.read_answer("name", sent_ns, candidate.move_time_s + candidate.patience.reply_s)
            if closes_input:
                engine.expect_exit(candidate.patience.end_s, "the answers that the end of input had left to give")
    return compare_closed_input(*times)


def _think_long(engine: GtpTalk, colour: str) -> int:
    """Begin a search that would last, and return when."""
    if "time_settings" in engine.commands():
        engine.set_time(LONG_S)
    began_ns = engine.process.write(f"genmove {colour}")
    time.sleep(engine.patience.silence_s)
    return began_ns


def _need_game(candidate: GtpCandidate) -> GtpGame:
    assert candidate.game is not None
    return candidate.game


def _begin(engine: GtpTalk) -> GtpPosition:
    """The game's usual start on both sides."""
    game = _need_game(engine.candidate)
    for command in game.setup_commands(game.default_setup):
        engine.expect_ok(command)
    return game.new_position(game.default_setup)


def _check_whole_game(candidate: GtpCandidate) -> str:
    """The engine plays both sides on a game's clock; every move is legal by our rules, and both agree on the end."""
    game = _need_game(candidate)
    with candidate.engine() as engine:
        position = _begin(engine)
        if "time_settings" in engine.commands():
            engine.expect_ok(f"time_settings {max(1, round(GAME_MOVES * candidate.move_time_s))} 0 0")
        while position.outcome() is None and len(position.moves) < MAX_PLIES:
            colour = game.colours[position.to_move]
            move = engine.read_move(position, engine.genmove(colour))
            if move == RESIGN:
                return f"{colour} resigned after {len(position.moves)} plies"
            _play(position, move)
        outcome = position.outcome()
        if outcome is None:
            return f"no end after {MAX_PLIES} plies"
        said = engine.expect_ok("final_score") if "final_score" in engine.commands() else ""
        wanted = "0" if outcome.winner is None else f"{game.colours[outcome.winner][0].upper()}+"
        if said and not said.startswith(wanted):
            raise CheckFailed(f"final_score is {said!r} at the end of a game that is {wanted}")
        answer = engine.ask(f"genmove {game.colours[position.to_move]}")
        if game.may_resign and (not answer.ok or answer.text.lower() != RESIGN):
            raise CheckFailed(f"genmove in a finished game was answered by {answer.text!r}, not by resign")
        return f"{wanted} after {len(position.moves)} plies"


def _check_legal_moves(candidate: GtpCandidate) -> str:
    """`legal_moves` or `all_legal_moves` names what our rules allow, along random games, the same ones each time."""
    game, chance = _need_game(candidate), random.Random(1)
    with candidate.engine() as engine:
        command = next((name for name in ("legal_moves", "all_legal_moves") if name in engine.commands()), None)
        if command is None:
            return "not listed"
        compared = 0
        for _ in range(RANDOM_GAMES):
            position = _begin(engine)
            while position.outcome() is None and len(position.moves) < MAX_PLIES:
                colour, legal = game.colours[position.to_move], position.legal_moves()
                said = engine.expect_ok(command if command == "legal_moves" else f"{command} {colour}").split()
                named = {engine.read_move(position, text) for text in said} - {RESIGN}
                if named != set(legal):
                    odd = sorted(named ^ set(legal))
                    raise CheckFailed(f"after {' '.join(position.moves) or 'no moves'} it differs on {' '.join(odd)}")
                compared += 1
                move = chance.choice(legal)
                engine.expect_ok(f"play {colour} {game.format_move(move, position.setup)}")
                position.play(move)
        return f"{compared} positions"


def _check_illegal(candidate: GtpCandidate) -> str:
    """A move that has been played and is not legal any more is refused to the other side, and the position stays."""
    game = _need_game(candidate)
    with candidate.engine() as engine:
        position = _begin(engine)
        for move in position.legal_moves():
            side = position.to_move
            position.play(move)
            if move not in position.legal_moves():
                break
            position.undo()
        else:
            return "no illegal move at hand"
        text = game.format_move(move, position.setup)
        engine.expect_ok(f"play {game.colours[side]} {text}")
        before = engine.snapshot()
        engine.expect_failure(f"play {game.colours[position.to_move]} {text}")
        engine.check_unchanged(before, "an illegal move")
        return text


def _check_sizes(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        _begin(engine)
        before = engine.snapshot()
        texts = [engine.expect_failure(f"boardsize {size}") for size in ("0", "1000", "-3")]
        engine.check_unchanged(before, "an unacceptable size")
        return texts[1]


def _play(position: GtpPosition, move: str) -> None:
    try:
        position.play(move)
    except ValueError as error:
        raise CheckFailed(f"after {' '.join(position.moves) or 'no moves'}: {error}") from None


CHECK_ITEMS: tuple[tuple[int, str, Callable[[GtpCandidate], str]], ...] = (
    (1, "the required commands", _check_required),
    (2, "an answer ends with its one empty line", _check_framing),
    (3, "ids are repeated", _check_ids),
    (4, "comments and empty lines are not answered", _check_blank_lines),
    (5, "tabs, blanks and CR are understood", _check_blanks),
    (6, "an unknown command is a failure", _check_unknown),
    (7, "known_command agrees with list_commands", _check_known),
    (8, "clear_board empties the board, also twice", _check_clear),
    (9, "malformed commands fail and change nothing", _check_nonsense),
    (10, "genmove plays its move", _check_genmove),
    (11, "reg_genmove does not", _check_reg_genmove),
    (12, "undo takes back one move, and fails on none", _check_undo),
    (13, "the time for a move is kept", _check_time),
    (14, "lines sent at once are answered in order", _check_pipelining),
    (15, "# interrupt ends a search that then answers", _check_interrupt),
    (16, "the lists of analyze commands", _check_menus),
    (17, "quit is answered and exits with status 0", _check_quit),
    (18, "the end of input ends the program", _check_input_end),
    (19, "closing the input: a bounded search is finished and answered", _check_closed_input),
)
GAME_POINTS: tuple[tuple[int, str, Callable[[GtpCandidate], str]], ...] = (
    (20, "a game against itself is played by our rules", _check_whole_game),
    (21, "the legal moves are ours", _check_legal_moves),
    (22, "an illegal move fails and changes nothing", _check_illegal),
    (23, "unacceptable sizes fail and change nothing", _check_sizes),
)
