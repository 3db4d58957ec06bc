"""The state of a run for its page while another process plays the run."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from arena.log.events import GameEnded, GameStarted, MoveEntry, PairEnded, RunEnded, RunResumed
from arena.log.file import LOG_NAME, LogError, encode_event
from arena.log.running_games import RUNNING_FOLDER, BeatReader
from arena.run.config import USER_STOP
from arena.statistics.sprt import Sprt
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.web.live import run_view
from arena.web.live.board import LiveBoard
from arena.web.live.page_data import (
    FINISHED,
    INTERRUPTED,
    PLAYING,
    SILENT,
    STOPPED,
    WAITING,
    BoardUpdate,
    LiveUpdate,
    Status,
)
from arena.web.live.run_view import RunView
from bots.registry import GAMES
from core.play.game import Game
from tests.arena.fakes import PILE_GAME
from tests.arena.web.live.run_writer import LINE, PageState, RunWriter, make_entry, read_all
from tests.arena.web.runs import make_games


def status_of(update: LiveUpdate) -> Status:
    assert update.status
    return update.status


def only_board(update: LiveUpdate) -> BoardUpdate:
    (board,) = update.boards
    return board


def test_page_is_empty_until_the_run_begins(tmp_path: Path) -> None:
    view = RunView(tmp_path)
    assert status_of(read_all(view)).state == WAITING
    snapshot = view.make_snapshot()
    assert (snapshot.boards, snapshot.results, snapshot.board) == ((), (), None)
    assert read_all(view) == LiveUpdate()
    writer = RunWriter(tmp_path, event_name="Cup")
    writer.begin()
    update = read_all(view)
    assert status_of(update) == Status(
        PLAYING, "Cup", "Gomoku, freestyle, 15x15", "1 s per move, margin 250 ms", ("A", "B"), 0, 8, 0
    )
    assert update.board
    writer.close()


def test_a_knockout_has_its_bracket_and_the_number_of_games_with_tie_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    shutil.copy(Path(__file__).parents[3] / "data" / "arena" / "knockout_log.txt", tmp_path / LOG_NAME)
    update = read_all(RunView(tmp_path))
    assert update.standings
    assert update.standings.rounds
    assert update.standings.rounds.winner == "B"
    assert [encounter.is_bye for encounter in update.standings.rounds.encounters] == [True, False, False]
    assert status_of(update).planned == 8  # 4 games in the header, and 4 of tie-breaks


def test_moves_of_a_running_game_are_shown(tmp_path: Path) -> None:
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1, "B", "A")
    board = only_board(read_all(view))
    assert (board.number, board.players, board.plies, board.is_new, board.to_move) == (1, (1, 0), 0, True, 0)
    assert board.elapsed_ms is not None
    writer.play(1, 3)
    board = only_board(read_all(view))
    assert board.change
    assert sorted(board.change.pieces) == ["a1", "h8", "i8"]
    assert not board.is_new
    assert (board.plies, board.last_move, board.to_move) == (3, "i8", 1)
    assert board.evaluations == ((1, 0, 0), (2, 1, 10), (3, 0, 20))
    assert [(info.move, info.score, info.depth) for info in board.info] == [("i8", 20, 3), ("a1", 10, 2)]
    writer.play(1, 4)
    board = only_board(read_all(view))
    assert board.change
    assert list(board.change.pieces) == ["a2"]
    assert board.evaluations == ((4, 1, 30),)
    assert read_all(view) == LiveUpdate()
    writer.close()


def test_moves_between_two_reads_are_one_update(tmp_path: Path) -> None:
    """However fast the engines are, a board changes once per message."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    read_all(view)
    for plies in range(1, 9):
        writer.play(1, plies)
    assert len(only_board(read_all(view)).evaluations) == 8
    writer.close()


def test_clocks_are_those_of_the_referee(tmp_path: Path) -> None:
    control = TimeControl(game_ms=60_000, increment_ms=500)
    engines = structs.replace(RunWriter(tmp_path).header).engines
    engines = (engines[0], structs.replace(engines[1], tc="1"))
    writer, view = RunWriter(tmp_path, control=control, engines=engines), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    assert only_board(read_all(view)).left_ms == (60_000, None)
    writer.play(1, 3)
    assert only_board(read_all(view)).left_ms == (60_000 - 2 * 100 + 2 * 500, None)
    writer.close()


