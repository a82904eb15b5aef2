"""Where a name leads: relative, absolute, through links, out of the workspace, and names that are none."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.tools.places import OneLook, Place, locate


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    (made / "src").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return made


def found(name: str, *roots: Path) -> Place:
    return locate(name, tuple(map(str, roots)))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a.txt", "a.txt"),
        ("./a.txt", "a.txt"),
        ("src/../a.txt", "a.txt"),
        ("src//deep/./x", "src/deep/x"),
        (".", "."),
        ("src/..", "."),
        ("no/such/folder/x", "no/such/folder/x"),
        ("ümlaut/文件", "ümlaut/文件"),
        ("~x", "~x"),
        ("~nobody-of-this-name/x", "~nobody-of-this-name/x"),
        ("file", "file"),
    ],
)
def test_inside(root: Path, name: str, shown: str) -> None:
    place = found(name, root)

    assert place.inside
    assert place.shown == shown
    assert place.real == os.path.normpath(root / shown)
    assert place.directory == str(root)


@pytest.mark.parametrize(
    "name", ["..", "../outside/x", "src/../../outside", "/", "/etc/hosts", "~", "~/x", "../root2/x"]
)
def test_outside(root: Path, name: str) -> None:
    place = found(name, root)

    assert not place.inside
    assert place.shown == place.real


def test_home(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")

    assert found("~/x", root).real == "/home/me/x"
    assert found("a", *[]).directory == str(Path.home())


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("file://{root}/a.txt", "a.txt"),
        ("FILE://{root}/a%20b.txt", "a b.txt"),
        ("file:{root}/src/../x", "x"),
        ("file://{root}/%2e%2e/root/y", "y"),
    ],
)
def test_a_file_address_is_the_path_in_it(root: Path, name: str, ending: str) -> None:
    place = found(name.format(root=root), root)

    assert place.real == str(root / ending)
    assert place.inside


def test_an_encoded_way_out_is_a_way_out(root: Path) -> None:
    assert not found(f"file://{root}/%2e%2e/outside", root).inside


@pytest.mark.parametrize("name", ["file://[", "file://[::1", "~nobody-of-this-name", "file:", "http://x/y"])
def test_strange_names_lead_somewhere_and_never_fail(root: Path, name: str) -> None:
    assert found(name, root).real.startswith("/")


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_name_leads_to_one_absolute_place(name: str) -> None:
    place = locate(name, ("/nonexistent root",))
    if "\0" in name:
        assert not place.inside
        return
    if "\0" in place.real:
        return
    assert place.real == os.path.normpath(place.real)
    assert place.inside == (f"{place.real}/").startswith("/nonexistent root/")
    again = locate(place.real, ("/nonexistent root",))
    if not place.real.lower().startswith("/file:"):
        assert (again.real, again.inside) == (place.real, place.inside)


@pytest.mark.parametrize(
    ("name", "shown"), [(" leading", "\\x20leading"), ("new\nline", "new\\nline"), ("a ", "a\\x20")]
)
def test_what_cannot_be_seen_is_shown_and_not_changed(root: Path, name: str, shown: str) -> None:
    place = found(name, root)

    assert place.shown == shown
    assert place.real == str(root / name)
    assert place.inside


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("src/", "src"),
        ("a.txt/", "a.txt"),
        ("file:~/x", "~/x"),
        ("src/%2e%2e/x", "src/%2e%2e/x"),
        ("file:src/%2e%2e/x", "x"),
        ("file:src/%252e%252e/x", "src/%2e%2e/x"),
    ],
)
def test_names_that_are_easily_misread(root: Path, name: str, real: str) -> None:
    assert found(name, root).real == str(root / real)


def test_two_slashes_in_front_are_one(root: Path) -> None:
    place = found("//etc/hosts", root)
    assert (place.real, place.named) == (os.path.realpath("/etc/hosts"), "/etc/hosts")


def test_a_root_in_another_spelling_is_the_root_where_the_disk_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that takes both cases for one: simulated, because this one may not."""
    other = root.parent / "ROOT"
    other.mkdir()
    (other / "src").mkdir()
    path = str(other / "src" / "A.txt")
    assert not found(path, root).inside

    monkeypatch.setattr("assent.tools.places._is_same_folder", lambda one, two: {one, two} == {str(other), str(root)})

    place = found(path, root)
    assert place.inside
    assert (place.real, place.shown) == (str(root / "src" / "A.txt"), "src/A.txt")
    assert place.target.anchor.path == str(root / "src")
    assert place.named == path


