"""What a call would do, as far as its agent shows it: never less than that, and nothing that it only says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp import argument_words as words
from assent.acp.claim import claim_of
from assent.acp.habits import Habits
from assent.acp.picture import Picture
from assent.acp.words import Diff, Kind, ToolTold
from tests.support.acp_traffic import CALL, claim, request, update
from tests.support.scale import examples

NAMES = st.sampled_from(
    [
        *("command", "cmd", "commands", "args", "cwd", "env", "path", "file_path", "filePath", "old_string", "newText"),
        *("content", "edits", "changes", "diff", "url", "prompt", "query", "source", "destination", "questions"),
        *("pattern", "description", "add", "update", "delete", "unified_diff", "type", "kind", "files", "patch"),
    ]
)
TEXTS = st.sampled_from(
    ["", "ls", "a.py", "/w/b", "@@ -1 +1 @@\n-a\n+b\n", "https://x.org/", "*** Begin Patch", "update"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | TEXTS, inner, max_size=4),
    max_leaves=12,
)
RAW = st.dictionaries(NAMES, VALUES, max_size=5)
KINDS = st.none() | st.sampled_from(Kind)


@given(RAW | VALUES, KINDS)
def test_no_arguments_are_a_fault_and_nothing_unknown_is_inspectable(raw: Any, kind: Kind | None) -> None:
    found = claim_of(Picture(CALL).with_told(ToolTold(CALL, raw_input=raw, kind=kind)))

    if found.inspectable:
        assert found.acts or found.reads or kind is Kind.FETCH
        assert not (found.unread or found.contradictions)
    if found.only_looks:
        assert kind in (Kind.READ, Kind.SEARCH, Kind.THINK)
        assert found.reads
        assert not (found.command or found.edits or found.writes or found.deletes or found.moves or found.urls)


@given(RAW, KINDS, st.sampled_from(["surprise", "then_run", "sandbox_permissions", "🙂"]))
def test_an_argument_that_nobody_knows_is_never_harmless(raw: dict[str, Any], kind: Kind | None, name: str) -> None:
    found = claim_of(Picture(CALL).with_told(ToolTold(CALL, raw_input={**raw, name: "x"}, kind=kind)))

    assert name in found.unread
    assert not found.inspectable


@pytest.mark.parametrize(
    ("raw", "command", "cwd"),
    [
        ({"command": "npm test", "description": "Tests", "timeout": 5}, "npm test", None),
        ({"cmd": "ls", "workdir": "/w"}, "ls", "/w"),
        ({"script": "ls\npwd", "cwd": "sub"}, "ls\npwd", "sub"),
        ({"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'", None),
        ({"command": ["bash", "-lc", "ls | wc"], "cwd": "/w"}, "bash -lc 'ls | wc'", "/w"),
        ({"command": "ls", "directory": "sub"}, "ls", "sub"),
        ({"command": "git", "args": ["push", "a b"]}, "git push 'a b'", None),
        ({"commands": ["ls", "pwd"]}, "ls\npwd", None),
        ({"command": "git log | head", "commands": ["git log", "head"]}, "git log | head", None),
        ({"command": "ls", "dangerouslyDisableSandbox": False}, "ls", None),
    ],
)
def test_commands(raw: dict[str, Any], command: str, cwd: str | None) -> None:
    found = claim(request(kind="execute", rawInput=raw))

    assert (found.command, found.cwd, found.inspectable) == (command, cwd, True)


@pytest.mark.parametrize(
    "raw",
    [
        {"command": "ls", "dangerouslyDisableSandbox": True},
        {"command": "ls", "stdin": "y"},
        {"command": "y", "is_input": True},
        {"session_id": 3, "chars": "y\n"},
        {"command": ["ls", 3]},
        {"command": {"text": "ls"}},
        {"command": "a b", "args": ["c"]},
        {"args": ["c"]},
        {"commands": ["cat <<X", "rm -r ."]},
        {"command": "ls", "commands": ["rm"]},
        {"command": "ls", "env": {"A": 1}},
        {"command": "ls", "additionalPermissions": {"network": True}},
    ],
)
def test_commands_that_are_more_than_they_show(raw: dict[str, Any]) -> None:
    found = claim(request(kind="execute", rawInput=raw))

    assert found.unread
    assert not found.inspectable


@pytest.mark.parametrize(
    "env", [{"LD_PRELOAD": "x", "A": "b"}, [{"name": "A", "value": "b"}, {"name": "LD_PRELOAD", "value": "x"}]]
)
def test_the_environment_belongs_to_it(env: Any) -> None:
    assert claim(request(kind="execute", rawInput={"command": "ls", "env": env})).env == (
        ("A", "b"),
        ("LD_PRELOAD", "x"),
    )


@pytest.mark.parametrize(
    ("raw", "edits"),
    [
        ({"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": True}, [Diff("a", "x", "y")]),
        ({"file_path": "a", "old_string": "x", "new_string": ""}, [Diff("a", "x", "")]),
        ({"filePath": "a", "oldString": "x", "newString": "y"}, [Diff("a", "x", "y")]),
        ({"path": "a", "oldText": None, "newText": "y"}, [Diff("a", None, "y")]),
        ({"abs_path": "a", "content": "y"}, [Diff("a", None, "y")]),
        ({"path": "a", "content": ""}, [Diff("a", None, "")]),
        ({"command": "create", "path": "a", "file_text": "y"}, [Diff("a", None, "y")]),
        ({"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"}, [Diff("a", "x", "y")]),
        (
            {"path": "a", "edits": [{"oldText": "x", "newText": "y"}, {"old_string": "z", "new_string": ""}]},
            [Diff("a", "x", "y"), Diff("a", "z", "")],
        ),
        ({"path": "a", "edit": {"old": "x", "new": "y"}}, [Diff("a", "x", "y")]),
        (
            {"files": [{"path": "a", "content": "x"}, {"path": "b", "content": "y"}]},
            [Diff("a", None, "x"), Diff("b", None, "y")],
        ),
        (
            {"changes": {"a": {"add": {"content": "x"}}, "b": {"update": {"unified_diff": "@@ -1 +1 @@\n-x\n+y\n"}}}},
            [Diff("a", None, "x"), Diff("b", "x\n", "y\n")],
        ),
        ({"changes": {"a": {"type": "add", "content": "x"}}}, [Diff("a", None, "x")]),
        ({"changes": [{"path": "a", "kind": {"type": "add"}, "diff": "x"}]}, [Diff("a", None, "x")]),
        ({"fileName": "/w/a", "diff": "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-x\n+y\n"}, [Diff("/w/a", "x\n", "y\n")]),
        ({"patchText": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}, [Diff("a", None, "x\n")]),
        ({"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}, [Diff("a", None, "x\n")]),
        ({"file_path": "a", "content": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}, [Diff("a", "x", "y")]),
        ({"notebook_path": "a", "new_source": "y", "cell_id": "1"}, [Diff("a", None, "y")]),
        ({"fileName": "a", "newFileContents": "y\n", "diff": "@@ -1 +1 @@\n-x\n+y\n"}, [Diff("a", None, "y\n")]),
    ],
)
@pytest.mark.parametrize("kind", ["edit", "read", "think", None])
def test_edits_whatever_kind_is_claimed(raw: dict[str, Any], edits: list[Diff], kind: str | None) -> None:
    found = claim(request(kind=kind, rawInput=raw))

    assert list(found.edits) == edits
    assert found.inspectable
    assert not found.only_looks


@pytest.mark.parametrize(
    "raw",
    [
        {"path": "a"},
        {"path": "a", "content": {"text": "x"}},
        {"content": "x"},
        {"path": "a", "diff": "no diff at all"},
        {"path": "a", "new_str": "x", "insert_line": 3},
        {"path": "a", "content": "x", "mode": "append"},
        {"command": "undo_edit", "path": "a"},
        {"path": "a", "old_string": ["x"], "new_string": "y"},
        {"path": ["a", "b"], "content": "x"},
        {"path": "a", "old_string": "x", "old_str": "y", "new_string": "z"},
        {"changes": {"a": {"rename": "b"}}},
        {"changes": {"a": {"update": {"unified_diff": "@@ -1,5 +1 @@\n-x\n"}}}},
    ],
)
def test_edits_of_which_the_outcome_is_not_shown(raw: dict[str, Any]) -> None:
    assert not claim(request(kind="edit", rawInput=raw)).inspectable


def test_a_file_that_would_be_written_is_named_even_if_nothing_is_shown() -> None:
    assert claim(request(kind="edit", locations=[{"path": "/w/a"}])).writes == ("/w/a",)
    assert claim(request(kind="edit", rawInput={"path": "a", "new_str": "x", "insert_line": 1})).writes == ("a",)


@pytest.mark.parametrize(
    ("kind", "raw", "locations", "deletes", "moves"),
    [
        ("delete", {"path": "a"}, [], ("a",), ()),
        ("delete", None, ["/w/a", "/w/b"], ("/w/a", "/w/b"), ()),
        ("delete", {"path": "a"}, ["/w/a"], ("a", "/w/a"), ()),
        ("move", {"source": "a", "destination": "b"}, [], (), (("a", "b"),)),
        ("move", {"path": "a", "new_path": "b"}, [], (), (("a", "b"),)),
        ("move", None, ["a", "b"], (), (("a", "b"),)),
        ("other", {"from": "a", "to": "b"}, [], (), (("a", "b"),)),
        ("edit", {"changes": {"a": {"delete": {"content": "x"}}}}, ["a"], ("a",), ()),
        (
            "edit",
            {"changes": {"a": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": "b"}}},
            [],
            (),
            (("a", "b"),),
        ),
    ],
)
def test_what_goes_away(
    kind: str, raw: Any, locations: list[str], deletes: tuple[str, ...], moves: tuple[tuple[str, str], ...]
) -> None:
    found = claim(request(kind=kind, rawInput=raw, locations=[{"path": path} for path in locations]))

    assert (found.deletes, found.moves, found.inspectable) == (deletes, moves, True)


def test_a_move_of_which_only_one_end_is_told_is_no_move_that_can_be_shown() -> None:
    found = claim(request(kind="move", locations=[{"path": "a"}]))

    assert (found.moves, found.writes, found.inspectable) == ((), ("a",), False)


@pytest.mark.parametrize(
    ("kind", "raw", "reads"),
    [
        ("read", {"file_path": "/w/a", "offset": 1, "limit": 5}, ("/w/a",)),
        ("search", {"pattern": "TODO", "path": "src", "-i": True, "output_mode": "content"}, ("src",)),
        ("search", {"pattern": "*.py", "directory": "src"}, ("src",)),
        ("search", {"pattern": "/etc/**", "path": "src"}, ("src", "/etc/**")),
        ("search", {"glob": "../x", "path": "src"}, ("src", "../x")),
        ("read", {"command": "view", "path": "/w/a", "view_range": [1, 5]}, ("/w/a",)),
        ("read", {"uri": "file:///w/a%20b"}, ("/w/a b",)),
        ("read", {"path": "file:///w/a"}, ("/w/a",)),
        ("read", '{"path": "/w/a"}', ("/w/a",)),
    ],
)
def test_looking(kind: str, raw: Any, reads: tuple[str, ...]) -> None:
    found = claim(request(kind=kind, rawInput=raw))

    assert found.reads == reads
    assert found.only_looks


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("read", {"path": "a", "command": "rm a"}),
        ("read", {"path": "a", "delete_after": True}),
        ("read", {"path": "a", "url": "https://x.org"}),
        ("read", {"path": "https://x.org/a"}),
        ("search", {"query": "weather"}),
        ("search", {"pattern": "TODO"}),
        ("think", {"prompt": "Look at https://x.org/y.", "description": "A task"}),
        ("think", {}),
        ("read", None),
        ("other", {"path": "a"}),
        (None, {"path": "a"}),
        ("read", "a"),
        ("read", ["a"]),
    ],
)
def test_what_is_not_just_looking(kind: str | None, raw: Any) -> None:
    assert not claim(request(kind=kind, rawInput=raw)).only_looks


@pytest.mark.parametrize(
    ("raw", "urls"),
    [
        ({"url": "https://x.org/a", "prompt": "Sum it up"}, ("https://x.org/a",)),
        ({"urls": ["https://x.org", "http://y.org"]}, ("https://x.org", "http://y.org")),
        ({"prompt": "Compare https://x.org/a, and (http://y.org/b)."}, ("https://x.org/a", "http://y.org/b")),
        ({"url": "x.org"}, ("x.org",)),
        ({"query": "weather"}, ()),
    ],
)
def test_the_web(raw: dict[str, Any], urls: tuple[str, ...]) -> None:
    found = claim(request(kind="fetch", rawInput=raw))

    assert (found.urls, found.inspectable) == (urls, True)


def test_an_address_among_the_places_is_no_path() -> None:
    found = claim(request(kind="fetch", locations=[{"path": "https://x.org/a"}]))

    assert (found.urls, found.reads) == (("https://x.org/a",), ())


def test_two_commands_are_both_shown_and_never_run_by_themselves() -> None:
    found = claim(request(kind="execute", rawInput={"command": "ls", "script": "rm -r ."}))

    assert found.command == "ls\nrm -r ."
    assert found.contradictions == ("it names several commands.",)
    assert not found.inspectable


def test_a_diff_of_one_file_and_a_request_for_another_are_both_shown() -> None:
    found = claim(
        request(
            kind="edit",
            content=[{"type": "diff", "path": "/w/a", "oldText": "x", "newText": "y"}],
            rawInput={"file_path": "/etc/passwd", "content": "root"},
        )
    )

    assert found.edits == (Diff("/w/a", "x", "y"), Diff("/etc/passwd", None, "root"))
    assert found.contradictions == ("it shows a change of /w/a, and asks for one of /etc/passwd.",)
    assert not found.inspectable


@pytest.mark.parametrize(
    ("shown", "asked", "differs"),
    [
        ({"newText": "x\n"}, {"content": "x"}, False),
        ({"newText": "x"}, {"content": "y"}, True),
        ({"oldText": "a", "newText": "x"}, {"old_string": "a", "new_string": "x"}, False),
        ({"oldText": "a", "newText": "x"}, {"old_string": "a", "new_string": "y"}, True),
        ({"oldText": "a\nb", "newText": "x\nb"}, {"old_string": "a", "new_string": "x"}, False),
    ],
)
def test_a_diff_of_a_file_and_a_request_for_another_content_of_it(
    shown: dict[str, str], asked: dict[str, str], differs: bool
) -> None:
    found = claim(
        request(kind="edit", content=[{"type": "diff", "path": "a", **shown}], rawInput={"path": "a", **asked})
    )

    assert bool(found.contradictions) is differs
    assert found.inspectable is not differs
    assert len(found.edits) == 1 + differs


def test_very_much_is_looked_at_without_comparing_all_with_all() -> None:
    many = examples(20_000)
    found = claim(
        request(
            kind="edit",
            content=[{"type": "diff", "path": f"{number}/a", "newText": "x"} for number in range(many)],
            rawInput={"edits": [{"path": f"/w/{number}/a", "content": "x"} for number in range(many)]},
            locations=[{"path": f"/v/{number}/a"} for number in range(many)],
        )
    )

    assert not found.inspectable
    assert len(found.edits) + len(found.writes) >= 2 * many
    assert claim(request(kind="execute", rawInput={"command": "a" * many, "commands": ["b"] * many})).unread


def test_the_same_file_in_two_spellings_is_one_and_both_are_looked_at() -> None:
    found = claim(
        request(
            kind="edit",
            content=[{"type": "diff", "path": "a.py", "newText": "y"}],
            rawInput={"file_path": "/w/a.py", "content": "y"},
            locations=[{"path": "/w/a.py"}, {"path": "./a.py"}],
        )
    )

    assert found.edits == (Diff("a.py", None, "y"),)
    assert found.writes == ("/w/a.py", "./a.py")
    assert found.inspectable


def test_a_diff_and_a_command_are_both_in_it() -> None:
    found = claim(
        request(kind="edit", content=[{"type": "diff", "path": "a", "newText": "x"}], rawInput={"command": "rm a"})
    )

    assert (found.command, found.edits) == ("rm a", (Diff("a", None, "x"),))


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "edit", "rawInput": {"path": "file:///etc/a%20b", "content": "x"}},
        {"kind": "edit", "content": [{"type": "diff", "path": "file:///etc/a%20b", "newText": "x"}]},
        {"kind": "edit", "locations": [{"path": "file:///etc/a%20b"}]},
        {"kind": "delete", "rawInput": {"path": "file:///etc/a%20b"}},
        {"kind": "move", "rawInput": {"source": "file:///etc/a%20b", "destination": "b"}},
        {"kind": "read", "rawInput": {"path": "file:///etc/a%20b"}},
    ],
)
def test_an_address_of_a_file_is_its_path(call: dict[str, Any]) -> None:
    """As a path it would seem to lie in the folder."""
    found = claim(request(**call))
    named = {one.path for one in found.edits} | {*found.writes, *found.deletes, *found.reads}
    named |= {end for move in found.moves for end in move}

    assert named - {"b"} == {"/etc/a b"}


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "edit", "rawInput": {"path": "sftp://host/a", "content": "x"}},
        {"kind": "edit", "content": [{"type": "diff", "path": "vscode-remote://host/a", "newText": "x"}]},
        {"kind": "delete", "rawInput": {"path": "sftp://host/a"}},
        {"kind": "edit", "rawInput": {"path": "file:///etc/a?b", "content": "x"}},
    ],
)
def test_files_elsewhere_are_not_understood(call: dict[str, Any]) -> None:
    assert not claim(request(**call)).inspectable


def test_what_executes_is_a_command_whatever_it_is_called() -> None:
    found = claim(request(kind="execute", rawInput={"command": "create", "path": "a"}))

    assert (found.command, found.reads) == ("create", ("a",))


def test_a_file_beside_those_that_are_shown_is_not_understood() -> None:
    found = claim(
        request(kind="edit", content=[{"type": "diff", "path": "/w/a", "newText": "x"}], locations=[{"path": "/etc/b"}])
    )

    assert (found.writes, found.inspectable) == (("/etc/b",), False)


@pytest.mark.parametrize("kind", ["other", "execute", "switch_mode", None])
def test_a_path_alone_says_nothing_about_what_happens_to_it(kind: str | None) -> None:
    found = claim(request(kind=kind, rawInput={"path": "a"}))

    assert (found.reads, found.inspectable) == (("a",), False)


def test_several_contents_of_one_file_cannot_all_be_meant() -> None:
    found = claim(request(kind="edit", rawInput={"path": "a", "edits": [{"content": "x"}], "content": "y"}))

    assert found.edits == (Diff("a", None, "x"), Diff("a", None, "y"))
    assert found.contradictions == ("it names several new contents of one file.",)
    assert not found.inspectable


def test_a_move_that_names_a_third_file_is_not_understood() -> None:
    found = claim(request(kind="move", rawInput={"from": "a", "to": "b", "path": "c"}))

    assert (found.moves, found.writes, found.inspectable) == ((("a", "b"),), ("c",), False)


def test_half_a_change_is_none() -> None:
    content = [{"type": "diff", "path": "a", "newText": "x"}, {"type": "diff", "path": "b"}]

    assert not claim(request(kind="edit", content=content)).inspectable


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        ([], None),
        (["read"], Kind.READ),
        (["execute", "read"], Kind.EXECUTE),
        (["read", "execute"], Kind.EXECUTE),
        (["other", "read"], Kind.READ),
        (["delete", "other"], Kind.DELETE),
        (["fetch", "think"], Kind.FETCH),
        (["something new"], Kind.OTHER),
    ],
)
def test_the_gravest_kind_that_was_told(kinds: list[str], kind: Kind | None) -> None:
    assert claim(*(update("tool_call_update", toolCallId=CALL, kind=one) for one in kinds)).kind is kind


@pytest.mark.parametrize(
    ("call", "asks"),
    [
        ({"rawInput": {"questions": [{"question": "Red or blue?"}]}}, True),
        ({"rawInput": {"question": "Red or blue?", "options": ["Red", "Blue"]}}, True),
        ({"title": "AskUserQuestion"}, True),
        ({"title": "ask_user: which one"}, True),
        ({"_meta": {"tool_name": "ask_user_question"}, "kind": "think"}, True),
        ({"title": "Ask the linter", "rawInput": {"command": "lint"}}, False),
        ({"title": "Run tests", "kind": "execute"}, False),
    ],
)
def test_questions_in_disguise(call: dict[str, Any], asks: bool) -> None:
    assert claim(request(**call)).question is asks


def test_a_title_is_no_command_except_where_it_is_known_to_be_one() -> None:
    params = request(kind="execute", title="rm -r build")
    habits = Habits(title_is_command=True)

    assert claim(params).command is None
    assert claim(params, habits=habits).command == "rm -r build"
    assert not claim(params, habits=habits).inspectable, "where it runs is not told"
    assert claim(request(kind="execute", title="x" * 600), habits=habits).command is None, "it was cut"
    assert claim(request(kind="edit", title="rm"), habits=habits).command is None


def test_every_word_is_spelled_as_it_is_compared() -> None:
    """Otherwise it would never be met."""
    every = [*words.HARMLESS, *words.HARMLESS_WHEN_OFF, *words.QUESTION_TOOLS, *words.EDITOR]
    for group in vars(words).values():
        every.extend(group if isinstance(group, tuple) else ())

    assert [one for one in every if one != words.plain(one)] == []
    assert not words.HARMLESS.intersection(
        (*words.COMMANDS, *words.NEW, *words.PATCHES, *words.ADDRESSES, *words.PATHS)
    )


@pytest.mark.parametrize(
    ("told", "habits", "kind"),
    [
        ({}, Habits(patches_are_changes=True), Kind.EDIT),
        ({}, Habits(), Kind.OTHER),
        ({"title": "send_patch: x"}, Habits(patches_are_changes=True), Kind.OTHER),
        ({"title": "apply_patch_to_server"}, Habits(patches_are_changes=True), Kind.OTHER),
        ({"raw": {"host": "x.org"}}, Habits(patches_are_changes=True), Kind.OTHER),
        ({"raw": {"input": "anything"}}, Habits(patches_are_changes=True), Kind.OTHER),
        ({"kind": Kind.EXECUTE}, Habits(patches_are_changes=True), Kind.EXECUTE),
    ],
    ids=["its tool", "of another agent", "another tool", "one called alike", "with more", "no patch", "of a kind"],
)
def test_a_patch_without_a_kind_is_a_change_where_its_agent_tells_them_so(
    told: dict[str, Any], habits: Habits, kind: Kind
) -> None:
    raw = {"input": "*** Begin Patch\n*** Add File: a.py\n+one\n*** End Patch\n", **told.get("raw", {})}
    title = told.get("title", 'apply_patch: {"input":"*** Begin Patch...')
    call = ToolTold(CALL, title=title, kind=told.get("kind", Kind.OTHER), raw_input=raw)

    assert claim_of(Picture(CALL).with_told(call), habits).kind is kind
