"""Secrets that only their place in a command, a link, a header or a document gives away."""

import re
from collections.abc import Callable, Iterator

from assent.masking.marks import Span
from assent.masking.names import kind_of_name
from assent.masking.values import is_opaque, is_path, is_placeholder

_WORD = r"""(?:"(?P<a>[^"\n]*+)"|'(?P<b>[^'\n]*+)'|(?P<c>(?:[^\s"'`;&|<>\\]|\\(?![nrt"'`]))++))"""
_OPTION = re.compile(r"(?<![\w-])--?(?P<name>[A-Za-z][\w.-]*+)[ \t]++(?!-)" + _WORD)
_USER = re.compile(
    r"""(?<![\w-])(?:-u|--user|--proxy-user|-U)(?:[ \t]++|=|(?<=-u))(?P<q>\\*+["']?+)"""
    r"""(?P<user>[^\s"':@\\]{0,200}+):(?P<secret>[^\s"'\\]++)"""
)
_PASS_OPTION = re.compile(
    r"(?<![\w-])(?P<program>sshpass|mysql|mysqldump|mysqladmin|mariadb|docker|podman|helm|redis-cli|az|ldapsearch|zip|unzip|7z)\b"
    r"(?P<rest>[^\n;|]{0,400})"
)
_SHORT = re.compile(r"(?<!\S)-(?P<letter>[paPw])(?P<gap>[ \t]*+)" + _WORD)
_TAKES_SHORT = {
    "sshpass": "p", "mysql": "p", "mysqldump": "p", "mysqladmin": "p", "mariadb": "p", "docker": "p", "podman": "p",
    "helm": "p", "redis-cli": "a", "az": "p", "ldapsearch": "w", "zip": "P", "unzip": "P", "7z": "p",
}  # fmt: skip
_MYSQL = frozenset({"mysql", "mysqldump", "mysqladmin", "mariadb"})
_ATTACHED = _MYSQL | {"7z"}
_OPENSSL = re.compile(r"""\bpass:(?P<secret>[^\s"'\\]++)""")
_LOGIN = re.compile(r"\blogin\s++(?P<user>[^\s]++)\s++password\s++(?P<secret>[^\s]++)")
_SCHEME = re.compile(
    r"\b(?:bearer|basic|token|apikey|negotiate|digest)[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{8,}+)", re.IGNORECASE
)
_LINK = re.compile(r"""://(?P<authority>[^\s/"'<>?#\\]{1,1400}+)""")
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]*+)[^<>]{0,200}>(?P<secret>[^<>]{1,4096}+)</")
_ATTRIBUTE = re.compile(
    r"""(?P<q>["'])(?P<name>[\w.-]++)(?P=q)[ \t]++value[ \t]*+=[ \t]*+(?P<r>["'])(?P<secret>[^"'<>\n]++)"""
)
_NAMED = re.compile(
    r"""(?<![\w-])(?:name|key)\\*+["']?[ \t]*+[:=][ \t]*+\\*+["']?(?P<name>[\w.-]++)\\*+["']?[ \t]*+,?(?:\s|\\n){1,80}?
        \\*+["']?value\\*+["']?[ \t]*+[:=][ \t]*+(?P<q>\\*+["'])?(?P<secret>(?(q)[^"'\\\n]++|[^\s"'\\,}]++))""",
    re.VERBOSE | re.IGNORECASE,
)
_PIPED = re.compile(
    r"\b(?:echo|printf)[ \t]++(?:-\w++[ \t]++)?(?:['\"]%s(?:\\n)?['\"][ \t]++)?"
    + _WORD
    + r"[ \t]*+\|(?=[^\n|]{0,300}?(?:-stdin\b|--with-token|sudo[ \t]+-S|-passin[ \t]+stdin))"
)
_HERE = re.compile(r"(?:-stdin\b|--with-token|sudo[ \t]+-S)[^\n|<]{0,200}<<<[ \t]*+" + _WORD)
_SET = re.compile(r"\b(?:set|setx|add)[ \t]++(?:-\w++[ \t]++){0,3}+(?P<name>[\w./:@-]++)[ \t]++(?!-)" + _WORD)
_SECURE = re.compile(r"(?i:SecureString)[ \t]++(?:-[A-Za-z]++[ \t]++)?" + _WORD)
_DOCKER = re.compile(r"""\\*["']auth\\*["'][ \t]*+:[ \t]*+\\*["'](?P<secret>[A-Za-z0-9+/]{12,}+={0,2})""")
_SAID = re.compile(
    r"\b(?P<name>pass(?:word|wd|phrase|code)|token|secret|(?:api|access|secret)[ -]key) is[ \t]++(?P<secret>[^\s,;]++)",
    re.IGNORECASE,
)
_LAST_NAME = re.compile(r"[/:@]")
_PROSE = frozenset(
    {
        "to",
        "is",
        "or",
        "and",
        "option",
        "options",
        "flag",
        "flags",
        "for",
        "in",
        "with",
        "argument",
        "arguments",
        "as",
        "the",
        "a",
        "an",
        "value",
        "values",
        "which",
        "can",
        "must",
        "when",
        "if",
        "from",
        "are",
        "be",
        "on",
        "of",
        "not",
        "only",
        "by",
        "was",
        "has",
        "will",
        "should",
        "may",
    }
)


def in_commands(text: str) -> Iterator[Span]:
    """All of them."""
    low = text.lower()
    there = {hint for hint in _HINTS if hint in low}
    for hints, find in _FINDERS if there else ():
        if not hints.isdisjoint(there):
            yield from find(text)


