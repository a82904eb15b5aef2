"""What patterns mean, for a permission and for a restriction."""

import pytest

from assent.model.calls import Access
from assent.policy.rules.rule import Effect
from tests.support.rule_calls import allows, book, call, denies, rule, speaks, use

BOTH = [
    # a name without a slash, at any depth
    ("notes.md", "notes.md"),
    ("notes.md", "a/b/notes.md"),
    ("*.md", "a/b/notes.md"),
    ("*.md", ".md"),
    ("docs", "docs/a/b"),
    ("docs", "x/docs/a"),
    ("docs/", "docs/a"),
    ("docs/", "x/docs/a/b"),
    # tied to the folder by a slash
    ("/docs", "docs/a"),
    ("./docs", "docs/a"),
    ("docs/**", "docs/a"),
    ("docs/**", "docs/a/b/c"),
    ("src/*.py", "src/main.py"),
    ("docs//api/./x", "docs/api/x"),
    (".", "any/thing"),
    ("./", "any/thing"),
    # any number of folders
    ("**", "a"),
    ("**", "a/b/c"),
    ("**/test", "test"),
    ("**/test", "a/b/test"),
    ("a/**/z", "a/z"),
    ("a/**/z", "a/b/c/z"),
    ("a/**/**/z", "a/z"),
    ("a/**/*.py", "a/b/c.py"),
    ("**/src/**/*.py", "x/src/y/z.py"),
    # one character, and classes
    ("a?c", "abc"),
    ("[a-c]x", "bx"),
    ("[!a]x", "bx"),
    ("[^a]x", "bx"),
    ("[]x]", "]"),
    ("[a-]", "-"),
    ("[a\\]]b", "]b"),
    ("[é-ü]", "ö"),
    ("***", "a"),
    ("a**z", "abcz"),
    # plain where it is said to be
    ("a\\*b", "a*b"),
    ("a[*]b", "a*b"),
    ("\\!x", "!x"),
    ("\\[x]", "[x]"),
    ("[$]{x}", "${x}"),
    ("x[{]a,b}", "x{a,b}"),
    ("~x", "~x"),
    ("#x", "#x"),
    ("a]b", "a]b"),
    # elsewhere
    ("~/notes", "/home/me/notes/a"),
    ("~", "/home/me/a"),
    ("/etc/hosts", "/etc/hosts"),
    ("//etc/hosts", "/etc/hosts"),
    ("/etc/**", "/etc/a/b"),
    ("/ws/docs/**", "/ws/docs/a"),
    ("C:/code/**", "C:\\code\\a.txt"),
    ("c:\\code\\**", "C:\\code\\a.txt"),
    ("\\\\box\\share\\**", "\\\\box\\share\\a"),
    # one form of composed characters
    ("caf\u00e9", "cafe\u0301"),
    ("cafe\u0301", "caf\u00e9"),
]

NEITHER = [
    ("notes.md", "notes.mdx"),
    ("/docs", "x/docs"),
    ("./docs", "x/docs"),
    ("docs/**", "x/docs/a"),
    ("docs/**", "docs"),
    ("src/*.py", "src/a.pyc"),
    ("src/*.py", "lib/src/a.py"),
    ("a/**/z", "a/zz"),
    ("a/*/z", "a/z"),
    ("a/*/z", "a/b/c/z"),
    ("a?c", "ac"),
    ("[a-c]x", "dx"),
    ("[!a]x", "ax"),
    ("a\\*b", "axb"),
    ("a[*]b", "axb"),
    ("//docs", "docs/a"),
    ("~/notes", "notes"),
    ("//etc/hosts", "/ws/etc/hosts"),
    ("//docs/x", "docs/x"),
    ("C:/code/**", "D:\\code\\a"),
]


@pytest.mark.parametrize(("pattern", "path"), BOTH)
def test_a_pattern_means_the_path(pattern: str, path: str) -> None:
    assert allows(pattern, path)
    assert denies(pattern, path)


