"""The trace of commands: every kind of deed is seen, and told apart from what was read."""

from pathlib import Path

import pytest

from assent.model.verdict import Outcome
from tests.support.shell_trace.compare import compare
from tests.support.shell_trace.decision import Decided, Gate
from tests.support.shell_trace.places import Places, build
from tests.support.shell_trace.sandbox import Sandbox, obstacle
from tests.support.shell_trace.trace import NotUnderstood, deeds

needs_sandbox = pytest.mark.skipif(bool(obstacle()), reason=obstacle())


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """The world of commands."""
    return build(tmp_path_factory.mktemp("trace") / "world")


def _faults(places: Places, runs: str, reads: str) -> list[str]:
    """What is found where one command runs, and another one was read."""
    gate = Gate(places)
    shell, decided = gate.shell(), gate.decide(reads)
    assert decided is not None
    (ran,) = Sandbox(places, shell.path, shell.environment).run([runs])
    return compare(deeds(ran.trace, shell.path, str(places.workspace)), decided, places).faults


@needs_sandbox
@pytest.mark.parametrize(
    ("runs", "reads", "found"),
    [
        ("cat notes.txt", "head notes.txt", "starts"),
        ("cat notes.txt | sort", "cat notes.txt", "starts"),
        ("cp /usr/bin/true ./cat && ./cat", "cp /usr/bin/true ./cat && cat", "starts"),
        ("echo > new", "echo", "changes"),
        ("echo > other", "echo > new", "changes"),
        ("exec 3<> notes.txt", "exec 3< notes.txt", "changes"),
        ("touch -c src/main.py; rm notes.txt", "touch src/main.py; rm src/main.py", "changes"),
        ("mv notes.txt src", "mv numbers.txt src/numbers.txt", "changes"),
        ("ln -s notes.txt l", "ln -s notes.txt m", "changes"),
        ("ln notes.txt l", "ln notes.txt m", "changes"),
        ("mkdir -p a/b", "mkdir -p b/b", "changes"),
        ("cd src && mkdir d", "mkdir d", "changes"),
        ("chmod 600 notes.txt", "chmod 600 readme.md", "changes"),
        ("truncate -s 0 same.txt", "truncate -s 0 readme.md", "changes"),
        ("rm -r src/deep", "rm -r build; rm src/util.c", "changes"),
        ("echo > away/x", "echo > x", "changes"),
        ("mkdir srcx", "rm -r src", "changes"),
        ("echo hi > $'lib/line\\nbreak.txt'", "echo hi > lib/line", "changes"),
        ("(sleep 0.1; echo > late) & true", "(sleep 0.1; echo) & true", "changes"),
        ("echo > /dev/tcp/127.0.0.1/9", "echo > x", "contacts"),
        ("cat .env", "cat notes.txt", "reads"),
        ("cat hidden-link", "cat notes.txt", "reads"),
        ("cat < ../outside/secret", "cat notes.txt", "reads"),
    ],
)
def test_a_deed_that_was_not_read_is_found(places: Places, runs: str, reads: str, found: str) -> None:
    assert any(fault.startswith(found) for fault in _faults(places, runs, reads)), _faults(places, runs, reads)


@needs_sandbox
@pytest.mark.parametrize(
    "text",
    [
        "cat notes.txt | sort -u | tee out.txt",
        "mkdir -p a/b/c && cp -r src a && rm -rf a",
        "git status; git log --oneline; git diff | wc -l",
        "sed -i s/one/1/ notes.txt",
        'for f in src/*.py; do wc -l "$f"; done > counts.txt',
        "grep -r TODO src | cut -d: -f1",
        "ls -la 2>&1 >/dev/null; id; date",
    ],
)
def test_what_was_read_is_no_fault(places: Places, text: str) -> None:
    assert _faults(places, text, text) == []


@needs_sandbox
def test_each_command_finds_the_world_as_it_was_and_leaves_nothing_running(places: Places) -> None:
    shell = Gate(places).shell()
    sandbox = Sandbox(places, shell.path, shell.environment)
    ran = sandbox.run(
        [
            "rm -rf src ../outside; touch left; (sleep 60 &) ; sleep 60",
            "test -f src/main.py -a -f ../outside/secret -a ! -e left",
        ]
    )
    assert [one.code for one in ran] == [137, 0]
    assert ran[0].cut_off
    assert (places.workspace / "src" / "main.py").exists()


