"""From what happens in a chat, and from questions, to the Agent Client Protocol. No I/O."""

from collections.abc import Iterator, Mapping

from assent.model.approval import OptionKind, Question
from assent.model.events import (
    Chunk,
    CommandsChanged,
    Event,
    ModeChanged,
    Notice,
    NoticeLevel,
    Passing,
    Phase,
    PlanChanged,
    SlashCommand,
    ToolCalled,
    ToolFinished,
    ToolProgress,
)
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment, Kind, Part, fenced
from assent.model.modes import Category, Mode
from assent.model.preview import CommandPreview, DiffPreview, LineKind, Preview, StepPreview, StepsPreview, UrlPreview

_KINDS = {
    Category.READ: "read",
    Category.WRITE: "edit",
    Category.EXECUTE: "execute",
    Category.EXTERNAL: "fetch",
    Category.INTERNAL: "think",
}
_TOOLS = {"bash": "execute", "delete_file": "delete", "move_file": "move", "acp:switch_mode": "switch_mode"}
_SIGNS = {LineKind.CONTEXT: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.GAP: "…"}
_OFFERED = {
    OptionKind.ALLOW_ONCE: "allow_once",
    OptionKind.ALLOW_SESSION: "allow_always",
    OptionKind.REJECT_ONCE: "reject_once",
}
"""What an editor is offered. Nothing of it reaches further than the chat: some editors choose by the kind alone."""
_MODES = {
    Mode.PLAN: "Reads and proposes; nothing runs that acts.",
    Mode.ASK: "Every call is asked for, also one that only reads.",
    Mode.DEFAULT: "Reading inside the workspace runs; all else is asked for.",
    Mode.AUTO: "Everything runs but what is protected, forbidden or asked for by a rule.",
}


def updates_of(event: Event | Passing) -> Iterator[JsonObject]:
    """What an editor is told of an event."""
    match event:
        case Chunk(text=text, thinking=thinking):
            if text:
                yield _message("agent_message_chunk", text)
            if thinking:
                yield _message("agent_thought_chunk", thinking)
        case ToolCalled():
            yield {
                "sessionUpdate": "tool_call",
                "toolCallId": event.call_id,
                "title": event.headline,
                "kind": kind_of(event.tool, event.category),
                "status": "pending",
                "rawInput": event.args,
            }
        case ToolProgress(phase=Phase.RUNNING, output_delta=None):
            yield {"sessionUpdate": "tool_call_update", "toolCallId": event.call_id, "status": "in_progress"}
        case ToolFinished():
            yield {
                "sessionUpdate": "tool_call_update",
                "toolCallId": event.call_id,
                "status": "failed" if event.is_error else "completed",
                "content": [_text_content(event.output)],
            }
        case PlanChanged(steps):
            entries: list[Json] = [
                {"content": one.content, "priority": "medium", "status": one.status} for one in steps
            ]
            yield {"sessionUpdate": "plan", "entries": entries}
        case CommandsChanged(commands):
            yield {"sessionUpdate": "available_commands_update", "availableCommands": list(map(_command, commands))}
        case ModeChanged(mode):
            yield {"sessionUpdate": "current_mode_update", "currentModeId": mode.value}
        case Notice(text, level):
            sign = "" if level is NoticeLevel.INFO else "⚠ "
            yield _message("agent_thought_chunk", f"{sign}Assent: {text}\n")
        case _:
            return


def _command(command: SlashCommand) -> JsonObject:
    hint: JsonObject = {"input": {"hint": command.hint}} if command.hint else {}
    return {"name": command.name, "description": command.description, **hint}


def kind_of(tool: str, category: Category) -> str:
    """The protocol's word for what a call does."""
    return _TOOLS.get(tool) or _KINDS.get(category, "other")


def modes_of(mode: Mode) -> JsonObject:
    """The modes of a chat, and the one in which it is."""
    known: list[Json] = [{"id": one.value, "name": one.label, "description": does} for one, does in _MODES.items()]
    return {"currentModeId": mode.value, "availableModes": known}


