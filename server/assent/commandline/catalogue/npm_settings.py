"""The settings that package managers of JavaScript take as options with any verb, in all their spellings."""

from collections.abc import Mapping

from assent.commandline.catalogue.shared import names_packages, starts_operands_outside
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument

_ELSEWHERE: Mapping[str, str] = {
    "registry": "asks another registry",
    "userconfig": "reads other settings",
    "globalconfig": "reads other settings",
    "proxy": "goes through another host",
    "https-proxy": "goes through another host",
    "http-proxy": "goes through another host",
    "noproxy": "changes how it reaches hosts",
    "cafile": "trusts other hosts",
    "ca": "trusts other hosts",
    "strict-ssl": "trusts any host",
    "no-strict-ssl": "trusts any host",
    "cert": "shows another certificate",
    "key": "shows another key",
    "cache": "keeps its cache elsewhere",
    "global": "works on the programs of the whole machine",
    "location": "works on the programs of the whole machine",
}
_RUNS: Mapping[str, str] = {
    "script-shell": "starts another shell",
    "shell": "starts another shell",
    "node-options": "can make node load other code",
    "git": "starts another program in place of git",
    "editor": "starts an editor",
    "viewer": "starts a viewer",
    "browser": "starts a browser",
    "call": "runs the text of a command",
    "init-module": "loads other code",
    "onload-script": "loads other code",
    "nodedir": "builds with other sources",
    "node-gyp": "starts another program to build with",
    "python": "starts another python",
    "pnpmfile": "loads other code",
    "global-pnpmfile": "loads other code",
    "prefix": "works elsewhere",
    "dir": "works elsewhere",
    "cwd": "works elsewhere",
    "use-node-version": "starts another node",
    "config": "changes its settings",
    "use-yarnrc": "reads other settings",
    "preload": "loads other code",
    "require": "loads other code",
    "import": "loads other code",
    "env-file": "changes variables that programs act on",
    "define": "puts other text into the program",
    "store-dir": "takes packages from elsewhere",
    "modules-dir": "takes packages from elsewhere",
    "modules-folder": "takes packages from elsewhere",
    "pack-destination": "writes elsewhere",
    "logs-dir": "writes elsewhere",
    "tmp": "writes elsewhere",
    "global-dir": "writes elsewhere",
    "global-folder": "writes elsewhere",
    "global-style": "lays out packages differently",
    "link-folder": "takes packages from elsewhere",
    "cache-folder": "keeps its cache elsewhere",
    "cache-dir": "keeps its cache elsewhere",
    "preferred-cache-folder": "keeps its cache elsewhere",
}
_CHANGES = {**_ELSEWHERE, **_RUNS}
_PLAIN = frozenset("cgCwpsdqvfyhniraDEOPSB") | {
    # Options of their own that are the beginning of one above.
    "shell-emulator",
    "cache-min",
    "cache-max",
    "production",
    "prod",
}


def setting_of(word: Argument) -> tuple[str, str]:
    """The setting that a word with dashes gives, and what it does; both empty for one that is harmless.

    npm reads any number of dashes before the name, takes any beginning of it that fits one only, and leaves a value
    that begins with dashes to be the next option.
    """
    if not word.text.startswith("-"):
        return "", ""
    name = word.text.lstrip("-").partition("=")[0]
    if not word.exact and "=" not in word.text:
        return word.text, "can be given any option"
    if name.startswith("@") and name.endswith(":registry"):
        return name, "asks another registry"
    if name.startswith("//"):
        return name, "shows another key"
    if name.startswith("config."):
        return name, "changes its settings"
    if len(name) < 2 or name in _PLAIN:
        return "", ""
    name = name.removeprefix("no-") if name.removeprefix("no-") in _CHANGES else name
    if name in _CHANGES:
        return name, _CHANGES[name]
    if len(name) > 2:
        return next(((full, why) for full, why in _CHANGES.items() if full.startswith(name)), ("", ""))
    return "", ""


def read_settings(given: Given, findings: Findings) -> None:
    """Settings can stand on either side of the verb, up to `--`."""
    end = given.ended - 1 if given.ended is not None else len(given.words)
    if given.program.stops and given.operands:
        end = given.operands[0]
    for at in range(1, end):
        word = given.words[at]
        name, why = setting_of(word)
        if name and word.text.partition("=")[0] not in given.program.options:
            findings.danger(f"{why} ({name})", at)


def shows_settings(given: Given, findings: Findings) -> None:
    """A setting that it does not know can be a key of the user's."""
    read_settings(given, findings)
    if not given.operands or any(given.words[at].text not in _NO_KEYS for at in given.operands):
        findings.loose = findings.loose or "shows the user's settings, with the keys that may stand in them"


_TELL_NO_KEYS = """
registry prefix cache version node-version npm-version user-agent loglevel color editor shell script-shell save-exact
save-prefix engine-strict legacy-peer-deps package-lock audit fund tag workspaces store-dir node-linker
"""
_NO_KEYS = frozenset(_TELL_NO_KEYS.split())


def read_settings_and_packages(given: Given, findings: Findings) -> None:
    read_settings(given, findings)
    names_packages(given, findings)


def read_settings_and_places(given: Given, findings: Findings) -> None:
    read_settings(given, findings)
    starts_operands_outside(given, findings)
