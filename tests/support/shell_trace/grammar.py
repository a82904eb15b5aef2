"""Lines of shell, made up from a seed: everyday commands in all constructs, and some less harmless."""

import random

from tests.support.shell_trace.causes import CAUSES
from tests.support.shell_trace.mutation import mutated
from tests.support.shell_trace.programs import (
    FILES,
    GIT,
    GLOBS,
    NEW,
    ODD_FILES,
    PROGRAMS,
    REDIRECTS,
    SET_BEFORE,
    SMALL,
    TRAPS,
    words_of,
)
from tests.support.shell_trace.spelling import Speller, plain

_DEEPEST = 2


class Lines:
    """Makes up lines. The same seed gives the same line."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._oddness = self._rng.choice((0.0, 0.02, 0.05, 0.1, 0.2))
        self._speller = Speller(self._rng, oddness=self._rng.choice((0.0, 0.05, 0.1, 0.3)))

    def line(self) -> str:
        """One line, or several that belong together."""
        text = self._trap() if self._rng.random() < 0.1 else self._list(0)
        if self._rng.random() < 0.08:
            text += "\n" + self._list(0)
        if self._rng.random() < 0.05:
            text = self._with_here_document(text)
        before = list(dict.fromkeys(self._speller.before))
        joint = self._rng.choice(("; ", "\n", " && "))
        text = joint.join([*before, text])
        return mutated(self._rng, text) if self._rng.random() < 0.13 else text

    def _list(self, depth: int) -> str:
        count = self._rng.choice((1, 1, 1, 1, 1, 1, 2)) if depth == 0 else self._rng.choice((1, 1, 1, 1, 2))
        text = self._pipeline(depth)
        for _ in range(count - 1):
            text += self._rng.choice((" && ", " || ", "; ", "\n", " & ", ";", "&&")) + self._pipeline(depth)
        return text

    def _pipeline(self, depth: int) -> str:
        count = self._rng.choice((1, 1, 1, 1, 2, 3))
        joined = self._rng.choice((" | ", " | ", "|", " |& ", " |\n"))
        return ("! " if self._rng.random() < 0.02 else "") + joined.join(self._command(depth) for _ in range(count))

    def _trap(self) -> str:
        """A line of its own, with a small command somewhere in it."""
        if self._rng.random() < 0.5:
            return self._rng.choice(CAUSES).line(self._rng.randrange(10**6))
        small = self._rng.choice((self._small(), "id", "touch made.txt", "cat .env"))
        return self._rng.choice(TRAPS).replace("CMD", small)

    def _command(self, depth: int) -> str:
        if depth < _DEEPEST and self._rng.random() < 0.18:
            return self._compound(depth + 1)
        if self._rng.random() < 0.15:
            return self._wrapped(depth)
        return self._simple()

    def _simple(self) -> str:
        words = self._words()
        spelled = [self._speller.word(word) for word in words]
        if self._rng.random() < 0.08:
            at = self._rng.randrange(1, len(spelled) + 1)
            spelled.insert(at, self._unusual())
        if self._rng.random() < 0.15:
            at = self._rng.randrange(len(spelled) + 1) if self._rng.random() < self._oddness else len(spelled)
            spelled.insert(at, self._redirect())
        if self._rng.random() < self._oddness / 2:
            spelled.insert(0, self._rng.choice(SET_BEFORE))
        text = spelled[0]
        for word in spelled[1:]:
            text += self._speller.blank() + word
        return text

    def _words(self) -> list[str]:
        table = GIT if self._rng.random() < 0.15 else PROGRAMS
        return words_of(self._rng, self._rng.choice(table), self._oddness)

    def _unusual(self) -> str:
        """A word that is more than text."""
        small = self._small()
        ways = (
            *(
                self._glob(),
                self._glob(),
                f"$({small})",
                f'"$({small})"',
                f"<({small})",
                f"{{{self._file()},{self._file()}}}",
            ),
            *(
                "$x",
                '"$x"',
                "$((1 + 2))",
                "~",
                "$HOME",
                "$PWD",
                '"${x:-notes.txt}"',
                "${x%.txt}",
                "$RANDOM",
                "$'a\\tb'",
            ),
            *(
                f">({small})",
                "{1..3}",
                "${x@P}",
                "${!x}",
                "${x/a/b}",
                "$@",
                "${x:0:2}",
                "~root",
                "$_",
                "$OLDPWD",
                "${#x}",
                "$0",
            ),
            *(
                '"$@"',
                "${x:=notes.txt}",
                "$[1+1]",
                "`pwd`",
                "${PWD}/notes.txt",
                "*{.txt,.md}",
                "?(a)*.txt",
                "@(a|b)",
                "~+",
                "$'\\x2do'",
            ),
        )
        if self._rng.random() < 0.8:
            self._speller.before.append(f"x={plain(self._file())}")
        odd = len(ways) if self._rng.random() < max(self._oddness, 0.15) else 16
        return ways[self._rng.randrange(odd)]

    def _small(self) -> str:
        text = self._rng.choice(SMALL)
        return text.replace("FILE", plain(self._file())).replace("NEW", plain(self._rng.choice(NEW)))

    def _file(self) -> str:
        return self._rng.choice(ODD_FILES if self._rng.random() < self._oddness / 2 else FILES)

    def _glob(self) -> str:
        return self._rng.choice(GLOBS)

    def _redirect(self) -> str:
        text = self._rng.choice(REDIRECTS)
        return text.replace("NEW", self._speller.word(self._rng.choice(NEW))).replace(
            "FILE", self._speller.word(self._file())
        )

    def _with_here_document(self, text: str) -> str:
        mark = self._rng.choice(("EOF", "'EOF'", '"E F"', "\\EOF", "-EOF"))
        end = mark.strip("'\"\\-")
        body = self._rng.choice(
            ("notes.txt\n", "a\n$x\n", "$(echo hi)\n", "`id`\n", "", "\tEOF \n", "x\\\ny\n", "$(cat .env)\n")
        )
        joint = self._rng.choice((" | ", " && ", "; ", " | tee NEW | ", " > NEW; ")).replace(
            "NEW", plain(self._rng.choice(NEW))
        )
        return f"{self._simple()} <<{mark}{joint}{self._simple()}\n{body}{end}\n{text}"

    def _compound(self, depth: int) -> str:
        inner = self._list(depth)
        name = self._rng.choice(("x", "f", "i"))
        used = self._rng.choice(
            (
                f"cat ${name}",
                f'cat "${name}"',
                f'wc -l < "${name}"',
                f"echo ${name}",
                f"rm ${name}",
                f'cp "${name}" build/',
                inner,
            )
        )
        ways = (
            f"( {inner} )",
            f"{{ {inner}; }}",
            f"if {self._simple()}; then {inner}; fi",
            f"if [ -f {plain(self._file())} ]; then {inner}; else {self._simple()}; fi",
            f"for {name} in {self._glob()}; do {used}; done",
            f"for {name} in {plain(self._file())} {plain(self._file())}; do {used}; done",
            f"for {name} in $({self._small()}); do {used}; done",
            f"{self._small()} | while read -r {name}; do {used}; done",
            f"while read {name}; do {used}; done < {plain(self._file())}",
            f"case {plain(self._file())} in *.txt) {inner};; *) {self._simple()};; esac",
            f"{name}() {{ {inner}; }}; {name} {plain(self._file())}",
            f"cd {plain(self._file())} && {inner}",
            f"(cd {plain(self._file())}; {inner})",
            f"{name}={plain(self._file())}; {used}",
            f"{name}=$({self._small()}); {used}",
            f"[[ -f {plain(self._file())} && ${name} == *.txt ]] && {inner}",
            f"(( {name} = 1 + 2 )) && {inner}",
            f"for ((i=0; i<2; i++)); do {inner}; done",
            f"{{ {inner}; }} > {plain(self._rng.choice(NEW))}",
            f'set -- {plain(self._file())} {plain(self._file())}; cat "$@"',
            f"until {self._simple()}; do {inner}; break; done",
            f"exec > {plain(self._rng.choice(NEW))}; {inner}",
            f'a=({plain(self._file())} {plain(self._file())}); cat "${{a[@]}}"',
            f"read -r {name} < {plain(self._file())}; {used}",
            f"printf '%s\\n' {plain(self._file())} | (read {name}; {used})",
            f"pushd {plain(self._file())} && {inner}; popd; {self._simple()}",
            f"local x; declare {name}={plain(self._file())}; {used}",
            f"cd {plain(self._file())}; cd -; {inner}",
            f'mapfile -t a < {plain(self._file())}; cat "${{a[@]}}"',
            f"ln -s {plain(self._file())} newlink; cat newlink",
            f"mkdir -p d1; cd d1; {inner}",
        )
        return self._rng.choice(ways)

    def _wrapped(self, depth: int) -> str:
        words = [self._speller.word(word) for word in self._words()]
        simple = " ".join(words)
        text = plain(self._list(depth + 1)) if depth < _DEEPEST else plain(simple)
        ways = (
            f"timeout 3 {simple}",
            f"env {simple}",
            f"nice {simple}",
            f"xargs {simple}",
            f"{self._small()} | xargs {simple}",
            f"find . -name '*.txt' | xargs {simple}",
            f"find src -type f -exec {simple} {{}} \\;",
            f"command {simple}",
            f"nohup {simple}",
            f"time {simple}",
            f"find . -name '*.txt' -print0 | xargs -0 {simple}",
            f"timeout -s KILL 2 {simple}",
            f"nice -n 5 {simple}",
            f"env A=1 {simple}",
            f"xargs -n 1 {simple} < names.txt",
            f"xargs -I{{}} {simple} {{}} < names.txt",
            f"stdbuf -oL {simple}",
            f"bash -c {text}",
            f"sh -c {text}",
            f"eval {text}",
            f"eval {simple}",
            f"env -i {simple}",
            f"env -S {plain(simple)}",
            f"env -u X {simple}",
            f"xargs -a names.txt {simple}",
            f"xargs -P2 -L1 {simple} < names.txt",
            f"xargs -i {simple} {{}} < names.txt",
            f"find . -maxdepth 1 -type f -exec {simple} {{}} +",
            f"builtin {simple}",
            f"exec {simple}",
            f"\\{simple}",
            f"/usr/bin/{simple}",
            f"env -C src {simple}",
            f"timeout --fore 2 {simple}",
            f"xargs sh -c {text}",
            f"trap {text} EXIT",
            f"env {self._rng.choice(SET_BEFORE)} {simple}",
            f"setsid {simple}",
            f"coproc {simple}",
            f"{simple} &",
            f"sudo {simple}",
            f"script -c {text} /dev/null",
            f"find . -execdir {simple} {{}} ;",
            f"watch -n1 {simple}",
        )
        odd = len(ways) if self._rng.random() < max(0.2, self._oddness) else 17
        return ways[self._rng.randrange(odd)]


def line_of(seed: int) -> str:
    """The line that belongs to this seed."""
    return Lines(seed).line()
