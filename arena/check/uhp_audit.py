"""Comparison of a UHP engine with our rules of Hive, in given positions and in random games.

The legal moves (validmoves) and the state of the game must agree. In random games the state is compared after every
ply, the legal moves every `AuditOptions.every` plies. UHP leaves some things open, and engines differ in them; these
are accepted:
- any order and spelling of the moves, which are compared by tile and target cell;
- a move whose reference is the moving tile, as nokamute writes it; the report has the number of such self-references;
- the state `Draw` at the third or a later occurrence of a position; the game ends there, and validmoves may answer
  anything;
- err or invalidmove as a refusal;
- an error, or an empty line, as the answer to validmoves after the end of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.check.check_list import CheckFailed
from arena.check.uhp_conversation import (
    UhpConversation,
    check_game,
    check_game_moves,
    check_moves,
    is_refusal,
    is_repetition_draw,
    shorten,
)
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, SIDE_TILES, neighbour
from core.play.player import BadSetup, Setup
from core.system.files import read_file
from protocols.driving.process import EngineError

# These numbers were chosen by hand.
MAX_PLIES = 150  # of a random game
REPETITION_SHARE = 0.1  # of the games: from REPETITION_PLY on, both sides move to and fro, which repeats positions
REPETITION_PLY = 24
ATTACK_SHARE = 0.2  # of the turns: a move to a cell beside a queen, if there is one, because else few games would end
POSITIONS_FILE = Path(__file__).parents[1] / "positions" / "hive.txt"


@dataclass(frozen=True)
class AuditOptions:
    """Settings of the audit: the games and positions that it compares."""

    games: int  # number of random games
    seed: int  # of the random moves
    every: int = 1  # plies between two comparisons of the legal moves
    positions: Sequence[str] = ()  # GameStrings
    max_plies: int = MAX_PLIES  # of a random game


@dataclass
class AuditCount:
    """How much of the random games was compared."""

    games: int = 0
    plies: int = 0
    move_lists: int = 0  # answers to validmoves while games ran
    self_references: int = 0  # moves whose reference is the moving tile
    endings: dict[str, int] = field(default_factory=dict)  # number of games by their last state

    def describe(self) -> str:
        """Return the counts as a text for the report."""
        endings = ", ".join(f"{count} {state}" for state, count in sorted(self.endings.items()))
        references = f", {self.self_references} self-references" if self.self_references else ""
        return f"{self.games} games ({endings}), {self.plies} plies, {self.move_lists} lists of moves{references}"


def read_positions(path: Path) -> list[str]:
    """Return the GameStrings of a file; raise BadSetup with the line number if one is wrong.

    A line holds a GameString, which may follow the word `game`. Empty lines, comments (`#`) and lines that begin with
    `perft` or `move` are skipped: the file format has them for expected results, but our rules compute these.
    """
    games = []
    for number, line in enumerate(read_file(path).decode("utf-8", errors="replace").splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#") or word in ("perft", "move"):
            continue
        game = rest if word == "game" else line.strip()
        try:
            games.append(HivePosition.from_game(game).game_string())
        except BadSetup as error:
            raise BadSetup(f"{path}, line {number}: {error}") from None
    if not games:
        raise BadSetup(f"{path}: no position in this file")
    return games


def compare_positions(engine: UhpConversation, games: Iterable[str]) -> int:
    """Load each GameString, compare state and legal moves, and return the number of positions.

    Raise CheckFailed at the first difference.
    """
    count = 0
    for game in games:
        position = engine.load(game)
        if position.outcome() is None:
            engine.expect_moves(position)
        else:
            _check_no_moves(engine.ask("validmoves"), position)
        count += 1
    return count


def play_games(
    engine: UhpConversation, types: Sequence[str], audit: AuditOptions, on_game: Callable[[], None]
) -> AuditCount:
    """Play random games, with the game types in turn, and compare them with our rules; call `on_game` after each.

    Raise CheckFailed at the first difference. Its message names the game.
    """
    tally = AuditCount()
    for number in range(1, audit.games + 1):
        position = HivePosition(Setup(variant=types[(number - 1) % len(types)]))
        try:
            _play_game(engine, position, random.Random(f"{audit.seed}/{number}"), audit, tally)
        except (CheckFailed, EngineError) as failure:
            where = f"game {number} of {audit.games}, {position.setup.variant}, ply {len(position.moves)}"
            game = "" if "\ngame: " in str(failure) else f"\ngame: {position.game_string()}"
            raise CheckFailed(f"{where}: {failure}{game}") from None
        tally.games += 1
        on_game()
    return tally


def _play_game(
    engine: UhpConversation, position: HivePosition, rng: random.Random, audit: AuditOptions, tally: AuditCount
) -> None:
    engine.process.write(f"newgame {position.setup.variant}", "validmoves")
    check_game(engine.read_response("newgame"), position, "newgame")
    tally.self_references += check_moves(engine.read_response("validmoves"), position)
    tally.move_lists += 1
    mover, state = RandomMover(position, rng), ""
    while not state:
        move = mover.choose()
        position.play(move)
        compares_moves = position.outcome() is None and len(position.moves) % audit.every == 0
        engine.process.write(f"play {move}", *(["validmoves"] if compares_moves else []))
        game = check_game(engine.read_response(f"play {move}"), position, f"play {move}")
        tally.plies += 1
        is_drawn = is_repetition_draw(game, position)
        if compares_moves:
            answer = engine.read_response("validmoves")
            tally.self_references += 0 if is_drawn else check_moves(answer, position)
            tally.move_lists += 1
        if is_drawn:
            state = "Draw by repetition"
        elif position.outcome() is not None or len(position.moves) >= audit.max_plies:
            state = position.game_string().split(";")[1]
    tally.endings[state] = tally.endings.get(state, 0) + 1
    _check_end(engine, position, game)


def _check_end(engine: UhpConversation, position: HivePosition, game: str) -> None:
    """Check the final GameString of a game move by move, and that the engine can load it."""
    check_game_moves(game, position)
    check_game(engine.ask(f"newgame {game}"), position, "newgame with the engine's GameString")
    if position.outcome() is not None:
        _check_no_moves(engine.ask("validmoves"), position)


def _check_no_moves(answer: Sequence[str], position: HivePosition) -> None:
    if not is_refusal(answer) and "".join(answer).strip():
        game = f"\ngame: {position.game_string()}"
        raise CheckFailed(f"validmoves after the end was answered by {shorten(answer)}{game}")


class RandomMover:
    """Chooses random moves for both sides, so that games have stacks, surrounded queens and repetitions."""

    def __init__(self, position: HivePosition, rng: random.Random) -> None:
        self._position = position
        self._rng = rng
        self._repeats = rng.random() < REPETITION_SHARE
        self._returns: list[int] = []  # by ply: the code of the move that would take its tile back, 0 for none

    def choose(self) -> str:
        """Return a random move: first a tile, then one of its moves, because most legal moves are those of ants."""
        position, rng = self._position, self._rng
        codes = position.legal_numbers()
        near_queens = self._cells_near_queens()
        attacks = [code for code in codes if code != PASS and code % CELLS in near_queens]
        if self._repeats and len(self._returns) > REPETITION_PLY and self._returns[-2] in codes:
            codes = self._returns[-2:-1]
        elif attacks and rng.random() < ATTACK_SHARE:
            codes = attacks
        tile = rng.choice(sorted({code >> MOVE_SHIFT for code in codes}))
        code = rng.choice([code for code in codes if code >> MOVE_SHIFT == tile])
        origin = -1 if code == PASS else position.state.tile_cell[tile - 1]
        self._returns.append(tile << MOVE_SHIFT | origin if origin >= 0 else 0)
        return position.format(code)

    def _cells_near_queens(self) -> set[int]:
        queen_cells = [self._position.state.tile_cell[queen] for queen in (0, SIDE_TILES)]  # of white and black
        return {neighbour(cell, direction) for cell in queen_cells if cell >= 0 for direction in range(6)}
