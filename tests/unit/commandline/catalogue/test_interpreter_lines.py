"""Shells and interpreters: text is read, scripts and code are their purpose, and what comes from a pipe is a danger."""

import pytest

from assent.commandline.given import Output
from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from assent.model.calls import Access
from assent.model.modes import Category
from tests.support.programs import program_part

RUNS_CODE = """
python run.py
python3 run.py --flag value -x
python3 -u -B run.py
python -X dev -W error run.py
python -c 'print(1)'
python -c 'print(1)' --flag -x
python3.12 -c 'print(1)'
python -m http.server 8000
python -m unittest discover -s tests
python -I -m json.tool a.json
node run.js
node run.js --inspect --require x
node -e 'console.log(1)'
node -pe '1 + 1'
node -p process.version
node --enable-source-maps --max-old-space-size=4096 run.js
node --test
node --test test/a.test.js
node --check run.js
deno run -A run.ts
deno run --allow-read=. run.ts arg
deno eval '1'
deno test --allow-read
tsx run.ts
ts-node -P tsconfig.json run.ts
ruby run.rb arg
ruby -e 'puts 1'
ruby -rjson -ne 'puts $_' a
perl run.pl
perl -e 'print 1'
perl -ne 'print' a
perl -lne 'print' a
perl -0777 -pe 's/a/b/' a
perl -MData::Dumper -we 'print 1'
php run.php
php -r 'echo 1;'
php artisan migrate --force
php -l a.php
lua run.lua
lua -e 'print(1)'
Rscript run.R
Rscript -e '1'
julia --project=. run.jl
java -jar app.jar --flag
java -Xmx1g -cp a:b Main arg
java Main.java
osascript -e 'return 1'
tclsh run.tcl
elixir run.exs
pwsh -NoProfile -Command Get-Item
bash run.sh --flag -x
sh ./run.sh
bash -x run.sh
bash -euo pipefail run.sh
zsh run.zsh
""".strip().splitlines()

ONLY_TELLS = """
python --version
python3 -V
node -v
node --version
ruby --version
perl -v
php -v
java -version
deno --version
bash --version
sh -c ls
bash -c 'ls -l'
bash -lc ls
bash -euo pipefail -c ls
bash -c ls name one two
zsh -c 'ls -l'
""".strip().splitlines()

DANGEROUS = [
    ("python", None),
    ("python -", None),
    ("python -m $x", 2),
    ("python -c $x", 2),
    ("python $x", 1),
    ("python --made-up run.py", 1),
    ("node", None),
    ("node -", None),
    ("node -e $x", 2),
    ("node -r ./x run.js", 2),
    ("node -r./x run.js", 1),
    ("node --require ./x run.js", 2),
    ("node --require=./x run.js", 1),
    ("node --req=./x run.js", 1),
    ("node --import ./x run.js", 2),
    ("node --loader ./x run.js", 2),
    ("node --experimental-loader=./x run.js", 1),
    ("node --inspect run.js", 1),
    ("node --inspect=0.0.0.0 run.js", 1),
    ("node --inspect-brk run.js", 1),
    ("node --env-file=.env run.js", 1),
    ("node --openssl-config=x run.js", 1),
    ("node --cpu-prof-dir=x run.js", 1),
    ("node --test --test-reporter=./x.js", 2),
    ("node inspect run.js", 1),
    ("tsx -r ./x run.ts", 2),
    ("deno run https://example.org/x.ts", 2),
    ("deno run npm:x", 2),
    ("deno run --inspect run.ts", 2),
    ("deno run --import-map=x run.ts", 2),
    ("ruby", None),
    ("perl", None),
    ("perl -d run.pl", 1),
    ("perl -e $x", None),
    ("php", None),
    ("php -d auto_prepend_file=x run.php", 1),
    ("php -c x run.php", 1),
    ("php -S localhost:80", 1),
    ("lua -", None),
    ("julia -L x run.jl", 2),
    ("java -javaagent:x Main", 1),
    ("java -agentpath:x Main", 1),
    ("java -XX:OnError=x Main", 1),
    ("java @file", 1),
    ("pwsh -EncodedCommand x", 1),
    ("bash", None),
    ("sh -s", None),
    ("bash -s arg", None),
    ("bash -i", None),
    ("bash --rcfile x -c ls", 1),
    ("bash --init-file x -i", 1),
    ("bash --made-up", 1),
    ("bash -c", 1),
    ("bash $x", 1),
    ("bash -c $x", 2),
    ("bash /dev/stdin", None),
    ("zsh -c 'ls *(e:ls:)'", 2),
    ("zsh -c '=ls'", 2),
    ("zsh -c 'repeat 3 ls'", 2),
    ("fish -c 'and ls'", 2),
    ("fish -c 'ls (ls)'", 2),
    ("fish -C ls -c ls", None),
    ("zsh -c 'ls' a b", 2),
    ("tcsh -c ls", 0),
]


@pytest.mark.parametrize("line", RUNS_CODE)
def test_running_code_is_what_interpreters_are_for(line: str) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is Category.EXECUTE
    assert not part.transparent
    assert not part.dynamic


