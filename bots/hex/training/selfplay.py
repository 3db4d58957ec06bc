"""Trains a network by self-play in batches, on a GPU or the processor. Needs the extra `train`.

    python -m bots.hex.training.selfplay --minutes 9 --device cuda --out DIR

Thousands of games of each board size run side by side. Most moves are drawn from the policy. In one of
IMPROVED_INTERVAL positions the policy is improved without a tree (Danihelka et al., "Policy improvement by planning
with Gumbel", 2022): candidates are drawn without replacement by the Gumbel-top-k trick, the position after each is
evaluated once, and softmax(logits + VALUE_SCALE * win probability) becomes the training target of the policy. The
training target of the value is the result of the game.

DIR/checkpoint.pt holds the network, the moving average of its weights, and the optimizer; a further run with the same
DIR goes on from there. DIR/curve.jsonl gets a line per report: seconds, games and steps of all runs together, mean
losses since the last report, and the scores of the average network in matches without search.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from bots.hex.training.batched_boards import MIN_SIZE, BatchedBoards, play_in_view
from bots.hex.training.model import Network, encode_boards, read_network
from bots.hex.training.side_view import EMPTY
from core.training.torch_training import restore_checkpoint, save_checkpoint, set_learning_rate

CANDIDATES = 16  # moves per position that are evaluated
IMPROVED_INTERVAL = 8  # one in this many positions is improved and becomes a training sample
VALUE_SCALE = 10.0  # weight of a win probability against policy logits
MAX_SAMPLES = 24  # per game; further ones replace the first
REPLAY_SAMPLES = 400_000  # per board size
VALUE_WEIGHT = 1.5  # weight of the value loss; the policy loss has 1
OPENING_RATE = 0.7  # plies at temperature 1, as a multiple of the board size; afterwards LATE_TEMPERATURE
LATE_TEMPERATURE = 0.4
MAX_IMBALANCE = 0.35  # openings whose win probability is further from 0.5 are mostly dropped
UNBALANCED_RATE = 0.2  # fraction of these that are played
AVERAGE_DECAY = 0.999  # of the average of the weights, per step
WEIGHT_DECAY = 1e-4
SMALL_BOARD_TIME = 0.12  # first fraction of the first run: only the smaller half of the board sizes is played
ILLEGAL = -1e4  # logit of an occupied cell
CHECKPOINT_NAME, CURVE_NAME = "checkpoint.pt", "curve.jsonl"
SIZES = "7:1,8:1,9:2,10:2,11:8,12:2,13:4"


class Evaluator:
    """A network on a device, in bf16 where that is faster."""

    def __init__(self, network: Network, device: torch.device, bf16: bool) -> None:
        self.network = network.to(device).to(memory_format=torch.channels_last)
        self.device, self.bf16 = device, bf16

    def forward(self, views: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return policy logits, (positions, cells), and value logits, (positions,), of boards in the side's view."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            planes = encode_boards(views, size, torch.bfloat16 if self.bf16 else torch.float32)
            logits, values = self.network(planes.contiguous(memory_format=torch.channels_last))
        return logits.float().masked_fill(views != EMPTY, ILLEGAL), values.float()

    def evaluate(self, views: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """Return policy logits and win probabilities without gradients."""
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

    No position may have a move that wins at once, because boards on which the game is over have no evaluation. As in
    the paper, moves that are no candidates have the value of the position, which is mixed of the network's value and
    the mean of the candidates weighted by the policy.
    """
    count = min(CANDIDATES, views.shape[1])
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


