"""Hidden options of the engines: the constants of their searches, for tuning without a new build."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from arena.engines.plugins import load_player
from arena.engines.spec import parse_engine
from arena.engines.toml_format import engine_to_text
from bots.gomoku.notation import format_variant
from bots.hive.__main__ import RULES
from bots.registry import GAMES
from core.play.bot_cli import format_help, player_from_command_line
from core.play.options import Option, OptionError, OptionSet
from core.play.player import Decision, Limits, build_player
from core.search.tunable import TuningTarget, format_tunable
from protocols.command_line import split_command
from protocols.gomocup.session import GomocupSession
from protocols.gtp.session import GtpSession
from protocols.serving.session_player import SessionPlayer
from protocols.uhp.session import UhpSession

LIMITS = {  # deep enough that every constant matters, in some of the positions
    "gomoku": Limits(depth=8),
    "hive": Limits(depth=6),
    "pentago": Limits(depth=6),
    "kolibrat": Limits(depth=9),
    "hex": Limits(nodes=150),
}
# Positions in addition to those of `pentad bench`: in Hive with the queens in hand, in Kolibrat before the last point
POSITIONS = {
    "hive": ("wG1;bG1 wG1-",),
    "kolibrat": (
        "c1 c4 c1b2 b4 b1 b4a3 b2c3 b4 a1 c4b3 a1b2 b3c2 b1a2 a3a2 c1 a2b1 c1c2 a4 c2b3 b4a3 c1 c4 c3b4 b1off b4off b4"
        " b3off b4c3 b1 c4b3 b2b3 a3b2 a1 b2b1 c1b2 b1off b1 b4 b3off c4 b1a2 a4b3 b2off",
    ),
}
# Values of other constants, without which a constant matters in few positions
OTHER_VALUES = {
    "aspiration_growth": {"aspiration_delta": 1},
    "aspiration_max_delta": {"aspiration_delta": 1},
    "lmp_factor": {"lmp_base": 1},
    "lmp_max_depth": {"lmp_base": 1},
    "lmp_threat_max_depth": {"lmp_threat_base": 1},
    "null_move_depth_factor": {"null_move_reduction": 0},
    "root_lmr_min_index": {"root_lmr_min_moves": 2},
}
COMMON = {
    "lmr_alpha_raised": 0,
    "killer_bonus_first": 300,
    "killer_bonus_second": 200,
    "max_history_bonus": 400,
    "history_bonus_scale": 8,
    "iir_min_depth": 3,
    "root_lmr_min_index": 4,
    "root_lmr_min_moves": 8,
    "aspiration_min_depth": 4,
    "aspiration_delta": 40,
    "aspiration_growth": 4,
    "aspiration_max_delta": 2000,
}
ANSWERS = {"lmp_threat_base": 1000, "lmp_threat_max_depth": 3, "lmr_threat_factor": 0}
NULL_MOVE = {"null_move_min_depth": 3, "null_move_reduction": 2, "null_move_depth_factor": 64}
DEFAULTS: dict[str, Mapping[str, float]] = {
    "gomoku": COMMON
    | {"rfp_max_depth": 4, "rfp_margin": 200, "lmp_base": 6, "lmp_factor": 1, "lmp_max_depth": 60, "lmr_divisor": 1.4}
    | {"lmp_threat_base": 4, "lmp_threat_max_depth": 3, "lmr_alpha_raised": 1, "lmr_threat_factor": 256}
    | {"max_threat_plies": 2, "history_shift": 5, "order_defence": 128}
    | {"leaf_vcf_plies": 20, "leaf_vcf_nodes": 60, "lazy_margin_above": 300, "lazy_margin_below": 200},
    "hive": COMMON
    | NULL_MOVE
    | {"rfp_max_depth": 3, "rfp_margin": 60, "lmp_base": 8, "lmp_factor": 3, "lmp_max_depth": 5, "lmr_divisor": 1.7}
    | ANSWERS
    | {"history_shift": 3, "order_own_queen": 60, "order_enemy_queen": 90, "order_pin": 15}
    | {"order_cover_queen": 250, "order_cover_own": -20, "order_placement": 20, "order_queen_placement": 60},
    "pentago": COMMON
    | NULL_MOVE
    | {"rfp_max_depth": 2, "rfp_margin": 100, "lmp_base": 24, "lmp_factor": 12, "lmp_max_depth": 3}
    | {"lmr_divisor": 1.7, "history_shift": 3, "max_null_move_marbles": 28},
    "kolibrat": COMMON
    | ANSWERS
    | {"rfp_max_depth": 3, "rfp_margin": 400, "lmp_base": 10, "lmp_factor": 4, "lmp_max_depth": 3, "lmr_divisor": 2}
    | {"history_shift": 3},
    "hex": {"network_rave_equivalence": 0.05, "network_c_puct": 0.8, "network_expansion_threshold": 1}
    | {"network_solver_threshold": 16, "network_fpu_reduction": 0.1, "network_rollout_weight": 0}
    | {"network_initial_rave_visits": 12, "playouts_rave_equivalence": 3000, "playouts_c_puct": 1}
    | {"playouts_expansion_threshold": 10, "playouts_solver_threshold": 1000, "playouts_initial_rave_visits": 12},
}
Result = tuple[int, int, tuple[str, ...], tuple[int, ...]]


def hidden_options(game: str) -> tuple[Option, ...]:
    """Return the hidden options of the game's engine."""
    return OptionSet(GAMES[game].players()[0].options).hidden_options()


