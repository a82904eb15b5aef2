"""bash as a tool: what it says beforehand is what runs, and what does not stay so does not run."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Manner, Prepared, ToolAnswer
from assent.model.approval import RiskLevel
from assent.model.calls import Access
from assent.model.errors import ToolFault
from assent.model.ids import SessionId
from assent.model.limits import ShellLimits
from assent.model.modes import Category
from assent.model.preview import CommandPreview
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.shells.book import KEPT_OF_RESULT
from assent.shells.workplace import Workplace
from assent.tools.bash import MAX_BYTES, Bash
from tests.support.bash_tool import Told, bash_tool, runner
from tests.support.processes import is_running
from tests.support.scale import eventually


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


@pytest.fixture
def tool(root: Path) -> Bash:
    return bash_tool(str(root))


async def prepared(tool: Bash, command: str, **more: Any) -> Prepared:
    args = {"command": command, **more}
    assert tool.fault(args) is None
    return await tool.prepare(args)


async def run(tool: Bash, command: str, **more: Any) -> str:
    return (await (await prepared(tool, command, **more)).perform()).text


async def refused(call: Prepared) -> ToolFault:
    with pytest.raises(ToolFault) as fault:
        await call.perform()
    return fault.value


def preview(call: Prepared) -> CommandPreview:
    assert isinstance(call.preview, CommandPreview)
    return call.preview


class TestArguments:
    @pytest.mark.parametrize(
        ("args", "named"),
        [
            ({}, "command"),
            ({"command": ""}, "command"),
            ({"command": 5}, "command"),
            ({"command": "ls", "timeout": 0}, "timeout"),
            ({"command": "ls", "timeout": 3601}, "timeout"),
            ({"command": "ls", "timeout": 1.5}, "timeout"),
            ({"command": "ls", "timeout": "5"}, "timeout"),
            ({"command": "ls", "cwd": ""}, "cwd"),
            ({"command": "ls", "cwd": "file://elsewhere/x"}, "cwd"),
            ({"command": "ls", "background": 1}, "background"),
            ({"command": "ls", "sandbox": "yes"}, "sandbox"),
            ({"command": "ls", "shellExecutable": ""}, "shellExecutable"),
            ({"command": "ls\0x"}, "NUL"),
            ({"command": "ls \ud800"}, "unicode"),
            ({"command": "x" * (MAX_BYTES + 1)}, str(MAX_BYTES)),
            ({"command": "é" * (MAX_BYTES // 2 + 1)}, str(MAX_BYTES)),
        ],
    )
    def test_what_does_not_fit_is_a_fault_that_names_it(self, tool: Bash, args: dict[str, Any], named: str) -> None:
        fault = tool.fault(args)
        assert fault is not None
        assert named in fault

    async def test_the_longest_command_does_run(self, tool: Bash) -> None:
        text = "echo " + "x" * (MAX_BYTES - 5)
        assert (await run(tool, text)).startswith("Exit code 0.\nxxx")


class TestLooking:
    async def test_a_carriage_return_before_a_line_end_is_none(self, tool: Bash) -> None:
        call = await prepared(tool, "echo a\r\necho b\r\n")

        assert preview(call).text == "echo a\necho b\n"
        assert (await call.perform()).text == "Exit code 0.\na\nb\n"

    @pytest.mark.parametrize("text", ["echo a\rls", "echo \x1b[8m", "ls \x7f", "ls #\rx", "ls '\x1b'"])
    async def test_other_control_characters_are_a_high_risk_and_nothing_is_known(self, tool: Bash, text: str) -> None:
        call = await prepared(tool, text)

        assert call.risk is not None
        assert call.risk.level is RiskLevel.HIGH
        assert preview(call).text == text
        assert call.command is not None
        assert call.command.unreadable is not None
        assert call.category is None
        assert {"echo", "ls"} & set(call.command.words)

    async def test_it_says_what_each_part_does(self, tool: Bash) -> None:
        shown = preview(await prepared(tool, "ls -la && unheard-of --x"))

        assert [part.written for part in shown.parts] == ["ls -la", "unheard-of --x"]
        assert "list" in shown.parts[0].does
        assert shown.unreadable is None

    async def test_it_says_what_lies_outside(self, tool: Bash) -> None:
        (part,) = preview(await prepared(tool, "cat /etc/hosts a.txt")).parts

        assert part.notes == ("Reads /etc/hosts, outside the workspace.",)

    async def test_many_parts_are_counted(self, tool: Bash) -> None:
        shown = preview(await prepared(tool, "; ".join(f"ls {number}" for number in range(20))))

        assert (len(shown.parts), shown.more_parts) == (12, 8)

    async def test_what_cannot_be_read_is_shown_whole(self, tool: Bash) -> None:
        call = await prepared(tool, "echo $((1")

        assert preview(call).unreadable is not None
        assert preview(call).text == "echo $((1"
        assert call.category is None

    @pytest.mark.parametrize(
        ("command", "category"),
        [
            ("ls", Category.READ),
            ("ls > out", Category.WRITE),
            ("ls; touch x", Category.WRITE),
            ("ls && unheard-of", Category.EXECUTE),
            ("echo $(unheard-of)", Category.EXECUTE),
            ("# nothing", Category.READ),
        ],
    )
    async def test_the_category_is_that_of_its_gravest_part(self, tool: Bash, command: str, category: Category) -> None:
        assert (await prepared(tool, command)).category is category

    async def test_paths_are_those_of_the_folder_and_of_all_parts(self, tool: Bash, root: Path) -> None:
        (root / "sub").mkdir()
        call = await prepared(tool, "cat a > ../b; echo $(cat /etc/hosts)", cwd="sub")

        assert {(use.access, use.real, use.inside) for use in call.paths} == {
            (Access.RUN, str(root / "sub"), True),
            (Access.READ, str(root / "sub/a"), True),
            (Access.WRITE, str(root / "b"), True),
            (Access.READ, "/etc/hosts", False),
        }
        assert call.directory == str(root / "sub")

    async def test_a_folder_outside_is_told_as_where_it_runs(self, tool: Bash, tmp_path: Path) -> None:
        (use,) = (await prepared(tool, "echo x", cwd="..")).paths
        assert (use.access, use.real, use.inside) == (Access.RUN, str(tmp_path), False)

    @pytest.mark.parametrize("kind", ["missing", "file"])
    async def test_a_folder_that_is_none_can_never_work(self, tool: Bash, root: Path, kind: str) -> None:
        if kind == "file":
            (root / "there").touch()
        call = await prepared(tool, "ls", cwd="there")

        assert call.impossible is not None
        assert (await refused(call)).code == call.impossible.code

    async def test_of_what_lies_outside_nothing_is_told(self, tool: Bash) -> None:
        assert (await prepared(tool, "ls", cwd="/missing")).impossible is None


class TestRunning:
    async def test_output_comes_after_the_code(self, tool: Bash, root: Path) -> None:
        assert await run(tool, "pwd; echo oops >&2; exit 3") == f"Exit code 3.\n{root}\n[standard error]\noops\n"
        assert await run(tool, "true") == "Exit code 0. It printed nothing."
        assert await run(tool, "printf x; printf y >&2") == "Exit code 0.\nx\n[standard error]\ny"

    @pytest.mark.parametrize("text", ["-x", "--help", "-c 'touch evil'", "-lc 'touch evil'", "--", "-O extglob"])
    async def test_a_command_is_never_an_option_of_the_shell(self, tool: Bash, root: Path, text: str) -> None:
        assert (await run(tool, text)).startswith("Exit code 127.")
        assert not (root / "evil").exists()

    async def test_an_end_by_a_signal_is_told(self, tool: Bash) -> None:
        assert (await run(tool, "kill -KILL $$")).startswith("Ended by SIGKILL.")

    async def test_too_much_is_cut_and_marked(self, tool: Bash) -> None:
        answer = await (await prepared(tool, "yes | head -c 1000000")).perform()

        assert answer.truncated
        assert len(answer.text) < KEPT_OF_RESULT + 200

    async def test_the_limit_of_time_is_a_fault_with_what_was_printed(self, tool: Bash) -> None:
        fault = await refused(await prepared(tool, "echo begun; sleep 300", timeout=1))

        assert fault.code == "time_limit"
        assert "1 seconds" in str(fault)
        assert "begun" in str(fault)

    async def test_it_sees_no_secret(self, tool: Bash, monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(20):
            monkeypatch.setenv(f"PLANTED_{number}_TOKEN", "secret")
        text = await run(tool, "env; cat /proc/self/environ; touch x")

        assert "PLANTED" not in text
        assert "PATH=" in text

    @pytest.mark.parametrize(
        ("command", "clicked", "seen"),
        [
            ("env; touch x", False, True),
            ("env; ls", True, True),
            ("env; ls", False, False),
            ("env", False, True),
            ("env | grep -i proxy", False, True),
            ("printenv HTTPS_PROXY | sed s/^/HTTPS_PROXY=/", False, False),
        ],
        ids=[
            *("it does more than read", "a click", "its text alone was read"),
            *("it tells of variables", "it looks for some among them", "another program reads beside that"),
        ],
    )
    async def test_it_has_the_users_environment_where_more_than_a_reading_of_its_text_stands_behind_it(
        self, tool: Bash, monkeypatch: pytest.MonkeyPatch, command: str, clicked: bool, seen: bool
    ) -> None:
        monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
        monkeypatch.setenv("LD_AUDIT", "/nowhere.so")
        call = await prepared(tool, command)
        assert call.perform_in is not None

        text = (await call.perform_in(Manner(clicked=clicked))).text

        assert ("HTTPS_PROXY=http://proxy.example:3128" in text) is seen
        assert "LD_AUDIT" not in text

    async def test_what_is_withheld_is_told_once_a_chat_when_a_command_fails(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TEAM_TOKEN", "secret")
        monkeypatch.setenv("LD_AUDIT", "/nowhere.so")
        tool = Bash(lambda: (str(root),), runner(), Workplace(SessionId("chat")))

        texts = [await run(tool, command) for command in ("touch x", "touch x; exit 3", "touch x; exit 4")]

        assert [("TEAM_TOKEN" in text, "LD_AUDIT" in text) for text in texts] == [
            (False,) * 2,
            (True,) * 2,
            (False,) * 2,
        ]

    async def test_the_settings_pass_and_withhold(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("TEAM_TOKEN", "OTHER_TOKEN", "HTTPS_PROXY", "LANG"):
            monkeypatch.setenv(name, "seen")
        limits = ShellLimits(passed=("TEAM_*",), withheld=("HTTPS_*", "LANG", "PATH"))
        text = await run(bash_tool(str(root), runner(limits=lambda: limits)), "env; touch x")

        assert "TEAM_TOKEN=seen" in text
        assert "PATH=/" in text
        assert not any(name in text for name in ("OTHER_TOKEN", "HTTPS_PROXY", "LANG="))

    async def test_a_start_up_file_is_not_read(self, tool: Bash, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (root / ".bashrc").write_text("echo started\n")
        (root / ".bash_profile").write_text("echo started\n")
        monkeypatch.setenv("HOME", str(root))
        monkeypatch.setenv("BASH_ENV", str(root / ".bashrc"))

        assert await run(tool, "echo x") == "Exit code 0.\nx\n"

    async def test_it_leaves_no_state(self, tool: Bash) -> None:
        await run(tool, "cd /; export LEFT=1; f() { :; }")
        assert "LEFT" not in await run(tool, "pwd; env; declare -F")

    async def test_a_program_of_the_workspace_stands_in_for_none(
        self, tool: Bash, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "ls").write_text("#!/bin/sh\necho evil\n")
        (root / "ls").chmod(0o755)
        monkeypatch.setenv("PATH", f"{root}:.::{os.environ['PATH']}")

        assert "evil" not in await run(tool, "ls")

    async def test_stopping_ends_it(self, root: Path) -> None:
        told = Told()
        call = await prepared(bash_tool(str(root), runner(told=told)), "echo $$ > new; mv new pid; sleep 300")
        task: asyncio.Future[ToolAnswer] = asyncio.ensure_future(call.perform())
        # It can have written that before it is known here to run.
        await eventually(lambda: told.changes and (root / "pid").exists(), within=20, what="the command's start")
        pid = int((root / "pid").read_text())
        task.cancel()
        await asyncio.wait({task})
        fault = task.exception()
        assert isinstance(fault, ToolFault)
        assert fault.code == "cancelled"
        await eventually(lambda: not is_running(pid), what="the command's end")

    async def test_an_editor_fails_with_a_hint(self, tool: Bash, root: Path) -> None:
        if shutil.which("git") is None:
            pytest.skip("needs git")
        await run(tool, "git init -q; git config user.email a@b; git config user.name a")
        text = await run(tool, "git commit --allow-empty")

        assert "There is no editor here" in text
        assert not text.startswith("Exit code 0.")


def alias(root: Path) -> None:
    subprocess.run(["git", "config", "alias.st", "!touch evil"], cwd=root, check=True)


def watcher(root: Path) -> None:
    subprocess.run(["git", "config", "core.fsmonitor", "touch evil;"], cwd=root, check=True)


def another_folder(root: Path) -> None:
    (root / "sub").rename(root / "old")
    (root / "sub").mkdir()


def a_link(root: Path) -> None:
    (root / "sub").rename(root / "old")
    (root / "sub").symlink_to("/tmp")


CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    ("rm *.txt", lambda root: (root / "new.txt").touch()),
    ("cat link", lambda root: ((root / "link").unlink(), (root / "link").symlink_to("/etc/passwd"))),
    ("touch missing", lambda root: (root / "missing").symlink_to("/etc/elsewhere")),
    ("rm -r thing", lambda root: (root / "thing").unlink() or (root / "thing").mkdir()),
    ("git status", watcher),
    ("git st", alias),
    ("ls", another_folder),
    ("ls", a_link),
]


@pytest.fixture
def checkout(root: Path) -> Path:
    """A repository with a few things in it."""
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "sub").mkdir()
    (root / "thing").touch()
    (root / "old.txt").touch()
    (root / "link").symlink_to("old.txt")
    return root


def ran(root: Path) -> bool:
    """Whether the command left its trace anywhere."""
    return any(root.rglob("ran"))


@pytest.mark.parametrize(("command", "change"), CHANGES)
async def test_what_means_something_else_by_now_does_not_run(
    tool: Bash, checkout: Path, command: str, change: Callable[[Path], object]
) -> None:
    where = {"cwd": "sub"} if change in (another_folder, a_link) else {}
    call = await prepared(tool, f"{command}; touch ran", **where)

    change(checkout)

    assert (await refused(call)).code == "changed_since"
    assert not ran(checkout)
    assert (await prepared(tool, f"{command}; touch ran", **where)).state != call.state


async def test_what_changes_nothing_of_it_is_no_matter(tool: Bash, root: Path) -> None:
    call = await prepared(tool, "cat a.txt; ls > out")
    (root / "a.txt").write_text("new")
    (root / "out").touch()
    (root / "folder").mkdir()

    assert "new" in (await call.perform()).text


async def test_a_folder_that_left_the_workspace_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    roots = [str(tmp_path / "a"), str(tmp_path / "b")]
    tool = bash_tool(lambda: tuple(roots))
    call = await prepared(tool, "touch ran", cwd=roots[1])
    roots.pop()

    assert (await refused(call)).code == "changed_since"


async def test_one_that_came_into_it_does(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    roots = [str(tmp_path / "a")]
    tool = bash_tool(lambda: tuple(roots))
    call = await prepared(tool, "pwd", cwd=str(tmp_path / "b"))
    roots.append(str(tmp_path / "b"))

    assert (await call.perform()).text == f"Exit code 0.\n{tmp_path}/b\n"


@pytest.mark.parametrize("more", [{"timeout": 5}, {"cwd": "sub"}, {"command": "ls "}])
async def test_everything_that_is_said_is_bound(tool: Bash, root: Path, more: dict[str, Any]) -> None:
    (root / "sub").mkdir()
    args = {"command": "ls"}
    assert (await tool.prepare(args)).state == (await tool.prepare(args)).state
    assert (await tool.prepare(args)).state != (await tool.prepare({**args, **more})).state


async def test_so_is_the_environment(tool: Bash, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await prepared(tool, "ls")
    monkeypatch.setenv("LANG", "xx")

    assert (await prepared(tool, "ls")).state != before.state


@pytest.mark.parametrize(
    "opened", [SandboxChoice(network=True), SandboxChoice(writable=("/tmp",)), SandboxChoice(enabled=SandboxKind.OFF)]
)
@pytest.mark.parametrize("by_wish", [True, False])
async def test_what_was_allowed_for_the_sandbox_does_not_run_in_one_that_leaves_more_open(
    root: Path, tmp_path: Path, opened: SandboxChoice, by_wish: bool
) -> None:
    now = [SandboxChoice(auto_allow=not by_wish)]
    by = runner(choice=lambda: now[0], home=str(tmp_path / "home"), hidden=(str(tmp_path / "state"),))
    call = await prepared(bash_tool(str(root), by), "touch ran", **({"sandbox": True} if by_wish else {}))
    if call.sandbox is None:
        pytest.skip("no sandbox is in force on this machine")
    now[0] = opened
    assert call.perform_in is not None
    with pytest.raises(ToolFault) as fault:
        await call.perform_in(Manner(sandboxed=not by_wish))
    assert fault.value.code == "sandbox_gone"
    assert not (root / "ran").exists()
    again = await prepared(bash_tool(str(root), by), "touch ran", **({"sandbox": True} if by_wish else {}))
    assert again.state != call.state or not by_wish


async def test_what_was_allowed_for_the_sandbox_runs_in_it(root: Path, tmp_path: Path) -> None:
    by = runner(
        choice=lambda: SandboxChoice(auto_allow=True), home=str(tmp_path / "home"), hidden=(str(tmp_path / "state"),)
    )
    outside = tmp_path / "outside"
    call = await prepared(bash_tool(str(root), by), f"touch ran; touch {outside}")
    if call.sandbox is None:
        pytest.skip("no sandbox is in force on this machine")
    assert call.perform_in is not None
    await call.perform_in(Manner(sandboxed=True))
    assert (root / "ran").exists()
    assert not outside.exists()
