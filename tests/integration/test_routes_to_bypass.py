"""Routes by which a bypass, an allow rule or the list of allowed tools could be switched on without the user.

Whoever writes the settings: an agent, another process, another window, a neighbour of what was clicked. Until the user
clicks, each of them leaves everything as it was.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile import repository_with_git
from tests.support.routes import (
    LOOSE,
    LOOSE_TEXT,
    asks,
    click_bypass,
    dotted,
    file_of,
    kinds,
    nested,
    nothing_agreed,
    put,
    runs_unasked,
    told,
)
from tests.support.server import (
    NOT_OFFERED,
    SCRIPTED,
    SECOND,
    Server,
    refusal,
    say,
    write,
)

Json = Any
Start = Callable[..., Server]


# An agent's own tool


@pytest.mark.parametrize("text", [LOOSE_TEXT, nested(LOOSE)], ids=["dotted", "nested"])
@pytest.mark.parametrize("mode", ["default", "auto"])
def test_an_agent_that_writes_the_settings_asks_and_gains_nothing(start: Start, text: str, mode: str) -> None:
    server = start()
    server.meet()
    server.script([write(".vscode/settings.json", text)], [say("Done.")])
    chat = server.chat(mode=mode)
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "protected" and kinds(card) <= {"allow_once", "reject_once", "reject_always"}
    for forged in ({"bypassAll": True}, {"decision": "allow_for_chat"}, {"decision": "always_allow"}):
        assert chat.refused(card, **forged).code == NOT_OFFERED
    chat.select(card, "approve")
    run.result()
    assert file_of(server).read_text() == text

    assert chat.info()["bypassAgent"] is False
    asks(server)
    told(server)
    asks(server)
    asks(server, agent=SECOND)
    nothing_agreed(server)


def test_the_same_within_one_run(start: Start) -> None:
    server = start()
    server.meet()
    server.script([write(".vscode/settings.json", LOOSE_TEXT)], [write("a.txt")])
    chat = server.chat()
    run = chat.send()
    chat.select(chat.card(".vscode/settings.json"), "approve")
    chat.select(chat.card("a.txt"), "deny")
    run.result()
    assert not (server.workspace / "a.txt").exists()


def test_an_agent_cannot_write_the_records_of_what_the_user_agreed_to(start: Start) -> None:
    server = start()
    server.meet()
    record = {"version": 1, "records": []}
    server.script([write(str(server.state / "consent.json"), json.dumps(record))])
    chat = server.chat(mode="auto")
    chat.run()
    assert chat.cards() == [] and "belongs to Assent itself" in refusal(chat.results()[0])["message"]
    nothing_agreed(server)


# Another process


def _by_sed(server: Server) -> None:
    put(server, LOOSE_TEXT.replace("true", "false"))
    subprocess.run(["sed", "-i", "s/false/true/g", str(file_of(server))], check=True)


def _by_checkout(server: Server) -> None:
    git = repository_with_git(server.workspace)
    git("checkout", "--quiet", "-b", "hostile")
    put(server, LOOSE_TEXT)
    git("add", ".vscode")
    git("commit", "--quiet", "--message", "settings")
    git("checkout", "--quiet", "main")
    assert not file_of(server).exists()
    asks(server)
    git("checkout", "--quiet", "hostile")


def _by_a_link(server: Server) -> None:
    put(server, "{}")
    asks(server)
    outside = server.workspace.parent / "outside.json"
    outside.write_text(LOOSE_TEXT)
    beside = file_of(server).with_name("link")
    beside.symlink_to(outside)
    beside.replace(file_of(server))


def _by_a_linked_folder(server: Server) -> None:
    outside = server.workspace.parent / "outside"
    outside.mkdir()
    (outside / "settings.json").write_text(LOOSE_TEXT)
    (server.workspace / ".vscode").symlink_to(outside)


def _in_the_nested_spelling(server: Server) -> None:
    put(server, nested(LOOSE))


def _beside_the_agents_definition(server: Server) -> None:
    put(server, dotted({"agents": {SCRIPTED: {"bypassPermissions": True}, SECOND: {"bypassPermissions": True}}}))


def _twice_in_one_file(server: Server) -> None:
    entry = '"assent.bypassPermissions": '
    put(server, f'{{ {entry}{{"{SCRIPTED}": false}}, {entry}{{"{SCRIPTED}": true, "{SECOND}": true}} }}')


ROUTES = [
    _by_sed,
    _by_checkout,
    _by_a_link,
    _by_a_linked_folder,
    _in_the_nested_spelling,
    _beside_the_agents_definition,
    _twice_in_one_file,
]


def _named(value: object) -> str:
    return getattr(value, "__name__", str(value)).strip("_")


CASES = [(route, True) for route in ROUTES] + [(_by_sed, False), (_by_sed, None), (_by_a_link, None)]


@pytest.mark.parametrize(("route", "trusted"), CASES, ids=_named)
def test_another_process_that_writes_the_settings_gains_nothing(
    start: Start, route: Callable[[Server], None], trusted: bool | None
) -> None:
    server = start()
    server.meet(**({} if trusted is None else {"workspaceTrusted": trusted}))
    asks(server)
    server.script([write("waiting.txt")])
    chat = server.chat()
    run = chat.send()
    waiting = chat.card()
    route(server)
    asks(server, name="after.txt")
    asks(server, agent=SECOND, name="second.txt")
    told(server)
    asks(server, name="told.txt")
    assert chat.waits(waiting), "what waited goes on waiting"
    chat.stop()
    run.result()
    nothing_agreed(server)


@pytest.mark.parametrize("scope", ["workspace", "folder"])
def test_values_that_the_editor_tells_of_a_workspace_allow_nothing(start: Start, scope: str) -> None:
    server = start()
    server.meet()
    block = {**server.settings(), scope: {**LOOSE, "mode": "auto", "bypassAvailable": True}}
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": block}})
    asks(server)
    asks(server, agent=SECOND)


# A second window


def test_a_second_window_that_merely_writes_gains_nothing(start: Start) -> None:
    first, second = start(), start()
    first.meet()
    second.meet()
    second.script([write(".vscode/settings.json", LOOSE_TEXT)])
    chat = second.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    for server in (first, second):
        asks(server)


def test_a_click_in_a_second_window_counts_in_the_first(start: Start) -> None:
    """It is the same folder, on the same machine, agreed to by the same user."""
    first, second = start(), start()
    first.meet()
    second.meet()
    asks(first)
    click_bypass(second)
    runs_unasked(first)
    asks(first, agent=SECOND)


def test_a_click_under_another_state_directory_is_not_this_users(start: Start, tmp_path: Path) -> None:
    first, second = start(), start(env={"ASSENT_STATE_DIR": str(tmp_path / "another-state")})
    first.meet()
    second.meet()
    click_bypass(second)
    assert f'"{SCRIPTED}": true' in file_of(first).read_text()
    asks(first)


# Neighbours of an entry that the user did click


def _flat(values: dict[str, Json]) -> dict[str, Json]:
    return {f"assent.{key}": value for key, value in values.items()}


def _nested_beside(values: dict[str, Json]) -> dict[str, Json]:
    return {"assent": values}


@pytest.mark.parametrize("spelling", [_flat, _nested_beside], ids=["dotted", "nested"])
def test_only_the_clicked_entry_counts_whatever_is_put_beside_it(start: Start, spelling: Callable[..., Json]) -> None:
    server = start()
    server.meet()
    click_bypass(server)
    values = json.loads(file_of(server).read_text())
    assert values == {"assent.bypassPermissions": {SCRIPTED: True}}
    planted = {"alwaysAllowRules": {"write_file": ["**"]}, "toolAllowlist": ["write_file", "read_file"]}
    in_the_map = {"assent.bypassPermissions": {SCRIPTED: True, SECOND: True, "Demo": True, "*": True}}
    file_of(server).write_text(json.dumps({**values, **spelling(planted), **in_the_map}))
    runs_unasked(server)
    asks(server, agent=SECOND)
    told(server)
    asks(server, agent=SECOND, name="again.txt")


def test_entries_that_stood_there_before_the_click_are_not_clicked_with_it(start: Start) -> None:
    server = start()
    put(server, dotted({**LOOSE, "bypassPermissions": {SECOND: True, "Demo": True}}))
    server.meet()
    click_bypass(server)
    assert json.loads(file_of(server).read_text())["assent.bypassPermissions"][SECOND] is True
    runs_unasked(server)
    asks(server, agent=SECOND)


def test_switching_off_beside_the_click_counts_at_once_and_on_again_only_as_clicked(start: Start) -> None:
    server = start()
    server.meet()
    click_bypass(server)
    put(server, dotted({"bypassPermissions": {SCRIPTED: False}}))
    asks(server)


def test_a_rule_that_was_clicked_brings_no_other_rule_with_it(start: Start) -> None:
    server = start()
    put(server, dotted({"alwaysAllowRules": {"write_file": ["**"]}, "toolAllowlist": ["write_file"]}))
    server.meet()
    server.script([write("docs/a.txt")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    (rule, *_) = [option for option in card["options"] if option["kind"] == "allow_always"]
    assert "docs" in rule["optionId"], "the narrowest comes first"
    assert chat.select(card, rule["optionId"])["settings"]["written"] is True
    run.result()
    kept = json.loads(file_of(server).read_text())
    assert "**" in kept["assent.alwaysAllowRules"]["write_file"] and kept["assent.toolAllowlist"] == ["write_file"]
    server.script([write("docs/a.txt", "again")])
    chat = server.chat()
    chat.run()
    assert chat.cards() == [] and (server.workspace / "docs" / "a.txt").read_text() == "again"
    asks(server)
    asks(server, agent=SECOND, name="src.txt")
