"""The command lines of clouds: what they can do is without end, so what is known is how they are turned elsewhere."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program, options
from assent.model.modes import Category

_ELSEWHERE = {
    "--endpoint-url=": "talks to another host",
    "--profile=": "acts as somebody else",
    "--account=": "acts as somebody else",
    "--impersonate-service-account=": "acts as somebody else",
    "--access-token-file=": "shows another key",
    "--subscription=": "works for another account",
    "--no-verify-ssl": "trusts any host",
    "--no-sign-request": "does not say who asks",
    "--ca-bundle=": "trusts other hosts",
    "--api-key=": "shows another key",
    "--access-token=": "shows another key",
    "--auth=": "shows another key",
    "--token=": "shows another key",
    "--scope=": "works for another account",
    "--cli-input-json=": "takes its words from a file",
    "--cli-input-yaml=": "takes its words from a file",
    "--flags-file=": "takes its words from a file",
    "--cli-auto-prompt": "asks while it runs",
    "--configuration=": "reads other settings",
}
_FILES = ("file://", "fileb://", "@")


def _files(given: Given, findings: Findings) -> None:
    """A value can be taken from a file, which is then sent."""
    for at in range(given.start, len(given.words)):
        value = given.words[at].text.rpartition("=")[2]
        if value.startswith(_FILES):
            findings.danger(f"sends what is in {value}", at)


PROGRAMS: tuple[Program, ...] = tuple(
    Program(
        names,
        "works on a cloud",
        "Does what its words say with the user's account; another account or host, and files that are sent, are "
        "dangers.",
        Category.EXTERNAL,
        options(
            "--region= --output= --query= --format= --filter= --project= --zone= --location= -g= -n= -o= -a|--app= "
            "-q|--quiet "
            "--no-cli-pager --limit= --max-items= --page-size= --no-paginate --json",
            directory="--cwd=",
            loads="--config= -A|--local-config=",
            dangers=_ELSEWHERE,
        ),
        named_operands=3,
        open=True,
        reader=_files,
        versions=VERSION_OR_HELP,
    )
    for names in (("aws",), ("gcloud", "gsutil", "bq"), ("az",), ("heroku",), ("fly", "flyctl"))
) + several(
    {"vercel netlify wrangler firebase railway": "works on a cloud"},
    "Builds with the project's code and sends it where the user's account says; another account or host is a danger.",
    Category.EXTERNAL,
    options(
        "--prod -y|--yes --json",
        directory="--cwd=",
        loads="-c|--config= -A|--local-config= -Q|--global-config=",
        dangers=_ELSEWHERE | {"-t=": "shows another key", "-S=": "works for another account"},
    ),
    reader=_files,
)
