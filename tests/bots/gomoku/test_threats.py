"""The kernels' search for a victory by continuous fours (VCF) against positions solved by brute force (make_vcf.py)."""

from __future__ import annotations

import pytest

from bots.gomoku.engine import ENGINE_OPTIONS, GomokuEngine
from bots.gomoku.notation import VARIANTS
from bots.gomoku.position import GomokuPosition, format_cell
from core.native.library import new_array
from core.play.options import OptionSet
from core.play.player import Limits
from core.search.scores import MAX_EVALUATION, NO_SCORE, WIN, win_distance
from tests.bots.gomoku.boards import position_after, position_from_rows, read_rows
from tests.bots.playing import winner_of
from tests.lines import play_on

VCF_CASES = read_rows("vcf.txt")  # variant, moves, and least number of fours, or - if there is no VCF


def find_vcf_length(position: GomokuPosition, nodes: int = 1_000_000) -> int:
    """Return the length in plies of the VCF that the kernels find, or 0."""
    position.library.prepare_root(position.state, 0)
    return int(position.library.find_full_vcf(position.state, new_array("u64", 1 << 16), 100, nodes))


@pytest.mark.parametrize(("variant", "moves", "fours"), VCF_CASES)
def test_recorded_positions(variant: str, moves: str, fours: str) -> None:
    """A VCF is found exactly if brute force found one, and it is never shorter than the shortest.

    A win that is known statically counts as well.
    """
    position = position_after(variant, moves)
    static_score = position.library.terminal_score(position.state, 0)
    length = find_vcf_length(position) or (WIN - static_score if static_score not in (0, NO_SCORE) else 0)
    if fours == "-":
        assert length == 0
    else:
        assert length >= 2 * int(fours) + 1


@pytest.mark.parametrize(("variant", "moves"), [row[:2] for row in VCF_CASES if row[2] != "-"])
def test_found_victories_are_won_against_another_engine(variant: str, moves: str) -> None:
    """The engine wins within the claimed number of plies."""
    position = position_after(variant, moves)
    attacker = position.to_move
    players = [GomokuEngine(OptionSet(ENGINE_OPTIONS)) for _ in range(2)]
    for player in players:
        player.set_option("hash", 4)
        player.new_game(position.setup)
        player.set_position(position.moves)
    claimed_plies = win_distance(players[attacker].choose(Limits(move_time_ms=300)).progress.score)
    assert claimed_plies is not None
    for _ in range(claimed_plies):
        move = players[position.to_move].choose(Limits(move_time_ms=300)).move
        position.play(move)
        for player in players:
            play_on(player, move)
        if position.outcome():
            break
    assert winner_of(position) == attacker


def test_horizon_skips_vcf_when_evaluation_fails_high() -> None:
    """Most evaluations at the horizon fail high, and the VCF search costs more than all else."""
    variant, moves, _ = next(record for record in VCF_CASES if record[2] == "2")
    position = position_after(variant, moves)
    library, state, table = position.library, position.state, new_array("u64", 1 << 12)
    library.prepare_root(state, 0)
    evaluation, nodes_before = library.evaluate(state), state.nodes
    assert library.quiescence(state, table, evaluation - 1, evaluation, 0) == evaluation
    assert state.nodes == nodes_before
    assert library.quiescence(state, table, evaluation, evaluation + 1, 0) == WIN - 5
    assert state.nodes > nodes_before


def test_root_vcf_is_not_hidden_by_horizon_entries() -> None:
    """The search at the horizon skips plain fours; its table entries must not hide a win that starts with one."""
    hidden_count = 0  # wins that the search at the horizon does not find
    for variant, moves, _ in VCF_CASES:
        position = position_after(variant, moves)
        library, state, table = position.library, position.state, new_array("u64", 1 << 12)
        library.prepare_root(state, 0)
        if library.terminal_score(state, 0) != NO_SCORE:
            continue
        is_missed = library.quiescence(state, table, MAX_EVALUATION, MAX_EVALUATION + 1, 0) <= MAX_EVALUATION
        length = library.find_full_vcf(state, new_array("u64", 1 << 12), state.leaf_vcf_plies, 100_000)
        assert library.find_full_vcf(state, table, state.leaf_vcf_plies, 100_000) == length
        hidden_count += is_missed and length > 0
    assert hidden_count > 1


def test_the_position_is_the_same_after_the_search() -> None:
    position = position_after(VCF_CASES[0][0], VCF_CASES[0][1])
    expected = (position.moves, position.legal_moves(), position.state.hash, list(position.state.patterns))
    find_vcf_length(position)
    assert (position.moves, position.legal_moves(), position.state.hash, list(position.state.patterns)) == expected


def test_first_move_of_a_found_line_is_legal() -> None:
    for variant, moves, fours in VCF_CASES:
        position = position_after(variant, moves)
        if fours != "-" and find_vcf_length(position):
            first = format_cell(position.state.vcf_line[0])
            assert first in position.legal_moves()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_five_of_the_defender_refutes_every_four_that_does_not_stop_it(variant: str) -> None:
    """White threatens a five on f4, so black's open three is useless unless a four of it is on f4."""
    rows = [".........", "..XXX....", ".........", "XOOOO....", *["........."] * 4, "O..O..O..", "X.X.X...."]
    assert find_vcf_length(position_from_rows(rows, variant)) == 0
    rows[4:7] = [".....X..."] * 3
    rows[9] = "X........"
    rows[8] = "O..O..O.O"
    position = position_from_rows(rows, variant)
    assert find_vcf_length(position) == 3
    assert format_cell(position.state.vcf_line[0]) == "f4"
