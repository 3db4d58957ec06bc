"""The Python face of Hive's rules: one board that bots, referee and tests share. The rules themselves are kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.hive.notation import (
    TILE_NAMES,
    MoveText,
    check_setup,
    format_move,
    format_turn,
    parse_game,
    parse_move,
    parse_variant,
)
from bots.hive.tiles import (
    BLACK_WINS,
    CELLS,
    DRAW,
    KINDS,
    MAX_PERFT,
    MAX_PLIES,
    MOVE_SHIFT,
    ORIGIN,
    PASS,
    SIDE_TILES,
    WHITE_WINS,
    neighbour,
)
from core.play.board import BoardPosition
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import BadSetup, IllegalMove, Setup

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive, Kernels

_OUTCOMES = {
    WHITE_WINS: Outcome(FIRST, "queen surrounded"),
    BLACK_WINS: Outcome(SECOND, "queen surrounded"),
    DRAW: Outcome(None, "both queens surrounded"),
}
_STATES = {0: "InProgress", WHITE_WINS: "WhiteWins", BLACK_WINS: "BlackWins", DRAW: "Draw"}
_MOST_PLIES = MAX_PLIES - 256  # of a game; the others are for searching on from its last move


class HivePosition(BoardPosition):
    """A game in progress; white moves first."""

    game, state_type, max_perft_depth = "hive", "Hive", MAX_PERFT
    library: Kernels
    state: Hive

    @staticmethod
    def from_game(text: str) -> HivePosition:
        """The position at the end of a GameString; raise BadSetup, naming the move where one is illegal."""
        variant, moves = parse_game(text)
        position = HivePosition(Setup(variant=variant))
        for number, move in enumerate(moves, 1):
            try:
                position.play(move)
            except IllegalMove as error:
                raise BadSetup(f"move {number} of the game: {error}") from None
        return position

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        self.library.setup(self.state, parse_variant(self.setup.variant))
        self._keys = [self.library.repetition_key(self.state)]

    def parse(self, text: str) -> int:
        """The kernels' number of a move that is well written, legal or not; raise IllegalMove where it names no place.

        Every spelling of a target gives the same number.
        """
        move = parse_move(text)
        if move.tile is None:
            return PASS
        if move.reference is None:
            if self.state.ply:
                raise IllegalMove(f"{text} is illegal: only the first move of a game goes without a reference")
            return self._number(move.tile, ORIGIN)
        cell = self.state.tile_cell[move.reference]
        if cell < 0:
            raise IllegalMove(f"{text} is illegal: {TILE_NAMES[move.reference]} is not in play")
        if move.direction is not None:
            cell = neighbour(cell, move.direction)
            if self.state.height[cell]:
                top = TILE_NAMES[self.state.top[cell]]
                raise IllegalMove(f"{text} is illegal: the cell is occupied; on top of it is written {top}")
        elif self.state.top[cell] != move.reference:
            raise IllegalMove(f"{text} is illegal: {TILE_NAMES[move.reference]} is covered")
        return self._number(move.tile, cell)

    def format(self, number: int) -> str:
        """A legal move as text. The reference is a top tile beside the target, never the tile that moves."""
        if number == PASS:
            return format_move(MoveText(None))
        tile, cell = (number >> MOVE_SHIFT) - 1, number % CELLS
        state = self.state
        if not state.ply:
            return format_move(MoveText(tile))
        if state.height[cell]:
            return format_move(MoveText(tile, state.top[cell]))
        for direction in reversed(range(6)):  # from the reference to the target, in the order of the reference engine
            reference = state.top[neighbour(cell, (direction + 3) % 6)]
            if reference == tile:
                reference = state.tile_below[tile]
            if reference >= 0:
                return format_move(MoveText(tile, reference, direction))
        raise ValueError(f"move {number} leads away from the hive")

    def copy_keys_to_state(self) -> None:
        """Tell the record the positions that have occurred, which a search takes for draws when they come again."""
        self.state.path_keys[: len(self._keys)] = self._keys

    def legal_numbers(self) -> list[int]:
        """All legal moves: placements first, `pass` where there is no other, none where the game is over."""
        count = self.library.list_legal(self.state)
        return list(self.state.lists[0][:count])

    def play(self, move: str) -> None:
        """Play a move in any spelling; raise IllegalMove with the reason."""
        if self.state.result:
            raise IllegalMove(f"{move} is illegal: the game is over")
        super().play(move)
        self._keys.append(self.library.repetition_key(self.state))

    def undo(self) -> None:
        """Take the last move back."""
        super().undo()
        self._keys.pop()

    def outcome(self) -> Outcome | None:
        """A surrounded queen, or both. A repetition ends nothing by itself: see `repetitions`."""
        return _OUTCOMES.get(self.state.result)

    def decided_by(self) -> list[str]:
        """The surrounded queens, which lose; a beetle may sit on one. None while the game goes on."""
        losses = BLACK_WINS, WHITE_WINS  # of white and of black; a draw is both
        return [TILE_NAMES[side * SIDE_TILES] for side in (FIRST, SECOND) if self.state.result & losses[side]]

    def repetitions(self) -> int:
        """How often the present position, side to move included, has occurred; a referee may call the third a draw."""
        return self._keys.count(self._keys[-1])

    def game_string(self) -> str:
        """The game so far in one line, as UHP has it."""
        state = _STATES[self.state.result] if self._moves else "NotStarted"
        return ";".join([self.setup.variant, state, format_turn(len(self._moves)), *self._moves])

    def stacks(self) -> dict[tuple[int, int], list[int]]:
        """The tiles of each occupied cell from the ground up, by axial coordinates relative to some tile in play."""
        cells = {int(cell) for cell in self.state.tile_cell if cell >= 0}
        found: dict[tuple[int, int], int] = {}
        waiting = [((0, 0), min(cells))] if cells else []
        while waiting:
            (q, r), cell = waiting.pop()
            if cell not in cells:
                continue
            cells.remove(cell)
            found[q, r] = cell
            for direction, (dq, dr) in enumerate(((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))):
                waiting.append(((q + dq, r + dr), neighbour(cell, direction)))
        return {point: self._stack(cell) for point, cell in found.items()}

    def board(self) -> str:
        """Rows from the top, each half a cell further right, the top tile of each cell; `+` marks a stack."""
        stacks = self.stacks()
        if not stacks:
            return "(empty)"
        left = min(2 * q + r for q, r in stacks)
        rows = []
        for r in range(min(r for _, r in stacks), max(r for _, r in stacks) + 1):
            row = ""
            for q in sorted(q for q, row_of in stacks if row_of == r):
                tiles = stacks[q, r]
                column = 3 * (2 * q + r - left)
                row = row.ljust(column) + TILE_NAMES[tiles[-1]] + ("+" if len(tiles) > 1 else "")
            rows.append(row)
        return "\n".join(rows)

    def _stack(self, cell: int) -> list[int]:
        tiles = [self.state.top[cell]]
        while self.state.tile_below[tiles[0]] >= 0:
            tiles.insert(0, self.state.tile_below[tiles[0]])
        return tiles

    def _number(self, tile: int, cell: int) -> int:
        return (tile + 1) << MOVE_SHIFT | cell

    def _is_legal(self, number: int) -> bool:
        return self.state.ply < _MOST_PLIES and super()._is_legal(number)

    def _reason(self, number: int) -> str:
        if self.state.ply >= _MOST_PLIES:
            return f"a game has at most {_MOST_PLIES} plies"
        if number == PASS:
            return "there are other moves"
        state, tile = self.state, (number >> MOVE_SHIFT) - 1
        side, place = divmod(tile, SIDE_TILES)
        in_play = state.tile_cell[tile] >= 0
        if not in_play and side != state.side:
            return "it is the other side's turn"
        if in_play and state.top[state.tile_cell[tile]] != tile:
            return f"{TILE_NAMES[tile]} is covered"
        if not in_play and not state.limits[KINDS[place]]:
            return f"{TILE_NAMES[tile]} has no part in {self.setup.variant}"
        if tile == state.rested:
            return f"{TILE_NAMES[tile]} has just moved"
        if place == 0 and state.ply < 2:
            return "the queen may not be placed on the first turn"
        if not state.placed[state.side][0] and (in_play or state.ply >= 6):
            return "the queen is not in play yet"
        return "the tile cannot go there" if in_play else "the tile cannot be placed there"
