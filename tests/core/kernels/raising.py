"""A module whose kernel set the build refuses."""

from __future__ import annotations

from tests.core.kernels.refused import make_set, raising

KERNELS = make_set(raising)
