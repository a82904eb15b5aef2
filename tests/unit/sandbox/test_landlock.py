"""Which paths get which rights: nothing new beside what is held, nothing at all in what is hidden."""

from assent.sandbox.landlock import MAKE_FILE, READ_FILE, REMOVE_FILE, WRITE_FILE, rules
from assent.sandbox.layout import Layout

TREE = {
    "/": ["/usr/", "/home/", "/dev/", "/tmp/"],
    "/home": ["/home/me/"],
    "/home/me": ["/home/me/.ssh/", "/home/me/notes", "/home/me/w/"],
    "/home/me/w": ["/home/me/w/.git/", "/home/me/w/a", "/home/me/w/src/", "/home/me/w/sub/"],
    "/home/me/w/sub": ["/home/me/w/sub/package.json", "/home/me/w/sub/code/"],
    "/dev": ["/dev/null", "/dev/sda"],
}


def entries(folder: str) -> list[tuple[str, bool]]:
    return [(path.rstrip("/"), path.endswith("/")) for path in TREE[folder]]


def layout(*held: str) -> Layout:
    return Layout(("/home/me/w",), held, ("/home/me/.ssh",), (), "/home/me/w", False)


def allowed(path: str, found: dict[str, int]) -> int:
    """What may be done at a path: the rights of all folders above count."""
    total = 0
    while path:
        total |= found.get(path, 0)
        path = path.rpartition("/")[0]
    return total | found.get("/", 0)


def test_rights() -> None:
    held = layout("/home/me/w/.git", "/home/me/w/sub/package.json")
    found = dict(rules(held, 7, entries) or ())

    assert allowed("/home/me/w/src/new", found) & MAKE_FILE
    assert allowed("/home/me/w/sub/code/new", found) & (MAKE_FILE | REMOVE_FILE | WRITE_FILE)
    assert allowed("/home/me/w/a", found) & WRITE_FILE
    for path in ("/home/me/w/.git/config", "/home/me/w/sub/package.json", "/usr/bin/x", "/home/me/notes"):
        assert allowed(path, found) & READ_FILE, path
        assert not allowed(path, found) & (WRITE_FILE | MAKE_FILE | REMOVE_FILE), path
    for path in ("/home/me/w/new", "/home/me/w/sub/new", "/home/me/new"):
        assert not allowed(path, found) & (MAKE_FILE | REMOVE_FILE), path
    for path in ("/home/me/.ssh/id", "/tmp/x", "/dev/sda"):
        assert not allowed(path, found) & (READ_FILE | WRITE_FILE), path
    assert allowed("/dev/null", found) & WRITE_FILE


def test_with_nothing_held_all_of_a_place_is_open() -> None:
    found = dict(rules(layout(), 7, entries) or ())

    assert found["/home/me/w"] & MAKE_FILE
    assert not [path for path in found if path.startswith("/home/me/w/")]


def test_too_many_are_none() -> None:
    many = [(f"/home/me/w/{number}", False) for number in range(9_000)]

    def crowded(folder: str) -> list[tuple[str, bool]]:
        return many if folder == "/home/me/w" else entries(folder)

    assert rules(layout("/home/me/w/1"), 7, crowded) is None
    assert rules(layout(), 7, crowded) is not None
