"""For all tests: the two sizes of a run, time limits that scale, and what marks mean."""

import pytest
from hypothesis import HealthCheck, settings

from tests.support.scale import ALL, examples, limit

_MOST_SECONDS = 300

# How long an example takes, or is in the making, on a busy machine proves nothing. The short run tries the same
# examples each time, so that what fails there was changed; those of the long run are new each time.
_FOUND_AGAIN = {"print_blob": True} if ALL else {"derandomize": True, "database": None}
settings.register_profile(
    "assent",
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    **_FOUND_AGAIN,
)
settings.load_profile("assent")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("timeout") is None:
        config.option.timeout = limit(_MOST_SECONDS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who leaves a test to the long run says why, where the test is."""
    for item in items:
        for mark in item.iter_markers("long"):
            if not (len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0].strip()):
                raise pytest.UsageError(f"{item.nodeid} is marked as long: say why, as the mark's one argument")
