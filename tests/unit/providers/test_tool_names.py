import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assent.model.conversation import (
    AssistantTurn,
    CallStart,
    ModelRequest,
    TextDelta,
    ToolOutcome,
    ToolResults,
    ToolSpec,
    ToolUse,
)
from assent.model.ids import CallId
from assent.providers.tool_names import ToolNames

TAKEN_BY_SERVERS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")
names = st.one_of(st.text(max_size=90), st.from_regex(r"mcp[._]a[._]b{1,70}", fullmatch=True))


def request(*tools: str, called: tuple[str, ...] = ()) -> ModelRequest:
    ids = [CallId(f"c{number}") for number in range(len(called))]
    uses = tuple(ToolUse(call_id, tool, {}) for call_id, tool in zip(ids, called, strict=True))
    outcomes = tuple(ToolOutcome(call_id, tool, "done") for call_id, tool in zip(ids, called, strict=True))
    messages = (AssistantTurn("", uses), ToolResults(outcomes)) if called else ()
    return ModelRequest("", messages, tuple(ToolSpec(tool, "", {}) for tool in tools))


def sent(asked: ModelRequest) -> list[str]:
    return [tool.name for tool in ToolNames(asked).request(asked).tools]


def test_names_that_fit_are_sent_as_they_are() -> None:
    asked = request("read_file", "write-file", called=("read_file",))

    assert ToolNames(asked).request(asked) is asked


def test_what_does_not_fit_is_replaced_and_comes_back() -> None:
    asked = request("mcp.files.read")

    assert sent(asked) == ["mcp_files_read"]
    assert ToolNames(asked).delta(CallStart(0, "mcp_files_read", "id")) == CallStart(0, "mcp.files.read", "id")
    assert ToolNames(asked).delta(TextDelta("mcp_files_read")) == TextDelta("mcp_files_read")


def test_two_tools_never_share_a_name() -> None:
    """The tool whose own name it is keeps it, wherever it stands."""
    asked = request("mcp.files.read", "mcp_files_read", "mcp.files_read")
    given_names = sent(asked)

    assert given_names[1] == "mcp_files_read"
    assert len(set(given_names)) == 3
    assert [ToolNames(asked).ours(name) for name in given_names] == [tool.name for tool in asked.tools]


def test_names_in_the_history_follow() -> None:
    asked = request("a.b", called=("a.b", "", "made up!"))
    turn, results = ToolNames(asked).request(asked).messages
    assert isinstance(turn, AssistantTurn)
    assert isinstance(results, ToolResults)

    assert [use.tool for use in turn.calls] == ["a_b", "_", "made_up_"]
    assert [outcome.tool for outcome in results.results] == ["a_b", "_", "made_up_"]


def test_a_made_up_name_never_takes_a_tools_name() -> None:
    asked = request("a.b", called=("a_b",))

    assert ToolNames(asked).ours("a_b") == "a.b"


def test_a_name_that_was_never_sent_stays() -> None:
    assert ToolNames(request("a.b")).ours("no_such_tool") == "no_such_tool"


@given(st.lists(names, unique=True, max_size=8), st.lists(names, max_size=4))
def test_every_name_fits_and_leads_back_to_its_tool(tools: list[str], called: list[str]) -> None:
    asked = request(*tools, called=tuple(called))
    renamed = ToolNames(asked)
    given_names = [tool.name for tool in renamed.request(asked).tools]

    assert all(TAKEN_BY_SERVERS.match(name) for name in given_names)
    assert [renamed.ours(name) for name in given_names] == tools
    again = replace(asked, messages=())
    assert [tool.name for tool in ToolNames(again).request(again).tools] == given_names
