"""GTP commands that all our engines add to the standard: positions, perft, results, solving, analysis, players."""

from __future__ import annotations

from functools import partial

from core.play.player import Limits, Progress
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.standard_commands import parse_moves
from protocols.gtp.text import format_search_info, parse_seconds
from protocols.text import CommandError, quote_argument

NO_RESULT, DRAW = "none", "draw"  # answers of `result` besides the winner's colour; NO_RESULT: the game goes on


def extension_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the extension commands of a session; `set_position` only if the game can read positions."""
    commands = [
        GtpCommand(partial(_showposition, context), "showposition", "the position in one line"),
        GtpCommand(partial(_legal_moves, context), "legal_moves", "the legal moves of the side to move"),
        GtpCommand(partial(_perft, context), "perft N", "number of sequences of N legal moves", slow=True),
        GtpCommand(partial(_result, context), "result", f"the winner, {DRAW}, or {NO_RESULT} while the game goes on"),
        GtpCommand(
            partial(_solve, context),
            "solve [SECONDS]",
            "win, loss, draw or unknown for the side to move, then the best move and the plies to the end if known",
            slow=True,
            analyze_entry="string/Solve/solve",
        ),
        GtpCommand(
            partial(_analyze, context),
            "analyze [COLOUR] [SECONDS]",
            "search without playing: a line for each depth, then the chosen move",
            slow=True,
            analyze_entry="hstring/Analyze/analyze %c",
        ),
        GtpCommand(
            partial(_last_search, context), "last_search", "depth, score, nodes, time and PV of the last search"
        ),
        GtpCommand(
            partial(_pv, context),
            "pv",
            "the moves of the last search's principal variation that are not played yet",
            analyze_entry="var/Best line/pv",
        ),
        GtpCommand(partial(_player, context), "player [NAME]", "show or choose the player", takes_text=True),
    ]
    if context.game.parse_position:
        usage, help_text = "set_position POSITION", "begin from a position in the format of showposition"
        commands.append(GtpCommand(partial(_set_position, context), usage, help_text, takes_text=True))
    return commands


def _set_position(context: GtpContext, arguments: tuple[str, ...]) -> str:
    assert context.game.parse_position is not None
    context.begin(context.game.parse_position(" ".join(arguments), context.next_setup()))
    return ""


def _showposition(context: GtpContext, _: tuple[str, ...]) -> str:
    return context.position.position_text()


def _legal_moves(context: GtpContext, _: tuple[str, ...]) -> str:
    return " ".join(context.legal_moves())


def _perft(context: GtpContext, arguments: tuple[str, ...]) -> str:
    depth = parse_moves("perft", arguments[0])
    if depth > context.game.max_perft_depth:
        raise CommandError(f"perft depth must be at most {context.game.max_perft_depth} plies, not {depth}")
    return str(context.perft(depth))


def _result(context: GtpContext, _: tuple[str, ...]) -> str:
    outcome = context.position.outcome()
    if outcome is None:
        return NO_RESULT
    return DRAW if outcome.winner is None else context.game.colours[outcome.winner]


def _solve(context: GtpContext, arguments: tuple[str, ...]) -> str:
    solution = context.solve(None, _limits(context, "solve", arguments))
    move = context.format_move(solution.move) if solution.move else ""
    distance = "" if solution.distance is None else str(solution.distance)
    return " ".join(filter(None, (solution.result, move, distance)))


def _analyze(context: GtpContext, arguments: tuple[str, ...]) -> str:
    side = None
    if arguments and arguments[0][0].isalpha():
        side, arguments = context.game.parse_colour(arguments[0]), arguments[1:]
    if len(arguments) > 1:
        raise CommandError(f"analyze arguments must be [COLOUR] [SECONDS], not {quote_argument(' '.join(arguments))}")
    lines: list[str] = []

    def report(progress: Progress) -> None:
        lines.append(_format_progress(context, progress))

    decision = context.search(side, _limits(context, "analyze", arguments), report)
    return "\n".join(
        [*lines, f"move {context.format_move(decision.move)} {_format_progress(context, decision.progress)}"]
    )


def _last_search(context: GtpContext, _: tuple[str, ...]) -> str:
    return _format_progress(context, context.last_progress)


def _pv(context: GtpContext, _: tuple[str, ...]) -> str:
    return " ".join(context.format_move(move) for move in context.last_pv.remaining(context.position))


def _player(context: GtpContext, arguments: tuple[str, ...]) -> str:
    if not arguments:
        return context.session_player.name
    if not context.session_player.kinds:
        raise CommandError("there is no other player")
    context.session_player.choose(" ".join(arguments))
    return ""


def _limits(context: GtpContext, command: str, arguments: tuple[str, ...]) -> Limits:
    """Return the limit that the argument gives in seconds; without an argument, the limits of a move."""
    if arguments:
        return Limits(move_time_ms=parse_seconds(command, arguments[0]))
    return context.limits(context.position.to_move)


def _format_progress(context: GtpContext, progress: Progress) -> str:
    return format_search_info(progress, [context.format_move(move) for move in progress.pv])
