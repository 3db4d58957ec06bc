"""Many games of Hex side by side as tensors, for self-play on one device. Needs the extra `train`.

A board of n x n cells is stored flat with its edges: (n + 2) x (n + 2) cells, row by row. Top and bottom rows are black
stones, left and right columns white ones, and the corners belong to nobody. All stones of a connected group have one
label. When groups merge, the smallest label remains, so a group at an edge has the label of the edge. A move on an
empty cell wins if the cell touches a group of each of the side's two edges:

    labels of a 3x3 board      0 1 1 1 0      1 top, 2 bottom, 3 left, 4 right
    with one black stone       3 0 0 0 4      0 empty
    in the centre              3 0 12 0 4     others: smallest index of a cell of the group
                               3 0 0 0 4
                               0 2 2 2 0

Moves, boards and masks that the methods take and return are in the view of the side to move (side_view.py), as the
network sees the board. Masks of games are tensors (count,) of bool.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bots.hex.training.side_view import EMPTY, OPPONENT, OWN

TOP, BOTTOM, LEFT, RIGHT = 1, 2, 3, 4
NO_GROUP = 1 << 14  # greater than all labels
MIN_SIZE = 3  # on smaller boards, games may be over after the random stones of an opening


class BatchedBoards:
    """Boards of `count` games on `size` x `size` cells.

    `stones` and `labels` have the shape (count, cells of a board with its edges). `to_move`, 0 for black and 1 for
    white, and `plies`, the number of moves, have the shape (count,).
    """

    def __init__(self, size: int, count: int, device: torch.device) -> None:
        if size < MIN_SIZE:
            raise ValueError(f"board size must be {MIN_SIZE} or more, not {size}")
        self.size, self.count, self.device = size, count, device
        self._side = side = size + 2
        grid = torch.zeros(side, side, dtype=torch.int16, device=device)
        grid[0, 1:-1], grid[-1, 1:-1], grid[1:-1, 0], grid[1:-1, -1] = TOP, BOTTOM, LEFT, RIGHT
        self._empty_labels = grid.flatten()
        self._empty_stones = ((grid > 0).to(torch.int8) + (grid >= LEFT).to(torch.int8)).flatten()
        self.stones = self._empty_stones.repeat(count, 1)  # 0 empty, 1 black, 2 white
        self.labels = self._empty_labels.repeat(count, 1)
        self.to_move = torch.zeros(count, dtype=torch.int64, device=device)
        self.plies = torch.zeros(count, dtype=torch.int64, device=device)
        self._offsets = (-1, 1, -side, side, 1 - side, side - 1)
        self._neighbours = torch.tensor(self._offsets, device=device)

    def restart(self, chosen: Tensor) -> None:
        """Clear the boards of the chosen games, (count,) bool."""
        self.stones = torch.where(chosen[:, None], self._empty_stones, self.stones)
        self.labels = torch.where(chosen[:, None], self._empty_labels, self.labels)
        self.to_move = torch.where(chosen, 0, self.to_move)
        self.plies = torch.where(chosen, 0, self.plies)

    def view(self) -> Tensor:
        """Return the boards in the view of the side to move, (count, cells) int8."""
        inside = self._inside(self.stones)
        own = (inside == self.to_move[:, None, None] + 1).to(torch.int8)
        stones = (inside > 0).to(torch.int8)
        return self._to_view(own * OWN + (stones - own) * OPPONENT)

    def winning_moves(self) -> Tensor:
        """Return the cells that win at once for the side to move, (count, cells) bool."""
        first_edge = (TOP + 2 * self.to_move)[:, None]  # TOP or LEFT; the second edge is one more
        touches_first, touches_second = (self._dilate(self.labels == first_edge + edge) for edge in (0, 1))
        return self._to_view(self._inside(touches_first & touches_second & (self.stones == 0)))

    def play(self, moves: Tensor, active: Tensor) -> None:
        """Play a move in each game of the mask `active`; `moves` has a cell for each game, (count,)."""
        row, column = moves // self.size, moves % self.size
        row, column = torch.where(self.to_move == 1, column, row), torch.where(self.to_move == 1, row, column)
        cells = ((row + 1) * self._side + column + 1)[:, None]
        around = cells + self._neighbours
        is_own = self.stones.gather(1, around) == self.to_move[:, None] + 1
        groups = torch.where(is_own, self.labels.gather(1, around), NO_GROUP)  # labels of own neighbours, (count, 6)
        merged = torch.minimum(groups.amin(dim=1, keepdim=True), cells.to(torch.int16))
        labels = self.labels
        for direction in range(len(self._offsets)):
            labels = torch.where(labels == groups[:, direction : direction + 1], merged, labels)
        labels = labels.scatter(1, cells, merged)
        stones = self.stones.scatter(1, cells, (self.to_move[:, None] + 1).to(torch.int8))
        self.labels = torch.where(active[:, None], labels, self.labels)
        self.stones = torch.where(active[:, None], stones, self.stones)
        self.to_move = torch.where(active, 1 - self.to_move, self.to_move)
        self.plies = self.plies + active

    def _inside(self, grid: Tensor) -> Tensor:
        """Return the cells without the edges, (count, size, size)."""
        return grid.view(-1, self._side, self._side)[:, 1:-1, 1:-1]

    def _to_view(self, inside: Tensor) -> Tensor:
        """Transpose the boards on which white is to move, and make all of them flat, (count, cells)."""
        return torch.where((self.to_move == 1)[:, None, None], inside.transpose(1, 2), inside).flatten(1)

    def _dilate(self, mask: Tensor) -> Tensor:
        """Return the cells that have a neighbour in the mask. The result is meaningless for cells of the edges."""
        dilated = torch.zeros_like(mask)
        for offset in self._offsets:
            dilated |= torch.roll(mask, offset, dims=1)
        return dilated


def play_in_view(views: Tensor, moves: Tensor, size: int) -> Tensor:
    """Return the boards after a move of the side to move, in the view of the opponent.

    `views` has shape (positions, cells), `moves` (positions,).
    """
    with_move = views.scatter(1, moves[:, None], OWN)
    with_exchanged_colours = torch.where(with_move == EMPTY, EMPTY, OWN + OPPONENT - with_move)
    return with_exchanged_colours.view(-1, size, size).transpose(1, 2).flatten(1)
