"""Programs that start another one: what they start is found, and what they do besides is named."""

import pytest

from assent.commandline.given import Output
from assent.model.calls import Access
from assent.model.commands import Argument
from assent.model.modes import Category
from tests.support.programs import PlainInside, arguments, program_part

TRANSPARENT = """
env ls
env LANG=C TZ=UTC ls -l
env -i ls
env - ls
env -u HOME ls
command ls
command -p ls
nice ls
nice -n 10 ls
nice -10 ls
nice --adjustment=5 ls
nohup ls
timeout 5 ls
timeout -k 1 -s KILL 5m ls
timeout --signal=INT --kill-after 3 10 ls
timeout --preserve-status -- 10 ls
time ls
time -f '%e' ls
stdbuf -oL -eL ls
setsid -w ls
ionice -c 3 ls
ionice -c2 -n7 ls
chrt -i 0 ls
taskset -c 0,1 ls
taskset 0x3 ls
chronic ls
unbuffer ls
caffeinate -i ls
setarch x86_64 -R ls
linux64 ls
xvfb-run -a ls
dbus-run-session -- ls
busybox ls
watch -n 1 ls
watch ls -l
xargs -n1 ls
""".strip().splitlines()

FINDS_RM = """
sudo env LANG=C timeout 5 xargs -I{} nice -n 3 rm {}
sudo rm x
sudo -u bob -- rm x
sudo -n -H LANG=C rm x
sudo -i rm x
sudo -s rm x
doas rm x
doas -u bob rm x
pkexec rm x
pkexec --user bob rm x
su -c 'rm x'
su bob -c 'rm x'
su - bob --command='rm x'
runuser -u bob rm x
runuser -u bob -- rm x
runuser -l bob -c 'rm x'
chroot /srv rm x
chroot --userspec=bob /srv rm x
unshare -r -n rm x
unshare --mount --map-root-user rm x
nsenter -t 1 -m -p rm x
nsenter --target 1 --mount rm x
bwrap --ro-bind / / --dev /dev --proc /proc rm x
bwrap --unshare-all --setenv A b -- rm x
flock lock rm x
flock -w 5 lock -c 'rm x'
flock -n 9 rm x
strace -f -e trace=file rm x
strace -o out rm x
ltrace -S rm x
valgrind --tool=memcheck -q rm x
gdb --args rm x
gdb -q --args rm x
script -c 'rm x' log
script -q -c 'rm x'
ssh host rm x
ssh -p 22 -l bob host 'rm x'
ssh -tt host sudo rm x
ssh host -p 22 rm x
mosh host rm x
watch 'rm x'
watch -n 2 rm x
watch -x rm x
env -S 'rm -f' x
env -C sub rm x
command -p rm x
busybox rm x
busybox nice rm x
toybox rm x
xargs rm
xargs -0 -r rm -f
xargs -a list rm
xargs -d '\\n' -n 1 rm
xargs -I % rm %
xargs -i rm {}
xargs --replace=% rm %
xargs -P4 -L1 timeout 5 rm
parallel rm ::: a b
parallel -j4 rm
systemd-run --user --scope rm x
direnv exec . rm x
nix-shell --run 'rm x'
nix-shell -p git --run 'rm x'
time -p rm x
time -o t rm x
nice nice nice rm x
taskset -c 0 rm x
chrt -f 10 rm x
stdbuf --output=L rm x
ionice -c3 rm x
setsid -f rm x
xvfb-run -s '-screen 0' rm x
caffeinate -t 5 rm x
fakeroot rm x
setarch x86_64 -R rm x
linux32 -R rm x
watchexec -- rm x
nix develop -c rm x
nix shell nixpkgs#git --command rm x
numactl -N 0 rm x
prlimit --nofile=10 rm x
faketime yesterday rm x
firejail rm x
""".strip().splitlines()

