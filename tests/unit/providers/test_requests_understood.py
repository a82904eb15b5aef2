"""What the demo agent makes of a message: a plan of calls, or nothing at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.providers.requests import understand

Calls = list[list[tuple[str, dict[str, str]]]]


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
]


@pytest.mark.parametrize(("text", "plan"), UNDERSTOOD)
def test_is_understood(text: str, plan: Calls) -> None:
    understood = understand(text)
    assert understood is not None
    found = [[(wish.tool, wish.args) for wish in group] for group in understood]
    assert found == plan


@pytest.mark.parametrize("text", NOT_UNDERSTOOD)
def test_nothing_is_done_where_any_part_is_not_understood(text: str) -> None:
    assert understand(text) is None


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
