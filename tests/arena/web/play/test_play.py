"""The play page's server: its commands, the answers to wrong commands, engines that fail, and `pentad play`.

`client` starts a session against a weak player; the `page` that it returns is an HTTP client of the session's server.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.errors import CommandFailedError, UsageError
from arena.options.play import PlayOptions
from arena.web.play import launch
from arena.web.play.new_game import make_session
from arena.web.play.server import PAGE, RULES_PAGE
from arena.web.play.session import PlaySession
from arena.web.served_page import load_pages
from bots.gomoku.paper.player import RANDOM_OPTIONS, RandomPlayer
from bots.registry import GAMES
from core.play.options import OptionSet
from core.play.player import Decision, Limits, ProgressCallback, ignore_progress
from tests.arena.web.players import Client, make_fake_session, open_page, state_of, wait_for
from tests.waiting import wait_until


def is_game_over_or_persons_turn(state: Any) -> bool:
    return bool(state["result"]) or state["to_move"] in state["people"]


@pytest.mark.parametrize("game", GAMES)
def test_game_is_played_to_its_end_or_for_100_plies(client: Client, game: str) -> None:
    page = client(game, size=5 if game in ("gomoku", "hex") else None)
    for _ in range(60):
        state = wait_for(page, is_game_over_or_persons_turn)
        if state["result"]:
            break
        move = next(iter(state["legal"]))
        answer = page.post("/api/play", json={"move": move, "ply": len(state["moves"])})
        assert answer.status_code == 200
    state = state_of(page)
    assert state["result"] or len(state["moves"]) >= 100  # random play seldom ends a game of Hive
    assert not state["failure"]


def test_files_of_the_page_are_served(client: Client) -> None:
    page = client()
    assert "Pentad" in page.get("/").text
    assert all(page.get(f"/{name}").content == file.body for name, file in load_pages(PAGE, RULES_PAGE).items())
    assert page.get("/report.html").status_code == 404
    assert page.get("/..%2Fserver.py").status_code == 404
    assert page.get("/api/board").json()["game"] == "gomoku"
    assert [opponent["name"] for opponent in page.get("/api/choices").json()["opponents"]][:2] == ["random", "pentad"]


@pytest.mark.parametrize(
    ("command", "body", "status", "message"),
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
def test_wrong_command_is_refused_and_changes_nothing(
    client: Client, command: str, body: dict[str, Any], status: int, message: str
) -> None:
    page = client()
    previous_state = state_of(page)
    answer = page.post(f"/api/{command}", json=body)
    assert answer.status_code == status
    assert message in answer.json()["error"]
    assert state_of(page) == previous_state


def test_undo_takes_back_the_persons_last_move(client: Client) -> None:
    page = client()
    page.post("/api/play", json={"move": "h8", "ply": 0})
    wait_for(page, lambda state: len(state["moves"]) == 2)
    assert page.post("/api/undo", json={}).json()["moves"] == []
    page.post("/api/new", json={"opponent": "random", "person": "second"})
    state = wait_for(page, lambda state: len(state["moves"]) == 1)
    assert page.post("/api/undo", json={}).status_code == 409  # the first move, the engine's, stays
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


def test_hint_and_analysis_list_moves_with_clicks(client: Client) -> None:
    page = client("pentago", side="both")
    page.post("/api/hint", json={})
    hint = wait_for(page, lambda state: not state["analyst_is_busy"] and state["analysis"])["analysis"][0]
    assert hint["clicks"] == [hint["move"][:2], hint["move"][2]]  # the cell, then the turn of a quadrant
    page.post("/api/analyse", json={"on": True})
    assert len(wait_for(page, lambda state: len(state["analysis"]) == 3)["analysis"]) == 3
    assert page.post("/api/analyse", json={"on": False}).json()["analysis"] == []


def test_newer_state_than_a_version_is_answered(client: Client) -> None:
    page = client()
    version = state_of(page)["version"]
    page.post("/api/play", json={"move": "h8", "ply": 0})
    assert page.get(f"/api/state?after={version}").json()["version"] > version
    assert page.get("/api/state?after=x").status_code == 400


def test_dead_engine_is_shown_and_can_be_restarted(sessions: list[PlaySession]) -> None:
    """The page must not hang, and must keep the game, if the engine fails."""
    failures: list[Exception] = [RuntimeError("out of <memory>")]  # at the first start of the engine
    session = make_fake_session(GAMES["gomoku"], failures)
    sessions.append(session)
    page = open_page(session)
    page.post("/api/play", json={"move": "h8", "ply": 0})
    state = wait_for(page, lambda state: state["failure"])
    assert "out of <memory>" in state["failure"]
    assert (state["is_thinking"], state["moves"]) == (False, ["h8"])
    page.post("/api/restart", json={})
    assert len(wait_for(page, lambda state: len(state["moves"]) == 2)["moves"]) == 2


def test_failure_of_an_external_program_is_shown(sessions: list[PlaySession], tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text("import sys; sys.stderr.write('no weights'); sys.exit(3)")
    engine = f"cmd={sys.executable} {script},name=dies"
    session = make_session(GAMES["gomoku"], PlayOptions(engine=(engine,), side="second", move_time=0.1))
    sessions.append(session)
    page = open_page(session)
    assert "exited with status 3" in wait_for(page, lambda state: state["failure"])["failure"]


def test_illegal_move_of_an_engine_is_a_failure(sessions: list[PlaySession]) -> None:
    class RepeatingPlayer(RandomPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
            return Decision("h8")

    session = make_fake_session(GAMES["gomoku"], [], lambda: RepeatingPlayer(OptionSet(RANDOM_OPTIONS)))
    sessions.append(session)
    page = open_page(session)
    page.post("/api/play", json={"move": "h8", "ply": 0})
    assert "illegal" in wait_for(page, lambda state: state["failure"])["failure"]


def test_late_move_of_the_engine_is_dropped_after_undo(sessions: list[PlaySession]) -> None:
    """An engine that ignores the stop token moves after the undo, for the position before it."""
    has_begun, is_taken_back = threading.Event(), threading.Event()

    class UnstoppablePlayer(RandomPlayer):
        def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
            if has_begun.is_set():
                return Decision("c3")
            has_begun.set()
            assert is_taken_back.wait(60)
            return Decision("o15")

    session = make_fake_session(GAMES["gomoku"], [], lambda: UnstoppablePlayer(OptionSet(RANDOM_OPTIONS)))
    sessions.append(session)
    session.play("h8", 0)
    assert has_begun.wait(60)
    session.undo()
    is_taken_back.set()
    session.play("a1", 0)
    wait_until(lambda: len(session.state().moves) > 1)
    assert session.state().moves == ("a1", "c3")


def test_wrong_options_are_refused() -> None:
    game = GAMES["gomoku"]
    wrong: Any = {"level": 11}, {"engine": ("player=greedy",), "size": 99}, {"engine": ("cmd=/no/such",)}
    for options in (*wrong, {"move_time": 0}):
        with pytest.raises(UsageError):
            make_session(game, PlayOptions(**options))
    with pytest.raises(UsageError, match="--port"):
        launch.play(game, PlayOptions(port=70_000, no_browser=True), print)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the packages of the web extra the command says what to install."""
    monkeypatch.setitem(sys.modules, "arena.web.play.server", None)
    with pytest.raises(CommandFailedError, match=r'pip install -e "\.\[web\]"'):
        launch.play(GAMES["gomoku"], PlayOptions(no_browser=True), print)


