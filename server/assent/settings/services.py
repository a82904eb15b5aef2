"""Who makes pictures and speech, and searches the web: the user's word, or that of a workspace the user agreed to.

Whoever does it reads what agents ask for. So whatever a workspace says otherwise than the user needs an agreement,
and never brings a key of the user to an address of its own.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from assent.model.json import Json, JsonObject
from assent.model.services import MAKERS, Maker, Makes, ServiceChoice, usual_service
from assent.settings.agents import launch_digest
from assent.settings.faults import SettingsFault
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import At, LooseningEntry, service_entry
from assent.settings.scales import Scales, Standing

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VOICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.+()-]{0,79}", re.ASCII)
"""It stands among the options of a program."""
_NAMES = {
    Makes.IMAGES: ("provider", "baseUrl", "model", "apiKeyEnv"),
    Makes.SPEECH: ("provider", "baseUrl", "model", "voice", "apiKeyEnv"),
    Makes.SEARCHES: ("provider", "baseUrl", "apiKeyEnv"),
}
LONGEST = 2_000


def service_of(makes: Makes, layers: Layers, scales: Scales, found: Findings) -> ServiceChoice:
    """Who makes it now."""
    users = _of_user(makes, layers.user, scales, found)
    chosen = users
    for layer in reversed(layers.of_workspace):
        said = _said(makes, layer, found)
        if said is None or said == _said(makes, layers.user, Findings()):
            continue
        try:
            wanted = service_choice(makes, said, of_user=False)
        except SettingsFault as fault:
            found.add(f"assent.{makes} does not count: {fault}.", layer, makes, kind=Kind.WRONG_VALUE)
            continue
        if scales.standing(layer, _entry(makes, layer, said, wanted)) is Standing.COUNTS:
            chosen = wanted
    return chosen


def services_in(layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says of it."""
    for makes in Makes:
        said = _said(makes, layer, found)
        if said is None:
            continue
        try:
            wanted = service_choice(makes, said, of_user=layer.scope is Scope.USER)
        except SettingsFault:
            continue
        yield _entry(makes, layer, said, wanted)


def service_choice(makes: Makes, said: JsonObject, *, of_user: bool) -> ServiceChoice:
    """What an entry means. Raises a SettingsFault that says what is wrong with it."""
    for name in said:
        if "key" in name.lower() and name != "apiKeyEnv":
            raise SettingsFault(
                "a key does not belong into settings: store it with “Assent: Set API Key”, or name apiKeyEnv"
            )
        if name not in _NAMES[makes]:
            raise SettingsFault(f"there is no entry of this name; there are {', '.join(_NAMES[makes])}")
    texts = {name: _text(said, name) for name in _NAMES[makes]}
    maker = _maker(makes, texts["provider"])
    variable = texts["apiKeyEnv"]
    if variable and not _VARIABLE.fullmatch(variable):
        raise SettingsFault("apiKeyEnv is the name of an environment variable, and never the key itself")
    if maker.is_server:
        _check_server(maker, texts)
    elif texts.get("voice") and not _VOICE.fullmatch(texts["voice"]):
        raise SettingsFault("voice is the name of a voice, of letters, digits and blanks")
    return ServiceChoice(
        maker,
        texts["baseUrl"] if maker.is_server else "",
        texts.get("model", ""),
        texts.get("voice", ""),
        variable or None,
        of_user,
    )


def _check_server(maker: Maker, texts: Mapping[str, str]) -> None:
    if not texts["baseUrl"] and maker.is_known_place:
        return
    if not texts["baseUrl"]:
        raise SettingsFault(f'the provider {maker} needs the address of its server: "baseUrl": "http://…"')
    if not _is_address(texts["baseUrl"]):
        raise SettingsFault("baseUrl is an address that begins with http:// or https:// and holds no name or password")
    if maker is Maker.OPENAI and not texts["model"]:
        raise SettingsFault(f'the provider {maker} needs a model, by its name: "model": "…"')


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    plain = all(char.isprintable() and not char.isspace() for char in text)
    # What follows a question mark would end up in the middle of the address that is asked.
    whole = not parts.query and not parts.fragment
    named = bool(parts.hostname) and parts.username is None and parts.password is None
    return plain and whole and named and parts.scheme in ("http", "https")


def _maker(makes: Makes, name: str) -> Maker:
    makers = MAKERS[makes]
    if not name:
        return makers[0]
    found = next((maker for maker in makers if maker.value == name), None)
    if found is None:
        raise SettingsFault(f"there is no provider of this name; there are {', '.join(makers)}")
    return found


def _text(said: JsonObject, name: str) -> str:
    value = said.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST or not value.isprintable():
        raise SettingsFault(f"{name} is a text on one line")
    return value.strip()


def _of_user(makes: Makes, user: Layer, scales: Scales, found: Findings) -> ServiceChoice:
    said = _said(makes, user, found)
    if said is None:
        return usual_service(makes)
    try:
        choice = service_choice(makes, said, of_user=True)
    except SettingsFault as fault:
        found.add(f"assent.{makes} does not count: {fault}.", user, makes, kind=Kind.WRONG_VALUE)
        # Not the usual one instead: what was meant to stay on this machine must not go elsewhere by a slip.
        return ServiceChoice(MAKERS[makes][0], fault=f"assent.{makes} in the user's settings is wrong: {fault}.")
    if scales.standing(user, _entry(makes, user, said, choice)) is Standing.COUNTS:
        return choice
    return usual_service(makes)


def _said(makes: Makes, layer: Layer, found: Findings) -> JsonObject | None:
    """What a layer says; None where that is nothing."""
    said: Json = layer.get(makes)
    if said is None or said == {}:
        return None
    if not isinstance(said, Mapping):
        found.wrong(layer, f"an object that says who makes {_WHAT[makes]}; it does not count", makes)
        return None
    return said


def _entry(makes: Makes, layer: Layer, said: JsonObject, choice: ServiceChoice) -> LooseningEntry:
    return service_entry(At(layer, makes), _WHAT[makes], choice, launch_digest(said), dict(said))


_WHAT = {Makes.IMAGES: "pictures", Makes.SPEECH: "speech", Makes.SEARCHES: "searches"}
