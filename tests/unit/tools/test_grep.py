"""grep, by our own program and by ripgrep: the same is found, in every kind of file, and nothing that is kept back."""

import asyncio
import os
import random
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from assent.model.calls import Access, PathUse
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.runtime.running import Running
from assent.tools.declared import Declared
from assent.tools.grep import Grep
from assent.tools.places import locate
from assent.tools.resolve import resolve
from assent.tools.search.dialect import common
from assent.tools.search.looking import Looked
from assent.tools.search.order import End, Hit, Order, from_text, to_text
from assent.tools.search.programs import Ripgrep, obeys
from assent.tools.search.scope import Scope
from assent.tools.search.sparing import folded
from assent.tools.search.telling import MOST_CHARACTERS, Mode, Telling, Told
from assent.tools.search.walking import DEEPEST
from tests.support.ripgrep import ripgrep
from tests.support.scale import limit

BOTH = ("ours", "ripgrep")


@pytest.fixture(params=BOTH)
def program(request: pytest.FixtureRequest) -> str | None:
    if request.param == "ours":
        return None
    if ripgrep() is None:
        pytest.skip("there is no ripgrep here")
    return ripgrep()


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    made = Processes()
    yield made
    made.end_all()


def secret_part(use: PathUse, _searched: PathUse) -> bool:
    return "kept" in use.real.split("/")


@pytest.fixture
def tool(tmp_path: Path, processes: Processes, program: str | None) -> Grep:
    (tmp_path / "root").mkdir(exist_ok=True)
    return Grep(lambda: (str(tmp_path / "root"),), processes, lambda: secret_part, lambda _: program)


async def text_of(tool: Grep, **args: Any) -> str:
    assert tool.fault(args) is None
    return (await asyncio.wait_for((await tool.prepare(args)).perform(), limit(60))).text


