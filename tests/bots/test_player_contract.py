"""Requirements of the arena and the protocols on every player of every game.

A new player is tested as soon as its game lists it. If it has options that make its search endless, it also gets an
entry in ENDLESS. A new game needs an entry in QUIET_LINES (playing.py) and BOARDS, and should have one in WINS_IN_ONE
and FINISHED; tests/bots/hive tests these two for Hive. test_seeds.py tests seeds.
"""

from __future__ import annotations

import pytest

from bots.registry import GAMES
from core.play.options import OptionError
from core.play.player import (
    AllMovesExcluded,
    BadSetup,
    IllegalMove,
    Limits,
    Progress,
    Setup,
    allowed_moves,
    build_player,
)
from tests.bots.playing import PLAYERS, QUIET_LINES, play_game, player_after
from tests.lines import play_on, take_back
from tests.manual_clock import ManualClock

MAX_EXTRA_MS = 20  # after a time limit or a stop; the tests' clock advances by 1 ms at each reading
MAX_EXTRA_NODES = 50  # beyond a node limit: nodes that are counted while the search unwinds
HORIZON_MOVES = {"pentago": 36 * 8}  # moves that are evaluated together at the horizon, each counted as a node
FEW_NODES = {"hex": 300}  # by game: node limit that replaces larger ones; Hex's network takes a millisecond per node
# Games and players; without limits these would search for hours. hash=4: a table or tree of 4 MiB; perfect=no: without
# solved tables.
ENDLESS = [
    ("gomoku", "pentad:hash=4"),
    ("gomoku", "paper:depth=20,breadth=100,kill=61"),  # breadth: moves per node; kill: plies of the threat search
    ("hex", "pentad:hash=4"),
    *(("hex", f"{name}:depth=20") for name in ("sexsearch", "queenbee", "minimax", "negamontescout")),
    ("hive", "pentad:hash=4"),
    ("hive", "alphabeta:depth=20"),
    ("hive", "minimax:depth=20"),
    ("pentago", "pentad:hash=4"),
    ("pentago", "alphabeta:depth=20"),
    ("pentago", "genetic:population=100000,generations=1000000"),
    ("pentago", "mcts:playouts=100000000"),
    ("kolibrat", "pentad:perfect=no,hash=4"),
    ("kolibrat", "minimax:time=3600"),
]
ENDLESS_KINDS = {(game, name.partition(":")[0]) for game, name in ENDLESS}
EVERY_PLAYER = ENDLESS + [player for player in PLAYERS if player not in ENDLESS_KINDS]

# By game: setup and moves of a position, and the moves that win there at once.
WINS_IN_ONE = {
    "gomoku": (Setup(15, 15, "freestyle"), "h8 a1 i8 a3 j8 a5 k8 a7", {"g8", "l8"}),
    "hex": (Setup(4, 4, "standard"), "b1 a4 b2 a3 b3 d1", {"b4"}),
    "pentago": (Setup(position="wwww2/bbbb2/6/6/6/6 w"), "", {"e1"}),
    "kolibrat": (Setup(position="1r1/3/3/3 r 4 0 4 5"), "", {"b4off"}),
}
MISSES_WINS = {("gomoku", "greedy"), ("kolibrat", "greedy")}  # may miss a win in one, or do not report it

FINISHED = {  # by game: setup and moves of a finished game; in Gomoku a full board, because a five need not end it
    "gomoku": (Setup(5, 5, "freestyle"), "a1b1c1d1e1a2b2c2d2e2b3a3d3c3a4e3c4b4e4d4b5a5d5c5e5"),
    "hex": (Setup(2, 2, "standard"), "a1b1a2"),
    "pentago": (Setup(position="wwww2/bbbb2/6/6/6/6 w"), "e1"),
    "kolibrat": (Setup(position="3/3/3/1r1 b 5 0 4 5"), ""),
}
BOARDS = {  # by game: setups for whole games; on the board of Kolibrat sides are often skipped
    "gomoku": [
        *(Setup(22, 7, "freestyle"), Setup(6, 9, "standard"), Setup(7, 7, "renju")),
        *(Setup(5, 5, "caro"), Setup(9, 8, "caro-overline")),
    ],
    "hex": [Setup(1, 1, "standard"), Setup(2, 5, "standard"), Setup(7, 7, "swap"), Setup(19, 19, "standard")],
    "hive": [Setup(variant=variant) for variant in GAMES["hive"].variants],
    "pentago": [GAMES["pentago"].default_setup],
    "kolibrat": [Setup(variant="2x4-3-3")],
}

