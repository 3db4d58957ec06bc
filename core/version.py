"""Version and author that the bots report to hosts; `pyproject.toml` reads the version from here."""

VERSION = "1.0.0"
AUTHOR = "the Pentad authors"
