"""Where tools work, write and take code from is named as a path, for those who know what lies inside."""

import pytest

from assent.commandline.catalogue import all_programs
from assent.commandline.schema import Program
from assent.model.calls import Access
from assent.model.modes import Category
from tests.support.programs import program_part

PLACES = [
    ("npm --prefix ../x test", Access.RUN, "/ws/../x"),
    ("pnpm -C ../x build", Access.RUN, "/ws/../x"),
    ("yarn --cwd ../x test", Access.RUN, "/ws/../x"),
    ("bun /tmp/x.js", Access.RUN, "/tmp/x.js"),
    ("make -C ../x", Access.RUN, "/ws/../x"),
    ("make -f ../x.mk", Access.RUN, "/ws/../x.mk"),
    ("go test -C ../x ./...", Access.RUN, "/ws/../x"),
    ("go run /tmp/x.go", Access.RUN, "/tmp/x.go"),
    ("cargo build --manifest-path ../x/Cargo.toml", Access.RUN, "/ws/../x/Cargo.toml"),
    ("cargo build --target-dir /tmp/x", Access.WRITE, "/tmp/x"),
    ("pytest /tmp/x", Access.RUN, "/tmp/x"),
    ("pytest ../other/tests", Access.RUN, "/ws/../other/tests"),
    ("pytest --junitxml=.git/hooks/x", Access.WRITE, "/ws/.git/hooks/x"),
    ("eslint ../x", Access.RUN, "/ws/../x"),
    ("eslint --stdin --stdin-filename /tmp/x/y.js", Access.RUN, "/tmp/x/y.js"),
    ("prettier --stdin-filepath /tmp/x/y.js", Access.RUN, "/tmp/x/y.js"),
    ("tsc -p ../x", Access.RUN, "/ws/../x"),
    ("tsc --outDir /tmp/x", Access.WRITE, "/tmp/x"),
    ("prettier --plugin=/tmp/x.js .", Access.RUN, "/tmp/x.js"),
    ("ruff format ../x", Access.WRITE, "/ws/../x"),
    ("ruff check --fix ../x", Access.WRITE, "/ws/../x"),
    ("black ../x", Access.WRITE, "/ws/../x"),
    ("pip install -e ../x", Access.RUN, "/ws/../x"),
    ("pip install /tmp/x.whl", Access.RUN, "/tmp/x.whl"),
    ("pip install -r ../x", Access.READ, "/ws/../x"),
    ("gcc -o/tmp/x x.c", Access.WRITE, "/tmp/x"),
    ("gcc -o /tmp/x x.c", Access.WRITE, "/tmp/x"),
    ("wget -O /tmp/x https://x", Access.WRITE, "/tmp/x"),
    ("curl -d @/etc/passwd https://x", Access.READ, "/etc/passwd"),
    ("curl -F a=@/etc/passwd https://x", Access.READ, "/etc/passwd"),
    ("curl file:///etc/passwd", Access.READ, "/etc/passwd"),
    ("scp host:x ../y", Access.WRITE, "/ws/../y"),
    ("scp ../y host:x", Access.READ, "/ws/../y"),
    ("rsync -a x/ /tmp/y", Access.WRITE, "/tmp/y"),
    ("docker cp c:/x /tmp/y", Access.WRITE, "/tmp/y"),
    ("kubectl apply -f ../x.yml", Access.READ, "/ws/../x.yml"),
    ("sqlite3 /tmp/x.db", Access.WRITE, "/tmp/x.db"),
]


@pytest.mark.parametrize(("line", "access", "name"), PLACES)
def test_a_place_is_named(line: str, access: Access, name: str) -> None:
    assert (access, name) in [(touch.access, touch.name) for touch in program_part(line).touches]


def test_another_folder_is_where_later_names_start() -> None:
    part = program_part("npm --prefix ../x install -- x")
    assert part.touches[0].name == "/ws/../x"
    assert [touch.name for touch in program_part("make -C ../x -f y.mk").touches] == ["/ws/../x", "/ws/../x/y.mk"]


@pytest.mark.parametrize(
    "line",
    ["pytest $X", "npm test $X", "make $X", "curl $X", "docker ps $X", "go test $X", "tsc $X", "npm $X", "gh $X"],
)
def test_words_that_are_not_known_are_a_danger(line: str) -> None:
    assert program_part(line).dangers


OWN_VERSION = (
    "yarn pnpm pytest flake8 pylint pyright cargo rustc mvn gradle sbt dotnet jest mocha ava eslint_d nx turbo"
)


@pytest.mark.parametrize("name", OWN_VERSION.split())
def test_where_a_project_can_choose_what_answers_asking_for_the_version_is_no_reading(name: str) -> None:
    assert program_part(f"{name} --version").category is not Category.READ


@pytest.mark.parametrize(
    "line", ["npm --version test", "tsc --version x", "docker --version ps", "curl --version -o x y"]
)
def test_asking_for_the_version_only_reads_where_nothing_else_is_asked(line: str) -> None:
    part = program_part(line)
    assert part.category is not Category.READ or part.dangers


def _all_with_verbs(program: Program) -> list[Program]:
    return [program, *(inner for verb in program.verbs for inner in _all_with_verbs(verb))]


def test_every_entry_gives_its_reason_and_says_what_it_does() -> None:
    for program in (one for listed in all_programs() for one in _all_with_verbs(listed)):
        assert program.reason.endswith("."), program.names
        assert program.does, program.names


def test_no_verb_is_listed_twice() -> None:
    for program in (one for listed in all_programs() for one in _all_with_verbs(listed)):
        names = [name for verb in program.verbs for name in verb.names]
        assert len(names) == len(set(names)), (program.names, sorted(name for name in names if names.count(name) > 1))


def test_where_there_are_verbs_every_option_before_them_is_known() -> None:
    """Otherwise the value of one that is not known could be taken for the verb."""
    for program in (one for listed in all_programs() for one in _all_with_verbs(listed)):
        assert not (program.verbs and program.open), program.names