each_endless_player = pytest.mark.parametrize(("game", "name"), ENDLESS)
each_player = pytest.mark.parametrize(("game", "name"), EVERY_PLAYER)


def with_seed(game: str, name: str) -> str:
    """Return the name of a player with a seed, if it has that option."""
    (kind,) = (kind for kind in GAMES[game].players() if kind.name == name.partition(":")[0])
    has_seed = any(option.name == "seed" for option in kind.options)
    return name + ("," if ":" in name else ":") + "seed=1" if has_seed else name


@each_player
@pytest.mark.parametrize(
    ("limits", "time_ms"),
    [(Limits(move_time_ms=0), 0), (Limits(move_time_ms=60), 60), (Limits(time_left_ms=-500), 0)],
    ids=("no time", "60 ms", "overrun clock"),
)
def test_time_limits_are_kept(game: str, name: str, limits: Limits, time_ms: int, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_after(game, name, QUIET_LINES[game])
    start_ms = clock.now_ms
    assert player.choose(limits).move in player.position.legal_moves()
    assert clock.now_ms - start_ms <= time_ms + MAX_EXTRA_MS


@each_endless_player
def test_the_time_of_a_move_is_used(game: str, name: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    player = player_after(game, name, QUIET_LINES[game])
    start_ms = clock.now_ms
    player.choose(Limits(move_time_ms=400))
    assert 200 <= clock.now_ms - start_ms <= 400


@each_endless_player
def test_a_stop_ends_an_endless_search(game: str, name: str, clock: ManualClock) -> None:
    clock.step_ms = 1
    player, limits = player_after(game, name, QUIET_LINES[game]), Limits(move_time_ms=3_600_000)
    stop_ms = clock.now_ms + 200
    clock.call_at(stop_ms, limits.stop.set)
    assert player.choose(limits).move in player.position.legal_moves()
    assert stop_ms <= clock.now_ms < stop_ms + MAX_EXTRA_MS


@each_endless_player
@pytest.mark.parametrize("nodes", [1, 100, 3000])
def test_node_limits_are_kept(game: str, name: str, nodes: int) -> None:
    nodes = min(nodes, FEW_NODES.get(game, nodes))
    player = player_after(game, name, QUIET_LINES[game])
    decision = player.choose(Limits(nodes=nodes))
    assert decision.move in player.position.legal_moves()
    assert decision.progress.nodes <= nodes + MAX_EXTRA_NODES + HORIZON_MOVES.get(game, 0)


@each_player
def test_equal_searches_find_the_same(game: str, name: str) -> None:
    """Two players that search differently could not repeat a game from its seed."""
    limits = Limits(nodes=FEW_NODES.get(game, 5_000))
    first, second = (player_after(game, with_seed(game, name), QUIET_LINES[game]).choose(limits) for _ in range(2))
    assert (first.move, first.progress.score, first.progress.nodes, first.progress.pv) == (
        second.move,
        second.progress.score,
        second.progress.nodes,
        second.progress.pv,
    )


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (game, name)
        for game, name in EVERY_PLAYER
        if game in WINS_IN_ONE and name != "random" and (game, name) not in MISSES_WINS
    ],
)
def test_a_win_in_one_move_is_played(game: str, name: str) -> None:
    setup, moves, wins = WINS_IN_ONE[game]
    decision = player_after(game, name, moves.split(), setup).choose(Limits(move_time_ms=300))
    assert decision.move in wins
    assert decision.progress.win_in == 1


@pytest.mark.parametrize(("game", "name"), [player for player in EVERY_PLAYER if player[0] in FINISHED])
def test_a_finished_game_is_answered_without_a_move(game: str, name: str) -> None:
    setup, moves = FINISHED[game]
    player = player_after(game, name, GAMES[game].parse_opening(moves, setup) if moves else [], setup)
    assert not player.position.legal_moves()
    assert player.choose(Limits(move_time_ms=100)).move == ""


