"""What the catalogue says of git: ordinary lines are quiet, and what starts, writes or contacts is named."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.commandline.catalogue.git import GIT, works_in
from assent.commandline.schema import Program, Takes
from assent.model.calls import Access
from assent.model.modes import Category
from tests.support.programs import program_part, program_run
from tests.support.scale import limit

READING = """
git status
git status --short --branch
git status -sb -uno
git log
git log --oneline -5
git log -n 3 --graph --decorate --all
git log --oneline --since="2 weeks ago" --author=me -- src/a.py
git log -p -U5 --stat HEAD~3..HEAD
git log --pretty=format:%h%x09%s --date=short -S needle -G 'pat.*'
git log -L 10,20:src/a.py
git log --oneline --no-merges main..HEAD
git --no-pager log --oneline -20
git -P show --stat
git show HEAD
git show HEAD~2:src/a.py
git show --name-only --format= HEAD
git diff
git diff --cached --stat
git diff --staged -- src/a.py
git diff HEAD~1 HEAD --name-status
git diff main...feature -- src
git diff --no-index a b
git diff --word-diff=color --no-ext-diff --no-textconv -w
git diff --submodule=log --color-moved --ignore-submodules
git -c color.ui=always diff
git -c core.quotePath=false -c core.pager=cat ls-files
git branch
git branch -a -vv
git branch --show-current
git branch --list 'feature/*'
git branch --merged
git branch --contains HEAD~3
git tag
git tag -l 'v1.*' --sort=-creatordate
git tag -n3
git remote
git remote -v
git remote get-url origin
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git rev-list --count HEAD
git ls-files
git ls-files --others --exclude-standard
git ls-tree -r --name-only HEAD
git cat-file -p HEAD:src/a.py
git describe --tags --always --dirty
git blame -L 10,20 src/a.py
git blame -w -C -C src/a.py
git grep -n needle
git grep -rn --name-only -e one -e two -- src
git grep -A3 -B3 -i needle HEAD -- src
git shortlog -sn --all
git reflog
git reflog show main -10
git stash list
git stash show -p stash@{0}
git config --get user.name
git config user.email
git config --list --local --show-origin
git config -l --name-only
git config --get-regexp ^user --local
git worktree list
git submodule status --recursive
git for-each-ref --sort=-committerdate --format='%(refname)' refs/heads
git merge-base main HEAD
git merge-base --is-ancestor a b
git name-rev HEAD
git show-ref --heads
git symbolic-ref --short HEAD
git var GIT_EDITOR
git count-objects -vH
git fsck --full
git check-ignore -v build
git check-attr -a README.md
git cherry -v main
git range-diff main a b
git diff-tree --no-commit-id --name-only -r HEAD
git bisect log
git --version
git version
git help -a
git archive HEAD
git archive --format=tar --prefix=x/ HEAD src
""".strip().splitlines()

CHANGING = [
    ("git add .", Category.WRITE),
    ("git add -A", Category.WRITE),
    ("git add src/a.py src/b.py", Category.WRITE),
    ("git add -u -- src", Category.WRITE),
    ("git branch topic", Category.WRITE),
    ("git branch -v topic", Category.WRITE),
    ("git branch -m old new", Category.WRITE),
    ("git branch -u origin/main", Category.WRITE),
    ("git tag v1.0", Category.WRITE),
    ("git tag -a v1.0 -m 'Version 1'", Category.WRITE),
    ("git commit -m 'Fix it'", Category.EXECUTE),
    ("git commit -am 'Fix it'", Category.EXECUTE),
    ("git commit --amend --no-edit", Category.EXECUTE),
    ("git commit --fixup=HEAD~1", Category.EXECUTE),
    ("git commit -F message.txt --no-verify", Category.EXECUTE),
    ("git merge --no-ff topic", Category.EXECUTE),
    ("git merge --abort", Category.EXECUTE),
    ("git rebase main", Category.EXECUTE),
    ("git rebase --onto main a b", Category.EXECUTE),
    ("git rebase --continue", Category.EXECUTE),
    ("git cherry-pick -x abc1234", Category.EXECUTE),
    ("git revert --no-edit HEAD", Category.EXECUTE),
    ("git reset HEAD src/a.py", Category.WRITE),
    ("git checkout main", Category.EXECUTE),
    ("git checkout -b topic origin/main", Category.EXECUTE),
    ("git switch -c topic", Category.EXECUTE),
    ("git restore --staged src/a.py", Category.WRITE),
    ("git rm --cached src/a.py", Category.WRITE),
    ("git rm -r src/old", Category.WRITE),
    ("git mv a.py b.py", Category.WRITE),
    ("git clean -n", Category.WRITE),
    ("git stash", Category.WRITE),
    ("git stash -u -m later", Category.WRITE),
    ("git stash push -m later -- src/a.py", Category.WRITE),
    ("git stash pop", Category.WRITE),
    ("git stash drop stash@{1}", Category.EXECUTE),
    ("git apply fix.patch", Category.WRITE),
    ("git apply --check fix.patch", Category.WRITE),
    ("git am fix.patch", Category.EXECUTE),
    ("git init", Category.WRITE),
    ("git init -b main sub", Category.WRITE),
    ("git gc", Category.WRITE),
    ("git worktree add tree topic", Category.EXECUTE),
    ("git worktree remove tree", Category.WRITE),
    ("git bisect start HEAD v1", Category.EXECUTE),
    ("git format-patch -1 HEAD", Category.WRITE),
    ("git push", Category.EXTERNAL),
    ("git push -u origin main", Category.EXTERNAL),
    ("git push --force-with-lease origin HEAD:main", Category.EXTERNAL),
    ("git fetch --all --prune", Category.EXTERNAL),
    ("git fetch origin main --depth=1", Category.EXTERNAL),
    ("git pull", Category.EXTERNAL),
    ("git pull --rebase origin main", Category.EXTERNAL),
    ("git clone https://example.org/a/b.git", Category.EXTERNAL),
    ("git clone --depth 1 -b main git@example.org:a/b.git dest", Category.EXTERNAL),
    ("git ls-remote --heads origin", Category.EXTERNAL),
    ("git remote show origin", Category.EXTERNAL),
    ("git remote update", Category.EXTERNAL),
    ("git submodule update --init --recursive", Category.EXTERNAL),
    ("git unheard-of --flag", Category.EXECUTE),
]

DANGEROUS = [
    ("git -c core.pager=less log", 2),
    ("git -c core.sshCommand=x fetch", 2),
    ("git -c alias.st=!sh st", 2),
    ("git -c core.fsmonitor=./x status", 2),
    ("git -c diff.external=x diff", 2),
    ("git -c CORE.hooksPath=x commit -m a", 2),
    ("git --config-env=core.pager=X log", 1),
    ("git --exec-path=x status", 1),
    ("git --git-dir=x status", 1),
    ("git --git-dir x status", 1),
    ("git --work-tree=/ status", 1),
    ("git --bare log", 1),
    ("git -p log", 1),
    ("git --paginate log", 1),
    ("git log --help", 2),
    ("git log --output=x", 2),
    ("git log --outp=x", 2),
    ("git diff --output x", 3),
    ("git show --output=x HEAD", 2),
    ("git diff --ext-diff", 2),
    ("git log -p --ext-diff", 3),
    ("git diff --textconv", 2),
    ("git log --show-signature", 2),
    ("git stash show --output=x", 3),
    ("git reflog --output=x", 2),
    ("git reflog expire --all", 2),
    ("git shortlog --output=x", 2),
    ("git shortlog --committer --output=x", 3),
    ("git grep -O needle", 2),
    ("git grep -Ovim needle", 2),
    ("git grep --open-files-in-pager=sh needle", 2),
    ("git grep --open=sh needle", 2),
    ("git cat-file --textconv HEAD:a", 2),
    ("git cat-file --filters HEAD:a", 2),
    ("git ls-remote --upload-pack=x origin", 2),
    ("git ls-remote --exec=x origin", 2),
    ("git ls-remote ext::sh", 2),
    ("git fetch --upload-pack=x origin", 2),
    ("git fetch --upload-pack x origin", 2),
    ("git fetch ext::sh", 2),
    ("git pull --upload-pack=x", 2),
    ("git pull ext::sh main", 2),
    ("git push --receive-pack=x origin", 2),
    ("git push --exec=x origin", 2),
    ("git push --repo=ext::sh", None),
    ("git push ext::sh main", 2),
    ("git clone -u x https://example.org/a", 2),
    ("git clone -c core.fsmonitor=x https://example.org/a", 2),
    ("git clone --config=a=b https://example.org/a", 2),
    ("git clone --template=x https://example.org/a", 2),
    ("git clone ext::sh a", 2),
    ("git init --template=x", 2),
    ("git rebase -x 'make test' main", 2),
    ("git rebase --exec='make test' main", 2),
    ("git rebase -i HEAD~3", 2),
    ("git bisect run ./t.sh", 2),
    ("git submodule foreach 'rm x'", 2),
    ("git submodule foreach rm x", 2),
    ("git config -l", 2),
    ("git config --list --show-origin", 2),
    ("git var -l", 2),
    ("git config --get-regexp .", 2),
    ("git config --get credential.helper", 2),
    ("git config list", 2),
    ("git config github.token", 2),
    ("git config alias.x '!sh'", 2),
    ("git config set core.pager x", 2),
    ("git config --global core.pager x", 3),
    ("git config --add core.pager x", 2),
    ("git config --unset core.pager", 2),
    ("git config -e", 2),
    ("git remote add x https://example.org", 2),
    ("git remote set-url origin ext::sh", 2),
    ("git difftool", 1),
    ("git mergetool", 1),
    ("git filter-branch --tree-filter x", 1),
    ("git send-email x", 1),
    ("git instaweb", 1),
    ("git daemon", 1),
    ("git credential fill", 1),
    ("git hook run pre-commit", 1),
    ("git help log", 2),
    ("git archive -o x.tar HEAD", 3),
    ("git archive --remote=x HEAD", 2),
    ("git archive --exec=x HEAD", 2),
    ("git bundle create x HEAD", 3),
    ("git apply --unsafe-paths x.patch", 2),
    ("git commit --pathspec-from-file=x -m a", 2),
    ("git update-index --fsmonitor", 2),
    ("git log --made-up", 2),
    ("git merge -s other topic", 3),
    ("git rebase --strategy=other main", 2),
    ("git pull -s other", 3),
    ("git submodule--helper foreach x", 1),
    ("git branch -d topic", 2),
    ("git branch -D topic", 2),
    ("git branch -f topic main", 2),
    ("git tag -d v1.0", 2),
    ("git reset --hard HEAD~1", 2),
    ("git checkout -- src/a.py", 3),
    ("git checkout README.md", 2),
    ("git checkout .", 2),
    ("git checkout -f main", 2),
    ("git switch --discard-changes main", 2),
    ("git restore src/a.py", 2),
    ("git restore --staged --worktree src/a.py", 4),
    ("git clean -fd", 2),
    ("git clean -d -f", 2),
    ("git rm -f src/a.py", 2),
    ("git gc --prune=now", 2),
    ("git worktree remove --force x", 3),
    ("git fetch https://example.org/x", 2),
    ("git pull git@example.org:x main", 2),
    ("git push ../other main", 2),
    ("git merge-index x -a", 1),
    ("git -c log.showSignature=true log", 2),
    ("git log $x", 2),
    ("git push $x", 2),
]


@pytest.mark.parametrize("line", READING)
def test_looking_is_reading_without_a_danger(line: str) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is Category.READ


@pytest.mark.parametrize(("line", "category"), CHANGING)
def test_what_a_verb_is_for_is_no_danger(line: str, category: Category) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is category


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("git config alias.x '!sh'", "/ws/.git/config"),
        ("git -C sub config core.pager x", "/ws/sub/.git/config"),
        ("git config --unset core.pager", "/ws/.git/config"),
        ("git config -e", "/ws/.git/config"),
        ("git config --add core.pager x", "/ws/.git/config"),
        ("git config --worktree core.pager x", "/ws/.git/config.worktree"),
        ("git config --global core.pager x", "/home/u/.gitconfig"),
        ("git config --system core.pager x", "/etc/gitconfig"),
        ("git config --file other core.pager x", "/ws/other"),
        ("git config -f other core.pager x", "/ws/other"),
    ],
)
def test_a_value_that_is_set_is_written(line: str, file: str) -> None:
    part = program_part(line)

    assert [touch.name for touch in part.touches if touch.access is Access.WRITE] == [file]


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_reaches_beyond_the_verb_is_named_with_its_word(line: str, at: int | None) -> None:
    part = program_part(line)

    assert at in {danger.at for danger in part.dangers}
    assert part.category is not Category.READ or part.loose


@pytest.mark.parametrize("line", ["git show $x", "git checkout $x", "git $x", "git -C $x status"])
def test_a_word_that_is_not_known_is_a_danger(line: str) -> None:
    assert program_part(line).dangers


@pytest.mark.parametrize(
    ("line", "access", "name"),
    [
        ("git show HEAD:.env", Access.READ, "/ws/.env"),
        ("git show :.env", Access.READ, "/ws/.env"),
        ("git show :2:keys/id_rsa", Access.READ, "/ws/keys/id_rsa"),
        ("git cat-file -p HEAD:.env", Access.READ, "/ws/.env"),
        ("git diff -- .env", Access.READ, "/ws/.env"),
        ("git diff .env", Access.READ, "/ws/.env"),
        ("git log -p .env", Access.READ, "/ws/.env"),
        ("git diff --no-index /etc/passwd /dev/null", Access.READ, "/etc/passwd"),
        ("git diff a~/../../etc/passwd x", Access.READ, "/ws/a~/../../etc/passwd"),
        ("git grep --no-index x /etc", Access.READ, "/etc"),
        ("git grep -f /etc/passwd", Access.READ, "/etc/passwd"),
        ("git blame --contents /etc/passwd a", Access.READ, "/etc/passwd"),
        ("git diff -O/etc/passwd", Access.READ, "/etc/passwd"),
        ("git commit -F /etc/passwd", Access.READ, "/etc/passwd"),
        ("git config -f /etc/x --list", Access.READ, "/etc/x"),
        ("git add .env", Access.READ, "/ws/.env"),
        ("git rm src/a.py", Access.DELETE, "/ws/src/a.py"),
        ("git clean -fd src", Access.DELETE, "/ws/src"),
        ("git clean -fdx", Access.WRITE, "/ws/."),
        ("git restore src/a.py", Access.WRITE, "/ws/src/a.py"),
        ("git checkout HEAD -- src/a.py", Access.WRITE, "/ws/src/a.py"),
        ("git checkout .", Access.WRITE, "/ws/."),
        ("git checkout main .vscode/settings.json", Access.WRITE, "/ws/.vscode/settings.json"),
        ("git checkout .env", Access.WRITE, "/ws/.env"),
        ("git checkout main -- :/", Access.WRITE, "/ws/."),
        ("git restore :/", Access.WRITE, "/ws/."),
        ("git clean -fd :/", Access.DELETE, "/ws/."),
        ("git merge-file a b c", Access.WRITE, "/ws/a"),
        ("git mv a b", Access.WRITE, "/ws/b"),
        ("git worktree add ../x", Access.WRITE, "/ws/../x"),
        ("git format-patch -o /tmp/x HEAD~2", Access.WRITE, "/tmp/x"),
        ("git clone https://example.org/a/b.git", Access.WRITE, "/ws/b"),
        ("git clone git@example.org:b.git", Access.WRITE, "/ws/b"),
        ("git clone https://example.org/b /etc/x", Access.WRITE, "/etc/x"),
        ("git clone /srv/other x", Access.READ, "/srv/other"),
        ("git init /srv/x", Access.WRITE, "/srv/x"),
        ("git -C sub status", Access.RUN, "/ws/sub"),
        ("git -C sub show HEAD:.env", Access.READ, "/ws/sub/.env"),
    ],
)
def test_files_that_a_line_names_are_found(line: str, access: Access, name: str) -> None:
    assert (access, name) in {(touch.access, touch.name) for touch in program_part(line).touches}


@pytest.mark.parametrize("line", ["git checkout old -- README.md", "git checkout -f old -- README.md"])
def test_a_branch_before_two_dashes_is_no_file(line: str) -> None:
    writes = [touch.name for touch in program_part(line).touches if touch.access is Access.WRITE]
    assert writes == ["/ws/README.md"]


@pytest.mark.parametrize("line", ["git rm --cached a", "git rm -n a", "git clean -n", "git clean -fd --dry-run"])
def test_what_is_only_told_is_not_deleted(line: str) -> None:
    assert Access.DELETE not in {touch.access for touch in program_part(line).touches}


@pytest.mark.parametrize(
    "line",
    [
        "git bisect run rm -rf x",
        "git submodule foreach 'rm -rf x'",
        "git submodule foreach --recursive rm -rf x",
        "git rebase -x 'rm -rf x' main",
        "git rebase --exec='true && rm -rf x'",
    ],
)
def test_commands_inside_are_found(line: str) -> None:
    assert ("rm",) in {part.steps for part in program_part(line).all()}


def test_verbs_are_steps_whatever_stands_before_them() -> None:
    assert program_part("git -C sub --no-pager stash show -p").steps == ("git", "stash", "show")


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("git status", "/ws"),
        ("git -C sub status", "/ws/sub"),
        ("git -C /x -C y status", "/x/y"),
        ("git -C $x status", None),
        ("git status -C", "/ws"),
    ],
)
def test_the_folder_whose_repository_is_worked_on(line: str, folder: str | None) -> None:
    assert works_in(program_part(line)) == folder


def test_names_are_known_to_lie_below_where_they_are_printed() -> None:
    for line in ("git ls-files", "git diff --name-only", "git grep -l x"):
        output = program_run(line)[1]
        assert output is not None
        assert output.names_below == ""
    assert program_run("git -C .. ls-files")[1] is None
    assert program_run("git log -p")[1] is None


def test_verbs_are_single_words() -> None:
    def verbs_of(program: Program) -> Iterator[str]:
        for verb in program.verbs:
            yield from verb.names
            yield from verbs_of(verb)

    names = list(verbs_of(GIT))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names)
    assert len(names) > 150


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Whatever git makes of a question about its options, it makes of this one."""
    place = tmp_path_factory.mktemp("asked")
    subprocess.run(["git", "init", "-q"], cwd=place, check=True, timeout=limit(60))
    return place


def _listed_by_git(path: tuple[str, ...], place: Path) -> list[str]:
    done = subprocess.run(
        ["git", *path, "--git-completion-helper-all"],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
        timeout=limit(60),
    )
    return [word for word in done.stdout.split() if word.startswith("--") and word != "--"]


_COMPARED = """
add apply blame branch checkout clean clone commit describe diff fetch grep ls-files ls-remote merge mv pull push rebase
reset restore rm status switch
"""


@pytest.mark.parametrize(
    "path",
    [
        *((name,) for name in _COMPARED.split()),
        ("stash", "push"),
        ("worktree", "add"),
    ],
    ids="-".join,
)
def test_options_take_values_as_git_itself_says(path: tuple[str, ...], repository: Path) -> None:
    program = GIT
    for name in path:
        program = next(verb for verb in program.verbs if name in verb.names)

    for listed in _listed_by_git(path, repository):
        option = program.options.get(listed.rstrip("="))
        if option is not None and listed not in _TOLD_DIFFERENTLY:
            assert (option.takes is Takes.VALUE) == listed.endswith("="), listed


_TOLD_DIFFERENTLY = frozenset({"--file"})
"""Git's list does not say of `merge --file` that it takes one."""
