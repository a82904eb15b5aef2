"""What a person is told of a model server that fails: what, why, what to do."""

import re
from typing import NamedTuple

from assent.lazy_dataclasses import dataclass
from assent.masking import mask_text
from assent.model.errors import ProviderFault
from assent.providers.connection import NoAnswer, Trouble
from assent.providers.retrying import in_words

MOST_WORDS = 300
"""Characters of the server's own words."""
_MOST_READ = 4_000
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|exceed_context|prompt is too long|too many (?:input )?tokens|request_too_large"
    r"|input token count|maximum context|input is too long|reduce the length",
    re.IGNORECASE,
)
_START = {"ollama": "Start Ollama there, for example with “ollama serve”"}
_FETCH = {"ollama": "Get it with “ollama pull {model}”"}
_SETTING = "correct baseUrl in assent.agents"


class _Words(NamedTuple):
    """A message: `{at}` is the server, `{said}` what it or the machine says of it."""

    code: str
    what: str
    do: str
    passing: bool = False


_TROUBLES = {
    Trouble.REFUSED: _Words("unreachable", "Nothing answers at {at}.", "{start}, or {setting}."),
    Trouble.UNKNOWN_HOST: _Words(
        "unreachable",
        "No machine has the name in {at}.",
        "Look whether this machine is connected, or {setting}.",
        passing=True,
    ),
    Trouble.NOT_TRUSTED: _Words(
        "not_trusted",
        "{at} does not prove who it is, so nothing was sent.{said}",
        "Let this machine trust its certificate, or {setting}.",
    ),
    Trouble.NO_CONNECTION: _Words(
        "unreachable",
        "{at} cannot be reached.{said}",
        "Look whether the server runs and the network leads there, or {setting}.",
        passing=True,
    ),
    Trouble.SILENT: _Words("silent", "{at} said nothing for too long.", "Try again.", passing=True),
    Trouble.BROKEN: _Words("broken_off", "{at} ended the connection.{said}", "Try again.", passing=True),
    Trouble.GARBLED: _Words(
        "malformed_answer", "{at} does not answer with HTTP as it should.{said}", "Look what runs there, or {setting}."
    ),
}
_KEY_MISSING = _Words(
    "key_missing", "{at} wants a key, and there is none.{said}", "Store it with “Assent: Set API Key”."
)
_KEY_REJECTED = _Words(
    "key_rejected", "{at} does not accept the key.{said}", "Store another one with “Assent: Set API Key”."
)
_NOT_ALLOWED = _Words(
    "key_rejected",
    "{at} does not allow this with the key.{said}",
    "Look what the key may be used for, or store another one with “Assent: Set API Key”.",
)
_NO_MODEL = _Words(
    "model_not_found",
    "{at} does not have the model “{model}”, or is no model's server.{said}",
    "{fetch}, or {setting}.",
)
_TOO_OFTEN = _Words("rate_limited", "{at} was asked too often.{said}", "{later}", passing=True)
_TROUBLED = _Words("server_trouble", "{at} has trouble ({status}).{said}", "{later}", passing=True)
_REJECTED = _Words(
    "rejected", "{at} does not take the request ({status}).{said}", "Look at the agent in assent.agents."
)
_CONTEXT = _Words(
    "context_too_long",
    "The chat is longer than the model “{model}” at {at} can take.{said}",
    "Begin a new chat, or tell the model's real size with contextWindow in assent.agents.",
)
_REDIRECTED = _Words(
    "redirected",
    "{at} points elsewhere{to}. Assent does not follow, because the key would go along.",
    "If that address is right, write it into baseUrl in assent.agents.",
)
_OTHER_FORMAT = _Words(
    "not_a_model_server",
    "{at} answers with {kind}, which no model does.",
    "A proxy or a login page may stand in between; else {setting}.",
)
_IN_ITS_WORDS = frozenset({"server_fault", "server_trouble", "rate_limited", "event_too_big"})
"""Faults in an answer that come without a word on what to do."""
_NOT_FOR_PICTURES = frozenset({401, 403, 429})
_WITHOUT_PICTURES = (
    "The conversation holds pictures: if the model takes none, or none like these, edit the message that they went "
    "with and send it without them."
)
_BLIND = _Words(
    "no_pictures",
    "The conversation holds pictures, and the model “{model}” at {at} sees none, so nothing was sent.",
    "Edit the message that they went with and send it without them, or name a model that sees in assent.agents.",
)
_EMPTY = _Words(
    "empty_answer",
    "{at} answered with nothing.",
    "Try again. If it stays so, the chat may be longer than its model can take: begin a new one, or give it more room.",
    passing=True,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is no good one."""

    status: int
    words: str
    """The server's own, as it sent them."""
    body: str = ""
    """The whole of what it sent."""
    passing: bool = False
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of one agent's server. `secrets` never stand in a message."""

    agent: str
    server: str
    """Its address, without any path."""
    dialect: str
    model: str
    secrets: frozenset[str] = frozenset()
    has_key: bool = False
    pictures: bool = False
    """The request holds some."""

    def no_answer(self, failed: NoAnswer) -> ProviderFault:
        """The server could not be asked, or broke off."""
        start = _START.get(self.dialect, "Start the model's server")
        return self._fault(_TROUBLES[failed.trouble], said=str(failed), start=start)

    def refused(self, refusal: Refusal) -> ProviderFault:
        """The server answered, and not well."""
        later = f"It wants to be asked again in {in_words(refusal.wait)}." if refusal.wait else "Try again in a while."
        fetch = _FETCH.get(self.dialect, "Name another one").format(model=self._shown(self.model))
        words = self._refusal_words(refusal)
        hint = _WITHOUT_PICTURES if self.pictures and refusal.status not in _NOT_FOR_PICTURES else ""
        fault = self._fault(words, refusal.words, hint, later=later, fetch=fetch, status=refusal.status)
        fault.passing, fault.retry_after = refusal.passing and words.passing, refusal.wait
        fault.key_is_known = words is _NOT_ALLOWED
        fault.status = refusal.status
        return fault

    def blind(self) -> ProviderFault:
        """The model would be sent pictures, and its server says that it sees none."""
        return self._fault(_BLIND)

    def why_again(self, fault: ProviderFault) -> str:
        """In few words, while it is tried again."""
        why = {"rate_limited": "was asked too often", "server_trouble": "has trouble"}
        return f"{self.server} {why.get(fault.code, 'ended the connection')}"

    def redirected(self, target: str) -> ProviderFault:
        """Never followed: what is sent is meant for the address that the user wrote."""
        return self._fault(_REDIRECTED, to=f", to {self._shown(target)}" if target else "")

    def other_format(self, kind: str) -> ProviderFault:
        """Something answers, in a format that no model speaks."""
        return self._fault(_OTHER_FORMAT, kind=self._shown(kind))

    def empty(self) -> ProviderFault:
        """A whole answer in which nothing was said, where something was asked."""
        return self._fault(_EMPTY)

    def in_answer(self, fault: ProviderFault) -> ProviderFault:
        """What the server reported in the midst of an answer, or what made no sense there."""
        said = str(fault)
        if _is_too_long(said):
            return self._fault(_CONTEXT, said=said)
        message = f"The answer of {self._at} broke off: {self._shown(said, 2 * MOST_WORDS).rstrip('.')}."
        if fault.code in _IN_ITS_WORDS:
            message += " Try again; if it stays so, look how its server does, and at the agent in assent.agents."
        return ProviderFault(fault.code, message, passing=fault.passing, retry_after=fault.retry_after)

    def _refusal_words(self, refusal: Refusal) -> _Words:
        status = refusal.status
        if status == 413 or (status in (400, 422, 500) and _is_too_long(refusal.body)):
            return _CONTEXT
        if status in (401, 403):
            return _KEY_MISSING if not self.has_key else _KEY_REJECTED if status == 401 else _NOT_ALLOWED
        if status == 404:
            return _NO_MODEL
        if status == 429:
            return _TOO_OFTEN
        return _TROUBLED if status >= 500 or refusal.passing else _REJECTED

    def _fault(self, words: _Words, said: str = "", hint: str = "", **more: object) -> ProviderFault:
        quoted = self._shown(said)
        facts = {"at": self._at, "setting": _SETTING, "model": self._shown(self.model)} | more
        facts["said"] = f" It says: “{quoted}”." if quoted else ""
        message = f"{words.what} {words.do}".format_map(facts)
        return ProviderFault(words.code, f"{message} {hint}".rstrip(), passing=words.passing)

    @property
    def _at(self) -> str:
        return f"{self.server} (agent {self._shown(self.agent)})"

    def _shown(self, words: str, most: int = MOST_WORDS) -> str:
        """A stranger's words on one line, without secrets, nothing in them invisible, not without end."""
        masked, _ = mask_text(" ".join(words[:_MOST_READ].split()), self.secrets)
        clipped = masked if len(masked) <= most else masked[: most - 1] + "…"
        return "".join(char if char.isprintable() else f"‹U+{ord(char):04X}›" for char in clipped)


def _is_too_long(words: str) -> bool:
    return _TOO_LONG.search(words[:_MOST_READ]) is not None
