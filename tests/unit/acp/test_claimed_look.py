"""What a claim amounts to on this disk: its category, its paths, the card, and what is not shown."""

from pathlib import Path
from typing import Any

import pytest

from assent.acp.as_tools import also_does, tool_name
from assent.acp.claimed_look import ClaimedLook, look
from assent.model.approval import RiskLevel
from assent.model.calls import Access
from assent.model.modes import Category
from assent.model.preview import CommandPreview, DiffPreview, JsonPreview
from tests.support.acp_traffic import claim, request

KINDS = ("read", "search", "think", "edit", "delete", "move", "execute", "fetch", "other", "switch_mode", "sing", None)
SHOWN: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a path": {"locations": [{"path": "a.txt"}]},
    "a diff": {"content": [{"type": "diff", "path": "a.txt", "oldText": "a\n", "newText": "b\n"}]},
    "a command": {"rawInput": {"command": "make"}},
    "a reading command": {"rawInput": {"command": "ls"}},
    "an address": {"rawInput": {"url": "https://example.org"}},
}
R, W, X, E, I = Category.READ, Category.WRITE, Category.EXECUTE, Category.EXTERNAL, Category.INTERNAL  # noqa: E741
TABLE = {
    # what is shown: by kind, in the order of KINDS
    "nothing": (E, E, E, E, E, E, E, E, E, I, E, E),
    "a path": (R, R, R, E, W, E, E, E, E, I, E, E),
    "a diff": (W, W, W, W, W, W, X, E, E, W, E, E),
    "a command": (X, X, X, X, X, X, X, E, E, X, E, E),
    "a reading command": (R, R, R, W, W, W, R, E, E, R, E, E),
    "an address": (E, E, E, E, E, E, E, E, E, E, E, E),
}


def looked(folder: Path, **call: Any) -> ClaimedLook:
    return look(claim(request(**call)), (str(folder),), "Agent")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("a\n")
    return tmp_path


_CELLS = [(shown, kind, at) for shown in SHOWN for at, kind in enumerate(KINDS)]


@pytest.mark.parametrize(("shown", "kind", "at"), _CELLS, ids=[f"{kind}-{shown}" for shown, kind, _ in _CELLS])
def test_the_category_is_what_is_shown_and_never_less_than_the_kind(
    folder: Path, shown: str, kind: str | None, at: int
) -> None:
    call = {**SHOWN[shown], **({"kind": kind} if kind is not None else {})}
    assert looked(folder, **call).category is TABLE[shown][at]


@pytest.mark.parametrize(
    ("call", "uses"),
    [
        ({"kind": "read", "locations": [{"path": "a.txt"}]}, [("a.txt", Access.READ)]),
        ({"kind": "delete", "locations": [{"path": "a.txt"}]}, [("a.txt", Access.DELETE)]),
        ({"kind": "edit", "locations": [{"path": "a.txt"}]}, [("a.txt", Access.WRITE)]),
        (
            {"kind": "move", "locations": [{"path": "a.txt"}, {"path": "b.txt"}]},
            [("a.txt", Access.DELETE), ("b.txt", Access.WRITE)],
        ),
        (
            {
                "content": [
                    {"type": "diff", "path": "a.txt", "newText": "x"},
                    {"type": "diff", "path": "c", "newText": "y"},
                ]
            },
            [("a.txt", Access.WRITE), ("c", Access.WRITE)],
        ),
    ],
)
def test_every_file_is_named_with_what_happens_to_it(
    folder: Path, call: dict[str, Any], uses: list[tuple[str, Access]]
) -> None:
    found = looked(folder, **call)
    assert [(use.real, use.access) for use in found.paths] == [(str(folder / name), access) for name, access in uses]


def test_a_link_is_where_it_leads(folder: Path) -> None:
    (folder / "link").symlink_to("/etc")
    found = looked(folder, kind="edit", content=[{"type": "diff", "path": "link/hosts", "newText": "x"}])
    assert [use.real for use in found.paths] == ["/etc/hosts"] and not found.paths[0].inside


def test_the_card_shows_the_file_as_it_becomes(folder: Path) -> None:
    (folder / "long.txt").write_text("".join(f"{n}\n" for n in range(50)))
    edit = {"type": "diff", "path": "long.txt", "oldText": "20\n", "newText": "twenty\n"}
    found = looked(folder, kind="edit", content=[edit])
    assert isinstance(found.preview, DiffPreview) and found.headline == "Edit long.txt (+1 −1)"
    assert (found.preview.added, found.preview.removed, found.preview.is_new) == (1, 1, False)
    new = looked(folder, kind="edit", content=[{"type": "diff", "path": "new.txt", "newText": "x\n"}])
    assert isinstance(new.preview, DiffPreview) and new.preview.is_new and new.headline.startswith("Write new.txt")


