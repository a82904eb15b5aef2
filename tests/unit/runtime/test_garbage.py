"""What is loaded to stay is never looked through for garbage; everything later is."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from assent.runtime.garbage import loading


class Ring:
    """Refers to itself, so that only looking for garbage ends it."""

    def __init__(self) -> None:
        self.other = self


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


def test_what_is_made_meanwhile_is_not_looked_through_and_what_comes_later_is() -> None:
    with loading():
        assert not gc.isenabled()
        kept = ref(Ring())
    assert gc.isenabled()
    later = ref(Ring())
    gc.collect()
    assert kept() is not None
    assert later() is None


def test_what_one_loading_leaves_is_swept_by_another_that_says_so() -> None:
    with loading():
        left = ref(Ring())
    with loading():
        assert left() is not None
    with loading(swept=True):
        assert left() is None
        kept = ref(Ring())
    gc.collect()
    assert kept() is not None


def test_garbage_is_looked_for_again_where_loading_fails() -> None:
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()


def test_of_two_that_load_inside_each_other_the_outer_one_ends_it() -> None:
    with loading():
        with loading():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
