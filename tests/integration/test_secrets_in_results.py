"""What a model gets to read of keys and tokens: marks, or what the user lets it have. Files never lose them."""

from collections.abc import Callable, Iterator

import pytest

from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.room import Room
from tests.support.secret_samples import an, glued
from tests.support.server import Chat, Json, Server, call, refusal, write

Start = Callable[..., Server]
MODEL = "claude-sonnet-4-6"
TOKEN = glued("gh", "p_", an(36))
KEY = "\n".join((glued("-----BEGIN ", "PRIVATE KEY-----"), *[an(64)] * 6, glued("-----END ", "PRIVATE KEY-----")))
MARK = "[masked: GitHub token]"
DONE = Said("Done.")


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with model_server(AnthropicWire(), models=[MODEL]) as models:
        yield models


def talk(start: Start, models: ModelServer, **user: Json) -> Chat:
    server = start()
    agent = {"provider": "anthropic", "model": MODEL, "baseUrl": models.base_url}
    server.meet(user={"agents": {"Local": agent}, "alwaysAllowRules": {"bash": ["cat:*"]}, **user})
    (server.workspace / "app.py").write_text(f"one = 1\ntoken = '{TOKEN}'\ntwo = 2\n")
    (server.workspace / "notes.txt").write_text(f"first\n{KEY}\nlast\n")
    return server.chat(agent="Local")


def sent(models: ModelServer) -> str:
    """All that the model's server got."""
    assert models.log.rejected == []
    return "\n".join(got.body.decode() for got in models.log.got)


READS = (
    SaidCall("read_file", {"path": "app.py"}),
    SaidCall("grep", {"pattern": "token", "path": "app.py"}),
    SaidCall("bash", {"command": "cat app.py"}),
)


def test_a_model_gets_marks_and_the_user_sees_what_is_there(start: Start, models: ModelServer) -> None:
    chat = talk(start, models)
    models.add(Said("I look.", READS), DONE)
    assert chat.run()["done_reason"] == "stop"
    assert TOKEN not in sent(models)
    assert sent(models).count(MARK) == 3
    assert sent(models).count("1 secret is masked for you") == 3
    assert all(TOKEN in result["output"] for result in chat.results())


def test_the_login_of_a_proxy_is_masked_however_it_is_printed(start: Start, models: ModelServer) -> None:
    """Commands have it, or they would not reach the network."""
    proxy = "http://me:hunter2%21x@proxy.example:3128"
    server = start(env={"HTTPS_PROXY": proxy})
    agent = {"provider": "anthropic", "model": MODEL, "baseUrl": models.base_url}
    server.meet(user={"agents": {"Local": agent}})
    (server.workspace / "login").write_text("Basic bWU6aHVudGVyMiF4\nhunter2!x\n")
    chat = server.chat(agent="Local")
    reads = [SaidCall("bash", {"command": command}) for command in ("printenv HTTPS_PROXY", "env", "cat login")]
    models.add(Said("I look.", tuple(reads)), DONE)
    chat.run()
    assert sorted(proxy in result["output"] for result in chat.results()) == [False, True, True]
    assert sent(models).count("[masked: known key, short]@proxy.example:3128") == 2
    assert not any(word in sent(models) for word in ("hunter2", "bWU6aHVudGVyMiF4"))
    assert not any(b"hunter2" in file.read_bytes() for file in server.state.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    "reads",
    [
        SaidCall("read_file", {"path": "notes.txt", "offset": 4, "limit": 2}),
        SaidCall("grep", {"pattern": "^aB3", "path": "notes.txt"}),
    ],
)
def test_a_part_of_a_key_is_known_by_what_stands_around_it(start: Start, models: ModelServer, reads: SaidCall) -> None:
    chat = talk(start, models)
    models.add(Said("I look.", (reads,)), DONE)
    chat.run()
    assert an(64) in chat.results()[0]["output"]
    at = sent(models).find(an(64))
    assert at < 0, sent(models)[at - 300 : at + 100]
    assert "[masked: private key" in sent(models)


def test_what_merely_stands_under_a_name_is_shown(start: Start, models: ModelServer) -> None:
    chat = talk(start, models)
    (chat.server.workspace / "b.py").write_text("password = 'hunter22hunter22'\n")
    models.add(Said("I look.", (SaidCall("read_file", {"path": "b.py"}),)), DONE)
    chat.run()
    assert "hunter22hunter22" in sent(models) and "masked" not in sent(models).partition('"tool_result"')[2]