ALL_HIDDEN = [(game, option.name) for game in GAMES for option in hidden_options(game)]


@cache
def shared_engine(game: str, search: str = "") -> Any:
    """Return an engine; each use begins with `reset`."""
    text = f"pentad:seed=1,hash=4{',search=' * bool(search)}{search}"
    return build_player(GAMES[game].players(), text)


def search_position(game: str, engine: Any, line: str) -> Result:
    """Search a position with an empty table; in Hex, the number of nodes is fixed, so compare the visits of moves."""
    engine.new_game(GAMES[game].default_setup)
    engine.clear_hash()
    engine.set_position(GAMES[game].parse_opening(line, GAMES[game].default_setup))
    progress = engine.choose(LIMITS[game]).progress
    visits = tuple(move.visits for move in engine.move_statistics()) if game == "hex" else ()
    return progress.nodes, progress.score, progress.pv, visits


def list_lines(game: str) -> Iterator[str]:
    """Yield the positions to search, the additional ones first."""
    yield from POSITIONS.get(game, ())
    yield from GAMES[game].bench_positions


@cache
def default_result(game: str, search: str, line: str, others: tuple[tuple[str, int], ...]) -> Result:
    """Return the result with these values of hidden options, and the defaults of the others."""
    engine = shared_engine(game, search)
    reset(engine)
    for name, value in others:
        engine.set_option(name, value)
    return search_position(game, engine, line)


def reset(engine: Any) -> None:
    """Give the defaults to all hidden options."""
    for option in engine.options.hidden_options():
        engine.set_option(option.name, option.default)


@pytest.mark.parametrize(("game", "name"), ALL_HIDDEN)
def test_a_hidden_option_changes_the_search(game: str, name: str) -> None:
    """Its least or its greatest value gives another result in some position; a kernel that ignores it would not."""
    (option,) = (option for option in hidden_options(game) if option.name == name)
    search = option.only_with[1] if option.only_with else ""
    others = tuple(OTHER_VALUES.get(name, {}).items())
    engine = shared_engine(game, search)

    def differs(line: str, value: float) -> bool:
        expected = default_result(game, search, line, others)
        reset(engine)
        for other, other_value in (*others, (name, value)):
            engine.set_option(other, other_value)
        return search_position(game, engine, line) != expected

    extremes = [value for value in (option.minimum, option.maximum) if value is not None and value != option.default]
    assert any(differs(line, value) for line in list_lines(game) for value in extremes)


@pytest.mark.parametrize("game", GAMES)
def test_defaults_are_the_old_constants(game: str) -> None:
    """Otherwise the engine would play differently without any option; the fields of a new state have them as well."""
    assert {option.name: option.default for option in hidden_options(game)} == DEFAULTS[game]
    if game != "hex":
        state = GAMES[game].new_position(GAMES[game].default_setup).state  # type: ignore[attr-defined]
        fields = {name: value for name, value in DEFAULTS[game].items() if not name.startswith("aspiration_")}
        assert {name: getattr(state, name) for name in fields} == fields


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_constant_leaves_no_trace_of_earlier_searches(game: str) -> None:
    """Table entries or a tree of searches with other constants would mix into the result."""
    name, value = ("network_c_puct", 3.0) if game == "hex" else ("lmr_divisor", 4.0)
    kinds, setup = GAMES[game].players(), GAMES[game].default_setup
    engine = build_player(kinds, "pentad:seed=1,hash=4")
    fresh = build_player(kinds, f"pentad:seed=1,hash=4,{name}={value}")
    for player in (engine, fresh):
        player.new_game(setup)
        player.set_position(GAMES[game].parse_opening(GAMES[game].bench_positions[0], setup))
    before = engine.choose(LIMITS[game])
    engine.set_option(name.upper(), str(value))
    after, expected = engine.choose(LIMITS[game]), fresh.choose(LIMITS[game])
    assert results_of(after) == results_of(expected)
    assert results_of(after) != results_of(before)
    engine.new_game(setup)
    assert engine.options[name] == value


