"""Ways in which public agents tell of their calls: one call is one row, and is asked for once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.guests import House, Json, ask, click_all, diff, done, notices, says, text


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("guests"), many=20) as house:
        yield house


def _told_then_asked(path: Path) -> dict[str, tuple[Json, Json]]:
    """What one agent tells of a call under its own id, and what it asks about it under another."""
    command = "rm -r box"
    return {
        "command": (
            {"kind": "execute", "title": f"terminal: {command}", "content": [text(f"$ {command}")]},
            {"kind": "execute", "rawInput": {"command": command}, "content": [text(f"recursive delete\n$ {command}")]},
        ),
        "edit": (
            {"kind": "edit", "title": "write", "content": [text("Preparing.")], "locations": [{"path": str(path)}]},
            {"kind": "edit", "title": "Approve edit", "content": [diff(path, "new\n")]},
        ),
    }


@pytest.mark.parametrize("kind", ["command", "edit"])
@pytest.mark.parametrize(("click", "status"), [("approve", "completed"), ("deny", "failed")])
@pytest.mark.parametrize("name", ["hermes-agent", "another"])
def test_a_question_under_an_id_of_its_own_is_about_the_call_that_was_told(
    house: House, kind: str, click: str, status: str, name: str
) -> None:
    told, asked = _told_then_asked(house.workspace / "made.txt")[kind]
    end = [done("tool-1", "That is all.", status), says("Well.")]
    guest = house.guest(
        [
            {"tool_call": {"toolCallId": "tool-1", **told}},
            ask("permission-1", on={"allow": end, "reject": end}, **asked),
        ],
        name=name,
    )
    chat = guest.chat()
    assert len(click_all(chat, chat.send(), click)) == 1
    known = name == "hermes-agent"
    warned = not known and (kind, status) != ("edit", "failed")
    assert (len(chat.results()), len(notices(chat))) == (1 if known else 2, int(warned))
    if known:
        (row,) = chat.results()
        assert row["code" if click == "deny" else "output"] == (
            "permission_denied" if click == "deny" else "That is all."
        )


def test_two_questions_are_about_two_calls_even_when_they_are_alike(house: House) -> None:
    told, asked = _told_then_asked(house.workspace / "made.txt")["command"]
    calls: list[Json] = [{"tool_call": {"toolCallId": f"tool-{number}", **told}} for number in (1, 2)]
    asks = [ask(f"permission-{number}", on={"allow": [done(f"tool-{number}")]}, **asked) for number in (1, 2)]
    chat = house.guest([*calls, *asks], name="hermes-agent").chat()
    assert len(click_all(chat, chat.send())) == 2
    assert [row["success"] for row in chat.results()] == [True, True] and notices(chat) == []


@pytest.mark.parametrize(
    ("env", "cards"), [({"NO_COLOR": "1", "TERM": "dumb"}, 1), ({"BASH_ENV": "mine"}, 2)], ids=["inert", "not inert"]
)
def test_a_command_that_was_allowed_may_come_in_a_shell(house: House, env: dict[str, str], cards: int) -> None:
    (house.workspace / "mine").write_text("")
    line = f"cd '{house.workspace}' && touch wrapped"
    variables = [{"name": name, "value": value} for name, value in env.items()]
    terminal = {"command": "/bin/bash", "args": ["-c", line], "env": variables, "cwd": str(house.workspace)}
    guest = house.guest([ask(command="touch wrapped", on={"allow": [{"terminal": terminal}, done()]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send())) == cards
    (house.workspace / "wrapped").unlink()


@pytest.mark.parametrize(("asked", "output"), [("words", "Done."), ("file", "Changed {}.")])
def test_what_stood_in_the_question_is_no_result(house: House, asked: str, output: str) -> None:
    path = str(house.workspace / "said.txt")
    call = ask(command="make x", content=[text("as planned")]) if asked == "words" else ask(edits=[diff(path, "new\n")])
    chat = house.guest([{**call, "on": {"allow": [{"update": {"toolCallId": "c1", "status": "completed"}}]}}]).chat()
    assert len(click_all(chat, chat.send())) == 1
    assert [one["output"] for one in chat.results()] == [output.format(path)]


def test_a_call_is_a_row_once_its_arguments_are_there(house: House) -> None:
    pieces = ['{"com', '{"command": "ma', '{"command": "make"}']
    update = {"toolCallId": "c1", "kind": "execute", "title": "Bash", "status": "in_progress"}
    told: list[Json] = [{"update": {**update, "content": [text(piece)]}} for piece in pieces]
    chat = house.guest([*told, ask("c1", command="make")], name="kimi-code").chat()
    assert len(click_all(chat, chat.send())) == 1
    (row,) = chat.events("ToolCall")
    assert (row["data"]["tool"], row["data"]["args"]) == ("bash", {"command": "make"}) and notices(chat) == []


def test_a_call_that_never_shows_more_is_a_row_when_the_turn_is_over(house: House) -> None:
    update = {"toolCallId": "c1", "kind": "execute", "title": "Bash", "status": "in_progress"}
    chat = house.guest([{"update": update}]).chat()
    chat.run()
    (row,) = chat.results()
    assert row["is_error"] and "without saying how this ended" in row["output"]
    assert len(notices(chat)) == 1 and "without asking" in notices(chat)[0]
