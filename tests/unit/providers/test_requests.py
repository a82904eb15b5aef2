"""What the demo agent makes of a message: a plan of calls, or nothing at all."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.providers.demo_words import INTRODUCTION
from assent.providers.requests import understand

Calls = list[list[tuple[str, dict[str, Any]]]]


def write(path: str, content: str) -> tuple[str, dict[str, str]]:
    return "write_file", {"path": path, "content": content}


def read(path: str) -> tuple[str, dict[str, str]]:
    return "read_file", {"path": path}


def listed(path: str = ".") -> tuple[str, dict[str, str]]:
    return "list_files", {"path": path}


def run(command: str, **more: bool) -> tuple[str, dict[str, str | bool]]:
    return "bash", {"command": command, **more}


def hand_on(instructions: str, title: str | None = None) -> tuple[str, dict[str, str]]:
    return "run_subtask", {"title": title or instructions, "instructions": instructions}


def edit(path: str, old: str, new: str, **more: bool) -> tuple[str, dict[str, Any]]:
    return "edit_file", {"path": path, "edits": [{"old": old, "new": new, **more}]}


def grep(pattern: str, **more: str) -> tuple[str, dict[str, Any]]:
    return "grep", {"pattern": pattern, **more}


def glob(pattern: str, **more: str) -> tuple[str, dict[str, Any]]:
    return "glob", {"pattern": pattern, **more}


def fetch(url: str) -> tuple[str, dict[str, Any]]:
    return "web_fetch", {"url": url}


def browse(action: str, **more: str) -> tuple[str, dict[str, Any]]:
    return "browser", {"action": action, **more}


def node(node_type: str, **inputs: Any) -> tuple[str, dict[str, Any]]:
    return "run_node", {"node_type": node_type} | ({"inputs": inputs} if inputs else {})


def flow(workflow_id: str, **params: Any) -> tuple[str, dict[str, Any]]:
    return "run_workflow", {"workflow_id": workflow_id} | ({"params": params} if params else {})


def todos(*steps: tuple[str, str]) -> tuple[str, dict[str, Any]]:
    return "todo_write", {"todos": [{"content": content, "status": status} for content, status in steps]}


UNDERSTOOD: list[tuple[str, Calls]] = [
    ("list the workflows", [[("list_workflows", {})]]),
    ("run the workflow release", [[("run_workflow", {"workflow_id": "file:release"})]]),
    (
        "list workflows, then run the task npm: test",
        [[("list_workflows", {})], [("run_workflow", {"workflow_id": "task:npm: test"})]],
    ),
    ('run the workflow "file:x"', [[("run_workflow", {"workflow_id": "file:x"})]]),
    ("ask a sub-agent to write hello to a.txt", [[hand_on("write hello to a.txt")]]),
    ("Please ask another subagent to read a.txt", [[hand_on("read a.txt")]]),
    (
        "ask a sub-agent to write one to a.txt, and ask another sub-agent to write two to b.txt",
        [[hand_on("write one to a.txt"), hand_on("write two to b.txt")]],
    ),
    ('ask a sub-agent to write "one; two" to a.txt', [[hand_on('write "one; two" to a.txt')]]),
    ("ask a sub-agent to write 'say \"x\"' to a.txt", [[hand_on('write `say "x"` to a.txt')]]),
    ("ask a helper to “list files, then read a.txt”", [[hand_on("list files, then read a.txt")]]),
    ("ask a sub-agent to ask a sub-agent to list src", [[hand_on("ask a sub-agent to list src")]]),
    (
        f"ask a sub-agent to run {'x' * 80}",
        [[hand_on(f"run {'x' * 80}", f"run {'x' * 55}…")]],
    ),
    ("list files, then ask a sub-agent to read a.txt", [[listed()], [hand_on("read a.txt")]]),
    ("write hello to greeting.txt", [[write("greeting.txt", "hello")]]),
    ("Please write hello world into the file notes.md.", [[write("notes.md", "hello world")]]),
    ("put x in a", [[write("a", "x")]]),
    ("save hello to folder/a.txt please", [[write("folder/a.txt", "hello")]]),
    ('write "one; then two, and three" to a.txt', [[write("a.txt", "one; then two, and three")]]),
    ('write "a\\nb" to a.txt', [[write("a.txt", "a\nb")]]),
    ('write "" to a.txt', [[write("a.txt", "")]]),
    ('write "x" to "my file.txt"', [[write("my file.txt", "x")]]),
    ('write "x" to "odd."', [[write("odd.", "x")]]),
    ("write welcome to the jungle to a.txt", [[write("a.txt", "welcome to the jungle")]]),
    ("write salt and pepper to a.txt", [[write("a.txt", "salt and pepper")]]),
    ("write it's Bob's to a.txt", [[write("a.txt", "it's Bob's")]]),
    ("write 'quoted' to a.txt", [[write("a.txt", "quoted")]]),
    ("write “curly” to a.txt", [[write("a.txt", "curly")]]),
    ("write `ticks` to a.txt", [[write("a.txt", "ticks")]]),
    ('write "see to b.txt" to a.txt', [[write("a.txt", "see to b.txt")]]),
    ("create a.txt with hello", [[write("a.txt", "hello")]]),
    ("make the file a.txt containing hello there", [[write("a.txt", "hello there")]]),
    ("read README.md", [[read("README.md")]]),
    ("show me the file a.txt!", [[read("a.txt")]]),
    ("READ a.txt", [[read("a.txt")]]),
    ("could you read ../a.txt?", [[read("../a.txt")]]),
    ("read a.txt, b.txt and c.txt", [[read("a.txt"), read("b.txt"), read("c.txt")]]),
    ("read a.txt and b.txt", [[read("a.txt"), read("b.txt")]]),
    ("list files", [[listed()]]),
    ("ls", [[listed()]]),
    ("list the files in src", [[listed("src")]]),
    ("list ..", [[listed("..")]]),
    ("list .", [[listed()]]),
    ("list files, then read notes.txt", [[listed()], [read("notes.txt")]]),
    ("list files and read a.txt", [[listed(), read("a.txt")]]),
    (
        'write "one" to a.txt and write "two" to b.txt',
        [[write("a.txt", "one"), write("b.txt", "two")]],
    ),
    ("write a to a.txt; write b to b.txt\nread a.txt", [[write("a.txt", "a")], [write("b.txt", "b")], [read("a.txt")]]),
    ("run npm test", [[run("npm test")]]),
    ('run "rm -rf / and then some"', [[run("rm -rf / and then some")]]),
    ("run: npm test", [[run("npm test")]]),
    ("Run:npm test", [[run("npm test")]]),
    ("please execute the command: npm test", [[run("npm test")]]),
    ("run: a; b, and read c; then d\nlist files", [[run("a; b, and read c; then d\nlist files")]]),
    ("run:\ncat > x <<'E'\n  it's \"so\"\\n\nE", [[run("cat > x <<'E'\n  it's \"so\"\\n\nE")]]),
    ("run: run: x", [[run("run: x")]]),
    ("run in the background: a; b", [[run("a; b", background=True)]]),
    ("Please run the command in the  Sandbox: make", [[run("make", sandbox=True)]]),
]

OF_EACH_TOOL: list[tuple[str, Calls]] = [
    ("replace hello with good day in a.txt", [[edit("a.txt", "hello", "good day")]]),
    ('replace every "a in b" with "c\\nd" in "my file.txt"', [[edit("my file.txt", "a in b", "c\nd", all=True)]]),
    ("change 1 to 2 in the file a.txt, then read a.txt", [[edit("a.txt", "1", "2")], [read("a.txt")]]),
    ('replace x with {"a": [1, "two"]} in a.json', [[edit("a.json", "x", '{"a": [1, "two"]}')]]),
    ("write a to a.txt and replace b with c in b.txt", [[write("a.txt", "a"), edit("b.txt", "b", "c")]]),
    ("find *.md", [[glob("*.md")]]),
    ("find all files named *.py in src.", [[glob("*.py", path="src")]]),
    ("grep TO.*DO", [[grep("TO.*DO")]]),
    ('grep "a b" in src', [[grep("a b", path="src")]]),
    ("search for f(x)", [[grep("f\\(x\\)")]]),
    ("search the files in src for salt and pepper", [[grep("salt and pepper", path="src")]]),
    ("fetch http://localhost:8000/a,b?c=d.", [[fetch("http://localhost:8000/a,b?c=d")]]),
    ("read https://example.org", [[fetch("https://example.org")]]),
    ('fetch "http://localhost/a;b"', [[fetch("http://localhost/a;b")]]),
    (
        "open http://localhost:8000, then read the page",
        [[browse("navigate", url="http://localhost:8000")], [browse("read")]],
    ),
    ("click on e3", [[browse("click", ref="e3")]]),
    ('click "#send > b"', [[browse("click", selector="#send > b")]]),
    ('type "a; b" into E2', [[browse("fill", ref="e2", text="a; b")]]),
    ("take a picture of the page", [[browse("screenshot")]]),
    ("search the web for tide tables", [[("web_search", {"query": "tide tables"})]]),
    ("list the collections", [[("list_collections", {})]]),
    ("search my documents for salt and pepper?", [[("search_collections", {"query": "salt and pepper"})]]),
    (
        "search the collection handbook for tides",
        [[("query_collection", {"collection": "handbook", "query": "tides"})]],
    ),
    ("list nodes", [[("list_nodes", {})]]),
    ("list the nodes of mcp.files", [[("list_nodes", {"source": "mcp.files"})]]),
    ("list the folder nodes", [[listed("nodes")]]),
    ("search the nodes for hash", [[("search_nodes", {"query": "hash"})]]),
    ("describe node builtin.hash", [[("get_node_info", {"node_type": "builtin.hash"})]]),
    ("run node builtin.hash with text=hello", [[node("builtin.hash", text="hello")]]),
    ("run the node lm.depth", [[node("lm.depth")]]),
    (
        'run node mcp.a.b with {"x": {"y": ["and read; then"]}, "n": 1}, then run node script.c',
        [[node("mcp.a.b", x={"y": ["and read; then"]}, n=1)], [node("script.c")]],
    ),
    (
        'run node script.a with n=1, ok=true, word="1" and other=x=y',
        [[node("script.a", n=1, ok=True, word="1", other="x=y")]],
    ),
    ("run node script.js", [[run("node script.js")]]),
    ("run node server", [[run("node server")]]),
    ('run the workflow release with {"tag": "v1"}', [[flow("file:release", tag="v1")]]),
    ("run workflow release with tag=v1", [[flow("file:release", tag="v1")]]),
    ("run the task test with coverage", [[flow("task:test with coverage")]]),
    ("describe the workflow release", [[("get_workflow", {"workflow_id": "file:release"})]]),
    (
        "draw a red house and a tree, in the sun, to x.svg",
        [[("generate_image", {"prompt": "a red house and a tree, in the sun,", "path": "x.svg"})]],
    ),
    (
        "say welcome to the house into hello.wav.",
        [[("text_to_speech", {"text": "welcome to the house", "path": "hello.wav"})]],
    ),
    ("show a.txt in the editor", [[("ui_open_file", {"path": "a.txt"})]]),
    ("compare a.txt with other words", [[("ui_show_diff", {"path": "a.txt", "content": "other words"})]]),
    ("check a.txt", [[("ui_get_diagnostics", {"path": "a.txt"})]]),
    ("read the selection", [[("ui_get_selection", {})]]),
    ("read the output of 1-2", [[("bash_output", {"shell_id": "1-2"})]]),
    ("kill 1-2", [[("kill_bash", {"shell_id": "1-2"})]]),
    (
        "to do: [x] read and think, write to a.txt; then\nrest",
        [
            [
                todos(
                    ("read and think", "completed"),
                    ("write to a.txt", "in_progress"),
                    ("then", "pending"),
                    ("rest", "pending"),
                )
            ]
        ],
    ),
]

NOT_UNDERSTOOD = [
    "",
    " \n ",
    "hello",
    "what can you do?",
    "write",
    "write hello",
    "write to a.txt",
    "read",
    "read the first line of a.txt",
    "read a.txt and delete b.txt",
    "delete a.txt",
    "write hello to a.txt and delete b.txt",
    "write hello to a.txt, then make coffee",
    "then",
    ";",
    "write a to a.txt, b to b.txt",
    "ask a sub-agent",
    "ask a sub-agent to delete a.txt",
    "ask a friend to read a.txt",
    "ask a sub-agent to " * 50_000 + "read a.txt",
    "write a to a.txt and b to the file b.txt",
    "list files and folders",
    "list everything that begins with a",
    "rewrite hello to a.txt",
    "do not write hello to a.txt",
    "never read a.txt",
    "write now and then to a.txt",
    "read a.txt and b.txt quickly",
    "\ue0000\ue001",
    "run:",
    "run: \n",
    "list files, then run: npm test",
    "replace a with b",
    "replace a with b in",
    "fetch example.org",
    "click here",
    "draw a house",
    "say hello to Bob",
    "run node builtin.hash with text=a text=b",
    "run node builtin.hash with text=a, nonsense",
    "run node builtin.hash with [1]",
    'run node builtin.hash with {"text": "a"',
    'run node builtin.hash with "text"',
    'run the workflow a with "b"',
    "to do: , ;",
    "replace " + "with in " * 100_000,
    "run node builtin.a with " + '{"a":' * 100_000,
]


@pytest.mark.parametrize(("text", "plan"), [*UNDERSTOOD, *OF_EACH_TOOL])
def test_is_understood(text: str, plan: Calls) -> None:
    understood = understand(text)
    assert understood is not None
    found = [[(wish.tool, wish.args) for wish in group] for group in understood]
    assert found == plan


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_nothing_is_done_where_any_part_is_not_understood(text: str) -> None:
    assert understand(text) is None


@pytest.mark.parametrize("text", re.findall(r"`([^`]+)`", INTRODUCTION))
def test_what_it_says_of_itself_it_understands(text: str) -> None:
    assert understand(text)


@given(st.text())
def test_any_text_has_a_plan_or_none(text: str) -> None:
    plan = understand(text)
    assert plan is None or all(plan)


@given(st.text())
def test_a_command_after_a_colon_is_taken_as_it_stands(command: str) -> None:
    plan = understand(f"run: {command}")

    assert (plan and [wish.args for wish in plan[0]]) == ([{"command": command.strip()}] if command.strip() else None)


@given(st.text(alphabet=st.characters(exclude_characters='"\\', exclude_categories=["Cs"])))
def test_quoted_text_is_written_as_it_stands(content: str) -> None:
    plan = understand(f'write "{content}" to a.txt')

    assert plan is not None
    ((wish,),) = plan
    assert wish.args == {"path": "a.txt", "content": content}
