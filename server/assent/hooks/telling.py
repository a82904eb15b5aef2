"""What a hook reads on its input, and the environment in which it runs."""

import os
from collections.abc import Mapping
from pathlib import PurePath

from assent.jsontext import write_json
from assent.masking import kind_of_name
from assent.model.calls import Caller
from assent.model.hooks import HookCall, HookEvent, HookNotice, HookResult
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Mode

MOST_TOLD = 64 * 1024
"""Characters of a result that a hook is told."""


def before_text(call: HookCall, folder: str) -> bytes:
    """What is said before a call."""
    return _line({**_of(HookEvent.PRE_TOOL_USE, call.caller, call.mode, folder), **_call(call)})


def after_text(result: HookResult, folder: str) -> bytes:
    """What is said after one."""
    output = result.output[:MOST_TOLD]
    told: JsonObject = {
        "success": result.success,
        "output": output,
        "truncated": len(output) < len(result.output),
        "code": result.code,
    }
    call = result.call
    return _line({**_of(HookEvent.POST_TOOL_USE, call.caller, call.mode, folder), **_call(call), "tool_result": told})


def notice_text(notice: HookNotice, folder: str) -> bytes:
    """What is said of anything else."""
    told = _of(HookEvent.NOTIFICATION, notice.caller, notice.mode, folder)
    about: JsonObject = {"notification_type": notice.occasion.value, "message": notice.message[:MOST_TOLD]}
    call = notice.call
    of_call: JsonObject = {} if call is None else {"tool_name": call.tool, "tool_use_id": call.call_id}
    return _line({**told, **about, **of_call})


def _of(event: HookEvent, caller: Caller, mode: Mode, folder: str) -> JsonObject:
    return {
        "session_id": caller.session_id,
        "hook_event_name": event.value,
        "cwd": folder,
        "mode": mode.value,
        "agent": caller.agent_name,
        "sub_agents": list(caller.path),
    }


def _call(call: HookCall) -> JsonObject:
    return {"tool_name": call.call.tool, "tool_input": call.call.args, "tool_use_id": call.call.call_id}


def _line(value: JsonObject) -> bytes:
    return write_json(value) + b"\n"


def environment_for(
    given: Mapping[str, str],
    secrets: frozenset[str],
    roots: tuple[str, ...],
    event: HookEvent,
    session_id: SessionId,
    folder: str,
) -> dict[str, str]:
    """The server's own, without what is secret, and without folders from which the workspace could lend a program."""
    passed = {
        name: value
        for name, value in given.items()
        if kind_of_name(name) is None and not any(secret in value for secret in secrets)
    }
    passed.pop("ASSENT_STATE_DIR", None)
    if "PATH" in passed:
        passed["PATH"] = _path(passed["PATH"], roots)
    return {
        **passed,
        "ASSENT_HOOK_EVENT": event.value,
        "ASSENT_SESSION_ID": session_id,
        "ASSENT_WORKSPACE": folder,
    }


def _path(given: str, roots: tuple[str, ...]) -> str:
    """Of the user's own folders for programs, those that no workspace can fill."""
    kept = (folder for folder in given.split(os.pathsep) if PurePath(folder).is_absolute())
    return os.pathsep.join(folder for folder in kept if not any(_lies_in(folder, root) for root in roots))


def _lies_in(folder: str, root: str) -> bool:
    place = PurePath(os.path.normpath(folder))
    return place.is_relative_to(root) or PurePath(os.path.realpath(place)).is_relative_to(os.path.realpath(root))