def test_further_folders_count_as_inside_and_are_shown_in_full(root: Path) -> None:
    further = root.parent / "outside"
    (root / "link").symlink_to(further)

    place = found(str(further / "a"), root, further)
    assert (place.inside, place.shown, place.directory) == (True, str(further / "a"), str(root))
    assert found("link/a", root, further).inside
    assert not found("link/a", root).inside
    assert found("a", root, further).real == str(root / "a")


def test_a_moved_workspace_is_another_ground(root: Path) -> None:
    before, new = found("src/a", root), found("src/new/a", root)
    root.rename(root.parent / "was")
    (root / "src").mkdir(parents=True)

    after = found("src/a", root)
    assert after.real == before.real
    assert after.bound() != before.bound()
    assert found("src/new/a", root).bound() != new.bound()


def test_what_a_call_rests_on_stays_when_another_makes_its_folder(root: Path) -> None:
    before = found("src/new/a", root).bound()
    (root / "src/new").mkdir()

    assert found("src/new/a", root).bound() == before
    (root / "src/new/a").touch()
    assert found("src/new/a", root).bound() != before


def test_nul_is_kept_for_the_gate_to_refuse(root: Path) -> None:
    for name in ("a\0b", "file:///a%00b"):
        place = found(name, root)
        assert "\0" in place.real
        assert "\0" in place.named
        assert not place.inside


def test_links_are_followed_to_what_they_really_are(root: Path) -> None:
    (root / "out").symlink_to(root.parent / "outside")
    (root / "in").symlink_to("src")
    (root / "dangling").symlink_to(root.parent / "outside" / "new")
    (root / "loop").symlink_to("loop")

    assert found("out/x", root).real == str(root.parent / "outside" / "x")
    assert not found("out/x", root).inside
    assert not found("dangling", root).inside
    assert found("in/x", root).real == str(root / "src" / "x")
    assert found("in/x", root).inside
    assert found("in/x", root).named == str(root / "in" / "x")
    assert found("out/../a", root).real == str(root.parent / "a")
    assert found("loop/x", root).real.startswith(str(root))


def test_a_root_that_is_a_link_contains_what_lies_in_its_target(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)

    for name in ("a", str(link / "a"), str(root / "a")):
        place = found(name, link)
        assert place.inside
        assert place.real == str(root / "a")
        assert place.shown == "a"


def test_a_folder_whose_name_begins_like_the_root_is_outside(root: Path) -> None:
    sibling = root.parent / "root-other"
    sibling.mkdir()

    assert not found(str(sibling / "x"), root).inside


def test_several_roots(root: Path) -> None:
    second = root.parent / "second"
    second.mkdir()

    assert found("a", root, second).real == str(root / "a")
    other = found(str(second / "a"), root, second)
    assert other.inside
    # Not “a”: that is the file of the first folder.
    assert other.shown == str(second / "a")


def test_without_roots_nothing_is_inside() -> None:
    assert not found("a").inside
    assert not found("/").inside


def test_the_root_of_the_disk_as_a_workspace_contains_everything() -> None:
    assert locate("/etc/hosts", ("/",)).inside


def test_a_place_is_the_same_unless_it_leads_elsewhere_or_has_left_the_workspace(tmp_path: Path) -> None:
    root, far = tmp_path / "root", tmp_path / "far"
    root.mkdir()
    far.mkdir()
    name = str(far / "a")
    outside, inside = locate(name, (str(root),)), locate(name, (str(root), str(far)))

    assert outside.is_still(inside), "an answer took the folder in"
    assert not inside.is_still(outside)
    assert not inside.is_still(locate(str(far / "b"), (str(root), str(far))))


def test_one_look_looks_at_each_place_on_the_way_once_and_the_next_one_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    really_look = os.lstat

    def counted(path: str) -> os.stat_result:
        looked.append(path)
        return really_look(path)

    monkeypatch.setattr("assent.tools.resolve.os.lstat", counted)
    now = OneLook((str(root),))
    places = [now.locate(name) for name in ("src/a", "src/b", "src", ".", "src/a")]

    assert [place.shown for place in places] == ["src/a", "src/b", "src", ".", "src/a"]
    assert len(looked) == len(set(looked))

    (root / "src").rmdir()
    (root / "src").symlink_to("../outside")
    assert OneLook((str(root),)).locate("src/a").real == str(root.parent / "outside/a")
