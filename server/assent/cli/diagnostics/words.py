"""The bundle as text for a person."""

from collections.abc import Iterator, Mapping
from typing import Any

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
    yield from (f"  {name}: {_value(value)}" for name, value in bundle["sandbox"].items())
    yield from _settings(bundle["settings"])
    yield from _state(bundle["state"])
    yield from ("", f"The last lines of the log ({len(bundle['log'])})")
    yield from (f"  {line}" for line in bundle["log"] or ["There are none."])


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "Settings", f"  of the user: {settings['user']}", f"  of the workspace: {settings['workspace']}")
    for about in settings["byKey"]:
        yield from _key(about)
    yield f"  rules in force: {settings['rules']}"
    for agent in settings["agents"]:
        yield f"  agent {agent['name']}: {agent['bypass']}"
    yield f"  waiting for your agreement: {', '.join(settings['awaitingConsent']) or 'nothing'}"
    yield from ("", "What is wrong with the settings")
    yield from (f"  - {problem}" for problem in settings["problems"] or ["nothing"])


def _key(about: Mapping[str, Any]) -> Iterator[str]:
    counts = f" counts as {_value(about['counts'])}" if "counts" in about else ""
    if not about["said"]:
        yield f"  {about['key']}:{counts or ' ' + _value(about['default'])} (nobody set it)"
        return
    yield f"  {about['key']}:{counts}"
    for said in about["said"]:
        place = f", {said['file']}" if said["file"] else ""
        line = f", line {said['line']}" if said["line"] else ""
        yield f"    {said['scope']}{place}{line}: {_value(said['value'])}"


def _state(state: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"State directory {state['path']} {state.get('mode', '')}".rstrip())
    if "problem" in state:
        yield f"  {state['problem']}"
    for file in state["files"]:
        what = file.get("problem") or f"{file['bytes']} bytes, {file['mode']}"
        yield f"  {file['name']}: {what}{' (a link)' if file.get('kind') == 'link' else ''}"
    if state.get("more"):
        yield f"  and {state['more']} more"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else write_json(value).decode()


def _printable(line: str) -> str:
    """No name in it can move the cursor, or begin a line of its own."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
