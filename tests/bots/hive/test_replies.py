"""The book of first replies: its moves, the searches for which the engine uses it, and the program that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.hive.__main__ import RULES
from bots.hive.engine import HiveEngine
from bots.hive.notation import TILE_NAMES, VARIANTS
from bots.hive.opening import replies
from bots.hive.opening.replies import MAX_BOOK_TILES, REPLIES_FILE, book_key, find_replies, group_placements
from bots.hive.opening.symmetry import Form, canonical_form
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from bots.hive.training import make_replies
from core.play.player import Limits, Progress, Setup, build_player
from core.system.files import read_json_object, write_json_object
from protocols.uhp.session import UhpSession
from tests.bots.playing import expect_search_without_book, player_after

SHORT_TIME = Limits(move_time_ms=100)
FIRST_MOVE = Setup(variant="Base+MLP"), ("wB1",)  # has two replies


def engine_after(setup: Setup, line: tuple[str, ...], options: str = "seed=1") -> HiveEngine:
    engine = player_after("hive", f"pentad:hash=1,{options}", line, setup)
    assert isinstance(engine, HiveEngine)
    return engine


def walk_book(position: HivePosition, book_side: int, keys: set[str]) -> None:
    """Collect the keys of all positions in which the book must have a move for one side; raise if it has none."""
    if len(position.moves) > MAX_BOOK_TILES:
        return
    moves = [images[0] for images in group_placements(position, make_replies.TILE_NAMES).values()]
    if position.to_move == book_side:
        keys.add(book_key(position.setup.variant, canonical_form(position)))
        moves = [reply.moves[0] for reply in find_replies(position)]
        assert moves, position.game_string()
    for move in moves:
        position.play(position.format(move))
        walk_book(position, book_side, keys)
        position.undo()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_of_the_first_two_turns_has_legal_replies(variant: str) -> None:
    """Whatever the other side plays, and in all game types. There are no entries that cannot be reached."""
    keys: set[str] = set()
    for book_side in range(2):
        walk_book(HivePosition(Setup(variant=variant)), book_side, keys)
    assert keys == {key for key in read_json_object(REPLIES_FILE) if key.split()[0] == variant}


def test_book_has_good_moves_only() -> None:
    for entry in read_json_object(REPLIES_FILE).values():
        assert len(entry) <= make_replies.MAX_REPLIES
        assert min(entry.values()) >= max(entry.values()) - make_replies.MARGIN


def test_rotated_and_mirrored_positions_have_the_same_replies() -> None:
    position = HivePosition.from_game("Base;;;wA1")
    tile = position.format(find_replies(position)[0].moves[0]).split()[0]
    results: list[list[tuple[int, Form]]] = []
    for black, white in ((f"{tile} wA1-", r"wQ \wA1"), (f"{tile} -wA1", "wQ wA1/"), (f"{tile} wA1/", "wQ -wA1")):
        position = HivePosition.from_game(f"Base;;;wA1;{black};{white}")
        results.append([])
        for reply in find_replies(position):
            position.play(position.format(reply.moves[0]))
            results[-1].append((reply.score, canonical_form(position)))
            position.undo()
    assert results[0]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("limits", [SHORT_TIME, Limits(move_time_ms=0), Limits(time_left_ms=60_000)])
def test_moves_of_the_book_are_played_without_a_search(limits: Limits) -> None:
    engine, reports = engine_after(*FIRST_MOVE), list[Progress]()
    decision = engine.choose(limits, reports.append)
    scores = {move: reply.score for reply in find_replies(engine.position) for move in reply.moves}
    progress = Progress(score=scores[engine.position.parse(decision.move)], pv=(decision.move,))
    assert (decision.note, decision.progress, reports) == ("book", progress, [progress])


def test_seeds_vary_the_book_moves_and_repeat_them() -> None:
    setup, line = FIRST_MOVE
    found = find_replies(engine_after(setup, line).position)

    def choose_moves(seed: int) -> list[str]:
        engine = engine_after(setup, line, f"seed={seed}")
        return [engine.choose(SHORT_TIME).move for _ in range(4)]

    choices = [choose_moves(seed) for seed in range(1, 9)]
    kinds = {move[1] for moves in choices for move in moves}
    assert len(kinds) == len(found) > 1
    assert len({moves[0] for moves in choices}) > len(kinds)  # different symmetric images, too
    assert choices == [choose_moves(seed) for seed in range(1, 9)]


@pytest.mark.parametrize(
    ("line", "limits", "options"),
    [
        (("wG1",), Limits(nodes=500), "level=10"),
        (("wG1",), Limits(depth=1), "level=10"),
        (("wG1",), Limits(move_time_ms=100, is_analysis=True), "level=10"),
        (("wG1",), Limits(move_time_ms=100, multi_pv=2), "level=10"),
        (("wG1",), Limits(move_time_ms=100, excluded_moves=("bA1 wG1-",)), "level=10"),
        (("wG1",), SHORT_TIME, "level=9"),
        (("wG1",), SHORT_TIME, "ownbook=false"),
        (("wG1", "bG1 wG1-", "wQ -wG1", "bQ bG1-"), SHORT_TIME, "level=10"),
    ],
)
def test_other_choices_are_searched(line: tuple[str, ...], limits: Limits, options: str) -> None:
    """Analyses, excluded moves, lower levels, later positions, and an engine without its book."""
    decision = engine_after(FIRST_MOVE[0], line, options).choose(limits)
    assert decision.note != "book"
    assert decision.progress.nodes > 0


@pytest.mark.parametrize(
    "content",
    [None, '{"Base+MLP wB0,0": {"bP-1,0"', "[]", '{"Base+MLP wB0,0": ["bP-1,0"]}', '{"Base+MLP wB0,0": {"bX-1,0": 5}}']
    + [f'{{"Base+MLP wB0,0": {entry}}}' for entry in ('{"bP-1,0": "good"}', '{"bP-1": 5}', '{"bP0,0": 5}', "5")],
)
def test_engine_searches_if_the_book_is_damaged(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing or damaged file must not cost a good move."""
    file = tmp_path / "replies.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    monkeypatch.setattr(replies, "REPLIES_FILE", file)
    expect_search_without_book(engine_after(*FIRST_MOVE), SHORT_TIME, file)


