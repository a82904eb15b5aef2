"""A git configuration, read as git reads it: nothing that starts a program is missed."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.commandline.catalogue.git_config import UNREADABLE, aliases, running_entries
from tests.support.scale import examples

RUNNING = [
    ("[core]\n\tfsmonitor = ./x\n", "core.fsmonitor"),
    ("[core]\n\tfsmonitor\n", "core.fsmonitor"),
    ("[core]\n\tfsmonitor = true\n", "core.fsmonitor"),
    ("[CORE]\n\tFsMonitor=x\n", "core.fsmonitor"),
    ("[core] fsmonitor = x", "core.fsmonitor"),
    ("[core]\n# a comment\n; another\n  hooksPath = x ; why\n", "core.hookspath"),
    ("[core]hooksPath=x", "core.hookspath"),
    ("[core]\n\teditor = \\\n\tx\n", "core.editor"),
    ("[core]\r\n\tsshCommand = x\r\n", "core.sshcommand"),
    ("\ufeff[core]\n\tgitProxy = x\n", "core.gitproxy"),
    ("[core]\n\taskPass = x\n", "core.askpass"),
    ("[core]\n\tpager = less\n", "core.pager"),
    ("[core]\n\talternateRefsCommand = x\n", "core.alternaterefscommand"),
    ("[core]\n\tworktree = /\n", "core.worktree"),
    ("[pager]\n\tlog = x\n", "pager.log"),
    ("[sequence]\n\teditor = x\n", "sequence.editor"),
    ('[filter "a"]\n\tclean = x\n', "filter.a.clean"),
    ('[filter "a.b \\"c\\\\"]\n\tsmudge = x\n', 'filter.a.b "c\\.smudge'),
    ('[filter "A"]\n\tprocess = x\n', "filter.A.process"),
    ("[filter.A]\n\tprocess = x\n", "filter.a.process"),
    ("[diff]\n\texternal = x\n", "diff.external"),
    ('[diff "a"]\n\ttextconv = x\n', "diff.a.textconv"),
    ('[diff "a"]\n\tcommand = x\n', "diff.a.command"),
    ('[merge "a"]\n\tdriver = x\n', "merge.a.driver"),
    ('[mergetool "a"]\n\tcmd = x\n', "mergetool.a.cmd"),
    ('[difftool "a"]\n\tpath = x\n', "difftool.a.path"),
    ("[gpg]\n\tprogram = x\n", "gpg.program"),
    ('[gpg "ssh"]\n\tdefaultKeyCommand = x\n', "gpg.ssh.defaultkeycommand"),
    ("[credential]\n\thelper = x\n", "credential.helper"),
    ('[credential "https://example.org"]\n\thelper = x\n', "credential.https://example.org.helper"),
    ("[include]\n\tpath = x\n", "include.path"),
    ('[includeIf "gitdir:/"]\n\tpath = x\n', "includeif.gitdir:/.path"),
    ('[remote "a"]\n\tuploadpack = x\n', "remote.a.uploadpack"),
    ('[remote "a"]\n\turl = ext::sh\n', "remote.a.url"),
    ('[url "ext::sh "]\n\tinsteadOf = https://\n', "url.ext::sh .insteadof"),
    ("[protocol]\n\tallow = always\n", "protocol.allow"),
    ('[protocol "ext"]\n\tallow = always\n', "protocol.ext.allow"),
    ('[submodule "a"]\n\tupdate = !x\n', "submodule.a.update"),
    ("[interactive]\n\tdiffFilter = x\n", "interactive.difffilter"),
    ("[alias]\n\tst = !sh\n", "alias.st"),
    ('[alias]\n\tst = "!sh"\n', "alias.st"),
    ("[extensions]\n\tworktreeConfig = true\n", "extensions.worktreeconfig"),
    ("[sendemail]\n\tsendmailCmd = x\n", "sendemail.sendmailcmd"),
    ('[trailer "a"]\n\tcmd = x\n', "trailer.a.cmd"),
    ('[tar "gz"]\n\tcommand = x\n', "tar.gz.command"),
    ('[lfs "customtransfer.a"]\n\tpath = x\n', "lfs.customtransfer.a.path"),
]

HARMLESS = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
	fsmonitor = false
	pager = cat
[remote "origin"]
	url = git@example.org:a/b.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[user]
	name = "A # B"   ; a comment
	email = a@example.org
[blame]
	ignoreRevsFile = .git-blame-ignore-revs
[alias]
	st = status -sb
[url "git@example.org:"]
	insteadOf = https://example.org/
[submodule "a"]
	url = https://example.org/a
	active = true
[pager]
	log = false
"""


