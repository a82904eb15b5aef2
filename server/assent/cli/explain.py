"""`assent explain`: why a call would run, ask or be blocked, in words for a person."""

import asyncio
import json
import sys
from pathlib import Path

from assent.agent.gate import Explanation
from assent.cli.host import build_app
from assent.jsontext import NotJson, read_json
from assent.model.errors import AssentError
from assent.model.modes import parse_mode

_ANSWERS = {"run": "It would run", "ask": "It would ask", "block": "It would be blocked", "error": "It would fail"}


def explain(tool: str, args: str, folder: Path, *, agent: str | None, mode: str | None) -> int:
    """Prints the decision and the way there; returns the exit code."""
    chosen = parse_mode(mode)
    if mode is not None and chosen is None:
        return _trouble(f"there is no mode {mode!r}; there are plan, ask, default and auto")
    if not folder.is_dir():
        return _trouble(f"there is no folder {folder}")
    try:
        value = read_json(args)
    except NotJson as fault:
        return _trouble(f"the arguments are no JSON: {fault}")
    app = build_app()
    app.workspace.folders = (str(folder.resolve()),)
    app.trust.meet(folder.resolve(), None, trusted=None, write=None)
    try:
        found = asyncio.run(app.explain(tool, value, agent_id=agent, mode=chosen, session_id=None))
    except AssentError as fault:
        return _trouble(str(fault))
    sys.stdout.write(_words(found))
    return 0


def _trouble(text: str) -> int:
    sys.stderr.write(f"assent: {text}\n")
    return 2


def _words(found: Explanation) -> str:
    decision = found.decision
    lines = [f"{found.headline}", f"{_ANSWERS[decision.outcome]}: {decision.text}", "", "What was looked at, in order:"]
    lines += [f"  {step.name}{'  <- decided' if step.matched else ''}" for step in decision.trace]
    if found.suggestions:
        lines += ["", "To run it unasked, one of these in assent.alwaysAllowRules of your user settings:"]
        lines += [f"  {json.dumps({one.tool: [one.pattern]})}  {one.words}" for one in found.suggestions]
    lines += ["", "Your user settings are known to the editor only; this looked at the folder's own."]
    return "\n".join(lines) + "\n"
