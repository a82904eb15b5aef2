"""What an agent may have its client do: read and write files, run commands, ask the user.

All but a form goes through the gate.
"""

from collections.abc import Callable
from dataclasses import replace
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING

from assent.acp.agent_files import ReadForAgent, Reading, Unmasking, WriteForAgent
from assent.acp.agent_terminals import RunForAgent, Terminals, TerminalWanted
from assent.acp.claim import Claim
from assent.acp.connection import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, Connection
from assent.acp.promises import Promises
from assent.acp.words import RequestId
from assent.agent import form_reading
from assent.agent.form_reading import NoForm, form_of
from assent.agent.guest import Host, Wanted
from assent.agent.ports import Tool
from assent.agent.secrets_in_results import SecretsRule
from assent.agent.toolbelt import Toolbelt
from assent.model.calls import ToolCall
from assent.model.forms import CANCELLED, NotAskable
from assent.model.ids import CallId
from assent.model.json import Json, JsonObject
from assent.runtime.ids import new_id
from assent.tools.open_documents import OpenDocuments
from assent.tools.places import Roots

if TYPE_CHECKING:
    import asyncio

_NO_TERMINAL = "there is no such terminal, or it was released"
_NOT_FOUND = -32002
"""As the protocol calls a resource that is not there."""


class ClientSide:
    """Of one session. An answer is given once what was wanted is done, or was refused."""

    def __init__(
        self,
        tools: Toolbelt,
        roots: Roots,
        terminals: Terminals,
        promises: Promises,
        documents: OpenDocuments,
        secrets: SecretsRule,
    ) -> None:
        self._tools = tools
        self._roots = roots
        self.terminals = terminals
        self._promises = promises
        self._documents = documents
        self._secrets = secrets
        self._wanted: set[str] = set()
        """The files and the commands that the agent has left to this side in its turn, whatever became of them."""
        self._read_here: set[str] = set()
        """The files that it had this side read."""
        self._forms: dict[RequestId, asyncio.Task[None]] = {}
        """What it asks the user, by its own numbers."""
        self.missing_is_empty = False
        """An agent that reads what is not there is told that it is empty: some cannot make a file otherwise."""

    def begin_turn(self) -> None:
        """What was wanted before was wanted for another turn."""
        self._wanted.clear()
        self._read_here.clear()

    def has_done(self, claim: Claim) -> bool:
        """Whether all that this call shows was left to this side, where it was decided about."""
        names = [*claim.writes, *claim.deletes, *(name for move in claim.moves for name in move), *claim.urls]
        if not names and claim.only_looks and claim.reads:
            return self._read_here.issuperset(map(self._file, claim.reads))
        if names or not (claim.edits or claim.command is not None):
            return False
        told = [self._file(one.path) for one in claim.edits]
        return self._wanted.issuperset([*told, claim.command] if claim.command is not None else told)

    def _file(self, path: str) -> str:
        return normpath(Path(next(iter(self._roots()), "/")) / path)

    def asked(self, request_id: RequestId, method: str, params: Json, host: Host, connection: Connection) -> None:
        """An agent wants something, in a turn that goes on."""
        wanted = params if isinstance(params, dict) else {}
        match method:
            case "fs/read_text_file":
                self._read(request_id, wanted, host, connection)
            case "fs/write_text_file":
                self._write(request_id, wanted, host, connection)
            case "terminal/create":
                self._run(request_id, wanted, host, connection)
            case "terminal/output" | "terminal/wait_for_exit" | "terminal/kill" | "terminal/release":
                looking = host.start(self._of_terminal(request_id, method, wanted, connection), "terminal of an agent")
                looking.add_done_callback(lambda _: connection.refuse(request_id, _NOT_FOUND, _NO_TERMINAL))
            case form_reading.METHOD:
                self._ask(request_id, wanted, host, connection)
            case _:
                connection.refuse(request_id, METHOD_NOT_FOUND, f"there is no {method[:100]} here")

    def has_asked(self, request_id: RequestId) -> bool:
        """Whether a form of the agent waits under this id."""
        return request_id in self._forms

    def withdraw(self, request_id: RequestId) -> None:
        """The agent does not want an answer to a form any more."""
        asking = self._forms.get(request_id)
        if asking is not None:
            asking.cancel()

    def _ask(self, request_id: RequestId, wanted: JsonObject, host: Host, connection: Connection) -> None:
        try:
            form = form_of(wanted)
        except NoForm as fault:
            connection.refuse(request_id, INVALID_PARAMS, str(fault))
            return

        async def asked() -> None:
            try:
                answer = await host.ask(form)
            except NotAskable as fault:
                connection.refuse(request_id, METHOD_NOT_FOUND, str(fault))
            else:
                connection.answer(request_id, answer.as_result)

        def ended(task: "asyncio.Task[None]") -> None:
            # Stopped, withdrawn, or it never began: an agent that waits for an answer gets one.
            if self._forms.get(request_id) is task:
                del self._forms[request_id]
            connection.answer(request_id, CANCELLED.as_result)

        asking = self._forms[request_id] = host.start(asked(), "a form of an agent")
        asking.add_done_callback(ended)

    def _read(self, request_id: RequestId, wanted: JsonObject, host: Host, connection: Connection) -> None:
        path, line, limit = wanted.get("path"), wanted.get("line"), wanted.get("limit")
        if not isinstance(path, str) or not path or not all(one is None or type(one) is int for one in (line, limit)):
            _unusable(request_id, connection)
            return
        reading = Reading(path, line if isinstance(line, int) else None, limit if isinstance(limit, int) else None)
        self._read_here.add(self._file(path))
        given: list[str] = []
        tool = ReadForAgent(
            reading,
            self._roots,
            given.append,
            self._documents,
            missing_is_empty=self.missing_is_empty,
            secrets=self._secrets,
        )
        args: JsonObject = {name: value for name, value in wanted.items() if name in ("path", "line", "limit")}
        self._carry(request_id, tool, args, host, connection, lambda: {"content": given[0]})

    def _write(self, request_id: RequestId, wanted: JsonObject, host: Host, connection: Connection) -> None:
        writing, path, content = self._tools.get("write_file"), wanted.get("path"), wanted.get("content")
        if writing is None or not isinstance(path, str) or not path or not isinstance(content, str):
            _unusable(request_id, connection)
            return
        self._wanted.add(self._file(path))
        unmasking = Unmasking(self._roots, self._documents, self._secrets)
        tool = WriteForAgent(_exactly(writing), self._promises, unmasking)
        self._carry(request_id, tool, {"path": path, "content": content}, host, connection, lambda: None)

    def _run(self, request_id: RequestId, wanted: JsonObject, host: Host, connection: Connection) -> None:
        running, terminal = self._tools.get("bash"), terminal_wanted(wanted)
        if running is None or terminal is None:
            _unusable(request_id, connection)
            return
        begun: list[str] = []
        self._wanted.add(terminal.own_text)

        def began(terminal_id: str) -> None:
            begun.append(terminal_id)
            self.terminals.began(terminal_id, terminal.most_output)

        tool = RunForAgent(running, terminal, self._promises, began)
        where: JsonObject = {"cwd": terminal.cwd} if terminal.cwd is not None else {}
        args: JsonObject = {"command": terminal.text, **where, "background": True}
        self._carry(request_id, tool, args, host, connection, lambda: {"terminalId": begun[0]})

    def _carry(
        self,
        request_id: RequestId,
        tool: Tool,
        args: JsonObject,
        host: Host,
        connection: Connection,
        result: Callable[[], Json],
    ) -> None:
        call = ToolCall(CallId(new_id()), tool.spec.name, args)

        async def carried() -> None:
            outcome = await host.carry(call, Wanted(tool, fault=tool.fault(args)))
            if outcome.is_error:
                code = _NOT_FOUND if outcome.code == "not_found" else INTERNAL_ERROR
                connection.refuse(request_id, code, outcome.content)
            else:
                connection.answer(request_id, result())

        carrying = host.start(carried(), f"{tool.spec.name} for an agent")
        # Whatever happened, and where it never began: an agent that waits for an answer gets one.
        carrying.add_done_callback(lambda _: connection.refuse(request_id, INTERNAL_ERROR, "this was not done"))

    async def _of_terminal(
        self, request_id: RequestId, method: str, wanted: JsonObject, connection: Connection
    ) -> None:
        terminal_id = wanted.get("terminalId")
        found: Json = None
        known = False
        if isinstance(terminal_id, str):
            match method:
                case "terminal/output":
                    found = self.terminals.output(terminal_id)
                    known = found is not None
                case "terminal/wait_for_exit":
                    found = await self.terminals.ended(terminal_id)
                    known = found is not None
                case "terminal/kill":
                    known = await self.terminals.kill(terminal_id)
                case _:
                    known = await self.terminals.release(terminal_id)
        if known:
            connection.answer(request_id, found)


