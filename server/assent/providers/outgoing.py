"""A request made ready to go out: what the user's settings add to it, and what is never sent."""

import re
from collections.abc import Mapping

from assent import __version__
from assent.jsontext import write_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ProviderFault
from assent.providers.connection import Sending
from assent.providers.dialect import Dialect, HttpRequest
from assent.providers.endpoint import Endpoint

_FRAMING = frozenset(
    {"connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
"""Headers that say where a request ends or what becomes of its connection: no setting may."""
_SECRET = re.compile(r"auth|cookie|key|secret|token", re.IGNORECASE)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_VALUE = re.compile(r"[\x20-\x7e\t]*\Z")


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is sent, and what of it must never be shown."""

    sending: Sending
    secrets: frozenset[str]


async def outgoing(endpoint: Endpoint, dialect: Dialect, request: HttpRequest) -> Outgoing:
    """The request as it goes out. Raises ProviderFault where it must not."""
    fault = endpoint.fault()
    if fault is not None:
        raise fault
    key = (await endpoint.key() or "").strip()
    _check(endpoint, key)
    shown = dialect.key_headers(key) if key else {}
    secrets = {value for name, value in endpoint.headers.items() if _SECRET.search(name)} | ({key} if key else set())
    if secrets and (fault := endpoint.key_fault()):
        raise fault
    own = {"content-type": "application/json", "user-agent": f"assent/{__version__}"}
    headers = _merged(own, request.headers, endpoint.headers, shown)
    body = None if request.body is None else write_json(request.body)
    return Outgoing(Sending(endpoint.url(request.path), headers, body), frozenset(secrets))


def _check(endpoint: Endpoint, key: str) -> None:
    for name, value in endpoint.headers.items():
        if name.lower() in _FRAMING:
            raise _bad_header(endpoint, name, "is set by Assent itself")
        if not _NAME.match(name):
            raise _bad_header(endpoint, name, "is no name of a header")
        if not _VALUE.match(value):
            raise _bad_header(endpoint, name, "has a value with characters that no header can hold")
    if not _VALUE.match(key):
        text = f"The key of the agent {endpoint.agent} holds characters that no key has, so nothing was sent."
        raise ProviderFault("bad_key", f"{text} Store it again with “Assent: Set API Key”.")


def _bad_header(endpoint: Endpoint, name: str, why: str) -> ProviderFault:
    shown = name[:80].encode("unicode_escape").decode("ascii")
    text = f"The header “{shown}” of the agent {endpoint.agent} {why}, so nothing was sent."
    return ProviderFault("bad_header", f"{text} Take it out of headers in assent.agents.")


def _merged(*headers: Mapping[str, str]) -> dict[str, str]:
    """The later ones win, however they spell a name."""
    return {name.lower(): value for some in headers for name, value in some.items()}
