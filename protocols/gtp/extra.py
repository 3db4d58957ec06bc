"""Commands that all our games have beyond GTP: positions, counts, results, proofs, the choice of the player."""

from __future__ import annotations

from functools import partial

from core.play.player import Limits, Progress
from protocols.gtp.host import GtpCommand, GtpHost
from protocols.gtp.standard import parse_moves
from protocols.gtp.text import format_thought, parse_seconds
from protocols.text import CommandError, echo

NO_RESULT, DRAW = "none", "draw"


def extra_commands(host: GtpHost) -> list[GtpCommand]:
    """Rows of the command table."""
    commands = [
        GtpCommand(partial(_showposition, host), "showposition", "the position in one line"),
        GtpCommand(partial(_legal_moves, host), "legal_moves", "the legal moves of the side to move"),
        GtpCommand(partial(_perft, host), "perft N", "number of sequences of N legal moves", slow=True),
        GtpCommand(partial(_result, host), "result", f"the winner, {DRAW}, or {NO_RESULT} while the game goes on"),
        GtpCommand(
            partial(_solve, host),
            "solve [SECONDS]",
            "win, loss, draw or unknown for the side to move, then the best move, then its plies where they are proven",
            slow=True,
            analyze="string/Solve/solve",
        ),
        GtpCommand(
            partial(_analyze, host),
            "analyze [COLOUR] [SECONDS]",
            "think without playing: a line for each depth, then the chosen move",
            slow=True,
            analyze="hstring/Analyze/analyze %c",
        ),
        GtpCommand(partial(_last_search, host), "last_search", "what the last search found"),
        GtpCommand(
            partial(_pv, host),
            "pv",
            "the best line of the last search, what is left to play of it",
            analyze="var/Best line/pv",
        ),
        GtpCommand(partial(_player, host), "player [NAME]", "show or choose the player", takes_text=True),
    ]
    if host.game.parse_position:
        usage, text = "set_position POSITION", "begin from a position as showposition writes it"
        commands.append(GtpCommand(partial(_set_position, host), usage, text, takes_text=True))
    return commands


def _set_position(host: GtpHost, arguments: tuple[str, ...]) -> str:
    assert host.game.parse_position is not None
    host.begin(host.game.parse_position(" ".join(arguments), host.position.setup))
    return ""


def _showposition(host: GtpHost, _: tuple[str, ...]) -> str:
    return host.position.position_text()


def _legal_moves(host: GtpHost, _: tuple[str, ...]) -> str:
    return " ".join(host.legal_moves())


def _perft(host: GtpHost, arguments: tuple[str, ...]) -> str:
    depth = parse_moves("perft", arguments[0])
    if depth > host.game.max_perft:
        raise CommandError(f"perft goes to {host.game.max_perft} plies, not {depth}")
    return str(host.count(depth))


def _result(host: GtpHost, _: tuple[str, ...]) -> str:
    outcome = host.position.outcome()
    if outcome is None:
        return NO_RESULT
    return DRAW if outcome.winner is None else host.game.colours[outcome.winner]


def _solve(host: GtpHost, arguments: tuple[str, ...]) -> str:
    solution = host.solve(None, _limits(host, "solve", arguments))
    move = host.format_move(solution.move) if solution.move else ""
    distance = "" if solution.distance is None else str(solution.distance)
    return " ".join(filter(None, (solution.result, move, distance)))


def _analyze(host: GtpHost, arguments: tuple[str, ...]) -> str:
    side = None
    if arguments and arguments[0][0].isalpha():
        side, arguments = host.game.parse_colour(arguments[0]), arguments[1:]
    if len(arguments) > 1:
        raise CommandError(f"analyze [COLOUR] [SECONDS] is wanted, not {echo(' '.join(arguments))}")
    lines: list[str] = []

    def report(progress: Progress) -> None:
        lines.append(_thought(host, progress))

    decision = host.think(side, _limits(host, "analyze", arguments), report)
    return "\n".join([*lines, f"move {host.format_move(decision.move)} {_thought(host, decision.progress)}"])


def _last_search(host: GtpHost, _: tuple[str, ...]) -> str:
    return _thought(host, host.last_progress)


def _pv(host: GtpHost, _: tuple[str, ...]) -> str:
    return " ".join(host.format_move(move) for move in host.last_line.left(host.position))


def _player(host: GtpHost, arguments: tuple[str, ...]) -> str:
    if not arguments:
        return host.chosen.name
    if not host.chosen.kinds:
        raise CommandError("there is no other player")
    host.chosen.choose(" ".join(arguments))
    return ""


def _limits(host: GtpHost, command: str, arguments: tuple[str, ...]) -> Limits:
    """So many seconds, or what a move may take."""
    if arguments:
        return Limits(move_time_ms=parse_seconds(command, arguments[0]))
    return host.limits(host.position.to_move)


def _thought(host: GtpHost, progress: Progress) -> str:
    return format_thought(progress, [host.format_move(move) for move in progress.pv])
