"""There is one way to a tool: only the gate makes permits, only the execution takes them, only one function decides."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "server" / "assent"


def called_in(path: Path) -> set[str]:
    """The names of all functions and methods that a module calls."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return {str(getattr(call, "id", None) or getattr(call, "attr", None)) for call in calls}


TEXTS = {str(path.relative_to(PACKAGE)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
CALLED = {str(path.relative_to(PACKAGE)): called_in(path) for path in sorted(PACKAGE.rglob("*.py"))}


def calling(name: str) -> set[str]:
    """The modules that call a function, or a method, of this name."""
    return {module for module, names in CALLED.items() if name in names}


@pytest.mark.parametrize(
    ("name", "modules"),
    [
        ("Permit", {"agent/gate.py"}),
        # Both ways to begin stand behind one.
        ("perform", {"agent/ports.py"}),
        ("perform_after", {"agent/ports.py"}),
        ("perform_in", {"agent/ports.py"}),
        # The store's writer carries out what is to be written.
        # A tool that stands before another one hands its own carrying out on to that, by one function beside it.
        ("carry_out", {"agent/execute.py", "agent/ports.py", "store/writer.py"}),
        ("wrapped", {"acp/agent_files.py", "acp/agent_terminals.py"}),
        # What a card offers, what it would settle and which grant it takes are tried by deciding; that runs nothing.
        # So is whether a file could be read unasked, before anything is told of it.
        (
            "decide",
            {"agent/gate.py", "agent/look.py", "agent/asking.py"}
            | {"policy/offers.py", "policy/settling.py", "policy/withheld.py"},
        ),
        # The same ladder, where only whether a call would run is asked.
        ("first_answer", {"policy/decide.py", "policy/trial.py"}),
        ("admit", {"agent/carrier.py"}),
        # A tool of a chat hands it on to the one of no chat.
        # So does one that does for an agent of others what another tool does.
        # The sandbox gets itself ready under the same name, and runs nothing by that.
        (
            "prepare",
            # And one that says of a call which another one makes what of it was agreed to with that.
            {"agent/gate.py", "agent/toolbelt.py", "agent/inner_calls.py", "sandbox/sandbox.py"}
            | {"acp/agent_files.py", "acp/agent_terminals.py"},
        ),
    ],
)
def test_is_called_in_one_place_only(name: str, modules: set[str]) -> None:
    assert calling(name) == modules


def test_calls_are_carried_out_in_one_place_only() -> None:
    """By the function of that name; the method of a database connection that is called so too runs no tool."""
    trees = {str(path.relative_to(PACKAGE)): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}
    importing = {module for module, tree in trees.items() if imports_execution(tree)}

    assert importing == {"agent/carrier.py"}


def imports_execution(tree: ast.Module) -> bool:
    """Whether a module takes anything from the execution."""
    return any(
        isinstance(node, ast.ImportFrom) and (node.module == "assent.agent.execute" or "execute" in names(node))
        for node in ast.walk(tree)
    ) or any(isinstance(node, ast.Import) and "assent.agent.execute" in names(node) for node in ast.walk(tree))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import subprocess", True),
        ("import os, subprocess as sp", True),
        ("from subprocess import run", True),
        ("def f():\n  from subprocess import Popen", True),
        ("import subprocess_notes\nfrom a import b", False),
    ],
)
def test_an_import_is_found_however_it_is_written(text: str, found: bool) -> None:
    assert imports(ast.parse(text), "subprocess") is found


def imports(tree: ast.Module, module: str) -> bool:
    """Whether anything of the module is imported."""
    return any(
        (isinstance(node, ast.Import) and module in names(node))
        or (isinstance(node, ast.ImportFrom) and node.module == module)
        for node in ast.walk(tree)
    )


def names(node: ast.Import | ast.ImportFrom) -> set[str]:
    """What an import names."""
    return {alias.name for alias in node.names}


def test_processes_are_started_in_one_place_and_text_is_never_run() -> None:
    # The server starts the program that starts all others; on systems that cannot have it, programs themselves.
    assert calling("Popen") == {"runtime/warden_client.py", "runtime/plain_starter.py"}
    assert calling("fork") == {"runtime/warden/serving.py", "runtime/warden/keeper.py"}
    assert calling("execve") == {"runtime/warden/program.py"}
    # The scripted agent of others is a program of its own, as all of them are, and no part of the server.
    starting = {name for name, text in TEXTS.items() if imports(ast.parse(text), "subprocess")}
    assert not [name for name in starting if not name.startswith(("runtime/", "acp/scripted/"))]
    for name in ("eval", "exec", "system", "create_subprocess_exec", "create_subprocess_shell", "posix_spawn"):
        assert calling(name) == set(), name