def test_several_files_are_all_shown(folder: Path) -> None:
    edits = [{"type": "diff", "path": name, "newText": f"{name}\n"} for name in ("a.txt", "b.txt", "sub/c.txt")]
    found = looked(folder, kind="edit", content=edits)
    assert isinstance(found.preview, DiffPreview) and found.headline == "Edit 3 files"
    shown = "\n".join(line.text for line in found.preview.lines)
    assert all(name in shown for name in ("a.txt", "b.txt", "sub/c.txt"))
    assert (found.preview.added, found.preview.removed, len(found.changes)) == (3, 1, 3)


def test_a_command_is_shown_as_one(folder: Path) -> None:
    found = looked(folder, kind="execute", rawInput={"command": "rm -rf build", "cwd": str(folder)})
    assert isinstance(found.preview, CommandPreview) and found.tool == "bash" and found.command is not None
    beside = looked(folder, rawInput={"command": "make", "env": {"A": "b"}}, kind="execute", **SHOWN["a diff"] | {})
    assert isinstance(beside.preview, CommandPreview)


@pytest.mark.parametrize("line", ["ls {a.txt,b.txt}", "ls &> out", "cat <<< a", "[[ -f a.txt ]]", "ls $'a.txt'"])
def test_a_line_for_a_shell_that_is_not_named_means_the_same_in_all(folder: Path, line: str) -> None:
    theirs = looked(folder, kind="read", rawInput={"command": line}).command
    named = looked(folder, kind="read", rawInput={"command": ["bash", "-c", line]}).command
    assert theirs is not None and theirs.beyond == "means one thing in bash and another in sh"
    assert named is not None and named.beyond == ""
    alike = looked(folder, kind="read", rawInput={"command": "ls a.txt 2>&1 | head; for f in a b; do wc $f; done"})
    assert alike.command is not None and alike.command.beyond == ""


def test_what_is_not_shown_is_said(folder: Path) -> None:
    found = looked(folder, kind="other", title="Trust me")
    assert isinstance(found.preview, JsonPreview) and found.headline == "Do what it does not show"
    assert found.risk is not None and found.risk.level is RiskLevel.HIGH
    assert any("does not show" in note for note in found.risk.notes)


def test_contradictions_are_told_and_keep_it_external(folder: Path) -> None:
    two = {"kind": "edit", "rawInput": {"path": "b.txt", "content": "x"}, **SHOWN["a diff"]}
    found = looked(folder, **two)
    assert found.risk is not None and any("contradicts itself" in note for note in found.risk.notes)
    assert found.risk.level is RiskLevel.HIGH and found.category is Category.EXTERNAL
    assert {Path(use.real).name for use in found.paths} == {"a.txt", "b.txt"}


def test_a_change_that_is_in_doubt_promises_nothing(folder: Path) -> None:
    edit = {"type": "diff", "path": "a.txt", "oldText": "not there", "newText": "x"}
    found = looked(folder, kind="edit", content=[edit])
    assert found.changes == () and found.risk is not None


def test_the_state_covers_whatever_a_card_shows(folder: Path) -> None:
    calls: list[dict[str, Any]] = [
        {"kind": "execute", "rawInput": {"command": "make"}},
        {"kind": "execute", "rawInput": {"command": "make x"}},
        {"kind": "execute", "rawInput": {"command": "make", "cwd": "/"}},
        {"kind": "execute", "rawInput": {"command": "make", "env": {"A": "b"}}},
        {"kind": "edit", **SHOWN["a diff"]},
        {"kind": "delete", "locations": [{"path": "a.txt"}]},
        {"kind": "read", "locations": [{"path": "a.txt"}]},
        {"kind": "fetch", "rawInput": {"url": "https://example.org/a"}},
        {"kind": "fetch", "rawInput": {"url": "https://example.org/b"}},
    ]
    states = [looked(folder, **call).state for call in calls]
    assert len(set(states)) == len(calls)
    assert states == [looked(folder, **call).state for call in calls]
    (folder / "a.txt").write_text("other\n")
    assert looked(folder, **calls[4]).state != states[4]


