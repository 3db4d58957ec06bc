"""Record games of the engine against itself: `python -m bots.gomoku.training.make_data FOLDER --games 20000`.

`FOLDER/SEED-0000.games`, `FOLDER/SEED-0001.games` and so on (core/training/blocks.py) hold the games in the order of
their index (game_record.py). An index has the same game whenever and wherever it is played by the same sources at the
same CPU level, so a recording that was broken off goes on. `--minutes 9` uses all cores and begins no game after 9
minutes; on several machines give each one a seed of its own.
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
from pathlib import Path

from bots.gomoku.engine import ENGINE_OPTIONS, EVALUATION, GomokuEngine
from bots.gomoku.openings import random_moves
from bots.gomoku.position import PAD, STRIDE, format_cell
from bots.gomoku.replies import replies_of
from bots.gomoku.training.game_record import SHARE_ONE, GameRecord, Label, SearchedPly, Stray, decode, encode
from core.native.machine import list_processors
from core.play.options import OptionSet
from core.play.player import Decision, IllegalMove, Limits, Setup
from core.search.scores import NO_SCORE
from core.training.blocks import MAX_FILE_BYTES, BlockSeries
from core.training.games import open_workers, play_in_order

# Games of each kind out of 28: freestyle 15x15 and 20x20, standard, renju and caro in the ratio 5:2:2:2:3.
KINDS = (
    (Setup(15, 15, "freestyle"), 10),
    (Setup(20, 20, "freestyle"), 4),
    (Setup(15, 15, "standard"), 4),
    (Setup(15, 15, "renju"), 4),
    (Setup(15, 15, "caro-overline"), 3),  # the protocol's rule 8
    (Setup(15, 15, "caro"), 3),  # rule 9
)
_CYCLE = [setup for setup, games in KINDS for _ in range(games)]
_CYCLE_STEP = 11  # has no common divisor with the cycle's length, so that successive games are of different kinds

MAX_STONES = 200  # a longer game is recorded as a draw
DECIDED_OPENING = 250  # evaluation units: a game teaches little if one side has won its opening already
RANDOM_STONES = (1, 2, 3, 3, 4, 5, 5, 6, 7, 8)
BOOK_SHARE = 0.25  # of the games; the others begin with random stones
BOOK_EXTRA_STONES = (0, 0, 1, 2, 3, 4)  # random ones after the book's, as the book has few lines
FORCED_DIVISOR = 4  # of the nodes for a position in which a threat must be answered: the network never judges it
BEST_MOVES = 4  # recorded for each position
AHEAD = 4  # games per process that may be finished before their turn to be written


@dataclass(frozen=True)
class RecordingSettings:
    """What a recorded game depends on, beside its index and the sources."""

    seed: int = 1
    least_nodes: int = 3_000  # per move, drawn at random so that games differ
    most_nodes: int = 15_000
    strays: int = 24  # per position of the game
    stray_nodes: int = 1_500  # of the search that labels a stray
    evaluation: str = str(EVALUATION.default)


class Recorder:
    """Plays games against itself."""

    def __init__(self, settings: RecordingSettings) -> None:
        self._settings = settings
        self._engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
        self._engine.set_option("hash", 16)
        self._engine.set_option("evaluation", settings.evaluation)

    def play(self, index: int) -> bytes:
        """The encoded game of an index."""
        return encode(self.play_game(index))

    def play_game(self, index: int) -> GameRecord:
        """The game of an index, always the same one."""
        chance = random.Random(f"{self._settings.seed} {index}")
        setup = setup_of(index)
        opening = None
        while opening is None:
            opening = self._open(draw_opening(setup, chance), setup, chance)
        plies, result = self._finish(chance)
        position = self._engine.position
        moves = tuple(flat(cell, setup.width) for cell in position.cells)
        return GameRecord(index, int(position.state.rule), setup.width, opening, result, moves, plies)

    def _open(self, moves: list[str], setup: Setup, chance: random.Random) -> int | None:
        """Play an opening; return its length, or None if it is illegal or decides the game."""
        engine = self._engine
        engine.new_game(setup)
        engine.clear_hash()
        try:
            for move in moves:
                engine.position.play(move)
        except IllegalMove:
            return None
        if engine.position.library.terminal_score(engine.position.state, 0) != NO_SCORE:
            return None
        progress = engine.choose(Limits(nodes=self._draw_nodes(chance))).progress
        return None if progress.result or abs(progress.score) > DECIDED_OPENING else len(moves)

    def _finish(self, chance: random.Random) -> tuple[tuple[SearchedPly, ...], int]:
        """Play the game to its end; return the searched positions and the result (1 black, -1 white, 0 drawn)."""
        engine = self._engine
        state, library = engine.position.state, engine.position.library
        plies: list[SearchedPly] = []
        while state.stones < MAX_STONES:
            mover = 1 - 2 * state.side
            settled = library.terminal_score(state, 0)
            if settled != NO_SCORE:
                return tuple(plies), mover * ((settled > 0) - (settled < 0))
            must_answer_threat = bool(library.must_answer_threat(state))
            nodes = self._draw_nodes(chance) // (FORCED_DIVISOR if must_answer_threat else 1)
            state.notes_wanted = 0 if must_answer_threat else self._settings.strays
            state.notes_seen, state.notes_from = 0, state.stones
            decision = engine.choose(Limits(nodes=nodes))
            noted = min(state.notes_seen, state.notes_wanted)
            state.notes_wanted = 0
            label = self._label(decision)
            if decision.progress.result:
                plies.append(SearchedPly(label, ()))
                return tuple(plies), mover * (1 if decision.progress.result == "win" else -1)
            plies.append(SearchedPly(label, tuple(self._stray(number) for number in range(noted))))
            engine.position.play(decision.move)
        return tuple(plies), 0

    def _draw_nodes(self, chance: random.Random) -> int:
        return chance.randint(self._settings.least_nodes, self._settings.most_nodes)

    def _label(self, decision: Decision) -> Label:
        """What the search just made found: score, best move, and the moves with most nodes."""
        position = self._engine.position
        size, best = position.setup.width, position.parse(decision.move)
        state = position.state
        nodes = dict(
            zip(state.root_moves[: state.root_move_count], state.root_nodes[: state.root_move_count], strict=True)
        )
        total = sum(nodes.values())
        if not decision.progress.nodes or not total:  # a single legal move is not searched
            return Label(decision.progress.score, ((flat(best, size), SHARE_ONE),))
        others = sorted((move for move in nodes if move != best), key=lambda move: -nodes[move])
        shares = [(move, SHARE_ONE * nodes[move] // total) for move in [best, *others[: BEST_MOVES - 1]]]
        kept = tuple((flat(move, size), share) for move, share in shares if share or move == best)
        return Label(decision.progress.score, kept)

    def _stray(self, number: int) -> Stray:
        """A position that the last search noted, labelled by a search of its own."""
        engine = self._engine
        state, size = engine.position.state, engine.position.setup.width
        cells = list(itertools.takewhile(bool, state.notes[number]))
        for cell in cells:
            engine.position.play(format_cell(cell))
        label = self._label(engine.choose(Limits(nodes=self._settings.stray_nodes)))
        for _ in cells:
            engine.position.undo()
        return Stray(tuple(flat(cell, size) for cell in cells), label)


def setup_of(index: int) -> Setup:
    """Board and rule of a game."""
    return _CYCLE[index * _CYCLE_STEP % len(_CYCLE)]


def draw_opening(setup: Setup, chance: random.Random) -> list[str]:
    """Random stones near the centre, or a line of the book of first replies and some; they may be illegal together.

    Caro, for which there is no book, has freestyle's.
    """
    if chance.random() >= BOOK_SHARE:
        return random_moves(chance, setup, chance.choice(RANDOM_STONES))
    variant = "freestyle" if setup.variant.startswith("caro") else setup.variant
    line, reply = chance.choice(list(replies_of(Setup(setup.width, setup.height, variant)).items()))
    return [*line, reply, *random_moves(chance, setup, chance.choice(BOOK_EXTRA_STONES))]


def flat(cell: int, size: int) -> int:
    """A cell of the kernels' board as `y * size + x`."""
    return (cell // STRIDE - PAD) * size + cell % STRIDE - PAD


def record(
    folder: Path,
    settings: RecordingSettings,
    games: int | None = None,
    *,
    processes: int = 1,
    is_over: Callable[[], bool] = lambda: False,
    max_bytes: int = MAX_FILE_BYTES,
) -> tuple[int, int]:
    """Add the games that the folder lacks up to an index, or until `is_over`; return how many games and positions."""
    series = BlockSeries(folder, str(settings.seed), json.dumps(asdict(settings)).encode(), max_bytes)
    numbers = itertools.count(series.count) if games is None else range(series.count, games)
    added = positions = 0
    with open_workers(processes) as executor:
        ahead = AHEAD * processes if executor else 1
        for game in play_in_order(Recorder, (settings,), numbers, executor=executor, ahead=ahead, is_over=is_over):
            series.append(game)
            added, positions = added + 1, positions + decode(game).positions
    return added, positions


def main() -> None:
    """Record games, and say how many."""
    defaults = RecordingSettings()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    until = parser.add_mutually_exclusive_group(required=True)
    until.add_argument("--games", type=int, help="number of games that the folder then has of this seed")
    until.add_argument("--minutes", type=float, help="begin games for so many minutes, on all cores")
    parser.add_argument("--processes", type=int, help="default: 1 with --games, all cores with --minutes")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--nodes", type=int, nargs=2, default=(defaults.least_nodes, defaults.most_nodes))
    parser.add_argument("--strays", type=int, default=defaults.strays, help="positions beside each one of a game")
    parser.add_argument("--stray-nodes", type=int, default=defaults.stray_nodes, help="of the search of a stray")
    parser.add_argument("--evaluation", choices=EVALUATION.choices, default=defaults.evaluation)
    given = parser.parse_args()
    settings = RecordingSettings(
        given.seed, given.nodes[0], given.nodes[1], given.strays, given.stray_nodes, given.evaluation
    )
    processes = given.processes or (len(list_processors()) if given.minutes else 1)
    began = time.perf_counter()
    ends = began + 60 * given.minutes if given.minutes else float("inf")
    games, positions = record(
        given.folder, settings, given.games, processes=processes, is_over=lambda: time.perf_counter() >= ends
    )
    elapsed = time.perf_counter() - began
    rate = positions / elapsed / processes
    print(f"{games} games, {positions} positions, {rate:.0f} per second and process", file=sys.stderr)


if __name__ == "__main__":
    main()
