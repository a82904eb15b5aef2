"""Commands in the sandbox, over the wire: no question where it holds, one where it does not, and nothing beyond it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, Step, call, say, write

SETTINGS = {"mode": "default", "sandbox": {"autoAllow": True}}


def bash(command: str, **more: Json) -> Step:
    """The model wants to run this."""
    return call("bash", command=command, **more)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server with these settings of its user; the home directory is the test's own."""
    servers: list[Server] = []

    def start(**user: Json) -> Server:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        server = Server(tmp_path, env={"HOME": str(home)})
        servers.append(server)
        server.meet(user=user)
        return server

    yield start
    for server in servers:
        server.client.close()


def run(server: Server, *turns: list[Step]) -> Chat:
    """A chat that plays these turns without anyone being asked."""
    server.script(*turns, [say("done")])
    chat = server.chat()
    chat.run()
    return chat


def outputs(chat: Chat) -> list[str]:
    """What the calls of the chat gave, in their order."""
    return [result["output"] for result in chat.results()]


class TestWithoutAQuestion:
    def test_what_nobody_can_read_runs_inside_and_the_history_says_where(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / "build.sh").write_text("mkdir -p out; echo built > out/a; echo well done\n")
        chat = run(server, [bash("sh build.sh")])

        assert chat.cards() == []
        assert outputs(chat) == ["Exit code 0.\nwell done\n"]
        assert (server.workspace / "out" / "a").read_text() == "built\n"
        entries = server.client.request("history/query", {})["entries"]
        (decided,) = [entry for entry in entries if entry["stage"] == "decided"]
        assert decided["how"] == "because it runs in the sandbox"
        assert decided["reason"] == "sandboxed"
        assert "bubblewrap" in decided["text"]

    def test_nothing_outside_is_written_and_no_secret_is_read(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        home = server.workspace.parent / "home"
        (home / ".ssh").mkdir()
        (home / ".ssh" / "id_rsa").write_text("PRIVATE")
        (server.workspace / ".env").write_text("TOKEN=S3CRET")
        (server.workspace / "t.sh").write_text(
            f"echo x > {home}/made; cat {home}/.ssh/id_rsa .env; ls {server.state}; echo x > {server.state}/made\n"
            "exit 3\n"
        )
        chat = run(server, [bash("sh t.sh")])

        (output,) = outputs(chat)
        assert chat.cards() == []
        assert output.startswith("Exit code 3. It ran in the sandbox (")
        assert "sandbox: false" in output
        assert "PRIVATE" not in output and "S3CRET" not in output and "history" not in output
        assert not (home / "made").exists() and not (server.state / "made").exists()

    def test_protected_files_stay_as_they_are(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / ".mcp.json").write_text("{}")
        (server.workspace / "t.sh").write_text(
            "mkdir -p .vscode; echo x > .vscode/tasks.json; echo x > .mcp.json; mv .mcp.json away; echo x > .envrc; :\n"
        )
        chat = run(server, [bash("sh t.sh")])

        assert chat.cards() == []
        assert (server.workspace / ".mcp.json").read_text() == "{}"
        wait_until(
            lambda: sorted(path.name for path in server.workspace.iterdir()) == [".mcp.json", "t.sh"],
            what="nothing that stood in for something missing",
        )
        assert ".envrc" in outputs(chat)[0] and "were moved away" in outputs(chat)[0]

    def test_the_network_is_out_of_reach(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / "t.sh").write_text("exec 3<>/dev/tcp/127.0.0.1/$1 && echo reached\n")
        import socket

        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            chat = run(server, [bash(f"bash t.sh {port}")])
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.accept()
        assert "reached" not in outputs(chat)[0]

    def test_deny_and_ask_rules_and_protected_writes_come_first(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS, alwaysDenyRules={"bash": ["make deny:*"]}, alwaysAskRules={"bash": ["make ask:*"]})
        server.script([bash("make deny"), bash("make ask"), bash("cp a .vscode/settings.json")])
        chat = server.chat()
        message = chat.send()
        cards = [chat.card(), chat.card()]
        assert {card["reason"]["code"] for card in cards} == {"ask_rule", "protected"}
        assert all(card["preview"]["sandbox"].startswith("Outside the sandbox") for card in cards)
        for card in cards:
            chat.answer(card, decision="deny")
        message.result()
        assert [result["code"] for result in chat.results()].count("denied_by_rule") == 1

    def test_what_it_made_is_taken_out_whatever_runs_beside_it(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / "sub").mkdir()
        (server.workspace / "t.sh").write_text(
            "echo x > .mcp.json; mkdir sub/.vscode; echo x > sub/.vscode/tasks.json\n"
        )
        chat = run(server, [bash("sleep 60", background=True)], [bash("sh t.sh")])

        assert not (server.workspace / ".mcp.json").exists()
        assert not (server.workspace / "sub" / ".vscode").exists()
        (notice,) = [one["data"]["text"] for one in chat.events() if one["event"] == "Notification"]
        assert ".mcp.json" in notice and str(server.state) in notice
        kept = Path(notice.split("moved to ")[1].split(". If they")[0])
        assert "x\n" in [file.read_text() for file in kept.rglob("*") if file.is_file()]

    def test_what_was_approved_meanwhile_stays(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / "t.sh").write_text("while [ ! -e go ]; do sleep 0.05; done\n")
        server.script([bash("touch begun; sh t.sh")])
        chat = server.chat()
        message = chat.send()
        wait_until((server.workspace / "begun").exists, what="its start")
        server.script([write(".mcp.json", "mine")])
        other = server.chat()
        writing = other.send()
        other.answer(other.card(".mcp.json"), decision="accept")
        writing.result()
        (server.workspace / "go").touch()
        message.result()
        assert (server.workspace / ".mcp.json").read_text() == "mine"


class TestWithAQuestion:
    def test_outside_it_is_asked_for_and_runs_outside(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        target = server.workspace.parent / "home" / "made"
        (server.workspace / "t.sh").write_text(f"echo x > {target}\n")
        server.script([bash("sh t.sh", sandbox=False)])
        chat = server.chat()
        message = chat.send()
        card = chat.card()
        assert card["preview"]["sandbox"].startswith("Outside the sandbox")
        chat.answer(card, decision="accept")
        message.result()
        assert target.read_text() == "x\n"

    def test_where_it_is_wished_for_the_card_says_so_and_so_it_runs(self, started: Callable[..., Server]) -> None:
        server = started(mode="default")
        target = server.workspace.parent / "home" / "made"
        (server.workspace / "t.sh").write_text(f"echo x > {target}; echo y > here\n")
        server.script([bash("sh t.sh", sandbox=True)])
        chat = server.chat()
        message = chat.send()
        card = chat.card()
        assert card["preview"]["sandbox"].startswith("In the sandbox (bubblewrap): no network")
        assert "bubblewrap" in card["headline"]
        chat.answer(card, decision="accept")
        message.result()
        assert not target.exists()
        assert (server.workspace / "here").read_text() == "y\n"

    def test_in_the_background_it_is_asked_for(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        server.script([bash("sh t.sh", background=True)])
        chat = server.chat()
        message = chat.send()
        chat.answer(chat.card(), decision="deny")
        message.result()

    @pytest.mark.parametrize(
        ("sandbox", "why"),
        [
            ({"autoAllow": True, "enabled": "off"}, None),
            ({"autoAllow": True, "network": True}, "Outside the sandbox"),
            ({"autoAllow": True, "enabled": "seatbelt"}, "your settings ask for more"),
        ],
    )
    def test_less_than_the_settings_want_asks(
        self, started: Callable[..., Server], sandbox: Json, why: str | None
    ) -> None:
        server = started(mode="default", sandbox=sandbox)
        server.script([bash("sh t.sh")])
        chat = server.chat()
        message = chat.send()
        card = chat.card()
        told = card["preview"].get("sandbox")
        assert why is None or why in told
        chat.answer(card, decision="deny")
        message.result()

    def test_a_protected_link_that_could_be_replaced_asks(self, started: Callable[..., Server]) -> None:
        server = started(**SETTINGS)
        (server.workspace / "conf").mkdir()
        (server.workspace / ".vscode").symlink_to("conf")
        server.script([bash("sh t.sh")])
        chat = server.chat()
        message = chat.send()
        card = chat.card()
        assert ".vscode" in card["preview"]["sandbox"]
        chat.answer(card, decision="deny")
        message.result()


class TestGuarded:
    def test_with_a_bypass_protected_files_stay_as_they_are(self, started: Callable[..., Server]) -> None:
        server = started(mode="default", bypassPermissions={"Scripted": True})
        (server.workspace / ".vscode").mkdir()
        (server.workspace / ".vscode" / "settings.json").write_text("{}")
        home = server.workspace.parent / "home"
        (server.workspace / "t.sh").write_text(
            f"echo x > .vscode/settings.json; echo x > {server.state}/made; echo y > {home}/free\n"
        )
        chat = run(server, [bash("sh t.sh")])

        assert chat.cards() == []
        assert (server.workspace / ".vscode" / "settings.json").read_text() == "{}"
        assert not (server.state / "made").exists()
        assert (home / "free").read_text() == "y\n"

    def test_what_is_protected_and_was_missing_is_moved_away_at_home_and_told_of_in_the_workspace(
        self, started: Callable[..., Server]
    ) -> None:
        server = started(mode="auto")
        home = server.workspace.parent / "home"
        at_home, within = (home / ".bashrc", home / ".gitconfig"), server.workspace / ".envrc"
        (server.workspace / "t.sh").write_text(
            "".join(f"echo x > {path}\n" for path in (*at_home, within)) + "mkdir -p sub/.git; echo > sub/.git/config\n"
        )
        chat = run(server, [bash("sh t.sh")])

        assert not any(path.exists() for path in at_home)
        assert sorted(one.read_text() for one in server.state.glob("taken-out/*/*-.*")) == ["x\n", "x\n"]
        assert within.read_text() == "x\n"
        (notice,) = [one["data"]["text"] for one in chat.events("Notification")]
        assert all(str(path) in notice for path in (*at_home, within))
        assert "move them back from there" in notice and "delete them if they are not yours" in notice
        assert "sub/.git" not in notice
        assert "sub/.git" in outputs(chat)[0]

    def test_where_a_link_cannot_be_held_everything_else_is(self, started: Callable[..., Server]) -> None:
        server = started(mode="auto")
        (server.workspace / "conf").mkdir()
        (server.workspace / "conf" / "settings.json").write_text("{}")
        (server.workspace / ".vscode").symlink_to("conf")
        (server.workspace / ".mcp.json").write_text("{}")
        (server.workspace / "t.sh").write_text("echo x > .vscode/settings.json; echo x > .mcp.json; echo y > free\n")
        chat = run(server, [bash("sh t.sh")])

        assert chat.cards() == []
        assert (server.workspace / "conf" / "settings.json").read_text() == "{}"
        assert (server.workspace / ".mcp.json").read_text() == "{}"
        assert (server.workspace / "free").read_text() == "y\n"

    def test_what_was_clicked_runs_as_it_is(self, started: Callable[..., Server]) -> None:
        server = started(mode="default")
        (server.workspace / "t.sh").write_text("mkdir -p .vscode; echo x > .vscode/settings.json\n")
        server.script([bash("sh t.sh")])
        chat = server.chat()
        message = chat.send()
        chat.answer(chat.card(), decision="accept")
        message.result()
        assert (server.workspace / ".vscode" / "settings.json").read_text() == "x\n"