def test_viewing_an_earlier_position_changes_nothing(client: Client) -> None:
    page = client(side="both")
    for ply, move in enumerate(("h8", "i9", "g7")):
        page.post("/api/play", json={"move": move, "ply": ply})
    previous_state = state_of(page)
    view = page.get("/api/view?ply=1").json()
    assert (view["ply"], view["to_move"], list(view["scene"]["pieces"])) == (1, 1, ["h8"])
    assert state_of(page) == previous_state


def test_game_continues_from_an_earlier_position(client: Client) -> None:
    """Rewind also works after the end of the game, and the engine moves if it is its turn."""
    page = client()
    page.post("/api/play", json={"move": "h8", "ply": 0})
    wait_for(page, lambda state: len(state["moves"]) == 2)
    page.post("/api/resign", json={})
    state = page.post("/api/rewind", json={"ply": 2}).json()
    assert (state["result"], len(state["moves"])) == (None, 2)
    page.post("/api/rewind", json={"ply": 1})
    assert wait_for(page, lambda state: len(state["moves"]) == 2)["moves"][0] == "h8"
    assert page.post("/api/rewind", json={"ply": 3}).status_code == 409


def test_saved_game_is_loaded_with_its_board_and_variant(client: Client) -> None:
    saved = client("gomoku", side="both", size=9, rule="standard")
    for ply, move in enumerate(("e5", "d4")):
        saved.post("/api/play", json={"move": move, "ply": ply})
    page = client("gomoku", side="both")
    state = page.post("/api/load", json={"text": state_of(saved)["game_text"]}).json()
    assert (state["moves"], state["settings"]["size"], state["settings"]["variant"]) == (["e5", "d4"], 9, "standard")
    assert len(page.get("/api/board").json()["cells"]) == 81
    assert state["game_number"] == 2
    assert page.post("/api/load", json={"text": "e5e5"}).status_code == 409
    assert state_of(page)["moves"] == ["e5", "d4"]


def test_engine_continues_a_loaded_game(client: Client) -> None:
    page = client("pentago")
    page.post("/api/load", json={"text": "a1s"})
    state = wait_for(page, lambda state: len(state["moves"]) == 2)
    assert state["players"][1] == "random"
    assert state["position_text"].count("/") == 5


def test_a_review_of_the_moves_so_far_is_served_as_a_page(client: Client) -> None:
    page = client("kolibrat", side="both", rule="3x3-3-5")
    assert page.post("/api/review", json={}).json() == {"error": "there is no move to review"}
    assert page.get("/review").json() == {"error": "no review is ready"}
    for ply, move in enumerate(("a1", "a3")):
        page.post("/api/play", json={"move": move, "ply": ply})
    assert page.post("/api/review", json={}).status_code == 200
    state = wait_for(page, lambda state: bool(state["review"]["is_ready"]))
    # two plies have three positions, with the start position
    assert state["review"] == {"plies": 2, "searched": 3, "total": 3, "is_ready": True, "failure": ""}
    answer = page.get("/review")
    assert "<title>Kolibrat: " in answer.text
    assert "unsafe-inline" in answer.headers["content-security-policy"]
    assert page.get("/").headers["content-security-policy"].startswith("default-src 'self'")
