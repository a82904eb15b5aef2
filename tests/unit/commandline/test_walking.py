"""Where a command goes: folders, variables, functions, loops, and the ways that it may or may not take."""

import pytest

from assent.commandline.read import LONGEST
from assent.commandline.walk import MOST_PARTS
from assent.model.calls import Access
from tests.support.reading import dangerous, programs, read, touched

R, W, D, RUN = Access.READ, Access.WRITE, Access.DELETE, Access.RUN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b & c | d && e || f", ["a", "b", "c", "d", "e", "f"]),
        ("a\nb", ["a", "b"]),
        ("(a; { b; })", ["a", "b"]),
        ("a $(b `c`)", ["c", "b …", "a …"]),
        ('a "$(b)"', ["b", "a …"]),
        ("a <(b) > >(c)", ["b", "c", "a /dev/fd/63"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("case $x in a) b;; *) c;; esac", ["b", "c"]),
        ("for x in 1 2; do a $x; done", ["a 1", "a 2"]),
        ("for ((i=0; i<3; i++)); do a; done", ["a"]),
        ("cat <<E\n$(a)\nE\n", ["a", "cat"]),
        ("cat <<'E'\n$(a)\nE\n", ["cat"]),
        ("! a | b", ["a", "b"]),
        ("x=$(a) b", ["a", "b"]),
        ("x=$(a)", ["a"]),
    ],
)
def test_every_program_is_found(text: str, expected: list[str]) -> None:
    assert programs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r\\m x", "rm x"),
        ("'r'\"m\" x", "rm x"),
        ("$'\\x72m' x", "rm x"),
        ("r\\\nm x", "rm x"),
        ("{rm,-rf,x}", "rm -rf x"),
        ("a=rm; $a -rf x", "rm -rf x"),
        ("a='rm -rf x'; $a", "rm -rf x"),
        ('a=(rm -rf x); "${a[@]}"', "rm -rf x"),
        ("$(echo rm) x", "rm x"),
        ("`printf %s rm` x", "rm x"),
        ('set -- rm x; "$@"', "rm x"),
        ("git config alias.p push; git p origin", "git push origin"),
        ("git config --global alias.p 'push -f' && git p", "git push -f"),
        ("git -c alias.a=b -c alias.b=push a", "git -c alias.a=b -c alias.b=push push"),
        ("git config alias.p '!rm x'; git p", "rm x"),
        ("a=(rm x); ${a[@]}", "rm x"),
        ("a=(r m); ${a[@]} x", "r m x"),
        ("set -- rm x; $@", "rm x"),
        ("set -- rm x; $*", "rm x"),
        ("set -- b e; rm c$@d", "rm cb ed"),
        ('set -- -rf x; rm "$@"', "rm -rf x"),
        ('f() { rm "$1"; }; f x', "rm x"),
        ('function f { "$@"; }; f rm x', "rm x"),
        ("eval rm x", "rm x"),
        ("eval 'eval \"rm x\"'", "rm x"),
        ("command rm x", "rm x"),
        ("exec rm x", "rm x"),
        ("builtin eval rm x", "rm x"),
        ("trap 'rm x' EXIT", "rm x"),
        ("alias ls='rm x'", "rm x"),
        ("for c in ls rm; do $c x; done", "rm x"),
        ("c=r; c=${c}m; $c x", "rm x"),
        ("c=~/../u; rm $c", "rm /home/u/../u"),
        ("a=ls; a=rm b=$a; $b x", "rm x"),
        ("a=ls; f() { $a x; }; a=rm f", "rm x"),
        ("a=ls; a=rm eval '$a x'", "rm x"),
        ("f() { cd a; return; }; f; rm x", "rm x"),
        ("bash -c '\"$@\"' _ rm x", "rm x"),
        ("sh -c '$0 x' rm; bash -c '$1 x' _ rm", "rm x"),
        ("f() { ${1:-rm} x; }; f", "rm x"),
    ],
)
def test_a_program_is_known_under_every_spelling(text: str, expected: str) -> None:
    assert expected in programs(text)


@pytest.mark.parametrize(
    "text",
    [
        "$x y",
        "$(cat f) y",
        "${x:-rm} y",
        "true && c=rm || c=ls; $c x",
        "c=ls; while read -r c; do $c x; done",
        'eval "$x"',
        "source <(a)",
        "IFS=x; a=rmx; $a y",
        "x=ls; printf -v x rm; $x y",
        "x=ls; (( x = 1 )); $x y",
        "x=ls; x+=m; $x y",
        "x=ls; x[0]=rm; $x y",
        "x=ls; : {x}>f; $x y",
        "x=ls; let x=1; $x y",
        "read c < f; $c",
    ],
)
def test_what_only_shows_when_it_runs_is_said_to_be_unknown(text: str) -> None:
    assert any(part.dynamic for part in read(text).all()) or dangerous(text)


