"""Chats: opening, listing, rebuilding, sending, stopping, and the views that show them."""

from typing import Any

from attrs import field, frozen

from assent.protocol.approval import ApprovalRequest
from assent.protocol.events import AgentEvent
from assent.protocol.fields import snake_case
from assent.protocol.words import MediaType, Mode, ModeOrAlias, RunEnd, WhenBusy, WrittenSide


@frozen
class SessionNewParams:
    """A new chat, with the agent and mode of the settings where none is named."""

    agent: str | None = None
    mode: ModeOrAlias | None = None


@frozen
class SessionInfo:
    """A chat as it is now."""

    session_id: str
    agent_id: str
    agent_name: str
    mode: Mode
    title: str
    running: bool
    waiting: int
    last_n: int
    bypass_agent: bool
    bypass_session: bool
    is_guest: bool | None = None
    """Its agent is one of others, which leads the conversation by itself and has commands of its own."""
    own_folder: str | None = None
    """No folder is open, so the chat works in this one of its own. It is deleted when the chat is closed."""
    unreachable: tuple[str, ...] | None = None
    """Folders that are open and not on the server's disk: no tool reaches them."""


@frozen
class ToolResultParams:
    """A piece of a long result, from this character on."""

    session_id: str
    tool_call_id: str
    offset: int


@frozen
class ToolResultPiece:
    """The piece, and where the next one begins; nothing after the last."""

    text: str
    next_offset: int | None = None


@frozen
class ToolWrittenParams:
    """A piece of a file that a call wrote, from this character on: as the run found it, or as the call left it."""

    session_id: str
    tool_call_id: str
    side: WrittenSide
    offset: int = 0


@frozen
class ToolWritten:
    """The piece, and where the next one begins; nothing after the last. No text: what was there is not known."""

    real_path: str
    text: str | None = None
    next_offset: int | None = None


@frozen
class ToolMediaParams:
    """The picture or the sound that a call has made."""

    session_id: str
    tool_call_id: str


@frozen
class ToolMedia:
    """All of its bytes, in base64."""

    mime: MediaType
    data: str


@frozen
class SessionListParams:
    """Nothing to say."""


@frozen
class AgentInfo:
    """An agent that a chat can be opened with."""

    agent_id: str
    name: str
    description: str


@frozen
class SessionList:
    """All chats of this server, and the agents for new ones."""

    sessions: tuple[SessionInfo, ...]
    agents: tuple[AgentInfo, ...]


@frozen
class SessionsRestored:
    """The chats of an earlier server that are here now. The list tells of each what there is to know."""

    session_ids: tuple[str, ...]


@frozen
class SessionListChanged:
    """What `session/list` answers is another now, and by none of the events of a chat."""

    agent_for_new_chats: str
    """The agent of a new chat for which none is named."""


@frozen
class SessionLoadParams:
    """What a view shows of a chat, from an event on that it already has."""

    session_id: str
    since_n: int | None = None


@frozen
class SessionLoaded:
    """The chat, its events after `sinceN`, and its waiting calls."""

    session: SessionInfo
    events: tuple[AgentEvent, ...]
    pending: tuple[ApprovalRequest, ...]


@frozen
class SessionRef:
    """A chat by its id."""

    session_id: str


@frozen
class SetModeParams:
    """Another mode. Tightening counts at once; loosening with the next message, unless `applyNow`."""

    session_id: str
    mode: ModeOrAlias
    apply_now: bool | None = None


@frozen
class SetAgentOptionParams:
    """A value for something that the agent offers, by the ids of the event `AgentState`."""

    session_id: str
    setting_id: str
    value: str
    confirmed: bool | None = None
    """The user has read what the danger of it is."""


@frozen
class ChatFilesParams:
    """What the user writes to find a file of the workspace."""

    session_id: str
    query: str
    view_id: str | None = None
    """Where it is written: an earlier request from there that is not answered yet is cancelled."""


@frozen
class ChatFiles:
    """Paths that fit, the nearest first. What rules keep back is not among them, nor what `.gitignore` leaves out."""

    files: tuple[str, ...]
    more: bool


@frozen
class ChatAttachableParams:
    """A file that the user names for a message."""

    session_id: str
    path: str


@frozen
class ChatAttachable:
    """It can go along with a message. `warning`: only where the user says so once more, having read this, for which
    `warningDigest` stands. `picture`: it does as a picture, of this kind."""

    path: str
    size: int
    warning: str | None = None
    warning_digest: str | None = None
    picture: str | None = None


@frozen
class AttachedFile:
    """A file of the workspace whose text, or picture, goes along. `agreedDigest`: the user read the warning with this
    digest, and said yes. Where it is not the one that is due by now, nothing is sent (`digest_mismatch`)."""

    path: str
    agreed_digest: str | None = None


@frozen
class ChatSendParams:
    """A message to the agent. The answer comes when the run ends; cancelling this request stops the run."""

    session_id: str
    text: str
    when_busy: WhenBusy | None = None
    """While a run is active: `queue` (the default) waits for its end and that of the messages before; `replace` stops
    it, as `chat/stop` does, and takes its place. Messages that waited behind it come back as `unbegun`."""
    replaces_message: str | None = None
    """The `runId` of an earlier `Prompt` of this chat: this is said instead of it. What goes on is stopped as
    `chat/stop` does it, and the model is told what came before that message, then this one. What was done since stays
    done, and the chat's events stay. Refused where the agent is one of others (`isGuest`), or the model is told
    nothing of that message any more."""
    permission_mode: ModeOrAlias | None = snake_case("permission_mode", default=None)  # type: ignore[assignment]
    context: Any = field(default=None)
    attachments: tuple[AttachedFile, ...] | None = None
    """What they hold in the moment in which the message is sent. Where one cannot go along, nothing is sent."""
    tools: Any = field(default=None)
    """Ignored: the toolbelt is composed by the server."""
    collections: Any = field(default=None)
    """Ignored, likewise."""


@frozen
class ChatSendResult:
    """How the run ended. `unbegun`: it never began, for a stop dropped the message while it waited for its turn."""

    session_id: str
    run_id: str
    done_reason: RunEnd = snake_case("done_reason")  # type: ignore[assignment]
    message: str | None = None
    unbegun: bool | None = None


@frozen
class ChatStopResult:
    """Whether there was anything to stop."""

    stopped: bool


@frozen
class ViewParams:
    """A view that shows a chat."""

    view_id: str
    session_id: str
