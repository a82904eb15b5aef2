"""Forms that MCP servers and external agents put to the user (`elicitation/create`): asking, answering, their end."""

from typing import Any

from attrs import field, frozen

from assent.protocol.words import FormAction, FormAskerKind, FormFieldKind


@frozen
class FormChoice:
    """One of the values that a field may have, with the words for it."""

    value: str
    label: str


@frozen
class FormField:
    """One thing that is asked for. Its texts are a stranger's, with secrets masked."""

    name: str
    kind: FormFieldKind
    title: str
    required: bool
    description: str | None = None
    default: Any = field(default=None)
    """A value to begin with; it is not given unless the user accepts it."""
    choices: tuple[FormChoice, ...] | None = None
    least: float | None = None
    """Of a number its smallest value, of a text its shortest length, of choices their smallest number."""
    most: float | None = None
    warning: str | None = None
    """Why the user should leave this field empty: it seems to ask for a secret."""


@frozen
class FormRequest:
    """A program asks the user for something. It waits until it is answered, or until what asked it has ended."""

    form_id: str
    session_id: str
    asker_kind: FormAskerKind
    asker_name: str
    """As the user's settings name it."""
    message: str
    """The asker's own words: to be shown as a quotation."""
    fields: tuple[FormField, ...]
    created_at: str
    behind: str | None = None
    """The command or the address of the asker."""
    tool_call_id: str | None = None
    warning: str | None = None


@frozen
class FormAnswerParams:
    """What the user did with a form. `content` goes with `accept` only, by the names of the fields."""

    form_id: str
    action: FormAction
    session_id: str | None = None
    content: dict[str, Any] | None = None


@frozen
class FormEnded:
    """The form does not wait any more. Every view closes it. Without an action it was withdrawn."""

    form_id: str
    session_id: str
    action: FormAction | None = None


@frozen
class PendingFormsParams:
    """Of one chat, or of all."""

    session_id: str | None = None


@frozen
class PendingForms:
    """The forms that wait, oldest first."""

    forms: tuple[FormRequest, ...]
