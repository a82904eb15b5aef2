"""Agents of others in a real VS Code: what they ask, plan and offer, their end and their return, and adding one."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from assent.acp import scripted
from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds, until
from tests.e2e.quick_input import QuickInput
from tests.e2e.vscode import VsCode, json_of
from tests.e2e.workbench import Workbench

Json = Any

_PATIENCE = milliseconds(60)
_COMMANDS = [
    {"name": "compact", "description": "Makes the conversation shorter."},
    {"name": "review", "description": "Looks at what changed.", "input": {"hint": "what to look at"}},
]
_MODES = {
    "currentModeId": "yolo",
    "availableModes": [{"id": "default", "name": "Default"}, {"id": "yolo", "name": "YOLO"}],
}
_PLAN = [{"content": "Run the tests", "status": "in_progress"}, {"content": "Mend them", "status": "pending"}]
_RUN = {"toolCallId": "c1", "kind": "execute", "title": "make test", "rawInput": {"command": "make test"}}
_COLOURS = {"toolCallId": "c2", "kind": "other", "title": "Which colour?"}
_WAYS = [
    {"optionId": "red", "name": "Red", "kind": "allow_once"},
    {"optionId": "blue", "name": "Blue", "kind": "allow_once"},
    {"optionId": "none", "name": "No colour", "kind": "reject_once"},
]


def _over(call_id: str, words: str) -> Json:
    content = [{"type": "content", "content": {"type": "text", "text": words}}]
    return {"update": {"toolCallId": call_id, "status": "completed", "content": content}}


class Agent:
    """An agent that plays a script, and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.script, self.record = folder / "T.json", folder / "T.jsonl"

    @property
    def definition(self) -> Json:
        command, *args = scripted.command(str(self.script), str(self.record))
        return {"command": command, "args": args}

    def plays(self, *prompts: list[Json]) -> None:
        self.script.write_text(
            json.dumps({"modes": _MODES, "begin": [{"commands": _COMMANDS}], "prompts": list(prompts)})
        )

    def told(self) -> list[Json]:
        return [json.loads(line) for line in self.record.read_text().splitlines() if line.endswith("}")]

    def prompts(self) -> list[str]:
        asked = [one["params"] for one in self.told() if one.get("method") == "session/prompt"]
        return [one["prompt"][0]["text"] for one in asked]

    def answers(self) -> list[str]:
        results = [
            one["result"] for one in self.told() if "method" not in one and "outcome" in (one.get("result") or {})
        ]
        return [one["outcome"].get("optionId", "cancelled") for one in results]


@pytest.fixture
def editor(vscode: VsCode) -> VsCode:
    return vscode


@pytest.fixture
def agent(editor: VsCode, tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path)
    editor.set_user_settings({"assent.agents": {"T": made.definition}, "assent.agent": "T"})
    yield made
    editor.set_user_settings({"assent.agents": {}, "assent.agent": "Demo"})


async def begun(scene: Scene, editor: VsCode, name: str) -> Workbench:
    window = await scene.workbench(editor, editor.new_workspace(name))
    await window.open_chat()
    return window


def button(window: Workbench, name: str) -> Locator:
    return window.chat.root.get_by_role("button", name=name, exact=True)


async def test_a_guest_asks_and_its_plan_is_in_sight(scene: Scene, editor: VsCode, agent: Agent):
    agent.plays([{"plan": _PLAN}, {"ask": _RUN, "on": {"allow": [_over("c1", "42 passed")]}}, {"say": "All is well."}])
    window = await begun(scene, editor, "guest-asks")
    await window.chat.send("test it")
    card = await window.chat.card("make test").appears()
    await window.chat.shows("Plan of the agent · 0 of 2 done")
    await window.chat.shows("Run the tests")
    await expect(card.locator.get_by_text("The next one asks again. T is told “Allow”.")).to_be_visible()
    assert agent.answers() == []
    await card.approve()
    await window.chat.shows("All is well.")
    await window.chat.has_rows("done")
    assert agent.answers() == ["allow"]


