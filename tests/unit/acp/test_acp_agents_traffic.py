"""How each well-known agent asks: what its messages show together, and what they leave out."""

from typing import Any

import pytest

from assent.acp.as_tools import tool_name
from assent.acp.call_contents import claimed_arguments
from assent.acp.claim import Claim, claim_of
from assent.acp.habits import Habits
from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.picture import Picture
from assent.acp.recognising import known_agent
from assent.acp.words import Diff, Kind, Question
from assent.model.approval import OwnKind
from assent.policy.own_options import only_once, refusal
from tests.support.acp_traffic import CALL, asked, claim, option, picture, request, update

FOUR = [
    option("allow_always", "allow_always"),
    option("allow_once", "allow_once"),
    option("reject_once", "reject_once"),
    option("reject_always", "reject_always"),
]


def habits(key: str) -> Habits:
    return next(agent.habits for agent in KNOWN_AGENTS if agent.key == key)


def text(value: str) -> list[dict[str, Any]]:
    return [{"type": "content", "content": {"type": "text", "text": value}}]


def diff(path: str, old: str | None, new: str) -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def kinds(question: Question) -> list[OwnKind]:
    return [one.kind for one in question.options]


def test_claude_tells_all_in_the_request() -> None:
    found = claim(
        update("tool_call", toolCallId=CALL, title="Edit", kind="edit", status="pending", rawInput={}),
        update(
            "tool_call_update",
            toolCallId=CALL,
            title="Edit `/w/a.py`",
            rawInput={"file_path": "/w/a.py", "old_string": "x", "new_string": "y", "replace_all": False},
            content=[diff("/w/a.py", "x", "y")],
            locations=[{"path": "/w/a.py"}],
            _meta={"claudeCode": {"toolName": "Edit"}},
        ),
        request(FOUR, title="Edit `/w/a.py`", rawInput={"file_path": "/w/a.py", "old_string": "x", "new_string": "y"}),
    )

    assert found.edits == (Diff("/w/a.py", "x", "y"),)
    assert (found.writes, found.reads, found.inspectable) == ((), (), True)
    ready = claim(request(kind="switch_mode", title="Ready to code?", rawInput={"plan": "1. Do"}))
    assert ready.kind is Kind.SWITCH_MODE
    assert not ready.inspectable


def test_codex_shows_the_change_before_it_asks_and_only_names_the_files_then() -> None:
    found = claim(
        update(
            "tool_call",
            toolCallId=CALL,
            kind="edit",
            status="in_progress",
            title="Edit files",
            content=[diff("/w/a", "x\n", "y\n"), diff("/w/b", None, "new\n")],
            locations=[{"path": "/w/a"}, {"path": "/w/b"}],
        ),
        request(title="Edit files", locations=[{"path": "/w/a"}, {"path": "/w/b"}]),
    )

    assert [one.path for one in found.edits] == ["/w/a", "/w/b"]
    assert (found.writes, found.inspectable) == ((), True)
    network = claim(request(kind="execute", rawInput={"command": "curl x.org", "cwd": "/w", "url": "https://x.org"}))
    assert (network.command, network.cwd, network.urls) == ("curl x.org", "/w", ("https://x.org",))
    more = claim(request(kind="other", rawInput={"permissions": {"network": {"enabled": True}}, "cwd": "/w"}))
    assert not more.inspectable


def test_codex_by_zed_gives_its_own_event() -> None:
    command = {
        "call_id": "c",
        "turn_id": "1",
        "started_at_ms": 1795389496680,
        "command": ["bash", "-lc", "npm test"],
        "cwd": "/w",
        "reason": None,
        "parsed_cmd": [{"type": "unknown", "cmd": "npm test"}],
    }
    found = claim(request(kind="execute", rawInput=command))
    assert (found.command, found.cwd, found.inspectable) == ("bash -lc 'npm test'", "/w", True)

    changes = {"/w/a": {"update": {"unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": None}}}
    patch = claim(
        request(kind="edit", content=[diff("/w/a", "x\n", "y\n")], rawInput={"call_id": "c", "changes": changes})
    )
    assert patch.edits == (Diff("/w/a", "x\n", "y\n"),)
    assert patch.inspectable


def test_gemini_sends_no_call_first_and_its_command_is_a_title() -> None:
    question = request(
        [
            option("proceed_always", "allow_always"),
            option("proceed_once", "allow_once"),
            option("cancel", "reject_once"),
        ],
        kind="execute",
        title="npm test",
        content=text("Runs the tests"),
        locations=[],
    )

    assert claim(question, habits=habits("gemini")).command == "npm test"
    assert not claim(question, habits=habits("gemini")).inspectable
    assert only_once(asked(question).options) == asked(question).options[1]
    edit = claim(
        request(kind="edit", title="a.py", content=[diff("/w/a.py", "x", "y")], locations=[{"path": "/w/a.py"}])
    )
    assert (edit.edits, edit.inspectable) == ((Diff("/w/a.py", "x", "y"),), True)


