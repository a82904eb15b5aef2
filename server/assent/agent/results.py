"""The one result of a call, for the model and for those who watch."""

import json

from assent.agent.permit import Refusal
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
    )
