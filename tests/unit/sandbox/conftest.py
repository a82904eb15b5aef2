"""Rooms in which commands run confined."""

import sys
from collections.abc import Iterator

import pytest

from tests.support.confining import Room, room

if sys.platform != "linux":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(name="room")
def _room() -> Iterator[Room]:
    with room() as made:
        yield made