@pytest.mark.parametrize(
    ("call", "tool", "also"),
    [
        ({"kind": "execute", "rawInput": {"command": "make"}}, "bash", ()),
        ({"kind": "execute"}, "acp:execute", ("bash",)),
        ({"kind": "edit"}, "acp:edit", ("write_file", "edit_file")),
        ({"kind": "edit", **SHOWN["a diff"]}, "write_file", ("edit_file",)),
        (
            {"kind": "delete", "locations": [{"path": "a.txt"}]},
            "delete_file",
            ("write_file", "edit_file"),
        ),
        ({"kind": "fetch"}, "acp:fetch", ("web_fetch",)),
        ({"kind": "read", "locations": [{"path": "a.txt"}]}, "read_file", ("list_files",)),
        ({"kind": "other"}, "acp:other", ()),
        ({}, "acp:other", ()),
    ],
)
def test_it_is_called_like_the_tools_that_do_the_same(call: dict[str, Any], tool: str, also: tuple[str, ...]) -> None:
    shown = claim(request(**call))
    assert (tool_name(shown), also_does(shown)) == (tool, also)


def begun(folder: Path, command: str, *begins: Path) -> ClaimedLook:
    """A look at a command that begins in one of these folders."""
    shown = claim(request(kind="execute", rawInput={"command": command}))
    return look(shown, (str(folder),), "Agent", str(folder), tuple(map(str, begins)))


def test_a_command_that_may_begin_in_several_folders_is_judged_by_all_of_them(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.txt").symlink_to("/etc/passwd")
    found = begun(folder, "rm -f a.txt && cat b.txt > c.txt", folder, folder / "sub")
    assert found.directory == "" and not found.unclear and found.command is not None
    names = {(one.access, one.real.removeprefix(f"{folder}/")) for one in found.paths}
    assert {(Access.DELETE, "a.txt"), (Access.DELETE, "sub/a.txt"), (Access.READ, "/etc/passwd")} <= names
    assert isinstance(found.preview, CommandPreview) and len(found.preview.parts) == 2
    assert found.preview.note is not None and "in the workspace folder or in sub" in found.preview.note
    assert begun(folder, "ls", folder).state != begun(folder, "ls", folder / "sub").state


def test_where_the_folder_can_be_any_no_name_in_the_command_means_a_file(folder: Path) -> None:
    found = begun(folder, "rm -f a.txt")
    assert (found.directory, found.category, found.paths) == ("", Category.EXTERNAL, ())
    assert found.unclear and found.risk is not None and found.risk.level is RiskLevel.MEDIUM
    assert isinstance(found.preview, CommandPreview)
    assert [one.notes for one in found.preview.parts] == [
        ("Which file it deletes with a.txt is only known when it runs.",)
    ]
    assert begun(folder, "ls").unclear and begun(folder, "git status").unclear and begun(folder, "make").unclear


@pytest.mark.parametrize(
    ("command", "unclear"),
    [
        ("cd {sub} && rm -f a.txt", False),
        ("cd {sub} && make | tail", False),
        ("cd {sub} || rm -f a.txt", True),
        ("cd {sub}; rm -f a.txt", True),
        ("make && cd {sub} && make", True),
        ("cd sub && rm -f a.txt", True),
        ("cd $X && rm -f a.txt", True),
        ("(cd {sub} && make); make", True),
        ("cd {sub} && make; rm -f a.txt", True),
        ("cd {sub} && $X", False),
        ("cd {sub} && cd .. && rm -f a.txt", False),
    ],
)
def test_a_line_that_goes_to_a_full_name_first_is_the_same_wherever_it_begins(
    folder: Path, command: str, unclear: bool
) -> None:
    (folder / "sub").mkdir()
    found = begun(folder, command.format(sub=folder / "sub"))
    assert bool(found.unclear) is unclear
    assert found.category is not Category.EXTERNAL or unclear


def test_a_folder_that_is_told_within_one_that_is_not_known_is_not_known_either(folder: Path) -> None:
    (folder / "sub").mkdir()
    shown = claim(request(kind="execute", rawInput={"command": "make", "cwd": "sub"}))
    assert look(shown, (str(folder),), "Agent", str(folder), ()).directory == ""
    assert look(shown, (str(folder),), "Agent", str(folder), (str(folder),)).directory == str(folder / "sub")
    told = claim(request(kind="execute", rawInput={"command": "make", "cwd": str(folder / "sub")}))
    assert look(told, (str(folder),), "Agent", str(folder), ()).directory == str(folder / "sub")


def test_a_title_names_files_as_people_do(folder: Path) -> None:
    one, other = str(folder / "a.txt"), str(folder / "sub" / "b.txt")
    assert looked(folder, kind="delete", locations=[{"path": one}]).headline == "Delete a.txt"
    moved = looked(folder, kind="move", locations=[{"path": one}, {"path": other}])
    assert moved.headline == "Move a.txt to sub/b.txt"
