"""A script for Python on Windows (or wine): sends Ctrl-C to a Gomoku executable, or suspends its process.

`python windows_host.py interrupt|suspend EXE` starts the executable and prints its observations, a line `NAME VALUE`
each. `tests/test_windows.py` runs it.
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import subprocess
import sys
import threading
import time

CREATE_NEW_CONSOLE = 0x10  # a flag of CreateProcess
TURN_MS = {"interrupt": 20_000, "suspend": 4000}  # time limit of a move
SUSPENDED_S = 8.0  # longer than the time limit of a move
INTERRUPT_GAP_S = 1.2  # after this time another Ctrl-C counts as a first one again
MAX_PAIRS = 4  # of Ctrl-C; on a busy machine the two of a pair may arrive too late, or as one
BOARD = "BOARD\n7,7,2\n8,9,1\n5,5,2\nDONE"  # x, y and owner of each stone: 1 the brain, 2 its opponent


class Brain:
    """The running executable, in a new console."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=CREATE_NEW_CONSOLE,
            text=True,
            bufsize=1,
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.strip())

    def send(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def read_answer(self) -> str:
        """Return the next line that does not begin with MESSAGE; raise queue.Empty after a minute."""
        while (line := self._lines.get(timeout=60)).startswith("MESSAGE"):
            pass
        return line


def interrupt(brain: Brain) -> None:
    """Send Ctrl-C while the brain is idle, while it thinks, and twice in a row."""
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    kernel32 = ctypes.windll.kernel32
    print("ready", brain.read_answer())
    kernel32.FreeConsole()
    assert kernel32.AttachConsole(brain.process.pid), "the console of the brain could not be attached"
    kernel32.SetConsoleCtrlHandler(None, True)  # this process shares the console now and must ignore Ctrl-C

    def send_ctrl_c() -> None:
        assert kernel32.GenerateConsoleCtrlEvent(0, 0), "Ctrl-C was not sent"

    send_ctrl_c()
    time.sleep(INTERRUPT_GAP_S)
    print("idle", brain.process.poll())
    began_s = time.perf_counter()
    brain.send(BOARD)
    time.sleep(1)
    send_ctrl_c()
    print("move", brain.read_answer())
    print("seconds", time.perf_counter() - began_s)
    for _ in range(MAX_PAIRS):
        time.sleep(INTERRUPT_GAP_S)
        send_ctrl_c()
        time.sleep(0.4)
        send_ctrl_c()
        with contextlib.suppress(subprocess.TimeoutExpired):
            brain.process.wait(5)
            break
    print("ended", brain.process.poll())


def suspend(brain: Brain) -> None:
    """Suspend the process at its start and again while it is idle; request a move meanwhile."""
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    handle, ntdll = ctypes.c_void_p(int(brain.process._handle)), ctypes.windll.ntdll
    for name in ("started", "idle"):
        assert ntdll.NtSuspendProcess(handle) == 0, "the process was not suspended"
        time.sleep(SUSPENDED_S / 2)
        brain.send(BOARD)
        time.sleep(SUSPENDED_S / 2)
        assert ntdll.NtResumeProcess(handle) == 0, "the process was not resumed"
        began_s = time.perf_counter()
        if name == "started":
            print("ready", brain.read_answer())
        print("move", brain.read_answer())
        print(name, time.perf_counter() - began_s)
        time.sleep(0.5)


def main() -> None:
    """Start a game and run the action of the command line."""
    action, program = sys.argv[1:]
    brain = Brain(program)
    try:
        brain.send(f"START 15\nINFO timeout_turn {TURN_MS[action]}\nINFO timeout_match 0")
        {"interrupt": interrupt, "suspend": suspend}[action](brain)
    finally:
        brain.process.kill()  # it inherits our standard error, which the test reads to its end


if __name__ == "__main__":
    main()
