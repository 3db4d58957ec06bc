"""A UHP engine that plays the first legal move of Hive. Switches `NAME=VALUE` make it misbehave:

omit=PLY      leaves out the last legal move from this ply on
draws=PLY     calls the game drawn from this ply on
repeats=1     calls the third occurrence of a position a draw, and then answers validmoves by an empty line
selfish=1     uses the moving tile as reference if the target is an empty cell beside its own (as nokamute does)
dies=N        exits with status 3 instead of answering line N (from 1)
hangs=N       sleeps for a minute before it answers line N (from 1)
forgets=1     takes a move back after each move that it refuses
plays=1       plays the move that bestmove returns
strict=1      refuses to load a game with moves that its state or turn does not fit
"""

from __future__ import annotations

import sys
import time

from bots.hive.board_player import BoardPlayer
from bots.hive.notation import MoveText, format_move, parse_game
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, neighbour
from core.play.game import Outcome
from core.play.options import Option, OptionSet
from core.play.player import BadSetup, Decision, Limits, ProgressCallback, Setup, ignore_progress
from protocols.uhp.session import UhpGame, UhpSession

SWITCHES = dict(  # name -> value
    argument.partition("=")[::2] for argument in sys.argv[1:]
)
NEVER_PLY = 10_000  # beyond the end of any test game
OPTIONS = (Option("level", 10, "strength", minimum=1, maximum=10), Option("book", True, "use an opening book"))
FALSE_DRAW = Outcome(None, "false draw")


class MisbehavingPosition(HivePosition):
    """The position of the engine's session, wrong in the way that the switches say."""

    def legal_moves(self) -> list[str]:
        moves = [self._format_code(code) for code in self.legal_numbers()] if self.outcome() is None else []
        return moves[:-1] if len(self.moves) >= int(SWITCHES.get("omit", NEVER_PLY)) else moves

    def outcome(self) -> Outcome | None:
        is_drawn = len(self.moves) >= int(SWITCHES.get("draws", NEVER_PLY)) or self._is_repeated()
        return FALSE_DRAW if is_drawn else super().outcome()

    def game_string(self) -> str:
        is_drawn = self.outcome() == FALSE_DRAW
        return super().game_string().replace("InProgress", "Draw" if is_drawn else "InProgress")

    def _is_repeated(self) -> bool:
        return "repeats" in SWITCHES and self.repetitions() >= 3

    def _format_code(self, code: int) -> str:
        """Return a move as text; `code` holds its tile and target cell. The switch `selfish` changes its reference."""
        tile, cell = (code >> MOVE_SHIFT) - 1, code % CELLS
        origin = -1 if code == PASS else int(self.state.tile_cell[tile])  # cell of the tile, negative without one
        directions = [direction for direction in range(6) if origin >= 0 and neighbour(origin, direction) == cell]
        if "selfish" not in SWITCHES or not directions or self.state.height[cell]:
            return self.format(code)
        return format_move(MoveText(tile, tile, directions[0]))


def load(text: str) -> MisbehavingPosition:
    """Return the position after a GameString, as `HivePosition.from_game` does."""
    variant, moves = parse_game(text)
    position = MisbehavingPosition(Setup(variant=variant))
    for move in moves:
        position.play(move)
    if "strict" in SWITCHES and moves and text.split(";")[:3] != position.game_string().split(";")[:3]:
        raise BadSetup("state and turn do not fit the moves")
    return position


class FirstMover(BoardPlayer):
    """A player that plays the first legal move."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        return Decision(self.position.legal_moves()[0])


def main() -> None:
    answers: list[str] = []
    is_muted = False

    def write(line: str) -> None:
        answers.append(line)
        if not is_muted:
            print(line, flush=True)

    rules = UhpGame(load, ("Mosquito", "Ladybug", "Pillbug"))
    session = UhpSession(FirstMover(OptionSet(OPTIONS)), rules, write, name="Mock Hive", version="1.0", threaded=False)
    for number, line in enumerate(sys.stdin, 1):
        if SWITCHES.get("dies") == str(number):
            sys.exit(3)
        if SWITCHES.get("hangs") == str(number):
            time.sleep(60)
        answers.clear()
        if not session.handle(line):
            return
        is_muted = True
        for hidden in list_hidden_commands(line, answers):
            session.handle(hidden)
        is_muted = False


def list_hidden_commands(line: str, answers: list[str]) -> list[str]:
    """Return commands that the session executes after a line, with its output suppressed, to change the game."""
    if "forgets" in SWITCHES and answers[:1] and answers[0].startswith("invalidmove"):
        return ["undo"]
    if "plays" in SWITCHES and line.startswith("bestmove") and not answers[0].startswith("err"):
        return [f"play {answers[0]}"]
    return []


if __name__ == "__main__":
    main()
