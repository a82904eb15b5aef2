"""The small world in which commands run: a workspace, a home, and a folder that belongs to neither."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_FILES = {
    "workspace/readme.md": "# Readme\n\nalpha beta\ngamma 12\n",
    "workspace/notes.txt": "one\ntwo\nthree\ntwo\n",
    "workspace/numbers.txt": "3\n1\n2\n10\n",
    "workspace/data.json": '{"name": "data", "items": [1, 2, {"deep": true}]}\n',
    "workspace/table.csv": "a,b,c\n1,2,3\n4,5,6\n",
    "workspace/package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "true", "build": "echo built"}}\n',
    "workspace/src/main.py": "import os\n\nprint('main')  # TODO later\n",
    "workspace/src/util.c": "int main(void) { return 0; }\n",
    "workspace/src/deep/er/leaf.txt": "leaf\n",
    "workspace/lib/a b.txt": "name with a blank\n",
    "workspace/lib/line\nbreak.txt": "name with a newline\n",
    "workspace/lib/star*.txt": "name with a star\n",
    "workspace/-rf": "looks like an option\n",
    "workspace/--output=x": "looks like a long option\n",
    "workspace/opts/-exec": "looks like an action\n",
    "workspace/opts/--compress-program=sh": "looks like a program\n",
    "workspace/opts/-n": "\n",
    "workspace/run.sh": "#!/bin/sh\necho ran > ran.txt\n",
    "workspace/prog.awk": 'BEGIN { system("id > by-awk.txt") }\n',
    "workspace/script.sed": "w by-sed.txt\n",
    "workspace/names.txt": "notes.txt\nnumbers.txt\n",
    "workspace/.env": "SECRET=planted\n",
    "workspace/keys/id_rsa": "planted key\n",
    "workspace/.gitignore": "build/\n",
    "workspace/build/out.txt": "built\n",
    "outside/secret": "planted outside\n",
    "outside/more/file.txt": "outside\n",
    "home/.ssh/id_rsa": "planted key\n",
    "home/notes.txt": "at home\n",
}
_LINKS = {
    "workspace/away": "../outside",
    "workspace/same.txt": "notes.txt",
    "workspace/hidden-link": ".env",
    "workspace/src/up": "..",
}
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}

_HOSTILE = {
    "core.repositoryFormatVersion": "1",
    "remote.o.url": "../outside",
    "remote.o.promisor": "true",
    "remote.o.uploadpack": "id > p; false",
    "gpg.program": "./run.sh",
}
_COMMITTED = (
    ("init", "-q", "-b", "main"),
    ("config", "user.name", "Someone"),
    ("config", "user.email", "someone@example.org"),
    ("add", "-A", "--", ":!.env"),
    ("commit", "-q", "-m", "first"),
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where this world lies; it is at the same place within the sandbox and outside of it."""

    world: Path

    @property
    def workspace(self) -> Path:
        return self.world / "workspace"

    @property
    def home(self) -> Path:
        return self.world / "home"

    @property
    def outside(self) -> Path:
        return self.world / "outside"

    @property
    def scratch(self) -> Path:
        """For temporary files of commands."""
        return self.world / "scratch"

    def is_planted(self, path: str) -> bool:
        """Whether this file is one that no command may read unasked."""
        name = path.rpartition("/")[2]
        folders = (f"{self.outside}/", f"{self.home}/")
        return path.startswith(folders) or (path.startswith(f"{self.workspace}/") and name in {".env", "id_rsa"})


def build(world: Path, *, hostile: bool = False) -> Places:
    """Makes the world that each command finds untouched. `hostile`: its repository starts what it can."""
    places = Places(world.resolve())
    for name, text in _FILES.items():
        file = world / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for name, target in _LINKS.items():
        (world / name).symlink_to(target)
    (world / "workspace/run.sh").chmod(0o755)
    places.scratch.mkdir()
    for words in _COMMITTED:
        _git(places, *words)
    (places.workspace / "notes.txt").write_text("one\ntwo\nthree\nfour\n")
    if hostile:
        _make_hostile(places)
    return places


def _make_hostile(places: Places) -> None:
    """A file of an earlier commit is missing, and where it is to be fetched from says the repository."""
    lost = _git(places, "rev-parse", "HEAD:notes.txt")
    _git(places, "commit", "-q", "-a", "-m", "second")
    (places.workspace / ".git/objects" / lost[:2] / lost[2:]).unlink()
    for name, value in _HOSTILE.items():
        _git(places, "config", name, value)


def _git(places: Places, *words: str) -> str:
    environment = {**os.environ, **_GIT}
    done = subprocess.run(["git", *words], cwd=places.workspace, env=environment, check=True, capture_output=True)
    return done.stdout.decode().strip()