@pytest.mark.parametrize("line", ONLY_TELLS)
def test_what_runs_no_code_of_anyone_is_no_execution(line: str) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is Category.READ


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_is_run_besides_is_named(line: str, at: int | None) -> None:
    part = program_part(line)

    assert part.category is not Category.READ
    if at is None:
        assert part.dangers
    else:
        assert at in {danger.at for danger in part.dangers}


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("python run.py a", "/ws/run.py"),
        ("python -u run.py", "/ws/run.py"),
        ("node ../x.js", "/ws/../x.js"),
        ("node -r ./a run.js", "/ws/./a"),
        ("bash -x /tmp/x.sh", "/tmp/x.sh"),
        ("bash -o pipefail x.sh", "/ws/x.sh"),
        ("perl -w x.pl", "/ws/x.pl"),
        ("perl -I lib x.pl", "/ws/x.pl"),
        ("ruby x.rb", "/ws/x.rb"),
        ("php x.php", "/ws/x.php"),
        ("java -jar x.jar", "/ws/x.jar"),
        ("deno run -A x.ts", "/ws/x.ts"),
        ("tsx x.ts", "/ws/x.ts"),
        ("bash --rcfile x -i", "/ws/x"),
    ],
)
def test_a_script_is_a_file_that_is_run(line: str, script: str) -> None:
    assert (Access.RUN, script) in {(touch.access, touch.name) for touch in program_part(line).touches}


@pytest.mark.parametrize(
    "line",
    [
        "sh -c 'rm x'",
        "bash -c 'ls && rm x'",
        "bash -lc 'rm x'",
        "bash -c -x 'rm x'",
        "bash -xc 'rm x'",
        "bash -euo pipefail -c 'rm x'",
        "bash -oc pipefail 'rm x'",
        "bash -o pipefail -o errexit -c 'rm x'",
        "bash +x -c 'rm x'",
        "bash --norc --noprofile -c 'rm x'",
        "bash -- -c 'rm x' ; rm x",
        "zsh -c 'rm x'",
        "ksh -c 'rm x'",
        "fish -c 'rm x'",
        "env -i bash -c 'nice sh -c \"rm x\"'",
        "sudo bash -c 'rm x'",
        "xargs sh -c 'rm x' _",
        "bash -c '\"$@\"' _ rm x",
        "bash -c '$1 x' _ rm",
        "bash -c 'for one; do $one x; done' _ rm",
    ],
)
def test_the_text_for_a_shell_is_read(line: str) -> None:
    command = read_command(line, Surroundings("/ws"))

    assert ("rm",) in {part.steps for part in command.all()}


def test_a_text_that_cannot_be_read_can_be_anything() -> None:
    command = read_command("zsh -c 'rm *(.)'", Surroundings("/ws"))

    assert any(part.dynamic for part in command.all())


def test_a_text_that_is_known_is_looked_through() -> None:
    part = program_part("bash -c 'ls -l'")

    assert part.transparent
    assert [inner.steps for inner in part.inner] == [("ls",)]


@pytest.mark.parametrize("line", ["bash", "sh -s", "bash -", "dash", "timeout 5 bash", "nice env bash -s"])
def test_a_shell_runs_what_it_is_given(line: str) -> None:
    known = program_part(line, stdin=Output("rm x\n"))
    unknown = program_part(line)

    assert ("rm",) in {part.steps for part in known.all()}
    assert not any(part.dangers for part in known.all())
    assert any(part.dynamic for part in unknown.all())


@pytest.mark.parametrize("line", ["python", "python3 -", "node", "perl", "ruby -", "php"])
def test_code_from_a_pipe_is_a_danger_that_no_word_names(line: str) -> None:
    assert {danger.at for danger in program_part(line, stdin=Output("x\n")).dangers} == {None}
    assert program_part(line, stdin=Output(names_below=".")).dynamic


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("python run.py", ("python",)),
        ("python -m pytest -q", ("python", "-m", "pytest")),
        ("/usr/bin/python3 -u -m pytest", ("python3", "-m", "pytest")),
        ("python -m http.server", ("python", "-m", "http.server")),
        ("node run.js", ("node",)),
        ("deno run x.ts", ("deno", "run")),
    ],
)
def test_a_module_belongs_to_what_is_done(line: str, steps: tuple[str, ...]) -> None:
    assert program_part(line).steps == steps


def test_the_options_of_a_module_that_is_a_known_program_count() -> None:
    assert program_part("python -m git -c core.pager=x log").dangers
    assert program_part("python -m git log").category is Category.EXECUTE
    assert program_part("python -m git commit -m x").steps == ("python", "-m", "git", "commit")


def test_a_module_in_the_same_word_is_found() -> None:
    assert ("git", "push") in {part.steps for part in program_part("python -mgit push").all()}


def test_perl_that_edits_files_writes_them() -> None:
    touches = {(touch.access, touch.name) for touch in program_part("perl -pi.bak -e 's/a/b/' x y").touches}

    assert touches == {(Access.WRITE, "/ws/x"), (Access.WRITE, "/ws/y")}
