"""The two ways in which a `pentad` command fails; each text is one line for a person."""

from __future__ import annotations


class UsageError(Exception):
    """What was asked for makes no sense; the text says what is wanted. Exit code 2."""


class CommandFailedError(Exception):
    """What was asked for could not be done; the text says why and what to do. Exit code 1."""
