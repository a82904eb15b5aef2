"""The settings as each scope says them, as they count, and what is wrong with them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assent.app.scopes import Scopes
from assent.cli.explain.question import block_of
from assent.masking import Json
from assent.model.errors import InvalidRequest
from assent.model.limits import LIMITS, PATH, SHELL_LIMITS
from assent.settings.declared import declared
from assent.settings.faults import SettingsFault
from assent.settings.files import workspace_settings_file
from assent.settings.jsonc import parse
from assent.settings.layers import Layer, Layers, layers_from
from assent.settings.reading import SettingsFile, decode, explain, read_bytes

if TYPE_CHECKING:
    from assent.app.app import App
    from assent.model.services import ServiceChoice
    from assent.settings.effective import Effective


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
        "problems": list(dict.fromkeys(problem.sentence for problem in problems)),
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
    """The value with the variables of programs counted instead of told: their names say enough about a person."""
    if isinstance(value, Mapping):
        return {name: _counted(name, item) for name, item in value.items()}
    return [without_environment(item) for item in value] if isinstance(value, list) else value


def _counted(name: str, value: Json) -> Json:
    if name.lower() not in ("env", "environment", "headers"):
        return without_environment(value)
    return f"{len(value)} of them, not shown" if isinstance(value, (Mapping, list)) else "not shown"


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
        "limits": {words.name: getattr(now.limits, field) for field, words in LIMITS.items()},
        "shell": {
            PATH: now.shell.path,
            **{words.name: getattr(now.shell, field) for field, words in SHELL_LIMITS.items()},
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
    }
    return simple.get(name)


def _service(choice: "ServiceChoice") -> Json:
    told = {"provider": choice.maker.value, "model": choice.model, "voice": choice.voice, "fault": choice.fault}
    return {name: text for name, text in told.items() if text}
