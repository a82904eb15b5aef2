"""Scripts of a workspace as nodes: which manifests make one, and that nothing else runs than what was looked at."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import AS_SHOWN, Manner
from assent.model.errors import ToolFault
from assent.model.ids import SessionId
from assent.model.limits import ShellLimits
from assent.model.modes import Category
from assent.model.sandbox import SandboxChoice
from assent.nodes.words import Node
from assent.runtime.processes import Processes
from assent.sandbox.sandbox import Sandbox
from assent.shells.workplace import Workplace
from assent.shells.written import Written
from assent.tools.bash import Runner
from assent.tools.script_nodes import ScriptNodes, scripts_in

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
GREETS = "import json, os, sys\nprint('hello', json.load(sys.stdin)['name'], os.getcwd())\n"


class Workspace:
    """A folder with scripts, and what runs them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        self.scripts = self.root / ".assent" / "nodes"
        self.scripts.mkdir(parents=True)
        self.processes = Processes()
        sandbox = Sandbox(self.processes, home=str(folder / "home"), hidden=(str(folder / "state"),), read_only=())
        shells: Any = None
        runner = Runner(shells, sandbox, Written(), limits=ShellLimits, choice=SandboxChoice)
        self.workplace = Workplace(SessionId("s"))
        self.nodes = ScriptNodes(lambda: (str(self.root),), self.processes, runner, self.workplace)

    def manifest(self, name: str = "greet", **said: Any) -> Path:
        file = self.scripts / f"{name}.json"
        command = [sys.executable, ".assent/nodes/greet.py"]
        file.write_text(json.dumps({"inputs": SCHEMA, "command": command, "description": "Greets.", **said}))
        return file

    def program(self, text: str = GREETS) -> None:
        (self.scripts / "greet.py").write_text(text)

    async def node(self, node_id: str = "script.greet") -> Node:
        found = await self.nodes.node(node_id)
        assert isinstance(found, Node)
        return found


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    made.workplace.remove()
    made.processes.end_all()


async def test_a_script_gets_its_inputs_and_runs_in_the_workspace(workspace: Workspace) -> None:
    workspace.manifest(title="Greet somebody")
    workspace.program()
    node = await workspace.node()
    assert (node.title, node.description, node.category) == ("Greet somebody", "Greets.", Category.EXECUTE)
    assert not node.use.of_user
    for manner in (AS_SHOWN, Manner(unseen=True)):
        answer = await node.work({"name": "you"}, manner)
        assert answer.text == f"hello you {workspace.root}\n"


@pytest.mark.parametrize("changed", ["manifest", "program"])
async def test_a_script_that_changed_since_does_not_run(changed: str, workspace: Workspace) -> None:
    workspace.manifest()
    workspace.program()
    node = await workspace.node()
    mark = workspace.root / "mark"
    if changed == "manifest":
        workspace.manifest(command=["touch", str(mark)])
    else:
        workspace.program(f"open({str(mark)!r}, 'w')")
    with pytest.raises(ToolFault, match="is not what it was"):
        await node.work({"name": "you"}, AS_SHOWN)
    assert not mark.exists()
    assert (await workspace.node()).use.identity != node.use.identity


async def test_one_that_fails_says_how(workspace: Workspace) -> None:
    workspace.manifest()
    workspace.program("import sys\nprint('half')\nsys.exit('no such name')")
    with pytest.raises(ToolFault, match=r"It ended with code 1\.\nno such name\nhalf"):
        await (await workspace.node()).work({"name": "you"}, AS_SHOWN)
    workspace.manifest(command=["no-such-program"])
    with pytest.raises(ToolFault, match="no-such-program could not be started"):
        await (await workspace.node()).work({"name": "you"}, AS_SHOWN)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is no JSON"),
        ("[]", "it is no object"),
        ('{"id": "a", "id": "b"}', "stands twice"),
        ('{"command": []}', "its command is a list of words"),
        ('{"command": "rm -rf x"}', "its command is a list of words"),
        ('{"command": ["x", 5]}', "its command is a list of words"),
        ('{"command": ["x"], "id": "a b"}', "its id is made of"),
        ('{"command": ["x"], "id": "../x"}', "its id is made of"),
        ('{"command": ["x"], "inputs": []}', "its inputs are the schema of an object"),
        ('{"command": ["x"], "description": "' + "x" * 70_000 + '"}', "regular file of up to 64 KB"),
    ],
)
async def test_a_manifest_that_makes_no_sense_is_left_out(text: str, why: str, workspace: Workspace) -> None:
    (workspace.scripts / "bad.json").write_text(text)
    listing = await workspace.nodes.listing(None)
    assert listing.nodes == ()
    assert why in listing.faults[0]
    assert await workspace.nodes.node("script.bad") is None


def test_a_link_and_a_second_of_the_same_id_are_left_out(workspace: Workspace) -> None:
    workspace.manifest("a", id="one")
    workspace.manifest("b", id="ONE")
    (workspace.scripts / "c.json").symlink_to(workspace.manifest("a", id="one"))
    first, *rest = scripts_in(str(workspace.root))
    assert not isinstance(first, str)
    assert ["another manifest has the same id" in str(one) or "regular file" in str(one) for one in rest] == [True] * 2
