"""Commands that seem only to read, over the wire: where something holds them they run unasked and can do nothing else;
where nothing does, only plain ones run unasked."""

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.rpc import frame
from tests.support.server import Chat, Json, Server, Step, call, say

CANARY = "a-canary-that-nobody-may-see"

WRONGLY_READ = r"""
: 'a[$(touch p)]'; echo $((_))
[[ 'a[$(touch p)]' =~ .* ]]; echo $((BASH_REMATCH))
x='a[$(touch p)]'; echo $((${y:-$x}))
DEBUG='a[$(touch p)]' bash -c '((DEBUG))'
mapfile -n 5 -C 'touch p #' -c 1 a <<< x
wait -fnp 'a[$(touch p)]'
x=touch; declare x=ls <&9; $x p
x=touch; set -- ls <&9; $x p
x=touch; local x=ls; $x p
x=touch; declare -p x=ls; $x p
x=touch; f(){ unset x; $x ls p; }; x= f
f(){ git log; }; GIT_EXTERNAL_DIFF='touch p #' f
bash -O lastpipe -c 'echo touch p | read x; $x'
sh -c 'echo "ls #\ntouch p" | sh'
printf 'a\nb\n' | xargs -I{} -n5 env touch p
cd a <&9; cat ../outside/f
cat <(cat ../outside/f)
x=$(cat ../outside/f); echo "$x"
for f in ../outsid?/f; do cat "$f"; done
f=.en; cat ${f}v
p=/proc/$PPID/environ; cat $p
exec 3<> /dev/tcp/127.0.0.1/PORT
cat < /dev/tcp/127.0.0.1/PORT
""".strip().splitlines()
"""What the shell does with these is not what a reading of them has once found: `p` is made, what lies outside is shown,
or a port is reached."""