def _exactly(writing: Tool) -> Tool:
    """An agent counts on each byte that it gives, and so does what was promised for another call of it."""
    from assent.tools.write_file import WriteFile

    return writing.exactly() if isinstance(writing, WriteFile) else writing


def terminal_wanted(params: JsonObject) -> TerminalWanted | None:
    """The command of a new terminal; None where it cannot be read, whole."""
    command, args, cwd = params.get("command"), params.get("args") or [], params.get("cwd")
    env, most = params.get("env") or [], params.get("outputByteLimit")
    if not isinstance(command, str) or not command or not isinstance(args, list) or not isinstance(env, list):
        return None
    if not all(isinstance(word, str) for word in args) or not (cwd is None or isinstance(cwd, str)):
        return None
    variables = [_variable(one) for one in env]
    if any(one is None for one in variables):
        return None
    given = TerminalWanted(
        command, tuple(map(str, args)), tuple(one for one in variables if one is not None), cwd or None
    )
    bounded = type(most) is int and 0 <= most <= given.most_output
    return replace(given, most_output=most) if bounded and isinstance(most, int) else given


def _variable(value: Json) -> tuple[str, str] | None:
    if not isinstance(value, dict):
        return None
    name, text = value.get("name"), value.get("value")
    return (name, text) if isinstance(name, str) and isinstance(text, str) and name and "=" not in name else None


def _unusable(request_id: RequestId, connection: Connection) -> None:
    connection.refuse(request_id, INVALID_PARAMS, "the parameters of this request cannot be understood")
