"""The version that bots tell their hosts; `pyproject.toml` reads it from here."""

VERSION = "0.1.0"
AUTHOR = "the Pentad authors"
