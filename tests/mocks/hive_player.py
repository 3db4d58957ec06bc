"""Scripted players of the game in `tiny_hive.py`, for tests of UHP; without a script they play the first legal move."""

from __future__ import annotations

from collections.abc import Sequence

from core.play.options import Option, OptionSet
from core.play.player import BadSetup, PlayerKind, Setup
from tests.mocks.scripted_player import ScriptedPlayer, UnstoppablePlayer
from tests.mocks.tiny_hive import TinyHive

OPTIONS = (
    Option("level", 10, "strength", minimum=1, maximum=10),
    Option("hash", 16, "MiB", minimum=1),
    Option("book", True, "use an opening book"),
    Option("style", "calm", "playing style", choices=("calm", "wild")),
    Option("contempt", 0.5, "share", minimum=-1, maximum=1),
)


class HivePlayer(ScriptedPlayer):
    """A scripted player. `script` maps the moves of a game (`wS1,bS1 -wS1`) to the next move.

    It refuses games of type `Base+ML`.
    """

    def __init__(self, script: dict[str, str] | None = None, think_ms: int = 0) -> None:
        super().__init__(script, think_ms)
        self.options = OptionSet(OPTIONS)
        self.closed = False

    def new_game(self, setup: Setup) -> None:
        if setup.variant == "Base+ML":
            raise BadSetup("this player refuses Base+ML")
        self.setup, self.moves = setup, []
        self.log.append(f"new {setup.variant}")

    def close(self) -> None:
        self.closed = True

    def _first_free(self, exclude: Sequence[str]) -> str:
        position = TinyHive(self.setup.variant)
        for move in self.moves:
            position.play(move)
        key = ",".join(self.moves)
        return self.script.get(key) or next(move for move in position.legal_moves() if move not in exclude)


class UnstoppableHivePlayer(HivePlayer, UnstoppablePlayer):
    """A player whose searches cannot be stopped."""


def _build_simple(options: OptionSet) -> HivePlayer:
    player = HivePlayer()
    player.options = options
    return player


KINDS = (
    PlayerKind("scripted", "the first move", lambda _: HivePlayer()),
    PlayerKind(
        "simple", "with other options", _build_simple, (Option("depth", 2, "plies", minimum=1, maximum=5), OPTIONS[0])
    ),
)
