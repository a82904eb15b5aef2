"""Scripts of the workspace as nodes: each has a manifest in `.assent/nodes/`, and reads its inputs as JSON.

A manifest is a JSON object: `id`, `title`, `description`, `inputs` (a JSON Schema), `command` (a list of words). The
command is started in the workspace folder. What it is includes what its files hold: another content is another node.
"""

import asyncio
import os
import re
import stat
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from assent.agent.ports import Manner, ToolAnswer
from assent.jsontext import NotJson, canonical_json, read_json, write_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse
from assent.model.sandbox import SandboxKind
from assent.nodes.words import Listing, Node
from assent.runtime.processes import Ended, Processes, Start
from assent.sandbox.confined import Confined
from assent.sandbox.words import Wanted
from assent.shells.workplace import Workplace
from assent.tools.bash import Runner
from assent.tools.places import Roots
from assent.tools.shell import environment_for

NAME = "script"
FOLDER = ".assent/nodes"
SECONDS = 300.0
MOST_OUTPUT = 1 << 20
MOST_MANIFESTS = 200
_MOST_MANIFEST = 64 * 1024
_MOST_FILE = 8 << 20
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Script:
    """A manifest that makes sense."""

    name: str
    title: str
    description: str
    inputs: JsonObject
    argv: tuple[str, ...]
    identity: str
    """Of the manifest, and of the files that its command names."""


class Unusable(Exception):
    """Why a manifest makes no node, as the end of a sentence."""


def scripts_in(root: str) -> Iterator[Script | str]:
    """The scripts of a workspace folder, and what is wrong with others. Looks at the disk."""
    folder = Path(root, *FOLDER.split("/"))
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))  # noqa: PTH208
    except OSError:
        return
    seen: set[str] = set()
    for name in names[:MOST_MANIFESTS]:
        try:
            script = read_script(folder / name, root)
        except (Unusable, OSError) as fault:
            yield f"{FOLDER}/{name} is left out: {fault}."
            continue
        if script.name.casefold() in seen:
            yield f"{FOLDER}/{name} is left out: another manifest has the same id."
            continue
        seen.add(script.name.casefold())
        yield script


def read_script(file: Path, root: str) -> Script:
    """What a manifest says. Raises Unusable, or OSError."""
    said = _read(file)
    name, command, inputs = said.get("id", file.stem), said.get("command"), said.get("inputs", {"type": "object"})
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise Unusable("its id is made of up to 64 letters, digits, - and _")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) and word for word in command):
        raise Unusable("its command is a list of words")
    if not isinstance(inputs, Mapping) or inputs.get("type") != "object":
        raise Unusable("its inputs are the schema of an object")
    title, description = (str(said.get(key, ""))[:4_000] for key in ("title", "description"))
    files = [[word, _content(Path(root, word), root)] for word in command]
    identity = sha256(canonical_json([said, files])).hexdigest()
    return Script(name, title or name, description, dict(inputs), tuple(command), identity)


def _read(file: Path) -> Mapping[str, Any]:
    info = file.lstat()
    if not stat.S_ISREG(info.st_mode) or info.st_size > _MOST_MANIFEST:
        raise Unusable(f"it is no regular file of up to {_MOST_MANIFEST >> 10} KB")
    try:
        said = read_json(file.read_bytes(), each_name_once=True)
    except NotJson as fault:
        raise Unusable(f"it is no JSON ({fault})") from None
    if not isinstance(said, Mapping):
        raise Unusable("it is no object")
    return said


def _content(path: Path, root: str) -> str | None:
    """A digest of the file that a word of the command names, where that lies in the workspace."""
    try:
        real = path.resolve()
        if not real.is_relative_to(Path(root).resolve()) or not real.is_file():
            return None
        if real.stat().st_size > _MOST_FILE:
            raise Unusable(f"{path.name} is larger than {_MOST_FILE >> 20} MB")
        return sha256(real.read_bytes()).hexdigest()
    except (OSError, ValueError):
        # No name of a file at all.
        return None


