"""The main program of a GTP bot: a player from the command line, served on standard input and output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn

from core.play.bot_cli import player_from_command_line
from core.play.options import Option, OptionSet
from core.play.player import PlayerKind
from core.search.tunable import TUNING_NODES, TuningTarget, format_tunable
from core.version import VERSION
from protocols.gtp.context import session_options
from protocols.gtp.game import GtpGame
from protocols.gtp.session import GtpSession, MakeCommands, serve_gtp


def run_gtp_bot(
    section: str,
    game: GtpGame,
    kinds: Sequence[PlayerKind],
    title: str,
    *,
    name: str = "Pentad",
    commands: MakeCommands = lambda _: (),
    start_options: tuple[Option, ...] = (),
    all_games: Sequence[str] = (),
    tuning_nodes: int = TUNING_NODES,
) -> NoReturn:
    """Serve GTP until `quit` or the end of input, then end the process.

    `section` is the game's section of `config.toml`, `title` the first line of `--help`, `name` the answer to the
    command `name`. `commands` makes the game's own commands. `start_options` are those options of the game that command
    line and `config.toml` may set; the first game starts with them. `all_games` names the sections that
    `config.toml` may have for all bots. `tuning_nodes` are the nodes per move in the listing of `--tunable`.
    """
    options = session_options(game)
    settings = OptionSet((*options.options, *start_options))
    listing = partial(format_tunable, TuningTarget(section, tuning_nodes, option_prefix="player."))
    player = player_from_command_line(
        section, kinds, title, VERSION, settings, all_games=all_games, format_tunable=listing
    )
    options.update({option: settings[option] for option in options})
    if start_options:
        assert game.apply_options is not None  # a game that has options also applies them
        game = replace(game, default_setup=game.apply_options(game.default_setup, settings))
    serve_gtp(
        lambda write: GtpSession(
            player, game, write, name=name, version=VERSION, kinds=kinds, options=options, commands=commands
        )
    )
