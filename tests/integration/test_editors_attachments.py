"""Between an editor and an agent of others behind `assent acp`: what goes with a message, what the agent offers."""

import json
import sys
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.acp_editor import AcpEditor, Json

IMAGE: Json = {"type": "image", "data": "aGk=", "mimeType": "image/png", "uri": "file:///w/shot.png"}
LINK: Json = {"type": "resource_link", "uri": "file:///w/a.py", "name": "a.py"}
TEXT: Json = {"type": "resource", "resource": {"uri": "file:///w/b.py", "text": "x = 1"}}
PROMPT: list[Json] = [{"type": "text", "text": "See "}, IMAGE, LINK, TEXT]


def guest_of(root: Path, **script: Json) -> dict[str, Json]:
    """Settings with an agent of others that plays this."""
    file = root / "guest.json"
    file.write_text(json.dumps(script))
    server = str(Path(scripted.__file__).parents[3])
    arguments = ["-m", "assent.acp.scripted", str(file), "--record", str(root / "guest.record")]
    return {"assent.agents": {"G": {"command": sys.executable, "args": arguments, "env": {"PYTHONPATH": server}}}}


def test_what_the_agent_offers_and_plans_is_told_to_the_editor(tmp_path: Path) -> None:
    commands = [{"name": "review", "description": "Looks at it.", "input": {"hint": "what"}}]
    plan = [{"content": "Think", "priority": "high", "status": "in_progress"}]
    user = guest_of(tmp_path, begin=[{"commands": commands}], prompts=[[{"plan": plan}, {"say": "So."}]])
    with AcpEditor(tmp_path, agent="G", user=user) as editor:
        session_id = editor.session()
        update = editor.noted("session/update")["params"]["update"]
        assert update == {"sessionUpdate": "available_commands_update", "availableCommands": commands}
        number = editor.begin("session/prompt", sessionId=session_id, prompt=[{"type": "text", "text": "/review it"}])
        assert editor.answer_to(number)["result"] == {"stopReason": "end_turn"}
        assert editor.updates("plan") == [{"sessionUpdate": "plan", "entries": [{**plan[0], "priority": "medium"}]}]


def prompted(root: Path, takes: list[str], prompt: list[Json]) -> tuple[list[Json], Json]:
    """What the agent behind was told in its prompts, and what the editor was answered."""
    user = guest_of(root, takes=takes, prompts=[[{"say": "Seen."}]])
    with AcpEditor(root, agent="G", user=user) as editor:
        number = editor.begin("session/prompt", sessionId=editor.session(), prompt=prompt)
        answer = editor.answer_to(number)
    lines = [json.loads(line) for line in (root / "guest.record").read_text().splitlines()]
    return [one["params"]["prompt"] for one in lines if one.get("method") == "session/prompt"], answer


def test_an_agent_that_takes_them_gets_them_as_they_are(tmp_path: Path) -> None:
    found, answer = prompted(tmp_path, ["image", "embeddedContext"], PROMPT)
    assert found == [PROMPT]
    assert answer["result"] == {"stopReason": "end_turn"}


@pytest.mark.parametrize("takes", [[], ["embeddedContext"]])
def test_what_it_does_not_take_is_put_into_words(tmp_path: Path, takes: list[str]) -> None:
    [found], answer = prompted(tmp_path, takes, [PROMPT[0], LINK, TEXT])
    assert [one["type"] for one in found] == ["text", "resource_link", "resource" if takes else "text"]
    assert "x = 1" in json.dumps(found)
    assert answer["result"] == {"stopReason": "end_turn"}


def test_pictures_that_it_does_not_take_keep_the_message_back(tmp_path: Path) -> None:
    found, answer = prompted(tmp_path, ["embeddedContext"], PROMPT)
    assert found == []
    assert "G takes no pictures" in answer["error"]["message"] and "shot.png" in answer["error"]["message"]
