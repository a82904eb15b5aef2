"""Ordinary lines of Unix programs: nothing about them is dangerous, and every file that they name is seen."""

import pytest

from assent.commandline.given import Output
from assent.commandline.invocation import Invocation
from assent.commandline.understand import understand
from assent.model.calls import Access
from assent.model.commands import Argument
from assent.model.modes import Category
from tests.support.programs import HERE, PlainInside, program_part, program_run

READING = """
ls
ls -la src
ls -lhtr --color=auto
ls -1A --group-directories-first docs tests
ls -G -l
ls -d */
cat README.md
cat -n a b
cat *.md
head -5 a
head -n 20 a b
head -c100 a
tail -50 log
tail -f log
tail -n +3 a
file -b --mime-type a
stat a
stat -c %s a
stat -f %z a
du -sh .
du -h -d 1 src
df -h
wc -l a b
wc -l *.py
md5sum a
sha256sum -c sums
shasum -a 256 a
readlink -f a
realpath a
xxd -l 64 a
xxd -p a
od -An -tx1 a
hexdump -C a
strings -n 8 a
cmp a b
comm -12 a b
diff -u a b
diff -rq a b
diff --color=always -U5 a b
tree -L 2 -I node_modules
grep -rn foo src
grep foo *.py
grep -E 'a|b' --include=*.py -r .
grep -c -v '^#' a
grep -A3 -B2 -i foo a
egrep -o '[a-z]+' a
rg foo
rg -n -t py 'def \\w+' src
rg -l foo
rg --files -g '*.ts'
rg -uu -C3 --hidden foo
ag -l foo src
fd -e py
fd -H -t f pattern src
find . -name '*.py'
find src -type f -newer a -size +10k -mtime -7
find . -maxdepth 2 -not -path './.git/*' -print0
find . ( -name a -o -name b ) -prune -o -type f -print
find -L . -xtype l
sort a
sort -u -k2,2n -t: a
sort -rn
uniq -c
uniq -d a
cut -d: -f1 a
cut -c1-5
tr a-z A-Z
tr -d '\\n'
paste -sd, a
join -t, a b
fold -w 80 a
fmt -w 72 a
nl -ba a
column -t -s, a
rev a
expand -t4 a
shuf -n 1 a
tsort a
numfmt --to=iec 1024
iconv -f latin1 -t utf-8 a
base64 a
base64 -d a
base64 -di
envsubst
look word a
sed -n 5,10p a
sed 's/a/b/g' a
sed -E 's/([a-z]+)\\/x/\\1/; /^$/d' a
sed -e 1d -e '3,$d' a
sed '/a/,/b/{s/x/y/;p}' a
sed 's/[^/]*$//' a
sed ':a;N;ba'
sed 's/x/y/w /dev/stdout' a
awk '{print $1}' a
awk -F: '{print $1, $NF}' a
awk '/system/ {print $1}' a
awk 'NR > 5 && $2 > 3' a
awk '{ if ($1 > 5) print $2 }' a
awk '{print ($1 > 0 ? "a" : "b")}' a
awk '{s += $1 / 2} END {printf "%.2f\\n", s / NR}' a
awk '!seen[$0]++' a
awk -v n=3 'NR == n' a
awk '{gsub(/[^/]+/, "x"); print > "/dev/stderr"}' a
jq . a
jq -r '.a[] | .b' a
jq --arg x y '.a == $x' a
jq -n '1 + 1'
yq .a a
xmllint --noout a
tar tf a
tar -tvzf a
unzip -l a
zcat a
gzip -dc a
xz -l a
echo hello world
printf '%s\\n' hello
printf '100%%\\n'
true
false
pwd
[ -f a ]
[ a = b -o -z c ]
test -d a
type -a ls
which ls
sleep 1
seq 1 10
expr 1 + 2
basename a/b.c .c
dirname a/b
date
date +%F
date -d yesterday +%s
date -j -f %Y 2020 +%s
whoami
id -u
uname -a
hostname
uptime
free -m
ps aux
ps -ef
ps -o pid,comm -p 1
pgrep -f name
lsof -i :3000
nproc
lscpu
printenv PATH
locale
journalctl -u x -n 5 --no-pager
systemctl status x
crontab -l
sysctl -a
mount
defaults read x
""".strip().splitlines()