class Replay:
    """The newest training samples of one board size, in a ring buffer."""

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
    """Self-play games of one board size, and the samples of those that have ended."""

    def __init__(self, size: int, count: int, evaluator: Evaluator, interval: int = IMPROVED_INTERVAL) -> None:
        device = evaluator.device
        self._improved_count = max(1, count // interval)
        self.size, self._evaluator = size, evaluator
        self.boards = BatchedBoards(size, count, device)
        self.replay = Replay(size * size, REPLAY_SAMPLES, device)
        self.games = 0
        self._opening_plies = torch.zeros(count, dtype=torch.int64, device=device)
        shape = (count, MAX_SAMPLES)
        self._views = torch.zeros(*shape, size * size, dtype=torch.int8, device=device)
        self._policies = torch.zeros(*shape, size * size, dtype=torch.float16, device=device)
        self._sides = torch.zeros(*shape, dtype=torch.int64, device=device)
        self._recorded = torch.zeros(count, dtype=torch.int64, device=device)
        self._restart(torch.ones(count, dtype=torch.bool, device=device))
        self._spread()

    def _restart(self, chosen: Tensor) -> None:
        """Begin new games with up to three random stones."""
        boards = self.boards
        boards.restart(chosen)
        self._recorded = torch.where(chosen, 0, self._recorded)
        stones = torch.randint(0, 4, (boards.count,), device=boards.device)
        self._opening_plies = torch.where(chosen, stones, self._opening_plies)
        for number in range(3):
            boards.play(self._random_moves(), chosen & (number < stones))

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

        A game ends when the side to move can win at once.
        """
        boards = self.boards
        finished = boards.winning_moves().any(dim=1)
        added = self._collect(finished)
        self._restart(finished)
        views = boards.view()
        logits, values = self._evaluator.evaluate(views, self.size)
        own_plies = boards.plies - self._opening_plies
        temperature = torch.where(own_plies < OPENING_RATE * self.size, 1.0, LATE_TEMPERATURE)
        moves = (logits + temperature[:, None] * gumbel_like(logits)).argmax(dim=1)
        is_unbalanced = (own_plies == 0) & ((values - 0.5).abs() > MAX_IMBALANCE)
        is_dropped = is_unbalanced & (torch.rand_like(values) >= UNBALANCED_RATE)
        chosen = torch.randperm(boards.count, device=boards.device)[: self._improved_count]
        improved, best = improve_policy(self._evaluator, views[chosen], self.size, logits[chosen], values[chosen])
        moves[chosen] = best
        slots = self._recorded[chosen] % MAX_SAMPLES
        self._views[chosen, slots] = views[chosen]
        self._policies[chosen, slots] = improved.half()
        self._sides[chosen, slots] = boards.to_move[chosen]
        self._recorded[chosen] += 1
        boards.play(moves, ~is_dropped)
        self._restart(is_dropped)
        return added

    def _collect(self, finished: Tensor) -> int:
        """Move the samples of finished games, which the side to move wins, to `replay`; return their number."""
        slots = torch.arange(MAX_SAMPLES, device=finished.device)
        games, numbers = torch.nonzero(finished[:, None] & (slots < self._recorded[:, None]), as_tuple=True)
        results = (self._sides[games, numbers] == self.boards.to_move[games]).float()
        if len(games):
            self.replay.append(self._views[games, numbers], self._policies[games, numbers], results)
        self.games += int(finished.sum())
        return len(games)


def compute_losses(evaluator: Evaluator, replay: Replay, size: int, batch: int) -> tuple[Tensor, Tensor]:
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
    everyone = torch.ones(2 * pairs, dtype=torch.bool, device=first.device)
    long_openings = (torch.rand(pairs, device=first.device) < 0.5).repeat(2)
    for number in range(3):
        views = boards.view()
        moves = (
            torch.rand(pairs, size * size, device=first.device).repeat(2, 1).masked_fill(views != EMPTY, -1).argmax(1)
        )
        boards.play(moves, everyone if number < 2 else long_openings)
    first_side = torch.arange(2 * pairs, device=first.device) // pairs
    winner = torch.full((2 * pairs,), -1, device=first.device)
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
class Settings:
    """Settings of a run."""

    sizes: dict[int, float]  # board size: relative number of moves
    games: int  # games side by side, for each size
    batch: int  # samples per training step
    rate: float  # peak learning rate
    reuse: float  # how often a sample is trained on, on average
    seconds: float
    report_seconds: float  # time between two reports
    match_size: int  # board size of the matches in a report
    match_pairs: int
    improved_interval: int = IMPROVED_INTERVAL


class Trainer:
    """Alternates between self-play and training until the time is over."""

    def __init__(self, network: Network, out: Path, device: torch.device, bf16: bool, settings: Settings) -> None:
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
        last = json.loads(lines[-1]) if lines else {"seconds": 0.0, "games": 0}
        self._seconds_before, self._games_before = last["seconds"], last["games"]
        self._weights = torch.tensor([settings.sizes[size] for size in sorted(settings.sizes)])
        self._pools = [
            Pool(size, settings.games, self.evaluator, settings.improved_interval) for size in sorted(settings.sizes)
        ]
        self._owed = [0.0] * len(self._pools)  # samples still to be trained on, by pool
        self._losses: list[Tensor] = []

    def run(self, opponents: dict[str, Evaluator], clock: Callable[[], float] = time.monotonic) -> None:
        """Play and train; report the scores of the average network against the opponents. `clock` counts seconds."""
        settings, begin = self.settings, clock()
        weights, last_report = self._weights, begin
        small_weights = weights * (torch.arange(len(weights)) < (len(weights) + 1) // 2)
        generator = torch.Generator().manual_seed(self.steps + 1)
        while (elapsed := clock() - begin) < settings.seconds:
            progress = elapsed / settings.seconds
            use_small = not self.is_continued and progress < SMALL_BOARD_TIME
            number = int(torch.multinomial(small_weights if use_small else weights, 1, generator=generator))
            pool = self._pools[number]
            self._owed[number] += pool.step() * settings.reuse
            while self._owed[number] >= settings.batch:
                self._owed[number] -= settings.batch
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
        decay = min(AVERAGE_DECAY, self.steps / (self.steps + 10))
        pairs = zip(self.average.network.parameters(), self.evaluator.network.parameters(), strict=True)
        with torch.no_grad():
            for averaged, current in pairs:
                averaged.lerp_(current, 1 - decay)
        return torch.stack([policy.detach(), value.detach()])


def parse_sizes(text: str) -> dict[int, float]:
    """Parse board sizes and their weights, such as "9:1,11:3"; raise ValueError if the text has another form."""
    pairs = [part.partition(":") for part in text.split(",")]
    sizes = {int(size): float(weight or 1) for size, _, weight in pairs}
    if min(sizes) < MIN_SIZE or min(sizes.values()) <= 0:
        raise ValueError(f"board sizes must be {MIN_SIZE} or more and their weights above 0, not {text!r}")
    return sizes


def read_opponent(file: Path, device: torch.device, bf16: bool) -> Evaluator:
    """Return the network of a checkpoint on a device."""
    return Evaluator(read_network(file), device, bf16)


def main() -> None:
    """Read the arguments, play and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--fp32", action="store_true", help="compute in 32-bit floats, not in bf16")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument(
        "--sizes", type=parse_sizes, default=SIZES, help="board sizes and their weights (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, default=4096, help="games side by side, for each board size")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--reuse", type=float, default=2.0, help="times that a sample is trained on, on average")
    parser.add_argument("--report", type=float, default=30.0, metavar="SECONDS", help="seconds between two reports")
    parser.add_argument("--against", type=Path, action="append", default=[], help="checkpoint to play matches with")
    parser.add_argument("--match-size", type=int, default=11)
    parser.add_argument("--match-pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    device, bf16 = torch.device(arguments.device), not arguments.fp32
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True
    arguments.out.mkdir(parents=True, exist_ok=True)
    settings = Settings(
        sizes=arguments.sizes,
        games=arguments.games,
        batch=arguments.batch,
        rate=arguments.rate,
        reuse=arguments.reuse,
        seconds=60 * arguments.minutes,
        report_seconds=arguments.report,
        match_size=arguments.match_size,
        match_pairs=arguments.match_pairs,
    )
    network = Network(arguments.channels, arguments.blocks)
    opponents = {file.name: read_opponent(file, device, bf16) for file in arguments.against}
    Trainer(network, arguments.out, device, bf16, settings).run(opponents)


if __name__ == "__main__":
    main()
