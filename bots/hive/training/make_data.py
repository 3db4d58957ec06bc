"""Records games of the engine against itself: `python -m bots.hive.training.make_data --out FOLDER --positions 9000`.

The games are written in the order of their index to FOLDER/SEED-0000.games, FOLDER/SEED-0001.games, ... in the formats
of core/training/blocks.py and game_record.py. An index gives the same game on every run with the same settings, sources
and CPU level, so an interrupted recording can be continued. samples.py reads the games. On several machines, give each
one its own seed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.notation import parse_variant
from bots.hive.openings import has_queens
from bots.hive.training.game_record import BY_RULES, PLY_LIMIT, PROVEN, REPETITION, GameRecord, decode, encode
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, Setup
from core.search.scores import NO_SCORE
from core.training.blocks import MAX_FILE_BYTES, BlockSeries, list_series
from core.training.recording import RecordedGames, record_blocks

# Number of games of each type in a cycle of 14 games.
GAMES_PER_CYCLE = (
    ("Base", 2),
    ("Base+M", 1),
    ("Base+L", 1),
    ("Base+P", 1),
    ("Base+ML", 1),
    ("Base+MP", 1),
    ("Base+LP", 1),
    ("Base+MLP", 6),
)
_CYCLE = [variant for variant, games in GAMES_PER_CYCLE for _ in range(games)]
_CYCLE_STEP = 5  # coprime to the cycle's length, so that successive games differ in type

MAX_GAME_PLIES = 200  # a game that gets this far is recorded as a draw
OPENING_PLIES = (2, 8)  # least and greatest number of random moves at the start
MAX_OPENING_SCORE = 200  # evaluation units; openings that are more uneven are skipped
VARIED_PLIES = 12  # until this ply, one of the near-best moves is chosen at random
CHOICE_TEMPERATURE = 20  # evaluation units: a move that is worse by this much has 1/e of the best move's probability
MAX_CHOICE_LOSS = 60  # evaluation units; moves that are worse by more are not chosen
CHOICES = 4  # number of near-best moves that are searched
HASH_MIB = 2  # more would only be slower to clear


@dataclass(frozen=True)
class RecordingSettings:
    """Settings on which a recorded game depends, besides its index and the sources; stored as JSON with the games."""

    seed: int = 1
    nodes: int = 1_500  # mean of the searches' node limit; that of a game is drawn from nodes / 2 to nodes * 2


class Recorder:
    """Plays games of the engine against itself."""

    def __init__(self, settings: RecordingSettings) -> None:
        self._settings = settings
        self._engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", HASH_MIB)

    def play(self, index: int) -> bytes:
        """Return the encoded game of an index."""
        return encode(self.play_game(index))

    def play_game(self, index: int) -> GameRecord:
        """Return the game of an index; with the same settings it is always the same."""
        engine, rng = self._engine, random.Random(f"{self._settings.seed} {index}")
        nodes = round(self._settings.nodes * 2 ** rng.uniform(-1, 1))
        engine.new_game(Setup(variant=variant_of(index)))
        engine.clear_hash()
        opening_length = self._play_opening(nodes, rng)
        scores: list[int] = []
        deviations: list[tuple[int, int]] = []
        while (end := self._find_end()) is None:
            decision, move = self._choose(nodes, rng)
            scores.append(NO_SCORE if decision.note == "only move" else decision.progress.score)
            if decision.progress.result:
                winner_sign = 1 if decision.progress.result == "win" else -1
                end = winner_sign * (1 - 2 * engine.position.to_move), PROVEN
                break
            if move != decision.move:
                deviations.append((len(engine.position.moves), engine.position.parse(decision.move)))
            engine.position.play(move)
        state = engine.position.state
        moves = tuple(state.path[: state.ply])
        expansions = parse_variant(engine.position.setup.variant)
        return GameRecord(index, expansions, opening_length, *end, nodes, moves, tuple(scores), tuple(deviations))

    def _play_opening(self, nodes: int, rng: random.Random) -> int:
        """Play random moves up to a position whose score is not too uneven; return their number."""
        engine = self._engine
        while True:
            engine.position.restart(engine.position.setup)
            for _ in range(rng.randint(*OPENING_PLIES)):
                engine.position.play(rng.choice(engine.position.legal_moves()))
            if has_queens(engine.position):
                progress = engine.choose(Limits(nodes=nodes)).progress
                if not progress.result and abs(progress.score) <= MAX_OPENING_SCORE:
                    return len(engine.position.moves)

    def _find_end(self) -> tuple[int, int] | None:
        """Return result and ending of the game if the rules or the limits of the recording end it, else None."""
        position = self._engine.position
        outcome = position.outcome()
        if outcome is not None:
            return (0 if outcome.winner is None else 1 - 2 * outcome.winner), BY_RULES
        if position.repetitions() >= 3:
            return 0, REPETITION
        return (0, PLY_LIMIT) if len(position.moves) >= MAX_GAME_PLIES else None

    def _choose(self, nodes: int, rng: random.Random) -> tuple[Decision, str]:
        """Search the position; return the decision and the move to play, a near-best one in the first plies."""
        if len(self._engine.position.moves) >= VARIED_PLIES:
            decision = self._engine.choose(Limits(nodes=nodes))
            return decision, decision.move
        scores: dict[int, dict[str, int]] = defaultdict(dict)  # by depth and move

        def note(progress: Progress) -> None:
            scores[progress.depth][progress.pv[0]] = progress.score

        decision = self._engine.choose(Limits(nodes=nodes, multi_pv=CHOICES), note)
        best, depth = decision.progress.score, decision.progress.depth
        # The last iteration may have been interrupted after the best move.
        others = scores[depth] if len(scores[depth]) > 1 else scores[depth - 1]
        choices = {move: score for move, score in others.items() if best - MAX_CHOICE_LOSS <= score <= best}
        choices[decision.move] = best
        weights = [math.exp((score - best) / CHOICE_TEMPERATURE) for score in choices.values()]
        return decision, rng.choices(list(choices), weights)[0]


def variant_of(index: int) -> str:
    """Return the type of the game with an index."""
    return _CYCLE[index * _CYCLE_STEP % len(_CYCLE)]


def record(
    folder: Path,
    settings: RecordingSettings,
    positions: int,
    *,
    processes: int = 1,
    max_bytes: int = MAX_FILE_BYTES,
) -> tuple[int, int]:
    """Add games until the recording has at least `positions` positions; return the numbers of both that were added."""
    stem = str(settings.seed)
    series = BlockSeries(folder, stem, json.dumps(asdict(settings)).encode(), max_bytes)
    recorded = sum(game.positions for game in RecordedGames(list_series(folder, stem), decode))
    added_games = added_positions = 0
    if recorded < positions:
        for game in record_blocks(series, Recorder, (settings,), processes=processes):
            added_games, added_positions = added_games + 1, added_positions + decode(game).positions
            if recorded + added_positions >= positions:
                break
    return added_games, added_positions


def main() -> None:
    """Record games, and print how many."""
    defaults = RecordingSettings()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--positions", type=int, required=True, help="total number of positions of this seed in FOLDER")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=defaults.nodes, help="mean nodes per search (default %(default)s)")
    parser.add_argument("--seed", type=int, default=defaults.seed, help="(default %(default)s)")
    arguments = parser.parse_args()
    settings = RecordingSettings(arguments.seed, arguments.nodes)
    started = time.perf_counter()
    games, positions = record(arguments.out, settings, arguments.positions, processes=arguments.jobs)
    rate = positions / (time.perf_counter() - started) / arguments.jobs
    print(f"{games} games, {positions} positions, {rate:.0f} per second and process", file=sys.stderr)


if __name__ == "__main__":
    main()
