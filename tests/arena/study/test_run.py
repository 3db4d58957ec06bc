"""`pentad study` runs the parts of a study, writes its report, and continues an interrupted study.

The study is `TINY` of `tests/arena/study/tiny_study.py`. Its parts are a match "dice", the chains "doubled" and
"counted", the chain "summed", and a match "one".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.cli import main as cli
from arena.cli.study import study as study_command
from arena.errors import CommandFailedError
from arena.log.events import RunResumed, RunStarted
from arena.log.file import LOG_NAME, LogWriter, read_run
from arena.run.config import MatchConfig, MatchResult
from arena.run.match import lock_run
from arena.study.catalogue import STUDIES as ALL_STUDIES
from arena.study.study import (
    Chain,
    MatchPart,
    MeasurementPart,
    Record,
    RecordsByChain,
    Study,
    StudyReport,
    StudySettings,
)
from core.native.machine import list_processors
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME
from tests.arena.study import tiny_study
from tests.arena.study.tiny_study import LENGTH, TINY

PNG_START = b"\x89PNG\r\n"  # first bytes of every PNG file
REPORT_FILES = ("study.txt", "study.json", "study.png")


@pytest.fixture(autouse=True)
def only_tiny_study(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `TINY` the only study, and the pile game the only game."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    set_studies(monkeypatch, TINY)
    tiny_study.measured.clear()


def set_studies(monkeypatch: pytest.MonkeyPatch, *studies: Study) -> None:
    monkeypatch.setattr("arena.study.catalogue.STUDIES", studies)


def read_report_files(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in REPORT_FILES]


def test_quick_study_writes_tables_plot_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tiny"
    assert cli.run(["study", "tiny", "--quick", "--out", str(out)]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "tiny: a tiny study"
    assert lines[1] == "QUICK: too few games to prove anything; without --quick the study takes a moment"
    assert lines[3:5] == ["Won:", "who   games  share  none"]
    assert lines[6:10] == [f"more  {value:>5}  1,234  text" for value in (1, 2, 4, 8)]
    assert "Remarkable." in lines
    assert lines[-3:] == [f"written: {out / name}" for name in REPORT_FILES]
    assert "part 2 of 4: doubled, counted" in captured.err
    assert "Finished game" not in captured.err + captured.out
    assert (out / "study.txt").read_text(encoding="utf-8") == captured.out.partition("written:")[0]
    assert (out / "study.png").read_bytes().startswith(PNG_START)
    data = json.loads((out / "study.json").read_bytes())
    assert (data["study"], data["quick"], data["seed"]) == ("tiny", True, 1)
    assert data["games"] == {"dice": 2, "one": 2}
    assert data["measurements"] == {"doubled": LENGTH, "counted": LENGTH, "summed": 1}
    summed = json.loads((out / "summed.jsonl").read_bytes())
    assert summed == {"value": (1 + 2 + 4 + 8) + (0 + 1 + 2 + 3)}
    assert data["tables"][0]["rows"][1] == ["more", 1, 1234.5, "text"]
    assert data["charts"][0]["curves"][1]["ys"] == [1.0, None]
    assert data["values"] == {"n": 1}
    headers = [event for event in read_log(out / "dice") if isinstance(event, RunStarted)]
    assert (headers[0].seed, headers[0].concurrency) == (1, len(list_processors()))
    assert {game.opening for game in read_run(out / "one").games} == set(tiny_study.BOOK.lines)


def test_complete_study_does_not_call_itself_quick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["study", "tiny", "--seed", "7", "--concurrency", "1", "--out", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1] == "complete study, seed 7"
    assert "quick" not in (captured.out + captured.err).lower()
    data = json.loads((tmp_path / "study.json").read_bytes())
    assert (data["quick"], data["seed"], data["games"]["dice"]) == (False, 7, 4)
    headers = [event for event in read_log(tmp_path / "dice") if isinstance(event, RunStarted)]
    assert (headers[0].seed, headers[0].concurrency) == (7, 1)


def test_same_command_repeats_no_game_or_measurement(tmp_path: Path) -> None:
    command = ["study", "tiny", "--out", str(tmp_path)]
    assert cli.run(command) == 0
    files, logs = read_report_files(tmp_path), [(tmp_path / part / LOG_NAME).read_bytes() for part in ("dice", "one")]
    assert sorted(tiny_study.measured) == ["count"] * LENGTH + ["double"] * LENGTH
    for name in REPORT_FILES:
        (tmp_path / name).unlink()
    assert cli.run(command) == 0
    assert read_report_files(tmp_path) == files
    assert [(tmp_path / part / LOG_NAME).read_bytes() for part in ("dice", "one")] == logs
    assert len(tiny_study.measured) == 2 * LENGTH


def test_interrupted_games_continue(tmp_path: Path) -> None:
    command = ["study", "tiny", "--out", str(tmp_path)]
    assert cli.run(command) == 0
    files, events = read_report_files(tmp_path), read_log(tmp_path / "dice")
    (tmp_path / "dice" / LOG_NAME).unlink()
    with LogWriter(tmp_path / "dice") as log:
        for event in events[:6]:  # the header and the events of one pair
            log.write(event)
    assert cli.run([*command, "--concurrency", "1"]) == 0
    assert read_report_files(tmp_path) == files
    assert sum(isinstance(event, RunResumed) for event in read_log(tmp_path / "dice")) == 1


def test_interrupted_measurements_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The third measurement is interrupted. The next command ignores an incomplete last line in the file."""

    def interrupt_third(previous_records: Sequence[Record], earlier_chains: RecordsByChain) -> Record:
        if len(previous_records) == 2:
            raise KeyboardInterrupt
        return tiny_study.double(previous_records, earlier_chains)

    set_studies(
        monkeypatch, replace(TINY, plan=lambda _: [MeasurementPart([Chain("doubled", LENGTH, interrupt_third)])])
    )
    command = ["study", "tiny", "--out", str(tmp_path)]
    assert cli.run(command) == 3
    assert f"interrupted: the same command with --out {tmp_path} continues" in capsys.readouterr().err
    assert not (tmp_path / "study.txt").exists()
    assert (tmp_path / "doubled.jsonl").read_text(encoding="utf-8") == '{"value": 1}\n{"value": 2}\n'
    with (tmp_path / "doubled.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"value": 5')
    set_studies(monkeypatch, TINY)
    assert cli.run(command) == 0
    assert tiny_study.measured.count("double") == LENGTH
    lines = (tmp_path / "doubled.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["value"] for line in lines] == [1, 2, 4, 8]


def test_without_matplotlib_only_the_plot_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A message says so before the games; the same command draws the plot once matplotlib is installed."""
    command = ["study", "tiny", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr("arena.study.plot.find_spec", lambda _: None)
        assert cli.run(command) == 0
    captured = capsys.readouterr()
    expected = 'no plot will be drawn because matplotlib is missing: pip install -e ".[studies]" in the source folder'
    assert captured.err.splitlines()[1] == expected
    assert captured.err.index(expected) < captured.err.index("part 1 of 4: dice")
    assert captured.out.splitlines()[-1] == f"written: {tmp_path / 'study.json'}"
    assert not (tmp_path / "study.png").exists()
    assert cli.run(command) == 0
    assert (tmp_path / "study.png").read_bytes().startswith(PNG_START)


def test_engine_that_cannot_start_stops_the_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = next(part for part in tiny_study.plan(StudySettings()) if isinstance(part, MatchPart))
    options = structs.replace(games.options, engine=["player=dice,name=A", "cmd=false,name=B"])  # `false` exits at once
    set_studies(monkeypatch, replace(TINY, plan=lambda _: [replace(games, options=options)]))
    assert cli.run(["study", "tiny", "--out", str(tmp_path)]) == 1
    assert "pentad: B could not start: " in capsys.readouterr().err
    assert not (tmp_path / "study.json").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["tiniest"], "unknown study 'tiniest'; known: tiny, any"),
        (["tiny", "pile"], "tiny does not take the name of a game: leave 'pile' out"),
        (["any"], "any needs the name of a game: pentad study any GAME"),
        (["any", "chess"], "unknown game 'chess'"),
        (["tiny", "--engine", "player=one"], "tiny takes no additional engines: leave --engine out"),
        (["tiny", "--concurrency", "0"], "--concurrency must be 1 or more, not 0"),
        (
            ["any", "pile", "--scheduler", "tcp://x"],
            "any plays no match, so a cluster cannot help: leave --scheduler out",
        ),
        (["any", "pile", "--engine", "player=one", "--seed", "2", "--out", "OUT"], "OUT holds another study, or"),
        ([], "requires an argument"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # "any" has no games, only the chains "doubled" and "counted"
    study_of_any_game = replace(
        TINY,
        name="any",
        plan=lambda settings: tiny_study.plan(settings)[1:2],
        analyse=lambda _: StudyReport([], []),
        takes_game=True,
        takes_engines=True,
    )
    set_studies(monkeypatch, TINY, study_of_any_game)
    out = str(tmp_path / "out")
    assert cli.run(["study", "any", "pile", "--out", out]) == 0
    assert cli.run(["study", *(out if text == "OUT" else text for text in arguments)]) == 2
    assert expected.replace("OUT", out) in capsys.readouterr().err


def test_list_names_every_study(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    set_studies(monkeypatch, TINY, replace(TINY, name="any", help="of any game", takes_game=True))
    assert cli.run(["study", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == ["tiny      a tiny study", "any GAME  of any game"]


def test_every_study_is_a_command_with_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: `pentad study hex-players --help` used to print the help of `pentad study`."""
    for study in ALL_STUDIES:
        assert study.name in set(study_command)
        assert cli.run(["study", study.name, "--help"]) == 0
        text = capsys.readouterr().out
        assert f"Usage: pentad study {study.name} [OPTIONS]" in text
        assert ("GAME" in text.split("--quick")[0]) == study.takes_game


def test_default_folder_is_named_after_the_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["study", "tiny", "--quick"]) == 0
    assert (tmp_path / "runs" / "tiny-quick" / "study.json").exists()
    assert capsys.readouterr().out.endswith("written: runs/tiny-quick/study.png\n")


def test_options_of_a_cluster_reach_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --concurrency the number 0 stands for one game per thread of the cluster. No game is really played."""
    started = []  # scheduler and concurrency of each run

    def stop(config: MatchConfig, *_: object) -> MatchResult:
        started.append((config.scheduler, config.concurrency))
        raise CommandFailedError("stop")

    monkeypatch.setattr("arena.study.run.run_or_resume", stop)
    command = ["study", "tiny", "--scheduler", "tcp://host:8786", "--out", str(tmp_path)]
    assert cli.run(command) == 1
    assert cli.run([*command, "--concurrency", "3"]) == 1
    assert started == [("tcp://host:8786", 0), ("tcp://host:8786", 3)]


def test_folder_that_is_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with lock_run(tmp_path):
        assert cli.run(["study", "tiny", "--out", str(tmp_path)]) == 2
    assert f"another run is using {tmp_path}" in capsys.readouterr().err
    assert not (tmp_path / "dice").exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [("{value: 1}", "not valid JSON: "), ("[1]", "expected a JSON object, not list"), ("", "not valid JSON: ")],
)
def test_damaged_measurement_is_reported_with_file_and_line(
    line: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "counted.jsonl").write_text(f'{{"value": 0}}\n{line}\n', encoding="utf-8")
    assert cli.run(["study", "tiny", "--out", str(tmp_path)]) == 1
    assert f"{tmp_path / 'counted.jsonl'}, line 2: {expected}" in capsys.readouterr().err