@pytest.mark.parametrize(("pattern", "path"), NEITHER)
def test_a_pattern_does_not_mean_the_path(pattern: str, path: str) -> None:
    assert not allows(pattern, path)
    assert not denies(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        # a wildcard at the end permits only what it matches itself
        ("src/*", "src/sub/a"),
        ("*.md", "notes.md/a"),
        ("doc?", "docs/a"),
        # a slash at the end speaks of folders
        ("docs/", "docs"),
        # case
        ("docs/**", "Docs/a"),
        ("README.md", "readme.MD"),
        ("[a-c]x", "Bx"),
        ("stra\u00dfe", "STRASSE"),
        # what a file system may take for the same
        ("secret", "secret."),
        ("secret", "secret::$DATA"),
        ("secret", "sec\u200bret"),
        ("file", "\ufb01le"),
        # outside of every workspace folder
        ("*.md", "/srv/notes.md"),
        ("**/notes", "/srv/notes"),
        ("**", "/srv/notes"),
        # a backslash as Windows has it
        ("docs\\**", "docs/a"),
        ("docs\\api\\x", "docs/api/x"),
        # a name that looks like two
        ("docs/x", "docs\\x"),
    ],
)
def test_a_restriction_reaches_further_than_a_permission(pattern: str, path: str) -> None:
    assert denies(pattern, path)
    assert speaks(Effect.ASK, pattern, call(path))
    assert not allows(pattern, path)


def test_the_way_to_the_workspace_is_not_what_a_restriction_speaks_of() -> None:
    for root in ("/srv/build/ws", "/SRV/Build/ws"):
        for pattern in ("build", "srv", "**/build", "/**/build", "b*"):
            assert not speaks(Effect.DENY, pattern, call(f"{root}/a"), (root,)), pattern
            assert speaks(Effect.DENY, pattern, call(f"{root}/build/srv"), (root,)), pattern
            assert speaks(Effect.DENY, pattern, call("/srv/build/other"), (root,)), pattern
    assert speaks(Effect.DENY, "//**/build", call("/srv/build/ws/a"), ("/srv/build/ws",))


def test_a_backslash_in_a_name_is_no_way_into_a_folder() -> None:
    assert not allows("docs/**", "/ws/docs\\a")
    assert allows("docs\\\\a", "/ws/docs\\a")


def test_a_character_that_folds_into_two_is_still_one() -> None:
    assert denies("?", "\u00df")
    assert denies("?a", "\u00dfA")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "empty"),
        (" docs", "blank"),
        ("docs/** ", "blank"),
        ("x" * 4_097, "longer than"),
        ("a*/" * 65 + "x", "wildcards"),
        ("[ab]" * 65, "classes"),
        ("**/a/" * 65 + "b", "“**”"),
        ("a\0b", "NUL"),
        ("!docs", "turned round"),
        ("../x", "“..”"),
        ("docs/../x", "“..”"),
        ("/", "names no file"),
        ("//", "names no file"),
        ("~other/x", "home directory"),
        ("${workspaceFolder}/x", "variables"),
        ("*.{js,ts}", "{a,b}"),
        ("{src/a,lib/b}", "{a,b}"),
        ("[ab", "not closed"),
        ("[a/b]", "not closed"),
        ("[z-a]", "backwards"),
        ("[[:alpha:]]", "named classes"),
    ],
)
def test_a_pattern_that_cannot_be_used_restricts_all_and_permits_nothing(pattern: str, why: str) -> None:
    for effect, matches in ((Effect.ALLOW, False), (Effect.DENY, True), (Effect.ASK, True)):
        broken = book(rule(pattern, effect, scope="workspace", file="settings.json", line=7))
        for facts in (call("anything"), call("/etc/passwd"), call()):
            assert (broken.first(effect, facts, "Demo") is not None) is matches
        (fault,) = broken.faults
        assert why in fault
        assert "the workspace's settings (settings.json, line 7)" in fault
        assert repr(pattern) in fault


@pytest.mark.parametrize("pattern", ["docs\\api", "docs\\", "docs/\\"])
def test_a_permission_with_backslashes_between_folders_is_not_guessed_at(pattern: str) -> None:
    broken = book(rule(pattern))
    assert "write / between folders" in broken.faults[0]
    assert broken.first(Effect.ALLOW, call("docs/api"), "Demo") is None


@pytest.mark.parametrize("pattern", ["docs\\api", "docs\\**", "\\\\box\\share", "C:\\x"])
def test_a_restriction_with_backslashes_between_folders_is_understood(pattern: str) -> None:
    assert book(rule(pattern, Effect.DENY)).faults == ()
    assert not denies(pattern, "elsewhere")


def test_without_a_home_directory_its_patterns_cannot_be_used() -> None:
    homeless = book(rule("~/x"), rule("~/x", Effect.DENY), home="")
    assert len(homeless.faults) == 2
    assert homeless.first(Effect.ALLOW, call("/x"), "Demo") is None
    assert homeless.first(Effect.DENY, call("y"), "Demo") is not None


