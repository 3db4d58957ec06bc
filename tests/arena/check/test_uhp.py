"""The UHP check list: a correct engine passes every item, and a misbehaving one fails the items that it should."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from arena.check.check_list import CheckFailed, CheckResult, compare_closed_input, run_checks
from arena.check.uhp import CHECK_ITEMS, MIDDLE_GAME, check_uhp, find_types, list_illegal_moves
from arena.check.uhp_audit import (
    POSITIONS_FILE,
    AuditCount,
    AuditOptions,
    RandomMover,
    compare_positions,
    play_games,
    read_positions,
)
from arena.check.uhp_conversation import (
    UhpCandidate,
    UhpTimeouts,
    check_counts,
    check_game,
    check_game_moves,
    check_moves,
    list_spellings,
)
from bots.hive.notation import VARIANTS
from bots.hive.position import HivePosition
from core.play.player import BadSetup, IllegalMove, Setup

MOCK_ENGINE = [sys.executable, "-m", "tests.mocks.hive_engine"]  # its switches, such as `omit=12`, are listed there
TYPES = ("Base+MLP", "Base")
SHORT_TIMEOUTS = UhpTimeouts(answer_s=5.0, exit_s=3.0)


def run_items(*switches: str, numbers: set[int]) -> dict[int, CheckResult]:
    """Run some items of the list on the mock engine; return the results by item number."""
    items = [item for item in CHECK_ITEMS if item[0] in numbers]
    results = run_checks(items, UhpCandidate([*MOCK_ENGINE, *switches], TYPES, 1, SHORT_TIMEOUTS), lambda _: None)
    return {result.number: result for result in results}


def play(*switches: str, audit: AuditOptions, timeouts: UhpTimeouts = SHORT_TIMEOUTS) -> AuditCount:
    """Play the random games of an audit against the mock engine."""
    with UhpCandidate([*MOCK_ENGINE, *switches], TYPES, 1, timeouts).engine() as engine:
        return play_games(engine, TYPES, audit, lambda: None)


def test_correct_engine_passes() -> None:
    reported: list[CheckResult] = []
    audit = AuditOptions(games=2, seed=1, positions=read_positions(POSITIONS_FILE)[::20], max_plies=40)
    results = check_uhp(MOCK_ENGINE, reported.append, audit, timeouts=SHORT_TIMEOUTS)
    assert reported == results
    assert not [result for result in results if not result.passed]
    assert [result.number for result in results] == list(range(1, 21))
    assert results[3].detail == " ".join(VARIANTS)  # item 4: newgame starts every game type


def test_program_that_exits_ends_the_check() -> None:
    (result,) = check_uhp([sys.executable, "-c", ""], lambda _: None, AuditOptions(games=2, seed=1))
    assert (result.number, result.passed, result.skipped) == (1, False, 19)
    assert result.detail == "exited with status 0"


def test_engine_that_changes_the_game_fails() -> None:
    """`forgets=1` takes a move back after each refused one, and `plays=1` plays the move of bestmove."""
    results = run_items("forgets=1", "plays=1", numbers={3, 7, 8, 9, 13})
    assert {number for number, result in results.items() if not result.passed} == {7, 9, 13}
    assert "only the engine: wS1; wB1; wG1; wA1" in results[7].detail


def test_missing_legal_move_is_reported_with_the_game() -> None:
    with pytest.raises(CheckFailed) as caught:
        play("omit=12", audit=AuditOptions(games=3, seed=5))
    title, game, only_engine, only_rules = str(caught.value).splitlines()
    assert title == "game 1 of 3, Base+MLP, ply 12: the legal moves differ"
    position = HivePosition.from_game(game.removeprefix("game: "))
    assert len(position.moves) == 12
    assert only_engine == "only the engine: none"
    assert only_rules == f"only our rules: {position.legal_moves()[-1]}"


def test_legal_moves_are_compared_every_n_plies_and_the_state_after_each_ply() -> None:
    tally = play(audit=AuditOptions(games=1, seed=5, every=5, max_plies=20))
    assert (tally.plies, tally.move_lists) == (20, 5)
    with pytest.raises(CheckFailed, match="ply 15: the legal moves differ"):
        play("omit=12", audit=AuditOptions(games=3, seed=5, every=5))
    with pytest.raises(CheckFailed, match=r"ply 13: 'play .*' gives Base\+MLP;Draw;Black"):
        play("draws=13", audit=AuditOptions(games=3, seed=5, every=5))


def test_same_seed_gives_the_same_counts() -> None:
    assert play(audit=AuditOptions(games=2, seed=3, max_plies=30)) == play(
        audit=AuditOptions(games=2, seed=3, max_plies=30)
    )


def test_engine_that_exits_or_hangs_in_a_game_fails() -> None:
    with pytest.raises(CheckFailed, match=r"game 1 of 1, Base\+MLP, ply \d+: exited with status 3\ngame: Base\+MLP;"):
        play("dies=30", audit=AuditOptions(games=1, seed=1))
    with pytest.raises(CheckFailed, match=r"ply \d+: no ok after (play .*|validmoves) within 2 s"):
        play("hangs=30", audit=AuditOptions(games=1, seed=1), timeouts=UhpTimeouts(answer_s=2, exit_s=0.1))


def test_self_references_and_repetition_draws_are_accepted() -> None:
    """Nokamute writes self-references, calls such draws, and answers validmoves by an empty line after them."""
    audit = AuditOptions(games=20, seed=8, max_plies=60)
    tally = play("selfish=1", "repeats=1", audit=audit)
    assert tally.games == 20
    assert tally.self_references > 0
    assert tally.endings["Draw by repetition"] > 0


def test_engine_that_refuses_a_wrong_state_or_turn_passes() -> None:
    assert run_items("strict=1", numbers={6})[6].detail == "a wrong state or turn is refused"


def test_random_games_have_stacks_ends_and_repetitions() -> None:
    """The audit cannot find errors in rules that its games never use."""
    max_height, finished, repeated = 0, 0, 0
    for number in range(40):
        position = HivePosition(Setup(variant=VARIANTS[number % 8]))
        mover = RandomMover(position, random.Random(number))
        while position.outcome() is None and len(position.moves) < 100 and position.repetitions() < 3:
            position.play(mover.choose())
            max_height = max(max_height, *position.state.height)
        finished += position.outcome() is not None
        repeated += position.repetitions() >= 3
    assert max_height >= 3
    assert finished >= 10
    assert repeated >= 1


def test_game_types_follow_from_the_capabilities_of_the_engine() -> None:
    assert find_types(["id X 1", "Ladybug;Mosquito"]) == ("Base", "Base+M", "Base+L", "Base+ML")
    assert find_types(["id X 1"]) == ("Base",)


def test_spellings_are_legal_and_illegal_moves_are_not() -> None:
    position = HivePosition.from_game(MIDDLE_GAME)
    legal = position.legal_numbers()
    for code in legal:
        spellings = list_spellings(position, code)
        assert {position.parse(text) for text in spellings} == {code}
        assert position.format(code) in spellings
    illegal = list_illegal_moves(position)
    assert len(illegal) > 5000
    for text in illegal[::50]:
        with pytest.raises(IllegalMove):
            position.play(text)
    assert "wQ" in list_illegal_moves(HivePosition(Setup(variant="Base")))


def test_answers_are_read_strictly() -> None:
    """Only the case of letters and the blanks between moves may differ."""
    position = HivePosition.from_game("Base;;;wS1;bS1 wS1-")
    expected = position.game_string()
    assert check_game([expected.lower().replace("base;inprogress;white", "Base;InProgress;White")], position, "play")
    for wrong in (expected.replace("[2]", "[1]"), expected + ";wQ -wS1", "err no", expected.replace("Base", "Base+M")):
        with pytest.raises(CheckFailed, match="'play' gives"):
            check_game([wrong], position, "play")
    with pytest.raises(CheckFailed, match="2 lines"):
        check_game([expected, expected], position, "play")
    with pytest.raises(CheckFailed, match="has 'bS1 -wS1' for 'bS1 wS1-'"):
        check_game_moves("Base;InProgress;White[2];wS1;bS1 -wS1", position)
    moves = position.legal_moves()
    assert check_moves([" ; ".join(moves)], position) == 0
    for answer in ([*moves, moves[0]], [*moves, "wA1 bS1-"], [*moves, "nonsense"]):
        with pytest.raises(CheckFailed, match=re.escape(f"only the engine: {answer[-1]}")):
            check_moves([";".join(answer)], position)


def test_perft_counts_are_read_in_both_forms() -> None:
    position = HivePosition(Setup(variant="Base"))
    assert check_counts(["perft(0) = 1 in 0 ms. 1 KN/s", "perft(3) = 1,440 in 1 ms. 1440 KN/s"], position) == 2
    assert check_counts(["   depth   count   time   kn/s", "   2       96    1.0us     900.0"], position) == 1
    with pytest.raises(CheckFailed, match="perft 2 is 97, not 96"):
        check_counts(["perft(2) = 97 in 0 ms. 1 KN/s"], position)


def test_position_file_is_read_or_refused_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# all\n\ngame Base;;;wS1\nperft 6 90\nmove wQ 0,0\nBase+M;;;wM; bM wM-\n", encoding="utf-8")
    assert read_positions(path) == ["Base;InProgress;Black[1];wS1", "Base+M;InProgress;White[2];wM;bM wM-"]
    path.write_text("Base;;;wS1\nBase;;;wQ\n", encoding="utf-8")
    with pytest.raises(BadSetup, match="line 2: move 1 of the game"):
        read_positions(path)
    path.write_text("# none\n", encoding="utf-8")
    with pytest.raises(BadSetup, match="no position"):
        read_positions(path)


def test_shipped_positions_have_long_hives_and_high_stacks() -> None:
    """There are hives of all 28 tiles in one row, in each of the three directions."""
    games = [HivePosition.from_game(game) for game in read_positions(POSITIONS_FILE)]
    assert {game.setup.variant for game in games} == set(VARIANTS)
    assert max(max(game.state.height) for game in games) == 7
    spans = {  # numbers of columns q and rows r
        (len({q for q, _ in game.stacks()}), len({r for _, r in game.stacks()})) for game in games
    }
    assert spans >= {(28, 1), (28, 28), (1, 28)}


def test_engine_with_a_missing_move_fails_at_a_given_position() -> None:
    with (
        UhpCandidate([*MOCK_ENGINE, "omit=12"], TYPES, 1, SHORT_TIMEOUTS).engine() as engine,
        pytest.raises(CheckFailed, match="the legal moves differ"),
    ):
        compare_positions(engine, [MIDDLE_GAME])


def test_search_cut_short_by_closing_the_input_fails() -> None:
    """The times are seconds of a search with the input open, then closed.

    A slower or faster machine during one of the two searches must not fail a correct engine.
    """
    assert compare_closed_input(1.0, 0.9) == "0.90 s; with the input open, 1.00 s"
    assert compare_closed_input(0.15, 0.0)
    assert compare_closed_input(0.3, 2.0)
    with pytest.raises(CheckFailed, match=r"answered after 0\.40 s; with the input open, after 4\.90 s"):
        compare_closed_input(4.9, 0.4)
