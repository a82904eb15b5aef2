"""Following paths: as the system does, within bounds, with the folder that was there, and never failing."""

import os
import random
import threading
from pathlib import Path

import pytest

from assent.tools.resolve import MOST_LINKS, Anchor, Target, resolve


def anchor_of(folder: Path) -> Anchor:
    status = folder.stat()
    return Anchor(str(folder), status.st_dev, status.st_ino)


def test_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a").touch()

    target = resolve(str(tmp_path / "sub/a"))

    assert target == Target(str(tmp_path / "sub/a"), anchor_of(tmp_path / "sub"), (tmp_path / "sub/a").stat().st_mode)
    assert (target.folder, target.name, target.missing) == (str(tmp_path / "sub"), "a", ("a",))


def test_what_is_missing(tmp_path: Path) -> None:
    target = resolve(str(tmp_path / "x/y/z"))

    assert target == Target(str(tmp_path / "x/y/z"), anchor_of(tmp_path))
    assert target.missing == ("x", "y", "z")


def test_a_folder_is_its_own_anchor(tmp_path: Path) -> None:
    assert resolve(str(tmp_path)).anchor == anchor_of(tmp_path)
    assert resolve("/").anchor.path == "/"
    assert resolve("/").real == "/"


def test_nothing_lies_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "link").symlink_to("a")

    for name in ("a/b", "a/b/c", "link/b"):
        target = resolve(str(tmp_path / name))
        assert target.cut_by == str(tmp_path / "a")
        assert target.anchor == anchor_of(tmp_path)
        assert target.mode is None
    assert resolve(str(tmp_path / "a")).cut_by is None


@pytest.mark.parametrize("length", [MOST_LINKS, MOST_LINKS + 1, 1_500])
def test_a_chain_of_links_is_followed_as_far_as_the_system_does(tmp_path: Path, length: int) -> None:
    (tmp_path / "end").touch()
    for number in range(length):
        (tmp_path / f"{number}").symlink_to("end" if number == length - 1 else f"{number + 1}")

    target = resolve(str(tmp_path / "0"))

    assert target.loops == (length > MOST_LINKS)
    assert (target.real == str(tmp_path / "end")) == (length <= MOST_LINKS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        opens = True
        try:
            os.close(os.open("0", os.O_RDONLY))
        except OSError:
            opens = False
        assert opens != target.loops


def test_a_web_of_links_costs_no_more_than_its_first_links(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for number in range(200):
        (tmp_path / f"{number}").symlink_to("d/../" * 500 + f"{number + 1}")

    assert resolve(str(tmp_path / "0")).loops


@pytest.mark.parametrize("name", ["loop", "loop/x", "loop/../../../x", "two", "self/loop/y"])
def test_a_loop_leads_nowhere_and_stays_where_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "two").symlink_to("three")
    (tmp_path / "three").symlink_to("two")
    (tmp_path / "self").symlink_to(".")

    target = resolve(str(tmp_path / name))

    assert target.loops
    assert target.real.startswith(f"{tmp_path}/")
    assert target.anchor == anchor_of(tmp_path)


@pytest.mark.parametrize(
    "path", ["/a\0b", "/" + "x" * 300, "/" + "x/" * 2_000, "//etc//./hosts/", "/../../etc", "/\udce9"]
)
def test_it_never_fails(path: str) -> None:
    target = resolve(path)
    assert target.real.startswith("/")
    assert not target.real.startswith("//")


def test_as_the_system_follows(tmp_path: Path) -> None:
    """Trees of folders and links made by chance: wherever the system gets to, we get to the same place."""
    chance = random.Random(7)
    names = [f"{name}" for name in "abcdef"]
    reached = 0
    for tree in range(40):
        root = tmp_path / f"{tree}"
        root.mkdir()
        folders = [root]
        for _ in range(12):
            place = chance.choice(folders) / chance.choice(names)
            if place.exists() or place.is_symlink():
                continue
            if chance.random() < 0.5:
                place.mkdir()
                folders.append(place)
            else:
                ways = ["..", ".", *names, str(root), f"{root}/{chance.choice(names)}"]
                place.symlink_to("/".join(chance.choice(ways) for _ in range(chance.randint(1, 3))).replace("//", "/"))
        for _ in range(60):
            path = f"{root}/" + "/".join(chance.choice([*names, "..", "."]) for _ in range(chance.randint(1, 6)))
            target = resolve(path)
            try:
                status = os.stat(path)  # noqa: PTH116 - with a path as it is written
            except OSError:
                continue
            reached += 1
            assert target.real == os.path.realpath(path)
            assert target.anchor == Anchor(target.real, status.st_dev, status.st_ino)
    assert reached > 100


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
class TestOwnProcess:
    """/proc has many names for this process; all lead below the one that is guarded."""

    @pytest.mark.parametrize(
        "name", ["self/environ", "thread-self/environ", "self/task/{thread}/environ", "{thread}/environ", "{pid}/mem"]
    )
    def test_every_name_of_it(self, name: str) -> None:
        found: list[str] = []

        def look() -> None:
            path = "/proc/" + name.format(thread=threading.get_native_id(), pid=os.getpid())
            found.append(resolve(path).real)

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

        assert found[0].startswith(f"/proc/{os.getpid()}/")

    def test_another_process_is_another(self) -> None:
        assert resolve("/proc/1/environ").real == "/proc/1/environ"
        assert resolve(f"/proc/{'9' * 5_000}/x").real.startswith("/proc/999")

    def test_links_of_proc_are_judged_by_where_they_lead(self, tmp_path: Path) -> None:
        assert resolve(f"/proc/self/root{tmp_path}").real == str(tmp_path)
        assert resolve("/proc/self/cwd/x").real == str(Path.cwd() / "x")
        with (tmp_path / "a").open("w") as file:
            for name in (f"/proc/self/fd/{file.fileno()}", f"/dev/fd/{file.fileno()}"):
                assert resolve(name).real == str(tmp_path / "a")
        reading, writing = os.pipe()
        assert resolve(f"/dev/fd/{reading}").real.startswith(f"/proc/{os.getpid()}/fd/pipe:")
        os.close(reading)
        os.close(writing)
