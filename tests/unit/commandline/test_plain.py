"""The small language: which lines mean no more than what stands there."""

import pytest

from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from tests.support.reading import read

PLAIN = r"""
ls -la src
cat README.md | head -20
cd src && grep -rn "foo bar" . | sort | uniq -c
git log --oneline -10; git status --short
grep -q foo a.txt && echo found || echo missing
grep -q foo a.txt; echo $?
cat a.txt 2>/dev/null || echo "none"
ls nowhere 2>&1 | head
cat <<'END' | sort\nb\na\nEND
sort <<< 'a b'
sort < a.txt > sorted.txt
wc -l src/*.py
ls src/{app,lib}
for f in a.txt b.txt; do head -5 "$f"; done
for f in *.py; do echo "$f: $(wc -l < "$f")"; done
if [ -f a.txt ]; then cat a.txt; else ls; fi
[[ -d src ]] && ls src
(cd src && ls)
find . -name '*.py' | xargs grep -l foo
git ls-files -z | xargs -0 wc -l
git ls-files | xargs -r -n 5 -P2 wc -l
git ls-files | xargs -I {} wc -l {}
timeout 5 ls -R . | head
command -v node
ls ~/notes $HOME $PWD
echo $PATH; echo "lines: $(wc -l < a.txt)"
git commit -m "$(cat <<'END'\nA message\nEND\n)"
make test | tail -3; echo ${PIPESTATUS[0]}
npm test 2>&1 | tail -20
printf '%s' a b
exit 3
CI=1 NODE_ENV=test npm test
set -euo pipefail; export CI=1; npm test
bash -lc 'cd src && ls | head'
sh -c 'cat a.txt'
diff <(sort a.txt) <(sort b.txt)
wc -l $(git ls-files '*.py') | tail -1
head -5 "$(find . -name a.py | sort | head -1)"
for f in $(rg -l foo); do head -3 "$f"; done
echo $((3 * (4 + 5))); ulimit -n
"""
BEYOND = {
    "x=1; cat $x": "sets the variable x",
    "X=1 ls": "sets the variable X",
    "CI=1": "sets the variable CI",
    "CI+=1 ls": "sets the variable CI",
    "CI=$x ls": "sets the variable CI",
    "DEBUG='a[$(touch p)]' ls": "sets the variable DEBUG",
    "PAGER=less git log": "sets the variable PAGER",
    "CI=1 make": "sets the variable CI",
    "export CI=1; make": "sets variables for a build",
    "export X=1; ls": "uses export, with which the shell itself becomes another one",
    "export CI=$x; ls": "uses the variable x",
    "set -x; ls": "uses set, with which the shell itself becomes another one",
    "cat $x": "uses the variable x",
    "cat ${HOME:-x}": "uses the variable HOME",
    'cat "$(cat name)"': "puts what a program prints into a word",
    "cat `cat name`": "puts what a program prints into a word",
    "diff <(sort a) <(sort $b)": "uses the variable b",
    "tee >(cat)": "puts what a program prints into a word",
    "head -$((x+2)) a": "does sums",
    "head -$((1,2)) a": "does sums",
    "ulimit -n 5; ls": "uses ulimit, with which the shell itself becomes another one",
    "echo $((_))": "does sums",
    'git commit -m "$(cat <<END\n$x\nEND\n)"': "puts what a program prints into a word",
    "f() { ls; }; f": "holds more than plain commands",
    "((x))": "holds more than plain commands",
    "case a in a) ls;; esac": "holds more than plain commands",
    "for f; do ls $f; done": "holds more than plain commands",
    "for Name in a b; do ls; done": "holds more than plain commands",
    "for ((;;)); do ls; done": "holds more than plain commands",
    "[[ x -eq a[0] ]]": "holds more than plain commands",
    "[ -v 'a[$(touch p)]' ]": "uses [, with which the shell itself becomes another one",
    "printf -v x y": "uses printf, with which the shell itself becomes another one",
    "read x < a.txt": "uses read, with which the shell itself becomes another one",
    "mapfile -n 5 -C 'touch p #' -c 1 a <<< x": "uses mapfile, with which the shell itself becomes another one",
    "wait -fnp 'a[$(touch p)]'": "uses wait, with which the shell itself becomes another one",
    "eval ls": "uses eval, with which the shell itself becomes another one",
    "set -- ls": "uses set, with which the shell itself becomes another one",
    "shopt -s lastpipe": "uses shopt, with which the shell itself becomes another one",
    "builtin cd src": "uses builtin, with which the shell itself becomes another one",
    "command ls": "uses command, with which the shell itself becomes another one",
    "exec ls": "uses exec, with which the shell itself becomes another one",
    "cd a <&9; cat ../outside/f": "uses the open file 9",
    "cd a < b; cat ../outside/f": "uses cd, with which the shell itself becomes another one",
    "cd -; ls": "uses cd, with which the shell itself becomes another one",
    "cd; ls": "uses cd, with which the shell itself becomes another one",
    "exit x": "uses exit, with which the shell itself becomes another one",
    "ls | cd src; cat a": "uses cd within a pipe",
    "ls <&9": "uses the open file 9",
    "ls >&9": "uses the open file 9",
    "ls {fd}> a": "keeps an open file in a variable",
    "ls <> a": "opens a file for both reading and writing",
    "> a": "opens files for no program",
    "echo -I a | xargs ls": "makes words of what a program prints",
    "ls | xargs -I{} -n5 cat": "makes words of what a program prints",
    "sort <<< '-I a' | xargs ls": "makes words of what a program prints",
    "ls | cat | xargs ls": "makes words of what a program prints",
    "ls | xargs -l": "makes words of what a program prints",
    "ls | xargs -s 20 cat": "makes words of what a program prints",
    "ls | xargs -0 -d' ' cat": "makes words of what a program prints",
    "ls | xargs $x cat": "makes words of what a program prints",
    "xargs ls < names": "makes words of what a program prints",
    "bash -c 'x=1; ls $x'": "sets the variable x",
    "bash -c 'ls $1' _ a": "starts another shell",
    "bash -xc ls": "starts another shell",
    'bash -c "$(cat a)"': "puts what a program prints into a word",
    "bash -O lastpipe -c ls": "starts another shell",
    "find . -exec sh -c ls {} +": "starts another shell",
    "env X=1 ls": "sets the variable X",
}


