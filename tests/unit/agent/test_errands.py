"""What a sub-agent is told, which of its answers count, and what is written down of its calls."""

import pytest

from assent.agent.errands import Answered, answered, not_fitting, rules_for
from assent.agent.execution_tree import MOST_LINES, PREVIEW, Made, execution_tree
from assent.agent.ports import Errand
from assent.model.conversation import ToolOutcome
from assent.model.ids import CallId

SCHEMA = {"type": "object", "required": ["x"]}

ANSWERS = [
    ('{"x": 1}', Answered('{\n  "x": 1\n}')),
    (' \n{"x": 1}\n', Answered('{\n  "x": 1\n}')),
    ('```json\n{"x": 1}\n```', Answered('{\n  "x": 1\n}')),
    ('```\n{"x": 1}\n```', Answered('{\n  "x": 1\n}')),
    ('  ```JSON \n{"x": 1}\n  ```  ', Answered('{\n  "x": 1\n}')),
    ('{"x": 12345678901234567890}', Answered('{\n  "x": 12345678901234567890\n}')),
    ('{"y": 1}', Answered("", "the value.x is missing")),
    ("[]", Answered("", "the value is no object")),
    ('{"x": "' + "y" * 200 + '"}', Answered("", "it is longer than 100 bytes")),
    ('{"x": "' + "ä" * 50 + '"}', Answered("", "it is longer than 100 bytes")),
]


@pytest.mark.parametrize(("text", "found"), ANSWERS, ids=[text[:30] for text, _ in ANSWERS])
def test_an_answer_counts_where_all_of_it_is_json_that_fits(text: str, found: Answered) -> None:
    assert answered(text, SCHEMA, 100) == found


@pytest.mark.parametrize(
    "text",
    ["", "Here you are: {}", '{"x": 1} and more', '{"x": NaN}', '```json\n{"x": 1}\n```\nDone.', '{"x": 1', "{'x': 1}"],
)
def test_what_is_not_json_is_told_so(text: str) -> None:
    found = answered(text, SCHEMA, 100)
    assert found.misfit is not None
    assert found.misfit.startswith("it is not JSON (")
    assert found.text == ""


def test_the_rules_hold_the_schema_where_there_is_one() -> None:
    assert rules_for(Errand("t", "i", output_schema=SCHEMA)).endswith('"required": [\n    "x"\n  ]\n}')
    assert "JSON" not in rules_for(Errand("t", "i"))
    assert "the value.x is missing" in not_fitting("the value.x is missing")


def made(
    headline: str, content: str = "", *, error: bool = False, tool: str = "read_file", tree: str | None = None
) -> Made:
    outcome = ToolOutcome(CallId(headline), tool, content, is_error=error, file_content=tree)
    return Made(headline, outcome, 1.25)


def test_each_call_is_a_line_with_a_preview() -> None:
    inner = execution_tree([made("Read b.txt", "line one\n\n  line two")], "run_subtask")
    calls = [
        made("Write a.txt", '{"error": "denied"}', error=True),
        made("Sub-agent: b", "said", tool="run_subtask", tree=inner),
        made("Read c.txt", "shown", tree="the file's content is not the tree"),
        Made("Run x"),
    ]
    assert execution_tree(calls, "run_subtask").splitlines() == [
        "failed: Write a.txt (1.2 s)",
        '    {"error": "denied"}',
        "ok: Sub-agent: b (1.2 s)",
        "    ok: Read b.txt (1.2 s)",
        "        line one line two",
        "    said",
        "ok: Read c.txt (1.2 s)",
        "    shown",
        "unfinished: Run x",
    ]
    assert execution_tree([], "run_subtask") == "It made no calls."


@pytest.mark.parametrize("content", ["x" * PREVIEW, "x" * (PREVIEW + 1), "x " * 10_000, " " * 10_000 + "x"])
def test_a_preview_is_one_short_line(content: str) -> None:
    _, *preview = execution_tree([made("Read", content)], "").splitlines()
    assert all(len(line.strip()) <= PREVIEW for line in preview)
    assert bool(preview) and preview[0].endswith("…") == (len(content) > PREVIEW)


def test_a_long_story_is_cut() -> None:
    lines = execution_tree([made(str(number), "text") for number in range(MOST_LINES)], "").splitlines()
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == "…"