@pytest.mark.parametrize("line", READING)
def test_ordinary_reading_is_quiet(line: str) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is Category.READ
    assert {touch.access for touch in part.touches} <= {Access.READ}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("cat a /etc/passwd", ["/ws/a", "/etc/passwd"]),
        ("grep -f patterns x a", ["/ws/patterns", "/ws/x", "/ws/a"]),
        ("grep x a", ["/ws/a"]),
        ("grep --regexp x a", ["/ws/a"]),
        ("ls -T /etc", ["/ws/.", "/etc"]),
        ("ls", ["/ws/."]),
        ("stat -f /etc/shadow", ["/etc/shadow"]),
        ("sed -n p a b", ["/ws/a", "/ws/b"]),
        ("sed 'r /etc/passwd' a", ["/etc/passwd", "/ws/a"]),
        ("awk '{print}' a b", ["/ws/a", "/ws/b"]),
        ("awk 'BEGIN{while ((getline l < \"/etc/x\") > 0) print l}'", ["/etc/x"]),
        ("jq --slurpfile a b . c", ["/ws/b", "/ws/c"]),
        ("jq -f program data", ["/ws/program", "/ws/data"]),
        ("find /etc -name passwd", ["/etc", "/etc/passwd"]),
        ("find -name .env", ["/ws/.", "/ws/./.env"]),
        ("find a -newer b", ["/ws/a", "/ws/b"]),
        ("fd x /etc", ["/etc"]),
        ("rg x", ["/ws/."]),
        ("rg -g .env x", ["/ws/.", "/ws/./.env"]),
        ("rg -g '!.env' x src", ["/ws/src"]),
        ("grep -r --include=.env x src", ["/ws/src", "/ws/src/.env"]),
        ("diff --from-file=/etc/x a", ["/etc/x", "/ws/a"]),
        ("base64 -i /etc/x", ["/etc/x"]),
        ("date -r /etc/x", ["/etc/x"]),
        ("tar tf /etc/x", ["/etc/x"]),
        ("last -f /etc/x", ["/etc/x"]),
        ("last --file=/etc/x", ["/etc/x"]),
        ("who /etc/x", ["/etc/x"]),
        ("users /etc/x", ["/etc/x"]),
        ("findmnt -F /etc/x", ["/etc/x"]),
        ("findmnt --verify --tab-file=/etc/x", ["/etc/x"]),
        ("lscpu -s /etc/x", ["/etc/x"]),
        ("lsblk --sysroot /etc/x", ["/etc/x"]),
        ("lsusb -D /etc/x", ["/etc/x"]),
        ("echo x", []),
    ],
)
def test_what_is_read_is_seen(line: str, names: list[str]) -> None:
    assert sorted({touch.name for touch in program_part(line).touches}) == sorted(set(names))


@pytest.mark.parametrize("line", ["grep -r x src", "ls -R src", "rg x src", "find src", "fd x src", "diff -r src a"])
def test_what_lies_below_is_read_too(line: str) -> None:
    assert any(touch.name == "/ws/src" and touch.whole for touch in program_part(line).touches)


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("find src -name '*.py'", Output(names_below="src", named=("*.py",))),
        ("find src docs", Output(names_below=".")),
        ("find . -name '*.pyc'", Output(names_below=".", named=("*.pyc",))),
        ("find . -name '*.pyc' -o -name x", Output(names_below=".", named=("*.pyc", "x"))),
        ("find src /etc", None),
        ("find ../a ../b", None),
        ("rg -l x", Output(names_below="")),
        ("grep -rl x src", Output(names_below="src")),
        ("fd -e py", Output(names_below="")),
        ("rg x", None),
        ("fd x -x cat", None),
        ("ls", Output(names_below="")),
        ("ls -1t src", Output(names_below="")),
        ("ls -a", None),
        ("ls -l", None),
        ("ls /etc", None),
    ],
)
def test_names_that_are_printed_are_known_to_lie_somewhere(line: str, output: Output | None) -> None:
    assert program_run(line)[1] == output