@pytest.mark.parametrize("line", PLAIN.strip().splitlines())
def test_plain_lines(line: str):
    found = read(line.replace("\\n", "\n"))
    assert found.unreadable is None
    assert found.beyond == ""


@pytest.mark.parametrize(("line", "why"), BEYOND.items())
def test_lines_that_are_more(line: str, why: str):
    found = read(line)
    assert found.unreadable is None
    assert found.beyond == why


ENTRY = "/home/u/work/.venv/bin/activate"
ENTERED = (
    "source .venv/bin/activate && ls",
    ". ./.venv/bin/activate; ls",
    f"source {ENTRY}\nls",
    "source .venv/bin/activate",
)
NOT_ENTERED = (
    "source .venv/bin/activate || ls",
    "source .venv/bin/activate & ls",
    "! source .venv/bin/activate; ls",
    "source .venv/bin/activate x && ls",
    "X=1 source .venv/bin/activate && ls",
    "source .venv/bin/activate > out && ls",
    "source .venv/bin/activate | ls",
    "source .venv/bin/../bin/activate && ls",
    "source activate && ls",
    "source $x && ls",
    "source .venv/bin/activat? && ls",
    "cd src && source .venv/bin/activate && ls",
    "source .venv/bin/activate && source .venv/bin/activate && ls",
    "source .venv/bin/activate && export X=1",
    "builtin source .venv/bin/activate && ls",
)


def _read_with_entry(line: str, entry: str = ENTRY) -> str:
    return read_command(line, Surroundings("/home/u/work", "/home/u", entry=entry)).beyond


@pytest.mark.parametrize("line", ENTERED)
def test_to_enter_what_is_entered_already_leaves_a_line_plain(line: str):
    assert _read_with_entry(line) == ""
    assert _read_with_entry(line, "") != ""


@pytest.mark.parametrize("line", NOT_ENTERED)
def test_any_other_way_to_name_it_is_more(line: str):
    assert _read_with_entry(line) != ""


def test_an_option_that_nobody_knows_is_a_doubt_where_another_one_does_harm():
    assert read("npm ls --strange").doubt == "has the option --strange, which is not known"
    assert read("uname --strange").doubt == ""
    assert read("find . -name x").doubt == ""


@pytest.mark.parametrize("line", ["zstdcat -fo target a.zst", "zstdcat --rm a.zst", "xzcat --files=names"])
def test_unpackers_that_show_have_options_that_do_more(line: str):
    assert read(line).parts[0].dangers


@pytest.mark.parametrize("line", ["pnpm ls", "pnpm why left", "pnpm config get registry", "pnpm root"])
def test_pnpm_loads_a_file_of_the_project_to_look_at_anything(line: str):
    assert read(line).parts[0].category.value == "execute"


@pytest.mark.parametrize(
    "line", ["ps eww", "ps e -p 12", "ps auxe", "ps -E", "ps -eo pid,environ", "ps -o environ= 12"]
)
def test_the_variables_of_other_programs_are_not_for_reading(line: str):
    dangers = read(line).parts[0].dangers
    assert any(danger.text.startswith("shows the variables of other programs") for danger in dangers)


@pytest.mark.parametrize("line", ["ps", "ps aux", "ps -ef", "ps -p 12 -o pid,cmd", "ps axf", "ps -u alice"])
def test_running_programs_are(line: str):
    assert not read(line).parts[0].dangers
