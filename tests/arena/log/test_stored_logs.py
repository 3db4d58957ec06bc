"""Tests that logs of earlier versions can still be read and resumed.

The logs in tests/data/arena contain every event and every key of log format 1. The match in match_log.txt was
interrupted in its third pair.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.formats.rules import find_rules
from arena.log.events import (
    EngineEntry,
    GameEnded,
    GameStarted,
    MoveEntry,
    PairEnded,
    RoundPaired,
    RunEnded,
    RunResumed,
    RunStarted,
)
from arena.log.file import LOG_NAME, decode_event, encode_event, read_run
from tests.arena.fakes import PILE_GAME

DATA_FOLDER = Path(__file__).parents[2] / "data" / "arena"


def read_lines(name: str) -> list[bytes]:
    return (DATA_FOLDER / f"{name}_log.txt").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("name", ["match", "tournament", "knockout"])
def test_decoded_events_are_encoded_to_the_same_keys_and_values(name: str) -> None:
    for line in read_lines(name):
        assert json.loads(encode_event(decode_event(line))) == json.loads(line)


def test_stored_logs_have_every_key() -> None:
    """A new key of an event must be added to KEYS and to a stored log."""
    stored_keys: dict[str, set[str]] = {}  # keys by event, and by `engines` and `moves`
    for line in (*read_lines("match"), *read_lines("tournament"), *read_lines("knockout")):
        event = json.loads(line)
        stored_keys.setdefault(event["event"], set()).update(event)
        for part in ("engines", "moves"):
            for entry in event.get(part, ()):
                stored_keys.setdefault(part, set()).update(entry)
    assert {kind: keys - {"event"} for kind, keys in stored_keys.items()} == {
        kind: set(keys.split()) for kind, keys in KEYS.items()
    }
    structs = {
        "run": RunStarted,
        "resume": RunResumed,
        "round": RoundPaired,
        "start": GameStarted,
        "end": GameEnded,
        "pair": PairEnded,
    }
    for kind, struct in {**structs, "stop": RunEnded, "engines": EngineEntry, "moves": MoveEntry}.items():
        assert set(struct.__struct_encode_fields__) == set(KEYS[kind].split()), kind


KEYS = {  # JSON keys of each event, and of the entries in `engines` and `moves`
    "run": "games seed order concurrency restart keep wait_ms tournament_format gauntlet rounds tie_break_games "
    "transform sprt h0_fails anchor max_faults strict house "
    "adjudication event_name site swap2 max_plies engines game width height variant control openings openings_hash "
    "command_line versions machine started planned position book format",
    "round": "number pairings byes tie_break",
    "resume": "started engines forced",
    "start": "number pair first second opening",
    "end": "number pair first second ending winner blamed detail opening moves messages stderr over_ms cpu_ms",
    "pair": "number place",
    "stop": "played planned reason",
    "engines": "name command player protocol directory options environment tc file_hash source archive",
    "moves": "move time_ms score win_in depth nodes side pv messages over_ms own_us told_ms result",
}


@pytest.mark.parametrize("gauntlet", [0, 1])
def test_log_from_before_the_formats_is_read(tmp_path: Path, gauntlet: int) -> None:
    """Logs used to have no format, only the number of engines of a gauntlet."""
    header, *_ = read_lines("tournament")
    content = json.loads(header)
    for key in ("tournament_format", "rounds", "tie_break_games"):
        del content[key]
    content |= {"gauntlet": gauntlet, "planned": 8 if gauntlet else 20}
    (tmp_path / LOG_NAME).write_text(json.dumps(content).replace(": ", ":") + "\n", encoding="utf-8")
    rules = find_rules(read_run(tmp_path).header, 5)
    assert (rules.format, rules.gauntlet) == (("gauntlet", 1) if gauntlet else ("round-robin", 0))


@pytest.mark.parametrize("has_format", [True, False])
def test_stored_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_format: bool) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    stored = b"".join(read_lines("match"))
    if not has_format:  # as in logs from before the formats
        for key in (b"tournament_format", b"rounds", b"tie_break_games"):
            stored = stored.replace(b'"%s":null,' % key, b"", 1)
        assert b"tie_break" not in stored
    (tmp_path / LOG_NAME).write_bytes(stored)
    assert len(read_run(tmp_path).games) == 4
    assert cli.run(["resume", str(tmp_path), "--force"]) == 0
    assert (tmp_path / LOG_NAME).read_bytes().startswith(stored)
    run = read_run(tmp_path)
    assert [game.number for game in run.games] == list(range(1, 9))
    assert run.ended is not None
    assert run.ended.reason == ""
