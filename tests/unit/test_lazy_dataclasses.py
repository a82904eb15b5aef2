"""They are the standard library's, only later: whatever a dataclass does first, it does as ever."""

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import pytest

from assent.lazy_dataclasses import dataclass, write_dataclasses

T = TypeVar("T")


def _point() -> Any:
    @dataclass(frozen=True, slots=True)
    class Point:
        """Where something is."""

        x: int
        y: int = 0
        names: tuple[str, ...] = field(default=(), compare=False)

    return Point


FIRST_USES: list[Callable[[Any], object]] = [
    lambda point: point(1),
    lambda point: [one.name for one in fields(point)],
    is_dataclass,
    lambda point: fields(type("Sub", (point,), {})),
    lambda point: type("Sub", (point,), {})(1, 2),
    lambda point: write_dataclasses((__name__,)),
]


@pytest.mark.parametrize("use", FIRST_USES)
def test_whatever_comes_first_the_class_is_whole_afterwards(use: Callable[[Any], object]) -> None:
    point = _point()
    assert "__init__" not in point.__dict__
    use(point)
    assert "__init__" in point.__dict__
    one = point(1, 2, names=("a",))
    assert one == point(1, 2)
    assert hash(one) == hash(point(1, 2))
    assert one != point(2, 2)
    assert repr(point(1)).endswith("Point(x=1, y=0, names=())")
    assert replace(one, y=3) == point(1, 3)
    assert asdict(one) == {"x": 1, "y": 2, "names": ("a",)}
    assert [known.name for known in fields(point)] == ["x", "y", "names"]
    assert (point.__name__, point.__doc__, point.__module__) == ("Point", "Where something is.", __name__)
    match one:
        case point(x, y):
            assert (x, y) == (1, 2)
    with pytest.raises(FrozenInstanceError):
        one.x = 5
    assert point.__slots__ == ("x", "y", "names") and not hasattr(one, "__dict__")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        point()


def test_a_class_may_inherit_from_one_that_was_never_used() -> None:
    point = _point()

    @dataclass(frozen=True, slots=True)
    class High(point):
        z: int = 0

    assert High(1, 2, z=3).z == 3
    assert [known.name for known in fields(High)] == ["x", "y", "names", "z"]


def test_an_init_of_its_own_runs_once_and_reaches_the_written_one() -> None:
    point = _point()
    runs = []

    class Named(point):
        def __init__(self, name: str) -> None:
            runs.append(name)
            super().__init__(7)

    assert Named("a").x == 7
    assert runs == ["a"]


def test_kinds_of_classes() -> None:
    class Shape(ABC):
        @abstractmethod
        def area(self) -> int: ...

    @dataclass(eq=False, slots=True)
    class Square(Shape):
        side: int
        made: list[int] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.made.append(self.side)

        def area(self) -> int:
            return self.side**2

    @dataclass(slots=True)
    class Box(Generic[T]):
        content: T

    @dataclass(slots=True)
    class Trouble(Exception):
        why: str

    square = Square(3)
    assert (square.area(), square.made, square == Square(3)) == (9, [3], False)
    assert Box[int](3) == Box(3)
    assert Trouble("x").why == "x"


@pytest.fixture
def _often_switching() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_often_switching")
def test_many_threads_meet_at_a_class_that_nobody_has_used() -> None:
    for _ in range(40):
        point, faults = _point(), []
        together = threading.Barrier(6)

        def make(point: Any = point, together: threading.Barrier = together, faults: list[Any] = faults) -> None:
            together.wait()
            try:
                assert point(1, 2).y == 2
            except Exception as fault:  # noqa: BLE001
                faults.append(fault)

        threads = [threading.Thread(target=make) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
