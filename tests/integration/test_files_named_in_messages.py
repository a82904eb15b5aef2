"""Files that the user names in a message: what is offered, what goes along, and what does not without a second yes."""

from collections.abc import Callable

import pytest

from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import CANCELLED, INVALID_PARAMS, STALE, Chat, Json, Server

Start = Callable[..., Server]


def _files(server: Server, **texts: str | bytes) -> None:
    for name, text in texts.items():
        file = server.workspace / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)


def _found(chat: Chat, query: str) -> list[str]:
    return chat.client.request("chat/files", {"sessionId": chat.id, "query": query})["files"]


def _look(chat: Chat, path: str) -> Json:
    return chat.client.request("chat/attachable", {"sessionId": chat.id, "path": path})


@pytest.fixture
def chat(start: Start) -> Chat:
    server = start()
    server.meet(user={"alwaysDenyRules": {"read_file": ["private/**"]}})
    return server.chat()


def test_files_are_found_by_a_part_of_their_path(chat: Chat):
    _files(chat.server, src__reader_dot_py="", src__deep__read_all_dot_py="", build__reader_dot_py="", notes="")
    _files(chat.server, private__reader_dot_py="", _dot_gitignore="build/\n")
    (chat.server.workspace.parent / "reader.py").write_text("outside")
    assert _found(chat, "READ") == ["src/reader.py", "src/deep/read_all.py"]
    assert _found(chat, "sdra") == ["src/deep/read_all.py"]
    assert _found(chat, "../") == []


def test_a_rule_counts_at_once_for_names_that_were_found_before_it(start: Start):
    server = start()
    server.meet()
    chat = server.chat()
    _files(server, plain_dot_txt="", hidden__plain_dot_txt="")
    assert _found(chat, "plain") == ["plain.txt", "hidden/plain.txt"]
    told = server.settings(alwaysDenyRules={"read_file": ["hidden/**"]})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    assert _found(chat, "plain") == ["plain.txt"]


def test_of_what_is_written_in_a_view_only_the_last_must_be_answered(chat: Chat):
    _files(chat.server, **{f"folder{number}__notes_dot_txt": "" for number in range(50)})
    written = [("notes"[:length], view) for length in range(1, 6) for view in ("left", "right")]
    asked = [
        (query, chat.client.start("chat/files", {"sessionId": chat.id, "query": query, "viewId": view}))
        for query, view in written
    ]
    answers = [(query, request.answer()) for query, request in asked]
    for query, answer in answers:
        assert "result" in answer or (answer["error"]["code"] == CANCELLED and query != "notes")
    assert [len(answer["result"]["files"]) for query, answer in answers if query == "notes"] == [50, 50]


def test_a_file_says_how_large_it_is(chat: Chat):
    _files(chat.server, a_dot_txt="twelve bytes")
    assert _look(chat, "a.txt") == {"path": "a.txt", "size": 12}


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("missing.txt", None, "does not exist"),
        ("large.txt", b"x" * 200_001, "200,001 bytes"),
        ("data.bin", b"\0\1\2\xff", "is neither text nor a picture"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "is a picture (PNG), and Scripted takes none"),
        ("../outside.txt", b"outside", "lies outside of the workspace"),
        ("private/keys.txt", b"denied by a rule", "rule"),
    ],
)
def test_what_cannot_go_along_says_why(chat: Chat, path: str, content: bytes | None, why: str):
    if content is not None:
        file = chat.server.workspace / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    for request in (lambda: _look(chat, path), lambda: chat.run(attachments=[{"path": path, "agreedDigest": "0"}])):
        with pytest.raises(RpcError) as fault:
            request()
        assert fault.value.code == INVALID_PARAMS
        assert why in fault.value.message
    assert chat.events("Prompt") == []


