"""The system prompt, made anew for each message: the toolbelt and what the mode means for it."""

from assent.model.conversation import ToolSpec
from assent.model.modes import Mode

_MODE_RULES = {
    Mode.PLAN: "Only reading runs. Do not call tools that act; describe a plan instead.",
    Mode.ASK: "The user is asked before every call.",
    Mode.DEFAULT: "Reading inside the workspace runs at once; for everything else the user is asked.",
    Mode.AUTO: "Calls run without asking, except where something protected is touched.",
}


def system_prompt(mode: Mode, tools: tuple[ToolSpec, ...], roots: tuple[str, ...]) -> str:
    """What the model is told before the conversation."""
    listed = "\n".join(f"- {tool.name}: {tool.description}" for tool in tools)
    folders = ", ".join(roots) or "none; there is no workspace folder"
    return (
        "You help in a code editor. Every tool call passes a gate: it may run, be shown to the user, or be refused. "
        "A refusal is final for that call; do not repeat it unchanged.\n\n"
        f"Workspace folders: {folders}\n\nTools:\n{listed}\n\nMode “{mode}”: {_MODE_RULES[mode]}"
    )
