"""The check list of `pentad check gtp -- CMD`: what controllers expect of a GTP engine.

If a game is given, further items compare the engine's moves with our rules of that game. Each item starts the program
anew, so that a failure does not affect the next item. An item is a function that gets the engine under test; it returns
a detail for the report, or raises CheckFailed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from arena.check.check_list import (
    CheckFailed,
    CheckItem,
    CheckResult,
    ResultCallback,
    compare_closed_input,
    run_checks,
)
from arena.check.gtp_conversation import DEFAULT_TIMEOUTS, GtpCandidate, GtpConversation, GtpTimeouts
from core.play.player import RESIGN
from protocols.gtp.game import GtpGame, GtpPosition

REQUIRED_COMMANDS = (  # all that GTP 2 requires but komi, which our games do not have
    *("protocol_version", "name", "version", "known_command", "list_commands"),
    *("quit", "boardsize", "clear_board", "play", "genmove"),
)
INTERRUPTED_SEARCH_S = 60.0  # time limit of a search that the check interrupts long before
AT_ONCE_S = 2.0  # from `# interrupt` to the answer
MAX_PLIES = 400  # of a game
MOVE_TIMES_PER_GAME = 15  # time of each side for a whole game, as a multiple of the time for a move
RANDOM_GAMES = 3  # number of games in which the legal moves are compared
ANALYZE_FIELDS = range(3, 6)  # number of fields of an analyze command: TYPE/LABEL/COMMAND and up to two more
MALFORMED_COMMANDS = (  # {0} is the colour of the first player
    *("play", "play {0}", "play purple a1", "play {0} nowhere"),
    *("genmove", "genmove purple", "boardsize none"),
)


def check_gtp(
    command: Sequence[str],
    report: ResultCallback,
    move_time_s: float = 1.0,
    game: GtpGame | None = None,
    timeouts: GtpTimeouts = DEFAULT_TIMEOUTS,
    startup_commands: Sequence[str] = (),
) -> list[CheckResult]:
    """Run the check list on the engine that `command` starts, report each result at once, and return the results.

    `startup_commands` are GTP commands that the engine gets after each start.
    """
    candidate = GtpCandidate(command, move_time_s, game, timeouts, startup_commands)
    return run_checks((*CHECK_ITEMS, *GAME_CHECK_ITEMS) if game else CHECK_ITEMS, candidate, report)


def _check_required(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        seconds = (time.perf_counter_ns() - engine.started_ns) / 1e9
        if (version := engine.expect_ok("protocol_version")) != "2":
            raise CheckFailed(f"protocol_version is {version!r}, not 2")
        missing = [name for name in REQUIRED_COMMANDS if name not in engine.commands()]
        if missing:
            raise CheckFailed(f"list_commands lacks {', '.join(missing)}")
        name = f"{engine.expect_ok('name')} {engine.expect_ok('version')}"
        return f"{name}, first answer after {seconds:.2f} s"


def _check_framing(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        known = engine.commands()
        names = ["name", "list_commands", "showboard", "showposition", "help", "all_legal_moves", "final_score"]
        for command in (name for name in names if name in known):
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
            raise CheckFailed("a comment after a command changes its answer")
        return ""


def _check_blanks(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        name = engine.expect_ok("name")
        for line in ("name\r", "  name", "\tname  ", "name \t\r"):
            if engine.expect_ok(line) != name:
                raise CheckFailed(f"{line!r} is not understood as name")
        known = engine.expect_ok("known_command\tname")
        if known != "true":
            raise CheckFailed(f"a tab does not separate words: known_command name is {known!r}")
        return ""


def _check_unknown(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        text = engine.expect_failure("frobnicate b2 c3")
        engine.expect_ok("name")
        return text


def _check_known(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        listed = engine.commands()
        repeated = {name for name in listed if listed.count(name) > 1}
        if repeated:
            raise CheckFailed(f"list_commands repeats {', '.join(sorted(repeated))}")
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


def _check_malformed(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        first, _ = engine.begin()
        snapshot_before = engine.snapshot()
        for line in MALFORMED_COMMANDS:
            engine.expect_failure(line.format(first))
        engine.check_unchanged(snapshot_before, "commands that failed")
        return ""


def _check_genmove(candidate: GtpCandidate) -> str:
    """Check that genmove plays its move on the board of the engine."""
    with candidate.engine() as engine:
        first, second = engine.begin()
        snapshot_before = engine.snapshot()
        move = engine.genmove(first)
        seconds = engine.last_elapsed_s
        if move.lower() == RESIGN:
            raise CheckFailed("genmove on an empty board resigns")
        if engine.snapshot() == snapshot_before:
            raise CheckFailed(f"genmove answered {move} but did not play it")
        engine.genmove(second)
        return f"{move} in {seconds:.2f} s"


def _check_reg_genmove(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "reg_genmove" not in engine.commands():
            return "not listed"
        first, _ = engine.begin()
        snapshot_before = engine.snapshot()
        move = engine.genmove(first, "reg_genmove")
        engine.check_unchanged(snapshot_before, "reg_genmove")
        return move


def _check_undo(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "undo" not in engine.commands():
            return "not listed"
        first, second = engine.begin()
        snapshots = [engine.snapshot()]
        for colour in (first, second):
            engine.genmove(colour)
            snapshots.append(engine.snapshot())
        for snapshot_before in reversed(snapshots[:-1]):
            engine.expect_ok("undo")
            engine.check_unchanged(snapshot_before, "a move and undo")
        engine.expect_failure("undo")
        return ""


def _check_time(candidate: GtpCandidate) -> str:
    """Check the time of moves. Limits are whole seconds, as most controllers send them."""
    with candidate.engine() as engine:
        if "time_settings" not in engine.commands():
            return "not listed"
        first, second = engine.begin()
        limit_s = max(1, round(candidate.move_time_s))
        slowest_s = 0.0
        for colour in (first, second, first):
            engine.genmove(colour)
            slowest_s = max(slowest_s, engine.last_elapsed_s)
        if slowest_s > limit_s:
            raise CheckFailed(f"a move took {slowest_s:.3f} s of {limit_s} s")
        for line in ("time_settings 600 0 0", f"time_left {first} 300 0", f"time_left {second} 5 1"):
            engine.expect_ok(line)
        engine.expect_failure("time_settings soon")
        return f"{slowest_s:.3f} s of {limit_s} s"


def _check_pipelining(candidate: GtpCandidate) -> str:
    """Check that lines sent at once are answered in order, also those after a search."""
    with candidate.engine() as engine:
        first, _ = engine.begin()
        lines = [f"11 genmove {first}", "12 name", "# a comment", "13 frobnicate", "14 clear_board", "15 version"]
        sent_ns = engine.process.write(*lines)
        for line in lines:
            if line[0] != "#":
                engine.read_answer(line, sent_ns, candidate.move_time_s + candidate.timeouts.reply_s)
        engine.expect_silence("five answers")
        return ""


def _check_interrupt(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        if "gogui-interrupt" not in engine.commands():
            return "not listed"
        first, _ = engine.begin()
        began_ns = _start_long_search(engine, first)
        interrupted_s = time.perf_counter()
        engine.process.write("# interrupt")
        engine.read_answer(f"genmove {first}", began_ns, INTERRUPTED_SEARCH_S)
        seconds = time.perf_counter() - interrupted_s
        if seconds > AT_ONCE_S:
            raise CheckFailed(f"the answer came {seconds:.2f} s after # interrupt")
        engine.expect_ok("name")
        return f"{seconds:.2f} s"


def _check_analyze_commands(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        details = []
        known = engine.commands()
        for command in ("gogui-analyze_commands", "hexgui-analyze_commands"):
            if command not in known:
                continue
            rows = [line.split("/") for line in engine.expect_ok(command).splitlines() if line.strip()]
            labels = [row[1] for row in rows if len(row) in ANALYZE_FIELDS]
            if len(labels) != len(rows) or len(set(labels)) != len(labels):
                raise CheckFailed(f"{command}: lines must be TYPE/LABEL/COMMAND with different labels")
            unknown = [row[2] for row in rows if row[2].split()[0] not in known]
            if unknown:
                raise CheckFailed(f"{command} has a command that list_commands does not list: {unknown[0]}")
            details.append(f"{len(rows)} lines")
        return ", ".join(details) or "not listed"


def _check_quit(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        engine.expect_ok("5 quit")
        return engine.expect_exit(candidate.timeouts.end_s, "quit")


def _check_input_end(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        engine.expect_ok("name")
        engine.process.close_input()
        return engine.expect_exit(candidate.timeouts.end_s, "the end of input")


def _check_closed_input(candidate: GtpCandidate) -> str:
    """Check that closing the input ends no search early: scripts close it and then read the last answers."""
    times_s = []
    for closes_input in (False, True):
        with candidate.engine() as engine:
            command = f"genmove {engine.begin()[0]}"
            sent_ns = engine.process.write(command, "name")
            if closes_input:
                engine.process.close_input()
            answer = engine.read_answer(command, sent_ns, candidate.move_time_s + candidate.timeouts.reply_s)
            times_s.append((time.perf_counter_ns() - sent_ns) / 1e9)
            if not answer.ok:
                raise CheckFailed(f"{command} failed: {answer.text!r}")
            engine.read_answer("name", sent_ns, candidate.move_time_s + candidate.timeouts.reply_s)
            if closes_input:
                engine.expect_exit(candidate.timeouts.end_s, "the last answer with the input closed")
    return compare_closed_input(*times_s)


def _start_long_search(engine: GtpConversation, colour: str) -> int:
    """Start a long search, wait until it has begun, and return the time of the command by time.perf_counter_ns()."""
    if "time_settings" in engine.commands():
        engine.set_time(INTERRUPTED_SEARCH_S)
    began_ns = engine.process.write(f"genmove {colour}")
    time.sleep(engine.timeouts.silence_s)
    return began_ns


def _require_game(candidate: GtpCandidate) -> GtpGame:
    assert candidate.game is not None
    return candidate.game


def _begin_game(engine: GtpConversation) -> GtpPosition:
    """Start a game with the default setup in the engine, and return the same position by our rules."""
    game = _require_game(engine.candidate)
    for command in game.setup_commands(game.default_setup):
        engine.expect_ok(command)
    return game.new_position(game.default_setup)


def _check_whole_game(candidate: GtpCandidate) -> str:
    """Let the engine play both sides of a game with a game clock; check its moves and the result by our rules."""
    game = _require_game(candidate)
    with candidate.engine() as engine:
        position = _begin_game(engine)
        if "time_settings" in engine.commands():
            engine.expect_ok(f"time_settings {max(1, round(MOVE_TIMES_PER_GAME * candidate.move_time_s))} 0 0")
        while position.outcome() is None and len(position.moves) < MAX_PLIES:
            colour = game.colours[position.to_move]
            move = engine.parse_move(position, engine.genmove(colour))
            if move == RESIGN:
                return f"{colour} resigned after {len(position.moves)} plies"
            _play(position, move)
        outcome = position.outcome()
        if outcome is None:
            return f"no end after {MAX_PLIES} plies"
        score = engine.expect_ok("final_score") if "final_score" in engine.commands() else ""
        result = "0" if outcome.winner is None else f"{game.colours[outcome.winner][0].upper()}+"  # such as B+
        if score and not score.startswith(result):
            raise CheckFailed(f"final_score is {score!r}, but by our rules the result is {result}")
        answer = engine.ask(f"genmove {game.colours[position.to_move]}")
        if game.may_resign and (not answer.ok or answer.text.lower() != RESIGN):
            raise CheckFailed(f"genmove in a finished game was answered by {answer.text!r}, not by resign")
        return f"{result} after {len(position.moves)} plies"


def _check_legal_moves(candidate: GtpCandidate) -> str:
    """Compare the answer to `legal_moves` or `all_legal_moves` with our rules, in random games with a fixed seed."""
    game, rng = _require_game(candidate), random.Random(1)
    with candidate.engine() as engine:
        command = next((name for name in ("legal_moves", "all_legal_moves") if name in engine.commands()), None)
        if command is None:
            return "not listed"
        compared = 0
        for _ in range(RANDOM_GAMES):
            position = _begin_game(engine)
            while position.outcome() is None and len(position.moves) < MAX_PLIES:
                colour, legal = game.colours[position.to_move], position.legal_moves()
                answer = engine.expect_ok(command if command == "legal_moves" else f"{command} {colour}")
                listed = {engine.parse_move(position, text) for text in answer.split()} - {RESIGN}
                if listed != set(legal):
                    differences = " ".join(sorted(listed ^ set(legal)))
                    raise CheckFailed(f"after {' '.join(position.moves) or 'no moves'} it differs on {differences}")
                compared += 1
                move = rng.choice(legal)
                engine.expect_ok(f"play {colour} {game.format_move(move, position.setup)}")
                position.play(move)
        return f"{compared} positions"


def _check_illegal(candidate: GtpCandidate) -> str:
    """Play a move that the other side may not repeat; check that a repetition fails and changes nothing."""
    game = _require_game(candidate)
    with candidate.engine() as engine:
        position = _begin_game(engine)
        for move in position.legal_moves():
            side = position.to_move
            position.play(move)
            if move not in position.legal_moves():
                break
            position.undo()
        else:
            return "every first move may be repeated"
        text = game.format_move(move, position.setup)
        engine.expect_ok(f"play {game.colours[side]} {text}")
        snapshot_before = engine.snapshot()
        engine.expect_failure(f"play {game.colours[position.to_move]} {text}")
        engine.check_unchanged(snapshot_before, "an illegal move")
        return text


def _check_sizes(candidate: GtpCandidate) -> str:
    with candidate.engine() as engine:
        _begin_game(engine)
        snapshot_before = engine.snapshot()
        texts = [engine.expect_failure(f"boardsize {size}") for size in ("0", "1000", "-3")]
        engine.check_unchanged(snapshot_before, "an impossible board size")
        return texts[1]


def _play(position: GtpPosition, move: str) -> None:
    """Play a move of the engine by our rules; raise CheckFailed if it is illegal."""
    try:
        position.play(move)
    except ValueError as error:
        raise CheckFailed(f"after {' '.join(position.moves) or 'no moves'}: {error}") from None


CHECK_ITEMS: tuple[CheckItem[GtpCandidate], ...] = (
    (1, "the required commands are listed", _check_required),
    (2, "an answer ends with exactly one empty line", _check_framing),
    (3, "an answer has the id of its command", _check_ids),
    (4, "comments and empty lines are not answered", _check_blank_lines),
    (5, "tabs, blanks and CR are understood", _check_blanks),
    (6, "an unknown command fails", _check_unknown),
    (7, "known_command agrees with list_commands", _check_known),
    (8, "clear_board empties the board, also when sent twice", _check_clear),
    (9, "malformed commands fail and change nothing", _check_malformed),
    (10, "genmove plays its move", _check_genmove),
    (11, "reg_genmove does not play its move", _check_reg_genmove),
    (12, "undo takes back one move, and fails without a move", _check_undo),
    (13, "the time for a move is kept", _check_time),
    (14, "lines sent at once are answered in order", _check_pipelining),
    (15, "# interrupt ends a search, which is answered at once", _check_interrupt),
    (16, "lists of analyze commands are well-formed", _check_analyze_commands),
    (17, "quit is answered and exits with status 0", _check_quit),
    (18, "the end of input ends the program", _check_input_end),
    (19, "a search with a time limit is finished after the input is closed", _check_closed_input),
)
GAME_CHECK_ITEMS: tuple[CheckItem[GtpCandidate], ...] = (
    (20, "a game against itself follows our rules", _check_whole_game),
    (21, "the legal moves are those of our rules", _check_legal_moves),
    (22, "an illegal move fails and changes nothing", _check_illegal),
    (23, "impossible board sizes fail and change nothing", _check_sizes),
)
