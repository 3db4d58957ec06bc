"""The faults that gomocup_brain.py, gtp_engine.py and uhp_engine.py can have, as switches `NAME=VALUE` of commands.

Move requests are counted from 1.

crash=N       exits with status 3 and a line on standard error instead of answering move request N
stall=N       sleeps for a minute before it answers move request N
late=MS       answers every move request MS milliseconds later
burn=MS       uses MS milliseconds of CPU time before each move
toil=MS       starts a child process before each move that uses MS milliseconds of CPU time
pour=WHEN:MS:TEXT  prints TEXT endlessly, every MS milliseconds; `\\n` in it is a line end. WHEN is `start` (before it
              reads anything), `think` (instead of answering a move request) or `idle` (from the first move request on,
              in addition to its answers)
mute=N        closes its output instead of answering move request N, and keeps running for a minute
freeze=N      stops itself with SIGSTOP at move request N
starts=FILE:N  exits with status 3 and a line on standard error from its start N+1 on; FILE counts its starts
blind=1       never reads its input
daemon=FILE   starts a sleeping daemon (two forks, a session of its own) and appends its process id to the file
bare_daemon=FILE  as daemon, with an empty environment
bare_leader=FILE  as bare_daemon, and the daemon makes one more new session, which it leads
garbage=1     writes nonsense to both output streams before each move
stderr=BYTES  writes BYTES bytes and the line `the last words` to standard error before the first command
memory=MB     allocates MB mebibytes at its second move request, and sleeps for 5 s
deaf=1        ignores the quit command and the end of input
child=FILE    starts a sleeping child in a new session and writes its process id to the file
kin=FILE      as child, but the child stays in the engine's session and process group
term=FILE     appends a line to the file when it receives SIGTERM, and exits
undying=1     ignores SIGTERM
slow=MS       waits MS milliseconds before it reads its input
lag=WORD:MS   waits MS milliseconds before it handles a line that contains the word
log=FILE      appends every input line to the file
env=FILE      appends a line with its environment variables `PENTAD_...` to the file

Each of these mocks has more switches, such as `answer=TEXT` (its answer to move requests), `twice=1` (answers each move
request twice) and `unasked=1` (sends moves without a request).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

SWITCHES = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
SLEEP_COMMAND = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]

FLOOD_BYTES = 4096  # maximum written at once with pour=WHEN:0:TEXT; on Linux larger writes to a pipe are not atomic

_allocated: list[bytearray] = []  # keeps the memory of the switch `memory`


def say(text: str) -> None:
    """Write a line with a single system call; `print` uses two if Python runs unbuffered."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def misbehave_at_start() -> None:
    """Carry out the switches that take effect before the first command is read."""
    if "env" in SWITCHES:
        variables = (f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("PENTAD_"))
        _append("env", " ".join(variables) + "\n")
    if "starts" in SWITCHES:
        count_file, _, most = SWITCHES["starts"].rpartition(":")
        with Path(count_file).open("a", encoding="utf-8") as file:
            file.write("x")
        if Path(count_file).stat().st_size > int(most):
            sys.stderr.write("Traceback: license has expired\n")
            sys.exit(3)
    if "child" in SWITCHES:
        child = subprocess.Popen(SLEEP_COMMAND, start_new_session=True)
        Path(SWITCHES["child"]).write_text(str(child.pid), encoding="utf-8")
    if "kin" in SWITCHES:
        Path(SWITCHES["kin"]).write_text(str(subprocess.Popen(SLEEP_COMMAND).pid), encoding="utf-8")
    for switch in ("daemon", "bare_daemon", "bare_leader"):
        if switch in SWITCHES:
            environment = dict(os.environ) if switch == "daemon" else {}
            _append(switch, f"{start_daemon(environment, leads=switch == 'bare_leader')}\n")
    pour("start")
    while "blind" in SWITCHES:
        time.sleep(1)
    if "term" in SWITCHES:
        signal.signal(signal.SIGTERM, _handle_sigterm)
    if "undying" in SWITCHES:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "stderr" in SWITCHES:
        sys.stderr.write("x" * int(SWITCHES["stderr"]) + "\nthe last words\n")
    time.sleep(int(SWITCHES.get("slow", 0)) / 1000)


