"""Forms of others as they are read: every kind of field, and whatever is none."""

from typing import Any

import pytest

from assent.agent.form_reading import NoForm, checked_content, form_of
from assent.model.errors import InvalidRequest
from assent.model.forms import Choice, FieldKind, FormField


def field(schema: Any, *, required: bool = False) -> FormField:
    wanted = {"type": "object", "properties": {"a": schema}, "required": ["a"] if required else []}
    (found,) = form_of({"message": "m", "requestedSchema": wanted}).fields
    return found


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, FieldKind.TEXT),
        ({"type": "string", "format": "email"}, FieldKind.EMAIL),
        ({"type": "string", "format": "uri"}, FieldKind.URI),
        ({"type": "string", "format": "date"}, FieldKind.DATE),
        ({"type": "string", "format": "date-time"}, FieldKind.DATE_TIME),
        ({"type": "string", "format": "colour"}, FieldKind.TEXT),
        ({"type": "number"}, FieldKind.NUMBER),
        ({"type": "integer"}, FieldKind.INTEGER),
        ({"type": "boolean", "default": True}, FieldKind.BOOLEAN),
        ({"type": "string", "enum": ["x"]}, FieldKind.CHOICE),
        ({"type": "string", "oneOf": [{"const": "x", "title": "X"}]}, FieldKind.CHOICE),
        ({"type": "array", "items": {"enum": ["x"]}}, FieldKind.CHOICES),
        ({"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}]}, "default": ["x"]}, FieldKind.CHOICES),
    ],
)
def test_every_kind_of_field(schema: Any, kind: FieldKind) -> None:
    assert field(schema).kind is kind


def test_names_for_choices_count_only_where_each_has_one() -> None:
    assert field({"type": "string", "enum": ["x", "y"], "enumNames": ["X", "Y"]}).choices == (
        Choice("x", "X"),
        Choice("y", "Y"),
    )
    assert field({"type": "string", "enum": ["x", "y"], "enumNames": ["X"]}).choices == (
        Choice("x", "x"),
        Choice("y", "y"),
    )


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        "form",
        {},
        {"message": "m"},
        {"message": "m", "requestedSchema": []},
        {"message": "m", "requestedSchema": {"type": "object"}},
        {"message": "m", "requestedSchema": {"properties": {}}},
        {"message": "", "requestedSchema": {"type": "object", "properties": {}}},
        {"message": "m", "requestedSchema": {"type": "object", "properties": []}},
        {"message": "m", "requestedSchema": {"type": "object", "properties": {}, "required": "a"}},
        {"message": "m", "requestedSchema": {"type": "object", "properties": {}, "required": [{}]}},
        {"message": "m", "mode": 5, "requestedSchema": {"type": "object", "properties": {}}},
    ],
)
def test_what_asks_for_nothing_that_can_be_shown_is_no_form(params: Any) -> None:
    with pytest.raises(NoForm):
        form_of(params)


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "null"},
        {"type": ["string"]},
        {"type": "object"},
        {"type": "array"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "string", "enum": "abc"},
        {"type": "string", "enum": [1, 2]},
        {"type": "string", "enum": [""]},
        {"type": "string", "oneOf": ["x"]},
        {"type": "string", "oneOf": [{"title": "X"}]},
        {"type": "string", "enum": [f"{n}" for n in range(101)]},
        {"type": "string", "title": 5},
        {"type": "string", "description": "x" * 1_001},
        {"type": "string", "default": 5},
        {"type": "boolean", "default": "true"},
        {"type": "integer", "default": 1.5},
        {"type": "integer", "default": True},
        {"type": "number", "default": 1, "minimum": 2},
        {"type": "string", "enum": ["x"], "default": "y"},
    ],
)
def test_what_is_no_field_makes_no_form(schema: Any) -> None:
    with pytest.raises(NoForm):
        field(schema)


@pytest.mark.parametrize("bound", ["1", True, float("nan"), float("inf"), None, [1]])
def test_bounds_that_make_no_sense_bound_nothing(bound: Any) -> None:
    assert field({"type": "integer", "minimum": bound}).least is None


def test_an_empty_field_is_none_and_a_required_one_is_missed() -> None:
    wanted = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]}
    form = form_of({"message": "m", "requestedSchema": wanted})
    assert checked_content(form, {"a": "", "b": "x"}) == {"b": "x"}
    for content in ({}, {"b": ""}, {"b": None}):
        with pytest.raises(InvalidRequest) as fault:
            checked_content(form, content)
        assert fault.value.path == "params.content.b"


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        *[(name, True) for name in ("password", "PIN", "apiKey", "api_key", "accessToken", "client_secret", "otp")],
        *[(name, False) for name in ("name", "email", "username", "monkey", "spinner", "tokens_per_line", "author")],
    ],
)
def test_which_fields_ask_for_a_secret(name: str, asks: bool) -> None:
    form = form_of({"message": "m", "requestedSchema": {"type": "object", "properties": {name: {"type": "string"}}}})
    assert form.fields[0].asks_secret is form.asks_secret is asks