@pytest.mark.parametrize(("text", "name"), RUNNING)
def test_an_entry_that_starts_something_is_named(text: str, name: str) -> None:
    assert running_entries(text) == (name,)


def test_an_ordinary_configuration_is_quiet() -> None:
    assert running_entries(HARMLESS) == ()
    assert running_entries("") == ()


def test_aliases_are_verbs_with_what_they_stand_for() -> None:
    text = '[alias]\n\tSt = status -sb ; short\n\tx = "!sh -c \\"a\\"" \n\tst = status\n\tbare\n'

    assert aliases(text) == {"st": "status", "x": '!sh -c "a"'}
    assert aliases('[alias]\n\tst = "a # b;" c # d\n') == {"st": "a # b; c"}
    assert aliases('[alias]\n\tst = "# \\\n !x"\n') == {"st": "#  !x"}


@pytest.mark.parametrize(
    "text",
    [
        "[core",
        '[core]\n\teditor = "x\n',
        "[core]\n\teditor x\n",
        "=x",
        "[a b]\n",
        '[a "b]\n',
        "[core]\n\ta = \\q\n",
        "\0",
    ],
)
def test_what_git_cannot_read_is_named_itself(text: str, tmp_path: Path) -> None:
    assert running_entries(text) == (UNREADABLE,)
    assert aliases(text) == {}
    assert _seen_by_git(text, tmp_path) is None


SECTIONS = ["core", "CORE", "filter", "diff", "alias", "pager", "include", "credential", "url", "remote", "x.y"]
KEYS = ["fsmonitor", "hooksPath", "clean", "textconv", "Command", "path", "helper", "insteadOf", "url", "log", "st"]
VALUES = ["x", '"x y"', "!sh", '"!a;b"', "a\\\n b", "false", "", "a # b", '"a # b"', "ext::sh", "\\t!x", '""!x', "a;b"]
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", " \n", "\n\t"])
SUBSECTION = st.sampled_from(["", ' "a"', ' "A b"', ' "ext::x"', '\t"a\\"b"', ' "a\\\\"', ' "]"', ' ""'])
LINE = st.one_of(
    st.builds(lambda s, sub, e: f"[{s}{sub}]{e}", st.sampled_from(SECTIONS), SUBSECTION, ENDS),
    st.builds(
        lambda k, eq, v, e: f"{k}{eq}{v}{e}",
        st.sampled_from(KEYS),
        st.sampled_from(["=", " = ", "\t=", " =\t"]),
        st.sampled_from(VALUES),
        ENDS,
    ),
    st.builds(lambda k, e: f"{k}{e}", st.sampled_from(KEYS), ENDS),
    st.sampled_from(
        ["# [core]\n", "; hooksPath = x\n", "#\\\n", "\\\n", " ", "\t", "[core] ", '"', "]", "\ufeff", "\r"]
    ),
)
FILE = st.lists(LINE, max_size=12).map("".join)


def _seen_by_git(text: str, folder: Path) -> list[tuple[str, str | None]] | None:
    """Names and values as git itself lists them; None where it refuses the file."""
    file = folder / "config"
    file.write_bytes(text.encode())
    listed = subprocess.run(
        ["git", "config", "--no-includes", "-f", str(file), "--list", "-z"], capture_output=True, check=False
    )
    if listed.returncode != 0:
        return None
    entries = [entry.partition("\n") for entry in listed.stdout.decode().split("\0")[:-1]]
    return [(name, value if newline else None) for name, newline, value in entries]


@settings(max_examples=examples(250), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=FILE)
def test_what_git_sees_is_seen(text: str, tmp_path: Path) -> None:
    seen = _seen_by_git(text, tmp_path)
    if seen is None:
        return
    # Each entry by itself, in git's own spelling, says which of them start something.
    wanted = {name for name, value in seen if "." in name and running_entries(_alone(name, value))}
    found = running_entries(text)

    assert UNREADABLE not in found
    assert wanted <= set(found)
    assert set(found) <= {name for name, _ in seen}
    assert dict(aliases(text)) == {
        name.partition(".")[2]: value for name, value in seen if name.startswith("alias.") and value is not None
    }


def _alone(name: str, value: str | None) -> str:
    section, _, rest = name.partition(".")
    subsection, dot, key = rest.rpartition(".")
    heading = section
    if dot:
        heading += ' "' + subsection.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if value is None:
        return f"[{heading}]\n{key}\n"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'[{heading}]\n{key} = "{escaped}"\n'
