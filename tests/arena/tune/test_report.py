"""Tests of the files that `pentad report` writes of a tuning."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest
from msgspec import structs

from arena.terms.tuning import TunedParameter
from arena.tune.config import configure_tuning
from arena.tune.log import Tuning, read_tuning
from arena.tune.plot import MAX_POINTS, thin_out
from arena.tune.report import (
    format_tuning,
    format_tuning_file,
    option_strings,
    sparkline,
    write_tuning_files,
)
from arena.tune.run import run_tuning
from tests.arena.tune.skilled import QuietTuningObserver, configure, make_simulated_worker
from tests.arena.tune.test_config import read_options


@pytest.fixture
def tuning(tmp_path: Path) -> Tuning:
    """Return a finished tuning, whose folder is `tmp_path`."""
    given = json.dumps({"game": "pile", "iterations": 20, "pairs": 3, "nodes": 10, "transform": True, "A": 1.5})
    config = configure(tmp_path, r_end=0.05, given=given)
    run_tuning(config, QuietTuningObserver(), (), make_simulated_worker)
    return read_tuning(tmp_path)


def with_engine(tuning: Tuning, **changes: object) -> Tuning:
    """Return the tuning with another engine in its header."""
    entries = tuple(structs.replace(entry, **changes) for entry in tuning.header.match.engines)
    match = structs.replace(tuning.header.match, engines=entries)
    tuning.header = structs.replace(tuning.header, match=match)
    return tuning


def test_files_are_written_and_agree(tuning: Tuning, tmp_path: Path) -> None:
    """Every file is derived from the log, so that all have the same values, and writing again gives the same bytes."""
    paths = write_tuning_files(tmp_path, tuning)
    assert [path.name for path in paths] == ["tuned.txt", "tuned.toml", "tuned.json", "history.csv", "tuned.png"]
    contents = [path.read_bytes() for path in paths]
    write_tuning_files(tmp_path, read_tuning(tmp_path))
    assert [path.read_bytes() for path in paths] == contents
    summary = json.loads(contents[2])
    skill, taste = tuning.spsa.values
    assert (summary["iterations"], summary["games"], summary["seed"]) == (20, 120, 5)
    assert [row["mean"] for row in summary["parameters"]] == [skill, taste]
    assert [row["tuned"] for row in summary["parameters"]] == [round(skill), float(f"{taste:.4f}")]
    assert summary["parameters"][0]["steps"] == pytest.approx((skill - 50) / 10)
    rows = list(csv.reader(contents[3].decode().splitlines()))
    assert rows[:2] == [["iteration", "result", "skill", "taste"], ["0", "", "50.0", "0.5"]]
    assert (len(rows), [float(value) for value in rows[-1][2:]]) == (22, [skill, taste])
    assert contents[4].startswith(b"\x89PNG")


def test_file_without_matplotlib(tuning: Tuning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plot is optional; the text has a line of block characters per parameter."""
    monkeypatch.setattr("arena.tune.report.can_plot_tuning", lambda: False)
    assert "tuned.png" not in [path.name for path in write_tuning_files(tmp_path, tuning)]
    row = next(line for line in format_tuning(tuning).splitlines() if line.startswith("skill"))
    assert set(row.split()[-1]) <= set("▁▂▃▄▅▆▇█")
    assert len(set(row.split()[-1])) > 2


def test_written_file_begins_another_tuning_at_the_tuned_values(tuning: Tuning, tmp_path: Path) -> None:
    path = tmp_path / "again.toml"
    path.write_text(format_tuning_file(tuning), encoding="utf-8")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    assert "seed" not in content  # another tuning must not repeat the random numbers
    options = read_options(str(path))
    assert (options.iterations, options.pairs, options.nodes, options.transform, options.stability) == (
        20,
        3,
        10,
        True,
        1.5,
    )
    config = configure_tuning(structs.replace(options, transform=False))
    skill, taste = tuning.spsa.values
    assert [parameter.value for parameter in config.parameters] == [round(skill), float(f"{taste:.4f}")]
    start = [structs.replace(parameter, value=0) for parameter in tuning.header.parameters]
    assert [structs.replace(parameter, value=0) for parameter in config.parameters] == start
    assert config.match.engines[0].player == "skilled"


def test_option_strings_of_each_kind_of_engine(tuning: Tuning) -> None:
    tuning.spsa.values = (61.4, 0.25)
    assert option_strings(tuning) == {
        "engine": "option.skill=61,option.taste=0.25",
        "player": "player=skilled:skill=61,taste=0.25",
    }
    # values of the same names are replaced; a value without a name is kept, and options override it
    given = {"skilled:Skill=3,seed=4": "player=skilled:seed=4,skill=61,taste=0.25"}
    given["a/b.py:Mine:seed=4"] = "player=a/b.py:Mine:seed=4,skill=61,taste=0.25"
    given["a/b.py:Mine"] = "player=a/b.py:Mine:skill=61,taste=0.25"
    given["skilled:3"] = "player=skilled:3,option.skill=61,option.taste=0.25"
    for player, text in given.items():
        assert option_strings(with_engine(tuning, player=player))["player"] == text
    # further options of the engine are kept, except for those that are tuned
    fixed = with_engine(tuning, player="skilled", options=(("Skill", "7"), ("seed", "4")))
    assert option_strings(fixed)["player"] == "player=skilled:skill=61,taste=0.25,option.seed=4"
    with_engine(tuning, options=())
    program = {"player": "", "command": "./brain"}
    protocols = {
        "gomocup": "INFO skill 61\nINFO taste 0.25",
        "uhp": "options set skill 61\noptions set taste 0.25",
    }
    for protocol, text in protocols.items():
        assert option_strings(with_engine(tuning, protocol=protocol, **program))[protocol] == text
    parameters = (structs.replace(tuning.header.parameters[0], name="mine.skill"), tuning.header.parameters[1])
    tuning.header = structs.replace(tuning.header, parameters=parameters)
    assert option_strings(with_engine(tuning, protocol="gtp", **program))["gtp"] == (
        "param_mine skill 61\nparam_GROUP taste 0.25"
    )


def test_sparkline_shows_the_course(tuning: Tuning) -> None:
    parameter = TunedParameter("x", 0, 0, 7, 1, "float")
    tuning.header = structs.replace(tuning.header, parameters=(parameter,))
    tuning.history = [structs.replace(tuning.history[0], number=k, values=(float(k),)) for k in range(1, 8)]
    assert sparkline(tuning, 0, 8) == "▁▂▃▄▅▆▇█"
    assert sparkline(tuning, 0, 2) == "▁█"
    tuning.history = []
    assert sparkline(tuning, 0, 8) == "▁"


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 30_000])
def test_plot_has_few_points_and_the_last_one(count: int) -> None:
    numbers = thin_out(count)
    assert (numbers[0], numbers[-1]) == (0, count)
    assert len(numbers) <= MAX_POINTS + 2
    assert numbers == sorted(set(numbers))
