"""Why readings of bash were wrong: each cause by itself, as a family of lines, and the words by which such lines are
refused today. Whoever believed a reading in spite of these words would let programs run that nobody named.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.shell_trace.mutation import mutated

_DOES = ("touch p", "rm notes.txt", "cp notes.txt p", "mkdir p", "id", "chmod 600 notes.txt")
_SLOTS = {
    "CMD": _DOES,
    "PROGRAM": ("touch", "rm", "mkdir", "stat", "id"),
    "PLAIN": ("ls", "cat", "wc", "head"),
    "FILE": ("notes.txt", "numbers.txt", "readme.md", "p"),
    "VAR": ("x", "name", "f"),
    "FD": ("5", "7", "9"),
    "NO": ("no/such", "none.txt/x", "/proc/1/none"),
    "SECRET": ("../outside/secret", "../outside/more/file.txt", "../home/notes.txt"),
}
_SLOT = re.compile("|".join(_SLOTS))
_AROUND = (
    "{ %s\n}",
    "%s; true",
    "true && %s",
    "if true; then %s\nfi",
    "ls | wc -l; %s",
    "( %s\n)",
    "for i in 1; do %s\ndone",
)


@dataclass(frozen=True, slots=True)
class Cause:
    """One way in which a reading goes wrong."""

    name: str
    refused: str
    """The words, as a pattern, with which its lines are refused."""
    forms: Sequence[str]
    unset: str = ""
    """The variable with which commands are kept from it."""
    program: str = "bash"
    """The program without which there is nothing to find."""

    def line(self, seed: int) -> str:
        """The line of this family that belongs to this seed."""
        rng = random.Random(f"{self.name} {seed}")
        filled: dict[str, str] = {}
        text = _SLOT.sub(lambda slot: filled.setdefault(slot[0], rng.choice(_SLOTS[slot[0]])), rng.choice(self.forms))
        if rng.random() < 0.3:
            text = rng.choice(_AROUND).replace("%s", text)
        return mutated(rng, text) if rng.random() < 0.1 else text


def _cause(name: str, refused: str, forms: str, *, unset: str = "", program: str = "bash") -> Cause:
    return Cause(name, refused, forms.strip().splitlines(), unset, program)


_SHELLS = "starts another shell|uses the variable|sets the variable|has the option|does sums|holds more"
_VARIABLES = "sets the variable|uses the variable|uses [a-z]+, with which|uses the open file|holds more"

CAUSES = (
    _cause(
        "sums trust names that the line did not set",
        "does sums|sets the variable|uses the variable|holds more",
        r"""
: 'a[$(CMD)]'; echo $((_))
: 'a[$(CMD)]'; echo $((1 + _))
test 'a[$(CMD)]'; echo "$((_))"
[[ 'a[$(CMD)]' =~ .* ]]; echo $((BASH_REMATCH))
[[ 'b a[$(CMD)]' =~ a.* ]]; echo "$(( BASH_REMATCH + 1 ))"
VAR='a[$(CMD)]'; echo $((${y:-$VAR}))
VAR='a[$(CMD)]'; echo $((VAR))
VAR='a[$(CMD)]'; echo ${HOME:VAR:1}
: 'a[$(CMD)]'; echo ${HOME:_:1}
""",
    ),
    _cause(
        "variables called harmless reach an inner shell",
        _SHELLS,
        r"""
DEBUG='a[$(CMD)]' bash -c '((DEBUG))'
DEBUG='a[$(CMD)]' bash -c 'echo $((DEBUG))'
VERBOSE='a[$(CMD)]' bash -c '[[ VERBOSE -eq 1 ]]'
COLUMNS='a[$(CMD)]' bash -c 'echo ${HOME:COLUMNS:1}'
env CI='a[$(CMD)]' bash -c '((CI))'
export CI='a[$(CMD)]'; bash -c '((CI))'
DEBUG='CMD' bash -c '$DEBUG'
""",
    ),
    _cause(
        "options of builtins read up to the first value",
        _VARIABLES,
        r"""
mapfile -n 5 -C 'CMD #' -c 1 a <<< x
mapfile -c 1 -n 5 -C 'CMD #' a < FILE
readarray -d '' -C 'CMD #' -c 1 a < notes.txt
wait -fnp 'a[$(CMD)]'
wait -np 'a[$(CMD)]'
read -rp FILE 'a[$(CMD)]' <<< x
printf -v 'a[$(CMD)]' x
""",
    ),
    _cause(
        "a failing redirection taken for success",
        _VARIABLES,
        r"""
VAR=PROGRAM; declare VAR=PLAIN <&FD; $VAR FILE
VAR=PROGRAM; export VAR=PLAIN < NO; $VAR FILE
VAR=PROGRAM; VAR=PLAIN <&FD; $VAR FILE
set -- PROGRAM; set -- PLAIN <&FD; $1 FILE
set -- PLAIN PROGRAM; shift < NO; set -- "$1"; $1 FILE
f() { PROGRAM FILE; }; f() { PLAIN FILE; } <&FD; f
VAR=PROGRAM; { VAR=PLAIN; } <&FD; $VAR FILE
VAR=PROGRAM; { VAR=PLAIN; } < NO; $VAR FILE
VAR=PROGRAM; read VAR < NO <<< PLAIN; $VAR FILE
""",
    ),
    _cause(
        "declarations that assign nothing, or elsewhere",
        _VARIABLES,
        r"""
