"""A server that does nothing but run commands: `python -m tests.support.commands_server NAME KIND...`.

It starts one command that stays, prints a line when it runs, and waits until it is killed, or for a line: then it ends
as a server does.
"""

import asyncio
import sys

from assent.runtime.processes import Processes, Start
from tests.support.stubborn import ENVIRONMENT, script


async def main(name: str, kinds: tuple[str, ...]) -> None:
    processes = Processes()
    await processes.start(Start(script(name, kinds, stays=True), "/", ENVIRONMENT), lambda stream, data: None)
    print("runs", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    processes.end_all()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], tuple(sys.argv[2:])))
