"""Forms of others as they leave for a client: what looks like a secret is masked in them."""

from collections import Counter
from collections.abc import Iterator

from assent.lsp.wire_values import word
from assent.masking import mask_json, mask_text
from assent.model.forms import FieldKind, FormAsked, FormField, OpenForm
from assent.protocol import forms as wire

_FIELD_WARNING = "This seems to ask for a password, a key or the like. Such a form must not: leave it empty."
_FORM_WARNING = (
    "It seems to ask for a password, a key or the like. Forms must not be used for that: what you enter is sent to the "
    "program that asks, which may show it to a model."
)


def form_request(form: OpenForm, known: frozenset[str]) -> wire.FormRequest:
    """A form as it leaves for a client."""
    asked = form.asked
    return wire.FormRequest(
        form_id=form.form_id,
        session_id=asked.session_id,
        asker_kind=word(asked.asker.kind),
        asker_name=asked.asker.name,
        message=mask_text(asked.form.message, known)[0],
        fields=tuple(_field(one, known) for one in asked.form.fields),
        created_at=form.created_at,
        behind=mask_text(asked.asker.behind, known)[0] or None,
        tool_call_id=asked.call_id,
        warning=" ".join(_warnings(asked)) or None,
    )


def _warnings(asked: FormAsked) -> Iterator[str]:
    if asked.among:
        calls = (f"{name} ({count} calls)" if count > 1 else name for name, count in Counter(asked.among).items())
        yield f"It asks for one of these calls and does not say for which: {', '.join(calls)}."
    if asked.form.asks_secret:
        yield _FORM_WARNING


def _field(field: FormField, known: frozenset[str]) -> wire.FormField:
    # A mark in the place of a secret would be sent as the user's own answer: such a field begins empty.
    masked = mask_json(field.default, known)[1] > 0
    chosen = field.kind in (FieldKind.CHOICE, FieldKind.CHOICES)
    return wire.FormField(
        name=field.name,
        kind=word(field.kind),
        title=mask_text(field.title, known)[0],
        required=field.required,
        description=mask_text(field.description, known)[0] or None,
        default=None if masked else field.default,
        choices=tuple(wire.FormChoice(one.value, mask_text(one.label, known)[0]) for one in field.choices)
        if chosen
        else None,
        least=field.least,
        most=field.most,
        warning=_FIELD_WARNING if field.asks_secret else None,
    )