def test_opencode_gives_a_diff_as_text() -> None:
    patch = f"Index: /w/a\n{'=' * 67}\n--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-x\n+y\n"
    found = claim(
        request(
            [option("once", "allow_once"), option("always", "allow_always"), option("reject", "reject_once")],
            kind="edit",
            title="edit",
            rawInput={"filepath": "/w/a", "diff": patch},
            locations=[{"path": "/w/a"}],
        )
    )

    assert found.edits == (Diff("/w/a", "x\n", "y\n"),)
    assert (found.writes, found.inspectable) == ((), True)


def test_opencode_asks_for_a_command_without_the_folder_that_it_has_told() -> None:
    told = {"toolCallId": CALL, "kind": "execute", "title": "make", "status": "in_progress"}
    found = claim(
        update("tool_call", toolCallId=CALL, kind="execute", status="pending", rawInput={"cwd": "/w"}),
        update("tool_call_update", **told, rawInput={"command": "make", "workdir": "/w/sub"}),
        request(kind="execute", title="make", locations=[], rawInput={"command": "make"}),
    )

    assert (found.command, found.cwd, found.inspectable) == ("make", "/w/sub", True)


def test_qwen_lists_two_ways_to_allow_for_good_first() -> None:
    question = asked(
        request(
            [
                option("proceed_always_project", "allow_always"),
                option("proceed_always_user", "allow_always"),
                option("proceed_once", "allow_once"),
                option("cancel", "reject_once"),
            ]
        )
    )
    once, no = only_once(question.options), refusal(question.options)
    assert once is not None
    assert no is not None
    assert (once.option_id, no.option_id) == ("proceed_once", "cancel")

    shell = claim(request(kind="execute", rawInput={"command": "ls", "is_background": False, "description": "Lists"}))
    assert (shell.command, shell.inspectable) == ("ls", True)
    asks = claim(request(kind="think", title="Ask user 1 question", rawInput={"questions": [{"question": "Red?"}]}))
    assert asks.question


def test_copilot_shows_its_diff_only_in_the_arguments() -> None:
    patch = "\ndiff --git a/w/a b/w/a\nindex 0..1 100644\n--- a/w/a\n+++ b/w/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
    found = claim(request(FOUR, kind="edit", title="Edit /w/a", rawInput={"fileName": "/w/a", "diff": patch}))

    assert found.edits == (Diff("/w/a", "x\ny\n", "x\nz\n"),)
    assert found.inspectable
    shell = claim(request(kind="execute", rawInput={"command": "git log | head", "commands": ["git log", "head"]}))
    assert (shell.command, shell.inspectable) == ("git log | head", True)


def test_cline_runs_several_commands() -> None:
    found = claim(request(kind="execute", title="Run", rawInput={"commands": ["npm ci", "npm test"]}))

    assert (found.command, found.inspectable) == ("npm ci\nnpm test", True)


@pytest.mark.parametrize(
    "commands",
    [
        ["cd sub", "rm -r box"],
        ["D=/tmp/x", "rm -r $D/*"],
        ["export A=b", "make"],
        ["f() { rm x; }", "f"],
        ["shopt -s dotglob", "rm *"],
        ["if true", "then rm x; fi"],
    ],
)
def test_each_command_of_cline_has_a_shell_of_its_own(commands: list[str]) -> None:
    """What one of them does to its shell is nothing to the others, and of whom else that is so nobody knows."""
    found = claim(request(kind="execute", title="Run", rawInput={"commands": commands}))

    assert found.command == "\n".join(f"({one}\n)" for one in commands)
    assert not found.inspectable
    alone = claim(request(kind="execute", title="Run", rawInput={"commands": commands[:1]}))
    assert (alone.command, alone.inspectable) == (commands[0], True)


def test_cline_changes_files_by_patches_that_it_calls_something_else() -> None:
    body = "*** Begin Patch\n*** Add File: /w/new.txt\n+one\n+two\n*** End Patch"
    told = {"kind": "other", "status": "pending", "title": "apply_patch: …", "rawInput": {"input": body}}
    found = claim(update("tool_call_update", toolCallId=CALL, **told), request(FOUR, **told))

    assert [(one.path, one.old, one.new.rstrip("\n")) for one in found.edits] == [("/w/new.txt", None, "one\ntwo")]
    assert (found.kind, found.inspectable) == (Kind.OTHER, True)


