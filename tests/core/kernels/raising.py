"""A module whose kernel set cannot be compiled ahead of time, because a kernel raises an exception."""

from __future__ import annotations

from tests.core.kernels.refused import make_set, raising

KERNELS = make_set(raising)
