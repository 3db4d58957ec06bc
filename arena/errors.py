"""How a `pentad` command ends early: two ways to fail, each text one line for a person, and being told to stop."""

from __future__ import annotations


class UsageError(Exception):
    """What was asked for makes no sense; the text says what is wanted. Exit code 2."""


class CommandFailedError(Exception):
    """What was asked for could not be done; the text says why and what to do. Exit code 1."""


class Terminated(KeyboardInterrupt):
    """The process was told to end, by something less patient than a person at the keyboard."""


def how_to_install(extra: str) -> str:
    """What installs the packages of an extra; from a clone, for no index has the project."""
    return f'pip install -e ".[{extra}]" in the folder of the sources'
