"""Files that a command reaches though none of its words names them: by a list, a folder, a setting of git, or code.

Rules on files hold for them in every mode, and what would show lines of a secret file needs something that keeps it
from that.
"""

import subprocess
from pathlib import Path

import pytest

from tests.support.explaining import Explaining

_DENIED = ["private/**", "kept/**"]
RULES = {"bash": ["git push:*"], "read_file": _DENIED, "write_file": _DENIED}

NAMED_BY_NO_WORD = r"""
env GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0=push git p
env -u X GIT_CONFIG_GLOBAL=./settings git p
cd private && git init
git -C private init
git --git-dir=private/.git init
GIT_DIR=private/.git git init
git submodule add ./x private/s
cd private && npm init -y
cd private && curl -O http://localhost/x
(cd private && make)
sort --files0-from=list.txt
wc --files0-from=list.txt
du --files0-from=list.txt
file -f list.txt
tar cf o.tar -T list.txt
cat list.txt | tar cf o.tar -T -
rsync -a --files-from=list.txt . public/
cpio -o < list.txt
zip o.zip -@ < list.txt
xargs -a list.txt cat
parallel -a list.txt cat
parallel cat :::: list.txt
curl -K list.txt
git add --pathspec-from-file=list.txt
git cat-file --batch < list.txt
git hash-object --stdin-paths < list.txt
git add private
git add .
git add -A
cp -r private public/
tar c private
zip -r o.zip private
7z a o.7z private
pax -w private
git diff --no-index private public
git diff
git diff -- private
git show HEAD
git log -p
git log -p -- private
git stash show -p
git worktree add public/w
git stash
git stash -u
git stash pop
git reset --hard
git apply list.txt
git am list.txt
git checkout-index -a
git update-index --index-info < list.txt
python3 -c 'open("private/key.txt")'
vim -c ':w! private/x' a.txt
foo private
coproc tee private/x
select f in private/*; do cat "$f"; done
git fast-export HEAD
git reflog -p
git log -1 --patch-with-stat
git stash list -p
python3 - <<< 'print(open("private/key.txt").read())'
echo 'print(open("private/key.txt").read())' | python3
mktemp -p private
TMPDIR=private mktemp
""".strip().splitlines()

OF_OTHER_FILES = r"""
git add src
git diff -- src
git diff --stat
git log --oneline
git show HEAD:src/app.ts
git status
git checkout main
cp -r src public/
tar cf o.tar src
grep -rn x src
diff -r src public
find . -name '*.ts'
du -sh .
ls -R .
cd src && npm init -y
python3 -c 'open("src/app.ts")'
git commit -m 'about private/key.txt'
make
foo src
""".strip().splitlines()

SHOWS_SECRETS = r"""
grep -rn x .
grep -rl x .
grep -rn x conf
rg x
rg -uu x
ag x
ack x
git grep --no-index x
diff -r conf src
npm config list
npm config get
npm config get mytoken
npm get
""".strip().splitlines()

SHOWS_NONE = r"""
grep -rn x src
grep -rn --include='*.ts' x .
rg x src
rg -g '*.ts' x
git diff
find . -name '*.ts'
du -sh .
npm config get registry
""".strip().splitlines()


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explaining:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    explaining = Explaining(tmp_path)
    for name in ("a.txt", "list.txt", "src/app.ts", "public/x.txt", "private/key.txt", "kept/sub/one.txt"):
        file = explaining.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=explaining.folder, check=True)
    return explaining


def _outcomes(at: Explaining, lines: list[str], mode: str, user: dict[str, object]) -> dict[str, str]:
    calls = [
        {"id": line, "tool": "bash", "args": {"command": line}, "mode": mode, "userSettings": user} for line in lines
    ]
    return {answer["id"]: answer["outcome"] for answer in at.batch(calls)}


def _restricted(at: Explaining, lines: list[str]) -> dict[str, str]:
    user = {"assent.alwaysDenyRules": RULES, "assent.bypassPermissions": {"Demo": True}}
    return _outcomes(at, lines, "auto", user)


def test_rules_on_files_hold_for_files_that_no_word_names(at: Explaining) -> None:
    assert [line for line, how in _restricted(at, NAMED_BY_NO_WORD).items() if how == "run"] == []


def test_rules_on_files_ask_for_nothing_where_none_of_their_files_is_met(at: Explaining) -> None:
    assert [line for line, how in _restricted(at, OF_OTHER_FILES).items() if how != "run"] == []


def test_what_git_ignores_is_no_reason_to_ask_about_git(at: Explaining) -> None:
    (at.folder / ".gitignore").write_text("private\nkept\n")
    lines = ["git diff", "git add .", "git log -p", "git add -f private"]
    assert _restricted(at, lines) == dict(zip(lines, ["run", "run", "run", "ask"], strict=True))


@pytest.mark.parametrize("mode", ["default", "plan"])
def test_lines_of_secret_files_are_shown_by_no_search_that_nothing_holds(at: Explaining, mode: str) -> None:
    (at.folder / "conf").mkdir()
    (at.folder / "conf" / "server.pem").write_text("x\n")
    unheld = _outcomes(at, SHOWS_SECRETS + SHOWS_NONE, mode, {"assent.sandbox": {"enabled": "off"}})
    assert [line for line in SHOWS_SECRETS if unheld[line] == "run"] == []
    assert [line for line in SHOWS_NONE if unheld[line] != "run"] == []


def test_a_search_that_is_held_asks_for_nothing(at: Explaining) -> None:
    (at.folder / ".env").write_text("KEY=x\n")
    held = _outcomes(at, ["grep -rn x .", "npm config list"], "default", {})
    if "run" not in held.values():
        pytest.skip("nothing here holds commands")
    assert set(held.values()) == {"run"}
