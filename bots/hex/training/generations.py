"""Trains generations of the network: `python -m bots.hex.training.generations FOLDER --generations 4` (extra `train`).

Generation N plays training games with network N - 1, trains on these games and on those of the last generations, and
then plays a match against network N - 1. FOLDER receives games, checkpoints, matches, `N.network` (0 is the engine's
network at the start of the run) and `log.json` with a row per generation. An interrupted run resumes.

Each generation continues from the last one, whether it won its match or not. The match has equal numbers of
evaluations; to replace the engine's network, test a new one in a match at equal time.
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
from bots.hex.training.compare import NetworkDuel, count_wins, elo
from bots.hex.training.export import from_bytes, read_checkpoint, to_bytes
from bots.hex.training.quick_games import SIZES, QuickRecorder
from bots.hex.training.samples import read_samples
from bots.hex.training.train import evaluate_validation, train
from core.system.files import read_json_object, replace_binary_file, write_json_object
from core.training.games import open_workers, record_games

ROOT_NOISE_WEIGHT = 0.25  # weight of noise in the root's priors, in the searches of training games
WINDOW = 3  # number of the last generations whose games are used for training
EPOCHS = 3  # passes over these games per generation
LEARNING_RATE = 1.5e-3  # at its peak
DUEL_SEED = 1  # seed of all matches, so that they have the same openings


@dataclass
class Generation:
    """A row of the log. The field names are its keys."""

    games: int  # training games of this generation
    positions: int  # positions of all games in the window
    hours: float  # wall time; after an interruption, only that of the last run
    held_back: str  # results on the validation games, see `evaluate_validation`
    duels: int  # match games against the previous network
    won: int  # match games that the new network won
    elo: float  # difference to the previous network


@dataclass
class TrainingPlan:
    """Settings of a run, and the files in its folder."""

    folder: Path
    games: int = 12_000  # training games per generation
    searched: int = 300  # evaluations per search, in training games and matches
    duels: int = 100  # match games per generation
    sizes: tuple[int, ...] = SIZES  # board sizes of training games, drawn at random
    duel_size: int = 11  # board size of the matches
    threads: int = 1  # threads that train

    def file(self, generation: int, kind: str) -> Path:
        """Return the path of a generation's `games.jsonl`, `checkpoint`, `network` or `duels.jsonl`."""
        return self.folder / f"{generation}.{kind}"

    def make(self, generation: int, executor: Executor | None) -> Generation:
        """Record the games of a generation, train, and play its match; skip what its files already contain."""
        start_s = time.perf_counter()
        old_network = self.file(generation - 1, "network").read_bytes()
        games_file = self.file(generation, "games.jsonl")
        settings = (self.searched, generation, self.sizes, ROOT_NOISE_WEIGHT, old_network)  # the second is the seed
        record_games(games_file, self.games, QuickRecorder, *settings, executor=executor)
        positions, held_back = self._train(generation, old_network)
        new_network = self.file(generation, "network").read_bytes()
        duels_file = self.file(generation, "duels.jsonl")
        duel_settings = (new_network, old_network, self.searched, DUEL_SEED, self.duel_size)
        record_games(duels_file, self.duels, NetworkDuel, *duel_settings, executor=executor)
        won, played = count_wins(duels_file)
        hours = (time.perf_counter() - start_s) / 3600
        return Generation(self.games, positions, round(hours, 2), held_back, played, won, round(elo(won, played)))

    def _train(self, generation: int, old_network: bytes) -> tuple[int, str]:
        """Train and write the network; return the number of positions used and the validation results."""
        first = max(1, generation - WINDOW + 1)
        samples = read_samples([self.file(number, "games.jsonl") for number in range(first, generation + 1)])
        torch.set_num_threads(self.threads)
        checkpoint = self.file(generation, "checkpoint")
        train(from_bytes(old_network).grow(BLOCKS), samples, checkpoint, EPOCHS, generation, LEARNING_RATE)
        network = read_checkpoint(checkpoint)
        replace_binary_file(self.file(generation, "network"), to_bytes(network))
        return sum(map(len, samples.values())), evaluate_validation(network, samples)


def run(plan: TrainingPlan, generations: int, executor: Executor | None = None) -> None:
    """Make the generations up to number `generations` that the folder does not have yet."""
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
    """Read the command line and make the generations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--generations", type=int, default=4, help="number of generations in the folder at the end")
    parser.add_argument("--games", type=int, default=TrainingPlan.games, help="training games per generation")
    parser.add_argument("--searched", type=int, default=TrainingPlan.searched, help="evaluations per search")
    parser.add_argument(
        "--duels", type=int, default=TrainingPlan.duels, help="match games against the generation before"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="board sizes, chosen at random")
    parser.add_argument("--processes", type=int, default=1, help="processes that play, and threads that train")
    parser.add_argument(
        "--scheduler", default="", help="address of a dask.distributed scheduler whose workers play instead"
    )
    arguments = parser.parse_args()
    plan = TrainingPlan(
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