@needs_sandbox
def test_a_command_sees_nothing_of_this_machine(places: Places) -> None:
    shell = Gate(places).shell()
    sandbox = Sandbox(places, shell.path, shell.environment)
    texts = [f"test -e {Path(__file__)}", "touch /usr/bin/made", "touch /etc/made", "echo > /dev/tcp/127.0.0.1/22"]
    assert [one.code != 0 for one in sandbox.run(texts)] == [True] * len(texts)


# The record of the system


def _deeds(*lines: str) -> list[str]:
    return [f"{deed.did} {deed.what} by {deed.by}" for deed in deeds("\n".join([*lines, ""]), "/bin/bash", "/w")]


def test_calls_that_were_interrupted_are_joined() -> None:
    assert _deeds(
        '1 openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT, 0666 <unfinished ...>',
        '2 unlink("b" <unfinished ...>',
        "1 <... openat resumed>) = 3</w/a>",
        "2 <... unlink resumed>) = 0",
    ) == ["changes /w/a by /bin/bash", "changes /w/b by /bin/bash"]


def test_what_was_never_finished_counts_as_done() -> None:
    assert _deeds(
        '1 execve("/usr/bin/id", ["id"], 0x1 /* 1 var */ <unfinished ...>', "1 +++ killed by SIGKILL +++"
    ) == ["starts /usr/bin/id by /usr/bin/id"]


def test_what_failed_was_not_done() -> None:
    assert _deeds('1 unlink("b") = -1 ENOENT (No such file or directory)') == []


@pytest.mark.parametrize("how", ["O_WRONLY", "O_RDWR|O_CLOEXEC", "O_RDONLY|O_CREAT", "O_RDONLY|O_TRUNC", "O_RDWR"])
def test_what_is_opened_so_that_it_could_change_counts_as_changed(how: str) -> None:
    assert _deeds(f'1 openat(AT_FDCWD</w>, "O_RDONLY", {how}) = 3</w/O_RDONLY>') == ["changes /w/O_RDONLY by /bin/bash"]
    assert _deeds('1 openat(AT_FDCWD</w>, "O_RDWR", O_RDONLY) = 3</w/O_RDWR>') == ["reads /w/O_RDWR by /bin/bash"]


def test_a_process_starts_where_and_as_what_its_parent_is() -> None:
    assert _deeds(
        '1 chdir("sub") = 0',
        '1 execve("/usr/bin/x", ["x"], 0x1 /* 1 var */) = 0',
        "1 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>",
        '2 mkdir("d", 0777) = 0',
        "1 <... clone resumed>, child_tidptr=0x1) = 2",
    ) == ["starts /usr/bin/x by /usr/bin/x", "changes /w/sub/d by /usr/bin/x"]


def test_names_are_read_byte_by_byte() -> None:
    assert _deeds(
        r'1 rename("a\"b\\\n\303\244", "c\74d") = 0',
        r'1 openat(3</w/x\76y>, "z", O_RDONLY) = 4</w/x\76y/z>',
    ) == ['changes /w/a"b\\\nä by /bin/bash', "changes /w/c<d by /bin/bash", "reads /w/x>y/z by /bin/bash"]


def test_a_thread_that_becomes_another_program_goes_on_as_its_process() -> None:
    assert _deeds(
        '2 execve("/usr/bin/id", ["id"], 0x1 /* 1 var */ <unfinished ...>',
        "1 +++ superseded by execve in pid 2 +++",
        "1 <... execve resumed>) = 0",
    ) == ["starts /usr/bin/id by /usr/bin/id"]


@pytest.mark.parametrize("line", ["nonsense", "1 what is this", "1 <... open resumed>) = 3", "1 unlink(x) = 0"])
def test_a_record_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(NotUnderstood):
        _deeds(line)


def test_a_decision_that_runs_says_so(places: Places) -> None:
    decided = Gate(places).decide("cat notes.txt")
    assert isinstance(decided, Decided)
    assert (decided.outcome, decided.runs, decided.programs()) == (Outcome.RUN, True, {"cat"})
