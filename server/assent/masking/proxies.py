"""Addresses of proxies in an environment: what of them is a login, and what is left without it."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

_NAME = re.compile(r"(?:https?|all|ftp|rsync)_proxy|(?:npm_config|yarn)_(?:https?_?)?proxy|pip_proxy", re.IGNORECASE)
_ADDRESS = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*://)?)([^\s/?#]+)@([^\s@]+)")
_LEAST = 8
"""A shorter password can be a word of any text, and alone it tells nobody what it opens."""


def without_login(name: str, value: str) -> str:
    """The value of a variable; where it is the address of a proxy, without who logs in there."""
    found = _ADDRESS.fullmatch(value) if _NAME.fullmatch(name) else None
    return found[1] + found[3] if found is not None else value


def proxy_logins(environment: Mapping[str, str]) -> Iterator[str]:
    """What must not be shown of the proxies there: who logs in and by what, as it is spelled and as it is meant."""
    for name, value in environment.items():
        found = _ADDRESS.fullmatch(value) if _NAME.fullmatch(name) else None
        if found is not None:
            for login in dict.fromkeys((found[2], unquote(found[2]))):
                password = login.partition(":")[2]
                yield from (login, password) if len(password) >= _LEAST else (login,) if password else ()