def test_analyze_searches_and_bestmove_does_not() -> None:
    answers: list[str] = []
    player = build_player(PLAYERS, "pentad:hash=1")
    session = UhpSession(player, RULES, answers.append, name="P", version="1", threaded=False)

    def depth_after(command: str) -> int:
        answers.clear()
        session.handle(command)
        return int(answers[-2].split(";")[1])

    for line in ("options set Verbosity 2", "newgame Base+MLP"):
        session.handle(line)
    assert depth_after("bestmove time 00:00:00.1") == 0
    assert depth_after("analyze time 00:00:00.1") > 0


def test_interrupted_book_making_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Existing entries are not searched again, and the result equals that of one run."""
    monkeypatch.setattr(make_replies, "MAX_BOOK_TILES", 1)
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    make_replies.main(whole, ("Base",), 2_000)
    rows = read_json_object(whole)
    assert set(rows) == {"Base", "Base wS0,0", "Base wB0,0", "Base wG0,0", "Base wA0,0"}
    write_json_object(part, dict(list(rows.items())[:3]))
    searched: list[tuple[str, ...]] = []
    choose_replies = make_replies.choose_replies

    def count_searches(engine: HiveEngine, position: HivePosition, *arguments: object) -> dict[str, int]:
        searched.append(tuple(position.moves))
        return choose_replies(engine, position, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(make_replies, "choose_replies", count_searches)
    make_replies.main(part, ("Base",), 2_000)
    assert part.read_bytes() == whole.read_bytes()
    assert len(searched) == 2


def test_the_best_move_of_the_search_is_in_the_book() -> None:
    """Of moves that are mirror images, one is searched, so that the others leave room for different moves."""
    position = HivePosition.from_game("Base;;;wG1;bG1 wG1-")
    engine = engine_after(position.setup, ())
    form, groups = canonical_form(position), group_placements(position, make_replies.TILE_NAMES)
    replies = make_replies.choose_replies(engine, position, groups, form, 20_000)
    engine.set_position(position.moves)
    engine.clear_hash()
    reports: list[Progress] = []
    engine.choose(Limits(nodes=20_000), reports.append)
    best = TILE_NAMES.index(reports[-1].pv[0].split()[0])
    assert next(iter(replies))[:2] == TILE_NAMES[best][:2]
