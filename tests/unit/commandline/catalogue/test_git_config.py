"""What a repository's configuration starts is found however it is written, as the real git reads it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.commandline.catalogue.git_config import NOT_UNDERSTOOD, aliases, running_entries, work_tree

ORDINARY = """[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
\tfsmonitor = true
[remote "origin"]
\turl = git@example.org:a/b.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[submodule "lib"]
\tactive = true
\turl = https://example.org/lib.git
\tupdate = rebase
[user]
\tname = "A # B" ; not more
[extensions]
\tworktreeConfig = true
[pager]
\tlog = false
"""


def test_an_ordinary_one_starts_nothing() -> None:
    assert running_entries(ORDINARY) == ()
    assert running_entries("") == ()
    assert aliases(ORDINARY) == {}
    assert work_tree(ORDINARY) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[core]\nfsmonitor = ./evil", "core.fsmonitor"),
        ("[CORE]FSMonitor=./evil", "core.fsmonitor"),
        ("[core] fsmonitor = \\\n  ./evil", "core.fsmonitor"),
        ('[core]\n\tfsmonitor = tr""ue; evil\n', None),
        ('[core]\n\tfsmonitor = "true; evil"\n', "core.fsmonitor"),
        ("[core]\nhooksPath = .hooks", "core.hookspath"),
        ("[core]\nsshCommand = evil", "core.sshcommand"),
        ("[core]\npager = evil", "core.pager"),
        ("[core]\neditor = evil", "core.editor"),
        ('[filter "Lfs X"]\nclean = evil', "filter.Lfs X.clean"),
        ('[filter "a\\"b"]\nprocess = evil', 'filter.a"b.process'),
        ('[diff "x"]\ntextconv = evil', "diff.x.textconv"),
        ('[diff "x"]\ncommand = evil', "diff.x.command"),
        ("[diff]\nexternal = evil", "diff.external"),
        ("[diff.x]\ntextconv = evil", "diff.x.textconv"),
        ('[merge "x"]\ndriver = evil', "merge.x.driver"),
        ("[include]\npath = evil", "include.path"),
        ('[includeIf "gitdir:/"]\npath = evil', "includeif.gitdir:/.path"),
        ("[credential]\nhelper = evil", "credential.helper"),
        ('[credential "https://x.y"]\nhelper = evil', "credential.https://x.y.helper"),
        ("[gpg]\nprogram = evil", "gpg.program"),
        ('[gpg "ssh"]\nprogram = evil', "gpg.ssh.program"),
        ('[remote "o"]\nuploadpack = evil', "remote.o.uploadpack"),
        ('[url "ext::sh -c evil"]\ninsteadOf = https://', "url.ext::sh -c evil.insteadof"),
        ('[submodule "x"]\nupdate = !evil', "submodule.x.update"),
        ("[pager]\nlog = evil", "pager.log"),
        ("[sequence]\neditor = evil", "sequence.editor"),
        ("# [core]\n; x\n[core] # y\nfsmonitor = evil # z", "core.fsmonitor"),
        ("\ufeff[core]\r\nfsmonitor = evil\r\n", "core.fsmonitor"),
        ("[core\nfsmonitor = evil", NOT_UNDERSTOOD),
        ("[core]\n= evil", NOT_UNDERSTOOD),
    ],
)
def test_what_starts_something_is_named(text: str, name: str | None) -> None:
    assert (running_entries(text)[:1] or (None,)) == (name,)


def test_aliases_have_their_whole_meaning() -> None:
    text = '[alias]\nst = status --short ; note\nX = "!sh -c \'evil # x\'"\nst = log\n'
    text += '[alias "two words"]\ncommand = push\n'

    assert aliases(text) == {"st": "log", "x": "!sh -c 'evil # x'", "two words": "push"}


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    "value",
    ["a b", '" a "', 'a"b c"d', "a # b", '"a # b"', "a\\\n b", "a\\tb", '"a;b" ; c', "  a  ", "a\\\\b", "!x 'y'"],
)
def test_values_are_read_as_git_reads_them(tmp_path: Path, value: str) -> None:
    (tmp_path / "config").write_text(f"[alias]\nx = {value}\n")
    done = subprocess.run(
        ["git", "config", "--file", "config", "-z", "alias.x"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )

    assert aliases((tmp_path / "config").read_text())["x"] == done.stdout.removesuffix("\0")
