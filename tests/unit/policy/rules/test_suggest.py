"""Which rules a card may offer for a call, and in which words."""

import pytest

from assent.model.calls import Access, CallFacts, PathUse
from assent.policy.rules.suggest import Suggestion, suggest, suggest_deny
from tests.support.rule_calls import HOME, ROOT, TOOL, allows, call, denies, use

READ = Access.READ
WHOLE = (
    "Every write_file call. Protected files still ask; so does what lies outside the workspace, "
    "unless you switched that off (assent.confirmOutsideWorkspace)."
)


def offered(*paths: str | PathUse, roots: tuple[str, ...] = (ROOT,), access: Access = Access.WRITE) -> list[str]:
    return [one.pattern for one in suggest(call(*paths, access=access), roots, HOME)]


def test_the_narrowest_comes_first_and_each_says_what_else_it_allows() -> None:
    assert suggest(call("docs/api/intro.md"), (ROOT,), HOME) == (
        Suggestion(TOOL, "docs/api/intro.md", "Only “docs/api/intro.md”."),
        Suggestion(
            TOOL,
            "docs/api/*.md",
            "Every file in “docs/api” whose name ends in “.md”, but none in folders below it.",
        ),
        Suggestion(TOOL, "docs/api/**", "Everything in “docs/api” and in all folders below it."),
        Suggestion(TOOL, "*", WHOLE),
    )


def test_a_file_of_the_workspace_folder_is_not_meant_at_any_depth() -> None:
    assert offered("README.md") == ["./README.md", "./*.md", "*"]
    assert offered("Dockerfile") == ["./Dockerfile", "*"]
    assert not allows("./README.md", "docs/README.md")
    words = [one.words for one in suggest(call("src/x.py", "docs/y.md"), (ROOT,), HOME)]
    assert words[0] == "Everything in the workspace folder and in all folders below it."


def test_several_files_have_their_common_folder() -> None:
    assert offered("src/a/x.py", "src/b/y.py") == ["src/**/*.py", "src/**", "*"]
    assert offered("src/x.py", "src/y.py") == ["src/*.py", "src/**", "*"]
    assert offered("src/x.py", "src/y.md") == ["src/**", "*"]
    assert offered("src/x.py", "docs/y.md") == ["**", "*"]
    assert offered("src/x.py", "src/x.py") == ["src/x.py", "src/*.py", "src/**", "*"]
    assert offered("a", "/srv/b") == ["*"]


def test_no_ending_no_rule_for_it() -> None:
    for name in ("Makefile", ".hidden", "dot."):
        assert offered(f"src/{name}") == [f"src/{name}", "src/**", "*"]


def test_a_folder() -> None:
    assert offered(use("docs", READ, folder=True)) == ["./docs/", "*"]
    assert offered(use("docs/api", READ, folder=True)) == ["docs/api/", "*"]
    assert offered(use("/ws", READ, folder=True)) == [".", "*"]
    assert offered(use("/ws", READ)) == [".", "*"]
    assert offered(use("docs", READ, folder=True), use("docs/a.md", READ)) == ["./docs/", "*"]


def test_a_call_that_touches_nothing() -> None:
    assert suggest(call(tool="todo"), (ROOT,), HOME) == (Suggestion("todo", "*", "Every todo call."),)


@pytest.mark.parametrize("path", [".vscode/settings.json", ".git/config", "a/.env", "AGENTS.md", ".claude/x"])
def test_nothing_for_what_is_protected(path: str) -> None:
    assert offered(path) == []
    assert offered("docs/a", path) == []
    assert offered(use("plain", named=f"/ws/{path}")) == []


def test_nothing_for_a_tool_that_does_not_exist() -> None:
    assert suggest(call("a", known=False), (ROOT,), HOME) == ()


def test_reading_outside_names_the_place_and_never_the_tool() -> None:
    assert offered("/srv/www/a.html", access=READ) == ["//srv/www/a.html", "//srv/www/**"]
    assert offered("C:\\code\\a.txt", access=READ) == ["C:/code/a.txt", "C:/code/**"]
    assert offered("/srv/www/a.html", "/srv/www/css/b.css", access=READ) == ["//srv/www/**"]
    assert offered("docs/a.md", "/srv/www/a.html", access=READ) == []


def test_what_is_protected_from_changes_can_be_allowed_to_be_read() -> None:
    assert offered("AGENTS.md", access=READ) == ["./AGENTS.md", "./*.md", "*"]
    assert offered(".git/config", access=READ)[0] == ".git/config"


def test_a_secret_is_named_exactly_wherever_it_is() -> None:
    assert offered(".env", access=READ) == ["./.env"]
    assert offered("/srv/www/.env", access=READ) == ["//srv/www/.env"]
    assert offered(f"{HOME}/.ssh/id_rsa", access=READ) == [f"/{HOME}/.ssh/id_rsa"]
    assert offered(".env", "a/.env", access=READ) == []


