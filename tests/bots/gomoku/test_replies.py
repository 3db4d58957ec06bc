"""The book of first replies: its moves, the searches for which the engine uses it, and the program that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.gomoku import replies
from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.position import GomokuPosition
from bots.gomoku.replies import REPLIES_FILE, book_key, find_reply
from bots.gomoku.symmetry import list_symmetric_lines
from bots.gomoku.training import make_replies
from core.play.options import OptionSet
from core.play.player import Decision, Limits, Progress, Setup
from core.play.squares import split_squares
from core.system.files import read_json_object, write_json_object
from tests.bots.playing import expect_search_without_book

FREESTYLE = Setup(15, 15, "freestyle")
# Boards of the book by variant and size, as in `freestyle 15x15`.
BOARDS = {book_key(setup, ()).strip(): setup for setup in make_replies.BOARDS}
SHORT_TIME = Limits(move_time_ms=100)


def engine_after(setup: Setup, line: list[str]) -> GomokuEngine:
    engine = GomokuEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", 4)
    engine.new_game(setup)
    engine.set_position(line)
    return engine


@pytest.mark.parametrize("board", BOARDS)
def test_replies_are_legal_and_symmetric(board: str) -> None:
    """The reply to a rotated or mirrored position is the rotated or mirrored reply."""
    setup, entry_count = BOARDS[board], 0
    position = GomokuPosition(setup)
    for key, reply in read_json_object(REPLIES_FILE).items():
        name, _, moves = key.rpartition(" ")
        if name != board:
            continue
        entry_count += 1
        images = list_symmetric_lines([*(split_squares(moves) or []), reply], setup)
        for *line, _ in images:
            answer = find_reply(setup, line)
            assert [*line, answer] in images  # after a line with a symmetry, the image of the reply is as good
            position.replay([*line, answer])
    positions = list(make_replies.list_positions(setup, find_reply(setup, [])))
    assert entry_count == len(positions) + 1  # and the empty board
    assert all(find_reply(setup, line) for line in positions)


def test_every_first_stone_has_an_answer() -> None:
    for setup in BOARDS.values():
        squares = GomokuPosition(setup).legal_moves()
        assert all(find_reply(setup, [square]) not in ("", square) for square in squares)


def test_time_limited_choice_uses_the_book() -> None:
    for limits in (SHORT_TIME, Limits(time_left_ms=60_000)):
        decision = engine_after(FREESTYLE, ["h8"]).choose(limits)
        move = find_reply(FREESTYLE, ["h8"])
        assert decision == Decision(move, Progress(pv=(move,)), "book")


@pytest.mark.parametrize("content", [None, '{"freestyle 15x15 h8": "i', '["h8"]', '{"freestyle 15x15 h8": "h99"}'])
def test_engine_searches_if_the_book_is_damaged(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing or damaged file must not cost a good move."""
    file = tmp_path / "replies.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    monkeypatch.setattr(replies, "REPLIES_FILE", file)
    monkeypatch.setattr(replies, "book_replies", replies.book_replies.__wrapped__)  # without its cache
    expect_search_without_book(engine_after(FREESTYLE, ["h8"]), SHORT_TIME, file)


@pytest.mark.parametrize(
    ("setup", "line", "limits", "level"),
    [
        (FREESTYLE, ["h8"], Limits(nodes=500), 10),
        (FREESTYLE, ["h8"], Limits(depth=1), 10),
        (FREESTYLE, ["h8"], Limits(move_time_ms=100, multi_pv=2), 10),
        (FREESTYLE, ["h8"], Limits(move_time_ms=100, is_analysis=True), 10),
        (FREESTYLE, ["h8"], Limits(move_time_ms=100, excluded_moves=("a1",)), 10),
        (FREESTYLE, ["h8"], SHORT_TIME, 9),
        (FREESTYLE, ["h8", "i9", "g7"], SHORT_TIME, 10),
        (Setup(15, 16, "freestyle"), ["h8"], SHORT_TIME, 10),
        (Setup(15, 15, "caro"), ["h8"], SHORT_TIME, 10),
    ],
)
def test_other_choices_are_searched(setup: Setup, line: list[str], limits: Limits, level: int) -> None:
    """Analyses, lower levels, excluded moves, later positions, and boards or rules without a book."""
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


def test_stone_at_the_edge_is_answered_in_the_middle() -> None:
    """After a stone in the corner, a search alone considers only squares near it, but the middle h8 is better."""
    engine = engine_after(FREESTYLE, [])
    assert make_replies.choose_reply(engine, FREESTYLE, ["a1"], "h8", 5_000) == "h8"
    assert make_replies.search(engine, FREESTYLE, ["a1"], 5_000).move != "h8"


def test_interrupted_book_making_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Existing entries are not searched again, and the result equals that of one run.

    The book begins with 12 of its 20 entries. The run is interrupted at the fourth search, then continued.
    """
    monkeypatch.setattr(make_replies, "BOARDS", (Setup(7, 7, "freestyle"),))
    monkeypatch.setattr(make_replies, "HASH", 4)
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    make_replies.main(whole, 300)
    rows = read_json_object(whole)
    # The empty board, first stones up to symmetry, and second stones up to symmetry after a first one in the centre.
    assert len(rows) == 1 + 10 + 9
    searched_lines: list[str] = []
    choose_reply = make_replies.choose_reply

    def interrupt_fourth_call(engine: GomokuEngine, setup: Setup, line: list[str], first: str, nodes: int) -> str:
        searched_lines.append("".join(line))
        if len(searched_lines) == 4:
            raise KeyboardInterrupt
        return choose_reply(engine, setup, line, first, nodes)

    write_json_object(part, dict(list(rows.items())[:12]))
    monkeypatch.setattr(make_replies, "choose_reply", interrupt_fourth_call)
    with pytest.raises(KeyboardInterrupt):
        make_replies.main(part, 300)
    assert read_json_object(part) == dict(list(rows.items())[:15])
    make_replies.main(part, 300)
    assert part.read_bytes() == whole.read_bytes()
    assert len(searched_lines) == 9