def permission_of(question: Question, acp_session: str, texts: tuple[str | None, str] | None) -> JsonObject:
    """The question as an editor can draw it. `texts`: a file's whole content before and after, where that is known."""
    card = question.card
    content: list[Json] = [_text_content(text) for text in _said(question)]
    if texts is not None and isinstance(card.preview, DiffPreview):
        content.append({"type": "diff", "path": card.preview.real_path, "oldText": texts[0], "newText": texts[1]})
    else:
        content.append(_text_content(preview_text(card.preview)))
    locations: list[Json] = (
        [{"path": card.preview.real_path}] if isinstance(card.preview, DiffPreview) and card.preview.real_path else []
    )
    return {
        "sessionId": acp_session,
        "toolCall": {
            "toolCallId": card.call.call_id,
            "title": card.headline,
            "kind": kind_of(card.call.tool, card.category),
            "status": "pending",
            "content": content,
            "locations": locations,
            "rawInput": card.call.args,
        },
        "options": list(_options(question)),
    }


def preview_text(preview: Preview) -> str:
    """A preview as text in a block, whole lines of it as they are."""
    match preview:
        case StepsPreview():
            return "\n\n".join(map(_step_text, preview.steps))
        case CommandPreview():
            lines = [preview.text]
            lines.extend(f"# {part.written}: {part.does}" for part in preview.parts)
            lines.extend(f"# {note}" for part in preview.parts for note in part.notes)
            lines.extend(f"# {one}" for one in (preview.unreadable, preview.note, preview.sandbox) if one)
            if preview.more_parts:
                lines.append(f"# {preview.more_parts} more parts")
            return fenced("\n".join(lines), "sh")
        case DiffPreview():
            lines = [f"{_SIGNS[line.kind]}{line.text}" for line in preview.lines]
            note = f"\n\n{preview.note}" if preview.note else ""
            more = "" if preview.whole else "\n\nNot all of it is shown."
            return fenced("\n".join((f"# {preview.path}", *lines)), "diff") + note + more
        case UrlPreview():
            return fenced("\n".join(one for one in (preview.text, preview.note) if one), "text")
    return fenced(preview.text, "json")


def _step_text(step: StepPreview) -> str:
    return "\n\n".join([f"{step.number}. {step.headline}", *step.notes, preview_text(step.preview)])


def _said(question: Question) -> Iterator[str]:
    card = question.card
    yield card.reason_text
    if card.directory and isinstance(card.preview, CommandPreview):
        yield f"In {card.directory}."
    for note in card.risk.notes if card.risk is not None else ():
        yield f"⚠ {note}"


def _options(question: Question) -> Iterator[Json]:
    """The plain answers, and the narrowest that holds for the chat."""
    for kind, word in _OFFERED.items():
        # Some editors choose by the kind of an answer: what no word means is nothing for them.
        of_kind = [one for one in question.card.options if one.kind is kind and not (one.disabled or one.by_id_only)]
        for option in of_kind if kind is OptionKind.ALLOW_ONCE else of_kind[:1]:
            yield {"optionId": option.option_id, "name": option.name, "kind": word}


def _message(update: str, text: str) -> JsonObject:
    return {"sessionUpdate": update, "content": {"type": "text", "text": text}}


def _text_content(text: str) -> JsonObject:
    return {"type": "content", "content": {"type": "text", "text": text}}


def parts_of_prompt(blocks: Json) -> tuple[Part, ...]:
    """What the user wrote, and what the editor put beside it, in its order."""
    return tuple(_part(block) for block in blocks if isinstance(block, dict)) if isinstance(blocks, list) else ()


def _part(block: Mapping[str, Json]) -> Part:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "resource_link", "uri": str(uri)}:
            return Attachment(Kind.LINK, _text(block, "name") or uri, uri, _text(block, "mimeType"))
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text), "mimeType": str(mime)}}:
            return Attachment(Kind.TEXT, uri, uri, mime, text)
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text)}}:
            return Attachment(Kind.TEXT, uri, uri, content=text)
        case {"type": "image", "data": str(data), "mimeType": str(mime)} if mime.startswith("image/") and data:
            uri = _text(block, "uri")
            return Attachment(Kind.IMAGE, uri.rpartition("/")[2], uri, mime, data)
    return f"[{_text(block, 'type') or 'something'} left out: it cannot be passed on]"


def _text(block: Mapping[str, Json], name: str) -> str:
    found = block.get(name)
    return found if isinstance(found, str) else ""
