"""A process that writes entries and prints each as soon as it is durable: `python -m tests.support.history_writer`."""

import asyncio
import sys
from pathlib import Path

from assent.model.errors import NotRecorded
from assent.store.store import Store
from tests.support.history_entries import decided


async def write(folder: Path, name: str, many: int, padding: int) -> None:
    """Prints the call of each entry that was acknowledged, and the words where one was not."""
    store = Store(folder)
    for number in range(many):
        call = f"{name}-{number}"
        try:
            await store.write(decided(call, text="word " * padding), decided(call, text="again"))
        except NotRecorded as fault:
            print(f"! {fault}", flush=True)
        else:
            print(call, flush=True)
    await store.end()


if __name__ == "__main__":
    if sys.argv[5:] == ["together"]:
        print("ready", flush=True)
        sys.stdin.readline()
    asyncio.run(write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
