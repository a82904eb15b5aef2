"""What an agent says in the Agent Client Protocol, as far as it is taken in. None: it did not say."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.approval import OwnOption
from assent.model.json import Json, JsonObject

RequestId = int | str
"""As the agent numbers its own requests: it may begin with 0, and it may be text."""


class Kind(StrEnum):
    """What the agent says that a call does: its claim, and no more than that."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    SWITCH_MODE = "switch_mode"
    OTHER = "other"


class Progress(StrEnum):
    """How far the agent says that a call is."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        return self in {Progress.COMPLETED, Progress.FAILED}


class Outcome(StrEnum):
    """What came of a command, for the shell that it ran in."""

    WELL = "well"
    """It ran to its end, and did well."""
    BADLY = "badly"
    """It failed, or goes on by itself."""
    NOT_RUN = "not run"
    UNSURE = "unsure"
    SENT_BACK = "sent back"
    """The agent went back from where it had led, to the folder of the session."""


@dataclass(frozen=True, slots=True)
class Diff:
    """A file that gets another content. `old` is None where it is told to be new, or not told; it may be a snippet."""

    path: str
    old: str | None
    new: str
    deletes: bool = False
    """It is told as deleted, and nothing is left of its content."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text for a person."""

    text: str


@dataclass(frozen=True, slots=True)
class TerminalShown:
    """What a terminal prints belongs here."""

    terminal_id: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """Content that is not text, such as an image: only what it is can be told."""

    what: str


Content = Diff | Text | TerminalShown | Unseen


@dataclass(frozen=True, slots=True)
class ToolTold:
    """A call as the agent tells of it, whole or in part: in a tool_call, in an update of one, or in a question."""

    tool_call_id: str
    title: str | None = None
    kind: Kind | None = None
    progress: Progress | None = None
    content: tuple[Content, ...] | None = None
    paths: tuple[str, ...] | None = None
    """Of its locations."""
    raw_input: Json = None
    raw_output: Json = None
    name: str | None = None
    """Of the tool, where the agent says it apart from the title."""
    printed: str = ""
    """What its command has printed since it was told of before."""
    outcome: Outcome | None = None
    sent_back_to: str = ""
    is_inner: bool = False
    """A sub-agent does it."""
    exit_code: int | None = None
    """With which its command has ended."""
    held_back: bool = False
    """The agent itself did not let it run."""


@dataclass(frozen=True, slots=True)
class Question:
    """The agent asks whether it may carry out a call."""

    request_id: RequestId
    session_id: str
    told: ToolTold
    options: tuple[OwnOption, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the agent's answer, or of its thoughts."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """A step of the agent's plan."""

    content: str
    status: str
    """pending, in_progress, completed, or a word of the agent's own."""


@dataclass(frozen=True, slots=True)
class PlanTold:
    """The agent's whole plan as it is now."""

    entries: tuple[PlanEntry, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command of the agent."""

    name: str
    description: str = ""
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class CommandsTold:
    """All the slash commands that there are now."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values that something of the agent can have: a mode, a model, the value of an option."""

    choice_id: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """Something of a session that can be chosen."""

    setting_id: str
    """For modes and models that are no config option: "mode" and "model"."""
    name: str
    category: str | None
    current: str | None
    choices: tuple[Choice, ...]
    by_option: bool = True
    """Set with session/set_config_option; otherwise with session/set_mode or session/set_model."""


@dataclass(frozen=True, slots=True)
class ModeTold:
    """The agent is in another mode now."""

    mode_id: str


@dataclass(frozen=True, slots=True)
class SettingsTold:
    """The config options as they are now, all of them."""

    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class UsageTold:
    """What the session has used of what its model can take in, in tokens."""

    used: int | None
    size: int | None


Update = Said | ToolTold | PlanTold | CommandsTold | ModeTold | SettingsTold | UsageTold


@dataclass(frozen=True, slots=True)
class Login:
    """A way to log in, as the agent describes it."""

    method_id: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an agent says of itself in the beginning."""

    protocol: int
    name: str | None = None
    version: str | None = None
    loads_sessions: bool = False
    resumes_sessions: bool = False
    takes_images: bool = False
    takes_resources: bool = False
    logins: tuple[Login, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A session as it begins."""

    session_id: str
    settings: tuple[Setting, ...] = ()
    """Its modes, its models and its config options, each once."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error that the agent answered with."""

    code: int
    message: str
    data: JsonObject | None = None
