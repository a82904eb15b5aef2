"""Rolling back as a client does it: what runs of a chat changed, and putting it back.

chat = ran(room, [room.write("a.txt", "after")])
found = review(chat)
assert roll_back(chat, found)["restored"] == [room.path("a.txt")]
"""

from pathlib import Path
from typing import Any

from tests.support.room import Room
from tests.support.rpc import Pending
from tests.support.server import Chat, Turn, say

Json = Any
AUTO = "auto"


def ran(room: Room, *turns: Turn) -> Chat:
    """A chat in which these calls have run."""
    chat = room.chat(*turns, [say("Done.")], mode=AUTO)
    assert chat.run()["done_reason"] == "stop"
    assert all(result["success"] for result in chat.results()), chat.results()
    return chat


def checkpoints(chat: Chat) -> list[Json]:
    """The runs that wrote files."""
    return chat.client.request("checkpoint/list", {"sessionId": chat.id})["checkpoints"]


def review(chat: Chat, at: int = 0) -> Json:
    """What a run changed; the newest one where not said otherwise."""
    run_id = checkpoints(chat)[at]["runId"]
    return chat.client.request("checkpoint/diff", {"sessionId": chat.id, "runId": run_id})


def states(found: Json) -> dict[str, str]:
    """How each file stands, by its name."""
    return {Path(one["path"]).name: one["state"] for one in found["files"]}


def roll_back(chat: Chat, found: Json, *also: Path) -> Json:
    """Rolls back what was shown; these changed files as well."""
    return begin(chat, found, *also).result()


def begin(chat: Chat, found: Json, *also: Path) -> Pending:
    """The same, without waiting for the answer."""
    params = {"sessionId": chat.id, "runId": found["runId"], "digest": found["digest"]}
    return chat.client.start("checkpoint/restore", {**params, "alsoChanged": [str(path) for path in also]})


def notices(chat: Chat) -> list[str]:
    """What the chat was told beside its calls."""
    return [event["data"]["text"] for event in chat.events("Notification")]
