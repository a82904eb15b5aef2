"""The environment of commands: the user's, without what is secret and what makes programs do something else."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from assent.commandline.variable_names import LOADS_CODE, SHELLS_OWN
from assent.masking.names import HARMLESS_ENDS, kind_of_name
from assent.masking.texts import mask_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# What a project is built and installed with: each is the user's own word, and leads where the user's own tools are.
_OF_TOOLS = re.compile(
    r"JAVA_HOME|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|DOTNET_ROOT\w*|PYTHONPATH|PYTHONUSERBASE|PYTHONPYCACHEPREFIX"
    r"|DJANGO_SETTINGS_MODULE|NODE_PATH|NODE_EXTRA_CA_CERTS|DENO_DIR|BUN_INSTALL|GEM_HOME|GEM_PATH|BUNDLE_\w+"
    r"|CARGO_HOME|CARGO_TARGET_DIR|RUSTUP_\w+|GOROOT|GOFLAGS|CC|CXX|CPP|LD|AR|AS|FC|CMAKE_TOOLCHAIN_FILE"
    r"|npm_config_\w+|NPM_CONFIG_\w+|YARN_\w+|PNPM_\w+|COREPACK_\w+|BROWSER"
    r"|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|GIT_SSL_\w+",
    re.ASCII,
)
# What the editor and this server keep between their own processes; by it a command would drive the editor.
_OF_THE_EDITOR = re.compile(r"VSCODE_\w+|ELECTRON_\w+|ASSENT_\w+|CHROME_DESKTOP", re.ASCII)
# In a file, a key is often that of a map. In an environment it opens something.
_OF_SECRETS = re.compile(
    r"(?:^|_)(?:KEYS?|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PASSCODE|\w*PWD?|CRED(?:ENTIAL)?S?|AUTH"
    r"|COOKIES?|PAT|APIKEY|PIN|PSK|SAS|T?OTP|PRIV|MNEMONIC|WEBHOOK)(?:_|$)"
)
_OF_GIT = re.compile(r"GIT_\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Given:
    """What of an environment commands get, and what of it they do not."""

    passed: Mapping[str, str]
    secret: tuple[str, ...]
    """The names of those that look like secrets, in order."""
    redirecting: tuple[str, ...]
    """The names of those that make programs load or do something else, in order."""
    unwanted: tuple[str, ...]
    """The names of those that the settings withhold."""


def given_to_commands(
    environment: Mapping[str, str],
    passed: tuple[str, ...] = (),
    withheld: tuple[str, ...] = (),
    known: frozenset[str] = frozenset(),
) -> Given:
    """`passed` and `withheld` are names from the settings, `known` are values that are known to be secret."""
    return _sorted_out(tuple(environment.items()), passed, withheld, known)


@lru_cache(maxsize=16)
def _sorted_out(
    items: tuple[tuple[str, str], ...], passed: tuple[str, ...], withheld: tuple[str, ...], known: frozenset[str]
) -> Given:
    given: dict[str, str] = {}
    kept: dict[str, list[str]] = {"secret": [], "redirecting": [], "unwanted": []}
    is_passed, is_withheld = _any_of(passed), _any_of(withheld)
    for name, value in items:
        # The shell sets its own; a name that is none is a function of another shell.
        if _NAME.fullmatch(name) is None or SHELLS_OWN.fullmatch(name):
            continue
        if is_withheld(name):
            kept["unwanted"].append(name)
        elif is_passed(name):
            given[name] = value
        elif _OF_THE_EDITOR.fullmatch(name):
            continue
        elif _redirects(name):
            kept["redirecting"].append(name)
        elif _is_secret(name, value, known):
            kept["secret"].append(name)
        else:
            given[name] = value
    return Given(given, *(tuple(sorted(names)) for names in kept.values()))


def _redirects(name: str) -> bool:
    if _OF_TOOLS.fullmatch(name):
        return False
    return LOADS_CODE.fullmatch(name) is not None or _OF_GIT.fullmatch(name) is not None


def _is_secret(name: str, value: str, known: frozenset[str]) -> bool:
    if not value:
        return False
    # In a line of its own, so that the name counts as it would in a file.
    by_value = mask_text(value, known)[1] > 0 or mask_text(f"{name}={value}")[1] > 0
    return by_value or kind_of_name(name) is not None or _may_be_secret(name)


def _may_be_secret(name: str) -> bool:
    last = name.rpartition("_")[2].lower()
    return _OF_SECRETS.search(name.upper()) is not None and last not in HARMLESS_ENDS and last != "sock"


def _any_of(names: tuple[str, ...]) -> Callable[[str], bool]:
    exact = frozenset(name for name in names if not name.endswith("*"))
    beginnings = tuple(name[:-1] for name in names if name.endswith("*"))
    return lambda name: name in exact or name.startswith(beginnings)