def _with(*words: Argument | str) -> list[str]:
    given = tuple(Argument(word, written=word) if isinstance(word, str) else word for word in words)
    part, _ = understand(Invocation(given, "", HERE), PlainInside())
    return [danger.text for danger in part.dangers]


UNKNOWN = Argument("", exact=False, written='"$x"')
UNKNOWN_WORDS = Argument("", exact=False, many=True, written="$x")


def test_a_value_that_is_not_known_is_no_danger_where_it_can_do_nothing() -> None:
    assert _with("echo", UNKNOWN_WORDS) == []
    assert _with("printf", "%s\n", UNKNOWN_WORDS) == []
    assert _with("[", "-n", UNKNOWN, "]") == []
    assert _with("[", UNKNOWN, "=", UNKNOWN, "]") == []
    assert _with("grep", "-e", "x", Argument("src/", exact=False, below=True, written="src/$x")) == []
    assert _with("find", ".", "-name", UNKNOWN) == []
    assert _with("jq", "--arg", "a", UNKNOWN, ".x == $a", "f") == []


def test_a_value_that_is_not_known_is_a_danger_where_it_can_do_something() -> None:
    assert _with("printf", UNKNOWN, "x")
    assert _with("[", UNKNOWN_WORDS, "=", "a", "]")
    assert _with("[", UNKNOWN, UNKNOWN, "]")
    assert _with("[", "-v", UNKNOWN, "]")
    assert _with("sed", UNKNOWN, "f")
    assert _with("awk", UNKNOWN, "f")
    assert _with("sort", UNKNOWN_WORDS)
    assert _with("find", UNKNOWN)
    assert _with("find", ".", UNKNOWN)
    assert _with("find", ".", "-name", UNKNOWN_WORDS)
    assert _with("find", ".", "-exec", "echo", UNKNOWN, "-delete", ";")
    assert _with("find", ".", "-exec", "echo", UNKNOWN_WORDS, ";")
    assert _with("fd", UNKNOWN_WORDS)
    assert _with("fd", "x", "-x", "echo", UNKNOWN_WORDS)
    assert _with("tar", "cf", "a", UNKNOWN_WORDS)
    assert _with("tar", UNKNOWN, "a")
    assert _with("jq", ".", UNKNOWN_WORDS)
    assert _with("grep", UNKNOWN_WORDS, "f")


def test_names_that_a_pattern_brings_are_options_only_where_options_matter() -> None:
    pattern = Argument("*", glob=True, many=True, written="*")
    assert [_with(*words, pattern) for words in (["ls"], ["cat"], ["wc", "-l"], ["grep", "x"], ["md5sum"])] == [[]] * 5
    assert all(_with(*words, pattern) for words in (["sort"], ["tar", "cf", "a"], ["sed", "p"], ["rg", "x"], ["find"]))


def test_a_pattern_of_names_in_the_place_of_a_text_brings_files_too() -> None:
    pattern = Argument("/etc/*", glob=True, many=True, written="/etc/*")
    part, _ = understand(Invocation((Argument("grep"), pattern), "", HERE), PlainInside())

    assert [(touch.name, touch.glob) for touch in part.touches] == [("/etc/*", True)]


@pytest.mark.parametrize("line", ["head -5", "tail -n 1", "sort -u", "uniq", "grep -v x", "grep -E 'a|b'"])
def test_names_that_are_chosen_from_are_still_names(line: str) -> None:
    names = Output(names_below="src", named="*.o")

    assert program_run(line, stdin=names)[1] == names
    assert program_run(f"{line} f f" if line != "uniq" else "uniq f", stdin=names)[1] != names


@pytest.mark.parametrize("line", ["head -c 5", "uniq -c", "grep -o x", "grep -n x", "cut -c1", "sed p", "tr a b"])
def test_names_that_are_changed_are_no_longer_known(line: str) -> None:
    assert program_run(line, stdin=Output(names_below="src"))[1] is None
