"""What an editor that speaks the Agent Client Protocol is told: whole, plain, and nothing that reaches too far."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.editors.telling import answer_in
from assent.editors.translation import kind_of, modes_of, parts_of_prompt, permission_of, preview_text, updates_of
from assent.model.approval import Option, OptionKind, Question, Risk, RiskLevel
from assent.model.events import Chunk, ModeChanged, Notice, NoticeLevel, Phase, Prompt, ToolFinished, ToolProgress
from assent.model.grants import AgentBypass, ChatBypass, KeyGrant, RuleGrant
from assent.model.ids import ApprovalId, CallId
from assent.model.json import Json
from assent.model.message_parts import Attachment, Kind, inlined, named
from assent.model.modes import Category, Mode
from assent.model.preview import CommandPreview, DiffLine, DiffPreview, JsonPreview, LineKind, PartLine
from tests.support.cards import card

CALL = CallId("c1")


def question(**changes: object) -> Question:
    """A question with a card that is otherwise as any."""
    return Question(ApprovalId("a"), 1, "2030-01-01T00:00:00Z", replace(card(), **changes))  # type: ignore[arg-type]


ALL_KINDS = (
    Option("approve", OptionKind.ALLOW_ONCE, "Approve"),
    Option("deny", OptionKind.REJECT_ONCE, "Deny"),
    Option("key", OptionKind.ALLOW_SESSION, "Allow “make” for this chat", grant=KeyGrant("bash:make")),
    Option("every", OptionKind.ALLOW_SESSION, "Allow every shell command", grant=KeyGrant("bash"), by_id_only=True),
    Option("rule", OptionKind.ALLOW_ALWAYS, "Always", grant=RuleGrant("bash", "make")),
    Option("chat", OptionKind.BYPASS_SESSION, "Bypass", grant=ChatBypass()),
    Option("agent", OptionKind.BYPASS_AGENT, "Bypass", grant=AgentBypass("S")),
    Option("background", OptionKind.BACKGROUND, "Run in background"),
    Option("directory", OptionKind.ADD_DIRECTORY, "Add"),
    Option("never", OptionKind.REJECT_ALWAYS, "Never", grant=RuleGrant("bash", "make", permits=False)),
)


@given(st.lists(st.sampled_from(ALL_KINDS), unique=True))
def test_only_the_plain_answers_and_the_narrowest_for_the_chat_are_offered(options: list[Option]) -> None:
    told = permission_of(question(options=tuple(options)), "s", None)["options"]
    assert isinstance(told, list)
    known = {"approve": "allow_once", "key": "allow_always", "deny": "reject_once"}
    expected = {name: word for name, word in known.items() if any(one.option_id == name for one in options)}
    assert {one["optionId"]: one["kind"] for one in told if isinstance(one, dict)} == expected


def test_several_ways_to_say_yes_once_are_all_offered() -> None:
    ways = tuple(Option(f"own:{name}", OptionKind.ALLOW_ONCE, name) for name in ("Red", "Blue"))
    told = permission_of(question(options=ways), "s", None)["options"]
    assert told == [{"optionId": f"own:{name}", "name": name, "kind": "allow_once"} for name in ("Red", "Blue")]


def test_what_is_only_shown_is_not_offered_and_counts_as_no_when_it_comes_back() -> None:
    ways = tuple(Option(f"own:{kind}", kind, kind, disabled="It is always asked for.") for kind in OptionKind)
    shown = question(options=(*ways, Option("deny", OptionKind.REJECT_ONCE, "Deny")))
    told = permission_of(shown, "s", None)["options"]
    assert told == [{"optionId": "deny", "name": "Deny", "kind": "reject_once"}]
    for one in ways:
        answer = answer_in({"outcome": {"outcome": "selected", "optionId": one.option_id}}, shown)
        assert answer.cancelled and answer.option_id is None


def test_the_reason_and_what_to_look_out_for_are_said() -> None:
    risk = Risk(RiskLevel.HIGH, ("It deletes.",))
    told = permission_of(question(risk=risk, reason_text="It is asked for."), "s", None)["toolCall"]
    assert isinstance(told, dict)
    texts = [part["content"]["text"] for part in told["content"] if part["type"] == "content"]  # type: ignore[index, union-attr, call-overload]
    assert texts[0] == "It is asked for."
    assert "⚠ It deletes." in texts


def test_both_contents_of_a_file_are_told_where_they_are_known() -> None:
    shown = DiffPreview("a.txt", "/w/a.txt", False, (DiffLine(LineKind.ADDED, "new"),), 1, 0)
    told = permission_of(question(preview=shown), "s", ("old", "new"))["toolCall"]
    assert isinstance(told, dict)
    assert {"type": "diff", "path": "/w/a.txt", "oldText": "old", "newText": "new"} in told["content"]  # type: ignore[operator]
    assert told["locations"] == [{"path": "/w/a.txt"}]


TEXTS = st.text(alphabet=st.sampled_from("`a\n# "), max_size=30)


@given(TEXTS)
def test_no_text_ends_the_block_in_which_it_stands(text: str) -> None:
    for shown in (
        CommandPreview(text, (PartLine(text, text, (text,)),)),
        JsonPreview(text),
        DiffPreview("a", "/a", True, (DiffLine(LineKind.ADDED, text),), 1, 0),
    ):
        lines = preview_text(shown).split("\n")
        fence = lines[0].rstrip("abcdefghijklmnopqrstuvwxyz")
        assert len(fence) >= 3
        assert set(fence) == {"`"}
        assert lines[-1] == fence
        assert not any(line.lstrip().startswith(fence) for line in lines[1:-1])


def test_a_preview_that_is_not_whole_says_so() -> None:
    shown = DiffPreview("a", "/a", True, (), 1, 0, note="Line ends change.", whole=False)
    assert "Not all of it is shown." in preview_text(shown)
    assert "Line ends change." in preview_text(shown)
    assert "3 more parts" in preview_text(CommandPreview("x", (), 3))
    assert "It cannot be read." in preview_text(CommandPreview("x", unreadable="It cannot be read."))


@pytest.mark.parametrize(
    ("tool", "category", "kind"),
    [
        ("bash", Category.READ, "execute"),
        ("bash", Category.WRITE, "execute"),
        ("write_file", Category.WRITE, "edit"),
        ("read_file", Category.READ, "read"),
        ("delete_file", Category.WRITE, "delete"),
        ("web_fetch", Category.EXTERNAL, "fetch"),
    ],
)
def test_kinds(tool: str, category: Category, kind: str) -> None:
    assert kind_of(tool, category) == kind


@pytest.mark.parametrize("mode", list(Mode))
def test_all_modes_are_named(mode: Mode) -> None:
    told = modes_of(mode)
    known = told["availableModes"]
    assert isinstance(known, list)
    assert told["currentModeId"] == mode.value
    assert [one["id"] for one in known if isinstance(one, dict)] == [one.value for one in Mode]


def test_events_become_updates() -> None:
    def words(*events: object) -> list[Json]:
        return [update["sessionUpdate"] for event in events for update in updates_of(event)]  # type: ignore[arg-type]

    assert words(Chunk("text"), Chunk(None, "thought")) == ["agent_message_chunk", "agent_thought_chunk"]
    assert words(ToolProgress(CALL, Phase.RUNNING), ModeChanged(Mode.ASK)) == [
        "tool_call_update",
        "current_mode_update",
    ]
    assert words(Prompt("the user's own"), ToolProgress(CALL, Phase.PRE_TOOL_USE)) == []
    ended = [ToolFinished(CALL, "bash", not failed, "out", failed, 1) for failed in (False, True)]
    assert [update["status"] for event in ended for update in updates_of(event)] == ["completed", "failed"]
    (warning,) = updates_of(Notice("Look.", NoticeLevel.WARNING))
    assert warning["content"] == {"type": "text", "text": "⚠ Assent: Look.\n"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_prompt_is_some_message(blocks: Json) -> None:
    assert isinstance(inlined(parts_of_prompt(blocks)), str)


def test_what_is_beside_the_words_keeps_its_place() -> None:
    blocks: list[Json] = [
        {"type": "text", "text": "See "},
        {"type": "image", "data": "aGk=", "mimeType": "image/png", "uri": "file:///w/shot.png"},
        {"type": "resource_link", "uri": "file:///w/a.py", "name": "a.py"},
        {"type": "resource", "resource": {"uri": "file:///w/b.py", "text": "x = 1"}},
        {"type": "audio", "data": "x"},
        {"type": "image", "data": "x", "mimeType": "text/html"},
    ]
    parts = parts_of_prompt(blocks)
    assert parts == (
        "See ",
        Attachment(Kind.IMAGE, "shot.png", "file:///w/shot.png", "image/png", "aGk="),
        Attachment(Kind.LINK, "a.py", "file:///w/a.py"),
        Attachment(Kind.TEXT, "file:///w/b.py", "file:///w/b.py", content="x = 1"),
        "[audio left out: it cannot be passed on]",
        "[image left out: it cannot be passed on]",
    )
    assert named(parts[:4]) == "See [image shot.png][file:///w/a.py][file:///w/b.py]"
    assert inlined(parts[:4]) == "See [image shot.png][file:///w/a.py]\nfile:///w/b.py:\n```\nx = 1\n```\n"
