"""`python -m tests.support.fork_parent DESCRIPTOR`: imports all of Assent, and forks it onto given pipes.

`forked.py` starts it, asks it over a socket, and says in what a fork differs from a cold start. Linux only.
"""

import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import assent

MOST_BYTES = 256 * 1024
DIED_UNHEARD = 255


def main(descriptor: int) -> None:
    """Serves until the other end is closed."""
    # Who runs the tests ends this by closing the socket. What is forked heeds it as a start from here would.
    at_an_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path.pop(0)  # the working directory, as `python -m assent` does
    _import_everything()
    if threading.active_count() > 1:
        raise RuntimeError(f"an import has started threads, which no fork has: {threading.enumerate()}")
    line = socket.socket(fileno=descriptor)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    gc.collect()
    gc.freeze()
    line.send(b'{"ready": true}')
    while True:
        readable, _, _ = select.select([line, woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
            _tell_of_the_dead(line)
        if line in readable:
            data, descriptors, _, _ = socket.recv_fds(line, MOST_BYTES, 3)
            if not data:
                return
            pid = os.fork()
            if pid == 0:
                line.detach()
                signal.signal(signal.SIGINT, at_an_interrupt)
                _become_assent(json.loads(data), descriptors)
            for one in descriptors:
                os.close(one)
            line.send(json.dumps({"born": pid}).encode())


def _import_everything() -> None:
    for module in pkgutil.walk_packages(assent.__path__, "assent."):
        if not module.name.endswith((".__main__", "playground")):
            importlib.import_module(module.name)
    from lsprotocol.converters import get_converter

    from assent.masking import mask_text

    get_converter()
    mask_text("what is compiled at the first use")


def _tell_of_the_dead(line: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        line.send(json.dumps({"ended": pid, "code": os.waitstatus_to_exitcode(status)}).encode())


def _become_assent(order: dict[str, Any], descriptors: list[int]) -> None:
    """Never returns. `random` seeds itself anew after a fork, and everything else asks the system."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, one in enumerate(descriptors):
        os.dup2(one, number)
    os.closerange(3, 4096)
    os.environ.clear()
    os.environ.update(order["environment"])
    gc.unfreeze = lambda: None  # a sweep through all that the parent has imported would copy its whole memory
    time.tzset()
    tempfile.tempdir = None
    os.chdir(order["directory"])
    sys.argv[:] = [str(Path(assent.__path__[0], "__main__.py")), *order["arguments"]]
    if order["before"] is not None:
        module, function, arguments = order["before"]
        getattr(importlib.import_module(module), function)(**arguments)
    from assent.cli.main import main as command_line

    sys.exit(command_line())


if __name__ == "__main__":
    main(int(sys.argv[1]))
