"""Cards of calls with bytes in them: what they are is said, nothing is hidden that could not be opened."""

import base64
import json
from dataclasses import replace

import pytest

from assent.jsontext import readable_json
from assent.lsp import to_wire
from assent.lsp.masked_card import masked
from assent.lsp.plain_question import plain_question
from assent.lsp.without_dumps import without_dumps
from assent.model.approval import OptionKind, Question
from assent.model.ids import ApprovalId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import DiffLine, DiffPreview, JsonPreview, LineKind, Preview, StepPreview, StepsPreview
from assent.protocol import approval as wire
from assent.protocol import previews
from assent.tools.diff import bounded_diff
from tests.support.cards import card

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 4
BLOB = base64.b64encode(PNG).decode()
LINES = base64.encodebytes(PNG).decode()
SAID = "PNG picture, 1,040 bytes, written as base64, beginning with 89 50 4e 47"


def question(preview: Preview, args: JsonObject) -> Question:
    shown = replace(card(), preview=preview)
    return Question(ApprovalId("a"), 1, "2026-03-01T18:00:00Z", replace(shown, call=replace(shown.call, args=args)))


def shown(asked: Question, known: frozenset[str] | None = None) -> wire.ApprovalRequest:
    request = to_wire.approval_request(asked, known=None)
    return without_dumps(request if known is None else masked(request, known), asked)


def of_file(old: str, new: str, args: JsonObject | None = None) -> Question:
    diff = bounded_diff(old, new)
    preview = DiffPreview("a", "/w/a", not old, diff.lines, diff.added, diff.removed, whole=diff.whole)
    return question(preview, args or {"path": "a", "content": new})


def of_arguments(args: JsonObject) -> Question:
    return question(JsonPreview(readable_json(args)), args)


def json_of(request: wire.ApprovalRequest) -> str:
    assert isinstance(request.preview, previews.JsonPreview)
    return request.preview.text


def lines_of(request: wire.ApprovalRequest) -> list[tuple[str, str]]:
    assert isinstance(request.preview, previews.DiffPreview)
    return [(line.kind, line.text) for line in request.preview.lines]


def test_of_arguments_only_the_bytes_are_left_out_and_the_rest_stays() -> None:
    asked = of_arguments({"name": "logo", "image": {"data": BLOB, "alt": 'a "logo"'}, "sizes": [1, 2]})
    card_shown = shown(asked)
    text = json_of(card_shown)
    assert BLOB[:40] not in text
    assert f'"data": ⟨{SAID}' in text
    for kept in ('"name": "logo"', '"alt": "a \\"logo\\""', '"sizes"'):
        assert kept in text
    assert card_shown.truncated is not None
    assert BLOB in to_wire.details_text(asked)
    assert card_shown.args_digest == asked.card.digest


def test_words_like_ours_in_an_argument_stand_in_quotation_marks() -> None:
    asked = of_arguments({"data": f"⟨{SAID}⟩" + " and some more words" * 20})
    assert shown(asked) == to_wire.approval_request(asked, known=None)


@pytest.mark.parametrize(
    ("content", "kind", "head"),
    [
        (BLOB, "PNG picture", "89 50 4e 47"),
        (LINES, "PNG picture", "89 50 4e 47"),
        ("\x7fELF\x02" + "\x01\x00\n\x80" * 200, "program (ELF)", "7f 45 4c 46"),
    ],
)
def test_of_a_file_that_is_all_bytes_one_line_is_left(content: str, kind: str, head: str) -> None:
    request = shown(of_file("", content))
    ((side, text),) = lines_of(request)
    assert side == "gap"
    assert kind in text
    assert head in text
    assert request.truncated is not None


def test_beside_bytes_the_lines_that_can_be_read_stay() -> None:
    request = shown(of_file("", f"one\n{BLOB}\ntwo\n"))
    (first, gap, last) = lines_of(request)
    assert (first, last) == (("added", "one"), ("added", "two"))
    assert gap[1].startswith(f"line 2, written: {SAID}")
    assert request.truncated is not None


def test_bytes_that_are_only_taken_out_need_not_be_opened() -> None:
    request = shown(of_file(f"one\n{BLOB[:900]}\n", "one\n"))
    assert [kind for kind, _ in lines_of(request)] == ["context", "gap"]
    assert request.truncated is None


def test_what_could_not_be_opened_is_not_left_out() -> None:
    asked = of_file("", BLOB, args={"path": "a", "command": "make it"})
    assert lines_of(shown(asked)) == [("added", BLOB)]
    beside = question(JsonPreview(readable_json({"data": BLOB})), {"other": 1})
    assert BLOB in json_of(shown(beside))
    step = StepPreview(1, "s", "Write a", Category.WRITE, JsonPreview(readable_json({"data": BLOB})))
    steps = question(StepsPreview("t", (step,)), {"workflow": "w"})
    assert BLOB in str(shown(steps).preview)


def test_a_key_stays_where_secrets_are_looked_for() -> None:
    key = f"-----BEGIN PRIVATE KEY-----\n{LINES}-----END PRIVATE KEY-----\n"
    request = shown(of_file("", key), frozenset())
    assert request.redactions
    assert BLOB[:40] not in str(request.preview)
    assert "PNG" not in str(request.preview)


def test_more_than_a_card_holds_is_named_as_well() -> None:
    data = PNG * 100
    blob = base64.b64encode(data).decode()
    assert f"PNG picture, {len(data):,} bytes" in json_of(shown(of_arguments({"data": blob})))
    lines = lines_of(shown(of_file("", base64.encodebytes(data).decode())))
    assert "at least" in lines[0][1]
    assert "more lines" in lines[1][1]


def test_a_message_box_offers_no_yes_to_a_diff_that_leaves_out_what_would_be_written() -> None:
    gap = DiffLine(LineKind.GAP, "1 more lines of this diff")
    asked = question(DiffPreview("a", "/w/a", True, (gap,), 1, 0, whole=False), {"path": "a", "content": "x" * 70_000})
    box = plain_question(asked)
    kinds = {one.option_id: one.kind for one in asked.card.options}
    assert {kinds[option_id] for option_id in box.option_ids.values()} == {OptionKind.REJECT_ONCE}


def test_a_text_with_a_broken_literal_is_shown_as_it_is() -> None:
    text = '{"a": "\\q' + BLOB + '"}'
    asked = question(JsonPreview(text), json.loads('{"a": 1}'))
    assert json_of(shown(asked)) == text


def test_names_that_are_taken_out_or_written_one_to_a_line_stay_to_be_read() -> None:
    names = [f"team{at}Member" for at in range(40)]
    for old, new in (("\n".join(names), ""), ("", "\n".join(names))):
        assert [text for kind, text in lines_of(shown(of_file(old, new))) if kind != "gap"] == names
