"""Agents as the user's own settings define them, and what a trust in one of them is bound to."""

import json
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.consent_file import Consent
from assent.settings.faults import SettingsFault

BYPASS_SETTING = "bypassPermissions"


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent by its name, and how it is started or reached. `digest` changes with any part of the definition."""

    name: str
    definition: JsonObject
    digest: str
    of_user: bool = field(default=True, compare=False)
    """The user's own settings define it, or the product: only such an agent is given a key."""


def define_agent(name: str, value: Json, *, of_user: bool = True) -> AgentDefinition:
    """The agent that an entry of `assent.agents` defines; a SettingsFault that says what is wrong with it."""
    if not isinstance(value, Mapping):
        raise SettingsFault("an agent is an object with a command or a provider")
    definition = launch_part(value)
    started, reached = definition.get("command"), definition.get("provider")
    if not any(isinstance(word, str) and word for word in (started, reached)):
        raise SettingsFault("an agent needs a command or a provider, as text")
    if started is not None and reached is not None:
        raise SettingsFault("an agent has either a command or a provider")
    _require_texts(definition)
    return AgentDefinition(name, definition, launch_digest(definition), of_user)


def launch_part(value: JsonObject) -> JsonObject:
    """The definition without the permission that may stand in it."""
    return {key: part for key, part in value.items() if key != BYPASS_SETTING}


def _require_texts(definition: JsonObject) -> None:
    args, env = definition.get("args", []), definition.get("env", {})
    if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
        raise SettingsFault("args is a list of texts")
    if not isinstance(env, Mapping) or not all(isinstance(text, str) for text in env.values()):
        raise SettingsFault("env is an object of texts")


def launch_digest(definition: JsonObject) -> str:
    """A digest over every byte of a definition; the order of its keys does not matter."""
    try:
        written = json.dumps(definition, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as fault:
        raise SettingsFault(f"the definition is no JSON ({fault})") from None
    return sha256(written.encode("ascii")).hexdigest()


def bypass_consent(agent: str, digest: str) -> Consent:
    """What a user agrees to who lets this agent, as it is defined now, run without asking."""
    meaning = json.dumps([BYPASS_SETTING, agent, digest, True])
    return Consent(BYPASS_SETTING, agent, sha256(meaning.encode("ascii")).hexdigest())
