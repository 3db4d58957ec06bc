"""Self-play games of one board size, side by side, and the training samples that they give.

`views` are boards in the view of the side to move (side_view.py), (positions, cells).
"""

from __future__ import annotations

import torch
from torch import Tensor

from bots.hex.training.model import Network, encode_boards
from bots.hex.training.selfplay.boards import BatchedBoards, play_in_view
from bots.hex.training.side_view import EMPTY

CANDIDATE_COUNT = 16  # moves per position that are evaluated to improve a policy
IMPROVED_INTERVAL = 8  # in one of this many positions the policy is improved and becomes a training sample
VALUE_SCALE = 10.0  # weight of a win probability against policy logits
MAX_SAMPLES = 24  # per game; further ones replace the first
REPLAY_SAMPLES = 400_000  # per board size
# Moves are drawn from the policy at temperature 1 for EARLY_LENGTH * board size plies, then at LATE_TEMPERATURE.
EARLY_LENGTH = 0.7
LATE_TEMPERATURE = 0.4
MAX_IMBALANCE = 0.35  # openings whose win probability is further from 0.5 are mostly dropped
UNBALANCED_RATE = 0.2  # fraction of these openings that are played
ILLEGAL = -1e4  # logit of an occupied cell


class Evaluator:
    """A network on a device. If `bf16` is True, most of it is computed in bf16, which is faster on a GPU."""

    def __init__(self, network: Network, device: torch.device, bf16: bool) -> None:
        self.network = network.to(device).to(memory_format=torch.channels_last)
        self.device, self.bf16 = device, bf16

    def forward(self, views: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return policy logits, (positions, cells), and value logits, (positions,)."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            planes = encode_boards(views, size, torch.bfloat16 if self.bf16 else torch.float32)
            logits, values = self.network(planes.contiguous(memory_format=torch.channels_last))
        return logits.float().masked_fill(views != EMPTY, ILLEGAL), values.float()

    def evaluate(self, views: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return policy logits and win probabilities of the side to move, without gradients."""
        with torch.no_grad():
            logits, values = self.forward(views, size)
        return logits, values.sigmoid()


def gumbel_like(values: Tensor) -> Tensor:
    """Return independent samples of the standard Gumbel distribution."""
    return -torch.empty_like(values).exponential_().log()


def improve_policy(
    evaluator: Evaluator, views: Tensor, size: int, logits: Tensor, values: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the improved policies, (positions, cells), and the moves to be played, (positions,).

    `logits` and `values` are the network's evaluation of the positions. No position may have a move that wins at once,
    because boards on which the game is over have no evaluation. Moves that are no candidates get the value of the
    position, as in the paper (Danihelka et al. 2022). It is a mixture of the network's value and of the candidates'
    mean value, weighted by the policy.
    """
    count = min(CANDIDATE_COUNT, views.shape[1])
    noisy_logits, moves = (logits + gumbel_like(logits)).topk(count, dim=1)
    is_legal = noisy_logits > ILLEGAL / 2
    children = play_in_view(views.repeat_interleave(count, dim=0), moves.flatten(), size)
    child_values = 1 - evaluator.evaluate(children, size)[1].view(-1, count)
    priors = logits.softmax(dim=1).gather(1, moves) * is_legal
    mean = (priors * child_values).sum(dim=1) / priors.sum(dim=1).clamp(min=1e-6)
    mixed = ((values + count * mean) / (1 + count))[:, None]
    completed = mixed.expand_as(logits).scatter(1, moves, torch.where(is_legal, child_values, mixed))
    improved = (logits + VALUE_SCALE * completed).masked_fill(views != EMPTY, ILLEGAL).softmax(dim=1)
    best = (noisy_logits + VALUE_SCALE * child_values).masked_fill(~is_legal, 2 * ILLEGAL).argmax(dim=1, keepdim=True)
    return improved, moves.gather(1, best).squeeze(1)


class ReplayBuffer:
    """The newest training samples of one board size, in a ring buffer. `written` counts all samples ever appended."""

    def __init__(self, cells: int, capacity: int, device: torch.device) -> None:
        self.capacity, self.written, self._device = capacity, 0, device
        self.boards = torch.zeros(capacity, cells, dtype=torch.int8, device=device)
        self.policies = torch.zeros(capacity, cells, dtype=torch.float16, device=device)
        self.results = torch.zeros(capacity, device=device)

    def __len__(self) -> int:
        return min(self.written, self.capacity)

    def append(self, boards: Tensor, policies: Tensor, results: Tensor) -> None:
        """Add samples; the oldest are overwritten."""
        rows = (torch.arange(len(boards), device=self._device) + self.written) % self.capacity
        self.boards[rows], self.policies[rows], self.results[rows] = boards, policies, results
        self.written += len(boards)

    def draw(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return random samples: boards, policies, results. Half of them are rotated by 180 degrees."""
        rows = torch.randint(len(self), (count,), device=self._device)
        boards, policies = self.boards[rows], self.policies[rows].float()
        half = count // 2
        boards = torch.cat([boards[:half].flip(1), boards[half:]])
        policies = torch.cat([policies[:half].flip(1), policies[half:]])
        return boards, policies, self.results[rows]


class Pool:
    """Self-play games of one board size.

    Samples are kept with their game until it ends and its result is known; then they move to `replay`.
    """

    def __init__(self, size: int, count: int, evaluator: Evaluator, interval: int = IMPROVED_INTERVAL) -> None:
        """Begin `count` games; in one of `interval` positions the policy is improved."""
        device = evaluator.device
        self._improved_count = max(1, count // interval)
        self._sampled_share = 1 / interval  # of the last positions of games
        self.size, self._evaluator = size, evaluator
        self.boards = BatchedBoards(size, count, device)
        self.replay = ReplayBuffer(size * size, REPLAY_SAMPLES, device)
        self.games = 0  # number of finished games
        self._opening_plies = torch.zeros(count, dtype=torch.int64, device=device)  # random stones, by game
        # samples of unfinished games: boards, policies, sides to move, and their number by game
        shape = (count, MAX_SAMPLES)
        self._views = torch.zeros(*shape, size * size, dtype=torch.int8, device=device)
        self._policies = torch.zeros(*shape, size * size, dtype=torch.float16, device=device)
        self._sides = torch.zeros(*shape, dtype=torch.int64, device=device)
        self._recorded = torch.zeros(count, dtype=torch.int64, device=device)
        self._restart(torch.ones(count, dtype=torch.bool, device=device))
        self._spread()

    def _restart(self, chosen: Tensor) -> None:
        """Begin new games in place of the chosen ones, (count,) bool, with up to three random stones."""
        boards = self.boards
        boards.restart(chosen)
        self._recorded = torch.where(chosen, 0, self._recorded)
        stones = torch.randint(0, 4, (boards.count,), device=boards.device)
        self._opening_plies = torch.where(chosen, stones, self._opening_plies)
        for placed in range(3):
            boards.play(self._random_moves(), chosen & (placed < stones))

    def _random_moves(self) -> Tensor:
        views = self.boards.view()
        return torch.rand(views.shape, device=views.device).masked_fill(views != EMPTY, -1).argmax(dim=1)

    def _spread(self) -> None:
        """Play up to half of the board at random, so that the first games do not all end at the same time."""
        boards = self.boards
        max_plies = boards.size * boards.size // 2
        plies = torch.randint(0, max_plies, (boards.count,), device=boards.device)
        for _ in range(max_plies):
            can_win = boards.winning_moves().any(dim=1)
            boards.play(self._random_moves(), (boards.plies < plies) & ~can_win)

    def step(self) -> int:
        """Play a move in each game; return the number of samples that were added to `replay`.

        A game ends when the side to move can win at once, and a new one begins in its place. Most unbalanced openings
        are replaced too, without a move.
        """
        boards = self.boards
        # 1. replace the finished games. Some of their last positions are samples as well, because improved policies
        # depend on the values of such positions: a move that lets the opponent win at once must look like a loss.
        wins = boards.winning_moves()
        finished = wins.any(dim=1)
        is_recorded = finished & (torch.rand(boards.count, device=boards.device) < self._sampled_share)
        recorded = torch.nonzero(is_recorded).flatten()
        self._record(recorded, boards.view()[recorded], wins[recorded] / wins[recorded].sum(dim=1, keepdim=True))
        added = self._collect(finished)
        self._restart(finished)
        # 2. draw a move for each game: the largest of logits with Gumbel noise
        views = boards.view()
        logits, values = self._evaluator.evaluate(views, self.size)
        played_plies = boards.plies - self._opening_plies  # without the random stones
        temperature = torch.where(played_plies < EARLY_LENGTH * self.size, 1.0, LATE_TEMPERATURE)
        moves = (logits + temperature[:, None] * gumbel_like(logits)).argmax(dim=1)
        is_unbalanced = (played_plies == 0) & ((values - 0.5).abs() > MAX_IMBALANCE)
        is_dropped = is_unbalanced & (torch.rand_like(values) >= UNBALANCED_RATE)
        # 3. improve the policies of some games, and record them as samples
        chosen = torch.randperm(boards.count, device=boards.device)[: self._improved_count]
        improved, best = improve_policy(self._evaluator, views[chosen], self.size, logits[chosen], values[chosen])
        moves[chosen] = best
        self._record(chosen, views[chosen], improved)
        # 4. play the moves
        boards.play(moves, ~is_dropped)
        self._restart(is_dropped)
        return added

    def _record(self, games: Tensor, views: Tensor, policies: Tensor) -> None:
        """Keep the positions of some games, given by number, as samples with these policies, (games, cells)."""
        slots = self._recorded[games] % MAX_SAMPLES
        self._views[games, slots] = views
        self._policies[games, slots] = policies.half()
        self._sides[games, slots] = self.boards.to_move[games]
        self._recorded[games] += 1

    def _collect(self, finished: Tensor) -> int:
        """Move the samples of finished games, which the side to move wins, to `replay`; return their number."""
        slots = torch.arange(MAX_SAMPLES, device=finished.device)
        games, samples = torch.nonzero(finished[:, None] & (slots < self._recorded[:, None]), as_tuple=True)
        results = (self._sides[games, samples] == self.boards.to_move[games]).float()  # 1 if the sample's side wins
        if len(games):
            self.replay.append(self._views[games, samples], self._policies[games, samples], results)
        self.games += int(finished.sum())
        return len(games)
