"""Generations of the network: `python -m bots.hex.training.generations FOLDER --generations 4`, with the extra `train`.

Each plays games with the network before it, learns from these and from those of the generations just before, and plays
against the one before. The folder holds the games, checkpoints, `N.network` (0 is the bot's own as the run began) and
`log.json` with a row for each generation. What is broken off goes on where it was. The next generation goes on from the
last one in any case; whether a network is better than what the bot ships is for a match at equal time to say.
"""

from __future__ import annotations

import argparse
import shutil
import time
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from bots.hex.kernels.network_fields import BLOCKS
from bots.hex.network import NETWORK_FILE
from bots.hex.training.compare import NetworkDuel, elo, tell
from bots.hex.training.export import from_bytes, read_checkpoint, to_bytes
from bots.hex.training.quick_games import SIZES, QuickRecorder
from bots.hex.training.samples import read_samples
from bots.hex.training.train import judge_held, train
from core.system.files import read_json_object, replace_binary_file, write_json_object
from core.training.games import open_workers, record_games

NOISE = 0.25  # of the root's shares, in the searches at length
WINDOW = 3  # generations whose games are learnt from
EPOCHS = 3
RATE = 1.5e-3
DUEL_SEED = 1


@dataclass
class Generation:
    """What the log tells of a generation; hours are of this run's part of it."""

    games: int
    positions: int
    hours: float
    held_back: str
    duels: int
    won: int
    elo: float


@dataclass
class Plan:
    """How the generations of a folder are made."""

    folder: Path
    games: int = 12_000
    searched: int = 300
    duels: int = 100
    sizes: tuple[int, ...] = SIZES
    duel_size: int = 11
    threads: int = 1

    def file(self, generation: int, kind: str) -> Path:
        """One of a generation's files: `games.jsonl`, `checkpoint`, `network` or `duels.jsonl`."""
        return self.folder / f"{generation}.{kind}"

    def make(self, generation: int, executor: Executor | None) -> Generation:
        """Games, training and duels of a generation, as far as they are lacking."""
        began = time.perf_counter()
        before = self.file(generation - 1, "network").read_bytes()
        games = self.file(generation, "games.jsonl")
        how = (self.searched, generation, self.sizes, NOISE, before)
        record_games(games, self.games, QuickRecorder, *how, executor=executor)
        positions, held_back = self._train(generation, before)
        after = self.file(generation, "network").read_bytes()
        duels = self.file(generation, "duels.jsonl")
        terms = (self.searched, DUEL_SEED, self.duel_size)
        record_games(duels, self.duels, NetworkDuel, after, before, *terms, executor=executor)
        won, played = tell(duels)
        hours = (time.perf_counter() - began) / 3600
        return Generation(self.games, positions, round(hours, 2), held_back, played, won, round(elo(won, played)))

    def _train(self, generation: int, before: bytes) -> tuple[int, str]:
        """Write the network; return the number of positions learnt from, and how those held back are foretold."""
        first = max(1, generation - WINDOW + 1)
        samples = read_samples([self.file(number, "games.jsonl") for number in range(first, generation + 1)])
        torch.set_num_threads(self.threads)
        checkpoint = self.file(generation, "checkpoint")
        train(from_bytes(before).grown(BLOCKS), samples, checkpoint, EPOCHS, generation, RATE)
        network = read_checkpoint(checkpoint)
        replace_binary_file(self.file(generation, "network"), to_bytes(network))
        return sum(map(len, samples.values())), judge_held(network, samples)


def run(plan: Plan, generations: int, executor: Executor | None = None) -> None:
    """Make what the folder lacks of so many generations."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    log = plan.folder / "log.json"
    rows = read_json_object(log) if log.exists() else {}
    if not plan.file(0, "network").exists():
        shutil.copyfile(NETWORK_FILE, plan.file(0, "network"))
    for generation in range(len(rows) + 1, generations + 1):
        rows[str(generation)] = asdict(plan.make(generation, executor))
        write_json_object(log, rows)
        print(f"generation {generation}: {rows[str(generation)]}", flush=True)


def main() -> None:
    """Make generations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--generations", type=int, default=4, help="that the folder is to hold in all")
    parser.add_argument("--games", type=int, default=Plan.games, help="of a generation")
    parser.add_argument("--searched", type=int, default=Plan.searched, help="positions judged in a search")
    parser.add_argument("--duels", type=int, default=Plan.duels, help="games against the generation before")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of the boards, drawn from alike")
    parser.add_argument("--processes", type=int, default=1, help="that play, and threads that train")
    parser.add_argument("--scheduler", default="", help="of a dask.distributed cluster, whose workers play instead")
    arguments = parser.parse_args()
    plan = Plan(
        arguments.folder,
        arguments.games,
        arguments.searched,
        arguments.duels,
        tuple(arguments.sizes),
        threads=arguments.processes,
    )
    with open_workers(arguments.processes, arguments.scheduler) as executor:
        run(plan, arguments.generations, executor)


if __name__ == "__main__":
    main()
