"""Files of checksummed blocks can be continued after any interruption, and damage is detected."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.training.blocks import MAGIC, BlockSeries, DamagedFileError, open_blocks

SETTINGS = b'{"seed": 7}'
GAMES = [bytes([number]) * (20 + 7 * number) for number in range(6)]
FRAME_BYTES = 12


def write_series(folder: Path, games: list[bytes] = GAMES, max_bytes: int = 10_000) -> BlockSeries:
    """A series with some games added."""
    series = BlockSeries(folder, "7", SETTINGS, max_bytes)
    for game in games:
        series.append(game)
    return series


def read_series(folder: Path) -> list[bytes]:
    """Payloads of all games of a folder, whose files must have the settings."""
    files = [open_blocks(path) for path in sorted(folder.iterdir())]
    assert all(file.settings == SETTINGS for file in files)
    return [bytes(file.view(number)) for file in files for number in range(1, len(file.spans))]


def test_a_series_goes_on_in_a_next_file_before_one_is_too_large(tmp_path: Path) -> None:
    """A file above the limit could not be carried to where it is trained on."""
    for done in range(len(GAMES)):
        series = BlockSeries(tmp_path, "7", SETTINGS, max_bytes=200)
        assert series.count == done
        series.append(GAMES[done])
        assert series.count == done + 1
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sorted(sizes) == [f"7-000{number}.games" for number in range(len(sizes))]
    assert 1 < len(sizes) < len(GAMES)
    assert max(sizes.values()) <= 200
    assert read_series(tmp_path) == GAMES


def test_a_block_larger_than_a_file_s_limit_is_kept(tmp_path: Path) -> None:
    """It stands alone rather than being refused or tried in one file after the other."""
    write_series(tmp_path, [GAMES[0], bytes(500), GAMES[1]], max_bytes=200)
    assert read_series(tmp_path) == [GAMES[0], bytes(500), GAMES[1]]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_series_broken_off_anywhere_goes_on_to_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half a game left in the middle of a file would make all that follows unreadable."""
    write_series(tmp_path / "whole")
    whole = (tmp_path / "whole" / "7-0000.games").read_bytes()
    file = tmp_path / "cut" / "7-0000.games"
    ends = [len(MAGIC) + FRAME_BYTES + len(SETTINGS)]
    for game in GAMES:
        ends.append(ends[-1] + FRAME_BYTES + len(game))
    for length in range(len(whole)):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(whole[:length])
        series = BlockSeries(file.parent, "7", SETTINGS)
        assert series.count == max(sum(end <= length for end in ends) - 1, 0)
        assert bool(capsys.readouterr().err) == (length not in [0, *ends])
        for game in GAMES[series.count :]:
            series.append(game)
        assert file.read_bytes() == whole


def test_a_reader_passes_over_a_game_that_is_being_written(tmp_path: Path) -> None:
    """Training may begin while games are still made."""
    write_series(tmp_path)
    file = tmp_path / "7-0000.games"
    file.write_bytes(file.read_bytes()[:-1])
    assert read_series(tmp_path) == GAMES[:-1]


def test_any_damaged_byte_is_found_and_its_place_named(tmp_path: Path) -> None:
    """A game with a wrong byte would teach something else without a sound, and cutting it off would lose the rest."""
    write_series(tmp_path, GAMES[:2])
    file = tmp_path / "7-0000.games"
    whole = file.read_bytes()
    first = len(MAGIC)
    second = first + FRAME_BYTES + len(SETTINGS)
    third = second + FRAME_BYTES + len(GAMES[0])
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        number, begin = next((n, at) for n, at in ((2, third), (1, second), (0, first), (-1, 0)) if place >= at)
        expected = f"block {number} at byte {begin}" if number >= 0 else "is no file of recorded games"
        for read in (open_blocks, lambda path: BlockSeries(path.parent, "7", SETTINGS)):
            with pytest.raises(DamagedFileError, match=expected) as error:
                read(file)
            assert str(file) in str(error.value)
        assert file.stat().st_size == len(whole)


def test_a_series_of_other_settings_is_refused(tmp_path: Path) -> None:
    """Games made in two ways under one name could never be made again."""
    write_series(tmp_path)
    with pytest.raises(DamagedFileError, match=r'7-0000\.games was recorded with .*"seed": 7.*, not with .*"seed": 8'):
        BlockSeries(tmp_path, "7", b'{"seed": 8}')
    assert BlockSeries(tmp_path, "8", b'{"seed": 8}').count == 0


def test_a_gap_in_a_series_is_named(tmp_path: Path) -> None:
    """Else the games after it would be taken for others."""
    write_series(tmp_path, max_bytes=100)
    files = sorted(tmp_path.iterdir())
    files[1].rename(tmp_path / "elsewhere")
    with pytest.raises(DamagedFileError, match=r"7-0001\.games is missing"):
        BlockSeries(tmp_path, "7", SETTINGS)
    (tmp_path / "elsewhere").rename(files[1])
    files[0].write_bytes(files[0].read_bytes()[:-1])
    with pytest.raises(DamagedFileError, match=r"7-0000\.games ends within a block"):
        BlockSeries(tmp_path, "7", SETTINGS)
