"""A form that an MCP server or an agent puts to the user: what it asks for, and what the user gave."""

from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId, SessionId
from assent.model.json import Json, JsonObject


class FieldKind(StrEnum):
    """What belongs into a field."""

    TEXT = "text"
    EMAIL = "email"
    URI = "uri"
    DATE = "date"
    DATE_TIME = "date_time"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CHOICES = "choices"
    """Any number of the choices."""


TEXTS = frozenset({FieldKind.TEXT, FieldKind.EMAIL, FieldKind.URI, FieldKind.DATE, FieldKind.DATE_TIME})


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values that a field may have, with the words for it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class FormField:
    """One thing that is asked for. All of its texts are a stranger's."""

    name: str
    kind: FieldKind
    title: str
    description: str = ""
    required: bool = False
    default: Json = field(default=None, hash=False)
    choices: tuple[Choice, ...] = ()
    least: float | None = None
    """Of a number its smallest value, of a text its shortest length, of choices their smallest number."""
    most: float | None = None
    asks_secret: bool = False
    """By its name or its title it asks for a password, a key or the like."""


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked for, with the words of whoever asks."""

    message: str
    fields: tuple[FormField, ...]
    asks_secret: bool = False
    """The message, or a field, asks for a password, a key or the like."""


class AskerKind(StrEnum):
    """What kind of program asks."""

    MCP_SERVER = "mcp_server"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the name that the user's settings give it, and what stands behind that."""

    kind: AskerKind
    name: str
    behind: str = ""

    @property
    def words(self) -> str:
        """For a sentence."""
        return f"The MCP server “{self.name}”" if self.kind is AskerKind.MCP_SERVER else f"The agent “{self.name}”"


@dataclass(frozen=True, slots=True)
class FormAsked:
    """A form, who asks it, and in which chat."""

    asker: Asker
    form: Form
    session_id: SessionId
    call_id: CallId | None = None
    """The call that it belongs to, where that is one of Assent's."""
    among: tuple[str, ...] = ()
    """Where nobody can say to which of several calls it belongs: what each of them uses."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """A form that waits for the user."""

    form_id: str
    created_at: str
    asked: FormAsked


class FormAction(StrEnum):
    """What the user did with a form."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    """Nothing was decided: closed, stopped, or nobody is there any more."""


@dataclass(frozen=True, slots=True)
class FormAnswer:
    """What came of a form. Only what was accepted has a content."""

    action: FormAction
    content: JsonObject = field(default_factory=dict, hash=False)

    @property
    def as_result(self) -> JsonObject:
        """As both protocols take it."""
        content: JsonObject = {"content": self.content} if self.action is FormAction.ACCEPT else {}
        return {"action": self.action.value, **content}


class NotAskable(Exception):
    """This form is not shown to anybody. Says why, for whoever asks."""


CANCELLED = FormAnswer(FormAction.CANCEL)