async def files_of(tool: Grep, **args: Any) -> list[str]:
    text = await text_of(tool, mode="files", **args)
    return [line for line in text.split("\n") if not line.startswith("[")]


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A tree with all that can be in the way. “needle” is in every file."""
    root = tmp_path / "root"
    outside = tmp_path / "outside"
    for folder in ("a/b", "build/deep", "node_modules/x", ".git/refs", ".hidden", "logs/keep", "kept", "odd", "é"):
        (root / folder).mkdir(parents=True)
    outside.mkdir()
    (root / ".gitignore").write_text("build/\n*.log\n/odd/one\n!important.log\n")
    (root / "logs/.gitignore").write_text("*\n!keep/\n!keep/*.txt\n!.gitignore\n# needle\n")
    plain = ["top.txt", "a/one.py", "a/b/two.py", "é/ü.txt", ".hidden/x", "important.log", "logs/keep/yes.txt", "-e"]
    left_out = ["build/deep/x", "x.log", "a/y.log", "node_modules/x/i.js", ".git/config", ".git/refs/x", "odd/one"]
    left_out += ["logs/no.txt", "logs/keep/no.md", "kept/secret.txt", ".env", "a/id_rsa", "a/server.pem"]
    for name in (*plain, *left_out):
        (root / name).write_text("first\nneedle in here\n")
    (root / "wide.txt").write_bytes("\ufefffirst\r\nneedle wide\r\n".encode("utf-16-le"))
    (root / "marked.txt").write_bytes("\ufeffneedle\r\n".encode())
    (root / "old.txt").write_bytes(b"needle caf\xe9\n")
    (root / "binary").write_bytes(b"needle\n\0\n")
    (root / "late").write_bytes(b"needle\n" * 50_000 + b"\0")
    (root / "long.txt").write_text("x" * 100_000 + "needle" + "y" * 100_000)
    (root / "huge.txt").write_bytes(b"needle\n" + b"\n" * (10 * 1024 * 1024))
    (root / "name\nwith end").write_text("needle\n")
    (outside / "far.txt").write_text("needle outside\n")
    (root / "link.txt").symlink_to(outside / "far.txt")
    (root / "inner.txt").symlink_to(root / "top.txt")
    (root / "linked").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    (root / "hidden from us").mkdir()
    (root / "hidden from us/x").write_text("needle\n")
    (root / "hidden from us").chmod(0)
    return root


FOUND = [
    "-e",
    ".hidden/x",
    "a/b/two.py",
    "a/one.py",
    "important.log",
    "logs/.gitignore",
    "logs/keep/yes.txt",
    "long.txt",
    "marked.txt",
    "name\\nwith end",
    "old.txt",
    "top.txt",
    "wide.txt",
    "é/ü.txt",
]


async def test_a_tree_with_traps(tool: Grep, traps: Path) -> None:
    expected = sorted([*FOUND, "hidden from us/x"] if os.getuid() == 0 else FOUND)
    assert sorted(await files_of(tool, pattern="needle")) == expected


async def test_what_is_ignored_is_found_where_it_is_wanted(tool: Grep, traps: Path) -> None:
    found = await files_of(tool, pattern="needle", ignored=True)
    assert {"build/deep/x", "x.log", "node_modules/x/i.js", "odd/one", "logs/no.txt"} <= set(found)
    assert not [path for path in found if path.startswith((".git/", "kept/", ".env"))]


async def test_a_folder_that_was_named_although_it_is_ignored(tool: Grep, traps: Path) -> None:
    assert await files_of(tool, pattern="needle", path="build") == ["build/deep/x"]
    assert await files_of(tool, pattern="needle", path="node_modules/x") == ["node_modules/x/i.js"]


async def test_the_ignore_files_above_count(tool: Grep, traps: Path) -> None:
    assert await files_of(tool, pattern="needle", path="a") == ["a/b/two.py", "a/one.py"]
    assert await files_of(tool, pattern="needle", path="logs/keep") == ["logs/keep/yes.txt"]


async def test_a_file_that_is_kept_back_is_searched_where_it_is_named(tool: Grep, traps: Path) -> None:
    """The gate has asked about it as such, because the call says that it reads exactly this."""
    for name in (".env", "kept/secret.txt", "x.log"):
        assert await text_of(tool, pattern="needle", path=name) == f"{name}\n  2: needle in here"
        (use,) = (await tool.prepare({"pattern": "x", "path": name})).paths
        assert (use.real, use.access, use.is_directory) == (str(traps / name), Access.READ, False)


async def test_nothing_tells_whether_what_is_kept_back_would_fit(tool: Grep, traps: Path) -> None:
    (traps / ".env").write_text("KEY=treasure\n")
    for mode in ("lines", "files", "count"):
        told = [await text_of(tool, pattern=pattern, mode=mode) for pattern in ("KEY=treasure", "KEY=trash")]
        assert told == ["[nothing was found]"] * 2


NEVER_ENDS = r"KEY={}(?:z+)+(?=!)"


async def test_nor_does_the_time_that_it_takes_there(processes: Processes, tmp_path: Path) -> None:
    """A guess that is right would take longer than one that is wrong: alone, and in so many files that all is cut."""
    for name in (".env", "kept/a", *(f"kept/{number}/b" for number in range(30))):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"KEY=treasure{'z' * 40}\n")
    (tmp_path / "told").write_text(f"KEY=open{'z' * 40}\n")
    (tmp_path / "zzz").write_text("KEY=treasure\n")
    tool = Grep(lambda: (str(tmp_path),), processes, lambda: secret_part)
    for mode in ("lines", "files", "count"):
        told = [await text_of(tool, pattern=NEVER_ENDS.format(guess), mode=mode) for guess in ("treasure", "trash")]
        assert told == ["[nothing was found]"] * 2
    assert await text_of(tool, pattern=f"{NEVER_ENDS.format('open')}|treasure$") == (
        "zzz\n  1: KEY=treasure\n[not searched, because this pattern takes too long there: told;"
        " repeats inside of repeats do that, such as (a+)+]"
    )


async def test_a_file_that_is_slow_only_says_so_where_it_is_told_of(tool: Grep, tmp_path: Path) -> None:
    """Also where a rule about it comes while it is searched."""
    scope = Scope.of(locate(".", (str(tmp_path / "root"),)), (str(tmp_path / "root"),))
    telling = Telling(scope, Told(Mode.LINES, 0, 10), secret_part)
    telling.take([Hit("kept/a", slow=True), Hit(".env", slow=True), Hit("b", slow=True)])
    text = telling.answer(Looked(End())).text
    assert "too long there: b;" in text and "kept" not in text and "env" not in text


@pytest.mark.parametrize(
    ("spared", "told", "left"),
    [
        (["a/b/c", "a/b/d"], [], ["a"]),
        (["a/b/c", "a/b/d"], ["a/x"], ["a/b"]),
        (["a/b/c", "a/b/d"], ["a/b/x"], ["a/b/c", "a/b/d"]),
        (["x", "ab/c"], ["a/c"], ["x", "ab"]),
        ([], ["a"], []),
    ],
)
def test_a_folder_stands_for_all_below_where_nothing_of_it_is_told(
    spared: list[str], told: list[str], left: list[str]
) -> None:
    assert list(folded(spared, told)) == left


async def test_too_many_that_are_kept_back_to_pass_them_on(processes: Processes, tmp_path: Path) -> None:
    for number in range(300):
        folder = tmp_path / f"{number:03}{'d' * 200}"
        folder.mkdir()
        (folder / f"{'k' * 200}.pem").write_text("needle\n")
        (folder / "b").write_text("needle\n")
    with pytest.raises(ToolFault, match="kept back"):
        await text_of(Grep(lambda: (str(tmp_path),), processes), pattern="needle")


async def test_lines_with_what_stands_around_them(tool: Grep, tmp_path: Path) -> None:
    (tmp_path / "root/a").write_text("".join(f"line {number}\r\n" for number in range(1, 31)))
    assert await text_of(tool, pattern="line 3$") == "a\n  3: line 3"
    assert await text_of(tool, pattern="line (3|5|9)$", context=1) == (
        "a\n  2- line 2\n  3: line 3\n  4- line 4\n  5: line 5\n  6- line 6\n  --\n"
        "  8- line 8\n  9: line 9\n  10- line 10"
    )


async def test_a_long_line_is_cut_and_says_so(tool: Grep, traps: Path) -> None:
    text = await text_of(tool, pattern="needle", path="long.txt")
    assert text.endswith("x… (199506 more characters)") and len(text) < 600


async def test_counts_and_limits(tool: Grep, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name, count in (("a", 3), ("b", 5), ("c", 1)):
        (root / name).write_text("x x\n" * count)
    assert await text_of(tool, pattern="x", mode="count") == "a: 3\nb: 5\nc: 1\n9 in 3 files"
    assert await text_of(tool, pattern="x", mode="files", limit=3) == "a\nb\nc"
    assert (await text_of(tool, pattern="x", mode="files", limit=2)).startswith("a\nb\n[more was found")
    assert (await text_of(tool, pattern="x", limit=4)).startswith("a\n  1: x x\n  2: x x\n  3: x x\nb\n  1: x x\n[more")
    assert await text_of(tool, pattern="x", limit=9) == await text_of(tool, pattern="x", limit=1000)
    assert (await text_of(tool, pattern="x", path="b", limit=5)).count("\n") == 5
    assert "[more" in await text_of(tool, pattern="x", path="b", limit=4)


async def test_a_result_is_bounded_whatever_a_file_holds(tool: Grep, tmp_path: Path) -> None:
    (tmp_path / "root/a").write_text(("x" * 400 + "\n") * 20_000)
    text = await text_of(tool, pattern="x", limit=1000, context=20)
    assert len(text) < MOST_CHARACTERS + 1_000 and text.endswith("[more was found; narrow it down, or raise limit]")


async def test_names_that_are_no_text_are_told_readably(tool: Grep, tmp_path: Path) -> None:
    names = [b"caf\xe9", b"back\\slash", "\u202egnp.exe".encode(), b"a: binary file matches (found b", b"x:1:y"]
    for name in names:
        (tmp_path / "root" / os.fsdecode(name)).write_text("needle\n")
    found = await files_of(tool, pattern="needle")
    assert len(found) == len(names) and "\u202e" not in "".join(found)
    "".join(found).encode()


@pytest.mark.parametrize("pattern", ["\0", "\x1b[2J", "\u202e", "é\u0301"])
async def test_characters_that_no_file_holds(tool: Grep, tmp_path: Path, pattern: str) -> None:
    (tmp_path / "root/a").write_text("needle\n")
    call = await tool.prepare({"pattern": pattern, "mode": "files"})
    assert not {"\x1b", "\u202e"} & set(call.headline)
    try:
        assert (await call.perform()).text == "[nothing was found]"
    except ToolFault as fault:
        assert fault.code == "invalid_pattern"


async def test_a_search_that_is_stopped_leaves_nothing_behind(
    processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("a" * 5_000 + "\n")
    started: list[Running] = []
    start = processes.start

    async def noting(*given: Any) -> Running:
        started.append(await start(*given))
        return started[-1]

    monkeypatch.setattr(processes, "start", noting)
    call = await Grep(lambda: (str(tmp_path),), processes).prepare({"pattern": "(?=a)(a|a)+$b"})
    work = asyncio.ensure_future(call.perform())
    async with asyncio.timeout(limit(20)):
        while not started:  # noqa: ASYNC110 - another task tells
            await asyncio.sleep(0.01)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert await started[0].silent(limit(5))


async def test_globs_choose_among_the_files(tool: Grep, traps: Path) -> None:
    assert await files_of(tool, pattern="needle", glob="*.py") == ["a/b/two.py", "a/one.py"]
    assert await files_of(tool, pattern="needle", glob="a/*.py") == ["a/one.py"]
    assert await files_of(tool, pattern="needle", glob="*.log") == ["important.log"]
    assert sorted(await files_of(tool, pattern="needle", glob="{a/**,wide.*}")) == [
        "a/b/two.py",
        "a/one.py",
        "wide.txt",
    ]


OPTIONS = ["-e", "--pre=touch x", "-f/etc/passwd", "--", "--files", "-", "--no-config", "--help", "-uuu", "--json"]


@pytest.mark.parametrize("pattern", OPTIONS)
async def test_nothing_that_is_given_is_an_option(tool: Grep, tmp_path: Path, pattern: str) -> None:
    root = tmp_path / "root"
    (root / pattern.replace("/", "")).mkdir()
    (root / pattern.replace("/", "") / "--files").write_text(f"say {pattern}\n")
    text = await text_of(tool, pattern=re.escape(pattern))
    assert text.endswith(f"1: say {pattern}")
    assert (await text_of(tool, pattern="say", path=f"{pattern.replace('/', '')}/--files")).endswith(f"say {pattern}")
    assert [entry.name for entry in root.iterdir()] == [pattern.replace("/", "")]


async def test_no_setting_of_anybody_counts(
    tool: Grep, traps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rc").write_text("--no-ignore\n--invert-match\n--pre=/bin/false\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))
    (traps / ".ignore").write_text("*.py\n")
    (traps / ".rgignore").write_text("top.txt\n")
    (traps / ".git/info").mkdir()
    (traps / ".git/info/exclude").write_text("wide.txt\n")
    (tmp_path / ".gitignore").write_text("*\n")
    assert set(FOUND) <= set(await files_of(tool, pattern="needle"))


PATTERNS = [
    "needle",
    "^needle",
    "here$",
    "^$",
    "^",
    "$",
    "n.*e",
    r"\bin\b",
    r"\Bn",
    r"\w+\s\w+",
    r"[^a-z\s]",
    r"\S{4,}",
    "x*",
    "(?:first|wide)",
    "[A-Za-z]é",
    "caf.",
    r"\.py",
    "a{0}b",
    "[]a]",
    "(?i)NEEDLE",
    "(?=needle)n",
    r"(n)e\1",
    r"\d\d\d",
    ".",
    r"[\w.-]+@",
    "é",
    r"\t",
    r"^\s",
    "[$]",
    "a|",
    r"e\b",
    r"\W\w",
    "[^x]",
    r"y$",
    "\u0130",
    "k",
    "s",
]


@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.skipif(ripgrep() is None, reason="there is no ripgrep here")
async def test_both_find_the_same_lines(processes: Processes, tmp_path: Path, ignore_case: bool) -> None:
    root = tmp_path / "root"
    root.mkdir()
    rolls = random.Random(7)
    words = [
        "needle",
        "in",
        "here",
        "first",
        "café",
        "e\u0301",
        "\u212a",
        "ſ",
        "İ",
        "\t",
        " ",
        "\u00a0",
        "123",
        "_",
        "é",
    ]
    words += ["\x1c", "\v", "a.py", "x@y", "-", "$", "]", "\r", "", "K", "S"]
    for number in range(40):
        lines = ["".join(rolls.choices(words, k=rolls.randint(0, 5))) for _ in range(12)]
        data = rolls.choice(["\n", "\r\n"]).join(lines) + rolls.choice(["", "\n"])
        (root / f"{number:02}").write_bytes(data.encode())
    ours = Grep(lambda: (str(root),), processes)
    theirs = Grep(lambda: (str(root),), processes, program=lambda _: ripgrep())
    by_ripgrep = 0
    for pattern in PATTERNS:
        args = {"pattern": pattern, "ignore_case": ignore_case, "limit": 1000}
        assert await text_of(ours, **args) == await text_of(theirs, **args), pattern
        by_ripgrep += common(pattern, ignore_case=ignore_case) is not None
    assert by_ripgrep > len(PATTERNS) * 0.6


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ({"pattern": "("}, "invalid_pattern", "unterminated subpattern"),
        ({"pattern": "a**"}, "invalid_pattern", "multiple repeat"),
        ({"pattern": "x", "path": "none"}, "not_found", "does not exist"),
        ({"pattern": "x", "path": "pipe"}, "not_a_file", "not a regular file"),
        ({"pattern": "x", "path": "loop"}, "link_loop", "symbolic links"),
        ({"pattern": "x", "path": "top.txt/x"}, "not_a_directory", "not a directory"),
        ({"pattern": "(?=x)(x+x+)+y", "path": "long.txt"}, "invalid_pattern", "takes too long"),
    ],
)
async def test_what_does_not_work_says_why(
    tool: Grep, traps: Path, args: dict[str, Any], code: str, words: str
) -> None:
    with pytest.raises(ToolFault) as fault:
        await text_of(tool, **args)
    assert fault.value.code == code
    assert words in str(fault.value)


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"pattern": ""},
        {"pattern": "a" * 50_000},
        {"pattern": "a\nb"},
        {"pattern": "a", "mode": "all"},
        {"pattern": "a", "context": -1},
        {"pattern": "a", "limit": 0},
        {"pattern": "a", "limit": 10**9},
        {"pattern": "a", "glob": "[a"},
        {"pattern": "a", "glob": "!a"},
        {"pattern": "a", "glob": "{a,b" * 30},
        {"pattern": "a", "follow": True},
        {"pattern": "half \ud800"},
        {"pattern": "a", "glob": "\udfff"},
    ],
    ids=lambda args: str(args)[:40],
)
def test_arguments_that_do_not_fit(tool: Grep, args: dict[str, Any]) -> None:
    assert (tool.fault(args) or "").startswith("The arguments do not fit.")


async def test_a_pattern_that_never_ends_holds_up_nobody(tool: Grep, tmp_path: Path) -> None:
    """The loop goes on meanwhile: whoever waits there gets a turn again and again."""
    (tmp_path / "root/a").write_text("a" * 5_000 + "\n")
    ended = asyncio.ensure_future(text_of(tool, pattern="(?=a)(a|a)+$b"))
    turns = 0
    while not ended.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert "not searched, because this pattern takes too long there: a;" in ended.result()
    assert turns > 10


async def test_a_tree_that_is_too_deep_is_said_to_be(tool: Grep, tmp_path: Path) -> None:
    deep = tmp_path.joinpath("root", *["d"] * (DEEPEST + 20))
    deep.mkdir(parents=True)
    (deep / "x").write_text("needle\n")

    assert "not everything was searched" in await text_of(tool, pattern="(?=n)needle")


@pytest.mark.parametrize(
    ("said", "obeying"),
    [
        ("ripgrep 13.0.0\n-SIMD -AVX", False),
        ("ripgrep 14.1.1 (rev x)\n", True),
        ("ripgrep 15.0.0", True),
        ("grep 20.1", False),
        ("", False),
    ],
)
def test_one_that_hides_what_a_repository_says_in_rgignore_is_not_used(said: str, obeying: bool) -> None:
    assert obeys(said) is obeying


async def test_a_program_in_the_workspace_is_never_used(tmp_path: Path) -> None:
    root, beside = tmp_path / "root", tmp_path / "beside"
    for folder in (root, beside):
        folder.mkdir()
        shutil.copy("/bin/true", folder / "rg")
    (tmp_path / "links").mkdir()
    (tmp_path / "links/rg").symlink_to(root / "rg")
    path = os.pathsep.join(map(str, (root, tmp_path / "links", "relative", beside)))
    assert Ripgrep({"PATH": path}).path((str(root),)) == str(beside / "rg")
    assert Ripgrep({"PATH": path}, lambda: str(root / "rg")).path((str(root),)) == str(beside / "rg")
    # Without any folder that counts, the usual ones would be looked into.
    empty = tmp_path / "empty"
    empty.mkdir()
    assert Ripgrep({"PATH": f"{root}{os.pathsep}{empty}"}, lambda: "rg").path((str(root),)) is None
    assert Ripgrep({"PATH": path}, lambda: shutil.which("cat")).path((str(root),)) == shutil.which("cat")


def test_the_order_passes_unharmed() -> None:
    declared = Declared("cp1252", (("*.bat", "cp850"), ("*.txt", None)))
    order = Order(
        resolve("/"), "a\udce9", "/", ("*.{a,b}",), True, "é\\d", True, True, 5, 7, ("k\udce9",), (), declared
    )
    assert from_text(to_text(order)) == order


async def test_words_are_found_in_whatever_encoding_a_file_is(tool: Grep, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir()
    told = {
        "plain.txt": "utf-8",
        "a.txt": "cp1252",
        "sub/b.txt": "utf-16-le",
        "c.txt": "utf-16",
        "sub/d.txt": "utf-16-be",
    }
    for name, encoding in told.items():
        (root / name).write_bytes("// Grüße aus München\nint x = 1;\n".encode(encoding))
    (root / "ru.txt").write_bytes("// Ошибка: неверный ключ доступа\n".encode("koi8_r"))
    (root / "ja.txt").write_bytes("// エラー：無効なキーです\n".encode("cp932"))
    (root / "binary").write_bytes(b"Gr\xfc\xdfe \x01\x02\n")
    (root / "unsure.txt").write_bytes("int x = 1; // 你好\n".encode("gbk"))
    (root / ".env").write_bytes("Grüße=1\n".encode("cp1252"))

    assert sorted(await files_of(tool, pattern="Grüße")) == sorted(told)
    assert await files_of(tool, pattern="ключ") == ["ru.txt"]
    assert await files_of(tool, pattern="無効") == ["ja.txt"]
    assert sorted(await files_of(tool, pattern="M.nchen")) == sorted(told)
    lines = await text_of(tool, pattern="int", glob="*.txt")
    assert lines.count("int x = 1;") == len(told)
    assert "not searched, because their encoding cannot be told from them" in lines and "unsure.txt]" in lines
    only = await text_of(tool, pattern="Grüße", path="a.txt")
    assert only == "a.txt\n  1: // Grüße aus München"


async def test_the_encoding_that_the_settings_name_counts(tool: Grep, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".vscode").mkdir()
    (root / ".vscode/settings.json").write_text('{"files.encoding": "gbk"}')
    (root / "a.txt").write_bytes("// 你好\n".encode("gbk"))
    assert await text_of(tool, pattern="你") == "a.txt\n  1: // 你好"


async def test_what_is_more_than_is_wanted_is_said_over_both_programs(tool: Grep, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(6):
        (root / f"{number}.txt").write_bytes("// Grüße aus München\n".encode("cp1252" if number % 2 else "utf-8"))
    assert "more was found" in await text_of(tool, pattern="Gr", limit=4)
    assert "more was found" not in await text_of(tool, pattern="Gr", limit=6)
    assert (await text_of(tool, pattern="Gr", mode="count")).endswith("6 in 6 files")
