"""What an agreement to a workspace's agent is bound to: every file that its words lead to, as it is at the look."""

import os
import time
from pathlib import Path

import pytest

from assent.settings import file_content
from assent.settings.facts import FilesOf
from assent.settings.file_content import content_digest, stamp_of
from assent.settings.gathering import Gatherer
from assent.settings.layers import Layer, Layers, Scope
from assent.settings.live import LiveSettings

Definition = dict[str, object]


class Ground:
    """A home directory with two folders of a workspace in it, and what is found in them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.one = self.folder(home / "one")
        self.two = self.folder(home / "two")
        self.gatherer = Gatherer((self.one, self.two), home)

    def folder(self, place: Path) -> Path:
        place.mkdir(parents=True)
        return place

    def write(self, name: str, content: str = "good") -> Path:
        file = self.one / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        return file

    def files(self, definition: Definition, folder: Path | None = None) -> FilesOf:
        of = str(folder) if folder else None
        layer = Layer(Scope.WORKSPACE, {"agents": {"T": definition}}, folder=of)
        facts = self.gatherer.facts(self.gatherer.wanted(Layers(workspace=layer)))
        (found,) = facts.files.values()
        return found

    def names(self, definition: Definition) -> list[str]:
        return [file.name for file in self.files(definition)]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path / "home")


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written just now is not read again at each look any more."""
    now = time.time_ns
    monkeypatch.setattr(file_content.time, "time_ns", lambda: now() + 60_000_000_000)


PKG = "pkg/__main__.py"


@pytest.mark.parametrize(
    ("definition", "file"),
    [
        ({"command": "python", "args": ["a.py", "link/../a.py"]}, "a.py"),
        ({"command": "python", "args": ["a.py", "link/../a.py"]}, "sub/a.py"),
        ({"command": "python", "args": ["./a.py", "sub/../a.py"]}, "a.py"),
        ({"command": "python", "args": ["run.py"], "cwd": "~/one/sub"}, "sub/run.py"),
        ({"command": "python", "args": ["../a.py"], "cwd": "sub"}, "a.py"),
        ({"command": "~/one/tool"}, "tool"),
        ({"command": "sh", "args": ["-c", "exec python ~/one/a.py"]}, "a.py"),
        ({"command": "sh", "args": ["-c", 'exec python "$HOME/one/a.py"']}, "a.py"),
        ({"command": "sh", "args": ["-c", "exec python ${PWD}/a.py"]}, "a.py"),
        ({"command": "python", "args": ["../two/b.py"]}, "../two/b.py"),
        ({"command": "python", "args": ["pkg"]}, PKG),
        ({"command": "python", "args": ["pkg/"]}, "pkg/beside.py"),
        ({"command": "python", "args": ["-m", "pkg"]}, PKG),
        ({"command": "python", "args": ["-m", "pkg.tool"]}, "pkg/tool.py"),
        ({"command": "python", "args": ["-m", "pkg.tool"]}, "pkg/__init__.py"),
        ({"command": "sh", "args": ["-c", "python -m pkg.tool"], "env": {"PYTHONPATH": "/x:lib"}}, "lib/pkg/tool.py"),
        ({"command": "python", "args": ["."], "cwd": "pkg"}, PKG),
        ({"command": "node", "args": ["."]}, "package.json"),
        ({"command": "tool", "env": {"PATH": "/usr/bin:bin"}}, "bin/tool"),
        ({"command": "sh", "args": ["-c", "exec python './my tool.py'; true"]}, "my tool.py"),
        ({"command": "sh", "args": ["-c", "exec python ./my\\ tool.py;true"]}, "my tool.py"),
        ({"command": "sh", "args": ["-c", "sh -c 'python \"my tool.py\"'"]}, "my tool.py"),
        ({"command": "sh", "args": ["-c", "cd sub; python a.py"]}, "sub/a.py"),
        ({"command": "sh", "args": ["-c", "cd sub && cd deep && ./x.sh"]}, "sub/deep/x.sh"),
        ({"command": "sh", "args": ["-c", "cd 'my folder' && ./x.sh"]}, "my folder/x.sh"),
        ({"command": "sh", "args": ["-c", "cd ~/one/sub && ./x.sh"]}, "sub/x.sh"),
    ],
)
def test_a_change_of_a_file_that_a_definition_leads_to_is_seen(
    ground: Ground, definition: Definition, file: str
) -> None:
    (ground.one / "sub" / "deep").mkdir(parents=True)
    (ground.one / "link").symlink_to("sub/deep")
    changing = ground.write(file)
    for beside in ("a.py", "sub/a.py", PKG):
        ground.write(beside)
    good = ground.files(definition)
    assert str(changing.resolve()) in [one.real for one in good]
    changing.write_text("evil")
    assert ground.files(definition) != good
    changing.write_text("good")
    assert ground.files(definition) == good


