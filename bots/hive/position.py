"""`HivePosition`, the Python interface to the rules of Hive, used by bots, referee and tests.

The rules themselves are the kernels in bots/hive/kernels/rules.py. Users of this class mostly see moves as text
(`wA1 -bQ`); the kernels know them as integer codes. bots/hive/tiles.py explains the codes of moves, tiles and cells.
"""

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
    MAX_PERFT,
    MAX_PLIES,
    MOVE_SHIFT,
    PASS,
    SIDE_TILES,
    START_CELL,
    STRIDE,
    TILE_KINDS,
    WHITE_WINS,
    neighbour,
)
from core.play.board import BoardPosition
from core.play.game import FIRST, SECOND, Outcome
from core.play.player import IllegalMove, Setup, illegal_move_is_bad_setup

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive, Kernels

Axial = tuple[int, int]  # axial coordinates q, r
_OUTCOMES = {  # by the state's field `result`
    WHITE_WINS: Outcome(FIRST, "queen surrounded"),
    BLACK_WINS: Outcome(SECOND, "queen surrounded"),
    DRAW: Outcome(None, "both queens surrounded"),
}
_STATES = {0: "InProgress", WHITE_WINS: "WhiteWins", BLACK_WINS: "BlackWins", DRAW: "Draw"}  # by `result`, in UHP
AXIAL_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # by direction (bots/hive/tiles.py)
_MAX_GAME_PLIES = MAX_PLIES - 256  # leaves room in the state's move history for a search from the last position