def test_variation_ends_before_its_first_illegal_move(tmp_path: Path) -> None:
    """It is text of a program, which may print anything, also what nobody else may read."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    pvs = (("H8", "I9", "/home/secret", "a1"), ("j8", "h8"), ("i8", "i8"), ("a2", *LINE[4:]))
    entries = [make_entry(ply, pv=pv) for ply, pv in enumerate(pvs)]
    writer.games.write_move(1, entries[:2])
    info = only_board(read_all(view)).info
    assert (info[0].pv, info[1].pv) == (("i9",), ("j8",))
    writer.games.write_move(1, entries)
    board = only_board(read_all(view))
    assert (board.info[0].pv, board.info[1].pv) == ((), LINE[4:])
    assert board.plies == 4
    writer.close()


def test_end_of_a_game_comes_from_the_log(tmp_path: Path) -> None:
    """Its last moves may never be seen in the file of the running game, which is removed at the end."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    writer.play(1, 2)
    read_all(view)
    writer.end(1)
    update = read_all(view)
    board = only_board(update)
    assert (board.plies, board.result, board.ending, board.elapsed_ms) == (9, "1-0", "five", None)
    assert len(board.evaluations) == 7
    assert update.results
    assert [(result.number, result.result, result.ending) for result in update.results] == [(1, "1-0", "five")]
    writer.start(2, "B", "A")
    board = only_board(read_all(view))
    assert (board.slot, board.number, board.is_new) == (0, 2, True)  # takes the place of the ended game
    writer.close()


def test_faults_are_counted_without_their_details(tmp_path: Path) -> None:
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    for number, ending in ((1, Ending.TIME), (2, Ending.DISCONNECT), (3, Ending.TIME)):
        writer.start(number)
        writer.end(number, ending=ending, winner="B", blamed="A", detail="/home/secret: no such file", plies=2)
    update = read_all(view)
    assert update.faults
    assert update.faults.counts == ({"time": 2, "disconnect": 1}, {})
    assert [fault.number for fault in update.faults.latest] == [3, 2, 1]
    assert update.results
    assert {result.ending for result in update.results} == {"time", "disconnect"}
    writer.close()


def test_standings_and_test_count_complete_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_view, "MIN_STANDINGS_INTERVAL_S", 0)
    monkeypatch.setattr(run_view, "MAX_STANDINGS_INTERVAL_S", 0)
    writer, view = RunWriter(tmp_path, sprt=Sprt(0, 10)), RunView(tmp_path)
    writer.begin()
    writer.play_pair(1)
    writer.start(3)
    writer.end(3)
    update = read_all(view)
    assert update.standings
    assert [(result.name, result.won, result.lost) for result in update.standings.results] == [("A", 1, 1), ("B", 1, 1)]
    assert update.standings.sprt
    assert [pairs for pairs, _ in update.standings.sprt.points] == [0, 1]
    assert status_of(update).played == 2
    assert update.results
    assert len(update.results) == 3
    writer.close()