DANGEROUS = [
    ("env LD_PRELOAD=x ls", 1),
    ("env PATH=. ls", 1),
    ("env -S 'ls x'", 1),
    ("env -C $x ls", 2),
    ("time -o x ls", 2),
    ("ionice -p 1", 1),
    ("chrt -p 1", 1),
    ("taskset -p 1", 1),
    ("timeout $x ls", 1),
    ("timeout --made-up 5 ls", 1),
    ("xvfb-run -s x ls", 1),
    ("dbus-run-session --dbus-daemon=x -- ls", 1),
    ("busybox --install", 1),
    ("xargs -o ls", 1),
    ("xargs --process-slot-var=PATH ls", 1),
    ("sudo -i", 1),
    ("sudo -s", 1),
    ("sudo -e x", 1),
    ("sudo -A ls", 1),
    ("sudo -R /x ls", 1),
    ("sudo --preserve-env=PATH ls", 1),
    ("sudo LD_PRELOAD=x ls", None),
    ("su", 0),
    ("su - bob", 0),
    ("su -s x -c ls", 1),
    ("doas -s", 1),
    ("runuser bob", 0),
    ("chroot /x ls", 1),
    ("unshare -r ls", 0),
    ("nsenter -t 1 ls", 0),
    ("bwrap --dev /dev ls", 0),
    ("strace -p 1", 1),
    ("strace -o x ls", 2),
    ("strace -E A=b ls", 1),
    ("strace -e inject=all ls", 2),
    ("valgrind --log-file=x ls", 1),
    ("gdb -ex 'shell ls'", 0),
    ("perf record ls", 0),
    ("script", 0),
    ("script log", 0),
    ("ssh -o ProxyCommand=x host", 2),
    ("ssh -oProxyCommand=x host", 1),
    ("ssh -o 'LocalCommand x' host", 2),
    ("ssh -F x host", 1),
    ("ssh -L 1:a:1 host", 1),
    ("ssh -R 1:a:1 host", 1),
    ("ssh -D 1 host", 1),
    ("ssh -J other host", 1),
    ("ssh -A host", 1),
    ("ssh -I lib.so host", 1),
    ("ssh host -o ProxyCommand=x ls", 2),
    ("mosh --ssh=x host", 1),
    ("parallel ls ::: a", 0),
    ("systemd-run ls", 0),
    ("tmux new -d ls", 0),
    ("nix run x", 0),
    ("prlimit -p 1", 1),
    ("entr ls", 0),
    ("systemd-run -p ExecStartPre=x ls", 1),
    ("at now", 0),
    ("batch", 0),
    ("direnv allow", 1),
    ("direnv exec . ls", 1),
    ("nix-shell", 0),
]


@pytest.mark.parametrize("line", TRANSPARENT)
def test_a_plain_wrapper_is_looked_through(line: str) -> None:
    part = program_part(line)

    assert part.transparent
    assert part.dangers == ()
    assert part.category is Category.READ
    assert [inner.steps for inner in part.inner] == [("ls",)]


@pytest.mark.parametrize("line", FINDS_RM)
def test_what_is_started_is_found_through_any_nesting(line: str) -> None:
    assert ("rm",) in {part.steps for part in program_part(line).all()}


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_a_wrapper_does_besides_is_named(line: str, at: int | None) -> None:
    part = program_part(line)

    assert at in {danger.at for danger in part.dangers}
    assert part.category is not Category.READ


@pytest.mark.parametrize("line", ["sudo ls", "doas ls", "ssh host ls", "strace ls", "chroot /x ls", "unshare -r ls"])
def test_other_rights_and_places_are_never_looked_through(line: str) -> None:
    part = program_part(line)

    assert not part.transparent
    assert part.category in (Category.EXECUTE, Category.EXTERNAL)


@pytest.mark.parametrize(
    "line",
    [
        "ssh host",
        "ssh -p 2222 -i key -l bob host uptime",
        "ssh -o BatchMode=yes -o 'ConnectTimeout 5' -oLogLevel=ERROR bob@host 'uptime; df'",
        "ssh -T git@example.org",
        "ssh -tt -4 host -- uptime",
    ],
)
def test_an_ordinary_visit_to_another_machine_is_no_danger(line: str) -> None:
    part = program_part(line)

    assert part.category is Category.EXTERNAL
    assert part.dangers == ()


def test_what_is_piped_to_another_machine_is_run_there() -> None:
    part = program_part("ssh host", stdin=Output("rm x\n"))

    assert part.dangers
    assert ("rm",) in {inner.steps for inner in part.all()}


@pytest.mark.parametrize("line", ["at now", "batch"])
def test_what_is_kept_for_later_is_read(line: str) -> None:
    part = program_part(line, stdin=Output("rm x\n"))

    assert part.dangers
    assert ("rm",) in {inner.steps for inner in part.all()}
    assert program_part(line).dynamic


@pytest.mark.parametrize("line", ["env", "env -0", "command -v ls", "command -V ls", "xargs", "time"])
def test_without_a_command_nothing_is_started(line: str) -> None:
    part = program_part(line)

    assert part.inner == ()
    assert part.dangers == ()


def test_a_command_runs_in_the_folder_that_its_wrapper_names() -> None:
    assert program_part("env -C sub rm x").inner[0].directory == "/ws/sub"
    assert program_part("sudo -D /srv rm x").inner[0].directory == "/srv"


