"""The one result of a call, for the model and for those who watch."""

import json
from dataclasses import replace

from assent.agent.permit import Refusal
from assent.agent.readable import escaped, printed
from assent.lazy_dataclasses import dataclass
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome, ToolUse
from assent.model.events import ToolFinished


def refused(call: ToolCall | ToolUse, refusal: Refusal) -> ToolOutcome:
    """The result of a call that did not run: the model can read why."""
    body = {"error": refusal.code, "message": refusal.message}
    if refusal.feedback:
        body["feedback"] = refusal.feedback
    content = json.dumps(body, ensure_ascii=False)
    return ToolOutcome(call.call_id, call.tool, content, is_error=True, code=refusal.code)


def finished(outcome: ToolOutcome, duration_ms: int) -> ToolFinished:
    """The result as everyone who watches is told."""
    return ToolFinished(
        call_id=outcome.call_id,
        tool=outcome.tool,
        success=not outcome.is_error,
        output=outcome.content,
        is_error=outcome.is_error,
        duration_ms=duration_ms,
        path=outcome.path,
        content=outcome.file_content,
        code=outcome.code,
        truncated=outcome.truncated,
        whole_length=outcome.whole_length,
        made=outcome.made,
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A result as the model gets it, and all of its text where that is more."""

    outcome: ToolOutcome
    whole: str | None = None


def fitted(outcome: ToolOutcome, most: int) -> Fitted:
    """The result as text that can be read, no longer than so many bytes: its beginning and its end."""
    whole = printed(outcome.content) if outcome.file_content is None else escaped(outcome.content)
    short = excerpt(whole, most)
    if short is whole:
        return Fitted(replace(outcome, content=whole) if whole != outcome.content else outcome)
    return Fitted(replace(outcome, content=short, truncated=True), whole)


def excerpt(text: str, most: int) -> str:
    """The text, or its beginning and its end with a line between them that says how many bytes are missing."""
    if len(text) * 4 <= most:
        return text
    data = text.encode("utf-8")
    if len(data) <= most:
        return text
    room = max(most - len(_gap(len(data)).encode("utf-8")), 0)
    # A character that the cut tears is left out.
    head = data[: room - room // 2].decode("utf-8", "ignore")
    tail = data[len(data) - room // 2 :].decode("utf-8", "ignore")
    missing = len(data) - len(head.encode("utf-8")) - len(tail.encode("utf-8"))
    return f"{head}{_gap(missing)}{tail}"


def _gap(missing: int) -> str:
    return f"\n… {missing} bytes left out …\n"
