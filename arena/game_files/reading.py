"""Read the games of a file in any format that Pentad knows, and find out which game they are of.

Piskvorky 15x15, 11:11, 0      Piskvork's record of Gomoku (.psq)
(;FF[4]GM[11]SZ[11]...)        SGF of Gomoku, Hex or Hive, see arena/game_files/sgf.py
Base;InProgress;White[3];...   a Hive GameString, one per line
# hex swap 11x11: A against B  the title of our own records, above the moves
h8i9g7                         moves alone; the game is the one in which they are legal
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.engines.gtp import find_gtp_game
from arena.errors import UsageError
from arena.game_files.sgf import is_sgf, read_sgf
from arena.game_files.stored_game import MAX_QUOTED, GameFileError, StoredGame, play_moves
from arena.terms.arguments import choose_setup, find_game, list_games
from core.play.game import Game
from core.play.player import BadSetup, IllegalMove, Setup
from core.play.squares import format_square
from protocols.text import clean_text

_PSQ_TITLE = re.compile(r"^\s*Piskvorky\s+(\d{1,3})x(\d{1,3})", re.MULTILINE)
_PSQ_MOVE = re.compile(r"(\d{1,3}),(\d{1,3}),-?\d+")
_PSQ_CODE = re.compile(r"-?\d{1,3}")  # result, before or after the names
_PSQ_RULE = re.compile(r"\d+,\s*(\w+)")  # such as `2,Freestyle`, from other managers
_GAME_STRING = re.compile(r"base(\+[mlp]{1,3})?\s*;", re.IGNORECASE)
_TITLE = re.compile(r"#\s*([a-z-]+) (\S{1,20}?)(?: (\d{1,3})x(\d{1,3}))?:\s*(.*)")
_START = re.compile(r"#\s*from (.+)")
_PLAYERS = re.compile(r"(.+?) against (.+?)(?:; (.*))?")
_JOINED_SQUARES = re.compile(r"(?:[a-zA-Z][0-9]{1,2}){2,}(?:\s+(?:[a-zA-Z][0-9]{1,2})+)*")


@dataclass(frozen=True)
class ReadingOptions:
    """What the user says about games whose files do not say it."""

    game: Game | None = None
    size: int | None = None
    rule: str | None = None

    def setup(self, name: str) -> Setup:
        """Return the setup of a game by name, with size and rule as given; raise GameFileError."""
        try:
            return choose_setup(find_game(name), self.size, self.rule)
        except UsageError as error:
            raise GameFileError(str(error)) from None


def read_games(text: str, options: ReadingOptions = ReadingOptions()) -> list[StoredGame]:
    """Return the games of a text, at least one; raise GameFileError if there is none, or if it is of another game."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    games = [game for game in _iter_games(text, options) if game.moves or game.problem]
    if not games:
        raise GameFileError("there is no game in the text")
    wrong = next((game for game in games if options.game and game.game.name != options.game.name), None)
    if wrong is not None:
        raise GameFileError(f"the file holds a game of {wrong.game.title}, not of {options.game.title}")  # type: ignore[union-attr]
    return games


def _iter_games(text: str, options: ReadingOptions) -> Iterator[StoredGame]:
    if _PSQ_TITLE.match(text):
        yield from (_read_psq(part, options) for part in _split_before(_PSQ_TITLE, text))
    elif is_sgf(text):
        yield from read_sgf(text, options.setup)
    else:
        for block in _split_blocks(text):
            yield from _read_block(block, options)


