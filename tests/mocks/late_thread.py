"""A thread whose start is delayed, as on a busy machine; tests put it in place of `threading.Thread`."""

from __future__ import annotations

import threading
import time


class LateThread(threading.Thread):
    """Begins a tenth of a second late."""

    def run(self) -> None:
        time.sleep(0.1)
        super().run()
