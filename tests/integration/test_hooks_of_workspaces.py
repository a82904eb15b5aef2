"""Hooks that a workspace brings: started once the user agreed to them and to their scripts, and never otherwise."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_programs import HookPrograms
from tests.support.scale import wait_until
from tests.support.server import Server, refusal, say, write

Json = Any
DENIES = "sys.stderr.write('not today'); sys.exit(2)"


@pytest.fixture
def hooks(tmp_path: Path) -> HookPrograms:
    return HookPrograms(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def brings(server: Server, hooks: HookPrograms, code: str) -> Path:
    """The workspace has a hook whose program is one of its own files."""
    script = hooks.program(code, folder=server.workspace)
    settings = server.workspace / ".vscode" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"assent.hooks": {"PreToolUse": [{"command": hooks.line(script.name)}]}}))
    return script


def asked(server: Server, count: int) -> Json:
    """The question that was asked so many times by then."""

    def there() -> list[Json]:
        return server.client.notifications("settings/consentRequest")

    wait_until(lambda: len(there()) >= count, what=f"{count} questions")
    return there()[count - 1]


def answer(server: Server, to: Json, *, honour: bool) -> None:
    entries = [entry["entryId"] for entry in to["entries"]] if honour else []
    server.client.request(
        "settings/consentResponse", {"consentId": to["consentId"], "digest": to["digest"], "honour": entries}
    )


def ends_as(server: Server) -> str:
    """What becomes of a call in auto mode."""
    server.script([write("a.txt")], [say("done")])
    chat = server.chat(mode="auto")
    chat.run(within=30)
    (result,) = chat.results()
    return "ran" if result["success"] else refusal(result)["error"]


def test_it_runs_with_an_agreement_until_its_script_is_another_one(server: Server, hooks: HookPrograms) -> None:
    script = brings(server, hooks, DENIES)
    server.meet()
    question = asked(server, 1)
    assert script.name in question["entries"][0]["words"] or script.name in json.dumps(question)
    assert ends_as(server) == "ran"
    assert hooks.told() == []

    answer(server, question, honour=True)
    assert ends_as(server) == "denied_by_hook"
    assert len(hooks.told()) == 1

    script.write_text(script.read_text() + "\n# another one\n")
    again = asked(server, 2)
    assert ends_as(server) == "ran"
    assert len(hooks.told()) == 1
    answer(server, again, honour=True)
    assert ends_as(server) == "denied_by_hook"


def test_it_does_not_run_where_the_user_said_no(server: Server, hooks: HookPrograms) -> None:
    brings(server, hooks, "print(json.dumps({'decision': 'allow'}))")
    server.meet()
    answer(server, asked(server, 1), honour=False)
    server.script([write("a.txt")], [say("done")])
    chat = server.chat()
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()

    assert hooks.told() == []


def test_a_workspace_that_is_not_trusted_starts_nothing(server: Server, hooks: HookPrograms) -> None:
    brings(server, hooks, DENIES)
    mine = hooks.silent()
    server.meet(user={"hooks": {"PreToolUse": [mine]}}, workspaceTrusted=False)

    assert ends_as(server) == "ran"
    assert [one["hook"] for one in hooks.told()] == ["hook2.py"]
    assert not server.client.notifications("settings/consentRequest")


def test_the_script_of_a_hook_is_protected(server: Server, hooks: HookPrograms) -> None:
    script = brings(server, hooks, "print(json.dumps({'decision': 'allow'}))")
    server.meet()
    answer(server, asked(server, 1), honour=True)
    chat = server.chat(mode="auto")
    server.script([write(script.name, "evil")], [say("done")])
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "protected"
    chat.select(card, "deny")
    run.result()