def _options(text: str) -> Iterator[Span]:
    at = 0
    while (found := _OPTION.search(text, at)) is not None:
        group = _group(found)
        kind = kind_of_name(found["name"])
        at = found.end() if kind else found.end("name")
        if kind and not is_placeholder(found[group]) and found[group].lower() not in _PROSE:
            yield Span(*found.span(group), kind, certain=False)


def _words(expression: "re.Pattern[str]") -> Callable[[str], Iterator[Span]]:
    """What is fed to a program that waits for a password."""

    def find(text: str) -> Iterator[Span]:
        for found in expression.finditer(text):
            group = _group(found)
            if not is_placeholder(found[group]):
                yield Span(*found.span(group), "password", certain=False)

    return find


def _set_by_name(text: str) -> Iterator[Span]:
    for found in _SET.finditer(text):
        group = _group(found)
        kind = kind_of_name(_LAST_NAME.split(found["name"])[-1])
        if kind and not is_placeholder(found[group]) and found[group].lower() not in _PROSE:
            yield Span(*found.span(group), kind, certain=False)


def _said(text: str) -> Iterator[Span]:
    """As people tell each other: what looks like no word."""
    for found in _SAID.finditer(text):
        secret = found["secret"].strip("\"'`.!?()")
        if is_opaque(secret) and any(sign.isdigit() for sign in secret) and not is_placeholder(secret):
            start = found.start("secret") + found["secret"].index(secret)
            yield Span(
                start, start + len(secret), kind_of_name(found["name"].replace(" ", "-")) or "secret", certain=False
            )


def _group(found: "re.Match[str]") -> str:
    return next(name for name in "abc" if found[name] is not None)


def _users(text: str) -> Iterator[Span]:
    for found in _USER.finditer(text):
        secret = found["secret"]
        if not is_placeholder(secret) and not (secret.isdigit() and found["user"].isdigit()):
            yield Span(*found.span("secret"), "password", certain=False)


def _short_options(text: str) -> Iterator[Span]:
    for found in _PASS_OPTION.finditer(text):
        program = found["program"]
        login = program in ("docker", "podman", "helm", "az")
        if login and "login" not in found["rest"]:
            continue
        for option in _SHORT.finditer(text, found.start("rest"), found.end("rest")):
            group = _group(option)
            attached = not option["gap"]
            apart = program not in _ATTACHED or (program in _MYSQL and _is_taken_for_option(option[group]))
            fits = option["letter"] == _TAKES_SHORT[program] and (attached or apart)
            if fits and not is_placeholder(option[group]):
                yield Span(*option.span(group), "password", certain=False)


def _is_taken_for_option(word: str) -> bool:
    """Whether a word behind `-p ` is a password all the same: there, a word apart is the name of a database."""
    return is_opaque(word) and not word.startswith("-") and not is_path(word)


def _by_group(expression: "re.Pattern[str]", kind: str) -> Callable[[str], Iterator[Span]]:
    def find(text: str) -> Iterator[Span]:
        for found in expression.finditer(text):
            if not is_placeholder(found["secret"]):
                yield Span(*found.span("secret"), kind, certain=False)

    return find


def _schemes(text: str) -> Iterator[Span]:
    for found in _SCHEME.finditer(text):
        secret = found["secret"]
        if (is_opaque(secret) and not secret.isalpha() and any(sign.isdigit() for sign in secret)) or len(secret) >= 20:
            yield Span(*found.span("secret"), "credentials", certain=False)


def _links(text: str) -> Iterator[Span]:
    """What stands before the last @ of a link's first part; a user without a password if it looks like a token."""
    for found in _LINK.finditer(text):
        login, at, _ = found["authority"].rpartition("@")
        if not at:
            continue
        user, colon, password = login.partition(":")
        start = found.start("authority")
        if colon and not is_placeholder(password):
            yield Span(start + len(user) + 1, start + len(login), "password", certain=False)
        elif (not colon or not password) and len(user) >= 20 and is_opaque(user):
            yield Span(start, start + len(user), "credentials", certain=False)


def _named_values(expression: "re.Pattern[str]") -> Callable[[str], Iterator[Span]]:
    def find(text: str) -> Iterator[Span]:
        for found in expression.finditer(text):
            kind = kind_of_name(found["name"].rpartition(":")[2])
            if kind and not is_placeholder(found["secret"]):
                yield Span(*found.span("secret"), kind, certain=False)

    return find


_FINDERS: tuple[tuple[frozenset[str], Callable[[str], Iterator[Span]]], ...] = (
    (frozenset({"-"}), _options),
    (frozenset({"-u", "-user"}), _users),
    (frozenset(_TAKES_SHORT), _short_options),
    (frozenset({"stdin", "--with-token", "sudo"}), _words(_PIPED)),
    (frozenset({"stdin", "--with-token", "sudo"}), _words(_HERE)),
    (frozenset({"set", "add "}), _set_by_name),
    (frozenset({"securestring"}), _words(_SECURE)),
    (frozenset({"auth"}), _by_group(_DOCKER, "credentials")),
    (frozenset({" is "}), _said),
    (frozenset({"pass:"}), _by_group(_OPENSSL, "password")),
    (frozenset({"password"}), _by_group(_LOGIN, "password")),
    (frozenset({"bearer", "basic", "token", "apikey", "negotiate", "digest"}), _schemes),
    (frozenset({"://"}), _links),
    (frozenset({"</"}), _named_values(_TAG)),
    (frozenset({"value"}), _named_values(_ATTRIBUTE)),
    (frozenset({"value"}), _named_values(_NAMED)),
)
"""What finds them, each behind words without which there is nothing to find."""
_HINTS = frozenset[str]().union(*(hints for hints, _ in _FINDERS))