@pytest.mark.parametrize(
    ("text", "access", "expected"),
    [
        ("cd a && cat x", R, {"/ws/a/x"}),
        ("cd a; cat x", R, {"/ws/a/x", "/ws/x"}),
        ("cd a || exit 1; cat x", R, {"/ws/a/x"}),
        ("cd a || exit --help; cat x", R, {"/ws/a/x", "/ws/x"}),
        ("cd a || return; cat x", R, {"/ws/a/x", "/ws/x"}),
        ("f() { cd a; return; }; f; cat x", R, {"/ws/a/x", "/ws/x"}),
        ("f() { [ x ] && return; cd a; }; f; cat x", R, {"/ws/a/x", "/ws/x"}),
        ("for x in 1 2; do cd /b; break; done; cat x", R, {"/b/x", "/ws/x"}),
        ("true || cd a; cat x", R, {"/ws/x", "/ws/a/x"}),
        ("[ -e z ] && ls() { cat x; }; ls y", R, {"/ws/x", "/ws/y"}),
        ("(cd a && cat x) && cat y", R, {"/ws/a/x", "/ws/y"}),
        ("cd a | cat x", R, {"/ws/x"}),
        ("cd a/b && cd .. && cat ../x", R, {"/ws/a/../x"}),
        ("cd && cat x", R, {"/home/u/x"}),
        ("cd ~/b && cat x", R, {"/home/u/b/x"}),
        ('cat ~/x $HOME/y "$PWD/z"', R, {"/home/u/x", "/home/u/y", "/ws/z"}),
        ("cat < in", R, {"/ws/in"}),
        ("echo > out 2>> err &> both", W, {"/ws/out", "/ws/err", "/ws/both"}),
        ("echo >| out; echo >& o2; echo <> o3", W, {"/ws/out", "/ws/o2", "/ws/o3"}),
        ("> out", W, {"/ws/out"}),
        ("mkdir -p -", W, {"/ws/./-"}),
        ("xxd in -ipi", W, {"/ws/-ipi"}),
        ("find ./a/b -exec touch '{}.x' \\;", W, {"/ws/./a/"}),
        ("find . -exec touch '{}.x' \\;", W, {"/ws/./"}),
        ('for f in a/*.py; do g=$f; cat "$g"; done', R, {"/ws/a/*.py"}),
        ('for f in *; do echo > "$f"; done', W, {"/ws/*"}),
        ("for f in *; do cat < $f; done", R, {"/ws/*"}),
        ("echo > *.x", W, {"/ws/*.x"}),
        ("x=.e*; cat >> $x", W, {"/ws/.e*"}),
        ('x=.e*; cat >> "$x"', W, {"/ws/.e*"}),
        ("cd a && false || echo > x", W, {"/ws/a/x", "/ws/x"}),
        ("cd a; > x", W, {"/ws/a/x", "/ws/x"}),
        ("cd a; { ls; } > x", W, {"/ws/a/x", "/ws/x"}),
        ("IFS=,; cat x", R, {"/ws/x"}),
        ("cd a && true & cat x", R, {"/ws/x"}),
        ("cd a & cat x", R, {"/ws/x"}),
        ("cd a; true & cat x", R, {"/ws/a/x", "/ws/x"}),
        ("cat x & cd a && cat y", R, {"/ws/x", "/ws/a/y"}),
        ("cd a && cd - && cat x", R, {"/ws/x"}),
        ("f() { cd /a; for b in 1; do return; done; cd /ws; }; f; cat x", R, {"/a/x", "/ws/x"}),
        ("for a in 1; do cd /b; for c in 1; do break 2; done; cd /ws; done; cat x", R, {"/ws/x", "/b/x"}),
        ("{ echo; } > out", W, {"/ws/out"}),
        ("while true; do :; done < in > out", W, {"/ws/out"}),
        ("echo > /dev/null 2>&1 >&2 2>&-", W, set()),
        ("for f in a b; do cat $f.x; done", R, {"/ws/a.x", "/ws/b.x"}),
        ("cat a/*.py", R, {"/ws/a/*.py"}),
        ('for f in a/*.py; do cat "$f"; done', R, {"/ws/a/*.py"}),
        ("cd a && for f in *.py; do cat $f; done", R, {"/ws/a/*.py"}),
        ("x=$(pwd); cat $x/y", R, {"/ws/y"}),
        ("cd a", RUN, {"/ws/a"}),
        ("./run.sh; ../x", RUN, {"/ws/./run.sh", "/ws/../x"}),
        ("rm -r a b/", D, {"/ws/a", "/ws/b/"}),
    ],
)
def test_paths_are_known_where_they_can_be(text: str, access: Access, expected: set[str]) -> None:
    assert touched(text, access) == expected