def read_lines(quit_command: str) -> Iterator[str]:
    """Yield the input lines, the quit command last; with deaf=1 ignore it, and the end of input."""
    for line in sys.stdin:
        if "log" in SWITCHES:
            _append("log", line)
        lag_word, _, lag_ms = SWITCHES.get("lag", "").partition(":")
        if lag_word in line.split():
            time.sleep(int(lag_ms) / 1000)
        *gtp_id, word = line.split() or [""]  # a GTP command may have an id before it; a line may be empty
        if word == quit_command and all(text.isdigit() for text in gtp_id):
            if "deaf" in SWITCHES:
                continue
            yield line.strip()
            return
        yield line.strip()
    while "deaf" in SWITCHES:
        time.sleep(1)


def misbehave_before_move(request_number: int, garbage: bytes) -> None:
    """Carry out the switches before the answer to move request `request_number`; `garbage` is the nonsense to write."""
    if SWITCHES.get("crash") == str(request_number):
        sys.stderr.write("Traceback: out of ideas\n")
        sys.exit(3)
    if SWITCHES.get("stall") == str(request_number):
        time.sleep(60)
    if "memory" in SWITCHES and request_number == 2:
        _allocated.append(bytearray(b"x") * (int(SWITCHES["memory"]) << 20))
        time.sleep(5)
    if SWITCHES.get("mute") == str(request_number):
        os.close(1)
        time.sleep(60)
    if SWITCHES.get("freeze") == str(request_number):
        os.kill(os.getpid(), signal.SIGSTOP)
    pour("think")
    if SWITCHES.get("pour", "").startswith("idle") and request_number == 1:
        threading.Thread(target=pour, args=("idle",), daemon=True).start()
    burn(int(SWITCHES.get("burn", 0)) / 1000)
    if "toil" in SWITCHES:
        subprocess.run([sys.executable, "-S", "-m", "tests.mocks.misbehaviour", f"burn={SWITCHES['toil']}"], check=True)
    if "garbage" in SWITCHES:
        sys.stdout.buffer.write(garbage)
        sys.stdout.buffer.flush()
        sys.stderr.write("more nonsense\n" * 100)
    time.sleep(int(SWITCHES.get("late", 0)) / 1000)


def pour(when: str) -> None:
    """Print the text of the switch `pour` endlessly if its WHEN is `when`."""
    pour_when, _, rest = SWITCHES.get("pour", "").partition(":")
    if pour_when != when:
        return
    interval_ms, _, text = rest.partition(":")
    output = text.replace("\\n", "\n").encode()
    if interval_ms == "0":
        output *= FLOOD_BYTES // len(output)
    while True:
        os.write(1, output)
        time.sleep(int(interval_ms) / 1000)


def start_daemon(environment: dict[str, str], *, leads: bool) -> int:
    """Start a sleeping daemon in a new session; return its process id once its own program runs.

    Before that its environment is the engine's, or cannot be read. With `leads` the daemon makes one more session,
    which it leads.
    """
    read_end, write_end = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if leads:
                os.setsid()
            for descriptor in range(3):
                os.close(descriptor)
            os.set_inheritable(write_end, True)
            report = f"import os; os.write({write_end}, b'%d' % os.getpid()); os.close({write_end})"
            os.execve(sys.executable, [*SLEEP_COMMAND[:-1], f"{report}; {SLEEP_COMMAND[-1]}"], environment)
        os._exit(0)
    os.wait()
    os.close(write_end)
    return int(os.read(read_end, 20))


def burn(cpu_s: float) -> None:
    """Use `cpu_s` seconds of CPU time."""
    end_s = time.process_time() + cpu_s
    while time.process_time() < end_s:
        pass


def _handle_sigterm(*_: object) -> None:
    _append("term", "asked\n")
    sys.exit()


def _append(switch: str, line: str) -> None:
    with Path(SWITCHES[switch]).open("a", encoding="utf-8") as file:
        file.write(line)


if __name__ == "__main__":
    burn(int(SWITCHES["burn"]) / 1000)
