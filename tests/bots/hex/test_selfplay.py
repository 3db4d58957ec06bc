"""Self-play training in batches: it plays by the rules, and learns perfect play on small boards from nothing."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.play.squares import format_square
from tests.bots.hex.naive import NaiveHex

torch: Any = pytest.importorskip("torch", reason="needs the extra `train`")

from bots.hex.training.model import Network, read_network  # noqa: E402
from bots.hex.training.selfplay.__main__ import parse_sizes  # noqa: E402
from bots.hex.training.selfplay.boards import BatchedBoards, play_in_view  # noqa: E402
from bots.hex.training.selfplay.pool import ILLEGAL, Evaluator, Pool, ReplayBuffer, improve_policy  # noqa: E402
from bots.hex.training.selfplay.trainer import (  # noqa: E402
    CHECKPOINT_NAME,
    CURVE_NAME,
    SelfplaySettings,
    Trainer,
    play_match,
)
from bots.hex.training.side_view import EMPTY, OPPONENT, OWN, to_side_view  # noqa: E402

CPU = torch.device("cpu")
SMALL_SIZES = {3: 1.0, 4: 2.0}
WINNING = {3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4"}  # black's winning first moves, by the solver


def make_settings(steps: int, sizes: dict[int, float], games: int = 64) -> SelfplaySettings:
    """Return settings for a run of `steps` steps; in each, all games of one randomly drawn size make a move.

    The clock of `train` advances by half a second at each reading, and is read twice per move.
    """
    return SelfplaySettings(
        sizes=sizes,
        games=games,
        batch=games,
        rate=5e-3,
        reuse=4.0,
        seconds=steps,
        report_seconds=steps,
        match_size=4,
        match_pairs=50,
    )


def train(out: Path, settings: SelfplaySettings, channels: int = 16, **opponents: Evaluator) -> Trainer:
    """Train a network with two blocks by one thread."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    trainer = Trainer(Network(channels, 2), out, CPU, bf16=False, settings=settings)
    # The clock is read before the first move, before each move, and once after it.
    trainer.run(opponents, clock=itertools.count(0, 0.5).__next__)
    return trainer