@pytest.mark.parametrize(
    "text",
    [
        "cat $x",
        'cat "$x"',
        'rm "$x"',
        "cd $x && cat y",
        "cd - && cat y",
        "cd a; cd - && cat y",
        "popd; cat y",
        "echo > $x",
        "echo > ~bob/x",
        "while :; do cd ..; cat x; done",
        "cat .*",
        "echo ${x@P}",
        "echo ${!x}",
        "echo ${x:=y}",
        "echo $((x[$(id)]))",
        "x='a[$(id)]'; echo $((x))",
        "[[ $x -eq 1 && 'a[$(id)]' -eq 1 ]]",
        "[[ -v 'a[$(id)]' ]]",
        "PATH=/tmp; ls",
        "export LD_PRELOAD=x; ls",
        "declare -x LD_PRELOAD=x; ls",
        "LD_PRELOAD=x ls",
        "unset PATH; ls",
        "enable -f x y; ls",
        "hash -p /tmp/x ls; ls",
        "shopt -s expand_aliases",
        "set -a",
        "set -k",
        "exec 3<>/dev/tcp/a/1",
        "echo > /dev/udp/a/1",
        "declare -n r=PATH",
        "mapfile -C x a",
        "let 'x=a[$(id)]'",
        "getopts a PATH",
        "read PATH < x",
        "read -u 3 'a[$(id)]'",
        "read 'a[$(id)]'",
        "unset 'a[$(id)]'",
        "printf -v 'a[$(id)]' x",
        "printf -v PATH x",
        "x=$(cat f); echo $((x + 1))",
        "read x; [[ 1 -eq $x ]]",
        "x=$(cat f); [[ $x -gt 1 ]]",
        "readonly x=rm",
        "ls() { :; }; unset -f ls; ls",
        "(( PATH = 1 )); ls",
        "wait -p x",
        "xxd a -- b",
        "git log -pn --output new.txt",
        "xxd -s a/* b",
        "git commit -S -m x",
        "git tag -u k v7",
        "command_not_found_handle() { rm x; }; nosuch",
        "x=a; f() { local x; cat $x; }; f",
        "for _ in ls; do : rm; $_ x; done",
        "_=a; : .env; cat $_",
        "find src -name '*.py' | { exec < list; while read -r f; do cat \"$f\"; done; }",
        "exec 3<list; find src | xargs cat <&3",
        "mapfile -u 3 -t a",
        "PS4='$(id)'; set -x; :",
        "f() { ls; }; trap f EXIT",
        "f() { ls; }; export -f f; bash -c f",
        "compgen -F f x",
        "find src -maxdepth 0 | xargs -I{} cat {}/../.env",
        "cat $(grep -rl x 'src/x /etc/passwd y' 2>&1)",
        "{ grep -rl x 'src/x y'; } 2>&1 | xargs cat",
        "mkdir -p e; echo x > e/config; cd e; git status",
        "cp conf e/HEAD; git -C e status",
        "cp conf config; git status",
        "cp conf e/.git/x; cp y e/.git/config; cd e/f; git log",
        "trap 'echo > config' EXIT; cd .git",
        "trap ls EXIT; ls() { rm x; }",
        "x='a b'; echo > $x",
        "set -o keyword",
        "set -o posix",
        "set -ek",
        "set $x",
        'trap "$(cat f)" EXIT',
        "trap $x EXIT",
        "shopt -s lastpipe",
        "x='a[$(id)]'; s=abc; echo ${s:x}",
        "x='a[$(id)]'; s=abc; echo ${s:0:x}",
        "x=lib; f() { local x=src; }; f; echo a > $x/made",
        "x=lib; f() { declare x=src; }; f; cat $x/made",
        "jobs -x id",
        "git show $(git rev-parse HEAD):$x",
        "git log -$(git describe)",
        "rm $(git describe)",
        "$(git describe) x",
        "git show $(git rev-parse --git-dir)",
        "for PATH in a; do ls; done",
        "echo hi >&'$(touch x)y'",
        "x='`touch x`y'; echo hi >&\"$x\"",
        "echo hi >&'a b'",
        "sort -k1${IFS}-oout f",
        "sort --key=$x f",
        "find . | xargs sort",
        "sort $(find .)",
        "bash -c '$1 x' _ $x",
        "hash -p /bin/rm x; x",
        'for f in *; do echo > "$f.x" $g; done; cat $g',
    ],
)
def test_what_goes_further_is_a_danger(text: str) -> None:
    assert dangerous(text)