def test_two_ways_are_two_files_wherever_they_lead(ground: Ground) -> None:
    for name in ("left/x", "right/x", "left/a.py", "right/a.py"):
        ground.write(name, name)
    definition: Definition = {"command": "python", "args": ["one/../a.py", "other/../a.py"]}

    def lead(one: str, other: str) -> FilesOf:
        for link, place in (("one", one), ("other", other)):
            (ground.one / link).unlink(missing_ok=True)
            (ground.one / place / "in").mkdir(exist_ok=True)
            (ground.one / link).symlink_to(f"{place}/in")
        return ground.files(definition)

    before = lead("left", "right")
    assert [one.name for one in before] == ["one/../a.py", "other/../a.py"]
    # The same two files, the other way round.
    assert lead("right", "left") != before
    assert lead("left", "right") == before


def test_a_link_that_leads_to_the_same_content_elsewhere_is_another_file(ground: Ground) -> None:
    for name in ("v1/a.py", "v2/a.py"):
        ground.write(name)
    (ground.one / "now").symlink_to("v1")
    good = ground.files({"command": "python", "args": ["now/a.py"]})
    (ground.one / "now").unlink()
    (ground.one / "now").symlink_to("v2")
    assert ground.files({"command": "python", "args": ["now/a.py"]}) != good


def test_a_definition_of_a_further_folder_is_bound_to_the_files_of_both(ground: Ground) -> None:
    # It is started in the first folder, wherever it is defined.
    ground.write("run.py")
    (ground.two / "run.py").write_text("good")
    found = ground.files({"command": "python", "args": ["run.py"]}, ground.two)
    assert {one.real for one in found} == {str(ground.one / "run.py"), str(ground.two / "run.py")}


def test_a_folder_that_is_no_program_or_only_worked_in_binds_nothing(ground: Ground) -> None:
    ground.write("logs/today.txt")
    ground.write("app/package.json")
    ground.write("app/index.js")
    assert ground.names({"command": "x", "args": ["--logs", "logs", str(ground.one)]}) == []
    assert ground.names({"command": "x", "cwd": "app"}) == []


def test_of_a_large_program_the_beginning_counts(ground: Ground) -> None:
    ground.write(PKG)
    for number in range(100):
        ground.write(f"pkg/part{number}.py")
    assert ground.names({"command": "python", "args": ["pkg"]}) == [PKG]


def test_a_link_that_leads_nowhere_hides_nothing_of_a_program(ground: Ground) -> None:
    main = ground.write(PKG)
    (ground.one / "pkg" / "loop").symlink_to("loop")
    good = ground.files({"command": "python", "args": ["pkg"]})
    main.write_text("evil")
    assert ground.files({"command": "python", "args": ["pkg"]}) != good


@pytest.mark.skipif(os.geteuid() == 0, reason="every folder can be read")
def test_a_program_whose_folder_cannot_be_listed_is_bound(ground: Ground) -> None:
    ground.write(PKG).parent.chmod(0o311)
    assert ground.names({"command": "python", "args": ["pkg"]}) == [PKG]


@pytest.mark.usefixtures("later")
def test_what_becomes_a_program_counts_from_then_on(ground: Ground) -> None:
    ground.folder(ground.one / "pkg")
    assert ground.names({"command": "python", "args": ["pkg"]}) == []
    ground.write(PKG)
    assert ground.names({"command": "python", "args": ["pkg"]}) == [PKG]
    ground.write("pkg/more.py")
    assert ground.names({"command": "python", "args": ["pkg"]}) == [PKG, "pkg/more.py"]


