"""The table of GTP commands in protocols/README.md is equal to the command table of the session."""

from __future__ import annotations

from pathlib import Path

from protocols.gtp.session import GtpSession
from tests.mocks.tiny_hex import TINY_HEX, HexPlayer

HEADING = "| GTP command | what it does |"


def test_readme_lists_the_commands() -> None:
    session = GtpSession(HexPlayer(), TINY_HEX, lambda _: None, name="Pentad", version="1", threaded=False)
    rows = [f"| `{row.usage}` | {row.help} |" for row in session.commands.values()]
    table = "\n".join([HEADING, "|---|---|", *rows])
    readme = (Path(__file__).parents[3] / "protocols" / "README.md").read_text(encoding="utf-8")
    assert table in readme, f"the table should be:\n{table}"