@each_player
def test_refused_moves_and_setups_change_nothing(game: str, name: str) -> None:
    """After the errors, the player still has its position and can take moves back and repeat them."""
    player = player_after(game, name)
    for _ in range(2):
        play_on(player, player.position.legal_moves()[-1])
    line, board = player.position.moves, player.position.board()
    for moves in ([*line, "zz99"], ["zz99"]):
        with pytest.raises(IllegalMove):
            player.set_position(moves)
    with pytest.raises(BadSetup):
        player.new_game(Setup(99, 99, "nonsense"))
    assert (player.position.moves, player.position.board()) == (line, board)
    take_back(player)
    take_back(player)
    assert player.position.moves == []
    play_on(player, *line)
    assert player.position.board() == board


@each_player
def test_excluded_moves_are_not_chosen(game: str, name: str) -> None:
    """Regression: players used to play excluded moves, for example if only one move was legal."""
    player = player_after(game, name)
    for _ in range(6):
        play_on(player, player.position.legal_moves()[-1])
    legal = player.position.legal_moves()
    with pytest.raises(AllMovesExcluded, match=rf"^the limits exclude every legal move \({len(legal)}\)$"):
        player.choose(Limits(depth=1, nodes=200, excluded_moves=tuple(legal)))
    for move in (legal[0], legal[-1]):
        others = tuple(other for other in legal if other != move)
        assert player.choose(Limits(depth=1, nodes=200, excluded_moves=others)).move == move
    assert player.choose(Limits(depth=1, nodes=200)).move in legal
    with pytest.raises(IllegalMove):
        player.choose(Limits(depth=1, nodes=200, excluded_moves=("zz99",)))


def test_excluding_moves_of_a_finished_game_is_no_error() -> None:
    """`allowed_moves` raises AllMovesExcluded only if there are legal moves and all of them are excluded."""
    assert allowed_moves([], [1]) == []
    assert allowed_moves([1, 2], [1]) == [2]


@pytest.mark.parametrize("game", GAMES)
def test_the_best_lines_begin_with_different_moves_and_can_be_played(game: str) -> None:
    """With `multi_pv=3`, the three best lines are reported with `pv_index` 1 to 3, the best first."""
    (name,) = (name for other, name in ENDLESS if other == game and name.startswith("pentad"))
    reports: list[Progress] = []
    player = player_after(game, name, QUIET_LINES[game])
    decision = player.choose(Limits(nodes=FEW_NODES.get(game, 20_000), multi_pv=3), reports.append)
    last = {progress.pv_index: progress for progress in reports}
    assert sorted(last) == [1, 2, 3]
    assert decision.move == last[1].pv[0]
    # The last iteration may have been interrupted, with other moves than the one before
    complete = {progress.pv_index: progress for progress in reports if progress.depth == last[3].depth}
    lines = last if game == "hex" else complete  # Monte-Carlo tree search has no iterations
    assert len({progress.pv[0] for progress in lines.values()}) == 3
    if game != "hex":  # it orders the lines by visits, not by scores
        assert complete[1].score >= complete[2].score >= complete[3].score
    for progress in reports:
        player.set_position([*QUIET_LINES[game], *progress.pv])  # raises IllegalMove


@pytest.mark.parametrize(
    ("game", "name", "setup"), [(game, name, setup) for game, name in EVERY_PLAYER for setup in BOARDS[game]], ids=str
)
def test_whole_games_are_played_by_the_rules(game: str, name: str, setup: Setup) -> None:
    """Each player plays as first and as second player; crashes and corrupted positions show up late in a game.

    Games of Hive may be endless and are cut off after 80 plies.
    """
    opponent = "potentials:seed=1" if game == "hex" else "random:seed=1"
    for names in ((name, opponent), (opponent, name)):
        position = play_game(game, names, setup, Limits(depth=1, nodes=20), max_plies=80 if game == "hive" else 1000)
        assert position.outcome() or len(position.moves) == 80


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_options_below_their_minimum_are_refused(game: str, name: str) -> None:
    (kind,) = (kind for kind in GAMES[game].players() if kind.name == name)
    for option in kind.options:
        if option.minimum is not None:
            with pytest.raises(OptionError, match=f"^option {option.name} "):
                build_player([kind], f"{name}:{option.name}={option.minimum - 1}")
