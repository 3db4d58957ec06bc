"""The commands of the GTP 2 standard that make sense outside Go."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from core.play.player import BadSetup, IllegalMove
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.text import check_komi, parse_seconds, parse_size
from protocols.serving.serve import MAX_LINE_BYTES
from protocols.text import CommandError, parse_number, quote_argument

MAX_FILE_BYTES = 100 * MAX_LINE_BYTES  # of a game record for `loadsgf`; real ones are far smaller


def standard_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the standard commands of a session; `loadsgf` only if the game can read records."""
    commands = [
        GtpCommand(partial(_boardsize, context), "boardsize WIDTH [HEIGHT]", "set the size and begin an empty game"),
        GtpCommand(partial(_clear_board, context), "clear_board", "begin an empty game of the same size"),
        GtpCommand(partial(_komi, context), "komi X", "accept a number without effect, because Go controllers send it"),
        GtpCommand(partial(_play, context), "play COLOUR MOVE", "play a move"),
        GtpCommand(partial(_genmove, context), "genmove COLOUR", "choose a move, play it and return it", slow=True),
        GtpCommand(
            partial(_reg_genmove, context),
            "reg_genmove COLOUR",
            "choose a move without playing it",
            slow=True,
            analyze_entry="varc/Move without playing/reg_genmove %c",
        ),
        GtpCommand(partial(_undo, context), "undo", "take back the last move"),
        GtpCommand(partial(_showboard, context), "showboard", "the board as text for people"),
        GtpCommand(
            partial(_final_score, context),
            "final_score",
            "winner's letter and +, 0 for a draw, `cannot score` while the game goes on",
            analyze_entry="string/Final score/final_score",
        ),
        GtpCommand(
            partial(_time_settings, context),
            "time_settings MAIN PERIOD MOVES",
            "main time, then PERIOD seconds for each MOVES moves; 0 0 0 for no limit",
        ),
        GtpCommand(
            partial(_time_left, context),
            "time_left COLOUR SECONDS [MOVES]",
            "set the clock of a side; negative seconds count as 0",
        ),
        GtpCommand(
            partial(_all_legal_moves, context),
            "all_legal_moves [COLOUR]",
            "the legal moves of a side",
            analyze_entry="plist/Legal moves/all_legal_moves %c" if context.game.moves_are_squares else "",
        ),
    ]
    if context.game.parse_record:
        commands.append(
            GtpCommand(
                partial(_loadsgf, context),
                "loadsgf FILE [NUMBER]",
                "load a game, up to the move before NUMBER if given; answers how an ambiguous file was read",
                takes_text=True,
            )
        )
    return commands


def _boardsize(context: GtpContext, arguments: tuple[str, ...]) -> str:
    size = parse_size(arguments)
    if size is None:
        raise CommandError(f"boardsize arguments must be WIDTH [HEIGHT], not {quote_argument(' '.join(arguments))}")
    width, height = size
    if min(size) < 1:
        raise CommandError(f"unacceptable size: board sizes begin at 1, not {min(size)}")
    try:
        context.begin(replace(context.next_setup(), width=width, height=height))
    except BadSetup as error:
        raise CommandError(f"unacceptable size: {error}") from None
    return ""


def _clear_board(context: GtpContext, _: tuple[str, ...]) -> str:
    context.begin(context.next_setup())
    return ""


def _komi(_: GtpContext, arguments: tuple[str, ...]) -> str:
    check_komi(arguments[0])
    return ""


def _play(context: GtpContext, arguments: tuple[str, ...]) -> str:
    colour, move = arguments
    context.play(context.game.parse_colour(colour), move)
    return ""


def _genmove(context: GtpContext, arguments: tuple[str, ...]) -> str:
    return context.generate(context.game.parse_colour(arguments[0]), plays_move=True)


def _reg_genmove(context: GtpContext, arguments: tuple[str, ...]) -> str:
    return context.generate(context.game.parse_colour(arguments[0]), plays_move=False)


def _undo(context: GtpContext, _: tuple[str, ...]) -> str:
    try:
        context.undo()
    except IllegalMove as error:
        raise CommandError(f"cannot undo: {error}") from None
    return ""


def _showboard(context: GtpContext, _: tuple[str, ...]) -> str:
    return f"\n{context.game.show_board(context.position, context.format_move)}"


def _final_score(context: GtpContext, _: tuple[str, ...]) -> str:
    outcome = context.position.outcome()
    if outcome is None:
        return "cannot score"
    return "0" if outcome.winner is None else f"{context.game.colours[outcome.winner][0].upper()}+"


def _time_settings(context: GtpContext, arguments: tuple[str, ...]) -> str:
    main, period, moves = arguments
    main_ms, period_ms = (parse_seconds("time_settings", text) for text in (main, period))
    context.clock.set_time(main_ms, period_ms, parse_moves("time_settings", moves))
    return ""


def _time_left(context: GtpContext, arguments: tuple[str, ...]) -> str:
    colour, seconds, moves = (*arguments, "0") if len(arguments) == 2 else arguments
    side = context.game.parse_colour(colour)
    left_ms = parse_seconds("time_left", seconds.removeprefix("-"))  # GoGui sends negative seconds when the time is up
    context.clock.set_time_left(side, 0 if seconds.startswith("-") else left_ms, parse_moves("time_left", moves))
    return ""


def _all_legal_moves(context: GtpContext, arguments: tuple[str, ...]) -> str:
    side = context.game.parse_colour(arguments[0]) if arguments else None
    return " ".join(context.legal_moves(side))


def _loadsgf(context: GtpContext, arguments: tuple[str, ...]) -> str:
    number = parse_number(arguments[-1]) if len(arguments) > 1 else None
    name = " ".join(arguments if number is None else arguments[:-1])
    assert context.game.parse_record is not None
    record = context.game.parse_record(_read_file(name), context.position.setup)
    if number is not None and number < 1:
        raise CommandError(f"loadsgf move number must be 1 or more, not {number}")
    context.load_record(record.setup, record.moves if number is None else record.moves[: number - 1])
    return record.note


def _read_file(name: str) -> str:
    """Return the text of a file; raise CommandError if it cannot be read.

    Only regular files are read, because reading a pipe or device could block the session.
    """
    path = Path(name)
    try:
        if not path.is_file():
            raise CommandError(f"cannot load file: there is no file {quote_argument(name)}")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CommandError(f"cannot load file: it has more than {MAX_FILE_BYTES} bytes")
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise CommandError(f"cannot load file: {error}") from None


def parse_moves(command: str, text: str) -> int:
    """Parse the number of moves in a command; raise CommandError if it is negative or not an integer."""
    number = parse_number(text)
    if number is None or number < 0:
        raise CommandError(f"{command} number of moves must be a whole number from 0, not {quote_argument(text)}")
    return number
