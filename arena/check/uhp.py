"""The check list of `pentad check uhp -- CMD`: the protocol, then the rules of Hive as the engine knows them.

Each item starts the program anew, so that a failure does not affect the next item. An item is a function that gets the
engine under test; it returns a detail for the report, or raises CheckFailed.

Engines differ in some things, and viewers accept them. So does this check (`arena/check/uhp_audit.py` has more):
- a refusal may begin with err or with invalidmove;
- a move may be accepted as a climb, or refused, if its sign points at an occupied cell or if its reference is a covered
  tile without a sign;
- a GameString whose state or turn does not fit its moves may be loaded by its moves, or refused;
- bestmove may print other lines before its move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from typing import TypeVar

from arena.check.check_list import CheckFailed, CheckItem, CheckResult, ResultCallback, compare_closed_input, run_checks
from arena.check.uhp_audit import AuditOptions, compare_positions, play_games
from arena.check.uhp_conversation import (
    DEFAULT_TIMEOUTS,
    UhpCandidate,
    UhpConversation,
    UhpTimeouts,
    check_counts,
    is_refusal,
    list_spellings,
    shorten,
)
from bots.hive.notation import TILE_NAMES, VARIANTS, MoveText, format_move, parse_variant
from bots.hive.position import HivePosition
from bots.hive.tiles import LADYBUG, MOSQUITO, MOVE_SHIFT, PILLBUG, neighbour
from core.play.player import IllegalMove, Setup
from protocols.driving.process import EngineError
from protocols.uhp.text import format_duration, parse_info, parse_option

EXPANSIONS = {"Mosquito": MOSQUITO, "Ladybug": LADYBUG, "Pillbug": PILLBUG}  # capability -> kind of tile
PERFT_PLIES = 3  # depth of the perft that is compared
MAX_SAMPLE = 150  # if a check has more moves to try, it tries this many of them

# Games as GameStrings, and moves that follow them
BEFORE_WIN = (
    "Base;InProgress;White[8];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;"
    "wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bA1 bG2/"
)
WINNING_MOVE = "wQ /bG1"
BEFORE_DRAW = (
    "Base;InProgress;Black[10];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;"
    "wA1 bG2\\;bA1 \\bG2;wQ \\wS1;bG1 wA1/;wQ -bQ;bA1 \\wQ;wB1 -wS1;bG3 bG1-;wB1 /bA1"
)
DRAWING_MOVE = "bG3 -bG2"
FORCED_PASS = (  # white can only pass
    "Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 bQ\\;wQ \\wA1;bA1 \\wQ;"
    "wG1 /wQ;bA2 /wG1"
)
MIDDLE_GAME = (  # beetles are on top of other tiles
    "Base;InProgress;Black[13];wA1;bG1 -wA1;wA2 wA1-;bQ /bG1;wA3 \\wA2;bA1 \\bG1;wQ /wA2;bA1 wA3/;wA2 /bQ;bS1 bA1-;"
    "wS1 /wQ;bS1 wQ-;wS2 wA2\\;bB1 bS1/;wS2 -bQ;bB1 bS1;wB1 wA2\\;bB1 wQ;wB2 -wB1;bA2 \\bG1;wB1 bQ\\;bA2 wS1-;"
    "wS1 bS1\\;bA3 \\bG1;wG1 wB1\\"
)

T = TypeVar("T")


def check_uhp(
    command: Sequence[str],
    report: ResultCallback,
    audit: AuditOptions,
    types: Sequence[str] = (),
    *,
    move_time_s: int = 1,
    timeouts: UhpTimeouts = DEFAULT_TIMEOUTS,
    on_game: Callable[[], None] = lambda: None,
) -> list[CheckResult]:
    """Run the check list on the engine that `command` starts, report each result at once, and return the results.

    `types` are the game types to test; by default all that the engine reports. `on_game` is called after each random
    game of the last item.
    """
    candidate = UhpCandidate(command, tuple(types) or ("Base",), move_time_s, timeouts)
    if not types:
        with suppress(CheckFailed, EngineError), candidate.engine() as engine:  # the first item reports a failure
            candidate = UhpCandidate(command, find_types(engine.banner), move_time_s, timeouts)
    rule_items: list[CheckItem[UhpCandidate]] = [
        (19, "legal moves in given positions", partial(_check_positions, audit=audit)),
        (20, "legal moves and states in random games", partial(_check_games, audit=audit, on_game=on_game)),
    ]
    return run_checks([*CHECK_ITEMS, *rule_items], candidate, report)


def find_types(banner: Sequence[str]) -> tuple[str, ...]:
    """Return the game types that an engine can play, by the capabilities in its banner (`Mosquito;Ladybug`)."""
    capabilities = {name.strip() for name in parse_info(banner).get("capabilities", "").split(";")}
    expansion_bits = sum(1 << kind for name, kind in EXPANSIONS.items() if name in capabilities)
    return tuple(variant for variant in VARIANTS if not parse_variant(variant) & ~expansion_bits)


def _check_banner(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        info = engine.ask("info")
        if not parse_info(engine.banner) or info != engine.banner:
            raise CheckFailed(f"the banner is {shorten(engine.banner)}, info is answered by {shorten(info)}")
        return ", ".join(info)


def _check_framing(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        engine.process.write("", "   ")
        engine.expect_game(" newgame \t Base  \r", HivePosition(Setup(variant="Base")))
        return ""


def _check_unknown(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        return engine.expect_refusal("frobnicate 7")


def _check_types(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        for variant in candidate.types:
            engine.expect_game(f"newgame {variant}", HivePosition(Setup(variant=variant)))
        engine.expect_game("newgame", HivePosition(Setup(variant="Base")))
        engine.expect_refusal("newgame Chess")
        return " ".join(candidate.types)


def _check_no_game(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        for command in ("play wS1", "pass", "validmoves", "undo", "bestmove depth 1"):
            engine.expect_refusal(command)
        return ""


def _check_loading(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        position = engine.load(MIDDLE_GAME)
        for wrong_game in (
            f"{MIDDLE_GAME};wG1 bQ-",
            "Base;InProgress;Black[1];wQ",
            "Base;InProgress;White[2];wS1;",
            "Base+X;;",
        ):
            engine.expect_refusal(f"newgame {wrong_game}")
        engine.expect_moves(position)
        answer = engine.ask("newgame Base;Draw;White[9];wS1")
        if is_refusal(answer):
            return "a wrong state or turn is refused"
        engine.expect_game("newgame Base;Draw;White[9];wS1", HivePosition.from_game("Base;;;wS1"))
        return "a wrong state or turn is corrected"


def _check_illegal(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        count = _try_illegal(engine, HivePosition(Setup(variant="Base")))
        count += _try_illegal(engine, HivePosition.from_game("Base;;;wS1"))
        count += _try_illegal(engine, HivePosition.from_game(MIDDLE_GAME))
        return f"{count} moves"


def _try_illegal(engine: UhpConversation, position: HivePosition) -> int:
    """Send illegal moves and return their number; raise CheckFailed if one is accepted or changes the game."""
    engine.expect_game(f"newgame {position.game_string()}", position)
    moves = ["", "wZ9 wS1-", *(["pass"] if position.legal_moves() != ["pass"] else [])]
    moves += _sample(list_illegal_moves(position))
    accepted = []
    for move in moves:
        if not is_refusal(engine.ask(f"play {move}".strip())):
            accepted.append(move)
            engine.expect_game(f"newgame {position.game_string()}", position)
    if accepted:
        shown = "; ".join(accepted[:5])
        text = f"{len(accepted)} of {len(moves)} illegal moves are accepted: {shown}"
        raise CheckFailed(f"{text}\ngame: {position.game_string()}")
    engine.expect_moves(position)
    return len(moves)


def list_illegal_moves(position: HivePosition) -> list[str]:
    """Return illegal moves in correct notation, except those that an engine may accept as a climb."""
    state, legal = position.state, set(position.legal_numbers())
    tops = {tile: state.top[cell] for tile, cell in enumerate(state.tile_cell) if cell >= 0}
    illegal_moves = []
    for tile, reference, direction in product(range(len(TILE_NAMES)), range(len(TILE_NAMES)), (None, *range(6))):
        text = format_move(MoveText(tile, reference, direction))
        try:
            is_acceptable = position.parse(text) in legal
        except IllegalMove:
            is_acceptable = reference in tops and _is_climb(position, tile, reference, direction)
        if not is_acceptable:
            illegal_moves.append(text)
    # a move without a reference is correct at the start only; there White may not place the queen, nor a black tile
    return illegal_moves + ([] if position.moves else ["wQ", "bA1", "bS1"])


def _is_climb(position: HivePosition, tile: int, reference: int, direction: int | None) -> bool:
    """Return whether a move in wrong notation points at an occupied cell that the tile can legally climb to."""
    cell = position.state.tile_cell[reference]
    target = cell if direction is None else neighbour(cell, direction)
    return ((tile + 1) << MOVE_SHIFT | target) in position.legal_numbers()


def _check_spellings(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        position = engine.load(MIDDLE_GAME)
        spellings = [(text, code) for code in position.legal_numbers() for text in list_spellings(position, code)]
        for text, code in _sample(spellings):
            position.play(position.format(code))
            engine.expect_game(f"play {text}", position)
            position.undo()
            engine.expect_game("undo", position)
        return f"{len(_sample(spellings))} of {len(spellings)} ways to write {len(position.legal_numbers())} moves"


def _check_pass(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        position = engine.load(FORCED_PASS)
        engine.expect_moves(position)
        position.play("pass")
        engine.expect_game("pass", position)
        position.undo()
        engine.expect_game("undo", position)
        engine.expect_refusal(f"play {position.moves[-1]}")
        position.play("pass")
        engine.expect_game("play pass", position)
        engine.expect_refusal("pass")
        return ""


def _check_undo(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        position = engine.load(MIDDLE_GAME)
        for count in (1, 3, len(position.moves) - 5):
            for _ in range(count):
                position.undo()
            engine.expect_game(f"undo {count}", position)
        position.undo()
        engine.expect_game("undo", position)
        engine.expect_refusal("undo 0")
        engine.expect_refusal("undo 9")
        engine.expect_moves(position)
        return ""


def _check_ends(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        for game, move in ((BEFORE_WIN, WINNING_MOVE), (BEFORE_DRAW, DRAWING_MOVE)):
            position = engine.load(game)
            position.play(move)
            engine.expect_game(f"play {move}", position)
            engine.expect_refusal("pass")
            engine.expect_refusal(f"play {move}")
            position.undo()
            engine.expect_game("undo", position)
            engine.expect_moves(position)
        return ""


def _check_search_after_end(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        position = engine.load(BEFORE_WIN)
        position.play(WINNING_MOVE)
        engine.expect_game(f"play {WINNING_MOVE}", position)
        return engine.expect_refusal("bestmove depth 1")


def _check_best_move(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        slowest_s = 0.0
        for game in (candidate.types[-1], MIDDLE_GAME, BEFORE_WIN):
            position = engine.load(game)
            engine.best_move("depth 1", position)
            limit = f"time {format_duration(1000 * candidate.move_time_s)}"
            _, seconds = engine.best_move(limit, position, candidate.move_time_s + engine.timeouts.answer_s)
            slowest_s = max(slowest_s, seconds)
            engine.expect_moves(position)  # bestmove must not play its move
        engine.expect_refusal("bestmove sideways")
        if slowest_s > candidate.move_time_s + engine.timeouts.tolerance_s:
            raise CheckFailed(f"{slowest_s:.3f} s for a limit of {candidate.move_time_s} s")
        return f"at most {slowest_s:.3f} s of {candidate.move_time_s} s"


def _check_only_move(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        move, seconds = engine.best_move("time 00:00:05", engine.load(FORCED_PASS), 5 + engine.timeouts.answer_s)
        if seconds > engine.timeouts.at_once_s:
            raise CheckFailed(f"{seconds:.2f} s for the only move")
        return f"{move} after {seconds:.2f} s"


def _check_options(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        names = []
        for line in engine.ask("options"):
            parsed = parse_option(line)
            if parsed is None:
                raise CheckFailed(f"an option must be NAME;TYPE;VALUE;DEFAULT, not {line!r}")
            names.append(parsed[0].name)
            if engine.ask(f"options get {names[-1]}") != [line]:
                raise CheckFailed(f"options get {names[-1]} is not answered by {line!r}")
            if parsed[1] and engine.ask(f"options set {names[-1]} {parsed[1]}") != [line]:
                raise CheckFailed(f"options set {names[-1]} {parsed[1]} is not answered by {line!r}")
        engine.expect_refusal("options get NoSuchOption")
        engine.expect_refusal("options set NoSuchOption 1")
        return ", ".join(names) or "none"


def _check_perft(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        counts = 0
        for game in (*candidate.types, MIDDLE_GAME, FORCED_PASS):
            position = engine.load(game)
            answer = engine.ask(f"perft {PERFT_PLIES}", engine.timeouts.count_s)
            if is_refusal(answer):
                return "not offered"
            counts += check_counts(answer, position)
        if not counts:
            raise CheckFailed(f"no counts in {shorten(answer)}")
        return f"{counts} counts"


def _check_input_end(candidate: UhpCandidate) -> str:
    with candidate.engine() as engine:
        engine.load(MIDDLE_GAME)
        engine.process.close_input()
        engine.expect_exit(engine.timeouts.exit_s, "the end of input")
    with candidate.engine() as engine:
        engine.process.write("exit")
        engine.expect_exit(engine.timeouts.exit_s, "exit")
        return ""


def _check_closed_input(candidate: UhpCandidate) -> str:
    """Check that closing the input ends no search early: bridges start a program per move and close its input."""
    limit, times_s = f"time {format_duration(1000 * candidate.move_time_s)}", []
    for closes_input in (False, True):
        with candidate.engine() as engine:
            position = engine.load(MIDDLE_GAME)
            within_s = candidate.move_time_s + engine.timeouts.answer_s
            times_s.append(engine.best_move(limit, position, within_s, closes_input=closes_input)[1])
            if closes_input:
                engine.expect_exit(engine.timeouts.exit_s, "the last answer with the input closed")
    return compare_closed_input(*times_s)


def _check_positions(candidate: UhpCandidate, audit: AuditOptions) -> str:
    with candidate.engine() as engine:
        games = [game for game in audit.positions if game.partition(";")[0] in candidate.types]
        return f"{compare_positions(engine, games)} positions"


def _check_games(candidate: UhpCandidate, audit: AuditOptions, on_game: Callable[[], None]) -> str:
    with candidate.engine() as engine:
        return play_games(engine, candidate.types, audit, on_game).describe()


def _sample(items: Sequence[T]) -> list[T]:
    """Return at most MAX_SAMPLE of the items, always the same ones."""
    return list(items) if len(items) <= MAX_SAMPLE else random.Random(1).sample(items, MAX_SAMPLE)


CHECK_ITEMS: tuple[CheckItem[UhpCandidate], ...] = (
    (1, "the banner is the answer to info", _check_banner),
    (2, "empty lines, blanks and CR LF are understood", _check_framing),
    (3, "an unknown command is refused", _check_unknown),
    (4, "newgame starts every game type", _check_types),
    (5, "commands that need a game are refused without one", _check_no_game),
    (6, "GameStrings are loaded; wrong ones are refused and change nothing", _check_loading),
    (7, "illegal moves are refused and change nothing", _check_illegal),
    (8, "every spelling of a legal move is understood", _check_spellings),
    (9, "a pass is accepted only if there is no other move", _check_pass),
    (10, "undo takes back moves", _check_undo),
    (11, "a win and a draw end the game until undo", _check_ends),
    (12, "bestmove is refused after the end", _check_search_after_end),
    (13, "bestmove finds a legal move in time", _check_best_move),
    (14, "bestmove answers at once if there is a single legal move", _check_only_move),
    (15, "options can be listed, read and set", _check_options),
    (16, "perft has the right counts, if it is offered", _check_perft),
    (17, "exit and the end of input end the program", _check_input_end),
    (18, "a search with a time limit is finished after the input is closed", _check_closed_input),
)