@pytest.mark.usefixtures("later")
def test_a_file_that_is_exchanged_during_a_look_is_like_nothing_and_looked_at_again(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.write("now/a.sh", "good")
    ground.write("next/a.sh", "evil")
    definition: Definition = {"command": "sh", "args": ["now/a.sh"]}
    good = ground.files(definition)
    opened = os.open

    def exchange() -> None:
        (ground.one / "now").rename(ground.one / "aside")
        (ground.one / "next").rename(ground.one / "now")
        (ground.one / "aside").rename(ground.one / "next")

    def at_the_opening(path: str, flags: int, mode: int = 0o777) -> int:
        monkeypatch.setattr(os, "open", opened)
        exchange()
        return opened(path, flags, mode)

    # The look sees the other file, and reads the good one.
    exchange()
    evil = ground.files(definition)
    assert evil != good
    ground.gatherer = Gatherer((ground.one, ground.two), ground.home)
    monkeypatch.setattr(os, "open", at_the_opening)
    seen = ground.files(definition)
    assert seen not in (good, evil)
    exchange()
    assert ground.files(definition) == evil
    exchange()
    assert ground.files(definition) == good


def test_the_content_is_told_of_the_very_file_only(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("one")
    seen = stamp_of((tmp_path / "a").stat())
    told = content_digest(str(tmp_path / "a"), seen)
    assert told is not None
    assert content_digest(str(tmp_path / "b"), seen) is None
    (tmp_path / "b").replace(tmp_path / "a")
    assert content_digest(str(tmp_path / "a"), seen) is None
    assert content_digest(str(tmp_path / "a"), stamp_of((tmp_path / "a").stat())) == told
    with pytest.raises(FileNotFoundError):
        content_digest(str(tmp_path / "b"), seen)


@pytest.mark.usefixtures("later")
def test_the_time_of_a_change_that_is_set_back_hides_nothing(ground: Ground) -> None:
    definition: Definition = {"command": "sh", "args": ["a.sh"]}
    file = ground.write("a.sh", "good")
    os.utime(file, (1e9, 1e9))
    good = ground.files(definition)
    before = file.stat().st_ctime_ns
    while file.stat().st_ctime_ns == before:
        file.write_text("evil")
        os.utime(file, (1e9, 1e9))
    assert ground.files(definition) != good


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be read")
def test_a_program_that_cannot_be_read_is_bound_too(ground: Ground) -> None:
    tool = ground.write("tool")
    tool.chmod(0o111)
    hidden = ground.files({"command": "./tool"})
    tool.unlink()
    ground.write("tool").chmod(0o111)
    assert ground.files({"command": "./tool"}) != hidden


@pytest.mark.parametrize(
    "text", ["sh -c 'x", "a\0b", "\ud800", "~", "~nobody-of-this-name/x", '"', "\\", "cd", "cd ''"]
)
def test_words_that_are_no_paths_are_none(ground: Ground, text: str) -> None:
    assert ground.names({"command": text, "args": [text, "-m", text], "cwd": text, "env": {"PATH": text}}) == []


ODD = [f"p{number}" for number in range(20)]


@pytest.mark.parametrize(
    "args",
    [
        ["-c", "; ".join(f"cd f{number}" for number in range(40))],
        ["-c", "cd a; cd b; cd c; cd d; cd e; " + " ".join(f"w{number}" for number in range(200))],
        ["-c", '"' + "x" * 70_000 + '"'],
        ["-m", ".".join(["a"] * 5_000)],
        ODD,
    ],
    ids=["folders", "paths", "length", "packages", "files of programs"],
)
def test_a_definition_with_too_much_in_it_is_not_asked_about(tmp_path: Path, args: list[str]) -> None:
    for name in ODD:
        (tmp_path / "work" / name).mkdir(parents=True)
        for number in range(40):
            (tmp_path / "work" / name / f"{number}.py").touch()
        (tmp_path / "work" / name / "__main__.py").touch()
    live = LiveSettings(folders=(tmp_path / "work",), state_dir=tmp_path / "state")
    live.client_settings({"workspace": {"agents": {"T": {"command": "sh", "args": args}}}})
    assert live.awaiting() == ()
    assert "Too much belongs to the agent" in live.diagnostics()[0].text
    live.client_settings({"workspace": {"agents": {"T": {"command": "sh", "args": args[:1]}}}})
    assert len(live.awaiting()) == 1


def test_changing_a_file_where_it_really_is_counts_as_changing_the_agent(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    (folder / "v1").mkdir(parents=True)
    (folder / "v1" / "a.py").write_text("good")
    (folder / "now").symlink_to("v1")
    live = LiveSettings(folders=(folder,), state_dir=tmp_path / "state")
    live.client_settings({"workspace": {"agents": {"T": {"command": "python", "args": ["now/a.py"]}}}})
    live.record(live.awaiting(), [])
    assert set(live.now().named_files) == {str(folder / "now" / "a.py"), str(folder / "v1" / "a.py")}