def _split_before(pattern: re.Pattern[str], text: str) -> list[str]:
    starts = [match.start() for match in pattern.finditer(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _read_psq(text: str, options: ReadingOptions) -> StoredGame:
    """Read a Piskvork record: moves `x,y,milliseconds` counted from 1, then names and a result code."""
    title = _PSQ_TITLE.match(text)
    assert title is not None
    game = find_game("gomoku")
    try:
        setup = game.check_setup(replace(options.setup("gomoku"), width=int(title[1]), height=int(title[2])))
    except BadSetup as error:
        raise GameFileError(str(error)) from None
    lines = [line.strip() for line in text.splitlines()[1:]]
    moves = []
    for line in lines:
        if not _PSQ_MOVE.fullmatch(line):
            break
        moves.append(line)
    problem = _find_bad_line(lines[len(moves) :], len(moves))
    rest = [line for line in lines[len(moves) :] if line and not _PSQ_CODE.fullmatch(line)]
    rules = [match[1].lower() for line in rest if (match := _PSQ_RULE.fullmatch(line))]
    names = [*(line for line in rest if not _PSQ_RULE.fullmatch(line)), "", ""]
    if options.rule is None and rules and rules[0] in game.variants:
        setup = replace(setup, variant=rules[0])
    position = game.new_position(setup)
    problem = play_moves(position, moves, lambda line: position.play(_read_psq_move(line))) or problem
    note = "" if rules or options.rule else f"the file does not name its rule: read as {setup.variant}"
    return StoredGame(game, setup, tuple(position.moves), (names[0], names[1]), note=note, problem=problem)


def _find_bad_line(lines: Sequence[str], moves: int) -> str:
    """Return what is wrong if the line after the moves of a Piskvork record looks like another move; else no text."""
    line = lines[0] if lines else ""
    if "," in line and re.fullmatch(r"[-\d,.\s]+", line):
        return f"move {moves + 1}, {clean_text(line, MAX_QUOTED)!r}: expected x,y,milliseconds"
    return ""


def _read_psq_move(line: str) -> str:
    x, y = (int(part) for part in line.split(",")[:2])
    if not (1 <= x <= 26 and y >= 1):
        raise IllegalMove("the square must be 1,1 or above and on the board")
    return format_square(x - 1, y - 1)


def _split_blocks(text: str) -> list[list[str]]:
    """Split into blocks of lines: at empty lines, and before each title of our own records."""
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, text.splitlines()):
        if not line or _TITLE.fullmatch(line):
            blocks.append([])
        if line:
            blocks[-1].append(line)
    return [block for block in blocks if any(not line.startswith("#") for line in block)]


def _read_block(lines: Sequence[str], options: ReadingOptions) -> Iterator[StoredGame]:
    """Yield the game of a block, or one game per line if its lines are GameStrings or games of their own."""
    moves = [line for line in lines if not line.startswith("#")]
    if any(map(_GAME_STRING.match, moves)):
        title = next((match for line in lines if (match := _TITLE.fullmatch(line))), None)
        stored = [_read_line(line, find_game("hive"), options.setup("hive")) for line in moves]
        yield from (_with_players(game, title) for game in stored)
        return
    title = next((match for line in lines if (match := _TITLE.fullmatch(line))), None)
    start = next((match[1] for line in lines if (match := _START.fullmatch(line))), "")
    if title is not None:
        yield _read_titled(title, start, " ".join(moves), options)
        return
    whole = _read_candidates(" ".join(moves), options)
    if len(moves) > 1 and whole.problem:
        apart = [_read_candidates(line, options) for line in moves]
        if not any(game.problem for game in apart):
            yield from apart
            return
    yield whole


def _read_titled(title: re.Match[str], start: str, line: str, options: ReadingOptions) -> StoredGame:
    try:
        game = find_game(title[1])
        known = options.setup(game.name) if options.size else game.default_setup
        setup = replace(known, variant=title[2])
        if title[3]:
            setup = replace(setup, width=int(title[3]), height=int(title[4]))
        if start:
            parse = find_gtp_game(game).parse_position if game.protocol == "gtp" else None
            if parse is None:
                raise GameFileError(f"{game.title} always begins from its own start position")
            setup = parse(start.strip(), setup)
        setup = game.check_setup(setup)
    except (UsageError, BadSetup) as error:
        raise GameFileError(str(error)) from None
    return _with_players(_read_line(line, game, setup), title)


def _with_players(stored: StoredGame, title: re.Match[str] | None) -> StoredGame:
    """Return the game with the players and the result of a title."""
    match = _PLAYERS.fullmatch(title[5]) if title else None
    return replace(stored, players=(match[1], match[2]), result=match[3] or "") if match else stored


def _read_candidates(line: str, options: ReadingOptions) -> StoredGame:
    """Read moves as the game that was given, or else as the one game in which the most of them are legal.

    Squares without blanks between them are a game of Gomoku: so its opening files have them.
    """
    if options.game is not None:
        return _read_line(line, options.game, options.setup(options.game.name))
    if _JOINED_SQUARES.fullmatch(line):
        return _read_line(line, find_game("gomoku"), options.setup("gomoku"))
    found: list[StoredGame] = []
    for name, game in list_games().items():
        try:
            found.append(_read_line(line, game, options.setup(name)))
        except GameFileError:  # the text is not in that game's notation, or the size is not one of its sizes
            continue
    most = max((len(stored.moves) for stored in found), default=0)
    if not most:
        raise GameFileError(f"no game that Pentad knows begins with {clean_text(line, MAX_QUOTED)!r}")
    best = [stored for stored in found if len(stored.moves) == most and not stored.problem] or [
        stored for stored in found if len(stored.moves) == most
    ]
    if len(best) > 1:
        names = " or ".join(stored.game.name for stored in best)
        raise GameFileError(f"the moves fit {names}: name the game with --game")
    return best[0]


def _read_line(line: str, game: Game, setup: Setup) -> StoredGame:
    """Read moves in the notation of opening files; raise GameFileError if the text is not in that notation."""
    try:
        setup = game.setup_of_opening(line) or setup
        position = game.new_position(setup)
    except (BadSetup, IllegalMove) as error:
        raise GameFileError(str(error)) from None
    problem = play_moves(position, _split(game, line, setup))
    if not position.moves:
        raise GameFileError(problem or "there is no move in the text")
    return StoredGame(game, setup, tuple(position.moves), problem=problem)


def _split(game: Game, line: str, setup: Setup) -> Iterable[str]:
    """Split a line into moves without a check of their legality."""
    try:
        return game.parse_opening(line, setup)
    except BadSetup as error:
        separator = _SEPARATORS.get(game.protocol)
        if separator is None:
            raise GameFileError(str(error)) from None
        return [move for move in map(str.strip, separator(line)) if move]


# A whole game may have what an opening may not, such as a swap, or a move outside the board.
_SEPARATORS: Mapping[str, Callable[[str], list[str]]] = {
    "gtp": str.split,
    "gomocup": lambda line: re.sub(r"([0-9])(?=[a-zA-Z])", r"\1 ", line).split(),
    "uhp": lambda line: line.split(";")[3 if _GAME_STRING.match(line) else 0 :],
}
