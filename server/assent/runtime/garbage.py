"""When Python looks for garbage, and among what."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading(*, swept: bool = False) -> Iterator[None]:
    """While libraries are loaded and lasting objects are built: all of that stays to the end of the process.

    To look for garbage in it meanwhile would be a tenth of the start, and later it would hold every chat up. What an
    earlier loading left lying about is used for what comes now if it is `swept` first, where nobody waits for that.
    """
    looked = gc.isenabled()
    gc.disable()
    if swept:
        gc.unfreeze()
        gc.collect()
    try:
        yield
    finally:
        gc.freeze()
        if looked:
            gc.enable()
