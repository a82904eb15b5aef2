"""The bundle as text for a person."""

from collections.abc import Iterator, Mapping
from typing import Any

from assent.cli.diagnostics.shown_settings import NOT_READ
from assent.jsontext import write_json

_NOTE = (
    "What looks like a secret was masked, and variables of programs are not in it. Read it before you pass it on: it "
    "names folders, agents and rules."
)


def as_text(bundle: Mapping[str, Any]) -> str:
    """Everything that the JSON holds, in an order to read it in."""
    return "".join(f"{_printable(line)}\n" for line in _lines(bundle))


def _lines(bundle: Mapping[str, Any]) -> Iterator[str]:
    yield "Assent: diagnostics"
    yield _NOTE
    yield from ("", "Versions")
    yield from (f"  {name}: {value}" for name, value in bundle["versions"].items())
    yield from ("", "Tools for a sandbox")
    yield from (f"  {line}" for line in _sandbox(bundle["sandbox"]))
    yield from ("", "Commands")
    yield from (f"  {line}" for line in _commands(bundle["commands"]))
    yield from _settings(bundle["settings"])
    yield from _state(bundle["state"])
    yield from ("", f"The last lines of the log ({len(bundle['log'])})")
    yield from (f"  {line}" for line in bundle["log"] or ["There are none."])


def _sandbox(sandbox: Mapping[str, Any]) -> Iterator[str]:
    tier, landlock = sandbox["tier"], sandbox["landlockVersion"]
    yield f"what one would be made of here: {'nothing, there is no tool for it' if tier == 'none' else tier}"
    yield f"bubblewrap (the program bwrap): {'found' if sandbox['bubblewrap'] else 'not found'}"
    yield f"namespaces of users, which bubblewrap needs: {_NAMESPACES[sandbox['userNamespaces']]}"
    yield f"Landlock, in the kernel of Linux: {f'version {landlock}' if landlock else 'not there'}"
    yield f"sandbox-exec, of macOS: {'found' if sandbox['sandboxExec'] else 'not found'}"


def _commands(commands: Mapping[str, Any]) -> Iterator[str]:
    if "problem" in commands:
        yield commands["problem"]
        return
    yield f"run by {commands['shell']}"
    python = commands["python"]
    if python is None:
        yield "python and pytest are those on the PATH: there is no virtual environment"
    else:
        behind = "" if python["comesFirst"] else ", behind the system's programs: it holds some of the same names"
        yield f"python and pytest are those of {python['folder']}{behind}"
    yield "of the environment that this was started with, commands get everything but"
    yield from (f"  {', '.join(one['names'])}: {one['why']}" for one in commands["withheld"] or _NOTHING)


_NOTHING = ({"names": ["nothing"], "why": "nothing looks like a secret, or changes what programs do"},)
_NAMESPACES = {True: "allowed", False: "not allowed", None: "the system does not say"}


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    user = settings["user"]
    how = " (name their file with --user-settings to see them here)" if user == NOT_READ else ""
    yield from ("", "Settings", f"  of the user: {user}{how}", f"  of the workspace: {settings['workspace']}")
    for about in settings["byKey"]:
        yield from _key(about)
    yield f"  rules in force: {settings['rules']}"
    for agent in settings["agents"]:
        yield f"  agent {agent['name']}, running without asking: {_lower(agent['bypass'])}"
    yield f"  waiting for your agreement: {', '.join(settings['awaitingConsent']) or 'nothing'}"
    yield from ("", "What is wrong with the settings")
    yield from (f"  - {problem}" for problem in settings["problems"] or ["nothing"])


def _key(about: Mapping[str, Any]) -> Iterator[str]:
    if not about["said"]:
        yield f"  {about['key']}: {_value(about.get('counts', about['default']))} (set nowhere)"
        return
    yield f"  {about['key']}: {_value(about['counts'])} is in force" if "counts" in about else f"  {about['key']}:"
    for said in about["said"]:
        place = f", {said['file']}" if said["file"] else ""
        line = f", line {said['line']}" if said["line"] else ""
        yield f"    set in {said['scope']}{place}{line}: {_value(said['value'])}"


def _state(state: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"State directory {state['path']}{_permissions(state)}")
    if "problem" in state:
        yield f"  {state['problem']}"
    for file in state["files"]:
        what = file.get("problem") or f"{file['bytes']} bytes, permissions {file['mode']}"
        yield f"  {file['name']}: {what}{' (a link)' if file.get('kind') == 'link' else ''}"
    if state.get("more"):
        yield f"  and {state['more']} more"


def _permissions(state: Mapping[str, Any]) -> str:
    return f", permissions {state['mode']}" if "mode" in state else ""


def _lower(sentence: str) -> str:
    """The sentence as the end of another one."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _value(value: Any) -> str:
    return value if isinstance(value, str) else write_json(value).decode()


def _printable(line: str) -> str:
    """No name in it can move the cursor, or begin a line of its own."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