def results_of(decision: Decision) -> tuple[object, ...]:
    """Return what a reproducible search gives again: all but its time."""
    return decision.move, decision.progress.nodes, decision.progress.score, decision.progress.pv


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("is_executable", [False, True])
def test_the_listing_is_a_file_for_tuning(
    game: str, is_executable: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It names an engine that exists, and each value is the default within the limits."""
    program = tmp_path / "my bots" / GAMES[game].executable
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "frozen", is_executable, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    options = OptionSet(GAMES[game].players()[0].options)
    prefix = "player." if GAMES[game].protocol == "gtp" else ""
    content = tomllib.loads(format_tunable(TuningTarget(game, option_prefix=prefix), "pentad", options))
    assert (content["game"], content["tc"], content["iterations"]) == (game, "N=2000", 1000)
    spec = parse_engine(engine_to_text(content["engine"]), GAMES[game])
    if is_executable:
        assert split_command(spec.command) == [str(program), "--player", "pentad"]
    else:
        load_player(spec.player, GAMES[game])
    expected = {name: value for name, value in DEFAULTS[game].items() if not name.startswith("playouts_")}
    prefix = prefix if is_executable else ""
    assert {name: table["value"] for name, table in content["parameters"].items()} == {
        prefix + name: value for name, value in expected.items()
    }
    for name, table in content["parameters"].items():
        option = options.get_option(name.removeprefix("player."))
        assert table["min"] <= table["value"] <= table["max"]
        assert 0 < table["step"] <= table["max"] - table["min"]
        assert table["type"] == ("int" if isinstance(option.default, int) else "float")
        option.parse(table["min"]), option.parse(table["max"])


def test_the_listing_depends_on_the_other_options() -> None:
    """Constants without effect would walk at random; values that are set are the start of the tuning."""
    options = OptionSet(GAMES["hex"].players()[0].options)
    options.update([("search", "playouts"), ("playouts_c_puct", 1.5)])
    content = tomllib.loads(format_tunable(TuningTarget("hex"), "pentad", options))
    assert content["engine"] == {"player": "pentad", "options": {"search": "playouts"}}
    assert all(name.startswith("playouts_") for name in content["parameters"])
    assert content["parameters"]["playouts_c_puct"]["value"] == 1.5


def test_the_switch_prints_the_listing_and_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player without constants is an error: an empty file would tune nothing."""
    kinds, listing = GAMES["hive"].players(), partial(format_tunable, TuningTarget("hive"))
    monkeypatch.setattr(sys, "argv", ["pentad-hive", "--rfp_margin", "70", "--tunable"])
    with pytest.raises(SystemExit) as exit_info:
        player_from_command_line("hive", kinds, "Pentad Hive", "1", format_tunable=listing)
    assert exit_info.value.code == 0
    assert tomllib.loads(capsys.readouterr().out)["parameters"]["rfp_margin"]["value"] == 70
    monkeypatch.setattr(sys, "argv", ["pentad-hive", "--tunable", "--player=greedy"])
    with pytest.raises(SystemExit) as exit_info:
        player_from_command_line("hive", kinds, "Pentad Hive", "1", format_tunable=listing)
    assert exit_info.value.code == 2
    assert capsys.readouterr().err == "pentad-hive: player greedy has no constants to tune\n"


@pytest.mark.parametrize("game", GAMES)
def test_lists_of_options_leave_the_hidden_ones_out(game: str) -> None:
    """Managers show these lists to people: thirty constants would bury the options that matter."""
    kind = GAMES[game].players()[0]
    options = OptionSet(kind.options)
    names = {option.name for option in options.hidden_options()}
    assert names.isdisjoint(options)
    assert len(options) == len(list(options)) == len(kind.options) - len(names)
    help_text = format_help(game, GAMES[game].players(), "title")
    assert not [name for name in names if f"--{name}" in help_text]
    assert "--tunable" in help_text
    with pytest.raises(OptionError) as error:
        options.set("nonsense", "1")
    assert not [name for name in names if name in str(error.value)]


@pytest.mark.parametrize(("game", "name"), ALL_HIDDEN)
def test_values_beyond_the_limits_are_refused(game: str, name: str) -> None:
    """The message names the option, the wanted kind and the value; the limits keep arrays and sums in bounds."""
    options = OptionSet(GAMES[game].players()[0].options)
    option = options.get_option(name)
    for value in (option.maximum + 1, option.minimum - 1, "x", "", "nan"):  # type: ignore[operator]
        with pytest.raises(OptionError, match=rf"^option {name} must be a (whole )?number from .* to .*, not '"):
            options.set(name.upper(), value)
    assert options[name] == option.default


def test_a_player_keeps_its_constants_when_it_is_replaced() -> None:
    """Hidden options are carried over as the listed ones are."""
    kinds = GAMES["hive"].players()
    session = SessionPlayer(build_player(kinds, "pentad:rfp_margin=77"), kinds, lambda _: None)
    session.choose("pentad:level=9")
    player: Any = session.player
    assert player.options["rfp_margin"] == player.position.state.rfp_margin == 77


def test_uhp_sets_and_shows_hidden_options_but_does_not_list_them() -> None:
    answers: list[str] = []
    player: Any = build_player(GAMES["hive"].players(), "pentad")
    session = UhpSession(player, RULES, answers.append, name="P", version="1", threaded=False)

    def ask(line: str) -> list[str]:
        answers.clear()
        session.handle(line)
        assert answers.pop() == "ok"
        return list(answers)

    assert [line.partition(";")[0] for line in ask("options")] == [
        *("Verbosity", "Nodes", "Level", "Threads", "Hash", "Margin", "Seed", "Ownbook", "Contempt"),
    ]
    assert ask("options set rfp_margin 70") == ask("options get Rfp_margin") == ["Rfp_margin;int;70;60;0;2000"]
    assert player.position.state.rfp_margin == 70
    for value in ("x", "2001"):
        assert ask(f"options set rfp_margin {value}") == [
            f"err option rfp_margin must be a whole number from 0 to 2000, not '{value}'"
        ]
    assert player.position.state.rfp_margin == 70


@pytest.mark.parametrize("game", ["hex", "pentago", "kolibrat"])
def test_gtp_sets_hidden_options_but_does_not_list_them(game: str) -> None:
    name, expected = ("network_c_puct", "0.05 to 5") if game == "hex" else ("lmr_divisor", "0.5 to 10")
    answers: list[str] = []
    player = build_player(GAMES[game].players(), "pentad")
    protocol = GAMES[game].gtp
    assert protocol
    session = GtpSession(player, protocol(), answers.append, name="P", version="1", kinds=[], threaded=False)

    def ask(line: str) -> str:
        session.handle(line)
        return answers.pop().strip()

    listing = ask("param_player")
    assert "level 10" in listing
    assert not [option.name for option in player.options.hidden_options() if option.name in listing]
    assert ask(f"param_player {name} 2.5") == "="
    assert player.options[name] == 2.5
    assert ask(f"param_player {name} 11") == f"? option {name} must be a number from {expected}, not '11'"
    assert ask(f"param_player {name}") == f"? {name} must get a value: number from {expected}"
    assert player.options[name] == 2.5


def test_gomocup_sets_hidden_options_by_info() -> None:
    """INFO has no answer, so refusals come with the next move."""
    answers: list[str] = []
    player: Any = build_player(GAMES["gomoku"].players(), "pentad")
    session = GomocupSession(player, answers.append, format_variant, threaded=False)
    for line in ("INFO max_depth 1", "INFO rfp_margin 90", "INFO lmr_divisor 1.75", "START 15", "TURN 7,7"):
        session.handle(line)
    state = player.position.state
    assert (state.rfp_margin, state.lmr_divisor) == (90, 1.75)
    assert not [answer for answer in answers if "option" in answer]
    for line in ("INFO lmr_divisor x", "INFO rfp_margin 2001", "TURN 8,8"):
        session.handle(line)
    assert "MESSAGE option lmr_divisor must be a number from 0.5 to 10, not 'x'" in answers
    assert "MESSAGE rfp_margin 2001 is out of range, using 2000" in answers
    assert (state.rfp_margin, state.lmr_divisor) == (2000, 1.75)
