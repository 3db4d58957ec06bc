"""The play page's server: commands work, mistakes are answered, other pages and broken engines do no harm."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.errors import CommandFailedError, UsageError
from arena.options.play import PlayOptions
from arena.web.play import launch
from arena.web.play.server import FILES
from arena.web.play.table import PlayTable
from arena.web.play.terms import make_table
from bots.gomoku.paper.player import RANDOM_OPTIONS, RandomPlayer
from bots.registry import GAMES
from core.play.options import OptionSet
from core.play.player import Decision, Limits, ProgressCallback, ignore_progress
from tests.arena.web.players import Client, lay_table, open_page, state_of, wait_for
from tests.waiting import wait_until


def my_turn(state: Any) -> bool:
    return bool(state["result"]) or state["to_move"] in state["people"]


@pytest.mark.parametrize("game", GAMES)
def test_game_is_played_to_its_end(client: Client, game: str) -> None:
    page = client(game, size=5 if game in ("gomoku", "hex") else None)
    for _ in range(60):
        state = wait_for(page, my_turn)
        if state["result"]:
            break
        move = next(iter(state["legal"]))
        answer = page.post("/api/play", json={"move": move, "ply": len(state["moves"])})
        assert answer.status_code == 200
    state = state_of(page)
    assert state["result"] or len(state["moves"]) >= 100  # two who play at random seldom end a game of Hive
    assert not state["failure"]


def test_files_of_the_page_are_there(client: Client) -> None:
    page = client()
    assert "Pentad" in page.get("/").text
    assert all(page.get(f"/{name}").status_code == 200 for name in FILES)
    assert page.get("/report.html").status_code == 404
    assert page.get("/..%2Fserver.py").status_code == 404
    assert page.get("/api/board").json()["game"] == "gomoku"
    assert [one["name"] for one in page.get("/api/choices").json()["opponents"]][:2] == ["random", "pentad"]


@pytest.mark.parametrize(
    ("command", "body", "status", "word"),
    [
        ("play", {"move": "z99", "ply": 0}, 409, "z99"),
        ("play", {"move": "h8", "ply": 3}, 409, "turn"),
        ("play", {"move": 5, "ply": 0}, 400, "str"),
        ("play", {}, 400, "move"),
        ("new", {"opponent": "nobody"}, 409, "nobody"),
        ("new", {"opponent": "random", "size": 99}, 409, "99"),
        ("new", {"opponent": "random", "variant": "<b>"}, 409, "<b>"),
        ("new", {"opponent": "random", "level": 11}, 409, "level"),
        ("new", {"opponent": "random", "move_time_ms": 0}, 409, "time"),
        ("new", {"opponent": "random", "command": "rm"}, 400, "command"),
        ("undo", {}, 409, "take back"),
        ("dance", {}, 404, "dance"),
    ],
)
def test_mistakes_are_answered_and_change_nothing(
    client: Client, command: str, body: dict[str, Any], status: int, word: str
) -> None:
    page = client()
    before = state_of(page)
    answer = page.post(f"/api/{command}", json=body)
    assert answer.status_code == status
    assert word in answer.json()["error"]
    assert state_of(page) == before


def test_undo_takes_back_to_the_persons_turn(client: Client) -> None:
    page = client()
    page.post("/api/play", json={"move": "h8", "ply": 0})
    wait_for(page, lambda state: len(state["moves"]) == 2)
    assert page.post("/api/undo", json={}).json()["moves"] == []
    page.post("/api/new", json={"opponent": "random", "person": "second"})
    state = wait_for(page, lambda state: len(state["moves"]) == 1)
    assert page.post("/api/undo", json={}).status_code == 409  # the engine's own first move stays
    page.post("/api/play", json={"move": next(iter(state["legal"])), "ply": 1})
    page.post("/api/resign", json={})
    assert len(page.post("/api/undo", json={}).json()["moves"]) == 1


def test_resignation_ends_the_game(client: Client) -> None:
    page = client()
    assert page.post("/api/resign", json={}).json()["result"] == {"winner": 1, "reason": "resignation"}
    assert page.post("/api/play", json={"move": "h8", "ply": 0}).status_code == 409


def test_hex_offers_the_swap(client: Client) -> None:
    page = client("hex", rule="swap", side="both", size=5)
    page.post("/api/play", json={"move": "c3", "ply": 0})
    assert state_of(page)["legal"]["swap-pieces"] == ["swap-pieces"]
    state = page.post("/api/play", json={"move": "swap-pieces", "ply": 1}).json()
    assert (state["to_move"], list(state["scene"]["pieces"])) == (0, ["c3"])


def test_hint_and_analysis_name_moves_and_their_clicks(client: Client) -> None:
    page = client("pentago", side="both")
    page.post("/api/hint", json={})
    line = wait_for(page, lambda state: not state["looking"] and state["analysis"])["analysis"][0]
    assert line["steps"] == [line["move"][:2], line["move"][2]]
    page.post("/api/analyse", json={"on": True})
    assert len(wait_for(page, lambda state: len(state["analysis"]) == 3)["analysis"]) == 3
    assert page.post("/api/analyse", json={"on": False}).json()["analysis"] == []


def test_waiting_page_hears_of_a_change(client: Client) -> None:
    page = client()
    version = state_of(page)["version"]
    page.post("/api/play", json={"move": "h8", "ply": 0})
    assert page.get(f"/api/state?after={version}").json()["version"] > version
    assert page.get("/api/state?after=x").status_code == 400


def test_dead_engine_is_shown_and_can_be_restarted(tables: list[PlayTable]) -> None:
    """The page must neither hang nor lose the game when the engine dies."""
    failures: list[Exception] = [RuntimeError("out of <memory>")]
    table = lay_table(GAMES["gomoku"], failures)
    tables.append(table)
    page = open_page(table)
    page.post("/api/play", json={"move": "h8", "ply": 0})
    state = wait_for(page, lambda state: state["failure"])
    assert "out of <memory>" in state["failure"]
    assert (state["thinking"], state["moves"]) == (False, ["h8"])
    page.post("/api/restart", json={})
    assert len(wait_for(page, lambda state: len(state["moves"]) == 2)["moves"]) == 2


def test_program_that_exits_is_shown(tables: list[PlayTable], tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text("import sys; sys.stderr.write('no weights'); sys.exit(3)")
    engine = f"cmd={sys.executable} {script},name=dies"
    table = make_table(GAMES["gomoku"], PlayOptions(engine=(engine,), side="second", move_time=0.1))
    tables.append(table)
    page = open_page(table)
    assert "exited with status 3" in wait_for(page, lambda state: state["failure"])["failure"]


def test_illegal_move_of_an_engine_is_a_failure(tables: list[PlayTable]) -> None:
    class Cheat(RandomPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
            return Decision("h8")

    table = lay_table(GAMES["gomoku"], [], lambda: Cheat(OptionSet(RANDOM_OPTIONS)))
    tables.append(table)
    page = open_page(table)
    page.post("/api/play", json={"move": "h8", "ply": 0})
    assert "illegal" in wait_for(page, lambda state: state["failure"])["failure"]


def test_answer_to_a_position_taken_back_is_dropped(tables: list[PlayTable]) -> None:
    """An engine that cannot be stopped answers after undo; its move belongs to a position that is gone."""

    begun, taken_back = threading.Event(), threading.Event()

    class Deaf(RandomPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
            if begun.is_set():
                return Decision("c3")
            begun.set()
            assert taken_back.wait(60)
            return Decision("o15")

    table = lay_table(GAMES["gomoku"], [], lambda: Deaf(OptionSet(RANDOM_OPTIONS)))
    tables.append(table)
    table.play("h8", 0)
    assert begun.wait(60)
    table.undo()
    taken_back.set()
    table.play("a1", 0)
    wait_until(lambda: len(table.state().moves) > 1)
    assert table.state().moves == ("a1", "c3")


def test_command_line_mistakes_are_told() -> None:
    row = GAMES["gomoku"]
    mistakes: Any = {"level": 11}, {"engine": ("player=greedy",), "size": 99}, {"engine": ("cmd=/no/such",)}
    for mistake in (*mistakes, {"move_time": 0}):
        with pytest.raises(UsageError):
            make_table(row, PlayOptions(**mistake))
    with pytest.raises(UsageError, match="--port"):
        launch.play(row, PlayOptions(port=70_000, no_browser=True), print)


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without starlette the command must say what to install."""
    monkeypatch.setitem(sys.modules, "arena.web.play.server", None)
    with pytest.raises(CommandFailedError, match=r'pip install -e "\.\[web\]"'):
        launch.play(GAMES["gomoku"], PlayOptions(no_browser=True), print)


