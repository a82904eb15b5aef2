"""Names under which secrets are kept: of settings, variables, options, headers, fields of JSON."""

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NOT_A_LETTER = re.compile(r"[^a-z]+")

KINDS = {
    "password": "password", "passwd": "password", "passwort": "password", "passphrase": "password",
    "passcode": "password", "pwd": "password", "pass": "password",
    "pw": "password", "sshpass": "password", "dbpass": "password",
    "secret": "secret", "secrets": "secret", "credential": "credentials", "credentials": "credentials",
    "creds": "credentials", "token": "token", "authorization": "authorization", "cookie": "cookie",
    "cookies": "cookie", "apikey": "key", "apikeys": "key", "passwords": "password", "bearer": "token",
    "otp": "one-time code",
}  # fmt: skip
"""Words that stand for a secret wherever they end a name, and what to call it."""

ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "credentials", "authorization")
"""They may also end a word that is written together, such as PGPASSWORD or authtoken."""

KEYS = (
    "api",
    "private",
    "access",
    "secret",
    "client",
    "signing",
    "encryption",
    "account",
    "storage",
    "shared",
    "master",
    "auth",
    "deploy",
    "service",
    "ssh",
    "signature",
    "session",
    "licence",
    "license",
    "webhook",
    "hmac",
    "aes",
    "rsa",
)
"""A key of one of these is a secret; a key of a map or of a keyboard is none."""

HARMLESS_ENDS = frozenset(
    {
        "count",
        "counts",
        "limit",
        "limits",
        "length",
        "len",
        "size",
        "type",
        "types",
        "name",
        "names",
        "file",
        "files",
        "path",
        "paths",
        "dir",
        "folder",
        "url",
        "uri",
        "endpoint",
        "expiry",
        "expires",
        "expiration",
        "ttl",
        "policy",
        "policies",
        "field",
        "fields",
        "label",
        "hint",
        "manager",
        "store",
        "provider",
        "required",
        "enabled",
        "disabled",
        "min",
        "max",
        "index",
        "usage",
        "used",
        "budget",
        "at",
        "age",
        "prefix",
        "suffix",
        "env",
        "var",
        "ref",
        "refs",
        "reference",
        "stdin",
        "format",
        "regex",
        "pattern",
        "schema",
        "version",
        "validator",
        "status",
        "error",
        "errors",
        "message",
        "description",
        "placeholder",
        "helper",
        "id",
        "ids",
        "arn",
        "alg",
        "algorithm",
        "class",
        "callback",
        "handler",
        "prompt",
        "input",
        "box",
        "kind",
        "rules",
        "rule",
        "strength",
        "in",
        "valid",
        "present",
        "scopes",
        "scope",
        "source",
        "set",
        "exists",
        "changed",
    }
)
"""A name that goes on like this is about a secret and holds none."""

HARMLESS_NAMES = frozenset({"pwd", "oldpwd"})
"""In capitals, a shell's own working directory."""

_HARMLESS_FIRST = ("page", "continuation", "cancellation", "cancel", "public", "primary", "foreign", "next", "design")


@lru_cache(maxsize=4096)
def kind_of_name(name: str) -> str | None:
    """What a value of this name would be, or nothing where the name does not promise a secret."""
    if len(name) > 200 or (name.isupper() and name.lower() in HARMLESS_NAMES):
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return None
    return _kind_of_words(words) or _kind_of_odd_spelling(name, words)


def _kind_of_words(words: list[str]) -> str | None:
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if last == "id" and before == "secret":
        return "secret"
    if last in HARMLESS_ENDS or before in _HARMLESS_FIRST:
        return None
    if last == "key" and before in KEYS:
        return "private key" if before == "private" else "key"
    if last == "string" and before == "connection":
        return "connection string"
    if last == "base" and words[-3:-1] == ["secret", "key"]:
        return "key"
    return KINDS.get(last) or _ending(last)


def _kind_of_odd_spelling(name: str, words: list[str]) -> str | None:
    """Such as aPiKeY or p-a-s-s-w-o-r-d: by the letters alone, where no word says that it is harmless."""
    if any(word in HARMLESS_ENDS or word in _HARMLESS_FIRST for word in words[-2:]):
        return None
    letters = _NOT_A_LETTER.sub("", name.lower())
    keys = tuple(first + "key" for first in ("api", "private", "access", "secret"))
    return "key" if letters.endswith(keys) else _ending(letters)


def _ending(word: str) -> str | None:
    found = next((ending for ending in ENDINGS if word.endswith(ending)), None)
    return KINDS[found] if found else None
