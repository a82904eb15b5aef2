"""What a script of sed or awk writes and starts is found, and where it is found harmless, the real program agrees."""

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.commandline.catalogue import awk_script, sed_script
from assent.commandline.catalogue.awk_script import AwkProgram, read_awk
from assent.commandline.catalogue.sed_script import SedScript, read_sed
from tests.support.scale import limit


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("p", SedScript()),
        ("1,$!{s/a/b/g;p};# w x", SedScript()),
        ("y/abc/xyz/;l 5;q1", SedScript()),
        ("a\\\nw x\ni\\\ne id\\\ne id", SedScript()),
        ("a e id", SedScript()),
        ("s/[/;]e/w x/", SedScript()),
        ("s;/;w x;", SedScript()),
        ("\\,a/w x,p", SedScript()),
        ("s/a\\/w x/b/", SedScript()),
        (":w;bw", SedScript()),
        ("s/e/e/;/e/I,/w/p", SedScript()),
        ("w x", SedScript(writes=["x"])),
        ("w x;p}", SedScript(writes=["x;p}"])),
        ("w x\nW y", SedScript(writes=["x", "y"])),
        ("$!w x", SedScript(writes=["x"])),
        ("/a/,/b/  !  w x", SedScript(writes=["x"])),
        ("s/a/b/pgw x", SedScript(writes=["x"])),
        ("s/a/b/ w x", SedScript(writes=["x"])),
        ("r a\nR b", SedScript(reads=["a", "b"])),
        ("e", SedScript(runs=True)),
        ("1e id", SedScript(runs=True)),
        ("{{e\n}}", SedScript(runs=True)),
        ("s/a/b/e", SedScript(runs=True)),
        ("s/a/b/\ne", SedScript(runs=True)),
        ("a x\ne", SedScript(runs=True)),
        ("#\ne", SedScript(runs=True)),
        ("y/a/b/;e", SedScript(runs=True)),
        ("s/a\\\nb/c/;e", SedScript(runs=True)),
        ("bw\ne", SedScript(runs=True)),
    ],
)
def test_a_sed_script_is_read_to_its_end(text: str, script: SedScript) -> None:
    assert read_sed(text) == script


@pytest.mark.parametrize(
    "text",
    [
        "k",
        "s/a/b",
        "s/a/b/x",
        "{p",
        "p}",
        "1,p",
        "s\na\nb\n",
        "s/a\nb/c/",
        "séaébé",
        "/[a/p",
        "/[]w]/p",
        "w",
        "p p",
        "bx w",
        "s/[a\\]w x/b/",
        "a\\\\\ne",
        "p\0",
        "p\r",
    ],
)
def test_what_is_not_known_of_sed_is_not_understood(text: str) -> None:
    with pytest.raises(sed_script.NotUnderstood):
        read_sed(text)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("", AwkProgram()),
        ('/system\\(|"/ {print $1, $NF}', AwkProgram()),
        ('{print "system(x) | sh > y" }', AwkProgram()),
        ("# system()\n{print}", AwkProgram()),
        ("$1 > 5 || NR > 3", AwkProgram()),
        ("{ if ($1 > 5) print; else if ($2 >= 3) x = y > z }", AwkProgram()),
        ('{print ($1 > 0 ? "a" : "b")}', AwkProgram()),
        ("{print a[x > y]; z = $1 / $2 / 3}", AwkProgram()),
        ("{while ((getline line) > 0) print line}", AwkProgram()),
        ('{print > "x"}', AwkProgram(writes=["x"])),
        ('{print $1,\n\n$2 > "x"}', AwkProgram(writes=["x"])),
        ('{print(1)(2) >> "x"; printf "%s", $1 > "y"}', AwkProgram(writes=["x", "y"])),
        ('{getline < "x"; getline y < "z"}', AwkProgram(reads=["x", "z"])),
        ('{print > "/dev/stderr"}', AwkProgram()),
    ],
)
def test_an_awk_program_is_read_to_its_end(text: str, program: AwkProgram) -> None:
    assert read_awk(text) == program