def test_a_secret_that_is_not_protected_is_named_alone() -> None:
    assert offered("conf/credentials", access=READ) == ["conf/credentials"]
    assert offered("conf/id_x.txt", access=READ) == ["conf/id_x.txt"]


def test_nothing_reaches_beyond_a_workspace_folder_or_covers_the_home_directory() -> None:
    roots = (f"{HOME}/code/ws",)
    assert offered(f"{HOME}/code/a.md", roots=roots, access=READ) == [f"/{HOME}/code/a.md"]
    assert offered(use(f"{HOME}/code", READ, folder=True), roots=roots) == []
    assert offered(use(f"{HOME}/code", READ), roots=roots) == []
    assert offered(use(HOME, READ, folder=True), roots=("/elsewhere",)) == []
    assert offered(f"{HOME}/a.md", roots=("/elsewhere",), access=READ) == [f"/{HOME}/a.md"]
    assert offered("/a.md", access=READ) == ["//a.md"]
    assert offered("/a/x", "/b/y", access=READ) == []


def test_with_several_folders_a_rule_means_only_one_of_them() -> None:
    patterns = offered("/other/docs/a.md", roots=(ROOT, "/other"))
    assert patterns == ["//other/docs/a.md", "//other/docs/*.md", "//other/docs/**", "*"]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("a*b", "./a[*]b"),
        ("[id].tsx", "./[[]id].tsx"),
        ("{a,b}", "./[{]a,b}"),
        ("${x}", "./$[{]x}"),
        ("!x", "./!x"),
        ("~x", "./~x"),
        ("back\\slash", "./back\\\\slash"),
        ("end ", "./end[ ]"),
        ("/ws/c:", "./c:"),
        ("~/x", "./~/x"),
        ("app/[id]/**", "app/[[]id]/[*][*]"),
    ],
)
def test_odd_names_are_quoted(name: str, pattern: str) -> None:
    assert offered(name)[0] == pattern
    assert allows(pattern, name)


@pytest.mark.parametrize("name", ["a\u202eb", "a\nb", "a\u200bb", "a\udc80"])
def test_what_cannot_be_seen_is_not_offered(name: str) -> None:
    assert offered(f"docs/{name}.md") == ["docs/*.md", "docs/**", "*"]
    assert offered(f"{name}/a") == ["*"]


def test_what_the_words_for_a_whole_tool_leave_out_still_asks() -> None:
    read = suggest(call("docs/a.md", access=READ), (ROOT,), HOME)[-1]
    assert (read.pattern, read.words) == ("*", "Every write_file call inside the workspace. Secrets still ask.")
    assert not allows("*", use("/srv/a", READ)) and not allows("*", use(".env", READ))


class TestNever:
    """The deny rule for this call."""

    @pytest.mark.parametrize(
        ("path", "pattern", "what"),
        [
            ("docs/a.md", "docs/a.md", "“docs/a.md”"),
            ("README.md", "./README.md", "“README.md”"),
            (".env", "./.env", "“.env”"),
            (".vscode/settings.json", ".vscode/settings.json", "“.vscode/settings.json”"),
            ("/srv/a", "//srv/a", "“/srv/a”"),
            (HOME, f"/{HOME}", f"“{HOME}”"),
            ("C:\\code\\a.txt", "C:/code/a.txt", "“C:/code/a.txt”"),
            ("a*[b", "./a[*][[]b", "“a*[b”"),
        ],
    )
    def test_names_the_file_and_nothing_beside_it(self, path: str, pattern: str, what: str) -> None:
        for access in Access:
            never = suggest_deny(call(path, access=access), (ROOT,), HOME)
            assert never == Suggestion(TOOL, pattern, f"Every write_file call on {what} is refused.")
        assert denies(pattern, path)
        assert not denies(pattern, f"{path}x") and not denies(pattern, "other/b")

    def test_a_folder_goes_with_what_is_in_it(self) -> None:
        never = suggest_deny(call(use("docs/api", READ, folder=True)), (ROOT,), HOME)
        assert (never.pattern, never.words) == (
            "docs/api/",
            "Every write_file call on “docs/api” and everything in it is refused.",
        )
        root = suggest_deny(call(use("/ws", READ, folder=True)), (ROOT,), HOME)
        assert (root.pattern, "the workspace folder and everything in it" in root.words) == (".", True)

    @pytest.mark.parametrize(
        "facts",
        [
            call(),
            call("a", "b"),
            call("docs/a\u202eb"),
            call("x" * 5_000),
            call(use("/", READ, folder=True)),
        ],
    )
    def test_is_the_whole_tool_where_it_is_no_single_thing_that_can_be_shown(self, facts: CallFacts) -> None:
        never = suggest_deny(facts, (ROOT,), HOME)
        assert (never.tool, never.pattern) == (facts.tool, "*")
        assert never.words == f"Every {facts.tool} call is refused, whatever it is about."