@pytest.mark.parametrize(
    "text",
    [
        "echo $x ${x:-y} ${#x} $? $$ $#",
        "x=1; y=$((x + 1)); echo $y",
        "for i in {1..30}; do echo $i; done",
        "set -euo pipefail; cd a; ls",
        "(exit 1) || true",
        "if [ -f a ] && [[ -n $x ]]; then echo yes; fi",
        'files=(a b); for f in "${files[@]}"; do cat "$f"; done',
        'while read -r line; do echo "$line"; done < a',
        "export CI=1 && ls",
        "local x=1",
        "cat <<'E' | head -1\n$(id) `id` ${x@P}\nE\n",
        "f() { local x=$1; echo $x; }; f a",
        "true; false; :",
        "set -e -u -o pipefail; set +x; set -- a b; echo $1",
        "trap - EXIT; trap '' INT",
        "echo x | tee app/config; git add app/config",
        "touch app/HEAD; cd src; git status",
        "s=abc; echo ${s:1:2} ${s: -1}",
        "f() { local x=a; cat $x; }; f",
        "git show $(git rev-parse HEAD)",
        'git push origin "$(git branch --show-current)"',
        "b=$(git rev-parse --abbrev-ref HEAD); git log main..$b",
        "x=0; for i in 1 2; do x=$((x + i)); done; echo $x",
        "x=0; while [ $x -lt 5 ]; do x=$((x + 1)); (( x++ )); done",
        'x=${1:-src}; ls "$x"',
        "read -r a _ < x; echo $a",
        "IFS=$'\\n'; for l in $(cat x); do echo \"$l\"; done",
        "find src -name '*.ts' -exec sh -c 'wc -l \"$1\"' _ {} \\;",
    ],
)
def test_what_is_ordinary_is_no_danger(text: str) -> None:
    assert not dangerous(text)


@pytest.mark.parametrize(
    "text",
    [
        "a '",
        'a "',
        "a $(b",
        "a `b",
        "if a",
        "a &&",
        "coproc a",
        "a\rb",
        "a\x00b",
        "a\u200bb",
        "a\u2028b",
        "a\u00a0b",
        "; a",
        "a;;b",
        "x" * (LONGEST + 1),
        "( " * 200 + "a" + " )" * 200,
        "true;" * (MOST_PARTS + 1),
        "a=a;" + "a=$a$a$a$a;" * 13 + "rm $a",
        "a=a;" + 'a="$a$a$a$a";' * 13 + 'rm "$a"',
        "a=a;" + "a=$(echo $a$a $a$a);" * 13 + "rm $a",
        "a=" + "a" * 5_000 + ";" + "rm $a;" * 300,
    ],
)
def test_what_is_not_fully_understood_is_not_read(text: str) -> None:
    command = read(text)
    assert command.unreadable
    assert command.parts == ()


def test_what_a_pattern_prints_many_times_is_not_known_where_it_is_much() -> None:
    assert touched("rm $(printf 'x%s' a)", D) == {"/ws/xa"}
    pattern = "x" * 1_000
    assert read(f"rm $(printf '{pattern}%s' {'a ' * 10})").parts[-1].words[1].exact
    assert not read(f"rm $(printf '{pattern}%s' {'a ' * 500})").parts[-1].words[1].exact


def test_words_of_what_cannot_be_read_are_still_there_for_restrictions() -> None:
    assert "rm" in read("true;" * (MOST_PARTS + 1) + "rm -rf x").words
    assert "rm" in read("coproc r\\m x").words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd a; cat x", {"/ws/a/x"}),
        ("cd a; cd ..; cat x", {"/ws/x"}),
        ("cd a; cd b; cat x", {"/ws/a/b/x", "/ws/a/x"}),
        ("cat y; cd a; cat x", {"/ws/y", "/ws/a/x"}),
        ("touch b; cd a; cat x", {"/ws/a/x", "/ws/x"}),
        ("npm test; cd a; cat x", {"/ws/a/x", "/ws/x"}),
        ("eval 'npm test'; cd a; cat x", {"/ws/a/x", "/ws/x"}),
        ("$(npm test); cd a; cat x", {"/ws/a/x", "/ws/x"}),
        ("cd a/b; cat x", {"/ws/a/b/x", "/ws/x"}),
    ],
)
def test_going_to_a_folder_that_is_there_does_not_fail(text: str, expected: set[str]) -> None:
    command = read(text, folders=("/ws/a", "/ws"))
    assert {touch.name for part in command.all() for touch in part.touches if touch.access is R} == expected


def test_a_folder_that_a_loop_takes_away_may_be_missing() -> None:
    command = read("while :; do cd /ws/a; cat x; rm -r /ws/a; done", folders=("/ws/a", "/ws"))
    assert {touch.name for part in command.all() for touch in part.touches if touch.access is R} != {"/ws/a/x"}


def test_nothing_at_all_has_no_parts() -> None:
    assert read("").parts == read("  \n # only words\n").parts == ()
    assert read("x=1").parts == ()


def test_line_ends_of_windows_are_line_ends() -> None:
    assert programs("a\r\nb") == ["a", "b"]
