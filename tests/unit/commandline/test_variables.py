"""Which variables may be set without a question, for a program and in the shell alone."""

import pytest

from assent.commandline.variables import assignment_harm, harm
from assent.model.commands import Argument

UNKNOWN = Argument("", exact=False, many=True)


@pytest.mark.parametrize(
    "line",
    [
        "NODE_ENV=production",
        "CI=1",
        "CI=true",
        "FORCE_COLOR=0",
        "NO_COLOR=1",
        "TERM=dumb",
        "TERM=xterm-256color",
        "LANG=C.UTF-8",
        "LC_ALL=C",
        "LC_MESSAGES=en_US.UTF-8",
        "TZ=UTC",
        "TZ=Europe/Vienna",
        "TZ=",
        "COLUMNS=120",
        "LINES=40",
        "PYTHONUNBUFFERED=1",
        "PYTHONDONTWRITEBYTECODE=1",
        "PYTHONIOENCODING=utf-8",
        "PYTHONUTF8=1",
        "RUST_BACKTRACE=full",
        "RUST_LOG=debug,hyper=info",
        "CARGO_TERM_COLOR=always",
        "GOOS=linux",
        "GOARCH=arm64",
        "CGO_ENABLED=0",
        "NEXT_TELEMETRY_DISABLED=1",
        "GIT_PAGER=cat",
        "GIT_PAGER=",
        "PAGER=cat",
        "MANPAGER=cat",
        "AWS_PAGER=",
        "GIT_TERMINAL_PROMPT=0",
        "GIT_OPTIONAL_LOCKS=0",
        "DEBIAN_FRONTEND=noninteractive",
        "HUSKY=0",
        "PORT=3000",
        "HOST=127.0.0.1",
        "DEBUG=pw:api",
        "PYTHONWARNINGS=error",
        "GIT_EDITOR=true",
        "GIT_TRACE=1",
        "RAILS_ENV=test",
        "GOPROXY=off",
    ],
)
def test_what_only_changes_the_output_is_harmless(line: str) -> None:
    name, _, value = line.partition("=")
    assert harm(name, Argument(value)) == ""
    assert assignment_harm(name, Argument(value)) == ""


@pytest.mark.parametrize(
    "line",
    [
        "LD_PRELOAD=./x.so",
        "LD_LIBRARY_PATH=.",
        "DYLD_INSERT_LIBRARIES=x",
        "NODE_OPTIONS=--require=./x.js",
        "NODE_PATH=.",
        "PYTHONSTARTUP=x.py",
        "PYTHONPATH=.",
        "PYTHONBREAKPOINT=os.system",
        "PYTHONWARNINGS=all:0:x.y:0:0",
        "PERL5OPT=-Mx",
        "PERL5LIB=.",
        "RUBYOPT=-r./x",
        "BASH_ENV=x",
        "ENV=x",
        "PS4=x",
        "PATH=.:/bin",
        "IFS=x",
        "SHELL=./x",
        "GIT_SSH_COMMAND=./x",
        "GIT_SSH=./x",
        "PAGER=./x",
        "PAGER=less",
        "GIT_PAGER=./x",
        "MANPAGER=sh",
        "EDITOR=./x",
        "GIT_EDITOR=./x",
        "GIT_EXTERNAL_DIFF=./x",
        "GIT_CONFIG_COUNT=1",
        "GIT_CONFIG_GLOBAL=x",
        "JAVA_TOOL_OPTIONS=-javaagent:x",
        "MAVEN_OPTS=x",
        "RUSTC_WRAPPER=./x",
        "CARGO_BUILD_RUSTC_WRAPPER=./x",
        "RUSTFLAGS=-Clinker=./x",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=./x",
        "GOFLAGS=-toolexec=./x",
        "MAKEFLAGS=--eval=x",
        "CC=./x",
        "npm_config_script_shell=./x",
        "NPM_CONFIG_SCRIPT_SHELL=./x",
        "PYTEST_ADDOPTS=-px",
        "PYTEST_PLUGINS=x",
        "LESSOPEN=x",
        "TAR_OPTIONS=x",
        "DOTNET_STARTUP_HOOKS=x",
        "OPENSSL_CONF=x",
        "BROWSER=./x",
        "RIPGREP_CONFIG_PATH=x",
    ],
)
def test_what_loads_other_code_says_so(line: str) -> None:
    name, _, value = line.partition("=")
    assert "other code" in harm(name, Argument(value))
    assert assignment_harm(name, Argument(value))


@pytest.mark.parametrize(
    "line",
    [
        "HOME=/x",
        "TMPDIR=/x",
        "HTTPS_PROXY=http://x",
        "http_proxy=http://x",
        "DOCKER_HOST=tcp://x",
        "KUBECONFIG=x",
        "AWS_PROFILE=prod",
        "PGHOST=x",
        "LESS=-x",
        "POSIXLY_CORRECT=1",
        "GIT_DIR=../x",
        "GIT_WORK_TREE=..",
        "GOPROXY=http://x",
        "TZ=/etc/passwd",
        "TZ=:/etc/passwd",
        "TZ=a/../../b",
        "LANG=../x",
        "LC_ALL=/x",
        "TERM=../x",
        "HOST=0.0.0.0",
        "PORT=x",
        "HUSKY=./x",
        "GIT_TRACE=/x/trace",
        "DEBIAN_FRONTEND=Evil",
        "RAILS_ENV=production",
        "CFLAGS=-fplugin=x",
        "GIT_AUTHOR_EMAIL=x",
        "UID=0",
        "RANDOM=1",
        "OPTIND=1",
        "HISTFILE=x",
        "CDPATH=..",
        "GLOBIGNORE=x",
    ],
)
def test_what_matters_is_not_harmless_in_either_place(line: str) -> None:
    name, _, value = line.partition("=")
    assert harm(name, Argument(value))
    if name not in {"HOST", "PORT"}:
        assert assignment_harm(name, Argument(value))


@pytest.mark.parametrize("name", ["x", "i", "FILE", "RESULT", "count", "BRANCH", "VERSION", "TMP", "MANIFEST", "_x"])
def test_a_name_of_ones_own_is_harmless_in_the_shell_but_not_for_a_program(name: str) -> None:
    assert assignment_harm(name, UNKNOWN) == ""
    assert assignment_harm(name, Argument("a b")) == ""
    assert harm(name, Argument("1"))


@pytest.mark.parametrize("name", ["PAGER", "TERM", "LANG", "TZ", "GIT_EDITOR", "PYTHONWARNINGS"])
def test_a_value_that_is_not_known_is_none_of_the_harmless_ones(name: str) -> None:
    for value in (UNKNOWN, Argument("cat", exact=False), Argument("C", exact=False)):
        assert harm(name, value)
        assert assignment_harm(name, value)


@pytest.mark.parametrize("name", ["NODE_ENV", "CI", "NO_COLOR", "RUST_LOG"])
def test_a_name_that_is_harmless_with_any_value_need_not_have_a_known_one(name: str) -> None:
    assert harm(name, UNKNOWN) == ""


@pytest.mark.parametrize("name", ["", "a[0]", "BASH_FUNC_x%%", "LANG\n", "CI "])
def test_what_is_no_name_is_never_harmless(name: str) -> None:
    assert harm(name, Argument("1"))
    assert assignment_harm(name, Argument("1"))


@pytest.mark.parametrize("value", ["cat\n", "C\n", "1\n", "cat x", "cat;x"])
def test_a_harmless_value_has_nothing_behind_it(value: str) -> None:
    assert harm("PAGER", Argument(value))