class HivePosition(BoardPosition):
    """A game in progress; white moves first."""

    game, state_type, max_perft_depth = "hive", "Hive", MAX_PERFT
    library: Kernels
    state: Hive

    @staticmethod
    def from_game(text: str) -> HivePosition:
        """Return the position at the end of a GameString; raise BadSetup if it is malformed or a move is illegal."""
        variant, moves = parse_game(text)
        position = HivePosition(Setup(variant=variant))
        for move_number, move in enumerate(moves, 1):
            with illegal_move_is_bad_setup(f"move {move_number} of the game"):
                position.play(move)
        return position

    def _check_setup(self, setup: Setup) -> Setup:
        return check_setup(setup)

    def _set_up(self) -> None:
        self.library.setup(self.state, parse_variant(self.setup.variant))
        self._keys = [self.library.repetition_key(self.state)]  # hash keys of the start and of each later position

    def parse(self, text: str) -> int:
        """Return the code of a move, whether or not it is legal.

        A target can be written relative to any tile beside it; all spellings give the same code. Raise IllegalMove if
        the text is malformed or describes no target. It describes none in four cases: the reference tile is in hand; it
        has a direction sign, but the cell in that direction is occupied; it has none, but is not the top tile of its
        cell; it is missing, although the move is not the first of the game.
        """
        move = parse_move(text)
        if move.tile is None:
            return PASS
        if move.reference is None:
            if self.state.ply:
                raise IllegalMove(f"{text} is illegal: only the first move of a game has no reference tile")
            return self._encode_move(move.tile, START_CELL)
        cell = self.state.tile_cell[move.reference]
        if cell < 0:
            raise IllegalMove(f"{text} is illegal: {TILE_NAMES[move.reference]} is not in play")
        if move.direction is not None:
            cell = neighbour(cell, move.direction)
            if self.state.height[cell]:
                top = TILE_NAMES[self.state.top[cell]]
                raise IllegalMove(
                    f"{text} is illegal: the cell is occupied; to climb it write {top} without -, / or \\"
                )
        elif self.state.top[cell] != move.reference:
            raise IllegalMove(f"{text} is illegal: {TILE_NAMES[move.reference]} is covered")
        return self._encode_move(move.tile, cell)

    def format(self, move_code: int) -> str:
        """Return a legal move as text.

        The reference is the top tile of the target if the move climbs, else a tile beside the target: the top tile of
        its cell, or the tile below the moving tile. A pass and the first move of a game have no reference.
        """
        if move_code == PASS:
            return format_move(MoveText(None))
        tile, cell = (move_code >> MOVE_SHIFT) - 1, move_code % CELLS
        state = self.state
        if not state.ply:
            return format_move(MoveText(tile))
        if state.height[cell]:
            return format_move(MoveText(tile, state.top[cell]))
        # In the order of Mzinga, the reference UHP engine, so that the text of a move is the same as there.
        for direction in reversed(range(6)):  # from the reference to the target
            reference = state.top[neighbour(cell, (direction + 3) % 6)]
            if reference == tile:
                reference = state.tile_below[tile]
            if reference >= 0:
                return format_move(MoveText(tile, reference, direction))
        raise ValueError(f"move {move_code} leads away from the hive")

    def copy_keys_to_state(self) -> None:
        """Copy the hash keys of the game's positions into the state, so that a search scores a repetition as a draw."""
        self.state.path_keys[: len(self._keys)] = self._keys

    def legal_numbers(self) -> list[int]:
        """Return the codes of all legal moves, placements before movements; empty if the game is over.

        A side that can neither place nor move a tile has one legal move, the pass.
        """
        count = self.library.list_legal(self.state)
        return list(self.state.move_lists[0][:count])

    def only_legal_move(self) -> str:
        """Return the legal move if there is only one, else an empty text. The texts of many moves would take longer."""
        move_codes = self.legal_numbers()
        return self.format(move_codes[0]) if len(move_codes) == 1 else ""

    def play(self, move: str) -> None:
        """Make a move in any spelling; raise IllegalMove with the reason if it is not legal."""
        if self.state.result:
            raise IllegalMove(f"{move} is illegal: the game is over")
        super().play(move)
        self._keys.append(self.library.repetition_key(self.state))

    def undo(self) -> None:
        """Unmake the last move."""
        super().undo()
        self._keys.pop()

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None. A repetition does not end the game by itself: see `repetitions`."""
        return _OUTCOMES.get(self.state.result)

    def decided_by(self) -> list[str]:
        """Return the names of the surrounded queens; empty during the game. They need not be top tiles."""
        loss_bits = BLACK_WINS, WHITE_WINS  # by the side whose queen is surrounded; a draw has both bits
        return [TILE_NAMES[side * SIDE_TILES] for side in (FIRST, SECOND) if self.state.result & loss_bits[side]]

    def repetitions(self) -> int:
        """Return how often the current position has occurred; a referee may declare a draw at the third time."""
        return self._keys.count(self._keys[-1])

    def game_string(self) -> str:
        """Return the game as a UHP GameString."""
        game_state = _STATES[self.state.result] if self._moves else "NotStarted"
        return ";".join([self.setup.variant, game_state, format_turn(len(self._moves)), *self._moves])

    def stacks(self) -> dict[Axial, list[int]]:
        """Return the tiles of each occupied cell, from the ground up, by axial coordinates as in `coordinates`."""
        coordinates = self.coordinates()
        return {coordinates[cell]: self._stack(cell) for cell in self._occupied_cells()}

    def coordinates(self) -> dict[int, Axial]:
        """Return the axial coordinates of all occupied cells and their neighbours, by cell code.

        The search starts at the occupied cell with the smallest code and goes from neighbour to neighbour. So the
        coordinates of adjacent cells differ by one step even across the seam of the torus (bots/hive/tiles.py), where
        their codes do not. An empty board has one entry, the cell of the first tile.
        """
        occupied = self._occupied_cells()
        start = min(occupied, default=START_CELL)
        row, column = divmod(start, STRIDE)
        coordinates = {start: (column - STRIDE // 2, row - STRIDE // 2)}
        queue = [start] if occupied else []
        while queue:
            cell = queue.pop()
            q, r = coordinates[cell]
            for direction, (dq, dr) in enumerate(AXIAL_STEPS):
                neighbour_cell = neighbour(cell, direction)
                if neighbour_cell not in coordinates:
                    coordinates[neighbour_cell] = (q + dq, r + dr)
                    if neighbour_cell in occupied:
                        queue.append(neighbour_cell)
        return coordinates

    def board(self) -> str:
        """Return the board as text, with the top tile of each cell; `+` marks a stack.

        Each row is shifted by half a cell, three columns, for example

                              bA1
               wS1   bS1   bQ
            wB1+

        An empty board is `(empty)`.
        """
        stacks = self.stacks()
        if not stacks:
            return "(empty)"
        left = min(2 * q + r for q, r in stacks)
        rows = []
        for r in range(min(r for _, r in stacks), max(r for _, r in stacks) + 1):
            row = ""
            for q in sorted(q for q, row_number in stacks if row_number == r):
                tiles = stacks[q, r]
                column = 3 * (2 * q + r - left)
                row = row.ljust(column) + TILE_NAMES[tiles[-1]] + ("+" if len(tiles) > 1 else "")
            rows.append(row)
        return "\n".join(rows)

    def _occupied_cells(self) -> set[int]:
        return {int(cell) for cell in self.state.tile_cell if cell >= 0}

    def _stack(self, cell: int) -> list[int]:
        """Return the tiles of an occupied cell, from the ground up."""
        tiles = [self.state.top[cell]]
        while self.state.tile_below[tiles[0]] >= 0:
            tiles.insert(0, self.state.tile_below[tiles[0]])
        return tiles

    def _encode_move(self, tile: int, cell: int) -> int:
        return (tile + 1) << MOVE_SHIFT | cell

    def _is_legal(self, move_code: int) -> bool:
        return self.state.ply < _MAX_GAME_PLIES and super()._is_legal(move_code)

    def _reason(self, move_code: int) -> str:
        """Return why a move is illegal."""
        if self.state.ply >= _MAX_GAME_PLIES:
            return f"a game has at most {_MAX_GAME_PLIES} plies"
        if move_code == PASS:
            return "there are other moves"
        state, tile = self.state, (move_code >> MOVE_SHIFT) - 1
        side, side_tile = divmod(tile, SIDE_TILES)
        in_play = state.tile_cell[tile] >= 0
        if not in_play and side != state.side:
            return "it is the other side's turn"
        if in_play and state.top[state.tile_cell[tile]] != tile:
            return f"{TILE_NAMES[tile]} is covered"
        if not in_play and not state.kind_limits[TILE_KINDS[side_tile]]:
            return f"{TILE_NAMES[tile]} is not used in {self.setup.variant}"
        if tile == state.last_moved:
            return f"{TILE_NAMES[tile]} has just moved"
        if side_tile == 0 and state.ply < 2:
            return "the queen may not be placed on the first turn"
        if not state.placed[state.side][0] and (in_play or state.ply >= 6):
            return "the queen is not in play yet"
        return "the tile cannot go there" if in_play else "the tile cannot be placed there"