def test_the_other_parts_of_such_a_file_can_be_edited_and_the_secret_stays(room: Room) -> None:
    before = f"one = 1\ntoken = '{TOKEN}'\ntwo = 2\n"
    room.file("a").write_text(before)
    path = room.path("a")
    wrong = [
        call("edit_file", path=path, edits=[{"old": f"token = '{MARK}'", "new": "token = ''"}]),
        call("edit_file", path=path, edits=[{"old": "two = 2", "new": f"two = '{MARK}'"}]),
        write(path, before.replace(TOKEN, MARK)),
        write(room.path("new"), f"token = '{MARK}'\n"),
    ]
    right = call("edit_file", path=path, edits=[{"old": "two = 2", "new": "two = 3"}])
    chat = room.chat(wrong, [right])
    run = chat.send()
    card = chat.card()
    assert card["args"]["edits"][0]["new"] == "two = 3"
    chat.answer(card, decision="accept")
    run.result()
    results = chat.results()
    assert [refusal(one)["error"] for one in results[:4]] == ["masked_text"] * 4
    assert "stands for a secret that you did not get to read" in refusal(results[0])["message"]
    assert room.file("a").read_text() == before.replace("two = 2", "two = 3") and not room.file("new").exists()


def test_a_mark_that_is_a_part_of_the_file_is_a_text_like_any_other(room: Room) -> None:
    room.file("a").write_text(f"example: {MARK}\nx\n")
    chat = room.chat([write(room.path("a"), f"example: {MARK}\ny\n")])
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    run.result()
    assert room.file("a").read_text() == f"example: {MARK}\ny\n"


def test_show_gives_the_model_what_is_there(start: Start, models: ModelServer) -> None:
    chat = talk(start, models, **{"secrets.reading": "show"})
    models.add(Said("I look.", READS), DONE)
    chat.run()
    assert TOKEN in sent(models) and MARK not in sent(models)


@pytest.mark.parametrize("mode", ["auto", "plan"])
@pytest.mark.parametrize("decision", ["accept", "deny"])
def test_ask_holds_the_result_back_until_the_user_says_yes(
    start: Start, models: ModelServer, mode: str, decision: str
) -> None:
    chat = talk(start, models, **{"secrets.reading": "ask"})
    chat.set_mode(mode)
    models.add(Said("I look.", (SaidCall("read_file", {"path": "app.py"}),)), DONE)
    run = chat.send()
    card = chat.card()
    assert card["headline"] == "Let the model read the secrets that read_file returned"
    assert card["args"] == {"tool": "read_file", "holds": ["GitHub token"], "path": "app.py"}
    assert "`assent.secrets.reading` says that you are asked" in str(card["reason"])
    assert all("always" not in one["optionId"] and "session" not in one["optionId"] for one in card["options"])
    assert len(models.log.got) <= 2 and TOKEN not in sent(models)
    chat.answer(card, decision=decision)
    assert run.result()["done_reason"] == "stop"
    assert (TOKEN in sent(models)) is (decision == "accept")
    assert (MARK in sent(models)) is (decision == "deny")


def test_a_stop_gives_nothing(start: Start, models: ModelServer) -> None:
    chat = talk(start, models, **{"secrets.reading": "ask"})
    chat.set_mode("auto")
    models.add(Said("I look.", (SaidCall("read_file", {"path": "app.py"}),)), DONE)
    run = chat.send()
    chat.card()
    chat.stop()
    run.result()
    models.add(DONE)
    chat.run("and now?")
    assert TOKEN not in sent(models)


def test_a_workspace_may_tighten_it_and_not_loosen_it(start: Start, models: ModelServer) -> None:
    chat = talk(start, models, **{"secrets.reading": "show"})
    settings = chat.server.workspace / ".vscode/settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"assent.secrets.reading": "mask"}')
    models.add(Said("I look.", READS[:1]), DONE)
    chat.run()
    assert TOKEN not in sent(models) and MARK in sent(models)


def test_what_a_workspace_loosens_waits_for_consent(start: Start, models: ModelServer) -> None:
    chat = talk(start, models)
    settings = chat.server.workspace / ".vscode/settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"assent.secrets.reading": "show"}')
    models.add(Said("I look.", READS[:1]), DONE)
    chat.run()
    assert TOKEN not in sent(models) and MARK in sent(models)