VAR=PROGRAM; local VAR=PLAIN; $VAR FILE
VAR=PROGRAM; declare -p VAR=PLAIN; $VAR FILE
VAR=PROGRAM; declare -F VAR=PLAIN; $VAR FILE
VAR=PROGRAM; declare -f VAR=PLAIN; $VAR FILE
VAR=PROGRAM; g() { declare VAR=PLAIN; }; g; $VAR FILE
VAR=PROGRAM; export -f VAR=PLAIN; $VAR FILE
declare -a VAR=(PROGRAM); declare -A VAR=([0]=PLAIN); $VAR FILE
VAR=PROGRAM; readonly VAR; VAR=PLAIN; $VAR FILE
""",
    ),
    _cause(
        "unset uncovers an outer variable, and variables before a function's call",
        _VARIABLES + "|starts another shell",
        r"""
VAR=PROGRAM; f(){ unset VAR; $VAR PLAIN FILE; }; VAR= f
VAR=PROGRAM; f(){ local VAR=PLAIN; unset VAR; $VAR FILE; }; f
f(){ git diff; }; GIT_EXTERNAL_DIFF='CMD #' f
f(){ git --no-pager diff FILE; }; GIT_EXTERNAL_DIFF='CMD #' f
f(){ man PLAIN; }; PAGER='CMD' f
f(){ bash -c PLAIN; }; BASH_ENV=./run.sh f
""",
    ),
    _cause(
        "values of options of inner shells",
        _SHELLS,
        r"""
bash -O lastpipe -c 'echo CMD | read VAR; $VAR'
bash -O lastpipe -c 'VAR=PLAIN; echo PROGRAM | read VAR; $VAR FILE'
bash -kc 'bash -c : BASH_ENV=./run.sh'
bash -k -c 'bash -c PLAIN BASH_ENV=./run.sh'
bash -o posix -c 'VAR=PROGRAM; VAR=PLAIN : ; $VAR FILE'
bash -o noglob -c 'ls' -c 'CMD'
bash -c 'PLAIN FILE' --rcfile ./run.sh
bash --rcfile ./run.sh -ic PLAIN
""",
    ),
    _cause(
        "scripts for shells that come from what is printed",
        "starts another shell|puts what|has the option",
        r"""
sh -c 'echo "ls #\nCMD" | sh'
sh -c 'printf -- "CMD" | sh'
echo 'CMD' | sh
printf '%s\n' ls 'CMD' | bash
echo 'head -n1; CMD' | sh
printf 'read VAR\nCMD\n$VAR\n' | sh
printf 'cat >/dev/null; true\nCMD\n' | bash
bash <<< 'CMD'
bash -s <<< 'CMD'
""",
    ),
    _cause(
        "xargs",
        "makes words of what|is given what xargs reads|starts",
        r"""
echo FILE | xargs -I{} -n5 env touch p
echo FILE | xargs -I{} -n1 touch made
echo 'FILE numbers.txt' | xargs -I{} -L1 rm made
printf '%s\n' FILE build | xargs -i -n2 cp readme.md
echo 'PROGRAM FILE' | xargs -n5 -I{} env {}
printf 'a\nb\n' | xargs -l PROGRAM
echo 'PROGRAM p' | xargs -s 200 env
echo 'PROGRAM p' | xargs env
printf 'env\0PROGRAM\0p' | xargs -0 -d' ' env
echo PROGRAM | xargs -I{} {} FILE
echo PROGRAM | xargs -i {} FILE
printf '%s\n' -exec PROGRAM FILE ';' | xargs find FILE
echo 'PROGRAM p' | xargs -s 20 env
printf 'FILE\u2028PROGRAM p' | xargs env
""",
    ),
    _cause(
        "programs that write or start by options that nobody listed",
        "has the option|starts|which could|of which|writes|runs",
        r"""
zstdcat -fo p FILE
zstdcat -f FILE -o p
zstdcat -f --output-dir-flat=build FILE
zstdcat FILE -fo p
zstdcat -qfo p FILE
""",
        program="zstdcat",
    ),
    _cause(
        "a hostile repository under verbs that read",
        "starts what the repository's configuration names",
        r"""
git log -p
git log -p -- FILE
git show HEAD~1:notes.txt
git show HEAD~1
git diff HEAD~1
git blame notes.txt
git grep one HEAD~1
git cat-file -p HEAD~1:notes.txt
git rev-list --objects HEAD
git ls-tree -l HEAD~1
git log -S one
git log --stat
git log --format=%G?
git reflog --format=%G?
""",
        unset="GIT_NO_LAZY_FETCH",
    ),
    _cause(
        "reading outside",
        "uses the open file|computes by|takes words from|lies outside|with which|runs",
        r"""
cd src <&FD; cat SECRET
cd ../workspace/src <&FD; cat ../SECRET
cd src < NO; cat SECRET
strings @args.txt
jq -n -L../outside 'include "q"; x'
cd src; cd .. <&FD; cat ../SECRET
""",
    ),
)
"""Twelve of them."""