@pytest.mark.parametrize("size", [3, 5, 6])
def test_batched_boards_follow_the_rules(size: int) -> None:
    """The labels of groups give the winning moves; a naive flood fill must agree in each position."""
    torch.manual_seed(size)
    games = 12
    boards = BatchedBoards(size, games, CPU)
    naive_boards = [NaiveHex(size, size) for _ in range(games)]
    is_over = torch.zeros(games, dtype=torch.bool)
    for ply in range(size * size):
        side = ply % 2
        views, winning = boards.view(), boards.winning_moves()
        moves = torch.rand(views.shape).masked_fill(views != 0, -1).argmax(dim=1)
        next_views = play_in_view(views, moves, size)
        for game, naive in enumerate(naive_boards):
            if is_over[game]:
                continue
            for x, y in naive.cells():
                cell = to_side_view(side, y * size + x, size)
                stone = naive.stones.get((x, y))
                assert int(views[game, cell]) == (0 if stone is None else OWN if stone == side else OPPONENT)
                if stone is None:
                    child = NaiveHex(size, size, {**naive.stones, (x, y): side})
                    assert bool(winning[game, cell]) == (child.winner() == side)
            cell = to_side_view(side, int(moves[game]), size)
            naive.stones[cell % size, cell // size] = side
        is_over |= winning.any(dim=1)
        boards.play(moves, ~is_over)
        assert torch.equal(boards.view()[~is_over], next_views[~is_over])
    assert is_over.all()


def select_games(boards: BatchedBoards, games: Any) -> BatchedBoards:
    """Return the boards of some games, given by number; a game may occur several times."""
    selected = BatchedBoards(boards.size, len(games), CPU)
    for name in ("stones", "labels", "to_move", "plies"):
        setattr(selected, name, getattr(boards, name)[games])
    return selected


def count_lost_games(evaluator: Evaluator, size: int) -> int:
    """Return how many final positions the policy loses for the side with a won position, against all replies.

    Every first stone of black is tried. Equal positions count once.
    """
    cells = size * size
    boards = BatchedBoards(size, cells, CPU)
    boards.play(torch.arange(cells), torch.ones(cells, dtype=torch.bool))
    wins_as_black = [format_square(cell % size, cell // size) in WINNING[size].split() for cell in range(cells)]
    sides = torch.where(torch.tensor(wins_as_black), 0, 1)  # side of the policy
    lost = 0
    while boards.count:
        is_over = boards.winning_moves().any(dim=1)
        lost += int((is_over & (boards.to_move != sides)).sum())
        is_ours = boards.to_move == sides
        views = boards.view()
        best = evaluator.evaluate(views, size)[0].argmax(dim=1, keepdim=True)
        is_played = torch.where(is_ours[:, None], torch.arange(cells) == best, views == 0) & ~is_over[:, None]
        games, moves = torch.nonzero(is_played, as_tuple=True)
        boards, sides = select_games(boards, games), sides[games]
        boards.play(moves, torch.ones(len(games), dtype=torch.bool))
        distinct, numbers = torch.unique(torch.cat([boards.stones, sides[:, None]], dim=1), dim=0, return_inverse=True)
        firsts = torch.zeros(len(distinct), dtype=torch.int64).scatter(0, numbers, torch.arange(len(games)))
        boards, sides = select_games(boards, firsts), sides[firsts]
    return lost


@pytest.mark.slow
def test_winning_on_small_boards_is_learned_from_nothing(tmp_path: Path) -> None:
    """If results, sides or views were mixed up anywhere, the network would learn to lose."""
    torch.manual_seed(1)
    untrained = Evaluator(Network(16, 2), CPU, bf16=False)
    assert all(count_lost_games(untrained, size) > 10 for size in SMALL_SIZES)
    settings = replace(make_settings(1300, SMALL_SIZES, games=256), reuse=2.0, improved_interval=1)
    trained = train(tmp_path, settings).average
    assert count_lost_games(trained, 3) == 0
    assert count_lost_games(trained, 4) < 10  # 0 and 2 were measured with two seeds


def test_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    first = train(tmp_path, make_settings(10, SMALL_SIZES, games=16))
    second = train(tmp_path, make_settings(10, SMALL_SIZES, games=16))
    curve = [json.loads(line) for line in (tmp_path / CURVE_NAME).read_text(encoding="utf-8").splitlines()]
    assert 0 < first.steps < second.steps
    assert curve[-1]["steps"] == second.steps
    assert [line["seconds"] for line in curve] == sorted(line["seconds"] for line in curve)
    assert curve[-1]["games"] > curve[len(curve) // 2 - 1]["games"] > 0
    averages = read_network(tmp_path / CHECKPOINT_NAME).state_dict()
    assert all(torch.equal(averages[name], value) for name, value in second.average.network.state_dict().items())


def test_a_network_is_even_with_itself() -> None:
    """Each opening is played from both sides, so equal players win one game each."""
    torch.manual_seed(1)
    evaluator = Evaluator(Network(8, 1), CPU, bf16=False)
    assert play_match(evaluator, evaluator, 5, 20) == 0.5


class KnownValues:
    """An evaluator that calls a position lost for the side to move if the opponent has a stone on the cell `best`.

    The cell is given in the opponent's view.
    """

    def __init__(self, size: int, best: int) -> None:
        self.seen = to_side_view(1, best, size)  # the cell in the view of the side to move

    def evaluate(self, views: Any, _size: int) -> tuple[Any, Any]:
        return torch.zeros(views.shape).masked_fill(views != 0, ILLEGAL), 1 - (views[:, self.seen] == OPPONENT).float()


def test_improved_policy_prefers_the_move_with_the_best_evaluation() -> None:
    torch.manual_seed(1)
    size, best, occupied = 4, 6, 9
    views = torch.zeros(20, size * size, dtype=torch.int8)
    views[:, occupied] = OWN
    evaluator: Any = KnownValues(size, best)
    logits, _ = evaluator.evaluate(views, size)
    improved, moves = improve_policy(evaluator, views, size, logits, torch.full((20,), 0.5))
    assert moves.tolist() == [best] * 20
    assert improved.argmax(dim=1).tolist() == [best] * 20
    assert improved.sum(dim=1).tolist() == pytest.approx([1.0] * 20)
    assert improved[:, occupied].tolist() == [0.0] * 20


def winning_cells(view: list[int], size: int) -> list[int]:
    """Return the cells of a board that win at once for the side to move, by a naive flood fill."""
    stones = {(cell % size, cell // size): int(stone == OPPONENT) for cell, stone in enumerate(view) if stone != EMPTY}
    moves = {cell: (cell % size, cell // size) for cell, stone in enumerate(view) if stone == EMPTY}
    return [cell for cell, move in moves.items() if NaiveHex(size, size, {**stones, move: 0}).winner() == 0]


def test_last_positions_of_games_are_samples() -> None:
    """Regression: a move that let the opponent win at once was judged by a value that nothing had trained."""
    torch.manual_seed(1)
    size = 3
    pool = Pool(size, 16, Evaluator(Network(8, 1), CPU, bf16=False), interval=1)
    for _ in range(20):
        pool.step()
    replay, last_positions = pool.replay, 0
    for index in range(len(replay)):
        wins = winning_cells(replay.boards[index].tolist(), size)
        if wins:
            last_positions += 1
            policy = [1 / len(wins) if cell in wins else 0 for cell in range(size * size)]
            assert replay.policies[index].tolist() == pytest.approx(policy, abs=1e-3)
            assert replay.results[index] == 1
    assert last_positions == pool.games > 0


def test_replay_keeps_the_newest_samples_and_rotates_half_of_those_drawn() -> None:
    replay = ReplayBuffer(3, 4, CPU)
    for number in range(1, 7):
        board = torch.tensor([[number, 0, 0]], dtype=torch.int8)
        replay.append(board, board.half(), torch.tensor([float(number)]))
    boards, policies, results = replay.draw(200)
    assert set(results.tolist()) == {3.0, 4.0, 5.0, 6.0}
    assert torch.equal(boards.float(), policies)
    assert torch.equal(boards.sum(dim=1).float(), results)
    assert (boards[:100, 2] > 0).all()
    assert (boards[100:, 0] > 0).all()


def test_sizes_are_parsed() -> None:
    assert parse_sizes("9,11:3") == {9: 1.0, 11: 3.0}
    with pytest.raises(ValueError, match=r"^board sizes must be 3 or more and their weights above 0, not '2:1'$"):
        parse_sizes("2:1")
