"""The command lines of forges, which hold repositories, requests and pipelines."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Use, options
from assent.model.modes import Category

_ASK = "Asks the forge and prints; another host is a danger. Opening a browser is one too."
_CHANGE = "Changes at the forge what the verb says; files that are sent, and ways around checks, are dangers."
_RISKS = {
    "-w|--web": "starts a browser",
    "--hostname=": "talks to another host",
    "-e|--editor": "starts an editor",
    "--template=": "takes its text from elsewhere",
    "-F|--body-file|--notes-file=": "sends a file",
    "--admin": "goes around the checks",
    "--show-token": "prints a key",
    "--with-token": "logs in with a key",
    "--insecure-storage": "stores a key for all to read",
    "--recover=": "takes its text from elsewhere",
    "--secure-storage": "stores a key",
}
_FLAGS = (
    "-R|--repo= -L|--limit= -s|--state= -a|--author|--assignee= -l|--label= -S|--search= -q|--jq= --json= -B|--base= "
    "-H|--head= -t|--title|--tag= -b|--body= -c|--comments|--comment --name-only --patch --color= --watch --required "
    "-j|--job= --log --log-failed -v|--verbose --exit-status --workflow= --branch= --event= --user= --created= "
    "--commit= "
    "-d|--draft -r|--reviewer= -m|--milestone= -p|--project= --fill --fill-first --fill-verbose --add-label= "
    "--remove-label= --add-assignee= --remove-assignee= --add-reviewer= --remove-reviewer= --app= -i|--interval= "
    "--attempt= "
    "--squash --merge --rebase --auto --delete-branch --subject= --approve --request-changes --match-head-commit= "
    "--dry-run "
    "--reason= --undo -n|--notes|--name= --target= --latest[=] --prerelease --generate-notes --description= --public "
    "--private "
    "--visibility= --order= --sort= --language= --owner= --archived --fork --source --topic= --no-maintainer-edit "
    "-f|--failed "
    "--exclude-drafts --exclude-pre-releases --help"
)


def _elsewhere(given: Given, findings: Findings) -> None:
    """A repository or an address can begin with another host, and what follows `--` is for git."""
    for one in given.options:
        value = one.value
        if "-R" in one.option.names and value is not None and (value.text.count("/") != 1 or ":" in value.text):
            findings.danger(f"talks to another host ({one.name})", one.at)
    for at in given.operands:
        if given.program.names[0] == "api" and "://" in findings.words[at].text:
            findings.danger("talks to another host", at)
    if given.ended is not None and given.ended < len(given.words):
        findings.danger("hands options on to git", given.ended)


def _verbs(listed: dict[str, str], reason: str, *more: dict[str, Option]) -> tuple[Program, ...]:
    table = options(_FLAGS, dangers=_RISKS)
    for other in more:
        table |= other
    return several(listed, reason, Category.EXTERNAL, table, reader=_elsewhere)


_LOOKS = _verbs(
    {
        "view show": "shows it",
        "list ls": "lists them",
        "status": "shows what concerns one",
        "checks": "shows the checks",
        "diff": "shows what it changes",
        "watch": "waits until it is done",
        "issues prs repos code commits": "searches",
    },
    _ASK,
    options("-t= -F="),
)
_ACTS = _verbs(
    {
        "create new": "makes one",
        "comment note": "comments on it",
        "edit update": "changes it",
        "close": "closes it",
        "reopen": "opens it again",
        "merge": "merges it",
        "review approve": "reviews it",
        "ready": "marks it as ready",
        "delete": "deletes it",
        "lock unlock": "locks it",
        "pin unpin": "pins it",
        "transfer": "moves it",
        "rerun retry": "runs it again",
        "cancel": "stops it",
        "enable disable": "turns it on or off",
        "run": "starts it",
        "sync": "brings it up to date",
        "fork": "makes a copy",
        "rename": "renames it",
        "archive unarchive": "archives it",
        "set remove": "changes it",
        "upload": "sends files",
        "develop": "makes a branch for it",
        "update-branch": "brings its branch up to date",
    },
    _CHANGE,
)
_FETCHES = several(
    {
        "checkout co": "fetches its branch",
        "clone": "fetches a copy",
        "download": "fetches files",
        "set-default": "marks it",
    },
    "Fetches into the workspace what the forge holds.",
    Category.EXTERNAL,
    options(
        "-R|--repo= -b|--branch= -f|--force -n|--name= -p|--pattern= -A|--archive= --detach --recurse-submodules",
        writes="-D|--dir= -O|--output=",
        dangers={
            "--hostname=": "talks to another host",
            "--clobber": "replaces files",
            "-u|--upstream-remote-name=": "names",
        },
    ),
    reader=_elsewhere,
)
_ANY = (*_LOOKS, *_ACTS, *_FETCHES)
_HEAD = options("-R|--repo= --help", dangers={"--hostname=": "talks to another host"})
_SUBJECTS = (
    "pr mr",
    "issue",
    "repo project",
    "release",
    "run pipeline ci",
    "workflow schedule",
    "label",
    "gist snippet",
    "search",
    "cache",
    "ruleset rs",
    "variable",
    "milestone",
    "org",
)
_API = Program(
    ("api",),
    "sends a request to the forge",
    "Asks for what is named; any other method, and anything that is sent, is a danger.",
    Category.EXTERNAL,
    options(
        "-q|--jq= --paginate -i|--include --silent --slurp -t|--template= --cache= -p|--preview= --verbose",
        dangers={
            "-X|--method=": "can change things",
            "-f|--raw-field=": "sends data, which can change things",
            "-F|--field=": "sends data or files, which can change things",
            "--input=": "sends a file",
            "-H|--header=": "changes how it asks",
            "--hostname=": "talks to another host",
        },
    ),
    named_operands=1,
    reader=_elsewhere,
)
_KEYS = several(
    {
        "secret": "works on secrets",
        "ssh-key": "works on keys",
        "gpg-key": "works on keys",
        "auth": "works on logins",
        "codespace cs": "works on machines of the forge",
        "deploy-key": "works on keys",
    },
    "Works on keys or machines; files that are sent and keys that are shown are dangers.",
    Category.EXTERNAL,
    options(
        "-R|--repo= -e|--env= -o|--org= -a|--app= --json= -q|--jq= -L|--limit= -c|--codespace=",
        dangers={
            "-f|--env-file=": "sends a file",
            "-b|--body=": "sends data",
            "-h|--hostname=": "talks to another host",
            "-t|--show-token": "prints a key",
            "--with-token": "logs in with a key",
            "--insecure-storage": "stores a key for all to read",
            "-w|--web": "starts a browser",
        },
    ),
)
_EXTENDS = several(
    {
        "alias": "works on verbs of one's own",
        "extension extensions ext": "works on extensions",
        "config": "works on the user's settings",
        "browse": "starts a browser",
    },
    "Can change what later calls do, or start other programs.",
    Category.EXTERNAL,
    options(
        dangers={
            "--shell|-s": "runs the text of a command",
            "--clobber": "replaces what is there",
            "--force": "forces",
        }
    ),
    operands=Operands(rest=Use.DANGER),
)
FORGES = Program(
    ("gh", "glab"),
    "works on a forge",
    "Asks the forge, or changes what it holds; verbs that a user or an extension added are not known.",
    Category.EXTERNAL,
    _HEAD,
    verbs=(
        *(
            Program(tuple(names.split()), "works on a forge", _ASK, Category.EXTERNAL, _HEAD, verbs=_ANY)
            for names in _SUBJECTS
        ),
        *_verbs({"status": "shows what concerns one"}, _ASK),
        _API,
        *_KEYS,
        *_EXTENDS,
    ),
    versions=VERSION_OR_HELP,
)
PROGRAMS: tuple[Program, ...] = (FORGES,)
