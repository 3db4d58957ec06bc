"""A host on Windows, run there by a Python of its own: sends Ctrl-C to an executable's console, or stops the process.

`windows_host.py interrupt|stop EXE` talks to a Gomoku brain and prints what it saw, one `name value` a line.
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import subprocess
import sys
import threading
import time

NEW_CONSOLE = 0x10  # a flag of CreateProcess
THINK_MS = {"interrupt": 20_000, "stop": 4000}
STOPPED_S = 8.0  # longer than the time for the move
HEARD_S = 1.2  # after which an interrupt is no second one
PAIRS = 4  # of interrupts: where a busy machine holds one up, two come too far apart, or as one
BOARD = "BOARD\n7,7,2\n8,9,1\n5,5,2\nDONE"


class Brain:
    """An executable with a console of its own."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=NEW_CONSOLE, text=True, bufsize=1
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.strip())

    def say(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        while (line := self._lines.get(timeout=60)).startswith("MESSAGE"):
            pass
        return line


def interrupt(brain: Brain) -> None:
    """While it is idle, while it thinks, and twice."""
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    kernel32 = ctypes.windll.kernel32
    print("ready", brain.answer())
    kernel32.FreeConsole()
    assert kernel32.AttachConsole(brain.process.pid), "no console in common"
    kernel32.SetConsoleCtrlHandler(None, True)  # it is not meant for us

    def press() -> None:
        assert kernel32.GenerateConsoleCtrlEvent(0, 0), "Ctrl-C was not sent"

    press()
    time.sleep(HEARD_S)
    print("idle", brain.process.poll())
    began = time.perf_counter()
    brain.say(BOARD)
    time.sleep(1)
    press()
    print("move", brain.answer())
    print("seconds", time.perf_counter() - began)
    for _ in range(PAIRS):
        time.sleep(HEARD_S)
        press()
        time.sleep(0.4)
        press()
        with contextlib.suppress(subprocess.TimeoutExpired):
            brain.process.wait(5)
            break
    print("ended", brain.process.poll())


def stop(brain: Brain) -> None:
    """From its creation on, and again where it waits; the move is asked for meanwhile."""
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    handle, ntdll = ctypes.c_void_p(int(brain.process._handle)), ctypes.windll.ntdll
    for name in ("started", "idle"):
        assert ntdll.NtSuspendProcess(handle) == 0, "it was not stopped"
        time.sleep(STOPPED_S / 2)
        brain.say(BOARD)
        time.sleep(STOPPED_S / 2)
        assert ntdll.NtResumeProcess(handle) == 0, "it does not go on"
        began = time.perf_counter()
        if name == "started":
            print("ready", brain.answer())
        print("move", brain.answer())
        print(name, time.perf_counter() - began)
        time.sleep(0.5)


def main() -> None:
    """Begin a game and do what the command line asks for."""
    what, program = sys.argv[1:]
    brain = Brain(program)
    try:
        brain.say(f"START 15\nINFO timeout_turn {THINK_MS[what]}\nINFO timeout_match 0")
        {"interrupt": interrupt, "stop": stop}[what](brain)
    finally:
        brain.process.kill()  # it has our standard error: who reads that would wait for it, and not hear what failed


if __name__ == "__main__":
    main()