@pytest.mark.parametrize(
    "text",
    [
        'BEGIN{system("id")}',
        'BEGIN{system ("id")}',
        'BEGIN{system\\\n("id")}',
        'BEGIN{awk::system("id")}',
        '/"/ {system("id")} /"/',
        '/[/"]/ {system("id")} # "',
        '{x = 1 / 2; system("id"); y = 3 / 4}',
        '{x = a[1] / 2; system("id"); y = 3 / 4}',
        '{x = (1) / 2; system("id"); y = 3 / 4}',
        'BEGIN{"id" | getline; close("id")}',
        'BEGIN{print | "sh"}',
        'BEGIN{print |& "sh"}',
        '{print > "a" "b"}',
        "{print > $1}",
        "{print >\\\n$1}",
        "{print a, b > c}",
        "{print (1 > 2) > c}",
        "{getline < $1}",
        "{ARGV[1] = $1}",
        'BEGIN{f = "system"; @f("id")}',
        '@include "x"',
        'BEGIN{SYMTAB["x"] = 1}',
        'BEGIN{print "" > "/inet/tcp/0/h/1"}',
    ],
)
def test_what_an_awk_program_could_do_is_a_danger(text: str) -> None:
    found = read_awk(text)
    assert found.dangers or found.unknown


@pytest.mark.parametrize(
    "text",
    [
        '{ if (1) /"/; system("id") #"\n}',
        '{ if (1) /"/; system("id"); x = "/ }',
        "{x++ / 2}",
        '"a" / 2',
        "/a",
        '"a',
        "{print",
        "(",
        "/[/",
        "{`id`}",
        "é",
        "{length / 2}",
        "{getline / 2}",
        "/[]/]/",
    ],
)
def test_what_is_not_known_of_awk_is_not_understood(text: str) -> None:
    with pytest.raises(awk_script.NotUnderstood):
        read_awk(text)


_PLAIN_SED = r"""
s / / / [ ^ ] \ a b x ; } { y ! 1 $ , ~ I M g p q i c # [:alpha:] \( \[ \] [] [^] n = | s/a/b/ /x/
s|a|b| \c % & \n a\ D . * - [a a] e w r /e
"""
SED_PIECES = [
    *_PLAIN_SED.split(),
    " ",
    "\n",
    "\\\n",
    "w o",
    "e touch r",
    "W o",
    "/w o",
    "w o\n",
    "1e touch r",
    "}\n",
]
_PLAIN_AWK = r"""
{ } ( ) / / " " \ print > "o" ; # x y $1 [ ] ^ || | && getline < if (1) else BEGIN END {print} in
length ++ -- = ~ ! ? : , 1 .5 /a/ /[/]/ [/] @ printf return f( a[ "a" >> % * - + next "/" /"/ /#/
exit system BEGIN{
"""
AWK_PIECES = [
    *_PLAIN_AWK.split(),
    " ",
    "\n",
    "\\\n",
    'system("touch r")',
    '{print > "o"}',
    '("touch r")',
    '"touch r"',
    '# "',
]


def _sed_is_harmless(text: str) -> bool:
    script = read_sed(text)
    return not script.runs and not script.writes


def _awk_is_harmless(text: str) -> bool:
    program = read_awk(text)
    return not program.dangers and not program.writes


@pytest.mark.parametrize(
    ("program", "pieces", "is_harmless", "wrap"),
    [("sed", SED_PIECES, _sed_is_harmless, ""), ("awk", AWK_PIECES, _awk_is_harmless, "BEGIN{")],
    ids=["sed", "awk"],
)
def test_a_script_that_is_found_harmless_leaves_nothing_behind(
    program: str, pieces: list[str], is_harmless: Callable[[str], bool], wrap: str, tmp_path: Path
) -> None:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not here")
    chance, accepted = random.Random(program), 0
    (tmp_path / "f").write_text("x a\nb\n")
    while accepted < 100:
        text = "".join(chance.choices(pieces, k=chance.randint(1, 12)))
        text = f"{wrap}{text}}}" if wrap and chance.random() < 0.5 else text
        try:
            harmless = is_harmless(text)
        except (sed_script.NotUnderstood, awk_script.NotUnderstood):
            continue
        if harmless and _ends(path, text, tmp_path):
            accepted += 1
            assert [one.name for one in tmp_path.iterdir()] == ["f"], text


def _ends(path: str, text: str, folder: Path) -> bool:
    """Whether the program takes it for a script; what runs forever is no use here."""
    try:
        done = subprocess.run(
            [path, text, "f"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit(2), check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
