"""Random games of a UHP engine in lock step with our rules: legal moves and state are compared after every ply.

What does not count as a disagreement, because engines are known to differ and the protocol leaves it open:
- the order of the moves and the spelling of each: moves are compared by tile and cell;
- a move written with the moving tile as its own reference, as nokamute does; such moves are counted and told;
- `Draw` where the position stands for the third time or more: the game ends there;
- whether a refusal says err or invalidmove;
- what validmoves says when the game is over: an error, or an empty line.
Everything else does, also a Draw too early.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.check.check_list import CheckFailed
from arena.check.uhp_talk import (
    UhpTalk,
    check_game,
    check_moves,
    check_spelling,
    is_refusal,
    is_repetition_draw,
    shorten,
)
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, SIDE_TILES, neighbour
from core.play.player import BadSetup, Setup
from core.system.files import read_file
from protocols.driving.process import EngineError

MAX_PLIES = 150  # of a random game
GOING_BACK_SHARE = 0.1  # of the games, in which both sides move to and fro after the plies below
GOING_BACK_PLIES = 24
ATTACK_SHARE = 0.2  # of the turns go beside a queen where they can, or few games would end
POSITIONS_FILE = Path(__file__).parents[1] / "positions" / "hive.txt"


@dataclass(frozen=True)
class AuditOptions:
    """What is to be compared: `every` says at which plies the legal moves are."""

    games: int
    seed: int
    every: int = 1
    positions: Sequence[str] = ()  # GameStrings
    max_plies: int = MAX_PLIES


@dataclass
class AuditCount:
    """What was compared."""

    games: int = 0
    plies: int = 0
    moves: int = 0  # plies at which the legal moves were compared
    self_references: int = 0
    endings: dict[str, int] = field(default_factory=dict)

    def describe(self) -> str:
        """For a person."""
        ends = ", ".join(f"{count} {state}" for state, count in sorted(self.endings.items()))
        own = f", {self.self_references} self-references" if self.self_references else ""
        return f"{self.games} games ({ends}), {self.plies} plies, {self.moves} lists of moves{own}"


def read_positions(path: Path) -> list[str]:
    """The GameStrings of a file, one a line, maybe after the word `game`; raise BadSetup naming the line.

    Blank lines, lines from `#` on and lines that begin with `perft` or `move` are passed over: our own rules know.
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


def compare_positions(engine: UhpTalk, games: Iterable[str]) -> int:
    """Load each game and compare state and legal moves; raise CheckFailed at the first that differs."""
    count = 0
    for game in games:
        position = engine.load(game)
        if position.outcome() is None:
            engine.expect_moves(position)
        else:
            _check_no_moves(engine.ask("validmoves"), position)
        count += 1
    return count


def play_games(engine: UhpTalk, types: Sequence[str], audit: AuditOptions, on_game: Callable[[], None]) -> AuditCount:
    """Play random games over the types in turn; raise CheckFailed, naming the game, at the first that differs."""
    tally = AuditCount()
    for number in range(1, audit.games + 1):
        position = HivePosition(Setup(variant=types[(number - 1) % len(types)]))
        try:
            _play_game(engine, position, random.Random(f"{audit.seed}/{number}"), audit, tally)
        except (CheckFailed, EngineError) as failure:
            place = f"game {number} of {audit.games}, {position.setup.variant}, ply {len(position.moves)}"
            game = "" if "\ngame: " in str(failure) else f"\ngame: {position.game_string()}"
            raise CheckFailed(f"{place}: {failure}{game}") from None
        tally.games += 1
        on_game()
    return tally


def _play_game(
    engine: UhpTalk, position: HivePosition, chance: random.Random, audit: AuditOptions, tally: AuditCount
) -> None:
    engine.process.write(f"newgame {position.setup.variant}", "validmoves")
    check_game(engine.read_reply("newgame"), position, "newgame")
    tally.self_references += check_moves(engine.read_reply("validmoves"), position)
    tally.moves += 1
    mover, state = RandomMover(position, chance), ""
    while not state:
        move = mover.choose()
        position.play(move)
        is_due = position.outcome() is None and len(position.moves) % audit.every == 0
        engine.process.write(f"play {move}", *(["validmoves"] if is_due else []))
        game = check_game(engine.read_reply(f"play {move}"), position, f"play {move}")
        tally.plies += 1
        is_drawn = is_repetition_draw(game, position)
        if is_due:
            answer = engine.read_reply("validmoves")
            tally.self_references += 0 if is_drawn else check_moves(answer, position)
            tally.moves += 1
        if is_drawn:
            state = "Draw by repetition"
        elif position.outcome() is not None or len(position.moves) >= audit.max_plies:
            state = position.game_string().split(";")[1]
    tally.endings[state] = tally.endings.get(state, 0) + 1
    _check_end(engine, position, game)


def _check_end(engine: UhpTalk, position: HivePosition, game: str) -> None:
    """What the engine wrote of the game is the game, and it takes its own writing back."""
    check_spelling(game, position)
    check_game(engine.ask(f"newgame {game}"), position, "newgame with its own GameString")
    if position.outcome() is not None:
        _check_no_moves(engine.ask("validmoves"), position)


def _check_no_moves(answer: Sequence[str], position: HivePosition) -> None:
    if not is_refusal(answer) and "".join(answer).strip():
        game = f"\ngame: {position.game_string()}"
        raise CheckFailed(f"validmoves after the end was answered by {shorten(answer)}{game}")


class RandomMover:
    """Chooses moves for both sides, so that a game sees stacks, throws, surrounded queens and repetitions."""

    def __init__(self, position: HivePosition, chance: random.Random) -> None:
        self._position = position
        self._chance = chance
        self._goes_back = chance.random() < GOING_BACK_SHARE
        self._returns: list[int] = []  # for each ply the move that would take its tile back

    def choose(self) -> str:
        """A tile by chance, then one of its moves: by moves alone the ants would do nearly all the walking."""
        position, chance = self._position, self._chance
        numbers = position.legal_numbers()
        near_queens = self._cells_near_queens()
        beside = [number for number in numbers if number != PASS and number % CELLS in near_queens]
        if self._goes_back and len(self._returns) > GOING_BACK_PLIES and self._returns[-2] in numbers:
            numbers = self._returns[-2:-1]
        elif beside and chance.random() < ATTACK_SHARE:
            numbers = beside
        tile = chance.choice(sorted({number >> MOVE_SHIFT for number in numbers}))
        number = chance.choice([number for number in numbers if number >> MOVE_SHIFT == tile])
        origin = -1 if number == PASS else position.state.tile_cell[tile - 1]
        self._returns.append(tile << MOVE_SHIFT | origin if origin >= 0 else 0)
        return position.format(number)

    def _cells_near_queens(self) -> set[int]:
        queens = [self._position.state.tile_cell[queen] for queen in (0, SIDE_TILES)]
        return {neighbour(queen, side) for queen in queens if queen >= 0 for side in range(6)}