def test_a_trailing_slash_means_the_folder_too() -> None:
    assert allows("docs/", use("docs", Access.READ, folder=True))
    assert allows("./", use("/ws", Access.READ, folder=True))
    assert not allows("docs/**", use("docs", Access.READ, folder=True))
    assert not allows("docs/", use("docs", Access.READ))
    assert allows("C:\\code\\", use("C:\\code", folder=True))
    assert not allows("C:\\code\\", use("C:\\code"))


def test_to_remove_a_folder_is_to_remove_what_lies_in_it() -> None:
    for pattern in ("infra/prod/**", "infra/prod/main.tf", "*.tf", "**/prod", "infra/*/x", "INFRA/prod/x"):
        assert denies(pattern, use("infra", Access.DELETE, folder=True)), pattern
        assert not denies(pattern, use("infra", Access.READ, folder=True)), pattern
    assert not denies("infra/prod/**", use("docs", Access.DELETE, folder=True))
    assert not denies("infra/prod/**", use("infra/test", Access.DELETE, folder=True))


def test_to_remove_what_the_workspace_lies_in_is_to_remove_all_of_it() -> None:
    for place in ("/srv/code", "/srv", "/"):
        for pattern in ("docs/**", "./docs", "*/a"):
            gone = call(use(place, Access.DELETE, folder=True))
            assert speaks(Effect.DENY, pattern, gone, ("/srv/code/ws", "/elsewhere")), (pattern, place)
            assert not speaks(Effect.ALLOW, pattern, gone, ("/srv/code/ws",))
    assert not speaks(Effect.DENY, "docs/**", call(use("/srv/cod", Access.DELETE, folder=True)), ("/srv/code/ws",))
    assert not speaks(Effect.DENY, "docs/**", call(use("/srv", Access.READ, folder=True)), ("/srv/code/ws",))


def test_a_permission_to_remove_a_folder_covers_all_that_lies_in_it() -> None:
    for pattern in ("src/**", "src", "src/gen", "src/gen/", "**", "."):
        assert allows(pattern, use("src/gen", Access.DELETE, folder=True)), pattern
    for pattern in ("src/*", "src/g*", "**/gen*", "src/gen/**"):
        assert not allows(pattern, use("src/gen", Access.DELETE, folder=True)), pattern
    assert allows("src/*", use("src/gen", Access.READ, folder=True))


def test_relative_patterns_start_at_every_folder() -> None:
    roots = ("/ws", "/other/place")
    for effect in Effect:
        assert speaks(effect, "docs/**", call("/other/place/docs/a"), roots)
        assert speaks(effect, "docs/**", call("/ws/docs/a"), roots)
        assert not speaks(effect, "docs/**", call("/other/docs/a"), roots)


def test_what_is_tied_to_a_folder_means_nothing_outside() -> None:
    for effect in Effect:
        for pattern in ("docs/**", "./docs", "docs/*", "*/a", "."):
            assert speaks(effect, pattern, call("docs/a")), pattern
            assert not speaks(effect, pattern, call("/docs/a")), pattern


def test_without_a_folder_restrictions_start_at_home_and_permissions_nowhere() -> None:
    assert speaks(Effect.DENY, "docs/**", call("/home/me/docs/a"), ())
    assert not speaks(Effect.ALLOW, "docs/**", call("/home/me/docs/a"), ())
    assert not speaks(Effect.ALLOW, "**", call("/docs/a"), ())
    assert speaks(Effect.ALLOW, "//docs/**", call("/docs/a"), ())


def test_any_depth_below_home_is_not_any_depth() -> None:
    for effect in Effect:
        assert speaks(effect, "~/**/keys", call("/home/me/a/keys"))
        for elsewhere in ("/ws/a/keys", "/srv/keys", "/home/you/keys"):
            assert not speaks(effect, "~/**/keys", call(elsewhere))


@pytest.mark.parametrize("hidden", ["\u200b", "\u200b\u200b", "\u00ad"])
def test_letters_that_a_file_system_may_leave_out_are_left_out_beside_wildcards_too(hidden: str) -> None:
    for pattern in (f"[ab]{hidden}", f"{hidden}[ab]", f"{hidden}?{hidden}"):
        assert denies(pattern, "b") and not denies(pattern, "bb")
    for pattern in (f"[ab]{hidden}?", f"b{hidden}[ab]"):
        assert denies(pattern, "bb") and not denies(pattern, "b")
    for pattern in (f"{hidden}*{hidden}b", f"b{hidden}*"):
        assert denies(pattern, "bb") and denies(pattern, "b") and not denies(pattern, "c")


def test_a_folder_that_looks_like_a_secret_is_not_the_secret_in_it() -> None:
    assert allows(".env*/", use(".env.d/a", Access.READ))
    assert not allows(".env*/", use(".env.d/.env.local", Access.READ))
