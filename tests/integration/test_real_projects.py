"""Commands do in a project what they do in its user's own terminal: with its Python, proxies, keys and tools."""

import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.support.http_sites import Quiet, at_work
from tests.support.server import Chat, Json, Server, Turn, call, say
from tests.support.shell_trace.sandbox import obstacle

Start = Callable[..., Server]
UNHELD = {"user": {"sandbox": {"enabled": "off"}}}


def run(command: str) -> Turn:
    return [call("bash", command=command)]


def chat_of(server: Server, *commands: str) -> Chat:
    server.script(*map(run, commands), [say("done")])
    return server.chat()


def outputs(chat: Chat, *answers: str) -> list[str]:
    """What the commands of this chat printed; each card was answered with the option whose name begins like this."""
    running = chat.send()
    for answer in answers:
        card = chat.card()
        chat.select(card, option(card, answer)["optionId"])
    running.result(30)
    assert len(chat.cards()) == len(answers)
    return [result["output"] for result in chat.results()]


def option(card: Json, start: str) -> Json:
    found = [one for one in card["options"] if one["name"].startswith(start)]
    assert found, [one["name"] for one in card["options"]]
    return found[0]


def program(file: Path, *lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")
    file.chmod(0o755)
    return file


def environment(server: Server, folder: Path | None = None) -> Path:
    """A virtual environment, the workspace's or in this folder, with programs that tell by which Python they run."""
    folder = folder or server.workspace / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    for name in ("pytest", "pip"):
        program(folder / "bin" / name, f"#!{folder}/bin/python", "import sys; print(sys.prefix, *sys.argv[1:])")
    return folder


@pytest.fixture
def unheld(start: Start) -> Server:
    server = start(env={"VIRTUAL_ENV": None})
    server.meet(**UNHELD)
    return server


class TestPython:
    def test_its_own_environment_is_the_one_that_commands_mean(self, unheld: Server) -> None:
        folder = environment(unheld)
        where = "python -c 'import sys; print(sys.prefix)'"

        texts = outputs(chat_of(unheld, "pytest -q", where), "Approve", "Approve")

        assert texts == [f"Exit code 0.\n{folder} -q\n", f"Exit code 0.\n{folder}\n"]

    def test_the_interpreter_that_settings_name_is_the_one(self, start: Start, tmp_path: Path) -> None:
        """Those of the user, as the editor sends them; the workspace's own file is more specific."""
        server = start(env={"VIRTUAL_ENV": None})
        users, projects = environment(server, tmp_path / "users"), environment(server, server.workspace / "tools")
        environment(server)
        named = {"python.defaultInterpreterPath": f"{users}/bin/python"}
        settings = server.settings(sandbox={"enabled": "off"}, **named)
        server.meet(settings={**settings, "workspace": {}, "folder": {}})

        assert outputs(chat_of(server, "pytest"), "Approve") == [f"Exit code 0.\n{users}\n"]

        file = server.workspace / ".vscode" / "settings.json"
        file.parent.mkdir()
        file.write_text('{"python.defaultInterpreterPath": "${workspaceFolder}/tools/bin/python"}')
        assert outputs(chat_of(server, "pytest"), "Approve") == [f"Exit code 0.\n{projects}\n"]

    def test_what_only_reads_is_asked_for_where_nothing_holds_it(self, unheld: Server) -> None:
        """Without a question it would be the system's, and tell of other packages."""
        folder = environment(unheld)
        chat = chat_of(unheld, "pip list", "pip list --outdated")

        texts = outputs(chat, "Allow “pip list …” for this chat")

        assert texts == [f"Exit code 0.\n{folder} list\n", f"Exit code 0.\n{folder} list --outdated\n"]
        assert f"it starts pip of {folder}" in chat.cards()[0]["reason"]["text"]

    def test_its_interpreter_by_its_path_is_no_program_from_elsewhere(self, unheld: Server) -> None:
        """Wherever the Python lies that it was made with."""
        environment(unheld)
        (unheld.workspace / "tell.py").write_text("import sys; print(*sys.argv[1:])\n")
        chat = chat_of(unheld, ".venv/bin/python -m tell a", ".venv/bin/python -m tell b")

        texts = outputs(chat, "Allow “.venv/bin/python -m tell …” for this chat")

        assert texts == ["Exit code 0.\na\n", "Exit code 0.\nb\n"]

    def test_another_interpreter_in_its_place_is_asked_for(self, unheld: Server) -> None:
        python = environment(unheld) / "bin" / "python"
        script = program(unheld.workspace.parent / "mine" / "python3.11", "#!/bin/sh", "echo mine")
        python.unlink()
        python.symlink_to(script)

        chat = chat_of(unheld, ".venv/bin/python -m tell a")
        outputs(chat, "Deny")

        assert chat.cards()[0]["reason"]["code"] == "outside_workspace"

    def test_to_enter_it_first_changes_nothing_about_what_is_offered(self, unheld: Server) -> None:
        folder = environment(unheld)
        first, second = (run(f"source .venv/bin/activate && pytest {name}") for name in ("one", "two"))
        allow = "Allow “source .venv/bin/activate …” and “pytest …” for this chat"

        unheld.script(first, second, [say("done")], first)
        chat = unheld.chat()
        assert outputs(chat, allow) == [f"Exit code 0.\n{folder} {name}\n" for name in ("one", "two")]

        script = folder / "bin" / "activate"
        script.write_text(script.read_text() + "# another\n")
        running = chat.send()
        assert "“source .venv/bin/activate” has changed" in chat.card()["reason"]["text"]
        chat.stop()
        running.result()

    def test_only_its_own_script_at_the_beginning_is_one_that_enters_it(self, unheld: Server) -> None:
        environment(unheld)
        for name in ("other", "sub/.venv"):
            program(unheld.workspace / name / "bin" / "activate", "echo other")
        lines = (
            "source other/bin/activate && pytest",
            "source .venv/bin/activate || pytest",
            "source .venv/bin/../bin/activate && pytest",
            "cd sub && source .venv/bin/activate && pytest",
            "pytest && source .venv/bin/activate && pytest",
        )
        chat = chat_of(unheld, *lines)

        outputs(chat, *["Deny"] * len(lines))

        names = [one["name"] for card in chat.cards() for one in card["options"]]
        assert not [name for name in names if "“pytest …”" in name]

    def test_where_it_stands_behind_the_system_a_failure_says_why(self, unheld: Server) -> None:
        folder = environment(unheld)
        program(folder / "bin" / "git", "#!/bin/sh", "echo mine")

        (text,) = outputs(chat_of(unheld, "python -m nowhere; git --version; false"), "Approve")

        assert "git version" in text
        assert f"Programs of the system come before those in {folder}/bin, python among them, because a git" in text


class TestProtected:
    @pytest.mark.skipif(bool(obstacle()), reason=obstacle())
    def test_what_a_permission_leaves_out_is_reached_by_asking_for_it(self, start: Start) -> None:
        """A rule lets a command run that writes what is protected: it is kept from that, and says how to go on."""
        server = start()
        server.meet()
        manifest = server.workspace / "package.json"
        manifest.write_text("{}\n")
        program(server.workspace / "add.sh", "#!/bin/sh", 'echo "$1" > package.json')
        again = call("bash", command="./add.sh 3", sandbox=False)
        server.script(run("./add.sh 1"), run("./add.sh 2"), [again], [say("done")])

        texts = outputs(server.chat(), "Allow “./add.sh …” for this chat", "Approve")

        assert texts[0].startswith("Exit code 0.")
        assert "call bash again with sandbox: false; the user is asked then" in texts[1]
        assert texts[2].startswith("Exit code 0.")
        assert manifest.read_text() == "3\n"

    def test_where_nothing_would_guard_it_nothing_more_is_asked(self, unheld: Server) -> None:
        program(unheld.workspace / "add.sh", "#!/bin/sh", 'echo "$1"')
        again = call("bash", command="./add.sh 2", sandbox=False)
        unheld.script(run("./add.sh 1"), [again], [say("done")])

        assert len(outputs(unheld.chat(), "Allow “./add.sh …” for this chat")) == 2


class TestSurroundings:
    def test_proxies_with_their_login_and_the_key_agent_are_there(self, start: Start, tmp_path: Path) -> None:
        asked: list[tuple[str, str]] = []

        class Proxy(Quiet, BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, self.headers["Proxy-Authorization"]))
                self.send_response(204)
                self.end_headers()

        fetch = "import urllib.request as r; print(r.urlopen('http://packages.example/simple').status)"
        knock = "import os, socket as s; s.socket(s.AF_UNIX).connect(os.environ['SSH_AUTH_SOCK']); print('agent')"
        agent = tmp_path / "agent"
        with at_work(HTTPServer(("127.0.0.1", 0), Proxy)) as proxy, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(agent))
            listening.listen()
            address = f"http://me:hunter2%21@127.0.0.1:{proxy.server_port}"
            server = start(env={"http_proxy": address, "no_proxy": "", "SSH_AUTH_SOCK": str(agent)})
            server.meet(**UNHELD)
            commands = [f'python3 -c "{fetch}"', f'python3 -c "{knock}"']
            texts = outputs(chat_of(server, *commands), "Approve", "Approve")

        assert texts == ["Exit code 0.\n204\n", "Exit code 0.\nagent\n"]
        login = f"Basic {b64encode(b'me:hunter2!').decode()}"
        assert asked == [("http://packages.example/simple", login)]

    def test_a_wrapper_has_the_chosen_java_and_its_options_and_no_agent_of_java(
        self, start: Start, tmp_path: Path
    ) -> None:
        java = program(
            tmp_path / "jdk" / "bin" / "java", "#!/bin/sh", 'echo "$JAVA_HOME $GRADLE_OPTS [$JAVA_TOOL_OPTIONS]"'
        )
        home = str(java.parent.parent)
        server = start(env={"JAVA_HOME": home, "GRADLE_OPTS": "-Xmx1g", "JAVA_TOOL_OPTIONS": "-javaagent:/x.jar"})
        server.meet(**UNHELD)
        program(server.workspace / "gradlew", "#!/bin/sh", 'exec "$JAVA_HOME/bin/java" "$@"')

        chat = chat_of(server, "./gradlew build", "./gradlew build --info")

        assert outputs(chat, "Allow “./gradlew build …” for this chat") == [f"Exit code 0.\n{home} -Xmx1g []\n"] * 2

    def test_the_version_of_a_program_that_its_user_has_put_first_is_the_one(
        self, start: Start, tmp_path: Path
    ) -> None:
        node = program(
            tmp_path / "home" / ".nvm" / "versions" / "v24" / "bin" / "node", "#!/bin/sh", "echo v24 $NVM_DIR"
        )
        nvm = str(tmp_path / "home" / ".nvm")
        server = start(env={"NVM_DIR": nvm, "PATH": f"{node.parent}:/usr/bin:/bin", "HOME": str(tmp_path / "home")})
        server.meet(**UNHELD)

        assert outputs(chat_of(server, "node run.js"), "Approve") == [f"Exit code 0.\nv24 {nvm}\n"]

    def test_who_asks_for_a_variable_is_told_what_commands_have(self, start: Start) -> None:
        server = start(env={"TEAM_STAGE": "blue", "TEAM_TOKEN": "secret"})
        server.meet(**UNHELD)
        commands = ("printenv TEAM_STAGE", "echo $TEAM_STAGE", "env | grep TEAM_", "[ -n x ] && echo $TEAM_STAGE")

        texts = outputs(chat_of(server, *commands))

        assert ["blue" in text for text in texts] == [True] * len(commands)
        assert "secret" not in "".join(texts)
