"""A thousand calls wait at the same time: none is lost, and each has the result of its own answer.

It costs no more memory than so many may.
"""

from collections.abc import Callable

from tests.support.many_waiting import many_waiting
from tests.support.server import Server


def test_a_thousand_calls_wait_and_each_is_answered_once(start: Callable[..., Server]) -> None:
    server = start(cold="a fork shares its memory with its parent")
    server.meet()
    figures = many_waiting(server, 1_000)
    assert len(figures.answers) == 5 and min(figures.answers.values()) > 50
    assert figures.grown_mb < figures.bar_mb