def test_earlier_position_is_looked_at_while_the_game_goes_on(client: Client) -> None:
    page = client(side="both")
    for ply, move in enumerate(("h8", "i9", "g7")):
        page.post("/api/play", json={"move": move, "ply": ply})
    before = state_of(page)
    view = page.get("/api/view?ply=1").json()
    assert (view["ply"], view["to_move"], list(view["scene"]["pieces"])) == (1, 1, ["h8"])
    assert state_of(page) == before


def test_game_goes_on_from_an_earlier_position(client: Client) -> None:
    """Also after its end; where the engine is to move it moves."""
    page = client()
    page.post("/api/play", json={"move": "h8", "ply": 0})
    wait_for(page, lambda state: len(state["moves"]) == 2)
    page.post("/api/resign", json={})
    state = page.post("/api/rewind", json={"ply": 2}).json()
    assert (state["result"], len(state["moves"])) == (None, 2)
    page.post("/api/rewind", json={"ply": 1})
    assert wait_for(page, lambda state: len(state["moves"]) == 2)["moves"][0] == "h8"
    assert page.post("/api/rewind", json={"ply": 3}).status_code == 409


def test_saved_game_is_loaded_with_its_board_and_rule(client: Client) -> None:
    saved = client("gomoku", side="both", size=9, rule="standard")
    for ply, move in enumerate(("e5", "d4")):
        saved.post("/api/play", json={"move": move, "ply": ply})
    page = client("gomoku", side="both")
    state = page.post("/api/load", json={"text": state_of(saved)["game_text"]}).json()
    assert (state["moves"], state["terms"]["size"], state["terms"]["variant"]) == (["e5", "d4"], 9, "standard")
    assert len(page.get("/api/board").json()["cells"]) == 81
    assert state["board"] == 2
    assert page.post("/api/load", json={"text": "e5e5"}).status_code == 409
    assert state_of(page)["moves"] == ["e5", "d4"]


def test_loaded_game_goes_on_against_the_engine(client: Client) -> None:
    page = client("pentago")
    page.post("/api/load", json={"text": "a1s"})
    state = wait_for(page, lambda state: len(state["moves"]) == 2)
    assert state["players"][1] == "random"
    assert state["position_text"].count("/") == 5
