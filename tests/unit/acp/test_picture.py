"""One call joined from many messages."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp.call_contents import result_of
from assent.acp.picture import MOST_PRINTED, Picture
from assent.acp.words import Diff, Kind, Progress, Text, ToolTold
from assent.model.json import Json
from tests.support.acp_traffic import CALL, picture, request, update

ORDER = (Progress.PENDING, Progress.IN_PROGRESS, Progress.COMPLETED, Progress.FAILED)
TOLD = st.builds(
    ToolTold,
    st.just(CALL),
    title=st.none() | st.sampled_from("ab"),
    kind=st.none() | st.sampled_from(Kind),
    progress=st.none() | st.sampled_from(Progress),
    content=st.none() | st.tuples(st.builds(Text, st.sampled_from(['{"a": 1}', "t"]))),
    paths=st.none() | st.tuples(st.sampled_from("ab")),
    raw_input=st.none() | st.dictionaries(st.sampled_from("ab"), st.integers(), min_size=1, max_size=2),
    name=st.none() | st.sampled_from("ab"),
)


def joined(every: list[ToolTold]) -> Picture:
    found = Picture(CALL)
    for told in every:
        found = found.with_told(told)
    return found


@given(st.lists(TOLD, max_size=6))
def test_an_update_that_says_nothing_changes_nothing(every: list[ToolTold]) -> None:
    before = joined(every)

    assert before.with_told(ToolTold(CALL)) == before


@given(st.lists(TOLD, max_size=6), TOLD)
def test_the_same_twice_is_the_same_once(every: list[ToolTold], told: ToolTold) -> None:
    once = joined([*every, told])

    assert once.with_told(told) == once


@given(st.lists(TOLD, min_size=1, max_size=8))
def test_a_call_only_goes_forward_and_ends_once(every: list[ToolTold]) -> None:
    progress = [joined(every[: at + 1]).progress for at in range(len(every))]
    told = [one for one in progress if one is not None]

    assert all(ORDER.index(one) <= ORDER.index(after) for one, after in pairwise(told))
    ends = {one for one in told if one.is_over}
    assert len(ends) <= 1


@given(st.lists(TOLD, max_size=6), TOLD)
def test_no_kind_that_was_told_is_forgotten(every: list[ToolTold], told: ToolTold) -> None:
    before = joined(every)

    assert before.with_told(told).kinds >= before.kinds


def test_what_an_update_leaves_out_is_kept() -> None:
    whole = picture(
        update(
            "tool_call",
            toolCallId=CALL,
            title="Write a",
            kind="edit",
            rawInput={"path": "a"},
            locations=[{"path": "a"}],
            content=[{"type": "diff", "path": "a", "newText": "x"}],
        ),
        update("tool_call_update", toolCallId=CALL, status="in_progress"),
    )

    assert whole.title == "Write a"
    assert whole.kind is Kind.EDIT
    assert whole.content == (Diff("a", None, "x"),)
    assert (whole.raw_input, whole.paths) == ({"path": "a"}, ("a",))
    assert whole.progress is Progress.IN_PROGRESS


SUB = {"command": "rm -r box", "workdir": "/work/sub"}


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (SUB, {"command": "rm -r box"}, SUB),
        (SUB, {"cmd": "rm -r box"}, {"cmd": "rm -r box", "workdir": "/work/sub"}),
        (SUB, {"command": "rm -r box", "cwd": ""}, {"command": "rm -r box", "cwd": "", "workdir": "/work/sub"}),
        (SUB, {"command": "rm -r box", "cwd": "/work"}, {"command": "rm -r box", "cwd": "/work"}),
        (SUB, {"command": "rm -r other"}, {"command": "rm -r other"}),
        ({"workdir": "/work/sub"}, {"command": "rm -r box"}, {"command": "rm -r box"}),
        (SUB, {"filePath": "/work/a"}, {"filePath": "/work/a"}),
        ({"workdir": "/work/sub"}, {"filePath": "a"}, {"filePath": "a"}),
        (SUB, "rm -r box", "rm -r box"),
        ("rm -r box", {"command": "rm -r box"}, {"command": "rm -r box"}),
        (
            {"command": "make", "env": {"A": "b"}, "dir": "/work/sub"},
            {"command": "make"},
            {"command": "make", "env": {"A": "b"}, "dir": "/work/sub"},
        ),
        (
            {"command": "make", "env": {"A": "b"}, "timeout": 5},
            {"command": "make", "cwd": "/work"},
            {"command": "make", "cwd": "/work", "env": {"A": "b"}},
        ),
        (
            {"command": "rm", "args": ["a"], "cwd": "/s"},
            {"command": "rm", "args": ["b"]},
            {"command": "rm", "args": ["b"]},
        ),
    ],
)
def test_a_command_that_is_told_again_alone_runs_where_and_with_what_was_told_of_it(
    before: Json, now: Json, found: Json
) -> None:
    whole = picture(
        update("tool_call", toolCallId=CALL, kind="execute", rawInput=before),
        request(toolCallId=CALL, kind="execute", rawInput=now),
    )

    assert whole.raw_input == found


def test_content_replaces_content_even_by_nothing() -> None:
    start = update("tool_call", toolCallId=CALL, content=[{"type": "diff", "path": "a", "newText": "x"}])

    assert picture(start, update("tool_call_update", toolCallId=CALL, content=[])).content == ()


def test_what_describes_a_call_is_not_what_came_of_it() -> None:
    said = [{"type": "content", "content": {"type": "text", "text": "Remove notes"}}]
    asked = {"command": "rm notes.txt", "description": "Remove notes"}
    start = update("tool_call", toolCallId=CALL, kind="execute", rawInput=asked, content=said)
    silent = update("tool_call_update", toolCallId=CALL, status="completed")

    assert result_of(picture(start, silent)) == ""
    printed = update("tool_call_update", toolCallId=CALL, status="completed", content=said)
    assert result_of(picture(start, printed)) == "Remove notes"


@pytest.mark.parametrize("key", ["terminal_output_delta", "terminal_output"])
def test_what_a_command_prints_may_be_told_piece_by_piece(key: str) -> None:
    def prints(data: object, **more: object) -> dict[str, object]:
        return update("tool_call_update", toolCallId=CALL, _meta={key: {"data": data, "terminal_id": "t"}}, **more)

    start = update("tool_call", toolCallId=CALL, content=[{"type": "terminal", "terminalId": "t"}])
    found = picture(start, prints("one\n"), prints(None), prints("two\n", status="completed"))

    assert result_of(found) == "one\ntwo\n"
    long = picture(start, prints("x" * MOST_PRINTED), prints("end"))
    assert (len(result_of(long)), result_of(long)[-4:]) == (MOST_PRINTED, "xend")
    said = [{"type": "content", "content": {"type": "text", "text": "It is done."}}]
    assert result_of(picture(start, prints("one\n"), prints("two\n", content=said))) == "It is done."


def test_arguments_that_were_written_as_text_are_kept_beside_later_content() -> None:
    def text(value: str) -> list[dict[str, object]]:
        return [{"type": "content", "content": {"type": "text", "text": value}}]

    found = picture(
        update("tool_call", toolCallId=CALL, content=text('{"command": "l')),
        update("tool_call_update", toolCallId=CALL, content=text('{"command": "ls"}')),
        request(content=text("Requesting approval")),
    )

    assert found.written == {"command": "ls"}
    brought = update("tool_call_update", toolCallId=CALL, status="completed", content=text('{"command": "other"}'))
    assert found.with_told(joined_told(brought)).written == {"command": "ls"}


def joined_told(params: dict[str, object]) -> ToolTold:
    from tests.support.acp_traffic import told

    return told(params)


def test_a_question_about_a_call_that_is_over_is_about_another() -> None:
    over = picture(update("tool_call", toolCallId=CALL, rawInput={"command": "ls"}, status="completed", kind="execute"))

    again = over.asked_with(ToolTold(CALL, title="Confirm"))

    assert again == Picture(CALL).with_told(ToolTold(CALL, title="Confirm"))
    assert picture(update("tool_call", toolCallId=CALL, rawInput={"a": 1})).asked_with(ToolTold(CALL)).raw_input == {
        "a": 1
    }


QUERY = {"query": "ls", "result": "a\nb\n", "success": True}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ([QUERY], "a\nb\n"),
        (QUERY, "a\nb\n"),
        ([QUERY, {**QUERY, "result": "c"}], "a\nb\n\nc"),
        ([{**QUERY, "result": "code 1: no", "error": "code 1", "success": False}], "code 1: no"),
        ([{**QUERY, "result": "", "error": "code 1", "success": False}], "code 1"),
        ({"content": "# A\n", "detailedContent": "+# A", "contents": []}, "# A\n"),
        ({"content": "", "detailedContent": ""}, ""),
        ({"message": "Path does not exist", "code": "failure"}, "Path does not exist"),
    ],
    ids=["listed", "alone", "two", "an error in it", "an error beside it", "a file", "an empty file", "no file"],
)
def test_what_came_of_the_parts_of_a_call_is_shown_without_the_words_around_it(raw: object, shown: str) -> None:
    assert result_of(picture(update("tool_call_update", toolCallId=CALL, rawOutput=raw))) == shown


@pytest.mark.parametrize(
    "raw",
    [
        {**QUERY, "more": 1},
        {**QUERY, "result": 1},
        {"query": "ls"},
        [QUERY, "text"],
        [],
        {"content": "a", "more": 1},
        {"content": {}},
    ],
)
def test_what_else_came_of_a_call_is_shown_whole(raw: object) -> None:
    assert json.loads(result_of(picture(update("tool_call_update", toolCallId=CALL, rawOutput=raw)))) == raw


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```console\nOn branch master\n```", "On branch master"),
        ("````\n```\n````", "```"),
        ("```sh\na\n```\nand\n```sh\nb\n```", None),
        ("```\nno end", None),
        ("``\na\n``", None),
    ],
)
def test_a_result_that_stands_between_marks_as_a_whole_is_shown_without_them(text: str, shown: str | None) -> None:
    content = [{"type": "content", "content": {"type": "text", "text": text}}]
    assert result_of(picture(update("tool_call_update", toolCallId=CALL, content=content))) == (shown or text)


_EXIT = {"content": "out", "contents": [{"type": "shell_exit", "shellId": "0", "exitCode": 3}]}


@pytest.mark.parametrize(
    "end",
    [{"rawOutput": {"exit_code": 3}}, {"rawOutput": _EXIT}, {"_meta": {"terminal_exit": {"exit_code": 3}}}],
    ids=["alone", "among other things", "of its terminal"],
)
def test_a_command_that_ended_badly_has_failed_whatever_its_agent_calls_it(end: dict[str, object]) -> None:
    content = [{"type": "content", "content": {"type": "text", "text": "out"}}]
    begun = update("tool_call", toolCallId=CALL, kind="execute", rawInput={"command": "make"})
    over = update("tool_call_update", toolCallId=CALL, status="completed", content=content, **end)

    found = picture(begun, over)

    assert (found.progress, result_of(found)) == (Progress.FAILED, "Exit code 3.\nout")


@pytest.mark.parametrize("code", [0, None, "3", True, -1])
def test_what_is_no_code_of_a_failure_fails_nothing(code: object) -> None:
    begun = update("tool_call", toolCallId=CALL, kind="execute", rawInput={"command": "make"})
    over = update("tool_call_update", toolCallId=CALL, status="completed", rawOutput={"exit_code": code})
    assert picture(begun, over).progress is Progress.COMPLETED


@pytest.mark.parametrize(
    ("line", "code", "progress"),
    [
        ("grep -rn nothing . | sort", 1, Progress.COMPLETED),
        ("diff a b", 1, Progress.COMPLETED),
        ("grep -rn nothing .", 2, Progress.FAILED),
        ("npm test", 1, Progress.FAILED),
        ("grep -q a b && npm test", 1, Progress.FAILED),
    ],
)
def test_that_nothing_was_found_is_no_failure(line: str, code: int, progress: Progress) -> None:
    begun = update("tool_call", toolCallId=CALL, kind="execute", rawInput={"command": line})
    found = picture(
        begun, update("tool_call_update", toolCallId=CALL, status="completed", rawOutput={"exit_code": code})
    )
    assert (found.progress, result_of(found).splitlines()[0]) == (progress, f"Exit code {code}.")


def test_to_read_what_a_failed_command_printed_is_no_failure() -> None:
    begun = update("tool_call", toolCallId=CALL, kind="read", rawInput={"shellId": "0"})
    assert picture(
        begun, update("tool_call_update", toolCallId=CALL, status="completed", rawOutput=_EXIT)
    ).progress is (Progress.COMPLETED)


def test_a_change_that_failed_changed_nothing() -> None:
    change = [{"type": "diff", "path": "a.txt", "oldText": "a", "newText": "b"}]
    failed = {"message": "No match found", "code": "failure"}
    begun = update("tool_call", toolCallId=CALL, kind="edit", content=change)
    over = update("tool_call_update", toolCallId=CALL, status="failed", rawOutput=failed)
    assert result_of(picture(begun, over)) == "No match found"
