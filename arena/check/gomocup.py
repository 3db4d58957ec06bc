"""`pentad check gomocup -- CMD`: takes any brain through the points on which tournament managers fail programs.

Answers are read as strictly as Piskvork reads them: the first line that is neither MESSAGE nor DEBUG is the answer.
Each point starts the program afresh, so one failure does not spoil the next point.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.check.check_list import CheckFailed, CheckResult, compare_closed_input, run_checks
from arena.check.gomocup_talk import (
    MAX_MEMORY,
    TOURNAMENT_PATIENCE,
    GomocupCandidate,
    GomocupPatience,
    GomocupTalk,
    board_lines,
    is_answer,
    nearly_full_board,
    squares_of,
)
from bots.gomoku.notation import parse_variant
from core.play.squares import format_square
from protocols.gomocup.text import UNLIMITED_MS, format_point

FIRST_MOVE_S = 5.0  # the shortest turn of the tournaments
AT_ONCE_S = 1.0  # for timeout_turn 0
END_S = 0.5  # GomocupJudge kills after that
MEMORY_POLL_S = 0.1
SEARCH_MS = 60_000  # a limit that a search does not reach while it is interrupted

# The organisers' archive test: variant, stones in order, squares of which one is wanted, squares that are not.
PROBES = (
    ("freestyle", "h8h9i8i9j8j9k8k9", "g8 l8", ""),
    ("standard", "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8", ""),
    ("renju", "h8h9i7i9h10i6i11i12", "", "g9"),
    ("caro-overline", "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11", ""),
)


def check_gomocup(
    command: Sequence[str],
    report: Callable[[CheckResult], None],
    move_time_s: float = 5.0,
    patience: GomocupPatience = TOURNAMENT_PATIENCE,
) -> list[CheckResult]:
    """Examine the program that `command` starts, report each point as it is done, and return them all.

    The points' numbers are those of the list in the protocol's reference, from 17 on our own.
    """
    return run_checks(CHECK_ITEMS, GomocupCandidate(command, int(move_time_s * 1000), patience), report)


def _check_ok(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        return ""


def _check_flush(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        _, seconds = brain.move("BEGIN")
        return f"first answers came while the input stayed open, the move after {seconds:.2f} s"


def _check_crlf(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.expect("OK", "START 15\r")
        brain.move(f"INFO timeout_turn {candidate.move_time_ms}\r", "BEGIN\r")
        brain.board(squares_of("h8"), line_end="\r")
        return ""


def _check_input_end(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.close_input()
        return brain.expect_exit(1.0, "the end of input")


def _check_closed_input(candidate: GomocupCandidate) -> str:
    """Bridges start a program for each move, close its input and wait for its end."""
    times = []
    for closes_input in (False, True):
        with candidate.brain() as brain:
            brain.start(20)
            brain.stones = squares_of("k10k11l10l12")
            _, seconds = brain.move(*board_lines(brain.stones), closes_input=closes_input)
            times.append(seconds)
            if closes_input:
                brain.expect_exit(1.0, "the answer that the end of input had left to give")
    return compare_closed_input(*times)


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


def _check_twice(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(15)
        brain.start(20)
        brain.board(squares_of("h8h9i8"))
        brain.board(squares_of("t20t19"))
        brain.start(15)
        brain.move("BEGIN")
        return ""


def _check_empty_board(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        return format_square(*brain.board([])[0])


def _check_odd_clocks(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.write("INFO time_left -350")
        _, negative = brain.move("BEGIN")
        brain.process.write(f"INFO time_left {UNLIMITED_MS}")
        _, unlimited = brain.board(squares_of("h8h9"))
        return f"overrun clock {negative:.2f} s, no clock {unlimited:.2f} s"


def _check_at_once(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(20, turn_ms=0)
        _, seconds = brain.board(squares_of("h8h9i8"), within_s=AT_ONCE_S)
        return f"{seconds:.2f} s"


def _check_silence(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        brain.process.write("INFO rule 0", "INFO no_such_key 1", "INFO", "INFO max_memory lots")
        brain.expect_silence("INFO")
        brain.process.write("YXBOARD", *board_lines(squares_of("h8h9"))[1:])
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
        time.sleep(brain.patience.silence_s)  # whatever it says to a full board, it must live
        said = [line.text for line in brain.process.drain()]
        brain.start()
        brain.move("BEGIN")
        return f"a full board was answered by {said[-1]!r}" if said else "a full board was answered by nothing"


def _check_end(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        _start_long_search(brain)
        brain.process.write("END")
        return brain.expect_exit(END_S, "END while thinking")


def _check_memory(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(20)
        brain.process.write(*board_lines(squares_of("k10k11l10l11")))
        deadline = time.perf_counter() + candidate.move_time_ms / 1000 + candidate.patience.tolerance_s
        peak_virtual, peak_unique, answered = 0, 0, False
        while not answered and time.perf_counter() < deadline:
            use = brain.process.tree.memory()
            peak_virtual, peak_unique = max(peak_virtual, use.virtual), max(peak_unique, use.unique)
            answered = any(is_answer(line.text) for line in brain.process.drain())
            time.sleep(MEMORY_POLL_S)
        if not answered:
            raise CheckFailed("no move came")
        detail = f"peak {peak_unique / 2**20:.0f} MiB own, {peak_virtual / 2**20:.0f} MiB virtual, over all processes"
        if max(peak_virtual, peak_unique) > MAX_MEMORY:
            raise CheckFailed(f"{detail}, more than {MAX_MEMORY / 2**20:.0f} MiB")
        return detail


def _check_first_move(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(20)
        limit_s = max(FIRST_MOVE_S, candidate.move_time_ms / 1000) + candidate.patience.tolerance_s
        brain.move("BEGIN", within_s=limit_s)
        seconds = (time.perf_counter_ns() - brain.born_ns) / 1e9
        if seconds > limit_s:
            raise CheckFailed(f"the first move came {seconds:.2f} s after the start of the program")
        return f"{seconds:.2f} s from the start of the program"


def _probe(variant: str, stones: str, wanted: str, unwanted: str) -> Callable[[GomocupCandidate], str]:
    """The examination of one archive probe."""

    def examine(candidate: GomocupCandidate) -> str:
        with candidate.brain() as brain:
            brain.start(15, parse_variant(variant))
            move = format_square(*brain.board(squares_of(stones))[0])
        if wanted and move not in wanted.split():
            raise CheckFailed(f"played {move}, not one of {wanted}")
        if move in unwanted.split():
            raise CheckFailed(f"played {move}, which is forbidden")
        return move

    return examine


def _check_undo(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start()
        own, _ = brain.move("BEGIN")
        brain.expect("OK", f"TAKEBACK {format_point(own)}")
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
        brain.board(squares_of("h8"))
        return answer


def _check_turn_limit(candidate: GomocupCandidate) -> str:
    with candidate.brain() as brain:
        brain.start(20)
        _, seconds = brain.board(squares_of("k10k11l10l11j10m10"))
        if seconds > candidate.move_time_ms / 1000:
            raise CheckFailed(f"the move took {seconds:.3f} s of {candidate.move_time_ms / 1000:g} s")
        return f"{seconds:.3f} s of {candidate.move_time_ms / 1000:g} s"


def _start_long_search(brain: GomocupTalk) -> None:
    brain.start(20, turn_ms=SEARCH_MS)
    brain.process.write(f"INFO time_left {UNLIMITED_MS}", *board_lines(squares_of("k10k11l10l12")))
    time.sleep(brain.patience.silence_s)


CHECK_ITEMS: tuple[tuple[int, str, Callable[[GomocupCandidate], str]], ...] = (
    (1, "START is answered by exactly OK", _check_ok),
    (2, "answers are flushed", _check_flush),
    (3, "CR LF line ends are understood", _check_crlf),
    (4, "the end of input ends the program", _check_input_end),
    (5, "ABOUT works before START", _check_about),
    (6, "INFO works before START", _check_early_info),
    (7, "START twice and BOARD twice work", _check_twice),
    (8, "an empty BOARD works", _check_empty_board),
    (9, "negative and unlimited time_left", _check_odd_clocks),
    (10, "timeout_turn 0 answers at once", _check_at_once),
    (11, "INFO, YXBOARD and END are not answered", _check_silence),
    (12, "a full or nearly full board", _check_full_board),
    (13, "END while thinking", _check_end),
    (14, "memory of all processes", _check_memory),
    (15, "the first move, with start-up", _check_first_move),
    *((16, f"archive probe {probe[0]}", _probe(*probe)) for probe in PROBES),
    (17, "RESTART and TAKEBACK", _check_undo),
    (18, "an unknown command is answered by UNKNOWN", _check_unknown),
    (19, "a malformed BOARD is an ERROR", _check_bad_board),
    (20, "the turn limit is kept", _check_turn_limit),
    (21, "closing the input: a bounded search is finished and answered", _check_closed_input),
)
