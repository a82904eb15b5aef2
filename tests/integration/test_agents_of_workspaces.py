"""A workspace's agent runs as the user agreed to it: what it runs is changed, and it is asked about anew."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import Json, Server

Start = Callable[..., Server]
AGENT = "Theirs"


def program(folder: Path, word: str) -> str:
    """An agent that leaves a mark whenever it starts."""
    _, *words = scripted.command(str(folder / "script.json"))
    mark = f"open({str(folder / 'marks')!r}, 'a').write({word + ' '!r})"
    start = f"os.execv({sys.executable!r}, {[sys.executable, *words]!r})"
    return f"import os\n{mark}\n{start}\n"


def marks(folder: Path) -> list[str]:
    return (folder / "marks").read_text().split()


def agree(server: Server, to: Json) -> None:
    honour = [entry["entryId"] for entry in to["entries"]]
    params = {"consentId": to["consentId"], "digest": to["digest"], "honour": honour}
    server.client.request("settings/consentResponse", params)


def asked(server: Server, count: int) -> Json:
    """The question that was asked so many times by then."""

    def there() -> list[Json]:
        return server.client.notifications("settings/consentRequest")

    wait_until(lambda: len(there()) >= count, what=f"{count} questions")
    return there()[count - 1]


def defines(server: Server, definition: Json) -> None:
    settings = server.workspace / ".vscode" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"assent.agents": {AGENT: definition}}))


@pytest.mark.parametrize(
    ("definition", "file"),
    [
        ({"args": ["a.py", "link/../a.py"]}, "workspace/a.py"),
        ({"args": ["run.py"], "cwd": "~/workspace/sub"}, "workspace/sub/run.py"),
        ({"args": ["pkg"]}, "workspace/pkg/__main__.py"),
        ({"args": ["-m", "pkg.tool"]}, "workspace/pkg/tool.py"),
        (
            {"command": "sh", "args": ["-c", f"cd sub && exec '{sys.executable}' './my tool.py'"]},
            "workspace/sub/my tool.py",
        ),
    ],
    ids=["two ways", "home", "folder", "module", "line for a shell"],
)
def test_what_an_agent_runs_is_changed_and_runs_no_more(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, definition: Json, file: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    server = start()
    (tmp_path / "script.json").write_text(json.dumps({"prompts": [[], []]}))
    for name in ("sub/a.py", "sub/deep/x"):
        place = server.workspace / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")
    (server.workspace / "link").symlink_to("sub/deep")
    runs = tmp_path / file
    runs.parent.mkdir(exist_ok=True)
    runs.write_text(program(tmp_path, "good"))
    defines(server, {"command": sys.executable, **definition})
    server.meet()
    agree(server, asked(server, 1))
    chat = server.chat(agent=AGENT)
    assert chat.run(within=30)["done_reason"] == "stop"
    assert marks(tmp_path) == ["good"]
    server.client.request("session/close", {"sessionId": chat.id})

    # Of another length: what Python compiled in the same second stands for a file of the same one.
    runs.write_text(program(tmp_path, "wicked"))
    again = asked(server, 2)
    with pytest.raises(RpcError, match="no agent named"):
        server.chat(agent=AGENT)
    assert marks(tmp_path) == ["good"]

    agree(server, again)
    assert server.chat(agent=AGENT).run(within=30)["done_reason"] == "stop"
    assert marks(tmp_path) == ["good", "wicked"]


def test_a_file_of_another_folder_of_the_workspace_is_bound_too(start: Start, tmp_path: Path) -> None:
    server, other = start(), tmp_path / "other"
    other.mkdir()
    (tmp_path / "script.json").write_text(json.dumps({"prompts": [[]]}))
    (other / "b.py").write_text(program(tmp_path, "good"))
    defines(server, {"command": sys.executable, "args": ["../other/b.py"]})
    server.meet()
    asked(server, 1)
    added = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
    server.client.notify("workspace/didChangeWorkspaceFolders", {"event": added})
    agree(server, asked(server, 2))
    chat = server.chat(agent=AGENT)
    assert chat.run(within=30)["done_reason"] == "stop"
    server.client.request("session/close", {"sessionId": chat.id})

    (other / "b.py").write_text(program(tmp_path, "evil"))
    asked(server, 3)
    with pytest.raises(RpcError, match="no agent named"):
        server.chat(agent=AGENT)
    assert marks(tmp_path) == ["good"]
