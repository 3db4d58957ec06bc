"""The book of first replies: sound in every image, asked where a clock runs at full strength, made in steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import REPLIES_FILE, find_reply, key_of
from bots.gomoku.symmetry import list_images
from bots.gomoku.training import make_replies
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, Setup
from core.play.squares import split_squares
from core.system.files import read_json_object, write_json_object

FREESTYLE = Setup(15, 15, "freestyle")
BOARDS = {key_of(setup, ()).strip(): setup for setup in make_replies.BOARDS}
SHORTLY = Limits(move_time_ms=100)


def engine_after(setup: Setup, line: list[str]) -> GomokuEngine:
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 4)
    engine.new_game(setup)
    engine.set_position(line)
    return engine


@pytest.mark.parametrize("board", BOARDS)
def test_replies_are_legal_and_turn_with_the_board(board: str) -> None:
    """Of a stone turned by a quarter the answer is turned, too; one of the other images would stand elsewhere."""
    setup, found = BOARDS[board], 0
    position = GomokuPosition(setup)
    for key, reply in read_json_object(REPLIES_FILE).items():
        name, _, moves = key.rpartition(" ")
        if name != board:
            continue
        found += 1
        images = list_images([*(split_squares(moves) or []), reply], setup)
        for *line, _ in images:
            answer = find_reply(setup, line)
            assert [*line, answer] in images  # a line that is its own mirror image has two answers
            position.replay([*line, answer])
    positions = list(make_replies.list_positions(setup, find_reply(setup, [])))
    assert found == len(positions) + 1
    assert all(find_reply(setup, line) for line in positions)


def test_every_first_stone_has_an_answer() -> None:
    for setup in BOARDS.values():
        squares = GomokuPosition(setup).legal_moves()
        assert all(find_reply(setup, [square]) not in ("", square) for square in squares)


def test_a_clock_is_answered_from_the_book() -> None:
    for limits in (SHORTLY, Limits(time_left_ms=60_000)):
        decision = engine_after(FREESTYLE, ["h8"]).choose(limits)
        move = find_reply(FREESTYLE, ["h8"])
        assert decision == Decision(move, Progress(pv=(move,)), "book")


@pytest.mark.parametrize(
    ("setup", "line", "limits", "level"),
    [
        (FREESTYLE, ["h8"], Limits(nodes=500), 10),
        (FREESTYLE, ["h8"], Limits(depth=1), 10),
        (FREESTYLE, ["h8"], Limits(move_time_ms=100, multi_pv=2), 10),
        (FREESTYLE, ["h8"], Limits(move_time_ms=100, excluded_moves=("a1",)), 10),
        (FREESTYLE, ["h8"], SHORTLY, 9),
        (FREESTYLE, ["h8", "i9", "g7"], SHORTLY, 10),
        (Setup(15, 16, "freestyle"), ["h8"], SHORTLY, 10),
        (Setup(15, 15, "caro"), ["h8"], SHORTLY, 10),
    ],
)
def test_a_search_answers_all_else(setup: Setup, line: list[str], limits: Limits, level: int) -> None:
    """An analysis, a weaker level, a move refused, a board or a rule without a book: none of them wants the book's."""
    engine = engine_after(setup, line)
    engine.set_option("level", level)
    decision = engine.choose(limits)
    assert decision.note != "book"
    assert decision.progress.nodes > 0


def test_an_analysis_without_a_limit_is_searched() -> None:
    engine = engine_after(FREESTYLE, ["h8"])
    reports: list[Progress] = []

    limits = Limits()

    def stop(progress: Progress) -> None:
        reports.append(progress)
        limits.stop.set()

    assert engine.choose(limits, stop).note != "book"
    assert reports


def test_a_stone_at_the_edge_is_left_alone() -> None:
    """Of a stone in the corner the search considers squares near it alone; the middle is better."""
    engine = engine_after(FREESTYLE, [])
    assert make_replies.reply_to(engine, FREESTYLE, ["a1"], "h8", 5_000) == "h8"
    assert make_replies.search(engine, FREESTYLE, ["a1"], 5_000).move != "h8"


def test_a_book_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it holds is not searched again, and what is added is what a whole run would have written."""
    monkeypatch.setattr(make_replies, "BOARDS", (Setup(7, 7, "freestyle"),))
    monkeypatch.setattr(make_replies, "HASH", 4)
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    make_replies.main(whole, 300)
    rows = read_json_object(whole)
    assert len(rows) == 1 + 10 + 9  # nothing, stones of an eighth of the board, and of it again beside the centre
    asked: list[str] = []
    reply_to = make_replies.reply_to

    def break_off(engine: GomokuEngine, setup: Setup, line: list[str], first: str, nodes: int) -> str:
        asked.append("".join(line))
        if len(asked) == 4:
            raise KeyboardInterrupt
        return reply_to(engine, setup, line, first, nodes)

    write_json_object(part, dict(list(rows.items())[:12]))
    monkeypatch.setattr(make_replies, "reply_to", break_off)
    with pytest.raises(KeyboardInterrupt):
        make_replies.main(part, 300)
    assert read_json_object(part) == dict(list(rows.items())[:15])
    make_replies.main(part, 300)
    assert part.read_bytes() == whole.read_bytes()
    assert len(asked) == 9
