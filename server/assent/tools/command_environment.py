"""The environment of commands: the user's, without what is secret and what makes programs do something else."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from assent.commandline.variable_names import LOADS_CODE, SHELLS_OWN
from assent.lazy_dataclasses import dataclass
from assent.masking.names import HARMLESS_ENDS, kind_of_name
from assent.masking.proxies import without_login
from assent.masking.texts import mask_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# What a project is built and installed with: each is the user's own word, and leads where the user's own tools are.
# Package managers take theirs in any case of letters.
_OF_TOOLS = re.compile(
    r"JAVA_HOME|CLASSPATH|(?:MAVEN|GRADLE|ANT|SBT)_OPTS|DOTNET_ROOT\w*|PYTHONPATH|PYTHONUSERBASE|PYTHONPYCACHEPREFIX"
    r"|DJANGO_SETTINGS_MODULE|NODE_PATH|NODE_EXTRA_CA_CERTS|DENO_DIR|BUN_INSTALL|GEM_HOME|GEM_PATH|BUNDLE_\w+"
    r"|CARGO_HOME|CARGO_TARGET_DIR|RUSTUP_\w+|GOROOT|GOFLAGS|CC|CXX|CPP|LD|AR|AS|FC|CMAKE_TOOLCHAIN_FILE"
    r"|(?i:npm_config|yarn|pnpm|corepack)_\w+|BROWSER"
    r"|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|GIT_SSL_\w+",
    re.ASCII,
)
_STARTS = re.compile(
    # By the name: the shell, the node or the release with which a package manager runs what a project says.
    r"(?i:(?:npm_config|pnpm(?:_config)?)_(?:script_?shell|shell|node_?options|git|onload_?script|init_?module|editor|viewer)"
    r"|yarn_(?:yarn_path|plugins|rc_filename))=.*"
    # By an option among others that only say how much memory there is.
    r"|(?:MAVEN|GRADLE|ANT|SBT)_OPTS=.*(?:-javaagent|-agentlib|-agentpath|-Xbootclasspath|-XX:(?:On\w*Error|Flags|VMOptions)|\s@).*"
    r"|GOFLAGS=.*-(?:toolexec|overlay|exec|vettool)\b.*",
    re.ASCII | re.DOTALL,
)
# What the editor and this server keep between their own processes; by it a command would drive the editor.
_OF_THE_EDITOR = re.compile(r"VSCODE_\w+|ELECTRON_\w+|ASSENT_\w+|CHROME_DESKTOP", re.ASCII)
# In a file, a key is often that of a map. In an environment it opens something.
_OF_SECRETS = re.compile(
    r"(?:^|_)(?:KEYS?|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PASSCODE|\w*PWD?|CRED(?:ENTIAL)?S?|AUTH|COOKIES?"
    r"|PAT|APIKEY|PIN|PSK|SALT|SAS|T?OTP|MFA|PRIV|MNEMONIC|WEBHOOK|(?:USER|ROOT|ADMIN|DB|KEY|STORE)PASS|MYCREDS)\d*(?:_|$)"
    # What password managers keep an open vault by, the logins of Bundler by host, and all that direnv has set.
    r"|^(?:BW_SESSION|OP_SESSION_\w+|BUNDLE_[A-Z0-9_]+__[A-Z0-9_]+|DIRENV_DIFF)$"
)
_NAMES_A_FILE = frozenset({"GOOGLE_APPLICATION_CREDENTIALS"})
"""Of these the value is a path, whatever the name promises."""
_SWITCH = re.compile(r"true|false|yes|no|on|off|[01]", re.IGNORECASE)
_RANDOM = re.compile(r"(?!sha\d+-)(?:base64:)?(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/_-]{42,86}={1,2}", re.ASCII)
"""Some bytes in the letters of base64, and nothing else: a key, whatever its name."""
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
        elif _redirects(name, value):
            kept["redirecting"].append(name)
        # A proxy lets nothing through without who logs in there, and there is no other way to the network.
        elif _is_secret(name, without_login(name, value), known):
            kept["secret"].append(name)
        else:
            given[name] = value
    return Given(given, *(tuple(sorted(names)) for names in kept.values()))


def _redirects(name: str, value: str) -> bool:
    if _OF_TOOLS.fullmatch(name):
        return _STARTS.fullmatch(f"{name}={value}") is not None
    return LOADS_CODE.fullmatch(name) is not None or _OF_GIT.fullmatch(name) is not None


def _is_secret(name: str, value: str, known: frozenset[str]) -> bool:
    if not value:
        return False
    if _RANDOM.fullmatch(value) or mask_text(value, known)[1] > 0:
        return True
    if name in _NAMES_A_FILE or _SWITCH.fullmatch(value):
        return False
    # In a line of its own, so that the name counts as it would in a file.
    return mask_text(f"{name}={value}")[1] > 0 or kind_of_name(name) is not None or _may_be_secret(name)


def _may_be_secret(name: str) -> bool:
    last = name.rpartition("_")[2].lower()
    return _OF_SECRETS.search(name.upper()) is not None and last not in HARMLESS_ENDS and last != "sock"


def _any_of(names: tuple[str, ...]) -> Callable[[str], bool]:
    exact = frozenset(name for name in names if not name.endswith("*"))
    beginnings = tuple(name[:-1] for name in names if name.endswith("*"))
    return lambda name: name in exact or name.startswith(beginnings)
