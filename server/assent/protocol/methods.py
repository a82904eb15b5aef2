"""Every custom method, once: its name, who sends it, its parameters, its result, and what it is for.

The TypeScript types, the protocol document and the server's dispatch are made from this table.
"""

from enum import Enum

from attrs import frozen

from assent.protocol import (
    approval,
    checkpoints,
    consent,
    editor,
    events,
    forms,
    grants,
    handshake,
    history,
    models,
    permissions,
    policy,
    session,
    shells,
)


class Sender(Enum):
    """Who may send a message."""

    CLIENT = "client"
    SERVER = "server"


@frozen
class Method:
    """One method of the protocol. Without a result it is a notification."""

    name: str
    sender: Sender
    params: type
    result: type | None
    purpose: str
    also_notification: bool = False
    """A request that may come without an id, because nobody needs its answer."""


def _request(name: str, params: type, result: type, purpose: str) -> Method:
    return Method(name, Sender.CLIENT, params, result, purpose)


def _view(name: str, purpose: str) -> Method:
    return Method(name, Sender.CLIENT, session.ViewParams, handshake.Nothing, purpose, also_notification=True)


METHODS: tuple[Method, ...] = (
    Method(
        "tool/approvalRequest",
        Sender.SERVER,
        approval.ApprovalRequest,
        None,
        "A call waits for the user. Sent after the question is registered and before anything happens.",
    ),
    _request(
        "tool/approvalResponse",
        approval.ApprovalResponse,
        approval.ApprovalOutcome,
        "The user's answer to one question. Counts once; an answer that does not fit changes nothing.",
    ),
    Method(
        "tool/approvalResolved",
        Sender.SERVER,
        approval.ApprovalResolved,
        None,
        "A question ended, by an answer or otherwise. Every view closes its card.",
    ),
    _request(
        "tool/pendingApprovals",
        approval.PendingApprovalsParams,
        approval.PendingApprovals,
        "All waiting questions again, with the same ids: for a view that was rebuilt.",
    ),
    _request(
        "tool/approvalDetails",
        approval.ApprovalDetailsParams,
        approval.ApprovalDetails,
        "The full arguments of a waiting call, in pieces.",
    ),
    _request(
        "tool/approvalChange",
        approval.ApprovalChangeParams,
        approval.ApprovalChange,
        "What a file of a waiting call would hold, in pieces: of comparable calls. The call is looked at again.",
    ),
    _request(
        "tool/reveal",
        approval.RevealParams,
        handshake.Nothing,
        "The card of a waiting question comes again, from now on with the secrets that it masked.",
    ),
    _request(
        "tool/approvalBatch",
        approval.ApprovalBatch,
        approval.BatchOutcome,
        "One answer to several waiting calls of a chat; one result for each.",
    ),
    _request(
        "tool/testApproval",
        approval.TestApprovalParams,
        approval.TestApprovalResult,
        "Shows a card that leads to nothing and tells what was clicked.",
    ),
    _request(
        "tool/result",
        session.ToolResultParams,
        session.ToolResultPiece,
        "The whole text of a result of which the model got a part, in pieces. It is kept while the server runs.",
    ),
    _request(
        "tool/written",
        session.ToolWrittenParams,
        session.ToolWritten,
        "What a call wrote into its file, and what its run had found there, in pieces.",
    ),
    _request(
        "tool/media",
        session.ToolMediaParams,
        session.ToolMedia,
        "A picture or a sound that a call has made, read from its file; a fault where that is another one by now.",
    ),
    Method(
        "form/request",
        Sender.SERVER,
        forms.FormRequest,
        None,
        "An MCP server or an external agent asks the user to fill in a form. Only to a client that announced `forms`.",
    ),
    _request(
        "form/answer",
        forms.FormAnswerParams,
        handshake.Nothing,
        "What the user did with a form. Counts once; what does not fit the form changes nothing, and it still waits.",
    ),
    Method("form/ended", Sender.SERVER, forms.FormEnded, None, "A form was answered or withdrawn. Views close it."),
    _request(
        "form/pending",
        forms.PendingFormsParams,
        forms.PendingForms,
        "All waiting forms again, with the same ids: for a view that was rebuilt.",
    ),
    Method("agent/event", Sender.SERVER, events.AgentEvent, None, "Something happened in a chat."),
    _request(
        "shell/list",
        shells.ShellListParams,
        shells.ShellList,
        "The commands that run, and those that ran in the background and whose output is still kept.",
    ),
    _request(
        "shell/output",
        shells.ShellOutputParams,
        shells.ShellOutput,
        "What a command printed, from a cursor on. An unknown id is an error.",
    ),
    _request(
        "shell/kill",
        shells.ShellKillParams,
        shells.ShellKilled,
        "Ends a command with everything that it started. Its call, where it waits, gets its result.",
    ),
    _request(
        "shell/background",
        shells.ShellBackgroundParams,
        shells.ShellBackgrounded,
        "Lets the command of a running call go on by itself: the same process, without a limit of time.",
    ),
    _request("session/new", session.SessionNewParams, session.SessionInfo, "Opens a chat."),
    _request("session/list", session.SessionListParams, session.SessionList, "All chats and agents."),
    Method(
        "session/restored",
        Sender.SERVER,
        session.SessionsRestored,
        None,
        "Chats of a server that is gone are here now. It may come later than an answer to `session/list`.",
    ),
    Method(
        "session/listChanged",
        Sender.SERVER,
        session.SessionListChanged,
        None,
        "Other agents are there now, new chats start with another one, or chats work in other folders.",
    ),
    _request(
        "session/load",
        session.SessionLoadParams,
        session.SessionLoaded,
        "What a rebuilt view needs: the chat, the events it missed, the calls that wait.",
    ),
    _request(
        "session/close",
        session.SessionRef,
        handshake.Nothing,
        "Stops the chat's run, forgets the chat and deletes the folder of its own.",
    ),
    _request("session/setMode", session.SetModeParams, session.SessionInfo, "Sets the mode of a chat."),
    _request(
        "session/setAgentOption",
        session.SetAgentOptionParams,
        handshake.Nothing,
        "Chooses a mode, a model or another setting that an agent of others offers. One with which it does not ask for "
        "everything is refused without `confirmed`; the error's `danger` says why.",
    ),
    _request(
        "chat/send", session.ChatSendParams, session.ChatSendResult, "Sends a message; answers when the run ends."
    ),
    _request(
        "chat/files",
        session.ChatFilesParams,
        session.ChatFiles,
        "Files of the workspace by a part of their path, to name one in a message.",
    ),
    _request(
        "chat/attachable",
        session.ChatAttachableParams,
        session.ChatAttachable,
        "Whether a file can go along with a message; a fault says why it cannot.",
    ),
    _request(
        "chat/retry",
        session.SessionRef,
        session.ChatSendResult,
        "Goes on where a run failed, without a new message; answers when the run ends. No finished call runs again.",
    ),
    _request("chat/stop", session.SessionRef, session.ChatStopResult, "Ends the run and everything that it waits for."),
    _request(
        "policy/explain",
        policy.ExplainParams,
        policy.Explanation,
        "What would be decided about a call now, and why. Runs nothing and asks nobody.",
    ),
    _request("grants/list", grants.GrantsListParams, grants.GrantsList, "Everything that is allowed without asking."),
    _request("grants/revoke", grants.GrantRef, grants.GrantRevoked, "Takes a grant back, from the next call on."),
    _request("grants/undo", grants.GrantRef, grants.GrantRestored, "Gives back what was taken back by mistake."),
    _request(
        "permissions/overview",
        handshake.Nothing,
        permissions.PermissionsOverview,
        "What decides beside the grants: modes, rules, bypasses, and what the user agreed to, each with its place.",
    ),
    _request(
        "permissions/sandbox",
        handshake.Nothing,
        permissions.SandboxStanding,
        "What holds commands on this machine. The first time, it is tried out.",
    ),
    _request(
        "permissions/setBypass",
        permissions.SetBypassParams,
        permissions.BypassSet,
        "Switches the bypass of an agent in the settings, as a click on a card does. On counts only with the digest.",
    ),
    _request(
        "permissions/setMode",
        permissions.SetDefaultModeParams,
        handshake.Nothing,
        "Sets the mode that new chats start in, in the settings, together with the user's agreement.",
    ),
    _request(
        "permissions/forgetAnswer",
        permissions.AnswerRef,
        handshake.Nothing,
        "Forgets what the user answered about an entry of the workspace's settings: it is asked about again.",
    ),
    _request(
        "history/query", history.HistoryQueryParams, history.HistoryPage, "The decisions that were taken, newest first."
    ),
    _request(
        "history/export", history.HistoryExportParams, history.HistoryExport, "The history as JSON lines, in pieces."
    ),
    _request(
        "history/verify",
        history.HistoryVerifyParams,
        history.HistoryVerified,
        "Whether the history is as it was written; names the first entry that is not.",
    ),
    _request("history/metrics", history.MetricsParams, history.Metrics, "Figures counted from the history."),
    _request(
        "checkpoint/list",
        checkpoints.CheckpointListParams,
        checkpoints.CheckpointList,
        "The runs of a chat that wrote files by tools that write files, as far as what was there before is kept.",
    ),
    _request(
        "checkpoint/diff",
        checkpoints.CheckpointRef,
        checkpoints.CheckpointDiff,
        "What a run changed, file by file, from before it until now. What shell commands wrote is not part of it.",
    ),
    _request(
        "checkpoint/text", checkpoints.CheckpointTextParams, checkpoints.CheckpointText, "A file as before the run."
    ),
    _request(
        "checkpoint/restore",
        checkpoints.CheckpointRestoreParams,
        checkpoints.CheckpointRestored,
        "Rolls back what was shown under the digest, all of it or nothing, also where the request is cancelled"
        " meanwhile. Another digest is an error.",
    ),
    _request(
        "models/list",
        models.ModelsListParams,
        models.ModelsList,
        "The models of a server that the user is about to define an agent with.",
    ),
    _request(
        "agents/suggested",
        models.SuggestedAgentsParams,
        models.SuggestedAgents,
        "Well-known agents of others: how they are installed and started, and what to know about them.",
    ),
    _request("keys/list", models.KeysListParams, models.KeysList, "Where the keys of the agents are looked for."),
    Method(
        "secrets/get",
        Sender.SERVER,
        handshake.SecretParams,
        handshake.SecretValue,
        "Asks for a key that the client stores. Only where the client announced it, and only for agents of its user.",
    ),
    _view("view/attached", "A view shows this chat from now on."),
    _view("view/detached", "The view is gone or hidden."),
    _view("view/activity", "The user did something in the view."),
    Method(
        "settings/write",
        Sender.SERVER,
        handshake.SettingsWriteParams,
        handshake.SettingsWriteResult,
        "Asks the editor to store one entry of a setting. Only where the client announced it.",
    ),
    Method(
        "editor/document",
        Sender.SERVER,
        editor.EditorDocumentParams,
        editor.EditorDocument,
        "Asks how the editor has a file open, with the text that is not saved. Only where the client announced it.",
    ),
    Method(
        "editor/save",
        Sender.SERVER,
        editor.EditorSaveParams,
        editor.EditorSaved,
        "Asks the editor to save a document after `workspace/applyEdit`. Only where the client announced it.",
    ),
    Method(
        "editor/tasks",
        Sender.SERVER,
        editor.EditorTasksParams,
        editor.EditorTasks,
        "Asks which tasks the editor has. Only where the client announced it.",
    ),
    Method(
        "editor/runTask",
        Sender.SERVER,
        editor.EditorTaskParams,
        editor.EditorTaskEnd,
        "Asks the editor to run a task, to its end; `$/cancelRequest` ends it. Only where the client announced it.",
    ),
    Method(
        "editor/openFile",
        Sender.SERVER,
        editor.EditorOpenParams,
        editor.EditorShown,
        "Asks to show the user a file. Like the three below: only where the client announced it under this name.",
    ),
    Method(
        "editor/showDiff",
        Sender.SERVER,
        editor.EditorShowDiffParams,
        editor.EditorShown,
        "Asks to show the user a file beside a text. Nothing is written.",
    ),
    Method(
        "editor/diagnostics",
        Sender.SERVER,
        editor.EditorDiagnosticsParams,
        editor.EditorDiagnostics,
        "Asks what the editor underlines in a file.",
    ),
    Method(
        "editor/selection",
        Sender.SERVER,
        editor.EditorSelectionParams,
        editor.EditorSelection,
        "Asks which file the user has before them, and what is selected in it.",
    ),
    Method(
        "editor/runCommand",
        Sender.SERVER,
        editor.EditorCommandParams,
        editor.EditorCame,
        "Asks the editor to run one of its commands, out of a closed list. Only where the client announced it.",
    ),
    Method(
        "lm/tools",
        Sender.SERVER,
        editor.EditorToolsParams,
        editor.EditorTools,
        "Asks which tools the editor has for language models. Only where the client announced `lm/invokeTool`.",
    ),
    Method(
        "lm/invokeTool",
        Sender.SERVER,
        editor.EditorToolParams,
        editor.EditorCame,
        "Asks the editor to call one of them; `$/cancelRequest` stops it. Only where the client announced it.",
    ),
    Method(
        "settings/consentRequest",
        Sender.SERVER,
        consent.ConsentRequest,
        None,
        "Entries of the workspace's settings would loosen something: they have no effect until the user agrees.",
    ),
    _request(
        "settings/consentResponse",
        consent.ConsentResponse,
        consent.ConsentOutcome,
        "The user's answer to it. An unknown id or another digest is an error and changes nothing.",
    ),
    Method(
        "settings/consentResolved",
        Sender.SERVER,
        consent.ConsentResolved,
        None,
        "The question about these settings is closed.",
    ),
    _request(
        "settings/attest",
        consent.AttestParams,
        consent.AttestResult,
        "The user's own manual save of a settings file. Only from a client that announced `attest`.",
    ),
)
"""In the order of the protocol document."""

BY_NAME: dict[str, Method] = {method.name: method for method in METHODS}


class ErrorCode(Enum):
    """JSON-RPC error codes: the standard ones that Assent sends, and its own."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    NOT_INITIALIZED = -32002
    REQUEST_CANCELLED = -32800
    APPROVAL_NOT_FOUND = -31001
    APPROVAL_ALREADY_RESOLVED = -31002
    INVALID_OPTION = -31003
    DIGEST_MISMATCH = -31004
    SESSION_NOT_FOUND = -31005
    NOT_RECORDED = -31006
    SHELL_NOT_FOUND = -31007
    NOT_CONFIRMED = -31008
