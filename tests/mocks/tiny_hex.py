"""Hex on small boards in plain Python for tests of GTP, with every feature of `GtpGame`: swap, setup, SGF, a solver.

A position is written `b1w/3/3 b`: rows from the top with digits for empty cells, then the side to move. HexGui sets up
positions with `play`, so stones may be placed after the end of the game and, as `w:b2`, out of turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.play.game import FIRST, SECOND, Outcome
from core.play.options import Option, OptionSet
from core.play.player import (
    BadSetup,
    Decision,
    IllegalMove,
    Limits,
    PlayerKind,
    ProgressCallback,
    Setup,
    Solution,
    ignore_progress,
)
from core.play.squares import format_square, parse_square
from core.play.stop import StopToken
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.game import GoguiRules, GtpGame, LoadedGame
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, ScriptedPlayer, wait_for_stop
from tests.mocks.tiny_sgf import parse_sgf
from tests.move_counts import count_sequences

MIN_SIZE, MAX_SIZE = 2, 9
PASS, SWAP = "pass", "swap-pieces"
COLOURS = "bw"
NEIGHBOUR_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1))

Cells = dict[tuple[int, int], int]  # (column, row), both from 0 -> side of the stone


class TinyHex:
    """A position of Hex, as `GtpPosition` of protocols/gtp/game.py.

    In the variant `swap`, the second player may swap pieces after the first move, on a square board that was empty.
    """

    def __init__(self, setup: Setup) -> None:
        for length in (setup.width, setup.height):
            if not MIN_SIZE <= length <= MAX_SIZE:
                raise BadSetup(f"board size must be {MIN_SIZE}..{MAX_SIZE}, not {setup.width}x{setup.height}")
        self.setup = setup
        self.cells: Cells = {}
        self._side = FIRST
        if setup.position:
            self.cells, self._side = parse_rows(setup.position)[2:]
        self._moves: list[str] = []
        self._history: list[tuple[Cells, int]] = []  # cells and side to move before each move

    @property
    def to_move(self) -> int:
        return self._side

    @property
    def moves(self) -> list[str]:
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        if self.outcome():
            return []
        points = [(x, y) for y in range(self.setup.height) for x in range(self.setup.width)]
        free = [format_square(x, y) for x, y in points if (x, y) not in self.cells]
        return [*free, SWAP] if self._may_swap() else free

    def play(self, move: str) -> None:
        cells_before, side = dict(self.cells), self._side
        if move == SWAP:
            if not self._may_swap():
                raise IllegalMove("invalid")
            [(x, y)] = self.cells
            self.cells = {(y, x): self._side}
        else:
            colour, colon, cell = move.rpartition(":")
            side = COLOURS.index(colour) if colon else self._side
            point = parse_square(cell)
            if point is None or point[0] >= self.setup.width or point[1] >= self.setup.height:
                raise IllegalMove("invalid")
            if point in self.cells:
                raise IllegalMove("occupied")
            self.cells[point] = side
        self._history.append((cells_before, self._side))
        self._moves.append(move)
        self._side = 1 - side

    def undo(self) -> None:
        if not self._moves:
            raise IllegalMove("there is no move to take back")
        self._moves.pop()
        self.cells, self._side = self._history.pop()

    def outcome(self) -> Outcome | None:
        winner = next((side for side in (FIRST, SECOND) if self._has_chain(side)), None)
        return None if winner is None else Outcome(winner, "chain")

    def perft(self, depth: int) -> int:
        return count_sequences(self, depth)

    def rows(self, letters: str = ".XO") -> list[str]:
        """Return a line per row, with letters for empty cells and the stones of both sides."""
        return [
            " ".join(letters[self.cells.get((x, y), -1) + 1] for x in range(self.setup.width))
            for y in range(self.setup.height)
        ]

    def board(self) -> str:
        return "\n".join(" " * y + row for y, row in enumerate(self.rows()))

    def position_text(self) -> str:
        rows = "/".join(row.replace(" ", "") for row in self.rows(".bw"))
        return f"{re.sub('[.]+', lambda run: str(len(run[0])), rows)} {COLOURS[self._side]}"

    def _may_swap(self) -> bool:
        is_square_board = self.setup.width == self.setup.height
        return is_square_board and self.setup.variant == "swap" and len(self._moves) == 1 and len(self.cells) == 1

    def _has_chain(self, side: int) -> bool:
        """Return whether a side connects its edges: top and bottom (first), or left and right (second)."""
        last = (self.setup.height, self.setup.width)[side] - 1
        frontier = [point for point, owner in self.cells.items() if owner == side and point[1 - side] == 0]
        seen = set(frontier)
        while frontier:
            x, y = frontier.pop()
            if (y, x)[side] == last:
                return True
            for dx, dy in NEIGHBOUR_STEPS:
                point = (x + dx, y + dy)
                if self.cells.get(point) == side and point not in seen:
                    seen.add(point)
                    frontier.append(point)
        return False


def parse_rows(text: str) -> tuple[int, int, Cells, int]:
    """Return width, height, cells and side to move; raise BadSetup if the text is not a position."""
    rows, _, side = text.partition(" ")
    lines = [re.sub(r"[0-9]", lambda digit: "." * int(digit[0]), row) for row in rows.split("/")]
    if side not in ("b", "w") or len({len(line) for line in lines}) != 1 or set("".join(lines)) - set(".bw"):
        raise BadSetup(f"a position must be like 'b1w/3/3 w', not {text!r}")
    cells = {(x, y): COLOURS.index(c) for y, line in enumerate(lines) for x, c in enumerate(line) if c != "."}
    return len(lines[0]), len(lines), cells, COLOURS.index(side)


def parse_position(text: str, setup: Setup) -> Setup:
    """Return the setup with a position; raise BadSetup if the text is not a position."""
    width, height, *_ = parse_rows(text)
    return replace(setup, width=width, height=height, position=text)


def parse_record(text: str, setup: Setup) -> LoadedGame:
    """Parse a game in SGF: size, stones set up by AB and AW, and moves; raise BadSetup without GM[11] and SZ."""
    root, *nodes = parse_sgf(text)
    if root.get("GM") != ["11"] or "SZ" not in root:
        raise BadSetup("a game of Hex must have GM[11] and SZ")
    width, _, height = root["SZ"][0].partition(":")
    moves = [(name.lower(), node[name][0]) for node in nodes for name in ("B", "W") if name in node]
    start = TinyHex(replace(setup, width=int(width), height=int(height or width), position=""))
    for side, name in enumerate(("AB", "AW")):
        start.cells |= {point: side for cell in root.get(name, []) if (point := parse_square(cell))}
    start._side = SECOND if nodes and "W" in nodes[0] else FIRST
    return LoadedGame(replace(start.setup, position=start.position_text() if start.cells else ""), tuple(moves))


def format_for_side(position: TinyHex, side: int, move: str) -> str:
    """Return a move with the letter of its side if it is out of turn."""
    if position.to_move == side:
        return move
    return f"{COLOURS[side]}:{move}"


def set_side_to_move(position: TinyHex, side: int) -> Setup:
    return replace(position.setup, position=f"{position.position_text()[:-1]}{COLOURS[side]}")


def make_commands(context: GtpContext) -> list[GtpCommand]:
    """Return the commands that the game adds to GTP."""

    def solve_state(arguments: tuple[str, ...]) -> str:
        side = context.game.parse_colour(arguments[0] if arguments else "")
        solution = context.solve(side, Limits(move_time_ms=1000))
        return context.game.colours[side if solution.result == "win" else 1 - side]

    def raise_bug(_: tuple[str, ...]) -> str:
        raise ZeroDivisionError("two\n\nlines")

    return [
        GtpCommand(
            solve_state,
            "dfpn-solve-state COLOUR",
            "the winner",
            slow=True,
            analyze_entry="string/Solve state/dfpn-solve-state %m",
        ),
        GtpCommand(raise_bug, "tiny-bug", "fails by a bug"),
        GtpCommand("\n\n".join, "tiny-text [WORDS]", "the words, separated by empty lines", takes_text=True),
    ]


TINY_HEX = GtpGame(
    title="Hex",
    default_setup=Setup(3, 3, "swap"),
    new_position=TinyHex,
    parse_position=parse_position,
    parse_record=parse_record,
    move_for_side=format_for_side,
    with_side_to_move=set_side_to_move,
    moves_are_squares=True,
    options=(Option("allow_swap", True, "the second player may take over the first stone"),),
    read_options=lambda setup: {"allow_swap": setup.variant == "swap"},
    apply_options=lambda setup, options: replace(setup, variant="swap" if options["allow_swap"] else "plain"),
    max_perft_depth=4,
    gogui=GoguiRules("hex", TinyHex.rows),
)


class SkippingHex(TinyHex):
    """Hex in which the player of `a1` moves again. Moves after the end and passes are illegal.

    `STRICT_HEX` also refuses moves out of turn, as Kolibrat does.
    """

    def play(self, move: str) -> None:
        if self.outcome() or move == PASS:
            raise IllegalMove("the game is over" if self.outcome() else "a pass is not allowed")
        super().play(move)
        if move == "a1":
            self._side = 1 - self._side


STRICT_HEX = GtpGame(
    title="Skip",
    default_setup=Setup(2, 2),
    new_position=SkippingHex,
    colours=("red", "black"),
    skip_word=PASS,
    may_resign=False,
)

OPTIONS = (
    Option("level", 10, "strength", minimum=1, maximum=10),
    Option("book", True, "use an opening book"),
    Option("style", "calm", "playing style", choices=("calm", "wild")),
)


class HexPlayer(ScriptedPlayer):
    """A scripted player. `script` maps the moves of a game (`b2 a1`) to the next move.

    It refuses boards with MAX_SIZE rows.
    """

    def __init__(self, script: dict[str, str] | None = None, think_ms: int = 0) -> None:
        super().__init__(script, think_ms)
        self.options = OptionSet(OPTIONS)
        self.closed = False

    position_class = TinyHex

    def new_game(self, setup: Setup) -> None:
        if setup.height == MAX_SIZE:
            raise BadSetup("this player refuses 9 rows")
        self.setup, self.moves = setup, []
        self.log.append(f"new {setup.width}x{setup.height} {setup.variant} {setup.position}".rstrip())

    def close(self) -> None:
        self.closed = True

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        decision = super().choose(limits, report)
        return replace(decision, progress=self.reports[-1]) if self.reports else decision

    def _first_free(self, exclude: Sequence[str]) -> str:
        answer = self.script.get(" ".join(self.moves))
        return answer or next(move for move in self.position().legal_moves() if move not in exclude)

    def position(self) -> TinyHex:
        position = self.position_class(self.setup)
        for move in self.moves:
            position.play(move)
        return position


class SkippingPlayer(HexPlayer):
    """A player of SkippingHex."""

    position_class = SkippingHex


class UnstoppableHexPlayer(HexPlayer):
    """A player that ignores the stop token."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        return super().choose(replace(limits, stop=StopToken()), report)


