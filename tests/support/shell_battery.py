"""Shell commands with what must come of them, the folder in which they are thought, and their way through the app."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.explaining import Explaining
from tests.support.processes import ROOT

DATA = ROOT / "tests" / "golden" / "shell"
Json = dict[str, Any]
_AT_ONCE = 8 * 1024 * 1024

_FILES = {
    "README.md": "# A list\n\nIt's a list.\n",
    "notes.txt": "one two\n# three\nfour five\n",
    "data.csv": "name,size\na,1\nb,2\n",
    "package.json": '{"name": "list", "scripts": {"test": "node test.js", "build": "tsc", "lint": "eslint src"}}\n',
    "tsconfig.json": '{"compilerOptions": {"outDir": "build"}}\n',
    "Makefile": "test:\n\tnpm test\n",
    "src/app.ts": "import { readList } from './list';\n\nfunction app() {\n  readList();\n}\n",
    "src/app.test.ts": "test('list', () => {});\n",
    "src/list.ts": "export function readList() {}\n",
    "src/other.ts": "export {};\n",
    "src/deep/deeper/one.ts": "export {};\n",
    "tests/test_app.py": "def test_list():\n    pass\n",
    "build/output.log": "built\n",
    "node_modules/left/index.js": "\n",
    "x.sh": "touch owned\n",
    ".env": "KEY=secret\n",
    ".env.example": "KEY=\n",
    ".env.production": "KEY=secret\n",
    ".env.local": "KEY=secret\n",
    "config/server.pem": "secret\n",
    "config/list.json": "{}\n",
    ".vscode/tasks.json": "{}\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    ".git/hooks/pre-commit": "#!/bin/sh\n",
    ".git/refs/heads/.keep": "",
    ".git/objects/.keep": "",
}
_TRAPS = {".netrc": "machine example.org\n", "id_rsa": "secret\n"}
_LINKS = {"outside": "/etc", "passwd-link": "/etc/passwd", "secrets-link": ".env"}
_AT_HOME = {
    ".bashrc": "\n",
    ".ssh/id_rsa": "secret\n",
    ".ssh/authorized_keys": "\n",
    ".aws/credentials": "secret\n",
    "notes": "\n",
    "bin/ls": "",
}


@dataclass(frozen=True, slots=True)
class Answered:
    """A line of a battery, and what the app said to it."""

    entry: Json
    outcome: str
    reason: str
    text: str

    def __str__(self) -> str:
        return f"{shown(self.entry)}\n    {self.outcome}, {self.reason}: {self.text}"


def battery(name: str) -> list[Json]:
    """The lines of a file of data."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def rules(name: str) -> Json:
    """Rules as a user would have them in the settings."""
    return json.loads((DATA / "rules.json").read_text(encoding="utf-8"))[name]


def command_of(entry: Json) -> str:
    """The command: a text, or pieces that are repeated."""
    command = entry["command"]
    return command if isinstance(command, str) else "".join(text * times for text, times in command)


def shown(entry: Json) -> str:
    """The entry on one line that is not too long."""
    words = json.dumps(entry["command"], ensure_ascii=True)
    return " ".join([f"[{entry.get('group', '')}]", words, *map(str, entry.get("rules", []))])


def settle(place: Path, *, traps: bool) -> Explaining:
    """A workspace with all that the lines name, and a home directory beside it; with traps, what attacks go for."""
    explaining = Explaining(place)
    _write(explaining.folder, _FILES)
    _write(place / "home", _AT_HOME)
    _write(place, {"other/file": "\n", "other/package.json": "{}\n"})
    if traps:
        _write(explaining.folder, _TRAPS)
        for name, target in _LINKS.items():
            (explaining.folder / name).symlink_to(target)
    return explaining


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


def asked(explaining: Explaining, entries: Sequence[Json], lines: Sequence[Json]) -> list[Answered]:
    """Asks in as few processes as a test's patience with one allows: nearly always in one."""
    answers = [answer for some in _portions(lines) for answer in explaining.batch(some)]
    assert [answer["id"] for answer in answers] == list(range(len(entries)))
    return [
        Answered(entry, answer["outcome"], answer["reason"]["code"], answer["reason"]["text"])
        for entry, answer in zip(entries, answers, strict=True)
    ]


def _portions(lines: Sequence[Json]) -> Iterator[list[Json]]:
    portion: list[Json] = []
    size = 0
    for number, line in enumerate(lines):
        portion.append({"id": number, "tool": "bash", **line})
        size += len(line["args"]["command"])
        if size > _AT_ONCE:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
