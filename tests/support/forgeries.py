"""Answers that must not count: forged, mangled, replayed. A real answer with something wrong in it, in many ways.

A scene has a call that waits, another one that waits in another chat, and two that have ended. A forgery is made from a
good answer to the first by breaking one thing; none of them may run anything or end anything.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from tests.support.room import Room
from tests.support.rpc import Pending
from tests.support.server import Chat, Json

Forgery = tuple[str, str, Json]
"""What is wrong with it, the method, and the params."""

_LOOK_ALIKES = {"a": "а", "e": "е", "o": "о", "p": "р", "c": "с", "d": "ԁ", "-": "‐", "0": "０", "1": "１", "_": "＿"}
_JUNK: list[Json] = [5, -1, True, False, [], ["x"], {}, {"x": 1}, 1.5, "", "x", "null", "true"]


@dataclass
class Scene:
    """Who waits, and what was answered before."""

    room: Room
    chat: Chat
    card: Json
    run: Pending
    other: Chat
    other_card: Json
    other_run: Pending
    ended: list[Json]
    """Answers that counted once, as they were sent."""

    def still_stands(self) -> bool:
        """Whether nothing ran, and both calls wait."""
        files = sorted(path.name for path in self.room.folder.iterdir())
        return files == [] and self.chat.waits(self.card) and self.other.waits(self.other_card)

    def end(self) -> None:
        """The real answers, which count."""
        self.chat.select(self.card, "approve")
        self.other.select(self.other_card, "deny")
        self.run.result(), self.other_run.result()
        assert [path.name for path in self.room.folder.iterdir()] == ["a"]


def scene(room: Room) -> Scene:
    """Two calls that have ended, and two that wait."""
    ended = []
    for name, option in (("ran", "approve"), ("refused", "deny")):
        chat, card, run = room.card([room.write(name)])
        answer = good(chat, card, option)
        chat.client.request("tool/approvalResponse", answer)
        run.result()
        ended.append(answer)
    room.file("ran").unlink()
    chat, card, run = room.card([room.write("a")])
    other, other_card, other_run = room.card([room.write("b")])
    return Scene(room, chat, card, run, other, other_card, other_run, ended)


def good(chat: Chat, card: Json, option: str = "approve") -> dict[str, Json]:
    """An answer as a page gives it."""
    response = {"outcome": {"outcome": "selected", "optionId": option}}
    digest = card["argsDigest"]
    return {"approvalId": card["approvalId"], "sessionId": chat.id, "response": response, "argsDigest": digest}


def forge(scene: Scene, random_: random.Random) -> Forgery:
    """One of them."""
    way = random_.choice(_WAYS)
    answer = good(scene.chat, scene.card)
    told = way(answer, scene, random_)
    params = told if told is not None else answer
    name = way.__name__.strip("_")
    if random_.random() < 0.15 and {"approvalId", "argsDigest"} <= params.keys() and way in _ALSO_TOGETHER:
        item = {"approvalId": params["approvalId"], "argsDigest": params["argsDigest"]}
        return f"{name}, together", "tool/approvalBatch", {"items": [item], "decision": "allow_once"}
    return name, "tool/approvalResponse", params


def counted(method: str, message: Json) -> bool:
    """Whether this answer of the server says that something counted."""
    if method == "tool/approvalBatch" and "result" in message:
        return any(one["status"] != "failed" for one in message["result"]["results"])
    return "result" in message


def _flipped(text: str, random_: random.Random) -> str:
    """One character is another one: another hex digit, its other case, one that looks like it, one more, one less."""
    at = random_.randrange(len(text))
    put = random_.choice(
        [
            lambda char: random_.choice([one for one in "0123456789abcdef" if one != char]),
            lambda char: char.upper() if char.upper() != char else "f",
            lambda char: _LOOK_ALIKES.get(char, "х"),
            lambda char: char + random_.choice(["0", " ", "\u200b", "\x00"]),
            lambda char: "",
        ]
    )
    changed = text[:at] + put(text[at]) + text[at + 1 :]
    return changed if changed != text else text + "0"


def _digest(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["argsDigest"] = _flipped(answer["argsDigest"], random_)


def _digest_of_another(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["argsDigest"] = random_.choice([scene.other_card["argsDigest"], scene.ended[0]["argsDigest"], "", "0" * 64])


def _id(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["approvalId"] = _flipped(answer["approvalId"], random_)


def _id_of_nobody(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["approvalId"] = random_.choice([str(uuid4()), "", "*", scene.card["sessionId"], scene.card["argsDigest"]])


def _id_of_another(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["approvalId"] = scene.other_card["approvalId"]


def _replay(answer: Json, scene: Scene, random_: random.Random) -> Json:
    return random_.choice(scene.ended)


def _id_of_the_past(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["approvalId"] = random_.choice(scene.ended)["approvalId"]


def _chat(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["sessionId"] = random_.choice(
        [scene.other.id, str(uuid4()), "", _flipped(scene.chat.id, random_), scene.ended[0]["sessionId"]]
    )


def _view(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["viewId"] = random_.choice(["", "nowhere", str(uuid4()), scene.chat.id])


def _option(answer: Json, scene: Scene, random_: random.Random) -> None:
    offered = random_.choice([option["optionId"] for option in scene.card["options"]])
    picked = random_.choice([_flipped(offered, random_), offered.upper(), "", "0", "background", "allow_once"])
    answer["response"]["outcome"]["optionId"] = picked


def _outcome(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["response"] = random_.choice(
        [
            None,
            {},
            {"outcome": None},
            {"outcome": "selected"},
            {"outcome": {"outcome": "Selected", "optionId": "approve"}},
            {"outcome": {"outcome": "selected"}},
            {"outcome": {"outcome": "allowed", "optionId": "approve"}},
            {"outcome": {"optionId": "approve"}},
            {"outcome": {"outcome": ["selected"], "optionId": "approve"}},
        ]
    )


def _contradiction(answer: Json, scene: Scene, random_: random.Random) -> None:
    match random_.randrange(5):
        case 0:
            answer["decision"] = random_.choice(["deny", "reject", "never"])
        case 1:
            answer["response"]["outcome"]["optionId"] = "deny"
            answer["bypassAll"] = True
        case 2:
            answer["response"] = {"outcome": {"outcome": "cancelled"}}
            answer["bypassAll"] = True
        case 3:
            answer["response"]["outcome"]["optionId"] = "deny"
            answer["decision"] = "accept"
        case 4:
            answer["response"] = {"outcome": {"outcome": "cancelled"}}
            answer["decision"] = "accept"


def _nothing_said(answer: Json, scene: Scene, random_: random.Random) -> None:
    del answer["response"]
    answer.update(random_.choice([{}, {"bypassAll": False}, {"feedback": "yes"}, {"decision": None}]))


def _shorthand(answer: Json, scene: Scene, random_: random.Random) -> None:
    del answer["response"]
    words: list[Json] = ["Accept", "ACCEPT", "accept ", "yes", "approve", "", "\u0430ccept", 1, True, ["accept"]]
    answer["decision"] = random_.choice(words)


def _shape(answer: Json, scene: Scene, random_: random.Random) -> None:
    """A field of another kind."""
    fields = ("approvalId", "sessionId", "viewId", "response", "feedback", "argsDigest", "limits", "decision")
    field = random_.choice(fields)
    answer[field] = random_.choice([one for one in _JUNK if field != "feedback" or not isinstance(one, str)])


def _edit(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["editedArgs"] = random_.choice(
        ["x", 5, [], [{}], True, {}, {"path": 5, "content": "x"}, {"path": "b"}, {"path": None, "content": None}]
    )


def _edit_with_another_option(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["editedArgs"] = {"path": scene.room.path("edited"), "content": "x"}
    answer["response"]["outcome"]["optionId"] = random_.choice(
        [option["optionId"] for option in scene.card["options"] if option["kind"] != "allow_once"]
    )


def _bypass_of_another_kind(answer: Json, scene: Scene, random_: random.Random) -> None:
    answer["bypassAll"] = random_.choice(["true", 1, 0, "", [], {}, [True]])


def _no_object(answer: Json, scene: Scene, random_: random.Random) -> Json:
    del answer["approvalId"]
    return answer


_WAYS: list[Callable[[Json, Scene, random.Random], Json]] = [
    _digest,
    _digest_of_another,
    _id,
    _id_of_nobody,
    _id_of_another,
    _replay,
    _id_of_the_past,
    _chat,
    _view,
    _option,
    _outcome,
    _contradiction,
    _nothing_said,
    _shorthand,
    _shape,
    _edit,
    _edit_with_another_option,
    _bypass_of_another_kind,
    _no_object,
]
_ALSO_TOGETHER = {_digest, _digest_of_another, _id, _id_of_nobody, _id_of_another, _replay, _id_of_the_past}
