"""What works on clusters."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from assent.commandline.catalogue.shared import anywhere, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Use, options
from assent.model.modes import Category

_WHERE = options(
    "-n|--namespace= --request-timeout= -v|--v= --warnings-as-errors -h|--help --match-server-version --vmodule= "
    "--log-flush-frequency= --disable-compression",
    loads="--kubeconfig=",
    outputs="--cache-dir= --profile-output= --log-file= --log-dir= --log_file= --log_dir=",
    runs="--kuberc=",
    dangers={
        "-s|--server=": "talks to another cluster",
        "--context=": "talks to another cluster",
        "--kube-context=": "talks to another cluster",
        "--cluster=": "talks to another cluster",
        "--user=": "acts as somebody else",
        "--as=": "acts as somebody else",
        "--as-group=": "acts as somebody else",
        "--as-uid=": "acts as somebody else",
        "--token=": "shows another key",
        "--username=": "logs in",
        "--password=": "logs in",
        "--client-certificate=": "shows another certificate",
        "--client-key=": "shows another key",
        "--certificate-authority=": "trusts another cluster",
        "--insecure-skip-tls-verify[=]": "trusts any cluster",
        "--tls-server-name=": "trusts another cluster",
        "--profile=": "measures itself",
    },
)
_ASK = "Asks the cluster that the user's settings name; another cluster, or another identity, is a danger."
_GET = (
    "-A|--all-namespaces -l|--selector= --field-selector= -w|--watch --watch-only --show-labels --show-kind "
    "--no-headers "
    "--sort-by= -L|--label-columns= --chunk-size= --ignore-not-found --show-managed-fields --server-print "
    "-R|--recursive "
    "--subresource= --include-uninitialized -f= -c|--container= --since= --since-time= --tail= -p|--previous --follow "
    "--timestamps --all-containers --prefix --max-log-requests= --limit-bytes= --containers --api-version= "
    "--api-group= --namespaced --verbs= --output-version= --client --short --for= --timeout= --revision= --types= "
    "--minify "
    "--raw= --flatten --list -q|--quiet --show-events --interactive"
)
_OUTPUT = options("-o|--output=", dangers={"--template=": "reads a template"})


_HOLD_SECRETS = frozenset({"secret", "secrets", "sealedsecret", "sealedsecrets", "externalsecret", "all"})


def _kubectl_output(given: Given, findings: Findings) -> None:
    """`-o custom-columns-file=...` and its kin take a file; so does `-f`, which can be an address as well."""
    for one in given.options:
        if one.value is None:
            continue
        if "-o" in one.option.names and (not one.value.exact or "-file=" in one.value.text):
            findings.danger(f"takes a template from a file ({one.name})", one.at)
        if "--raw" in one.option.names:
            findings.danger("asks for whatever address is named (--raw)", one.at)
    for at in given.operands:
        kinds = given.words[at].text.casefold().replace("/", ",").split(",")
        if not given.words[at].exact or any(kind.partition(".")[0] in _HOLD_SECRETS for kind in kinds):
            findings.danger(f"can show secrets ({given.words[at].written or given.words[at].text})", at)


_BY_KIND = frozenset({"rollout", "config", "set", "create", "delete", "edit"})
"""Their first operand says what is done, or to which kind of thing."""


def _with_kind(verbs: Mapping[str, str], reason: str, does: Category, known: dict[str, Option]) -> Iterator[Program]:
    for verb in several(verbs, reason, does, known):
        yield replace(verb, named_operands=1) if verb.names[0] in _BY_KIND else verb


KUBECTL = Program(
    ("kubectl", "oc"),
    "works on a cluster",
    _ASK,
    Category.EXTERNAL,
    _WHERE,
    verbs=(
        *several(
            {
                "get": "lists what is in the cluster",
                "describe": "describes what is in the cluster",
                "logs": "prints what containers said",
                "top": "prints how busy it is",
                "explain": "explains a kind of thing",
                "version": "tells which version it is",
                "api-resources api-versions": "lists kinds of things",
                "cluster-info": "tells where the cluster is",
                "events": "prints what happened",
                "wait": "waits for something",
                "auth": "tells what one may do",
                "diff": "compares with files",
            },
            _ASK,
            Category.EXTERNAL,
            anywhere(_WHERE)
            | {"-s": _WHERE["-s"]}
            | options(
                "-n=",
            )
            | options(
                _GET,
                reads="--filename= -k|--kustomize=",
            )
            | _OUTPUT,
            reader=_kubectl_output,
        ),
        *_with_kind(
            {
                "apply": "changes what is in the cluster",
                "create": "makes something in the cluster",
                "delete": "deletes from the cluster",
                "replace": "changes what is in the cluster",
                "patch": "changes what is in the cluster",
                "scale": "changes how many there are",
                "rollout": "works on a roll-out",
                "set": "changes what is in the cluster",
                "label annotate": "changes labels",
                "expose": "opens a service",
                "autoscale": "changes how many there are",
                "cordon uncordon drain taint": "works on a machine of the cluster",
                "edit": "edits what is in the cluster",
                "port-forward": "opens a port to the cluster",
                "proxy": "opens a port to the cluster",
                "config": "works on the user's settings",
            },
            "Changes the cluster as the verb says; another cluster, or another identity, is a danger.",
            Category.EXTERNAL,
            anywhere(_WHERE)
            | {"-s": _WHERE["-s"]}
            | options(
                "-n= -l|--selector= --dry-run[=] --replicas= --timeout= --grace-period= --type= -p|--patch= --wait[=] "
                "--record[=] --from-literal= --port= --image= -R|--recursive --server-side --field-manager= "
                "--overwrite",
                reads="-f|--filename= -k|--kustomize= --patch-file=",
                dangers={
                    "--all": "means everything",
                    "-A|--all-namespaces": "means everything",
                    "--force": "does not wait for an end in order",
                    "--force-conflicts": "takes over what others manage",
                    "--prune": "deletes what is not named",
                    "--address=": "opens a port to others",
                    "--from-file=": "sends a file",
                    "--from-env-file=": "sends a file",
                    "--editor=": "starts an editor",
                    "--raw=": "asks for whatever address is named",
                },
            )
            | _OUTPUT,
        ),
        Program(
            ("exec",),
            "starts a command in a container",
            "The command is read like any other, but its paths are those of the container.",
            Category.EXTERNAL,
            anywhere(_WHERE)
            | {"-s": _WHERE["-s"]}
            | options(
                "-n= -i|--stdin -t|--tty -c|--container= -q|--quiet --pod-running-timeout=",
                reads="-f|--filename=",
            ),
            Operands(first=(Use.TEXT,), first_unless=frozenset({"-f"})),
            named_operands=1,
            wraps=True,
            runs_code=True,
        ),
        *several(
            {
                "run": "starts a container",
                "debug": "starts a container",
                "cp": "copies files",
                "attach": "joins a container",
            },
            "Starts something in the cluster, or moves files in or out.",
            Category.EXTERNAL,
            anywhere(_WHERE)
            | {"-s": _WHERE["-s"]}
            | options(
                "-n= --image= -i -t -it --rm --restart= -c=",
                runs="--command --overrides= --custom= --privileged",
            ),
            operands=Operands(rest=Use.DANGER, first=(Use.TEXT,)),
        ),
        *several(
            {
                "kustomize": "builds settings",
            },
            "Can fetch what it builds from, and run plugins.",
            Category.EXTERNAL,
            options(
                outputs="-o|--output=",
                runs="--enable-exec --enable-alpha-plugins --enable-helm --helm-command= --network --mount=",
            ),
        ),
    ),
)
_HELM_WHERE = options(
    "-n|--namespace= --debug -h|--help --burst-limit= --qps=",
    loads="--kubeconfig= --registry-config= --repository-config=",
    outputs="--repository-cache= --content-cache=",
    dangers={
        "--kube-context=": "talks to another cluster",
        "--kube-apiserver=": "talks to another cluster",
        "--kube-as-user=": "acts as somebody else",
        "--kube-as-group=": "acts as somebody else",
        "--kube-token=": "shows another key",
        "--kube-ca-file=": "trusts another cluster",
        "--kube-tls-server-name=": "trusts another cluster",
        "--kube-insecure-skip-tls-verify": "trusts any cluster",
    },
)
HELM = Program(
    ("helm",),
    "works on charts in a cluster",
    _ASK,
    Category.EXTERNAL,
    _HELM_WHERE,
    verbs=several(
        {
            "list ls": "lists releases",
            "status": "describes a release",
            "history hist": "lists revisions of a release",
            "get": "describes a release",
            "show inspect": "describes a chart",
            "template": "prints what a chart makes",
            "lint": "checks a chart",
            "search": "searches charts",
            "version": "tells which version it is",
            "env": "prints its settings",
            "install": "installs a chart",
            "upgrade": "updates a release",
            "uninstall delete del": "removes a release",
            "rollback": "goes back to a revision",
            "test": "runs the tests of a release",
            "repo": "works on the list of repositories",
            "pull fetch": "fetches a chart",
            "push": "sends a chart",
            "package": "packs a chart",
            "create": "starts a chart",
            "dependency dep": "works on what a chart needs",
        },
        "Works on releases as the verb says; another cluster, repository or a program that changes the result is a "
        "danger.",
        Category.EXTERNAL,
        anywhere(_HELM_WHERE)
        | options(
            "-n= -A|--all-namespaces -a|--all -o|--output= --version= --set= --set-string= --set-json= --timeout= "
            "--wait --atomic "
            "-i|--install --dry-run[=] --create-namespace --reuse-values --reset-values --revision= --max= "
            "-l|--selector= "
            "--description= --show-only|-s= --devel --no-hooks --include-crds --api-versions= --kube-version= "
            "-q|--short",
            reads="-f|--values= --set-file=",
            outputs="--output-dir= -d|--destination= --untardir= --untar",
            runs="--post-renderer= --post-renderer-args=",
            dangers={
                "--repo=": "takes charts from elsewhere",
                "--username=": "logs in",
                "--password=": "logs in",
                "--pass-credentials": "shows passwords to other hosts",
                "--ca-file=": "trusts other hosts",
                "--cert-file=": "shows another certificate",
                "--key-file=": "shows another key",
                "--insecure-skip-tls-verify": "trusts any host",
                "--plain-http": "trusts any host",
                "--keyring=": "trusts others",
                "--sign": "signs",
                "--force": "replaces what is there",
            },
        ),
    ),
)
PROGRAMS: tuple[Program, ...] = (KUBECTL, HELM)
