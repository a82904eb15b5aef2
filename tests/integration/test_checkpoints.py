"""What a run changed, and rolling it back: over the wire, on a real disk, after a restart, only what was looked at."""

import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import kept
from tests.support.crashed import again, kill, same
from tests.support.roll_backs import AUTO, checkpoints, notices, ran, review, roll_back, states
from tests.support.room import Room
from tests.support.rpc import Pending, RpcError
from tests.support.scale import limit, wait_until
from tests.support.secret_samples import SAMPLES
from tests.support.server import INVALID_PARAMS, STALE, Chat, Json, Server, call, say


def edit(path: str, old: str, new: str) -> Json:
    return call("edit_file", path=path, edits=[{"old": old, "new": new}])


def test_all_that_a_run_wrote_is_shown_and_rolled_back_as_one(room: Room) -> None:
    old, script = room.file("old.txt"), room.file("script.sh")
    old.write_bytes(b"one\r\ntwo\r\n")
    script.write_text("echo before\n")
    script.chmod(0o750)
    chat = ran(
        room,
        [room.write("old.txt", "one\nthree\n"), room.write("new/deep.txt", "made\n")],
        [edit(room.path("script.sh"), "before", "after"), room.write("old.txt", "one\nfour\n")],
    )
    (listed,) = checkpoints(chat)
    assert sorted(listed["files"]) == [room.path(name) for name in ("new/deep.txt", "old.txt", "script.sh")]
    assert listed["notKept"] == 0

    found = review(chat)
    assert states(found) == {"old.txt": "changed", "deep.txt": "created", "script.sh": "changed"}
    shown = next(one["preview"] for one in found["files"] if one["path"] == str(old))
    lines = [(line["kind"], line["text"]) for line in shown["lines"] if line["kind"] != "context"]
    assert lines == [("removed", "two"), ("added", "four")] and not shown["isNew"]
    text = {"sessionId": chat.id, "runId": found["runId"], "path": str(old)}
    assert chat.client.request("checkpoint/text", text) == {"text": "one\r\ntwo\r\n"}

    done = roll_back(chat, found)
    assert sorted(done["restored"]) == sorted(listed["files"]) and done["left"] == [] and "error" not in done
    assert old.read_bytes() == b"one\r\ntwo\r\n" and script.read_text() == "echo before\n"
    assert stat.S_IMODE(script.stat().st_mode) == 0o750
    assert not room.file("new/deep.txt").exists()
    assert set(states(review(chat)).values()) == {"same"}
    assert "3 files are as before it" in chat.events("Notification")[-1]["data"]["text"]


def test_each_run_has_its_own_and_the_newest_comes_first(room: Room) -> None:
    file = room.file("a.txt")
    chat = ran(room, [room.write("a.txt", "first\n")], [say("Done.")], [room.write("a.txt", "second\n")])
    chat.run()
    assert len(checkpoints(chat)) == 2

    roll_back(chat, review(chat))
    assert file.read_text() == "first\n"
    roll_back(chat, review(chat, 1))
    assert not file.exists()


def test_what_changed_since_is_named_and_needs_a_yes_of_its_own(room: Room) -> None:
    mine, theirs, gone = room.file("mine.txt"), room.file("theirs.txt"), room.file("gone.txt")
    for file in (mine, theirs, gone):
        file.write_text("before\n")
    chat = ran(room, [room.write(name, "after\n") for name in ("mine.txt", "theirs.txt", "gone.txt")])
    theirs.write_text("by hand\n")
    gone.unlink()

    found = review(chat)
    assert states(found) == {"mine.txt": "changed", "theirs.txt": "changed_since", "gone.txt": "changed_since"}
    done = roll_back(chat, found)
    assert done["restored"] == [room.path("mine.txt")]
    assert {one["shown"]: one["why"] for one in done["left"]} == dict.fromkeys(
        (room.path("theirs.txt"), room.path("gone.txt")), "It changed after the run last wrote it."
    )
    assert theirs.read_text() == "by hand\n" and not gone.exists()

    done = roll_back(chat, review(chat), theirs, gone)
    assert sorted(done["restored"]) == [room.path("gone.txt"), room.path("theirs.txt")]
    assert theirs.read_text() == gone.read_text() == "before\n"