def test_kimi_code_does_not_show_a_new_file_and_asks_questions_with_two_ways_to_say_yes() -> None:
    found = claim(
        update("tool_call", toolCallId=CALL, title="Write a.py", kind="edit", status="pending"),
        request(FOUR, title="Write a.py", locations=[{"path": "/w/a.py"}]),
    )
    assert (found.edits, found.writes, found.inspectable) == ((), ("/w/a.py",), False)

    red_or_blue = asked(request([option("1", "allow_once", "Red"), option("2", "allow_once", "Blue")], title="Colour"))
    assert only_once(red_or_blue.options) is None
    assert [one.name for one in red_or_blue.options] == ["Red", "Blue"]


def test_kimi_writes_its_arguments_as_text_before_it_asks() -> None:
    messages = (
        update("tool_call", toolCallId=CALL, title="Shell", status="in_progress", content=text("")),
        update(
            "tool_call_update", toolCallId=CALL, title="Shell: npm t…", content=text('{"command": "npm test", "time')
        ),
        update("tool_call_update", toolCallId=CALL, content=text('{"command": "npm test", "timeout": 60}')),
        request(
            [
                option("approve", "allow_once"),
                option("approve_for_session", "allow_always"),
                option("reject", "reject_once"),
            ],
            title="Shell: npm t…",
            content=text("Requesting approval to perform: Run command `npm test`"),
        ),
    )

    assert claim(*messages, habits=habits("kimi")).command == "npm test"
    assert claim(*messages, habits=habits("kimi")).inspectable
    assert claim(*messages).command is None, "of no other agent text is taken for arguments"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Shell: npm t…", Kind.EXECUTE),
        ("WriteFile: a.py", Kind.EDIT),
        ("ReadFile: a.py", Kind.READ),
        ("ReadFile", Kind.READ),
        ("Read: a.py", None),
        ("readfile: a.py", None),
        ("mcp ReadFile: a.py", None),
    ],
)
def test_kimi_tells_no_kinds_but_the_names_of_its_tools(title: str, kind: Kind | None) -> None:
    messages = update("tool_call", toolCallId=CALL, title=title, content=text('{"path": "/w/a.py"}'))
    assert claim(messages, habits=habits("kimi")).kind is kind
    assert claim(messages).kind is None, "of no other agent a title is taken for more than words"


def test_a_kind_that_is_told_counts_and_not_the_title() -> None:
    found = claim(update("tool_call", toolCallId=CALL, title="ReadFile: a.py", kind="other"), habits=habits("kimi"))
    assert found.kind is Kind.OTHER


@pytest.mark.parametrize("asks", [request(FOUR), request(FOUR, title=None, content=None, rawInput=None)])
def test_vibe_asks_with_nothing_but_an_id(asks: dict[str, Any]) -> None:
    found = claim(
        update(
            "tool_call",
            toolCallId=CALL,
            title="Running npm test",
            kind="execute",
            rawInput='{"command":"npm test","timeout":null}',
            _meta={"tool_name": "bash"},
        ),
        asks,
    )
    assert (found.command, found.kind, found.inspectable) == ("npm test", Kind.EXECUTE, True)
    assert not claim(asks).inspectable, "alone it shows nothing"

    replaced = claim(
        update(
            "tool_call",
            toolCallId=CALL,
            kind="edit",
            rawInput='{"file_path":"a","content":"<<<<<<< SEARCH\\nx\\n=======\\ny\\n>>>>>>> REPLACE"}',
            locations=[{"path": "/w/a"}],
        ),
        asks,
    )
    assert replaced.edits == (Diff("a", "x", "y"),)
    assert replaced.writes == ("/w/a",)


def test_hermes_asks_about_a_call_that_was_never_told() -> None:
    params = request(
        [option("allow_once", "allow_once"), option("allow_session", "allow_always"), option("deny", "reject_once")],
        kind="execute",
        title="recursive delete: rm -r build",
        content=text("recursive delete\n$ rm -r build"),
        rawInput={"command": "rm -r build", "description": "recursive delete"},
    )
    params["toolCall"]["toolCallId"] = "perm-check-1"
    found = claim_of(Picture("perm-check-1").asked_with(asked(params).told))

    assert (found.command, found.inspectable) == ("rm -r build", True)


def test_openhands_asks_once_for_all_with_one_id_for_ever() -> None:
    question = asked(
        request(
            [
                option("accept", "allow_once"),
                option("reject", "reject_once"),
                option("always_proceed", "allow_always"),
                option("risk_based", "allow_once"),
            ],
            title="Confirm Agent Actions",
            status="pending",
            kind="other",
        )
    )
    assert not claim_of(Picture(CALL).asked_with(question.told)).inspectable
    assert only_once(question.options) is None
    agent = known_agent(None, ["openhands", "acp"])
    assert agent is not None
    assert agent.two_ways_once in {one.option_id for one in question.options if one.kind is OwnKind.ALLOW_ONCE}
    editor = claim(
        request(rawInput={"command": "str_replace", "path": "/w/a", "old_str": "x", "new_str": "y", "kind": "E"})
    )
    assert (editor.command, editor.edits) == (None, (Diff("/w/a", "x", "y"),))


