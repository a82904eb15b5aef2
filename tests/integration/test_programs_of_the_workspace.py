"""What is allowed for a program of the workspace is allowed for that file: who changes it is asked again, and told."""

import pytest

from tests.support.crashed import Start
from tests.support.room import Room
from tests.support.server import STALE, Json, call, say


def _script(room: Room, says: str) -> str:
    file = room.file("build.sh")
    file.write_text(f"#!/bin/sh\n# {room.name}\necho {says} $@\ntouch built\n")
    file.chmod(0o755)
    return "./build.sh"


def _option(card: Json, kind: str, start: str) -> Json:
    return next(one for one in card["options"] if one["kind"] == kind and one["name"].startswith(start))


@pytest.mark.parametrize(
    ("kind", "start"),
    [("allow_session", "Allow “./build.sh …” for this chat"), ("allow_always", "Always allow bash: ./build.sh:*")],
)
def test_another_file_under_its_name_is_asked_for_again(room: Room, kind: str, start: str) -> None:
    program = _script(room, "first")
    first, second, third = (call("bash", command=f"{program} {name}.txt", cwd=room.name) for name in "abc")
    chat, card, run = room.card([first], [second], [say("done")], [third], [say("done")])
    option = _option(card, kind, start)
    assert "If the file that it starts changes, you are asked again." in option["scopeText"]
    assert "@" not in option["name"]
    chat.select(card, option["optionId"])
    run.result()
    assert [result["output"] for result in chat.results()] == [
        "Exit code 0.\nfirst a.txt\n",
        "Exit code 0.\nfirst b.txt\n",
    ]
    # What stands in the settings is for programs; nobody is shown digits.
    assert "./build.sh@" not in str(chat.events())

    _script(room, "second")
    run = chat.send()
    card = chat.card()
    assert "What was allowed as “./build.sh” has changed since" in str(card["reason"])
    assert "@" not in str(card["reason"])
    chat.select(card, "deny")
    run.result()
    assert "second" not in "".join(result["output"] for result in chat.results())


def test_a_program_that_changes_while_its_card_waits_is_asked_for_again(room: Room) -> None:
    program = _script(room, "first")
    chat, card, run = room.card([call("bash", command=program, cwd=room.name)])
    _script(room, "second")

    fault = chat.refused(card, decision="accept", argsDigest=card["argsDigest"])
    again = chat.card()

    assert fault.code == STALE
    assert again["argsDigest"] != card["argsDigest"]
    chat.select(again, "deny")
    run.result()
    assert not room.file("built").exists()


def test_a_repository_that_brings_its_own_pytest_is_not_what_a_rule_for_all_workspaces_means(start: Start) -> None:
    server = start()
    server.meet(user={"alwaysAllowRules": {"bash": ["pytest:*"]}})
    programs = server.workspace / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs.parent / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (programs / "pytest").write_text("#!/bin/sh\necho it is the one of the repository; touch ran\n")
    (programs / "pytest").chmod(0o755)
    server.script([call("bash", command="pytest -q")], [say("done")], [call("bash", command="pytest x.py")], [say("!")])
    chat = server.chat()

    run = chat.send()
    card = chat.card()

    assert "Your rule “pytest:*” does not count here" in str(card["reason"])
    assert not (server.workspace / "ran").exists()
    chat.select(card, _option(card, "allow_always", "Always allow bash: pytest:*")["optionId"])
    run.result()
    assert "it is the one of the repository" in chat.results()[0]["output"]
    chat.run()
    assert "it is the one of the repository" in chat.results()[1]["output"]