def test_nothing_is_rolled_back_that_was_not_looked_at(room: Room) -> None:
    file = room.file("a.txt")
    file.write_text("before\n")
    chat = ran(room, [room.write("a.txt", "after\n")])
    found = review(chat)
    file.write_text("by hand\n")

    with pytest.raises(RpcError) as fault:
        roll_back(chat, found, file)
    assert fault.value.code == STALE and file.read_text() == "by hand\n"


def test_not_while_a_run_goes_on(room: Room) -> None:
    waiting = call("bash", command="while [ ! -e go ]; do sleep 0.05; done", cwd=room.name)
    chat = ran(room, [room.write("a.txt", "after\n")], [say("Done.")], [waiting])
    found = review(chat)
    run = chat.send()
    chat.wait_for_event("ToolCall", count=2)
    with pytest.raises(RpcError) as fault:
        roll_back(chat, found)
    assert fault.value.code == INVALID_PARAMS and "A run is active" in fault.value.message
    assert room.file("a.txt").exists()
    room.file("go").touch()
    run.result()
    assert roll_back(chat, found)["restored"] == [room.path("a.txt")]


def test_links_are_never_followed(room: Room, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("after\n")
    file, folder = room.file("a.txt"), room.file("folder")
    file.write_text("before\n")
    chat = ran(room, [room.write("a.txt", "after\n"), room.write("folder/b.txt", "after\n")])
    file.unlink()
    file.symlink_to(outside)
    (folder / "b.txt").unlink()
    folder.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b.txt").write_text("after\n")
    folder.symlink_to(elsewhere)

    found = review(chat)
    assert set(states(found).values()) == {"left"}
    done = roll_back(chat, found, file, folder / "b.txt")
    assert done["restored"] == [] and len(done["left"]) == 2
    assert outside.read_text() == "after\n" and (elsewhere / "b.txt").read_text() == "after\n"


def test_it_is_there_after_a_crash_and_readable_for_the_user_alone(start: Callable[..., Server]) -> None:
    first = again(start)
    file = first.workspace / "a.txt"
    file.write_text("before\n")
    first.script([call("write_file", path="a.txt", content="after\n")], [say("Done.")])
    chat = first.chat(mode=AUTO)
    chat.run()
    run_id = checkpoints(chat)[0]["runId"]
    places = list((first.state / "checkpoints").rglob("*"))
    assert {stat.S_IMODE(place.stat().st_mode) for place in places if place.is_file()} == {0o600}
    assert {stat.S_IMODE(place.stat().st_mode) for place in places if place.is_dir()} == {0o700}
    kill(first)

    server = again(start)
    server.client.wait_for("session/restored", within=20)
    chat = same(server, chat)
    assert [one["runId"] for one in checkpoints(chat)] == [run_id]
    roll_back(chat, review(chat))
    assert file.read_text() == "before\n"


def test_what_is_for_secrets_is_not_kept_and_what_looks_like_one_in_memory_only(start: Callable[..., Server]) -> None:
    server = again(start)
    secret = SAMPLES["GitHub token"][0]
    for name, text in {".env": "KEY=abcdefgh12345678\n", "code.txt": f"token = {secret}\n"}.items():
        (server.workspace / name).write_text(text)
    steps = [call("write_file", path=name, content="after\n") for name in (".env", "code.txt")]
    server.script(steps, [say("Done.")])
    chat = server.chat(mode=AUTO)
    run = chat.send()
    chat.select(chat.card(".env"), "approve")
    run.result()
    found = review(chat)
    assert states(found) == {".env": "left", "code.txt": "changed"} and checkpoints(chat)[0]["notKept"] == 2
    note = next(one["note"] for one in found["files"] if one["state"] == "left")
    assert note == "It is a file for secrets, so no copy of it was kept."
    kept_bytes = kept.everything(server.state)
    assert secret.encode() not in kept_bytes and b"abcdefgh12345678" not in kept_bytes

    roll_back(chat, found)
    assert (server.workspace / "code.txt").read_text() == f"token = {secret}\n"
    assert (server.workspace / ".env").read_text() == "after\n"


def test_what_shell_commands_write_is_no_part_of_it(room: Room) -> None:
    chat = ran(room, [call("bash", command=f"echo by a command > {room.name}/b.txt"), room.write("a.txt")])
    assert states(review(chat)) == {"a.txt": "created"}
    roll_back(chat, review(chat))
    assert room.file("b.txt").read_text() == "by a command\n"


def test_folders_that_the_run_made_go_with_their_last_file_and_others_stay(room: Room) -> None:
    room.file("mine").mkdir()
    names = ("mine/a.txt", "mine/new/b.txt", "n/e/w/c.txt", "n/e/d.txt", "kept/in/e.txt")
    chat = ran(room, *([room.write(name)] for name in names))
    room.file("kept/by-hand.txt").write_text("mine\n")

    assert len(roll_back(chat, review(chat))["restored"]) == len(names)
    left = sorted(str(path.relative_to(room.folder)) for path in room.folder.rglob("*"))
    assert left == ["kept", "kept/by-hand.txt", "mine"]


def test_a_folder_that_was_made_again_by_hand_stays(room: Room, tmp_path: Path) -> None:
    chat = ran(room, [room.write("new/a.txt"), room.write("linked/b.txt"), room.write("c.txt")])
    room.file("new/a.txt").unlink()
    room.file("linked/b.txt").unlink()
    room.file("linked").rmdir()
    (tmp_path / "elsewhere").mkdir()
    room.file("linked").symlink_to(tmp_path / "elsewhere")

    assert roll_back(chat, review(chat))["restored"] == [room.path("c.txt")]
    assert room.file("new").is_dir() and room.file("linked").is_symlink() and (tmp_path / "elsewhere").is_dir()


# So many that a kill comes before the last one, however late this process has its turn.
MANY = [f"{number}.txt" for number in range(45)]


def begun(room: Room) -> Pending:
    """A roll back of many files, of which some are rolled back by now."""
    for name in MANY:
        room.file(name).write_text("before\n")
    chat = ran(room, [room.write(name, "after\n") for name in MANY])
    found = review(chat)
    params = {"sessionId": chat.id, "runId": found["runId"], "digest": found["digest"], "alsoChanged": []}
    asked = chat.client.start("checkpoint/restore", params)
    until = time.monotonic() + limit(10)
    # Without a pause, so that it is still going on when this is seen.
    while time.monotonic() < until and not any(room.file(name).read_text() == "before\n" for name in MANY):
        pass
    return asked


def back(room: Room) -> int:
    return sum(room.file(name).read_text() == "before\n" for name in MANY)


def test_a_roll_back_is_seen_to_its_end_also_when_nobody_waits_for_it(room: Room) -> None:
    begun(room).cancel()
    wait_until(lambda: back(room) == len(MANY), within=20)


def test_a_roll_back_is_seen_to_its_end_also_when_the_editor_closes(start: Callable[..., Server]) -> None:
    room = Room(again(start), "closing")
    begun(room)
    room.server.client.close()
    assert back(room) == len(MANY)


@pytest.mark.parametrize("method", ["checkpoint/diff", "checkpoint/restore", "checkpoint/text"])
def test_a_run_of_another_chat_is_none(room: Room, method: str) -> None:
    one, other = ran(room, [room.write("a.txt")]), room.chat([say("Hm.")])
    assert checkpoints(other) == []
    more = {"checkpoint/restore": {"digest": ""}, "checkpoint/text": {"path": str(room.file("a.txt"))}}.get(method, {})
    given = {"sessionId": other.id, "runId": checkpoints(one)[0]["runId"], **more}
    with pytest.raises(RpcError) as fault:
        other.client.request(method, given)
    assert fault.value.code == INVALID_PARAMS and room.file("a.txt").exists()


@pytest.mark.parametrize("somebody", [False, True], ids=["alone", "with an edit in between"])
def test_a_roll_back_that_a_kill_cut_off_is_finished_and_told(start: Callable[..., Server], somebody: bool) -> None:
    room = Room(again(start), "killed")
    asked = begun(room)
    kill(room.server)
    assert not asked.done and 0 < back(room) < len(MANY)
    edited = next(name for name in MANY if room.file(name).read_text() == "after\n")
    if somebody:
        room.file(edited).write_text("by hand\n")

    server = again(start)
    (session_id,) = server.client.wait_for("session/restored", within=20)["sessionIds"]
    left = [edited] if somebody else []
    wait_until(lambda: back(room) == len(MANY) - len(left), within=20)
    chat = Chat(server, session_id)
    chat.wait_for_event("Notification")
    (told,) = notices(chat)
    assert "The server ended in the middle of a roll back" in told
    assert f"{len(MANY) - len(left)} files are as before the run" in told
    for name in left:
        assert room.file(name).read_text() == "by hand\n"
        assert f"{room.path(name)} (It changed after you agreed to the roll back)" in told
    assert roll_back(chat, review(chat))["restored"] == []