def bash(command: str, **more: Json) -> Step:
    """The model wants to run this."""
    return call("bash", command=command, **more)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server with these settings of its user; the home directory is the test's own, and keys lie about."""
    servers: list[Server] = []

    def start(**user: Json) -> Server:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        server = Server(tmp_path, env={"HOME": str(home), "MODEL_KEY": CANARY})
        servers.append(server)
        for path in (tmp_path / "outside" / "f", home / "notes", home / ".netrc", server.workspace / ".env"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(CANARY)
        (server.workspace / "a").mkdir()
        (server.workspace / "a.txt").write_text("one\n")
        server.meet(user=user)
        return server

    yield start
    for server in servers:
        server.client.close()


def _run(server: Server, *steps: Step, mode: str = "default") -> tuple[Chat, list[str]]:
    """Whatever is asked for is denied; with what the calls gave."""
    server.script(*([step] for step in steps), [say("done")])
    chat = server.chat(mode=mode)
    sent = chat.send()
    while not sent.done:
        for card in chat.cards():
            if chat.waits(card):
                chat.select(card, "deny")
    return chat, [result["output"] for result in chat.results()]


@pytest.mark.parametrize("mode", ["default", "plan"])
@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_lines_that_were_once_read_wrongly_do_nothing(started: Callable[..., Server], mode: str, sandbox: str) -> None:
    server = started(sandbox={"enabled": sandbox})
    with socket.create_server(("127.0.0.1", 0)) as listener:
        lines = [line.replace("PORT", str(listener.getsockname()[1])) for line in WRONGLY_READ]
        _, said = _run(server, *map(bash, lines), mode=mode)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert len(said) == len(lines)
    assert CANARY not in "".join(said)
    assert sorted(path.name for path in server.workspace.iterdir()) == [".env", "a", "a.txt"]


@pytest.mark.parametrize("mode", ["default", "plan"])
def test_what_seems_to_read_runs_where_it_is_held_and_asks_where_it_is_not(
    started: Callable[..., Server], mode: str
) -> None:
    server = started()
    line = 'for f in a.txt; do x=$(cat "$f"); echo "$f: $x"; done'
    chat, said = _run(server, bash(line), bash(line, sandbox=False), bash("cat a.txt | sort", sandbox=False), mode=mode)
    assert said[0] == "Exit code 0.\na.txt: one\n"
    assert said[2] == "Exit code 0.\none\n"
    (card,) = chat.cards()
    assert "nothing here would hold it" in card["reason"]["text"]
    decided = [one for one in server.client.request("history/query", {})["entries"] if one["stage"] == "decided"]
    assert any("keeps it from all else" in one["text"] for one in decided)


def test_what_is_held_is_told_where_it_fails_and_where_it_sees_less(started: Callable[..., Server]) -> None:
    server = started()
    _, (failed, blind, found_none) = _run(
        server, bash('cat "$(echo none)" a.txt; exit 3'), bash("x=$(ps aux); echo $?"), bash("x=1; grep -q two a.txt")
    )
    assert "It was held to reading (" in failed and "sandbox: false" in failed
    assert "ps saw nothing of what else runs" in blind
    assert found_none == "Exit code 1. It printed nothing."


def test_a_key_in_the_environment_is_the_servers_own(started: Callable[..., Server]) -> None:
    server = started()
    assert CANARY.encode() not in Path(f"/proc/{server.client.pid}/environ").read_bytes()
    chat, said = _run(server, bash(f"ps eww -p {server.client.pid}"), bash("ps aux"))
    assert CANARY not in "".join(said)
    assert [card["headline"] for card in chat.cards()] == [f"Run ps eww -p {server.client.pid}"]


def test_an_answer_that_says_two_things_counts_as_none(started: Callable[..., Server]) -> None:
    server = started()
    server.script([bash("touch made")], [say("done")])
    chat = server.chat(mode="default")
    chat.send()
    card = chat.card()
    params = json.dumps({"approvalId": card["approvalId"]})
    twice = '{"decision": "reject", "decision": "accept", ' + params[1:]
    body = '{"jsonrpc": "2.0", "id": "two-faced", "method": "tool/approvalResponse", "params": ' + twice + "}"
    server.client.send_bytes(frame(body.encode()))
    refused = server.client.wait_for_answer("two-faced")
    assert "stands twice" in refused["error"]["message"]
    assert chat.waits(card)
    chat.select(card, "deny")
    assert not (server.workspace / "made").exists()


_READING_VERBS = """
git status
git log -p
git show HEAD
git diff HEAD~1
git blame a.txt
git ls-tree -r HEAD
git cat-file -p HEAD:a.txt
git grep one HEAD
git rev-list --objects HEAD
git describe --always
git archive HEAD
git reflog --format=%G?
git for-each-ref --format=%(signature)
git stash list --format=%GK
git shortlog HEAD
git fsck
git diff-tree -p HEAD
git log --format=%G? -1
""".strip().splitlines()


@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_a_repository_starts_nothing_by_being_looked_at(started: Callable[..., Server], sandbox: str) -> None:
    server = started(sandbox={"enabled": sandbox})
    folder, home = server.workspace, server.workspace.parent / "home"
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words: str) -> str:
        by = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(["git", *by, *words], cwd=folder, env=environment, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("init", "-q", "-b", "main")
    for text in ("one\n", "two\n"):
        (folder / "a.txt").write_text(text)
        git("add", "a.txt")
        git("commit", "-q", "-m", text)
    # An object that is missing is fetched by the first look at it, with the program that the repository names.
    blob = git("rev-parse", "HEAD~1:a.txt")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("remote.o.url", str(folder)),
        ("remote.o.promisor", "true"),
        ("remote.o.uploadpack", f"touch {folder}/p;false"),
        ("gpg.program", f"touch {folder}/p;false"),
    ):
        git("config", name, value)
    # The control: it does, where nobody stands before it.
    subprocess.run(["git", "log", "-p"], cwd=folder, env=environment, capture_output=True, check=False)
    (folder / "p").unlink()

    _, said = _run(server, *map(bash, _READING_VERBS))
    assert len(said) == len(_READING_VERBS)
    assert not (folder / "p").exists()


def test_a_verb_of_the_users_own_is_what_it_stands_for(started: Callable[..., Server]) -> None:
    server = started(alwaysDenyRules={"bash": ["git push:*"]}, mode="auto")
    (server.workspace.parent / "home" / ".gitconfig").write_text("[alias]\n\tp = push\n\tst = status\n")
    _, said = _run(server, bash("git p"), bash("git st"), mode="auto")
    assert "denied_by_rule" in said[0]
    assert "not a git repository" in said[1]
