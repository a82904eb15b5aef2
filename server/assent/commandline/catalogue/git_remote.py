"""The verbs of git that talk to other repositories."""

import posixpath
import re

from assent.commandline.catalogue.git_words import address, both, repository, strategies, transport, verb
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program
from assent.model.commands import Argument
from assent.model.modes import Category

_OTHER_END = "names the program that is started at the other end"
_CONTACTS = "It contacts the other repository; an option or an address that starts a program is a danger."
_FETCH = """
-v|--verbose -q|--quiet --all --set-upstream -a|--append --atomic -f|--force -m|--multiple -t|--tags -n -j|--jobs=
--prefetch -p|--prune -P|--prune-tags --recurse-submodules[=] --dry-run --write-fetch-head -k|--keep
-u|--update-head-ok --progress --depth= --shallow-since= --shallow-exclude= --deepen= --unshallow --refetch
--submodule-prefix= --recurse-submodules-default= --update-shallow --refmap= -4|--ipv4 -6|--ipv6 --negotiation-tip=
--negotiate-only --filter= --auto-maintenance --auto-gc --show-forced-updates --write-commit-graph --porcelain
"""
_FETCH_DANGERS = {
    "--upload-pack=": _OTHER_END,
    "-o|--server-option=": "is handed to the other end",
    "--stdin": "takes further arguments from its input",
}
_PULL = """
-v|--verbose -q|--quiet --progress --recurse-submodules[=] -r|--rebase[=] -n --stat --summary --log[=] --signoff
--squash --commit --edit --cleanup= --ff --ff-only --verify --verify-signatures --autostash -s|--strategy=
-X|--strategy-option= -S|--gpg-sign[=] --allow-unrelated-histories --all -a|--append -f|--force -t|--tags -p|--prune
-j|--jobs[=] --dry-run -k|--keep --depth= --shallow-since= --shallow-exclude= --deepen= --unshallow --update-shallow
--refmap= -4|--ipv4 -6|--ipv6 --negotiation-tip= --show-forced-updates --set-upstream
"""
_PUSH = """
-v|--verbose -q|--quiet --repo= --all --branches --mirror -d|--delete --tags -n|--dry-run --porcelain -f|--force
--force-with-lease[=] --force-if-includes --recurse-submodules= --thin -u|--set-upstream --progress --prune
--follow-tags --signed[=] --atomic -o|--push-option= -4|--ipv4 -6|--ipv6 --verify
"""
_CLONE = """
-v|--verbose -q|--quiet --progress --reject-shallow -n|--no-checkout --bare|--naked --mirror -l|--local --no-hardlinks
-s|--shared --recurse-submodules|--recursive[=] -j|--jobs= --dissociate -o|--origin= -b|--branch= --depth=
--shallow-since= --shallow-exclude= --single-branch --tags --shallow-submodules -4|--ipv4 -6|--ipv6 --filter=
--also-filter-submodules --remote-submodules --sparse --revision= --ref-format=
"""


def _with_remote(given: Given, findings: Findings) -> None:
    """The first operand is the name of a repository that the configuration knows, or any other one's address."""
    transport(given, findings)
    for at in given.operands[:1]:
        word = given.words[at]
        if _ADDRESS.match(word.text):
            findings.danger(f"talks to {word.written or word.text}, which is none of the repository's remotes", at)


_ADDRESS = re.compile(r"[./~\\]|.*:", re.DOTALL)


def _pushes(given: Given, findings: Findings) -> None:
    _with_remote(given, findings)
    repo = given.value("--repo")
    if repo is not None:
        address(repo, None, findings)
    for one in given.options:
        if _TAKES_AWAY.intersection(one.option.names):
            findings.danger(f"takes away what others may have ({one.name})", one.at, Category.EXTERNAL)
    for at in given.operands:
        if given.words[at].text[:1] in ("+", ":"):
            findings.danger(f"takes away what others may have ({given.words[at].text})", at, Category.EXTERNAL)


_TAKES_AWAY = frozenset({"-f", "--force", "--mirror", "--delete", "-d", "--prune"})


def _clones(given: Given, findings: Findings) -> None:
    transport_words = given.operands[:1]
    findings.raises(Category.EXTERNAL)
    for at in transport_words:
        address(given.words[at], at, findings)
    for at in given.operands[1:]:
        findings.writes(given.words[at], at, whole=True)
    if len(given.operands) == 1:
        source = given.words[given.operands[0]].text
        findings.writes(Argument(_folder_of(source), written=_folder_of(source)), None, whole=True)


def _folder_of(source: str) -> str:
    """The folder that git makes for a repository where none is given."""
    bare = source.rstrip("/").removesuffix("/.git")
    return posixpath.basename(bare.replace(":", "/")).removesuffix(".git") or "."


def _shows_remote(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=False)
    if not given.has("-n"):
        findings.raises(Category.EXTERNAL)


