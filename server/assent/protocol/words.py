"""The closed lists of words on the wire."""

from typing import Literal

Mode = Literal["plan", "ask", "default", "auto"]
ModeOrAlias = Literal["plan", "ask", "default", "auto", "ask_every_time", "auto_accept_read_only", "auto_accept_all"]
Category = Literal["read", "write", "execute", "external", "internal"]
OptionKind = Literal[
    "allow_once",
    "allow_session",
    "allow_always",
    "reject_once",
    "reject_always",
    "bypass_session",
    "bypass_agent",
    "background",
    "add_directory",
]
Decision = Literal[
    "allow_once",
    "allow_session",
    "allow_always",
    "reject_once",
    "reject_always",
    "bypass_session",
    "bypass_agent",
    "background",
    "add_directory",
    "accept",
    "reject",
    "always_allow",
    "allow",
    "allow_for_chat",
    "deny",
]
ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
WrittenSide = Literal["before", "after"]
Status = Literal["allowed", "rejected", "cancelled", "timeout", "expired", "denied_by_rule"]
ResolvedBy = Literal["user", "policy", "timeout", "stop", "agent", "agent_exit", "shutdown", "restart"]
Phase = Literal["pre_tool_use", "awaiting_approval", "running", "post_tool_use"]
ShellStatus = Literal["running", "exited", "killed", "failed"]
OutputStream = Literal["stdout", "stderr"]
RiskLevel = Literal["low", "medium", "high"]
LineKind = Literal["context", "added", "removed", "gap"]
NoticeLevel = Literal["info", "warning", "error"]
DoneReason = Literal["stop", "cancelled", "limit"]
RunEnd = Literal["stop", "cancelled", "limit", "error"]
WhenBusy = Literal["queue", "replace"]
PolicyOutcome = Literal["run", "ask", "block", "error", "need_hooks"]
WriteTarget = Literal["workspace", "user"]
HistoryStage = Literal["requested", "decided", "started", "finished", "granted", "revoked"]
HistoryEnding = Literal[
    "allowed",
    "rejected",
    "cancelled",
    "timeout",
    "expired",
    "denied_by_rule",
    "blocked",
    "unusable",
    "done",
    "failed",
    "stopped",
    "unknown",
]
GrantKind = Literal[
    "key",
    "directory",
    "bypass_session",
    "tool",
    "rule",
    "deny_rule",
    "ask_rule",
    "bypass_agent",
    "root",
    "mode",
    "matrix",
    "server",
    "server_trust",
]
SettingsScope = Literal["user", "workspace", "folder"]
RuleEffect = Literal["deny", "ask", "allow"]
GrantScope = Literal["chat", "workspace", "user"]
MediaType = Literal["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml", "audio/wav", "audio/mpeg"]
EditorCommandId = Literal[
    "vscode.executeDocumentSymbolProvider",
    "vscode.executeWorkspaceSymbolProvider",
    "vscode.executeDefinitionProvider",
    "vscode.executeTypeDefinitionProvider",
    "vscode.executeImplementationProvider",
    "vscode.executeReferenceProvider",
    "vscode.executeHoverProvider",
    "vscode.executeSignatureHelpProvider",
    "vscode.executeCodeLensProvider",
    "editor.action.formatDocument",
    "editor.action.organizeImports",
    "workbench.action.files.saveAll",
    "testing.runAll",
    "testing.reRunFailTests",
    "testing.cancelRun",
    "git.refresh",
]
"""All commands that the editor is ever asked to run."""
ArgumentKind = Literal["file", "position", "text", "number", "boolean"]
FormAction = Literal["accept", "decline", "cancel"]
FormAskerKind = Literal["mcp_server", "agent"]
FormFieldKind = Literal[
    "text", "email", "uri", "date", "date_time", "number", "integer", "boolean", "choice", "choices"
]
