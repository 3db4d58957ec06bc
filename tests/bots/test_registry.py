"""The game registry: each entry is consistent, and the players and modules that it names exist."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.tools.bench import list_cases
from arena.tools.demo import choose_opponent
from bots.registry import GAMES
from core.play.game import Game
from core.play.player import build_player
from core.play.rules_page import Section
from core.play.scene import Painter
from protocols.gtp.game import GtpGame

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_entries_are_consistent(game: Game) -> None:
    assert game.default_setup.variant == game.variants[0]
    assert choose_opponent(game) != game.players()[0].name
    proof_cases = [(case.setup, case.line) for case in game.bench_proofs]
    assert (game.prove is None) == (not proof_cases)
    for setup, line in [*list_cases(game), *proof_cases]:
        position = game.new_position(setup)
        for move in game.parse_opening(line, setup) if line else []:
            position.play(move)
        assert position.outcome() is None
    for kind in game.players():
        build_player(game.players(), kind.name).close()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_modules_named_in_an_entry_exist(game: Game) -> None:
    """Modules are loaded only when they are needed, so a wrong name would go unnoticed."""
    assert game.painter
    assert isinstance(game.painter(), Painter)
    assert all(isinstance(section, Section) for section in game.rules_page())
    assert game.rules_page()
    assert (game.sgf is not None) == ("sgf" in game.records)
    assert (game.gtp is not None) == (game.protocol == "gtp")
    assert game.gtp is None or isinstance(game.gtp(), GtpGame)


def test_an_entry_without_a_required_part_is_refused() -> None:
    """Without this check, the error would appear only at the end of the first game."""
    with pytest.raises(ValueError, match="the Game object of Hex needs a value for gtp"):
        replace(GAMES["hex"], gtp=None)
    with pytest.raises(ValueError, match="the Game object of Hex needs a value for sgf"):
        replace(GAMES["hex"], sgf=None)


def test_importing_the_registry_loads_no_heavy_modules() -> None:
    """The Windows build imports the registry without packages installed.

    Every command that names a game imports the registry, too, and should start quickly.
    """
    code = (
        "import sys, bots.registry; print(sorted(name for name in sys.modules if name.partition('.')[0] in"
        "('arena', 'numba', 'llvmlite', 'numpy', 'scipy', 'msgspec', 'psutil', 'rich')"
        "or (name.endswith(('.gtp', '.search')) or '.pages' in name) and name.startswith('bots.')))"
    )
    # -S: without the installed packages
    completed = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (completed.stdout.strip(), completed.stderr) == ("[]", "")
