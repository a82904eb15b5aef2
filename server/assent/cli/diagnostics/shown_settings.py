"""The settings as each scope says them, as they count, and what is wrong with them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from assent.app.scopes import Scopes
from assent.cli.explain.question import block_of
from assent.masking import Json, kind_of_name
from assent.model.collections import DOCUMENTS
from assent.model.errors import InvalidRequest
from assent.model.hooks import HookEvent
from assent.model.limits import ENVIRONMENT, LIMITS, PASS, PATH, SHELL_LIMITS, WITHHOLD
from assent.settings.declared import declared
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.jsonc import parse
from assent.settings.layers import Layer, Layers, layers_from
from assent.settings.reading import SettingsFile, decode, explain, read_bytes

if TYPE_CHECKING:
    from assent.app.app import App
    from assent.model.collections import Collection
    from assent.model.hooks import Hook
    from assent.model.services import ServiceChoice
    from assent.settings.effective import Effective
    from assent.settings.mcp_servers import ServerDefinition


_ADDRESS = re.compile(r"https?://[^\s“”\"]+", re.IGNORECASE)
NOT_READ = "not read"
"""Instead of the user's file, where none was named."""


def settings_shown(app: "App", folder: Path, user_file: Path | None) -> dict[str, Json]:
    """All of it, for a workspace of this one folder. Values are not masked yet."""
    user = None if user_file is None else _user_block(user_file)
    app.workspace.folders = (str(folder),)
    app.trust.meet((folder,), Scopes(user), trusted=None, write=None)
    reading = SettingsFile(workspace_settings_file(folder)).read()
    layers = layers_from({"user": user}, reading)
    now = app.trust.now()
    problems = (*app.trust.diagnostics(), *app.trust.remarks())
    return {
        "user": NOT_READ if user_file is None else str(user_file),
        "workspace": str(reading.file) if reading.exists else "no settings of its own",
        "byKey": [_about(name, layers, now) for name in declared()],
        "agents": [{"name": name, "bypass": now.bypass(name).text} for name in now.agents],
        "rules": len(now.rules.rules),
        "awaitingConsent": [f"assent.{entry.setting}" for entry in now.awaiting],
        "problems": list(dict.fromkeys(_ADDRESS.sub(_bare, problem.sentence) for problem in problems)),
    }


def _user_block(file: Path) -> Mapping[str, Json]:
    try:
        document = parse(decode(read_bytes(file)))
    except (OSError, SettingsFault) as fault:
        raise InvalidRequest(f"{file} cannot be read as settings: {explain(fault)}") from None
    if document.root is not None and document.root.members is None:
        raise InvalidRequest(f"{file} cannot be read as settings: the file should hold {{ }} and holds something else")
    return block_of(document)


def _about(name: str, layers: Layers, now: "Effective") -> dict[str, Json]:
    said: list[Json] = [_said(layer, name) for layer in layers.all if layer.get(name) is not None]
    counts = _counts(name, now)
    about: dict[str, Json] = {"key": f"assent.{name}", "said": said}
    if not said:
        about["default"] = declared()[name].default
    return about if counts is None else {**about, "counts": counts}


def _said(layer: Layer, name: str) -> dict[str, Json]:
    line = layer.origin(name).line
    return {"scope": layer.scope.value, "file": layer.file, "line": line, "value": without_environment(layer.get(name))}


def without_environment(value: Json) -> Json:
    """The value with the variables of programs counted instead of told: their names say enough about a person.

    Of addresses, it is without what may hold a key: who asks, and what stands behind the question mark.
    """
    if isinstance(value, Mapping):
        return {name: _counted(name, item) for name, item in value.items()}
    return [without_environment(item) for item in _words(value)] if isinstance(value, list) else value


def _words(words: list[Json]) -> list[Json]:
    """Arguments of a program without what follows an option that is for a secret."""
    names = (word if isinstance(word, str) and word.startswith("-") and "=" not in word else "" for word in words)
    hidden = [kind_of_name(name) is not None for name in names]
    return [
        "not shown" if after and isinstance(word, str) else word
        for word, after in zip(words, [False, *hidden], strict=False)
    ]


def _counted(name: str, value: Json) -> Json:
    if isinstance(value, str) and name.lower() in ("url", "baseurl"):
        return _address(value)
    if name.lower() not in ("env", "environment", "headers"):
        return without_environment(value)
    return f"{len(value)} of them, not shown" if isinstance(value, (Mapping, list)) else "not shown"


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "no address, not shown"
    host = parts.netloc.rpartition("@")[2]
    bare = urlunsplit((parts.scheme, host, parts.path, "", ""))
    return bare if bare == url else f"{bare} (more of it is not shown)"


def _bare(found: re.Match[str]) -> str:
    """An address in a sentence, which may quote what somebody has set."""
    return _address(found[0])


def _counts(name: str, now: "Effective") -> Json:
    """What a setting comes to, of those that come to one value."""
    simple: dict[str, Json] = {
        "mode": now.mode_for_new_chats.value,
        "agent": now.agent_for_new_chats,
        "bypassAvailable": now.bypass_available,
        "bypassWriteTarget": now.write_target.value,
        "confirmOutsideWorkspace": now.confirm_outside_workspace,
        "enabled": now.enabled,
        "sessionGrants": now.session_grants,
        "additionalWorkingDirectories": list(now.additional_directories),
        "approvalTimeoutSeconds": now.allowance.seconds,
        "approvalTimeoutWhen": now.allowance.when.value,
        "secrets.reading": now.secrets_reading.value,
        "limits": {words.name: getattr(now.limits, field) for field, words in LIMITS.items()},
        "shell": {
            PATH: now.shell.path,
            **{words.name: getattr(now.shell, field) for field, words in SHELL_LIMITS.items()},
            ENVIRONMENT: {PASS: list(now.shell.passed), WITHHOLD: list(now.shell.withheld)},
        },
        "sandbox": {
            "enabled": now.sandbox.enabled.value,
            "autoAllow": now.sandbox.auto_allow,
            "network": now.sandbox.network,
            "writable": list(now.sandbox.writable),
        },
        "images": _service(now.images),
        "speech": _service(now.speech),
        "webSearch": _service(now.web_search),
        "streaming": now.streaming,
        "mcpServers": [_server(server) for server in now.mcp_servers.values()],
        "hooks": [_hook(hook) for hook in now.hooks],
        "collections": [_collection(one) for one in now.collections],
    }
    return simple.get(name)


def _server(server: "ServerDefinition") -> Json:
    kind = "an address" if "url" in server.definition else "a program"
    whose = "user" if server.of_user else "workspace"
    return {"name": server.name, "is": kind, "definedBy": whose, "trusted": server.trusted}


def _hook(hook: "Hook") -> Json:
    """Without its command, which stands beside it as it was set."""
    told: dict[str, Json] = {"event": hook.event.value, "matcher": hook.matcher, "timeoutSeconds": hook.timeout_seconds}
    if hook.event is HookEvent.PRE_TOOL_USE:
        told |= {"failClosed": hook.fail_closed, "mayAllow": hook.may_allow, "mayChange": hook.may_change}
    return {**told, "fault": hook.fault} if hook.fault else told


def _collection(one: "Collection") -> Json:
    told: dict[str, Json] = {"name": one.name, "folders": list(one.folders), "exclude": list(one.exclude)}
    return told if one.include == DOCUMENTS else {**told, "include": list(one.include)}


def _service(choice: "ServiceChoice") -> Json:
    told = {"provider": choice.maker.value, "model": choice.model, "voice": choice.voice, "fault": choice.fault}
    return {name: text for name, text in told.items() if text}
