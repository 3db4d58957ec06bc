"""A replacement of `threading.Thread` for tests: a thread that starts late, as on a busy machine."""

from __future__ import annotations

import threading
import time


class LateThread(threading.Thread):
    """Begins 0.1 s late."""

    def run(self) -> None:
        time.sleep(0.1)
        super().run()