def test_standings_are_not_computed_for_each_pair(tmp_path: Path) -> None:
    """Ratings of a large tournament take long; they must not use the time of the engines."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.play_pair(1)
    assert read_all(view).standings
    writer.play_pair(2)
    assert not read_all(view).standings
    view._standings_due_s = 0
    standings = read_all(view).standings
    assert standings
    assert standings.results[0].won == 2
    writer.play_pair(3)
    writer.write(RunEnded(6, 8, USER_STOP))
    standings = read_all(view).standings  # the last ones are always shown
    assert standings
    assert standings.results[0].won == 3
    writer.close()


def test_long_test_has_a_bounded_number_of_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_view, "MAX_SPRT_POINTS", 10)
    writer, view = RunWriter(tmp_path, games=80, sprt=Sprt(0, 5)), RunView(tmp_path)
    writer.begin()
    for pair in range(1, 38):
        writer.play_pair(pair)
    standings = read_all(view).standings
    assert standings
    assert standings.sprt
    pairs = [number for number, _ in standings.sprt.points]
    assert pairs == sorted(set(pairs))
    assert (pairs[0], pairs[-1]) == (0, 37)
    assert len(pairs) <= 11
    writer.close()


@pytest.mark.parametrize(
    ("reason", "state"), [("", FINISHED), (USER_STOP, INTERRUPTED), ("A could not start: /home/secret", STOPPED)]
)
def test_end_of_the_run(tmp_path: Path, reason: str, state: str) -> None:
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.play_pair(1)
    writer.start(3)
    read_all(view)
    writer.write(RunEnded(2, 8, reason))
    writer.close()
    update = read_all(view)
    assert (status_of(update).state, status_of(update).running) == (state, 0)
    assert [(board.number, board.ending) for board in update.boards] == [(3, "interrupted")]
    assert status_of(read_all_again(tmp_path)).state == state


def read_all_again(directory: Path) -> LiveUpdate:
    """Return the first update for a command that starts now."""
    return read_all(RunView(directory))


def test_killed_run_is_silent_and_plays_on_when_resumed(tmp_path: Path) -> None:
    """Games of incomplete pairs do not count; they are played again."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.play_pair(1)
    writer.start(3)
    writer.end(3)
    writer.start(4, "B", "A")
    writer.play(4, 2)
    update = read_all(view)
    assert (status_of(update).state, status_of(update).running) == (PLAYING, 1)
    assert any(board.elapsed_ms is not None for board in update.boards)
    writer.close()  # as if killed: without RunEnded
    update = read_all(view)
    assert (status_of(update).state, status_of(update).running) == (SILENT, 0)
    stopped = only_board(update)
    assert (stopped.number, stopped.elapsed_ms, stopped.result, stopped.ending) == (4, None, "-", "interrupted")
    assert [board.elapsed_ms for board in view.make_snapshot().boards] == [None]
    resumed = RunWriter(tmp_path)
    resumed.write(RunResumed("2026-01-01T00:00:00+00:00", resumed.header.engines, forced=False))
    update = read_all(view)
    assert (status_of(update).state, status_of(update).running) == (PLAYING, 0)
    assert update.results
    assert [result.number for result in update.results] == [2, 1]
    resumed.start(3)
    board = only_board(read_all(view))
    assert (board.number, board.is_new, board.ending) == (3, True, "")
    resumed.close()


def test_paused_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was stopped, such as on a machine that slept, goes on without a word in the log."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    read_all(view)
    monkeypatch.setattr(BeatReader, "is_played", lambda _: False)
    assert only_board(read_all(view)).ending == "interrupted"
    assert read_all(view) == LiveUpdate()
    monkeypatch.undo()
    board = only_board(read_all(view))
    assert (board.ending, board.result) == ("", "")
    assert board.elapsed_ms is not None
    writer.close()


def test_clocks_stop_while_the_log_cannot_be_read(tmp_path: Path) -> None:
    """Nothing after a wrong event is shown, as it may depend on that one."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    read_all(view)
    writer.write(PairEnded(3), GameStarted(2, 1, "B", "A", ()))
    for _ in range(2):
        with pytest.raises(LogError, match="line 3"):
            view.poll()
    update = view.take_update()
    assert update
    assert "cannot be read" in status_of(update).problem
    assert status_of(update).running == 1
    board = only_board(update)
    assert (board.elapsed_ms, board.ending) == (None, "cannot be followed")
    writer.close()


def test_games_of_a_cluster_are_shown_when_they_have_ended(tmp_path: Path) -> None:
    """All events of a pair come together, and no moves before."""
    writer, view = RunWriter(tmp_path, concurrency=2), RunView(tmp_path)
    (tmp_path / RUNNING_FOLDER / "cluster").touch()
    writer.begin()
    assert not status_of(read_all(view)).has_boards
    writer.play_pair(1)
    update = read_all(view)
    assert [(board.number, board.plies, board.result) for board in update.boards] == [(1, 9, "1-0"), (2, 9, "1-0")]
    writer.play_pair(2)
    assert sorted((board.slot, board.number) for board in read_all(view).boards) == [(0, 3), (1, 4)]
    writer.close()


def test_long_log_is_not_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of a run with thousands of games must appear at once: only the last games get a board."""
    writer = RunWriter(tmp_path, games=100, concurrency=2)
    writer.begin()
    for pair in range(1, 50):
        writer.play_pair(pair)
    made: list[int] = []
    make_board = RunView._make_board

    def note_board(view: RunView, game: GameStarted | GameEnded) -> LiveBoard:
        made.append(game.number)
        return make_board(view, game)

    monkeypatch.setattr(RunView, "_make_board", note_board)
    update = read_all(RunView(tmp_path))
    assert made == [97, 98]
    assert [board.number for board in update.boards] == [97, 98]
    assert update.results
    assert len(update.results) == run_view.MAX_RESULTS
    writer.close()


