"""What holds for every settings text: reading is total, and an edit changes one entry and nothing else."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.settings.faults import JsonFault
from assent.settings.jsonc import Document, Node, parse
from assent.settings.jsonc_edit import remove_entry, set_entry
from tests.laws.settings_documents import VALUES, Text, paths, settings_texts
from tests.support.scale import examples
from tests.support.settings_text import find_entry

many = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def plain(value: object) -> str:
    """A value as text that tells true from 1 and keeps the order of keys."""
    return json.dumps(value)


def comments_of(text: str) -> list[str]:
    """The comments of a text, found by a scanner of the test's own."""
    found, position = [], 0
    while position < len(text):
        if text[position] == '"':
            position += 1
            while text[position] != '"':
                position += 2 if text[position] == "\\" else 1
            position += 1
        elif text.startswith("//", position):
            end = min((at for at in (text.find(b, position) for b in "\n\r") if at >= 0), default=len(text))
            found.append(text[position:end])
            position = end
        elif text.startswith("/*", position):
            end = text.index("*/", position + 2) + 2
            found.append(text[position:end])
            position = end
        else:
            position += 1
    return found


def edited(before: str, path: tuple[str, ...], value: object) -> str | None:
    """The edited text, or None where something else than an object stands in the way."""
    try:
        return set_entry(before, path, value)
    except JsonFault as fault:
        assert "should hold { }" in fault.reason
        return None


@many
@given(settings_texts(), paths(), VALUES)
def test_an_edit_is_read_back_and_everything_else_stays(source: Text, path: tuple[str, ...], value: object) -> None:
    after = edited(source.text, path, value)
    if after is None:
        return
    found = find_entry(parse(after), path)
    assert found is not None
    assert plain(found.value) == plain(value)
    with_it, without = parse(after).value, parse(source.text).value
    assert plain(removed(with_it, path)) == plain(removed(without, path))


def removed(value: object, path: tuple[str, ...]) -> object:
    """The value without this entry in any spelling, and without objects that only the entry needs."""
    spellings = [path, (*path[0].split(".", 1), *path[1:])]
    copy = json.loads(json.dumps(value))
    for spelling in spellings:
        prune(copy, spelling)
    return copy


def prune(value: dict[str, object], path: tuple[str, ...]) -> None:
    inner = value.get(path[0])
    if len(path) == 1:
        value.pop(path[0], None)
    elif isinstance(inner, dict):
        prune(inner, path[1:])
        if not inner:
            del value[path[0]]


@many
@given(settings_texts(), paths(), VALUES)
def test_comments_and_all_text_outside_the_entry_survive(source: Text, path: tuple[str, ...], value: object) -> None:
    after = edited(source.text, path, value)
    if after is None:
        return
    before = parse(source.text)
    old = find_entry(before, path)
    if old is not None:
        assert after.startswith(source.text[: old.start])
        assert after.endswith(source.text[old.end :])
        return
    holder = next(node for steps in range(len(path) - 1, -1, -1) if (node := holder_of(before, path[:steps])))
    assert after.startswith(source.text[: holder.start + 1])
    assert after.endswith(source.text[holder.end - 1 :])
    assert comments_of(after) == comments_of(source.text)
    position = 0
    for member in holder.members or []:
        kept = source.text[member.start : member.node.end]
        assert kept in after[position:]
        position = after.index(kept, position) + len(kept)


def holder_of(document: Document, path: tuple[str, ...]) -> Node | None:
    return find_entry(document, path) if path else document.root


@many
@given(settings_texts(), paths(), VALUES)
def test_setting_twice_is_setting_once(source: Text, path: tuple[str, ...], value: object) -> None:
    after = edited(source.text, path, value)
    if after is not None:
        assert set_entry(after, path, value) == after


@many
@given(settings_texts(), paths())
def test_a_removed_entry_is_gone_and_the_others_stay(source: Text, path: tuple[str, ...]) -> None:
    with suppress(JsonFault):
        after = remove_entry(source.text, path)
        assert find_entry(parse(after), path) is None
        assert plain(removed(parse(after).value, path)) == plain(removed(parse(source.text).value, path))
        if find_entry(parse(source.text), path) is None:
            assert after == source.text


@many
@given(settings_texts(), paths(), VALUES)
def test_removing_what_was_added_keeps_every_comment(source: Text, path: tuple[str, ...], value: object) -> None:
    after = edited(source.text, path, value)
    if after is not None and find_entry(parse(source.text), path) is None:
        assert comments_of(remove_entry(after, path)) == comments_of(source.text)


@many
@given(settings_texts(), paths(), VALUES)
def test_line_ends_and_byte_order_mark_stay(source: Text, path: tuple[str, ...], value: object) -> None:
    after = edited(source.text, path, value)
    if after is None:
        return
    assert after.startswith("\ufeff") == source.text.startswith("\ufeff")
    kinds = {"\r\n", "\r", "\n"}
    used = {
        kind
        for kind in kinds
        if kind in source.text.replace("\r\n", "\x00").replace("\x00", "\r\n" if kind == "\r\n" else "")
    }
    if len(used) == 1:
        (kind,) = used
        rest = after.replace(kind, "")
        assert "\n" not in rest
        assert "\r" not in rest


SCRAPS = st.sampled_from(
    [
        *'{}[]:,"\\/*\n\r \t\ufeff\u2028\x00',
        "//",
        "/*",
        "*/",
        "true",
        "-1e9",
        "01",
        '"a"',
        '"assent.mode"',
        "\\u00",
        "\ud800",
    ]
)


@many
@given(st.one_of(st.text(), st.lists(SCRAPS, max_size=40).map("".join)), paths(), VALUES)
def test_garbage_raises_nothing_but_the_fault(text: str, path: tuple[str, ...], value: object) -> None:
    with suppress(JsonFault):
        parse(text)
    with suppress(JsonFault):
        set_entry(text, path, value)
    with suppress(JsonFault):
        remove_entry(text, path)


@many
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
        max_leaves=20,
    )
)
def test_plain_json_reads_as_the_standard_reader_does(value: object) -> None:
    if "Infinity" not in (text := json.dumps(value)):
        assert plain(parse(text).value) == plain(json.loads(text))


@many
@given(settings_texts(), st.data())
def test_a_text_cut_anywhere_is_whole_or_refused(source: Text, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(source.text)))
    try:
        document = parse(source.text[:cut])
    except JsonFault:
        return
    if document.root is not None:
        assert plain(document.value) == plain(parse(source.text).value)


@pytest.mark.parametrize(
    "scrap",
    [
        "[",
        "{",
        '{"a":',
        "/*",
        "/**/",
        "//\n",
        '"',
        '"\\',
        '"\\u',
        " ",
        "\r",
        "[],",
        "[[]]",
        "1",
        "-",
        "*/",
        '{"a":1,',
        "\\u0041",
        "//",
    ],
)
def test_nasty_texts_of_any_length_end_in_a_value_or_a_fault(scrap: str) -> None:
    for opening in ("", "[", '{"a": "', "{"):
        with suppress(JsonFault):
            parse((opening + scrap * 200_000)[:500_000])
