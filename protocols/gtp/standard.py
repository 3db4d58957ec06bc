"""The commands of GTP 2 itself, as far as they make sense outside Go."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from core.play.player import BadSetup, IllegalMove
from protocols.gtp.host import GtpCommand, GtpHost
from protocols.gtp.text import parse_seconds, parse_size
from protocols.serving.serve import MAX_LINE_BYTES
from protocols.text import CommandError, echo, parse_number

MAX_FILE_BYTES = 100 * MAX_LINE_BYTES  # far above any game record


def standard_commands(host: GtpHost) -> list[GtpCommand]:
    """Rows of the command table."""
    commands = [
        GtpCommand(partial(_boardsize, host), "boardsize WIDTH [HEIGHT]", "set the size and begin an empty game"),
        GtpCommand(partial(_clear_board, host), "clear_board", "begin an empty game of the same size"),
        GtpCommand(partial(_komi, host), "komi X", "accepted for controllers made for Go, without effect"),
        GtpCommand(partial(_play, host), "play COLOUR MOVE", "play a move"),
        GtpCommand(partial(_genmove, host), "genmove COLOUR", "choose a move, play it and answer it", slow=True),
        GtpCommand(
            partial(_reg_genmove, host),
            "reg_genmove COLOUR",
            "choose a move without playing it",
            slow=True,
            analyze="varc/Move without playing/reg_genmove %c",
        ),
        GtpCommand(partial(_undo, host), "undo", "take back the last move"),
        GtpCommand(partial(_showboard, host), "showboard", "the board as text for people"),
        GtpCommand(
            partial(_final_score, host),
            "final_score",
            "winner's letter and +, 0 for a draw, `cannot score` while the game goes on",
            analyze="string/Final score/final_score",
        ),
        GtpCommand(
            partial(_time_settings, host),
            "time_settings MAIN PERIOD MOVES",
            "seconds for the game, then for each so many moves; 0 0 0 is no limit",
        ),
        GtpCommand(partial(_time_left, host), "time_left COLOUR SECONDS [MOVES]", "set the clock of a side"),
        GtpCommand(
            partial(_all_legal_moves, host),
            "all_legal_moves [COLOUR]",
            "the legal moves of a side",
            analyze="plist/Legal moves/all_legal_moves %c" if host.game.names_squares else "",
        ),
    ]
    if host.game.parse_record:
        commands.append(
            GtpCommand(
                partial(_loadsgf, host),
                "loadsgf FILE [NUMBER]",
                "the position of a file's game, before the move of that number, and how an unclear word was read",
                takes_text=True,
            )
        )
    return commands


def _boardsize(host: GtpHost, arguments: tuple[str, ...]) -> str:
    size = parse_size(arguments)
    if size is None:
        raise CommandError(f"boardsize wants N, or W H; not {echo(' '.join(arguments))}")
    width, height = size
    if min(size) < 1:
        raise CommandError(f"unacceptable size: board sizes begin at 1, not {min(size)}")
    try:
        host.begin(replace(host.position.setup, width=width, height=height, position=""))
    except BadSetup as error:
        raise CommandError(f"unacceptable size: {error}") from None
    return ""


def _clear_board(host: GtpHost, _: tuple[str, ...]) -> str:
    host.clear()
    return ""


def _komi(_: GtpHost, _arguments: tuple[str, ...]) -> str:
    return ""


def _play(host: GtpHost, arguments: tuple[str, ...]) -> str:
    colour, move = arguments
    host.play(host.game.parse_colour(colour), move)
    return ""


def _genmove(host: GtpHost, arguments: tuple[str, ...]) -> str:
    return host.generate(host.game.parse_colour(arguments[0]), plays=True)


def _reg_genmove(host: GtpHost, arguments: tuple[str, ...]) -> str:
    return host.generate(host.game.parse_colour(arguments[0]), plays=False)


def _undo(host: GtpHost, _: tuple[str, ...]) -> str:
    try:
        host.undo()
    except IllegalMove as error:
        raise CommandError(f"cannot undo: {error}") from None
    return ""


def _showboard(host: GtpHost, _: tuple[str, ...]) -> str:
    return f"\n{host.game.show_board(host.position, host.format_move)}"


def _final_score(host: GtpHost, _: tuple[str, ...]) -> str:
    outcome = host.position.outcome()
    if outcome is None:
        return "cannot score"
    return "0" if outcome.winner is None else f"{host.game.colours[outcome.winner][0].upper()}+"


def _time_settings(host: GtpHost, arguments: tuple[str, ...]) -> str:
    main, period, moves = arguments
    times = [parse_seconds("time_settings", text) for text in (main, period)]
    host.clock.set_time(times[0], times[1], parse_moves("time_settings", moves))
    return ""


def _time_left(host: GtpHost, arguments: tuple[str, ...]) -> str:
    colour, seconds, moves = (*arguments, "0") if len(arguments) == 2 else arguments
    side = host.game.parse_colour(colour)
    left_ms = parse_seconds("time_left", seconds.removeprefix("-"))
    host.clock.tell(side, 0 if seconds.startswith("-") else left_ms, parse_moves("time_left", moves))
    return ""


def _all_legal_moves(host: GtpHost, arguments: tuple[str, ...]) -> str:
    side = host.game.parse_colour(arguments[0]) if arguments else None
    return " ".join(host.legal_moves(side))


def _loadsgf(host: GtpHost, arguments: tuple[str, ...]) -> str:
    number = parse_number(arguments[-1]) if len(arguments) > 1 else None
    name = " ".join(arguments if number is None else arguments[:-1])
    assert host.game.parse_record is not None
    record = host.game.parse_record(_read_file(name), host.position.setup)
    if number is not None and number < 1:
        raise CommandError(f"loadsgf counts moves from 1, not {number}")
    host.begin(record.setup, record.plays if number is None else record.plays[: number - 1])
    return record.note


def _read_file(name: str) -> str:
    """The text of a file; raise CommandError. Devices are left alone: a session must not wait for one."""
    path = Path(name)
    try:
        if not path.is_file():
            raise CommandError(f"cannot load file: there is no file {echo(name)}")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CommandError(f"cannot load file: it has more than {MAX_FILE_BYTES} bytes")
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise CommandError(f"cannot load file: {error}") from None


def parse_moves(command: str, text: str) -> int:
    """A number of moves; raise CommandError."""
    number = parse_number(text)
    if number is None or number < 0:
        raise CommandError(f"{command} wants a number of moves, not {echo(text)}")
    return number