def test_twenty_boards(tmp_path: Path) -> None:
    writer, view = RunWriter(tmp_path, games=60, concurrency=20), RunView(tmp_path)
    writer.begin()
    for number in range(1, 40, 2):
        writer.start(number)
    assert [board.slot for board in read_all(view).boards] == list(range(20))
    writer.end(5)
    writer.start(6, "B", "A")
    read_all(view)
    writer.end(11)
    writer.start(12, "B", "A")
    assert {(board.slot, board.number) for board in read_all(view).boards} == {(5, 12)}
    writer.close()


@pytest.mark.parametrize("move", ["h8", "zz", "/home/secret", ""])
def test_illegal_move_ends_the_drawing_only(tmp_path: Path, move: str) -> None:
    """The files may come from anybody."""
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.start(1)
    writer.games.write_move(1, [make_entry(0), make_entry(1, move=move), make_entry(2)])
    board = only_board(read_all(view))
    assert board.change
    assert list(board.change.pieces) == ["h8"]
    assert board.last_move == "h8"
    assert all("secret" not in info.move for info in board.info)
    writer.end(1)
    read_all(view)
    writer.close()


def test_wrong_line_is_an_error_that_names_it(tmp_path: Path) -> None:
    writer, view = RunWriter(tmp_path), RunView(tmp_path)
    writer.begin()
    writer.write(PairEnded(3))
    with pytest.raises(LogError, match="line 2: number: no game of pair 3 has ended"):
        view.poll()
    writer.close()


def test_unknown_board_is_an_error(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(encode_event(RunWriter(tmp_path / ".", width=3, height=3).header))
    with pytest.raises(LogError, match="line 1: width"):
        RunView(tmp_path).poll()


def test_snapshot_equals_the_updates_before_it(tmp_path: Path) -> None:
    """A page that got all updates and one that has just been opened show the same."""
    writer, view, generator = RunWriter(tmp_path, games=40, concurrency=3), RunView(tmp_path), random.Random(7)
    page = PageState()
    page.receive(read_all(view))
    writer.begin()
    plies = {1: 0, 3: 0, 5: 0}
    for number in plies:
        writer.start(number)
    following = 7
    for _ in range(60):
        number = generator.choice(list(plies))
        plies[number] += generator.randrange(4)
        writer.play(number, min(9, plies[number]))
        if plies[number] >= 9:
            writer.end(number)
            del plies[number]
            writer.start(following)
            plies[following] = 0
            following += 2
        if generator.random() < 0.5:
            page.receive(read_all(view))
    page.receive(read_all(view))
    fresh = PageState()
    fresh.receive(view.make_snapshot())
    assert fresh.boards == page.boards
    assert fresh.parts == page.parts
    assert following > 12
    writer.close()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_all_games_are_drawn(tmp_path: Path, game: Game) -> None:
    header, (ended, *_) = make_games(game, 6)
    writer, view = RunWriter(tmp_path, "ABC"), RunView(tmp_path)
    writer.write(structs.replace(header, games=8, planned=24))
    writer.start(ended.number, ended.first, ended.second)
    read_all(view)
    entries: list[MoveEntry] = []
    for entry in ended.moves:
        entries.append(entry)
        writer.games.write_move(ended.number, entries)
        board = only_board(read_all(view))
        assert board.change
        assert board.last_move
    writer.write(structs.replace(ended, opening=()))
    board = only_board(read_all(view))
    assert (board.plies, board.ending) == (len(entries), "time")
    assert isinstance(ended, GameEnded)
    writer.close()


def test_paths_in_names_are_hidden(tmp_path: Path) -> None:
    """Some logs name an engine by its command."""
    names = ["/home/secret/brain", "new/old", r"C:\Users\secret\b.exe -x", "python3 /home/secret/x.py"]
    names += [
        r"\\secret\b",
        "~/secret/b",
        "C:/secret/c",
        "wine:/secret/d",
        "x (/secret/e)",
        "file:///secret/f",
    ]
    writer = RunWriter(tmp_path, names, games=2, event_name="Cup in /home/secret/runs")
    writer.begin()
    update = read_all(RunView(tmp_path))
    short = ("brain", "new/old", "b.exe -x", "python3 x.py", "b", "b", "c", "wine:d", "x (e)", "file:f")
    assert status_of(update).names == short
    assert status_of(update).title == "Cup in runs"
    writer.close()
