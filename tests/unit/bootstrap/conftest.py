"""A small wheelhouse for every test that wants one."""

from pathlib import Path

import pytest

from devtools.places import BOOTSTRAP
from tests.unit.bootstrap.wheelhouse import Wheelhouse


@pytest.fixture
def house(tmp_path: Path) -> Wheelhouse:
    made = Wheelhouse(tmp_path / "wheels")
    made.bring("assent")
    made.bring("other")
    return made


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "environments"


@pytest.fixture
def bootstrap_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's modules stand beside it, as they do in the packed extension."""
    monkeypatch.syspath_prepend(str(BOOTSTRAP))
