"""Alternates between self-play and training, and measures the network by matches without a tree search."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from bots.hex.training.model import Network
from bots.hex.training.selfplay.boards import BatchedBoards
from bots.hex.training.selfplay.pool import IMPROVED_INTERVAL, Evaluator, Pool, ReplayBuffer
from bots.hex.training.side_view import EMPTY
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

VALUE_WEIGHT = 1.5  # weight of the value loss; the policy loss has 1
AVERAGE_DECAY = 0.999  # of the average of the weights, per step
WEIGHT_DECAY = 1e-4
SMALL_BOARD_TIME = 0.12  # fraction of a new training, at its beginning, that uses only the smaller half of the sizes
CHECKPOINT_NAME, CURVE_NAME = "checkpoint.pt", "curve.jsonl"


def compute_losses(evaluator: Evaluator, replay: ReplayBuffer, size: int, batch: int) -> tuple[Tensor, Tensor]:
    """Return the mean cross-entropies of policy and value over a random batch."""
    boards, policies, results = replay.draw(batch)
    logits, values = evaluator.forward(boards, size)
    policy_loss = -(policies * logits.log_softmax(dim=1)).sum(dim=1).mean()
    return policy_loss, functional.binary_cross_entropy_with_logits(values, results)


def play_match(first: Evaluator, second: Evaluator, size: int, pairs: int) -> float:
    """Return the score, 0..1, of the first network's policy against the second's, without search.

    Each opening has two or three random stones and is played twice, with the sides swapped.
    """
    boards = BatchedBoards(size, 2 * pairs, first.device)
    all_games = torch.ones(2 * pairs, dtype=torch.bool, device=first.device)  # games i and i + pairs share an opening
    has_third_stone = (torch.rand(pairs, device=first.device) < 0.5).repeat(2)
    for placed in range(3):
        views = boards.view()
        moves = (
            torch.rand(pairs, size * size, device=first.device).repeat(2, 1).masked_fill(views != EMPTY, -1).argmax(1)
        )
        boards.play(moves, all_games if placed < 2 else has_third_stone)
    first_side = torch.arange(2 * pairs, device=first.device) // pairs  # side of the first network, by game
    winner = torch.full((2 * pairs,), -1, device=first.device)  # -1 while the game goes on
    for _ in range(size * size):
        has_won = boards.winning_moves().any(dim=1) & (winner < 0)
        winner = torch.where(has_won, boards.to_move, winner)
        views = boards.view()
        is_first = boards.to_move == first_side
        logits = torch.where(is_first[:, None], first.evaluate(views, size)[0], second.evaluate(views, size)[0])
        boards.play(logits.argmax(dim=1), winner < 0)
        if bool((winner >= 0).all()):
            break
    return float((winner == first_side).float().mean())


@dataclass
class SelfplaySettings:
    """Settings of a run."""

    sizes: dict[int, float]  # relative number of moves by board size
    games: int  # games side by side, for each size
    batch: int  # samples per training step
    rate: float  # peak learning rate
    reuse: float  # how often a sample is trained on, on average
    seconds: float  # duration of the run
    report_seconds: float  # time between two reports
    match_size: int  # board size of the matches in a report
    match_pairs: int  # openings of a match; each is played twice
    improved_interval: int = IMPROVED_INTERVAL  # in one of this many positions the policy is improved


class Trainer:
    """Alternates between self-play and training until the time is over.

    The folder `out` has the checkpoint, from which a further run continues, and the curve of the reports. `average` is
    the network with the moving average of the weights.
    """

    def __init__(
        self, network: Network, out: Path, device: torch.device, bf16: bool, settings: SelfplaySettings
    ) -> None:
        self.settings, self.out = settings, out
        self.evaluator = Evaluator(network, device, bf16)
        self.average = Evaluator(copy.deepcopy(network), device, bf16)
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=WEIGHT_DECAY)
        checkpoint, curve = out / CHECKPOINT_NAME, out / CURVE_NAME
        self.steps = restore_checkpoint(checkpoint, network, self.optimizer)
        self.is_continued = self.steps > 0
        if self.is_continued:
            self.average.network.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
        lines = curve.read_text(encoding="utf-8").splitlines() if curve.exists() else []
        last_report = json.loads(lines[-1]) if lines else {"seconds": 0.0, "games": 0}
        self._seconds_before, self._games_before = last_report["seconds"], last_report["games"]  # of earlier runs
        self._weights = torch.tensor([settings.sizes[size] for size in sorted(settings.sizes)])
        self._pools = [
            Pool(size, settings.games, self.evaluator, settings.improved_interval) for size in sorted(settings.sizes)
        ]
        self._owed = [0.0] * len(self._pools)  # samples still to be trained on, by pool
        self._losses: list[Tensor] = []  # policy and value loss of each step since the last report

    def run(self, opponents: dict[str, Evaluator], clock: Callable[[], float] = time.perf_counter) -> None:
        """Play and train; report the scores of the average network against the opponents, which are given by name.

        `clock` returns seconds.
        """
        settings, begin = self.settings, clock()
        weights, last_report = self._weights, begin
        small_weights = weights * (torch.arange(len(weights)) < (len(weights) + 1) // 2)
        generator = torch.Generator().manual_seed(self.steps + 1)
        while (elapsed := clock() - begin) < settings.seconds:
            progress = elapsed / settings.seconds
            use_small = not self.is_continued and progress < SMALL_BOARD_TIME
            pool_index = int(torch.multinomial(small_weights if use_small else weights, 1, generator=generator))
            pool = self._pools[pool_index]
            self._owed[pool_index] += pool.step() * settings.reuse
            while self._owed[pool_index] >= settings.batch:
                self._owed[pool_index] -= settings.batch
                self._losses.append(self._train(pool, progress))
            if clock() - last_report >= settings.report_seconds:
                self._report(clock() - begin, opponents)
                last_report = clock()
        self._report(clock() - begin, opponents)

    def _report(self, seconds: float, opponents: dict[str, Evaluator]) -> None:
        """Write the checkpoint, print the state of the run, and append it to the curve."""
        settings = self.settings
        policy, value = torch.stack(self._losses).mean(dim=0).tolist() if self._losses else (0.0, 0.0)
        self._losses.clear()
        scores = {
            name: round(play_match(self.average, opponent, settings.match_size, settings.match_pairs), 3)
            for name, opponent in opponents.items()
        }
        line = {
            "seconds": round(self._seconds_before + seconds, 1),
            "games": self._games_before + sum(pool.games for pool in self._pools),
            "steps": self.steps,
            "policy_loss": round(policy, 4),
            "value_loss": round(value, 4),
            "scores": scores,
        }
        print(json.dumps(line), flush=True)
        network = self.evaluator.network
        save_checkpoint(
            self.out / CHECKPOINT_NAME,
            network,
            self.optimizer,
            self.steps,
            size=(network.channels, len(network.blocks)),
            average=self.average.network.state_dict(),
        )
        with (self.out / CURVE_NAME).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def _train(self, pool: Pool, progress: float) -> Tensor:
        """Make a training step and return its losses."""
        set_learning_rate(self.optimizer, self.settings.rate, progress)
        self.optimizer.zero_grad(set_to_none=True)
        policy, value = compute_losses(self.evaluator, pool.replay, pool.size, self.settings.batch)
        (policy + VALUE_WEIGHT * value).backward()
        nn.utils.clip_grad_norm_(self.evaluator.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        decay = min(AVERAGE_DECAY, self.steps / (self.steps + 10))  # less in the first steps
        pairs = zip(self.average.network.parameters(), self.evaluator.network.parameters(), strict=True)
        with torch.no_grad():
            for averaged, current in pairs:
                averaged.lerp_(current, 1 - decay)
        return torch.stack([policy.detach(), value.detach()])