def test_what_looks_secret_goes_along_only_with_a_second_yes(chat: Chat):
    _files(chat.server, _dot_env="PASSWORD=hunter2")
    looked = _look(chat, ".env")
    assert looked["warning"]
    _not_sent(chat, path=".env")
    assert _sent(chat, ".env", looked)


def _sent(chat: Chat, path: str, looked: Json) -> bool:
    done = chat.run(attachments=[{"path": path, "agreedDigest": looked["warningDigest"]}])
    return done["done_reason"] == "stop"


def _not_sent(chat: Chat, **file: Json) -> RpcError:
    """Neither the file nor the message, whatever else was said about it."""
    before = chat.events("Prompt")
    with pytest.raises(RpcError, match="was not sent, and neither was the message") as fault:
        chat.run(attachments=[file])
    assert fault.value.code == STALE
    assert chat.events("Prompt") == before
    return fault.value


@pytest.mark.parametrize("said", [{"agreed": True}, {"agreedDigest": "true"}, {"agreedDigest": "0" * 64}])
def test_a_yes_without_what_was_read_is_none(chat: Chat, said: dict[str, Json]):
    _files(chat.server, _dot_env="PASSWORD=hunter2")
    assert "keys or passwords" in _not_sent(chat, path=".env", **said).message


def test_a_yes_counts_for_the_file_that_was_there(chat: Chat):
    """The name leads to another file by now, of which the very same would be said."""
    _files(chat.server, one___dot_env="A=1", other___dot_env="B=2")
    work = chat.server.workspace
    (work / ".env").symlink_to(work / "one" / ".env")
    looked = _look(chat, ".env")
    (work / ".env").unlink()
    (work / ".env").symlink_to(work / "other" / ".env")
    again = _look(chat, ".env")
    assert (again["warning"], again["size"]) == (looked["warning"], looked["size"])
    _not_sent(chat, path=".env", agreedDigest=looked["warningDigest"])
    assert _sent(chat, ".env", again)


def test_a_yes_counts_for_its_file_alone(chat: Chat):
    _files(chat.server, _dot_env="A=1", deep___dot_env="B=2")
    looked = _look(chat, ".env")
    assert _look(chat, "deep/.env")["warning"] == looked["warning"]
    _not_sent(chat, path="deep/.env", agreedDigest=looked["warningDigest"])


def test_a_yes_counts_for_the_reason_that_was_read_and_in_its_chat(start: Start):
    server = start()
    server.meet()
    chat, beside = server.chat(), server.chat()
    _files(server, _dot_env="A=1", plain_dot_txt="words")
    looked = _look(chat, ".env")
    _not_sent(beside, path=".env", agreedDigest=looked["warningDigest"])
    told = server.settings(alwaysAskRules={"read_file": [".env", "plain.txt"]})
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": told}})
    wait_until(lambda: _look(chat, ".env")["warning"] != looked["warning"], what="the rule")
    _not_sent(chat, path=".env", agreedDigest=looked["warningDigest"])
    assert "rule" in _not_sent(chat, path="plain.txt").message
    assert _sent(chat, ".env", _look(chat, ".env"))


def test_the_model_gets_the_text_of_now_and_the_chat_shows_its_name(start: Start):
    with model_server(OllamaWire(), Said("Read.")) as models:
        server = start()
        defined = {"provider": models.wire.provider, "model": "m", "baseUrl": models.base_url}
        server.meet(user={"agents": {"Local": defined}})
        chat = server.chat(agent="Local")
        _files(server, a_dot_txt="before")
        _look(chat, "a.txt")
        _files(server, a_dot_txt="now ``` and")
        chat.run("look", attachments=[{"path": "a.txt"}])
        assert [one["data"]["text"] for one in chat.events("Prompt")] == ["look\n[a.txt]"]
        [message] = models.log.seen[0].messages
        where = (server.workspace / "a.txt").resolve().as_uri()
        assert message.text == f"look\n\n{where}:\n````\nnow ``` and\n````\n"