def _changes_remote(given: Given, findings: Findings) -> None:
    findings.reads_here(whole=False)
    findings.danger("changes which repositories git talks to", given.start - 1)
    for at in given.operands:
        if "::" in given.words[at].text:
            address(given.words[at], at, findings)


_REMOTES: tuple[Program, ...] = (
    verb("show", "asks about another repository", _CONTACTS, "-n", reader=_shows_remote),
    verb("get-url", "shows an address", "It prints what the configuration says.", "--push --all", reader=repository),
    verb(
        "update|prune",
        "fetches from other repositories",
        _CONTACTS,
        "-p|--prune -n|--dry-run -v|--verbose",
        category=Category.EXTERNAL,
        reader=transport,
    ),
    verb(
        "add|set-url|rename|remove|rm|set-head|set-branches",
        "changes which repositories git talks to",
        "What it writes into the configuration decides what git contacts and starts later.",
        "-t= -m= -f --tags --mirror[=] --add --delete --push --progress -a|--auto -d",
        category=Category.EXECUTE,
        reader=_changes_remote,
    ),
)

_SUBMODULES: tuple[Program, ...] = (
    verb(
        "status|summary",
        "shows the submodules",
        "It compares submodules with what is recorded of them.",
        "--cached --recursive -q|--quiet --files -n|--summary-limit=",
        reader=repository,
    ),
    verb(
        "update",
        "fetches submodules and checks them out",
        _CONTACTS,
        """--init --remote -N|--no-fetch --recommend-shallow -f|--force --checkout --merge --rebase
        --reference= --recursive --single-branch -j|--jobs= --depth= --filter= -q|--quiet --progress --dissociate""",
        category=Category.EXTERNAL,
        reader=repository,
    ),
    verb(
        "add",
        "brings another repository into this one",
        "It makes a copy of it in a folder, and records where it comes from.",
        "-q|--quiet -f|--force -b|--branch= --name= --depth= --reference= --progress",
        category=Category.EXTERNAL,
        reader=_clones,
    ),
    verb(
        "init|sync|deinit|absorbgitdirs|set-branch|set-url",
        "changes the submodules",
        "It changes the configuration, and can contact other repositories.",
        "-q|--quiet --recursive -f|--force --all -b|--branch= -d|--default --name= --depth= --reference=",
        category=Category.EXTERNAL,
        reader=transport,
    ),
)


def _foreach(given: Given, findings: Findings) -> None:
    findings.danger("runs a command in every submodule (git submodule foreach)", given.start - 1)
    if len(given.operands) == 1:
        findings.runs_text(given.words[given.operands[0]], given.operands[0], posix=True)
    elif given.operands:
        findings.runs(given.operands[0])


_FOREACH = Program(
    ("foreach",),
    does="runs a command in every submodule",
    reason="It hands its operand to a shell.",
    category=Category.EXECUTE,
    options=verb("foreach", "", "", "-q|--quiet --recursive").options,
    stops=True,
    reader=_foreach,
)

PROGRAMS: tuple[Program, ...] = (
    verb(
        "push",
        "sends commits to another repository",
        _CONTACTS,
        _PUSH,
        category=Category.EXTERNAL,
        reader=_pushes,
        dangers={"--receive-pack|--exec=": _OTHER_END},
    ),
    verb(
        "fetch",
        "fetches from another repository",
        _CONTACTS,
        _FETCH,
        category=Category.EXTERNAL,
        reader=_with_remote,
        dangers=_FETCH_DANGERS,
    ),
    verb(
        "pull",
        "fetches and merges",
        _CONTACTS,
        _PULL,
        category=Category.EXTERNAL,
        reader=both(_with_remote, strategies),
        dangers={"--upload-pack=": _OTHER_END, "-o|--server-option=": "is handed to the other end"},
    ),
    verb(
        "clone",
        "copies another repository",
        _CONTACTS,
        _CLONE,
        category=Category.EXTERNAL,
        operands=Operands(),
        reads="--reference= --reference-if-able=",
        outputs="--separate-git-dir=",
        reader=_clones,
        dangers={
            "-u|--upload-pack=": _OTHER_END,
            "-c|--config=": "sets something in the new repository's configuration",
            "--template=": "puts hooks from another folder into the repository",
            "--bundle-uri=": "contacts another address",
            "--server-option=": "is handed to the other end",
        },
    ),
    verb(
        "remote",
        "lists the other repositories",
        "Without a verb it prints what the configuration says.",
        "-v|--verbose",
        reader=repository,
        verbs=_REMOTES,
    ),
    verb(
        "submodule",
        "shows the submodules",
        "Without a verb it shows; foreach runs commands, and the others change and contact.",
        "-q|--quiet --cached",
        reader=repository,
        verbs=(*_SUBMODULES, _FOREACH),
    ),
)
