"""The check list of `pentad check gomocup -- CMD`: what tournament managers expect of a Gomocup brain.

Answers are read as strictly as Piskvork reads them: the first line that is neither MESSAGE nor DEBUG is the answer.
Each item starts the program anew, so that a failure does not affect the next item. An item is a function that gets the
brain under test; it returns a detail for the report, or raises CheckFailed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.check.check_list import (
    CheckFailed,
    CheckItem,
    CheckResult,
    ResultCallback,
    compare_closed_input,
    run_checks,
)
from arena.check.gomocup_conversation import (
    MAX_MEMORY_BYTES,
    TOURNAMENT_TIMEOUTS,
    GomocupCandidate,
    GomocupConversation,
    GomocupTimeouts,
    board_lines,
    is_answer,
    nearly_full_board,
    parse_points,
)
from bots.gomoku.notation import parse_variant
from core.play.squares import format_square
from protocols.gomocup.text import UNLIMITED_MS, format_point

FIRST_MOVE_S = 5.0  # for start-up and first move; the shortest time limit for a move in the tournaments
AT_ONCE_S = 1.0  # for an answer with timeout_turn 0
END_S = 0.5  # from END to the exit of the program; GomocupJudge kills it then
EXIT_S = 1.0  # from the end of input, or from the last answer after it, to the exit of the program
MEMORY_POLL_S = 0.1  # between two measurements of the memory
SEARCH_MS = 60_000  # the limit of searches that the check interrupts long before

# Positions of the organisers' archive test: variant, stones in the order of play, accepted moves (empty: all legal
# ones), and forbidden moves
ARCHIVE_POSITIONS = (
    ("freestyle", "h8h9i8i9j8j9k8k9", "g8 l8", ""),
    ("standard", "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8", ""),
    ("renju", "h8h9i7i9h10i6i11i12", "", "g9"),
    ("caro-overline", "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11", ""),
)


def check_gomocup(
    command: Sequence[str],
    report: ResultCallback,
    move_time_s: float = 5.0,
    timeouts: GomocupTimeouts = TOURNAMENT_TIMEOUTS,
    *,
    has_wine: bool = False,
) -> list[CheckResult]:
    """Run the check list on the brain that `command` starts, report each result at once, and return the results.

    Raise UsageError if the brain is a ZIP without a program for each position of the archive test. With `has_wine` wine
    may run its programs.
    """
    candidate = GomocupCandidate(command, int(move_time_s * 1000), timeouts, has_wine)
    for variant, *_ in ARCHIVE_POSITIONS:
        candidate.find_program(variant)
    return run_checks(CHECK_ITEMS, candidate, report)


def _check_start(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        return ""


def _check_flush(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        _, seconds = brain.move("BEGIN")
        return f"answers came while the input was open, the move after {seconds:.2f} s"


def _check_crlf(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.expect("OK", "START 15\r")
        brain.move(f"INFO timeout_turn {candidate.move_time_ms}\r", "BEGIN\r")
        brain.board(parse_points("h8"), line_end="\r")
        return ""


def _check_input_end(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.close_input()
        return brain.expect_exit(EXIT_S, "the end of input")


def _check_closed_input(candidate: GomocupCandidate) -> str:
    """Check that closing the input ends no search early: scripts start a program per move and close its input."""
    times_s = []
    for closes_input in (False, True):
        with candidate.brain() as brain:
            brain.start(size=20)
            brain.stones = parse_points("k10k11l10l12")
            _, seconds = brain.move(*board_lines(brain.stones), closes_input=closes_input)
            times_s.append(seconds)
            if closes_input:
                brain.expect_exit(EXIT_S, "the last answer with the input closed")
    return compare_closed_input(*times_s)


def _check_about(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        answer = brain.expect('name="', "ABOUT")
        brain.start()
        return answer


def _check_early_info(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.process.write("INFO rule 0", f"INFO timeout_turn {candidate.move_time_ms}", "INFO time_left 100000")
        brain.expect_silence("INFO before START")
        brain.start()
        brain.move("BEGIN")
        return ""


def _check_repeated_commands(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(size=15)
        brain.start(size=20)
        brain.board(parse_points("h8h9i8"))
        brain.board(parse_points("t20t19"))
        brain.start(size=15)
        brain.move("BEGIN")
        return ""


def _check_empty_board(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        return format_square(*brain.board([])[0])


def _check_unusual_clocks(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.write("INFO time_left -350")
        _, overrun_s = brain.move("BEGIN")
        brain.process.write(f"INFO time_left {UNLIMITED_MS}")
        _, unlimited_s = brain.board(parse_points("h8h9"))
        return f"{overrun_s:.2f} s with an overrun clock, {unlimited_s:.2f} s with an unlimited one"


def _check_zero_turn_time(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(size=20, turn_ms=0)
        _, seconds = brain.board(parse_points("h8h9i8"), within_s=AT_ONCE_S)
        return f"{seconds:.2f} s"


def _check_unanswered_commands(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.write("INFO rule 0", "INFO no_such_key 1", "INFO", "INFO max_memory lots")
        brain.expect_silence("INFO")
        brain.process.write("YXBOARD", *board_lines(parse_points("h8h9"))[1:])
        brain.expect_silence("YXBOARD")
        brain.process.write("END")
        brain.expect_silence("END")
        return ""


def _check_full_board(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.board(nearly_full_board())
        full = [*nearly_full_board(), (0, 0)]
        brain.process.write(*board_lines(full))
        time.sleep(brain.timeouts.silence_s)  # any answer to a full board is allowed, but the program must not exit
        answers = [line.text for line in brain.process.drain()]
        brain.start()
        brain.move("BEGIN")
        return f"a full board was answered by {repr(answers[-1]) if answers else 'nothing'}"


def _check_end(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        _start_long_search(brain)
        brain.process.write("END")
        return brain.expect_exit(END_S, "END during a search")


def _check_memory(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(size=20)
        brain.process.write(*board_lines(parse_points("k10k11l10l11")))
        deadline_s = time.perf_counter() + candidate.move_time_ms / 1000 + candidate.timeouts.tolerance_s
        peak_virtual, peak_unique, has_answered = 0, 0, False  # bytes, summed over all processes
        while not has_answered and time.perf_counter() < deadline_s:
            memory = brain.process.tree.memory()
            peak_virtual, peak_unique = max(peak_virtual, memory.virtual), max(peak_unique, memory.unique)
            has_answered = any(is_answer(line.text) for line in brain.process.drain())
            time.sleep(MEMORY_POLL_S)
        if not has_answered:
            raise CheckFailed("no move came")
        detail = f"peak {peak_unique / 2**20:.0f} MiB unique, {peak_virtual / 2**20:.0f} MiB virtual, of all processes"
        if max(peak_virtual, peak_unique) > MAX_MEMORY_BYTES:
            raise CheckFailed(f"{detail}, more than {MAX_MEMORY_BYTES / 2**20:.0f} MiB")
        return detail


def _check_first_move(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(size=20)
        limit_s = max(FIRST_MOVE_S, candidate.move_time_ms / 1000) + candidate.timeouts.tolerance_s
        brain.move("BEGIN", within_s=limit_s)
        seconds = (time.perf_counter_ns() - brain.started_ns) / 1e9
        if seconds > limit_s:
            raise CheckFailed(f"the first move came {seconds:.2f} s after the start of the program")
        return f"{seconds:.2f} s from the start of the program"


def _make_archive_check(variant: str, stones: str, accepted: str, forbidden: str) -> Callable[[GomocupCandidate], str]:
    """Return the function of the check item for one of `ARCHIVE_POSITIONS`."""

    def check(candidate: GomocupCandidate) -> str:
        with candidate.brain(variant) as brain:
            brain.start(size=15, rule=parse_variant(variant))
            move = format_square(*brain.board(parse_points(stones))[0])
        if accepted and move not in accepted.split():
            raise CheckFailed(f"played {move}, not one of {accepted}")
        if move in forbidden.split():
            raise CheckFailed(f"played {move}, which is forbidden")
        return move

    return check


def _check_undo(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        first_move, _ = brain.move("BEGIN")
        brain.expect("OK", f"TAKEBACK {format_point(first_move)}")
        brain.expect("OK", "RESTART")
        brain.stones = []
        brain.move("BEGIN")
        return ""


def _check_unknown(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        answer = brain.expect("UNKNOWN", "FROBNICATE 7,7")
        brain.move("BEGIN")
        return answer


def _check_bad_board(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        answer = brain.expect("ERROR", "BOARD", "7,7,2", "eight;eight;1", "99,99,2", "DONE")
        brain.expect_silence("the rest of a malformed BOARD")
        brain.board(parse_points("h8"))
        return answer


def _check_turn_limit(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(size=20)
        _, seconds = brain.board(parse_points("k10k11l10l11j10m10"))
        if seconds > candidate.move_time_ms / 1000:
            raise CheckFailed(f"the move took {seconds:.3f} s of {candidate.move_time_ms / 1000:g} s")
        return f"{seconds:.3f} s of {candidate.move_time_ms / 1000:g} s"


def _start_long_search(brain: GomocupConversation) -> None:
    """Start a search with a limit of `SEARCH_MS`; return when it has begun."""
    brain.start(size=20, turn_ms=SEARCH_MS)
    brain.process.write(f"INFO time_left {UNLIMITED_MS}", *board_lines(parse_points("k10k11l10l12")))
    time.sleep(brain.timeouts.silence_s)


CHECK_ITEMS: tuple[CheckItem[GomocupCandidate], ...] = (
    (1, "START is answered by exactly OK", _check_start),
    (2, "answers are flushed", _check_flush),
    (3, "CR LF line ends are understood", _check_crlf),
    (4, "the end of input ends the program", _check_input_end),
    (5, "ABOUT works before START", _check_about),
    (6, "INFO works before START", _check_early_info),
    (7, "START and BOARD may be sent again", _check_repeated_commands),
    (8, "an empty BOARD works", _check_empty_board),
    (9, "a negative and an unlimited time_left are understood", _check_unusual_clocks),
    (10, "timeout_turn 0 is answered at once", _check_zero_turn_time),
    (11, "INFO, YXBOARD and END are not answered", _check_unanswered_commands),
    (12, "a nearly full board is answered by a move, and a full board does not end the program", _check_full_board),
    (13, "END ends the program during a search", _check_end),
    (14, "all processes together keep the memory limit", _check_memory),
    (15, "the first move comes in time, start-up included", _check_first_move),
    *((16, f"archive test position, {row[0]}", _make_archive_check(*row)) for row in ARCHIVE_POSITIONS),
    (17, "RESTART and TAKEBACK work", _check_undo),
    (18, "an unknown command is answered by UNKNOWN", _check_unknown),
    (19, "a malformed BOARD is an ERROR", _check_bad_board),
    (20, "a move keeps its time limit", _check_turn_limit),
    (21, "a search with a time limit is finished after the input is closed", _check_closed_input),
)