@pytest.mark.long("test/page/guests.test.ts and tests/integration/test_guests_options.py prove both sides")
async def test_its_own_answers_are_buttons(scene: Scene, editor: VsCode, agent: Agent):
    agent.plays([{"ask": _COLOURS, "options": _WAYS, "on": {"blue": [_over("c2", "ok"), {"say": "Then it is blue."}]}}])
    window = await begun(scene, editor, "guest-ways")
    await window.chat.send("paint it")
    card = await window.chat.card().appears()
    assert await card.offers("Red") and await card.offers("Blue") and not await card.offers("Approve")
    await card.answer("Blue")
    await window.chat.shows("Then it is blue.")
    assert agent.answers() == ["blue"]


@pytest.mark.long("test/page/guests.test.ts proves it")
async def test_a_command_is_chosen_and_a_danger_is_told(scene: Scene, editor: VsCode, agent: Agent):
    agent.plays([{"say": "Here I am."}])
    window = await begun(scene, editor, "guest-commands")
    root = window.chat.root
    await window.chat.send("hello")
    await window.chat.shows("Here I am.")
    await window.chat.composer.press_sequentially("/re")
    await expect(root.get_by_role("option", name="/review")).to_be_visible(timeout=_PATIENCE)
    await window.chat.composer.press("Enter")
    await expect(window.chat.composer).to_have_value("/review ", timeout=_PATIENCE)
    await window.chat.composer.press_sequentially("all")
    await window.chat.composer.press("Enter")
    await until("the agent has the command", _whether(lambda: agent.prompts() == ["hello", "/review all"]))

    mode = root.get_by_role("combobox", name="T: Mode")
    await expect(mode).to_have_value("default", timeout=_PATIENCE)
    await mode.select_option("yolo")
    await window.chat.shows("carries out everything without asking")
    await button(window, "Leave it as it is").click()
    await expect(mode).to_have_value("default")
    await mode.select_option("yolo")
    await button(window, "Set it all the same").click()
    await expect(mode).to_have_value("yolo", timeout=_PATIENCE)
    told = [one["params"]["modeId"] for one in agent.told() if one.get("method") == "session/set_mode"]
    assert told == ["default", "yolo"]


@pytest.mark.long("test/page/guests.test.ts and tests/integration/test_guests_ends.py prove both sides")
async def test_an_agent_that_has_ended_is_restarted(scene: Scene, editor: VsCode, agent: Agent):
    agent.plays([{"say": "I fall."}, {"exit": 3}])
    window = await begun(scene, editor, "guest-dies")
    await window.chat.send("hello")
    await window.chat.shows("T cannot go on")
    agent.plays([{"say": "I am back."}])
    await button(window, "Restart").click()
    await window.chat.shows("I am back.")
    await expect(button(window, "Restart")).to_have_count(0, timeout=_PATIENCE)
    assert agent.prompts() == ["hello", "hello"]


async def test_a_well_known_agent_is_added_by_its_user(scene: Scene, editor: VsCode):
    window = await begun(scene, editor, "guest-added")
    box = QuickInput(window.page)
    await window.run_command("Assent: Add an Agent")
    await box.asks("Which agent is to ask through Assent?")
    await box.pick("Gemini CLI")
    await box.asks("Assent installs nothing by itself")
    await expect(box.rows.filter(has_text="npm install --global @google/gemini-cli").first).to_be_visible()
    await box.pick("It is installed")
    # The welcome may be gone already: where it is not installed after all, its chat says so at once.
    await expect(window.chat.composer_of("Gemini CLI")).to_be_visible(timeout=milliseconds(30))
    settings = json_of(editor.profile.user_data / "User" / "settings.json")
    assert settings["assent.agents"] == {"Gemini CLI": {"command": "gemini", "args": ["--acp"]}}
    assert settings["assent.agent"] == "Gemini CLI"
    editor.set_user_settings({"assent.agents": {}, "assent.agent": "Demo"})


def _whether(holds: Callable[[], bool]) -> Callable[[], Any]:
    async def look() -> bool:
        return holds()

    return look