def test_fast_agent_guesses_the_kind_from_a_name() -> None:
    """A tool that is called “get and forget” is a read for it: only what the arguments show counts."""
    found = claim(request(FOUR, kind="read", title="server/get_thread", rawInput={"thread": 4, "mark_as": "deleted"}))
    assert not found.only_looks
    assert not found.inspectable

    shell = claim(request(FOUR, kind="execute", title="acp_terminal/execute", rawInput={"command": "ls"}))
    assert (shell.command, shell.inspectable) == ("ls", True)


def test_pi_never_asks_and_what_it_tells_is_read_all_the_same() -> None:
    found: Claim = claim(
        update("tool_call", toolCallId=CALL, title="bash", kind="other", status="pending", rawInput={"command": "ls"}),
        update("tool_call_update", toolCallId=CALL, status="completed", content=text("a.py")),
    )

    assert found.command == "ls"
    agent = known_agent(None, ["pi-acp"])
    assert agent is not None
    assert not agent.asks_at_all


def test_ids_of_answers_mean_nothing() -> None:
    question = asked(request([option("approved", "reject_once"), option("abort", "allow_once")]))

    assert kinds(question) == [OwnKind.REJECT_ONCE, OwnKind.ALLOW_ONCE]


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ("[current working directory /w]", None),
        ("[current working directory /w] (Runs the tests (all of them))", None),
        ("[in src]", "src"),
        ("[in src] (Runs the tests)", "src"),
        ("[in ~]", "./~"),
    ],
)
def test_gemini_tells_the_folder_of_a_command_in_words(words: str, folder: str | None) -> None:
    found = claim(request(kind="execute", title="npm test", content=text(words)), habits=habits("gemini"))
    assert (found.command, found.cwd, found.inspectable) == ("npm test", folder, True)


@pytest.mark.parametrize(
    "words",
    [
        "Runs the tests",
        "(Runs the tests) [in src]",
        "[in src] (a] (b)",
        "[in a] (b)] (c)",
        "[in src] [background]",
        "[in src] [in /etc]",
        "[in src",
        "[in ]",
    ],
)
def test_words_that_could_name_another_folder_name_none(words: str) -> None:
    found = claim(request(kind="execute", title="npm test", content=text(words)), habits=habits("gemini"))
    assert found.lacks_folder and not found.inspectable
    assert claim(request(kind="execute", title="npm test", content=text("[in src]"))).command is None


@pytest.mark.parametrize(
    "title", ["bash -c 'echo ' ; echo '; rm -rf x #'", " /bin/sh  -c ls", "BASH -c 'ls'", "pwsh -c ls"]
)
def test_what_gemini_takes_out_of_a_line_for_a_shell_is_not_known(title: str) -> None:
    told = request(kind="execute", title=title, content=text("[current working directory /w]"))
    assert not claim(told, habits=habits("gemini")).inspectable


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (""" "rg -n TODO --glob '"'!node_modules'"'" """.strip(), "rg -n TODO --glob '!node_modules'"),
        (""" 'python -c "print('"'1')"'"' """.strip(), """python -c "print('1')\""""),
        ("npm test", "npm test"),
        ("""echo 'a' "b\"""", """echo 'a' "b\""""),
        ("""'my program'""", """'my program'"""),
        (""" "a'$(b)'" """.strip(), """ "a'$(b)'" """.strip()),
        (""" "a\\"b"'c d' """.strip(), """ "a\\"b"'c d' """.strip()),
    ],
)
def test_a_line_that_codex_leaves_in_quotes_of_both_kinds_is_taken_out_of_them(told: str, line: str) -> None:
    question = request(kind="execute", rawInput={"command": told, "cwd": "/w"})
    assert claim(question, habits=habits("codex")).command == line
    assert claim(question).command == told


def test_a_file_that_codex_deletes_in_a_patch_is_deleted_and_not_emptied() -> None:
    gone = {**diff("/w/a", "x\n", ""), "_meta": {"kind": "delete"}}
    patch = picture(
        update("tool_call", toolCallId=CALL, kind="edit", content=[gone]),
        request(kind="edit", title="Edit files", locations=[{"path": "/w/a"}]),
    )
    found = claim_of(patch, habits("codex"))
    assert (found.deletes, found.edits, found.writes, found.inspectable) == (("/w/a",), (), (), True)
    assert claimed_arguments(found) == {"deletes": ["/w/a"]} and tool_name(found) == "delete_file"
    for emptied in (claim(request(kind="edit", content=[diff("/w/a", "x\n", "")])), claim_of(patch, habits("gemini"))):
        assert emptied.deletes == () and [one.path for one in emptied.edits] == ["/w/a"]
