"""`python -m tests.faults.fork_server DESCRIPTOR`: has imported everything, and forks servers onto given pipes.

A server takes about a second to start, nearly all of it for imports. What a forked one does after these is what any
other does: it runs the same command line in a process of its own, with one thread. POSIX only.
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
from typing import Any

import assent

MOST_BYTES = 256 * 1024
DIED_UNHEARD = 255


def main(descriptor: int) -> None:
    """Serves until the other end is closed."""
    _import_everything()
    line = socket.socket(fileno=descriptor)
    woken, wake = os.pipe()
    orders = line.fileno()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    gc.freeze()
    line.send(b'{"ready": true}')
    while True:
        readable, _, _ = select.select([orders, woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
            _tell_of_the_dead(line)
        if orders in readable:
            data, descriptors, _, _ = socket.recv_fds(line, MOST_BYTES, 3)
            if not data:
                return
            order = json.loads(data)
            pid = os.fork()
            if pid == 0:
                _become_a_server(order, descriptors)
            for one in descriptors:
                os.close(one)
            line.send(json.dumps({"born": pid}).encode())


def _import_everything() -> None:
    for module in pkgutil.walk_packages(assent.__path__, "assent."):
        if module.name != "assent.__main__" and not module.name.endswith("playground"):
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


def _become_a_server(order: dict[str, Any], descriptors: list[int]) -> None:
    """Never returns."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, one in enumerate(descriptors):
        os.dup2(one, number)
    os.closerange(3, 4096)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["directory"])
    if order["before"] is not None:
        module, function, arguments = order["before"]
        getattr(importlib.import_module(module), function)(**arguments)
    from assent.cli.main import main as command_line

    sys.exit(command_line(order["arguments"]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
