"""The layers hold, and the check that says so would see an import that breaks them."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.scale import limit

ROOT = Path(__file__).parents[2]


def lint(server: Path, config: Path) -> subprocess.CompletedProcess[str]:
    """Runs the contracts on the package in this folder."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--config",
            str(config),
            "--no-cache",
        ],
        cwd=server,
        env={**os.environ, "PYTHONPATH": str(server)},
        capture_output=True,
        text=True,
        timeout=limit(120),
        check=False,
    )


def test_the_contracts_are_kept() -> None:
    result = lint(ROOT / "server", ROOT / "pyproject.toml")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


def test_what_is_forbidden_to_most_names_every_package_but_those_that_need_it() -> None:
    first, faces, databases, *_ = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    packages = {name.strip() for layer in first["layers"] for name in layer.split("|")}

    assert packages - _named(faces) == {"cli", "lsp", "protocol"}
    assert packages - _named(databases) == {"collections", "store"}


def _named(contract: dict[str, list[str]]) -> set[str]:
    return {name.removeprefix("assent.") for name in contract["source_modules"]}


FORBIDDEN = [
    ("policy/decide.py", "import assent.agent.gate"),
    ("policy/decide.py", "import asyncio"),
    ("model/modes.py", "import json"),
    ("agent/gate.py", "import assent.tools.write_file"),
    ("agent/gate.py", "import assent.protocol.words"),
    ("tools/write_file.py", "import assent.app.app"),
    ("app/desk.py", "import pygls"),
    ("protocol/events.py", "import assent.policy.decide"),
    ("approvals/ledger.py", "import assent.agent.chat"),
    ("app/desk.py", "import sqlite3"),
    ("store/head.py", "import assent.settings.live"),
    ("store/head.py", "import assent.tools.bash"),
    ("mcp/client.py", "import assent.providers.connection"),
    ("mcp/client.py", "import assent.store.store"),
    ("nodes/words.py", "import assent.mcp.client"),
]


def test_a_planted_import_is_seen(tmp_path: Path) -> None:
    """All are planted together in a copy, each must be named: one run of the check is slow enough."""
    server = tmp_path / "server"
    shutil.copytree(ROOT / "server", server, ignore=shutil.ignore_patterns("__pycache__"))
    for name, line in FORBIDDEN:
        file = server / "assent" / name
        file.write_text(file.read_text() + f"\n\ndef planted() -> None:\n    {line}\n")

    result = lint(server, ROOT / "pyproject.toml")

    assert result.returncode == 1, result.stdout + result.stderr
    for name, line in FORBIDDEN:
        importer = "assent." + name.removesuffix(".py").replace("/", ".")
        imported = line.removeprefix("import ")
        assert f"{importer} -> {imported}" in result.stdout, (importer, imported, result.stdout)


@pytest.mark.parametrize("package", sorted(path.name for path in (ROOT / "server/assent").iterdir() if path.is_dir()))
def test_every_package_is_in_the_map(package: str) -> None:
    if package != "__pycache__":
        assert f"| `{package}` |" in (ROOT / "ARCHITECTURE.md").read_text()
