"""What all tests of faults share: one parent of forked servers."""

import sys
from collections.abc import Iterator

import pytest

from tests.faults.forked import ForkServer


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """The parent of forked servers. Where nothing is forked, what a kill leaves is not to be had quickly."""
    if sys.platform == "win32":
        pytest.skip("servers are forked on POSIX only")
    with ForkServer() as server:
        yield server
