"""Thousands of messages that nobody would send: each is answered, and what waits still waits and still works."""

import json
import random
from typing import Any

from tests.support.room import Room
from tests.support.rpc import Pending
from tests.support.server import Chat, Json, Server, read

MESSAGES = 2_000
AT_ONCE = 50

ODD: list[Json] = [
    None,
    True,
    False,
    0,
    -1,
    1e308,
    2**70,
    "",
    " ",
    "\0",
    "\u202e",
    "𝄞" * 100,
    "x" * 10_000,
    [],
    {},
    [[[[]]]],
    {"a": {"b": {"c": None}}},
    {"jsonrpc": "2.0", "id": 1, "method": "exit"},
    {"__proto__": {"x": 1}, "constructor": None},
    "../../../etc/passwd",
    "params",
]

WORDS = ["accept", "deny", "allow_for_chat", "bypass_session", "bypass_agent", "always_allow", "background", "yes"]


class Fuzz:
    """Makes messages out of good ones, by one fixed series of numbers."""

    def __init__(self, seed: int, chat: Chat, card: Json) -> None:
        self.random = random.Random(seed)
        self._good = self._messages(chat, card)

    def next(self) -> tuple[str, Json]:
        """A method and its params, good or bad, but never one that could settle the card."""
        method, params = self.random.choice(self._good)
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            params = self._spoiled(params)
        if self.random.random() < 0.05:
            method = self.random.choice([method.upper(), method + " ", "tool/", "$/" + method, "rpc.discover"])
        return method, params

    def _messages(self, chat: Chat, card: Json) -> list[tuple[str, Json]]:
        stale = {"approvalId": card["approvalId"], "sessionId": chat.id, "argsDigest": "0" * 64}
        foreign = {"approvalId": card["approvalId"], "sessionId": "elsewhere", "argsDigest": card["argsDigest"]}
        nobody = {"approvalId": "00000000-0000-4000-8000-000000000000"}
        answers = [
            ("tool/approvalResponse", {**base, **answer})
            for base in (stale, foreign, nobody)
            for answer in (
                *({"decision": word} for word in WORDS),
                {"bypassAll": True},
                {"response": {"outcome": {"outcome": "selected", "optionId": "approve"}}},
                {"response": {"outcome": {"outcome": "cancelled"}}, "feedback": "no"},
            )
        ]
        return [
            *answers,
            ("tool/pendingApprovals", {"sessionId": chat.id}),
            ("tool/approvalDetails", {"approvalId": card["approvalId"], "offset": 0, "length": 100}),
            ("session/new", {"agent": "Demo", "mode": "plan"}),
            ("session/list", {}),
            ("session/load", {"sessionId": chat.id, "sinceN": 0}),
            ("session/setMode", {"sessionId": "elsewhere", "mode": "auto", "applyNow": True}),
            ("session/close", {"sessionId": "elsewhere"}),
            ("chat/send", {"sessionId": "elsewhere", "text": "hello", "permission_mode": "auto", "tools": []}),
            ("chat/stop", {"sessionId": "elsewhere"}),
            ("tool/testApproval", {"sessionId": "elsewhere"}),
            ("view/attached", {"viewId": "view", "sessionId": chat.id}),
            ("view/detached", {"viewId": "view", "sessionId": chat.id}),
            ("view/activity", {"viewId": "view", "sessionId": chat.id}),
            ("settings/write", {"key": "bypassPermissions", "path": [], "value": True, "target": "user"}),
            ("tool/approvalRequest", card),
            ("workspace/executeCommand", {"command": "x", "arguments": []}),
            ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}),
            ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
        ]

    def _spoiled(self, params: Json) -> Json:
        if not isinstance(params, dict) or not params or self.random.random() < 0.1:
            return self.random.choice([*ODD, params])
        spoiled = json.loads(json.dumps(params))
        key = self.random.choice(list(spoiled))
        match self.random.randrange(4):
            case 0:
                del spoiled[key]
            case 1:
                spoiled[key] = self._inner(spoiled[key])
            case 2:
                spoiled[self.random.choice(["type_name", "jsonrpc", "class", "_p", "a-b", key + "s"])] = spoiled[key]
            case _:
                spoiled[key] = self.random.choice(ODD)
        # What could settle the card for good reasons is not this test's business.
        return _harmless(spoiled)

    def _inner(self, value: Json) -> Json:
        if isinstance(value, dict) and value:
            return self._spoiled(value)
        if isinstance(value, str) and value:
            place = self.random.randrange(len(value))
            return value[:place] + self.random.choice(["", "\0", "é", value]) + value[place + 1 :]
        return [value]


def _harmless(params: dict[str, Any]) -> dict[str, Any]:
    """An answer keeps a digest or a chat that makes it invalid, however else it was spoiled."""
    if "approvalId" in params and ("decision" in params or "response" in params or "bypassAll" in params):
        foreign = params.get("sessionId") == "elsewhere"
        params["argsDigest"] = params["argsDigest"] if foreign and "argsDigest" in params else "0" * 64
    return params


def check_alive(chat: Chat, card: Json, answers: list[Pending]) -> None:
    for pending in answers:
        answer = pending.answer(within=20)
        assert ("result" in answer) != ("error" in answer)
        if "error" in answer:
            assert isinstance(answer["error"]["code"], int) and answer["error"]["message"]
            assert answer["error"]["code"] != -32603, f"{pending.method} met a fault of the server: {answer}"
    assert chat.waits(card) and chat.endings(card) == []


def test_two_thousand_odd_messages_change_nothing(alone: Server) -> None:
    room = Room(alone, "room")
    room.file("kept.txt").write_text("kept")
    chat, card, run = room.card([room.write("kept.txt", "changed")], [read(room.path("kept.txt"))])
    fuzz = Fuzz(20_26, chat, card)
    for _ in range(MESSAGES // AT_ONCE):
        pending = []
        for _ in range(AT_ONCE):
            method, params = fuzz.next()
            if fuzz.random.random() < 0.15:
                alone.client.notify(method, params)
            else:
                pending.append(alone.client.start(method, params))
                if fuzz.random.random() < 0.02:
                    pending[-1].cancel()
        check_alive(chat, card, pending)
    assert room.file("kept.txt").read_text() == "kept"
    assert sorted(path.name for path in alone.workspace.rglob("*")) == ["kept.txt", "room"]
    assert chat.info()["mode"] == "default" and chat.info()["bypassAgent"] is chat.info()["bypassSession"] is False
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("kept.txt").read_text() == "changed"
    assert [event["n"] for event in chat.events()] == list(range(1, len(chat.events()) + 1))
    assert "Traceback" not in alone.client.stderr
    assert alone.client.shutdown() == 0


def test_a_thousand_forged_ids_run_nothing(alone: Server) -> None:
    """Ids that look right, and the right one in other spellings."""
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    good, luck = card["approvalId"], random.Random(7)
    forged = ["".join(luck.choice("0123456789abcdef") if sign != "-" else "-" for sign in good) for _ in range(900)]
    forged += [good[:place] + luck.choice("0123456789abcdef") + good[place + 1 :] + "x" for place in range(len(good))]
    forged += [good.upper(), good + " ", " " + good, good.replace("-", ""), "{" + good + "}", good + "\0", good[:-1]]
    pending = [alone.client.start("tool/approvalResponse", {"approvalId": one, "decision": "accept"}) for one in forged]
    assert {one.error(within=30).code for one in pending} == {-31001}
    assert chat.waits(card) and not room.file("a").exists()
    chat.select(card, "deny")
    run.result()
