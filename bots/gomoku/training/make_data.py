"""Records training games of the engine against itself: `python -m bots.gomoku.training.make_data FOLDER --games 20000`.

The games are written in the order of their index to FOLDER/SEED-0000.games, FOLDER/SEED-0001.games, ... in the formats
of core/training/blocks.py and game_record.py. An index gives the same game on every run with the same settings, sources
and CPU level, so an interrupted recording can be continued. `--minutes 9` uses all cores by default, and starts no game
after 9 minutes. On several machines, give each one its own seed.

A *label* is the result of a search: score, best moves and their shares of the nodes. Each position of a game that was
searched has one. A *stray* is a position that such a search evaluated on its way, a few moves away from the game; it is
labelled by a short search of its own. With `--from-strays`, each game itself starts at a stray of an earlier search, so
that the result of the game is that of the stray. Then more than half of the positions have at least 32 stones.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from bots.gomoku.engine import ENGINE_OPTIONS, EVALUATION, GomokuEngine
from bots.gomoku.openings import random_moves
from bots.gomoku.position import format_cell
from bots.gomoku.replies import book_replies
from bots.gomoku.training.game_record import SHARE_SCALE, GameRecord, Label, SearchedPly, Stray, decode, encode
from bots.gomoku.training.samples import board_index
from core.native.machine import list_processors
from core.play.options import OptionSet
from core.play.player import Decision, IllegalMove, Limits, Setup
from core.search.scores import NO_SCORE
from core.training.blocks import MAX_FILE_BYTES, BlockSeries
from core.training.recording import record_blocks

# Number of games with each board and rule in a cycle of games.
GAMES_PER_CYCLE = (
    (Setup(15, 15, "freestyle"), 10),
    (Setup(20, 20, "freestyle"), 4),
    (Setup(15, 15, "standard"), 4),
    (Setup(15, 15, "renju"), 4),
    (Setup(15, 15, "caro-overline"), 3),  # the protocol's rule 8
    (Setup(15, 15, "caro"), 3),  # rule 9
)
RULES = tuple(dict.fromkeys(setup.variant for setup, _ in GAMES_PER_CYCLE))

MAX_GAME_STONES = 200  # a game that gets this far is recorded as a draw
MAX_OPENING_SCORE = 250  # evaluation units; openings that are more uneven are skipped
RANDOM_STONE_COUNTS = (1, 2, 3, 3, 4, 5, 5, 6, 7, 8)  # an opening of random stones draws their number from these
BOOK_SHARE = 0.25  # fraction of the games that start with a line of the book of first replies; others: random stones
EXTRA_STONE_COUNTS = (0, 0, 1, 2, 3, 4)  # numbers of random stones after a book line, because the book has few lines
FORCED_NODES_DIVISOR = 4  # searches that must answer a threat are shorter: the network hardly evaluates such positions
MAX_PLIES_TO_STRAY = 80  # with `from_strays`: plies between the opening and the search whose stray starts the game
MAX_BEST_MOVES = 4  # recorded with each label


@dataclass(frozen=True)
class RecordingSettings:
    """Settings on which a recorded game depends, besides its index and the sources; stored as JSON with the games."""

    seed: int = 1
    least_nodes: int = 3_000  # each search has a random number of nodes, from least_nodes to most_nodes
    most_nodes: int = 15_000
    strays: int = 24  # greatest number of strays per position of the game
    stray_nodes: int = 1_500  # nodes of the search that labels a stray
    evaluation: str = str(EVALUATION.default)  # the engine's option of that name
    rules: tuple[str, ...] = RULES  # of the games
    from_strays: bool = False  # whether each game starts at a stray


class Recorder:
    """Plays games of the engine against itself."""

    def __init__(self, settings: RecordingSettings) -> None:
        self._settings = settings
        self._engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 16)
        self._engine.set_option("evaluation", settings.evaluation)

    def play(self, index: int) -> bytes:
        """Return the encoded game of an index."""
        return encode(self.play_game(index))

    def play_game(self, index: int) -> GameRecord:
        """Return the game of an index; with the same settings it is always the same."""
        rng = random.Random(f"{self._settings.seed} {index}")
        setup = setup_of(index, self._settings.rules)
        opening_length = None
        while opening_length is None:
            opening_length = self._play_opening(draw_opening(setup, rng), setup, rng)
            if opening_length is not None and self._settings.from_strays:
                opening_length = self._go_to_stray(rng)
        plies, result = self._play_to_end(rng)
        position = self._engine.position
        moves = tuple(board_index(cell, setup.width) for cell in position.played_cells)
        return GameRecord(index, int(position.state.rule), setup.width, opening_length, result, moves, plies)

    def _play_opening(self, moves: list[str], setup: Setup, rng: random.Random) -> int | None:
        """Play an opening; return its length, or None if it is illegal, too uneven or has a known result."""
        engine = self._engine
        engine.new_game(setup)
        engine.clear_hash()
        try:
            engine.position.replay(moves)
        except IllegalMove:
            return None
        if engine.position.library.terminal_score(engine.position.state, 0) != NO_SCORE:
            return None
        progress = engine.choose(Limits(nodes=self._draw_nodes(rng))).progress
        return None if progress.result or abs(progress.score) > MAX_OPENING_SCORE else len(moves)

    def _go_to_stray(self, rng: random.Random) -> int | None:
        """Play on for a random number of plies and go to a stray of the last search; return its number of stones.

        If the game ends earlier, it is a stray of any of its searches. Return None if there is none, or if the result
        of the position is known statically.
        """
        engine = self._engine
        state, library = engine.position.state, engine.position.library
        last_stones = state.stones + rng.randint(0, MAX_PLIES_TO_STRAY)
        strays: list[tuple[int, list[int]]] = []  # number of stones at the search, moves from there
        while state.stones <= last_stones and library.terminal_score(state, 0) == NO_SCORE:
            must_answer_threat = bool(library.must_answer_threat(state))
            decision, sample_count = self._search(self._draw_nodes(rng), 0 if must_answer_threat else 1)
            if sample_count:
                strays.append((state.stones, self._moves_to_sample(0)))
            if decision.progress.result:
                break
            engine.position.play(decision.move)
        if not strays:
            return None
        stones, moves = strays[-1] if state.stones > last_stones else rng.choice(strays)
        while state.stones > stones:
            engine.position.undo()
        for cell in moves:
            engine.position.play(format_cell(cell))
        engine.clear_hash()
        return state.stones if library.terminal_score(state, 0) == NO_SCORE else None

    def _play_to_end(self, rng: random.Random) -> tuple[tuple[SearchedPly, ...], int]:
        """Play the game until its result is known; return the searched positions and the result.

        The result is 1 if black wins, -1 if white wins, 0 for a draw. It is known statically or proven by the search;
        after MAX_GAME_STONES stones the game is a draw.
        """
        engine = self._engine
        state, library = engine.position.state, engine.position.library
        plies: list[SearchedPly] = []
        while state.stones < MAX_GAME_STONES:
            mover_sign = 1 - 2 * state.side  # 1 for black, -1 for white
            static_score = library.terminal_score(state, 0)
            if static_score != NO_SCORE:
                return tuple(plies), mover_sign * ((static_score > 0) - (static_score < 0))
            must_answer_threat = bool(library.must_answer_threat(state))
            nodes = self._draw_nodes(rng) // (FORCED_NODES_DIVISOR if must_answer_threat else 1)
            decision, sample_count = self._search(nodes, 0 if must_answer_threat else self._settings.strays)
            label = self._label(decision)
            if decision.progress.result:
                plies.append(SearchedPly(label, ()))
                return tuple(plies), mover_sign * (1 if decision.progress.result == "win" else -1)
            plies.append(SearchedPly(label, tuple(self._label_stray(index) for index in range(sample_count))))
            engine.position.play(decision.move)
        return tuple(plies), 0

    def _search(self, nodes: int, most_samples: int) -> tuple[Decision, int]:
        """Search the position and sample evaluated positions; return the decision and the number of samples."""
        state = self._engine.position.state
        state.samples_wanted, state.samples_seen, state.samples_root = most_samples, 0, state.stones
        decision = self._engine.choose(Limits(nodes=nodes))
        state.samples_wanted = 0
        return decision, min(state.samples_seen, most_samples)

    def _moves_to_sample(self, sample_index: int) -> list[int]:
        """Return the moves from the searched position to a sample of its search, as cells."""
        sampled_moves = self._engine.position.state.sampled_moves[sample_index]
        return list(itertools.takewhile(bool, sampled_moves))  # a 0 ends the moves

    def _draw_nodes(self, rng: random.Random) -> int:
        """Return a random number of nodes for a search."""
        return rng.randint(self._settings.least_nodes, self._settings.most_nodes)

    def _label(self, decision: Decision) -> Label:
        """Return the label of the position: the last search's score, its move, and the other moves with most nodes."""
        position = self._engine.position
        size, best = position.setup.width, position.parse(decision.move)
        state = position.state
        nodes = dict(
            zip(state.root_moves[: state.root_move_count], state.root_nodes[: state.root_move_count], strict=True)
        )
        total = sum(nodes.values())
        if not decision.progress.nodes or not total:  # a single legal move is not searched
            return Label(decision.progress.score, ((board_index(best, size), SHARE_SCALE),))
        others = sorted((move for move in nodes if move != best), key=lambda move: -nodes[move])
        shares = [(move, SHARE_SCALE * nodes[move] // total) for move in [best, *others[: MAX_BEST_MOVES - 1]]]
        kept = tuple((board_index(move, size), share) for move, share in shares if share or move == best)
        return Label(decision.progress.score, kept)

    def _label_stray(self, sample_index: int) -> Stray:
        """Label a position that the search of the game's position sampled, by a search of its own."""
        engine = self._engine
        size, cells = engine.position.setup.width, self._moves_to_sample(sample_index)
        for cell in cells:
            engine.position.play(format_cell(cell))
        label = self._label(engine.choose(Limits(nodes=self._settings.stray_nodes)))
        for _ in cells:
            engine.position.undo()
        return Stray(tuple(board_index(cell, size) for cell in cells), label)


def setup_of(index: int, rules: tuple[str, ...] = RULES) -> Setup:
    """Return the board and rule of the game with an index, if only games with some rules are played."""
    cycle = _list_cycle(rules)
    return cycle[index % len(cycle)]


@cache
def _list_cycle(rules: tuple[str, ...]) -> list[Setup]:
    """Return the boards and rules of a cycle of games; each board and rule is spread evenly over it."""
    times = [((k + 0.5) / games, setup) for setup, games in GAMES_PER_CYCLE for k in range(games)]
    return [setup for _, setup in sorted(times, key=lambda entry: entry[0]) if setup.variant in rules]


def draw_opening(setup: Setup, rng: random.Random) -> list[str]:
    """Return an opening: random stones near the centre, or a book line and a few random stones.

    It may be illegal. Caro, which has no book, uses the book of freestyle.
    """
    if rng.random() >= BOOK_SHARE:
        return random_moves(rng, setup, rng.choice(RANDOM_STONE_COUNTS))
    variant = "freestyle" if setup.variant.startswith("caro") else setup.variant
    line, reply = rng.choice(list(book_replies(Setup(setup.width, setup.height, variant)).items()))
    return [*line, reply, *random_moves(rng, setup, rng.choice(EXTRA_STONE_COUNTS))]


def record(
    folder: Path,
    settings: RecordingSettings,
    end_index: int | None = None,
    *,
    processes: int = 1,
    is_over: Callable[[], bool] = lambda: False,
    max_bytes: int = MAX_FILE_BYTES,
) -> tuple[int, int]:
    """Add games until `end_index` (exclusive; None for no end) or until `is_over` returns true.

    Return the numbers of games and positions added.
    """
    series = BlockSeries(folder, str(settings.seed), json.dumps(asdict(settings)).encode(), max_bytes)
    added = positions = 0
    for game in record_blocks(series, Recorder, (settings,), end_index, processes=processes, is_over=is_over):
        added, positions = added + 1, positions + decode(game).positions
    return added, positions


def main() -> None:
    """Record games, and print how many."""
    defaults = RecordingSettings()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    until = parser.add_mutually_exclusive_group(required=True)
    until.add_argument("--games", type=int, help="total number of games of this seed in the folder")
    until.add_argument("--minutes", type=float, help="start games for this many minutes")
    parser.add_argument("--processes", type=int, help="default: 1 with --games, all cores with --minutes")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--nodes", type=int, nargs=2, default=(defaults.least_nodes, defaults.most_nodes))
    parser.add_argument(
        "--strays", type=int, default=defaults.strays, help="off-game positions labelled per searched position"
    )
    parser.add_argument(
        "--stray-nodes", type=int, default=defaults.stray_nodes, help="nodes of the search that labels a stray"
    )
    parser.add_argument("--evaluation", choices=EVALUATION.choices, default=defaults.evaluation)
    parser.add_argument("--from-strays", action="store_true", help="start each game at a stray of an earlier search")
    parser.add_argument("--rule", nargs="+", choices=RULES, default=RULES, help="rules of the games (default: all)")
    arguments = parser.parse_args()
    settings = RecordingSettings(
        arguments.seed,
        arguments.nodes[0],
        arguments.nodes[1],
        arguments.strays,
        arguments.stray_nodes,
        arguments.evaluation,
        tuple(arguments.rule),
        arguments.from_strays,
    )
    processes = arguments.processes or (len(list_processors()) if arguments.minutes else 1)
    started = time.perf_counter()
    deadline = started + 60 * arguments.minutes if arguments.minutes else float("inf")
    games, positions = record(
        arguments.folder,
        settings,
        arguments.games,
        processes=processes,
        is_over=lambda: time.perf_counter() >= deadline,
    )
    elapsed = time.perf_counter() - started
    rate = positions / elapsed / processes
    print(f"{games} games, {positions} positions, {rate:.0f} per second and process", file=sys.stderr)


if __name__ == "__main__":
    main()
