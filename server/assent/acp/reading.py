"""What an agent says, out of the JSON in which it says it. Lenient, because agents differ; and nothing here raises."""

from collections import Counter

from assent.acp.fields import as_object, count_in, description_in, items, member, name_in, offered, text_in
from assent.acp.settings_reading import every_setting, settings_of
from assent.acp.told import text_of_block, told_of
from assent.acp.words import (
    Command,
    CommandsTold,
    Introduction,
    Login,
    ModeTold,
    Opened,
    PlanEntry,
    PlanTold,
    Question,
    RequestId,
    Said,
    SettingsTold,
    ToolTold,
    Update,
    UsageTold,
)
from assent.model.approval import OwnKind, OwnOption
from assent.model.json import Json, JsonObject


def update_of(params: Json) -> tuple[str, Update] | None:
    """What a session/update says, and of which session; None for what is of no use here."""
    session, update = text_in(member(params, "sessionId")), member(params, "update")
    told = _told(update) if session is not None else None
    return None if session is None or told is None else (session, told)


def question_of(request_id: RequestId, params: Json) -> Question | None:
    """What a session/request_permission asks; None where it does not even say in which session."""
    session = text_in(member(params, "sessionId"))
    if session is None:
        return None
    return Question(request_id, session, told_of(member(params, "toolCall")), _options(member(params, "options")))


def introduction_of(result: Json) -> Introduction | None:
    """The answer to initialize; None where it names no protocol."""
    protocol = count_in(member(result, "protocolVersion"))
    if protocol is None:
        return None
    can = member(result, "agentCapabilities")
    return Introduction(
        protocol,
        name=name_in(member(result, "agentInfo", "name")),
        version=name_in(member(result, "agentInfo", "version")),
        loads_sessions=offered(member(can, "loadSession")),
        resumes_sessions=offered(member(can, "sessionCapabilities", "resume")),
        takes_images=offered(member(can, "promptCapabilities", "image")),
        takes_resources=offered(member(can, "promptCapabilities", "embeddedContext")),
        logins=logins_of(member(result, "authMethods")),
    )


def logins_of(methods: Json) -> tuple[Login, ...]:
    """The ways to log in: of an introduction, or of the data of an error."""
    found = []
    for method in items(methods):
        method_id = text_in(member(method, "id"))
        if method_id is not None:
            name = name_in(member(method, "name")) or method_id
            found.append(Login(method_id, name, description_in(member(method, "description"))))
    return tuple(found)


def opened_of(result: Json, session_id: str | None = None) -> Opened | None:
    """The answer to session/new, session/load or session/resume. Those of the latter do not name the session again."""
    session = text_in(member(result, "sessionId")) or session_id
    return None if not session else Opened(session, every_setting(result))


def _told(update: Json) -> Update | None:
    match member(update, "sessionUpdate"):
        case "agent_message_chunk":
            return _said(update, thinking=False)
        case "agent_thought_chunk":
            return _said(update, thinking=True)
        case "tool_call" | "tool_call_update":
            return _named(told_of(update))
        case "plan":
            return PlanTold(tuple(_entries(member(update, "entries"))))
        case "available_commands_update":
            return CommandsTold(tuple(_commands(member(update, "availableCommands")).values()))
        case "current_mode_update":
            mode = text_in(member(update, "currentModeId"))
            return None if mode is None else ModeTold(mode)
        case "config_option_update":
            return SettingsTold(settings_of(member(update, "configOptions")))
        case "usage_update":
            return UsageTold(count_in(member(update, "used")), count_in(member(update, "size")))
    return None


def _said(update: Json, *, thinking: bool) -> Said | None:
    text = text_of_block(member(update, "content"))
    return None if text is None else Said(text, thinking)


def _named(told: ToolTold) -> ToolTold | None:
    return told if told.tool_call_id else None


def _entries(value: Json) -> list[PlanEntry]:
    found = []
    for entry in items(value):
        content = description_in(member(entry, "content"))
        if content:
            found.append(PlanEntry(content, name_in(member(entry, "status")) or "pending"))
    return found


def _commands(value: Json) -> dict[str, Command]:
    """By their names: some agents tell a command twice."""
    found: dict[str, Command] = {}
    for one in items(value):
        name = text_in(member(one, "name"))
        if name is not None:
            hint = description_in(member(one, "input", "hint")) or None
            found.setdefault(name, Command(name, description_in(member(one, "description")), hint))
    return found


def _options(value: Json) -> tuple[OwnOption, ...]:
    """Without those that cannot be named in an answer. Where two have one id, an answer would be a guess."""
    told = [as_object(one) for one in items(value)]
    named = [(option_id, one) for one in told if (option_id := text_in(one.get("optionId"))) is not None]
    times = Counter(option_id for option_id, _ in named)
    return tuple(_option(option_id, one, once=times[option_id] == 1) for option_id, one in named)


def _option(option_id: str, value: JsonObject, *, once: bool) -> OwnOption:
    kind = _own_kind(value.get("kind")) if once else OwnKind.OTHER
    return OwnOption(option_id, kind, name_in(value.get("name")) or option_id)


def _own_kind(value: Json) -> OwnKind:
    return _OWN_KINDS.get(value, OwnKind.OTHER) if isinstance(value, str) else OwnKind.OTHER


_OWN_KINDS = {kind.value: kind for kind in OwnKind}
