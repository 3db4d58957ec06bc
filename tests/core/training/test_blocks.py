"""Files of checksummed blocks can be continued after any interruption, and damage is detected."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.training.blocks import MAGIC, BlockSeries, DamagedFileError, open_blocks

SETTINGS = b'{"seed": 7}'
GAMES = [bytes([number]) * (20 + 7 * number) for number in range(6)]  # payloads of increasing length
HEADER_BYTES = 12  # of a block


def write_series(folder: Path, games: list[bytes] = GAMES, max_bytes: int = 10_000) -> BlockSeries:
    """Append games to a series and return it."""
    series = BlockSeries(folder, "7", SETTINGS, max_bytes)
    for game in games:
        series.append(game)
    return series


def read_series(folder: Path) -> list[bytes]:
    """Return all games of a folder, after checking the settings of its files."""
    files = [open_blocks(path) for path in sorted(folder.iterdir())]
    assert all(file.settings == SETTINGS for file in files)
    return [bytes(file.view(number)) for file in files for number in range(1, len(file.spans))]


def test_a_new_file_begins_before_one_exceeds_the_limit(tmp_path: Path) -> None:
    """A series that is opened again for each game goes on in the same way."""
    for number, game in enumerate(GAMES):
        series = BlockSeries(tmp_path, "7", SETTINGS, max_bytes=200)
        assert series.count == number
        series.append(game)
        assert series.count == number + 1
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sorted(sizes) == [f"7-000{number}.games" for number in range(len(sizes))]
    assert 1 < len(sizes) < len(GAMES)
    assert max(sizes.values()) <= 200
    assert read_series(tmp_path) == GAMES


def test_a_block_larger_than_the_limit_has_a_file_to_itself(tmp_path: Path) -> None:
    write_series(tmp_path, [GAMES[0], bytes(500), GAMES[1]], max_bytes=200)
    assert read_series(tmp_path) == [GAMES[0], bytes(500), GAMES[1]]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_series_can_be_continued_after_an_interruption_at_any_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An incomplete game in the middle of a file would make the games after it unreadable."""
    write_series(tmp_path / "complete")
    content = (tmp_path / "complete" / "7-0000.games").read_bytes()
    file = tmp_path / "cut" / "7-0000.games"
    ends = [len(MAGIC) + HEADER_BYTES + len(SETTINGS)]
    for game in GAMES:
        ends.append(ends[-1] + HEADER_BYTES + len(game))
    for length in range(len(content)):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content[:length])
        series = BlockSeries(file.parent, "7", SETTINGS)
        assert series.count == max(sum(end <= length for end in ends) - 1, 0)
        assert bool(capsys.readouterr().err) == (length not in [0, *ends])
        for game in GAMES[series.count :]:
            series.append(game)
        assert file.read_bytes() == content


def test_a_reader_ignores_a_game_that_is_being_written(tmp_path: Path) -> None:
    """Training may begin while games are still recorded."""
    write_series(tmp_path)
    file = tmp_path / "7-0000.games"
    file.write_bytes(file.read_bytes()[:-1])
    assert read_series(tmp_path) == GAMES[:-1]


def test_any_damaged_byte_is_an_error_that_names_its_block(tmp_path: Path) -> None:
    """A damaged game is not used for training, and the games after it are not removed from the file."""
    write_series(tmp_path, GAMES[:2])
    file = tmp_path / "7-0000.games"
    content = file.read_bytes()
    settings_begin = len(MAGIC)
    game_0_begin = settings_begin + HEADER_BYTES + len(SETTINGS)
    game_1_begin = game_0_begin + HEADER_BYTES + len(GAMES[0])
    blocks = ((2, game_1_begin), (1, game_0_begin), (0, settings_begin), (-1, 0))  # -1: the magic bytes
    for offset in range(len(content)):
        file.write_bytes(content[:offset] + bytes([content[offset] ^ 0x10]) + content[offset + 1 :])
        number, begin = next(block for block in blocks if offset >= block[1])
        expected = f"block {number} at byte {begin}" if number >= 0 else "is not a file of recorded games"
        for read in (open_blocks, lambda path: BlockSeries(path.parent, "7", SETTINGS)):
            with pytest.raises(DamagedFileError, match=expected) as error:
                read(file)
            assert str(file) in str(error.value)
        assert file.stat().st_size == len(content)


def test_a_series_with_other_settings_cannot_be_continued(tmp_path: Path) -> None:
    """A series whose games were recorded with two settings could not be reproduced."""
    write_series(tmp_path)
    with pytest.raises(DamagedFileError, match=r'7-0000\.games was recorded with .*"seed": 7.*, not with .*"seed": 8'):
        BlockSeries(tmp_path, "7", b'{"seed": 8}')
    assert BlockSeries(tmp_path, "8", b'{"seed": 8}').count == 0


def test_a_missing_file_or_game_within_a_series_is_an_error(tmp_path: Path) -> None:
    """Otherwise the games after it would get wrong numbers."""
    write_series(tmp_path, max_bytes=100)
    files = sorted(tmp_path.iterdir())
    files[1].rename(tmp_path / "elsewhere")
    with pytest.raises(DamagedFileError, match=r"7-0001\.games is missing"):
        BlockSeries(tmp_path, "7", SETTINGS)
    (tmp_path / "elsewhere").rename(files[1])
    files[0].write_bytes(files[0].read_bytes()[:-1])
    with pytest.raises(DamagedFileError, match=r"7-0000\.games ends within a block"):
        BlockSeries(tmp_path, "7", SETTINGS)