def _words_inside(line: str, stdin: Output | None) -> list[tuple[Argument, ...]]:
    return [part.words for part in program_part(line, stdin=stdin).inner]


def _texts(line: str, text: str) -> list[list[str]]:
    return [[word.text for word in words] for words in _words_inside(line, Output(text))]


@pytest.mark.parametrize(
    ("line", "text", "runs"),
    [
        ("xargs rm", "a b\nc\n", [["rm", "a", "b", "c"]]),
        ("xargs rm", "'a b' \"c d\" e\\ f\n", [["rm", "a b", "c d", "e f"]]),
        ("xargs rm -f", "", [["rm", "-f"]]),
        ("xargs -n1 rm", "a b\nc\n", [["rm", "a"], ["rm", "b"], ["rm", "c"]]),
        ("xargs -n 2 rm", "a b c", [["rm", "a", "b"], ["rm", "c"]]),
        ("xargs -L1 rm", "a b\nc\n", [["rm", "a", "b"], ["rm", "c"]]),
        ("xargs -0 rm", "a b\0c\n", [["rm", "a b", "c\n"]]),
        ("xargs -d '\\n' rm", "a b\n'c'\n", [["rm", "a b", "'c'"]]),
        ("xargs -d, rm", "a,b", [["rm", "a", "b"]]),
        ("xargs -I{} mv {} x/{}.bak", " a b\nc\n", [["mv", "a b", "x/a b.bak"], ["mv", "c", "x/c.bak"]]),
        ("xargs -i cp {} y", "a\n", [["cp", "a", "y"]]),
        ("xargs -I % {} %", "a\n", [["{}", "a"]]),
        ("xargs", "a\n", []),
    ],
)
def test_known_input_becomes_arguments_as_xargs_would_split_it(line: str, text: str, runs: list[list[str]]) -> None:
    assert _texts(line, text) == runs


def test_unknown_input_is_never_taken_for_known() -> None:
    for line, stdin in (
        ("xargs rm", None),
        ("xargs rm", Output("it's\n")),
        ("xargs -a list rm", Output("a\n")),
        ("xargs -E x rm", Output("a\n")),
    ):
        (words,) = _words_inside(line, stdin)
        assert (words[-1].exact, words[-1].many) == (False, True)


def test_names_of_files_stay_below_their_folder() -> None:
    names = Output(names_below="src")

    (words,) = _words_inside("xargs grep x", names)
    assert {(word.text, word.exact, word.below) for word in words[2:]} == {("src/", False, True)}
    (words,) = _words_inside("xargs -I{} cp {} out/{}", names)
    assert [(word.text, word.below) for word in words[1:]] == [("src/", True), ("out/src/", True)]
    (words,) = _words_inside("xargs -I{} cp {} out{}", names)
    assert not words[2].below
    (words,) = _words_inside("xargs -I{} cp --target={} x", names)
    assert not words[1].below


def test_names_that_are_split_at_blanks_are_a_danger_where_files_change() -> None:
    names = Output(names_below=".")

    assert program_part("xargs rm", stdin=names).dangers
    assert not program_part("xargs -0 rm", stdin=names).dangers
    assert not program_part("xargs -d '\\n' rm", stdin=names).dangers
    assert not program_part("xargs cat", stdin=names).dangers


def test_a_piece_of_a_name_can_be_an_option_where_options_do_more_than_reading() -> None:
    names = Output(names_below=".")

    def dangers(line: str) -> bool:
        return any(part.dangers for part in program_part(line, stdin=names).all())

    assert dangers("xargs sort")
    assert dangers("xargs nice git log")
    assert not dangers("xargs -0 sort")
    assert not dangers("xargs grep -n x")
    assert not dangers("xargs nice grep -n x")


def test_a_text_for_a_shell_with_unknown_names_in_it_is_not_known_but_read() -> None:
    part = program_part("xargs -I{} watch 'rm {}'", stdin=Output(names_below="."))

    assert any(inner.dynamic for inner in part.all())
    assert ("rm",) in {inner.steps for inner in part.all()}


def test_a_run_for_every_line_has_an_end() -> None:
    part = program_part("xargs -n1 ls", stdin=Output("a\n" * 5000))

    assert len(part.inner) <= 500
    assert part.dangers


def test_flock_makes_its_file() -> None:
    part = program_part("flock /srv/lock ls")

    assert [(touch.access, touch.name) for touch in part.touches] == [(Access.WRITE, "/srv/lock")]
    assert part.category is Category.WRITE


def test_words_that_are_not_known_make_the_inner_program_unknown() -> None:
    words = arguments("nice", "$x")
    assert PlainInside().of_words(words, "/ws", None).inner[0].dynamic
