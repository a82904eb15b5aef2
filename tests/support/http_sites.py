"""A small HTTP server of a test, at work on a thread of its own while it is needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from threading import Thread
from typing import Any, TypeVar

Site = TypeVar("Site", bound=HTTPServer)


class Quiet:
    """A handler that prints nothing of what it answers."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def at_work(site: Site) -> Iterator[Site]:
    """It answers until the test is over."""
    with site:
        thread = Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()
