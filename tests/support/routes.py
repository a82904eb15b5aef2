"""What every attempt to loosen the settings of a workspace unseen has in common: what it tries, and what must not be.

`LOOSE` is what it tries to bring into force, `asks` shows that it is not, `click_bypass` is what a user does.
"""

import json
from pathlib import Path
from typing import Any

from tests.support.server import SCRIPTED, SECOND, Server, write

Json = Any

LOOSE: dict[str, Json] = {
    "bypassPermissions": {SCRIPTED: True, SECOND: True},
    "alwaysAllowRules": {"write_file": ["**"]},
    "toolAllowlist": ["write_file"],
}


def dotted(values: dict[str, Json]) -> str:
    return json.dumps({f"assent.{key}": value for key, value in values.items()}, indent=2)


def nested(values: dict[str, Json]) -> str:
    return json.dumps({"assent": values}, indent=2)


LOOSE_TEXT = dotted(LOOSE)


def file_of(server: Server) -> Path:
    return server.workspace / ".vscode" / "settings.json"


def put(server: Server, text: str) -> None:
    """Another process writes the workspace's settings."""
    file_of(server).parent.mkdir(exist_ok=True)
    file_of(server).write_text(text)


def told(server: Server) -> None:
    """The editor noticed, and tells the workspace's settings as its file has them now."""
    try:
        values = {key.removeprefix("assent."): value for key, value in json.loads(file_of(server).read_text()).items()}
    except FileNotFoundError:
        values = {}
    block = {**server.settings(), "workspace": values}
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": block}})


def asks(server: Server, *, agent: str = SCRIPTED, name: str = "tried.txt") -> None:
    """A write of a new chat with this agent is asked for as if nothing had ever been allowed."""
    server.script([write(name)], agent=agent)
    chat = server.chat(agent=agent)
    assert chat.info()["bypassAgent"] is False
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "needs_approval"
    chat.select(card, "deny")
    run.result()
    assert len({one["approvalId"] for one in chat.cards()}) == 1 and not (server.workspace / name).exists()


def runs_unasked(server: Server, *, agent: str = SCRIPTED, name: str = "unasked.txt") -> None:
    """A write of a new chat with this agent runs without a card."""
    server.script([write(name)], agent=agent)
    chat = server.chat(agent=agent)
    assert chat.info()["bypassAgent"] is True
    chat.run()
    assert chat.cards() == [] and (server.workspace / name).read_text() == "content"


def click_bypass(server: Server, *, agent: str = SCRIPTED, name: str = "clicked.txt") -> Json:
    """The user clicks Bypass on a real card of this agent; what became of the setting."""
    server.script([write(name)], agent=agent)
    chat = server.chat(agent=agent)
    run = chat.send()
    stored = chat.select(chat.card(), "bypass_agent")["settings"]
    run.result()
    assert stored["written"] is True, stored
    return stored


def kinds(card: Json) -> set[str]:
    return {option["kind"] for option in card["options"]}


def nothing_agreed(server: Server) -> None:
    assert not (server.state / "consent.json").exists()
