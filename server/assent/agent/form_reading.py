"""Forms as the Model Context Protocol and the Agent Client Protocol ask for them: read strictly, and held to a size.

Both take flat objects of texts, numbers, truths and choices (`elicitation/create`, form mode). What is anything else is
no form: whoever asks is told why, and the user is not bothered.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from assent.masking import kind_of_name
from assent.model.errors import InvalidRequest
from assent.model.forms import TEXTS, Choice, FieldKind, Form, FormField
from assent.model.json import Json, JsonObject

METHOD = "elicitation/create"
MOST_FIELDS = 20
MOST_CHOICES = 100
LONGEST_MESSAGE = 4_000
LONGEST_NAME = 100
LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 1_000
LONGEST_ANSWER = 10_000
"""Characters of a text that a user gives."""
_LARGEST = 2**53 - 1
_FORMATS = {
    "email": FieldKind.EMAIL,
    "uri": FieldKind.URI,
    "date": FieldKind.DATE,
    "date-time": FieldKind.DATE_TIME,
}
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_SECRET = re.compile(
    r"\b(?:pass(?:word|wd|phrase|code)s?|pins?|secrets?|(?:api|access|private|secret|ssh)[ _-]?keys?|credentials?|"
    r"(?:access|refresh|auth|bearer|api)?[ _-]?tokens?|one[ -]time codes?|otp|recovery codes?|cvv|cvc|"
    r"(?:credit[ -]?)?card numbers?|iban)\b",
    re.IGNORECASE,
)


class NoForm(ValueError):
    """It is no form that can be shown. Says why, for whoever asks."""


def form_of(params: Json) -> Form:
    """The form that is asked for. Raises NoForm."""
    if not isinstance(params, Mapping):
        raise NoForm("the parameters are no object")
    if params.get("mode", "form") != "form":
        raise NoForm("only forms are shown here; this mode was not offered")
    schema = params.get("requestedSchema")
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise NoForm("requestedSchema has to be of the type object")
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        raise NoForm("requestedSchema has to have properties, and required has to be a list")
    if len(properties) > MOST_FIELDS:
        raise NoForm(f"a form has at most {MOST_FIELDS} fields")
    if not all(isinstance(name, str) and name in properties for name in required):
        raise NoForm("something is required that is no property")
    message = _text(params.get("message"), "message", LONGEST_MESSAGE)
    fields = tuple(_field(name, member, required=name in required) for name, member in properties.items())
    secret = any(one.asks_secret for one in fields) or _SECRET.search(message) is not None
    return Form(message, fields, secret)


def checked_content(form: Form, content: JsonObject) -> JsonObject:
    """What the user gave, as it is handed on. Raises InvalidRequest for what does not fit, with its place."""
    known = {field.name for field in form.fields}
    if unknown := next((name for name in content if name not in known), None):
        raise InvalidRequest("the form has no such field", f"params.content.{unknown[:LONGEST_NAME]}")
    # An empty field of a person is one that was not filled in.
    given = {name: value for name, value in content.items() if value is not None and value != ""}
    for field in form.fields:
        fault = next(_faults(field, given[field.name]), None) if field.name in given else _missing(field)
        if fault is not None:
            raise InvalidRequest(fault, f"params.content.{field.name}")
    return given


def _missing(field: FormField) -> str | None:
    return "Fill this in." if field.required else None


def _text(value: Json, what: str, longest: int, *, needed: bool = True) -> str:
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value.strip()):
        raise NoForm(f"{what} has to be a text")
    if len(value) > longest:
        raise NoForm(f"{what} has more than {longest} characters")
    return value


def _field(name: str, schema: Json, *, required: bool) -> FormField:
    if not name or len(name) > LONGEST_NAME:
        raise NoForm(f"the name of a field has 1 to {LONGEST_NAME} characters")
    if not isinstance(schema, Mapping):
        raise NoForm(f"{name} is no schema")
    kind, choices = _kind(name, schema)
    title = _text(schema.get("title"), f"the title of {name}", LONGEST_TITLE, needed=False)
    description = _text(schema.get("description"), f"the description of {name}", LONGEST_DESCRIPTION, needed=False)
    words = {FieldKind.NUMBER: "imum", FieldKind.INTEGER: "imum", FieldKind.CHOICES: "Items"}.get(kind, "Length")
    secret = kind in TEXTS and bool(kind_of_name(name) or _SECRET.search(f"{name} {title} {description}"))
    found = FormField(
        name,
        kind,
        title or name,
        description,
        required,
        schema.get("default"),
        choices,
        _bound(schema.get(f"min{words}")),
        _bound(schema.get(f"max{words}")),
        secret,
    )
    if found.default is not None and next(_faults(found, found.default), None) is not None:
        raise NoForm(f"the default of {name} does not fit its own schema")
    return found


def _kind(name: str, schema: Mapping[str, Any]) -> tuple[FieldKind, tuple[Choice, ...]]:
    match schema.get("type"):
        case "string" if "enum" in schema or "oneOf" in schema:
            return FieldKind.CHOICE, _choices(name, schema, "oneOf")
        case "string":
            # Formats that nobody knows say no more than that it is a text.
            return _FORMATS.get(str(schema.get("format")), FieldKind.TEXT), ()
        case "number" | "integer" | "boolean" as kind:
            return FieldKind(kind), ()
        case "array" if isinstance(schema.get("items"), Mapping):
            return FieldKind.CHOICES, _choices(name, schema["items"], "anyOf")
    raise NoForm(f"{name} is neither a text, a number, a boolean nor a choice")


def _choices(name: str, schema: Mapping[str, Any], titled: str) -> tuple[Choice, ...]:
    if titled in schema:
        told = schema[titled]
        pairs = [(one.get("const"), one.get("title")) for one in told] if _are_objects(told) else []
    else:
        values, names = schema.get("enum"), schema.get("enumNames")
        told = values if isinstance(values, list) else []
        labels = names if isinstance(names, list) and len(names) == len(told) else told
        pairs = list(zip(told, labels, strict=True))
    if not 0 < len(pairs) <= MOST_CHOICES:
        raise NoForm(f"{name} has to have 1 to {MOST_CHOICES} choices")
    choices = tuple(
        Choice(
            _text(value, f"a choice of {name}", LONGEST_TITLE),
            _text(label, f"a choice of {name}", LONGEST_TITLE, needed=False) or str(value),
        )
        for value, label in pairs
    )
    if len({one.value for one in choices}) < len(choices):
        raise NoForm(f"a choice of {name} stands there twice")
    return choices


def _are_objects(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(one, Mapping) for one in value)


def _bound(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) else None


def _faults(field: FormField, value: Any) -> Iterator[str]:
    """What is wrong with this value, in words for a person."""
    values = {one.value for one in field.choices}
    match field.kind:
        case FieldKind.BOOLEAN:
            if not isinstance(value, bool):
                yield "Say yes or no."
        case FieldKind.NUMBER | FieldKind.INTEGER:
            yield from _number_faults(field, value)
        case FieldKind.CHOICE:
            if not isinstance(value, str) or value not in values:
                yield "Pick one of the choices."
        case FieldKind.CHOICES:
            if not isinstance(value, list) or not all(isinstance(one, str) and one in values for one in value):
                yield "Pick one of the choices."
            elif len(set(value)) < len(value):
                yield "Pick each choice once."
            else:
                yield from _out_of_bounds(field, len(value), "choices")
        case _:
            yield from _text_faults(field, value)


def _number_faults(field: FormField, value: Any) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        yield "Enter a number."
    elif field.kind is FieldKind.INTEGER and value != int(value):
        yield "Enter a whole number."
    elif abs(value) > _LARGEST:
        yield "This number is too large."
    else:
        yield from _out_of_bounds(field, value, "")


def _text_faults(field: FormField, value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield "Enter a text."
        return
    if len(value) > LONGEST_ANSWER:
        yield f"At most {LONGEST_ANSWER} characters."
    yield from _out_of_bounds(field, len(value), "characters")
    if not _has_form(field.kind, value):
        yield _EXPECTED[field.kind]


def _out_of_bounds(field: FormField, size: float, unit: str) -> Iterator[str]:
    behind = f" {unit}" if unit else ""
    if field.least is not None and size < field.least:
        yield f"At least {field.least:g}{behind}."
    if field.most is not None and size > field.most:
        yield f"At most {field.most:g}{behind}."


_EXPECTED = {
    FieldKind.EMAIL: "Enter an email address.",
    FieldKind.URI: "Enter an address such as https://example.org.",
    FieldKind.DATE: "Enter a date such as 2026-01-31.",
    FieldKind.DATE_TIME: "Enter a time such as 2026-01-31T12:00:00Z.",
}


def _has_form(kind: FieldKind, value: str) -> bool:
    match kind:
        case FieldKind.EMAIL:
            return _EMAIL.fullmatch(value) is not None
        case FieldKind.URI:
            return _URI.fullmatch(value) is not None
        case FieldKind.DATE:
            return len(value) == len("2026-01-31") and _is_read(date.fromisoformat, value)
        case FieldKind.DATE_TIME:
            return "T" in value and _is_read(_moment, value)
    return True


def _moment(value: str) -> None:
    if datetime.fromisoformat(value).tzinfo is None:
        raise ValueError("a time without its zone")


def _is_read(read: Any, value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True
