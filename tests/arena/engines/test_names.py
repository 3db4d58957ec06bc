"""Tests of names for engines without a given name: of the program, or of what an interpreter or a launcher starts."""

from __future__ import annotations

import pytest

from arena.engines.names import derive_name


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("./rapfi --mode gomocup", "rapfi"),
        ("dist/pbrain-pentad.exe", "pbrain-pentad"),
        ("python foo.py", "foo"),
        ("/usr/bin/python3.11 -u bots/foo.py --level 3", "foo"),
        ("python3 -W ignore -X dev -O foo.py", "foo"),
        ("python3 -m bots.gomoku --level 1", "bots.gomoku"),
        ("python3 -c 'print(1)'", "python3"),  # code has no name
        ("java -jar engines/x.jar", "x"),
        ("java -Xmx512m -cp lib/a.jar:lib/b.jar org.example.Main", "org.example.Main"),
        ("wine x.exe", "x"),
        ("wine64 'C:\\brains\\my brain.exe'", "my brain"),
        ("nice -n 5 ./strong --threads 2", "strong"),
        ("env OMP_NUM_THREADS=1 python3 -u foo.py", "foo"),
        ("taskset -c 0,1 java -jar y.jar", "y"),
        ("timeout 30m ./slow", "slow"),
        ("python3", "python3"),
        ("runner", "runner"),  # only begins like the launcher `run`
        ("bots/strong-1.2", "strong-1.2"),
        ("bots/STRONG.EXE", "STRONG"),
        ("bots/.hidden", ".hidden"),
        ("'unfinished", "'unfinished"),
        ("", ""),
    ],
)
def test_derived_names(command: str, name: str) -> None:
    assert derive_name(command) == name