class ScriptNodes:
    """The scripts of the first workspace folder."""

    names = (NAME,)

    def __init__(self, roots: Roots, processes: Processes, runner: Runner, workplace: Workplace) -> None:
        self._roots, self._processes, self._runner, self._workplace = roots, processes, runner, workplace

    async def listing(self, name: str | None) -> Listing:
        """All of them."""
        if name not in (None, NAME):
            return Listing()
        found = await self._scripts()
        nodes = tuple(self._node(one) for one in found if isinstance(one, Script))
        return Listing(nodes, tuple(one for one in found if isinstance(one, str)))

    async def node(self, node_id: str) -> Node | ToolFault | None:
        """One of them, as it is now."""
        use = self.use(node_id)
        if use is None:
            return None
        scripts = (one for one in await self._scripts() if isinstance(one, Script))
        found = next((one for one in scripts if f"{NAME}.{one.name}" == node_id), None)
        return None if found is None else self._node(found)

    def use(self, node_id: str) -> NodeUse | None:
        """What is known of an id without looking."""
        return NodeUse(node_id, of_user=False) if node_id.startswith(f"{NAME}.") else None

    async def _scripts(self) -> list[Script | str]:
        root = next(iter(self._roots()), None)
        return [] if root is None else await asyncio.to_thread(lambda: list(scripts_in(root)))

    def _node(self, script: Script) -> Node:
        return Node(
            use=NodeUse(f"{NAME}.{script.name}", script.identity, of_user=False),
            source=NAME,
            title=script.title,
            description=script.description,
            schema=script.inputs,
            category=Category.EXECUTE,
            work=partial(self._perform, script),
            behind=" ".join(script.argv),
        )

    async def _perform(self, script: Script, inputs: JsonObject, manner: Manner) -> ToolAnswer:
        root = next(iter(self._roots()), "")
        now = next((one for one in await self._scripts() if isinstance(one, Script) and one.name == script.name), None)
        if now is None or now.identity != script.identity:
            text = f"{NAME}.{script.name} is not what it was when this call was looked at. It did not run; call again."
            raise ToolFault("changed_since", text)
        await asyncio.to_thread(self._workplace.make_scratch)
        guarded = await self._guarded(root) if manner.unseen else None
        start = self._start(script, root)
        try:
            if guarded is None:
                ended = await self._run(start, inputs)
            else:
                with guarded.applied(start) as inside:
                    ended = await self._run(inside, inputs)
        except OSError as fault:
            raise ToolFault("not_started", f"{script.argv[0]} could not be started: {fault.strerror}.") from fault
        finally:
            if guarded is not None:
                await asyncio.shield(guarded.after(take=False))
        return _answer(ended)

    def _start(self, script: Script, root: str) -> Start:
        environment = environment_for(self._roots(), os.environ)
        environment["TMPDIR"] = self._workplace.scratch
        first = script.argv[0]
        # A name with a slash is a file of the workspace; any other one is looked for where programs are.
        argv = (os.path.join(root, first), *script.argv[1:]) if "/" in first else script.argv  # noqa: PTH118
        return Start(argv, root, environment, bounds=self._runner.bounds(), talks=True)

    async def _guarded(self, root: str) -> Confined | None:
        """Nobody looked at it: what is protected is kept from it wherever that can be done."""
        choice = self._runner.choice()
        if choice.enabled is SandboxKind.OFF:
            return None
        scratch = self._workplace.scratch
        roots = tuple(one for one in self._roots() if one != scratch)
        found = await self._runner.sandbox.guard(Wanted(roots, choice.writable, scratch, root, choice.network))
        return found if isinstance(found, Confined) else None

    async def _run(self, start: Start, inputs: JsonObject) -> Ended:
        return await self._processes.run(start, SECONDS, MOST_OUTPUT, given=write_json(inputs))


def _answer(ended: Ended) -> ToolAnswer:
    output, errors = ended.output.text(), ended.errors.text().strip()
    if ended.timed_out:
        raise ToolFault("timeout", f"It did not end within {SECONDS:g} seconds and was ended.", content=output or None)
    if ended.code != 0:
        how = f"with code {ended.code}" if ended.code is not None else f"by {ended.signal}"
        why = f" ({ended.limit})" if ended.limit else ""
        raise ToolFault("node_failed", "\n".join(filter(None, (f"It ended {how}{why}.", errors, output))))
    return ToolAnswer(output or "[no output]", truncated=ended.output.left_out > 0)