class SolvingPlayer(HexPlayer):
    """Solves positions by a full search after waiting `think_ms`; returns no solution if it is stopped meanwhile.

    With UNTIL_STOPPED_MS it fails if it is not stopped.
    """

    def solve(self, limits: Limits) -> Solution:
        self.limits = limits
        self.begun.set()
        time_ms = self.think_ms
        if limits.move_time_ms is not None and time_ms != UNTIL_STOPPED_MS:
            time_ms = min(time_ms, limits.move_time_ms)
        self.was_stopped.append(wait_for_stop(limits, time_ms))
        if self.was_stopped[-1]:
            return Solution()
        if time_ms == UNTIL_STOPPED_MS:
            raise AssertionError("the solver was not stopped")
        return solve(self.position(), {})


def solve(position: TinyHex, solved: dict[str, Solution]) -> Solution:
    """Return the shortest win, or the longest loss. `solved` caches solutions by position."""
    key = f"{position.position_text()} {len(position.moves) == 1}"
    if key not in solved:
        solved[key] = _solve(position, solved)
    return solved[key]


def _solve(position: TinyHex, solved: dict[str, Solution]) -> Solution:
    """Return the solution of a position that is not in `solved` yet, by trying every move."""
    best = Solution("loss", distance=0)
    for move in position.legal_moves():
        position.play(move)
        reply = Solution("loss", distance=0) if position.outcome() else solve(position, solved)
        position.undo()
        distance = (reply.distance or 0) + 1
        result = {"loss": "win", "win": "loss"}[reply.result]
        if result == "win" and (best.result == "loss" or distance < (best.distance or 0)):
            best = Solution("win", move, distance)
        elif result == "loss" and best.result == "loss" and distance > (best.distance or 0):
            best = Solution("loss", move, distance)
    return best


def _build_simple(options: OptionSet) -> HexPlayer:
    player = HexPlayer()
    player.options = options
    return player


KINDS = (
    PlayerKind("scripted", "the first move", lambda _: HexPlayer()),
    PlayerKind("solver", "proves results", lambda _: SolvingPlayer()),
    PlayerKind(
        "simple", "with other options", _build_simple, (Option("depth", 2, "plies", minimum=1, maximum=5), OPTIONS[0])
    ),
)
