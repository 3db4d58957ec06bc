"""Version and author, as the bots report them in their protocols; `pyproject.toml` reads the version from here."""

VERSION = "0.1.0"
AUTHOR = "the Pentad authors"
