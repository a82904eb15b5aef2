"""Programs that run code: what they run is their purpose; what is run besides is a danger."""

from assent.commandline.catalogue.interpreting import interpreter, runs_input, runs_script
from assent.commandline.catalogue.javascript import JAVASCRIPT
from assent.commandline.catalogue.shells import SHELLS
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program
from assent.model.commands import Argument

_CODE = "It runs the code that it is given, in a word or in a file; from a pipe it cannot be known."


def _python(given: Given, findings: Findings) -> None:
    for one in given.options:
        if one.name == "-c":
            return
        if one.name == "-m" and one.value is not None and one.value_at is not None:
            _module(given, findings, one.at, one.value_at)
            return
    if given.has("-V", "-h") and not given.operands:
        return
    runs_script()(given, findings)


def _module(given: Given, findings: Findings, at: int, value_at: int) -> None:
    """The module's name belongs to what is done, and where it is a program that is known, its options count."""
    module = given.words[value_at]
    if not module.exact:
        findings.dynamic = True
        findings.not_known(f"Which module {module.written or module.text} is cannot be known.", value_at)
    elif value_at == at:
        findings.runs_words((_bare(module.text), *given.words[value_at + 1 :]))
    else:
        findings.steps_at.extend((at, value_at))
        if module.text not in ("python", "python3"):
            findings.becomes = (module.text, value_at + 1)


def _bare(text: str) -> Argument:
    name = text.partition("m")[2]
    return Argument(name, written=name)


def _perl(given: Given, findings: Findings) -> None:
    """Its options are letters, some of which take what is left of the word or the next one."""
    at, code, edits, words = given.start, False, False, given.words
    while at < len(words) and len(words[at].text) > 1 and words[at].text[0] == "-" and words[at].text != "--":
        taken, has_code, in_place = _perl_letters(given, findings, at)
        code, edits, at = code or has_code, edits or in_place, at + taken
    at += at < len(words) and words[at].text == "--"
    files = list(range(at, len(words)))
    if not code and files and words[files[0]].text != "-":
        findings.starts(words[files.pop(0)], at)
    elif not code and not given.has("-v"):
        runs_input(given, findings)
    for file in files if edits else ():
        findings.writes(words[file], file)


def _perl_letters(given: Given, findings: Findings, at: int) -> tuple[int, bool, bool]:
    text, place, edits = given.words[at].text, 1, False
    while place < len(text):
        letter, rest = text[place], text[place + 1 :]
        if letter in "eE":
            code = given.words[at if rest else min(at + 1, len(given.words) - 1)]
            if not code.exact or code.glob:
                findings.dynamic = True
                findings.not_known("It runs code that is only put together when it runs.", at)
            return (1 if rest else 2), True, edits
        if letter == "i":
            return 1, False, True
        if letter == "I":
            return (1 if rest else 2), False, edits
        if letter in "MmFCxV":
            return 1, False, edits
        if letter in "0l":
            place += len(rest) - len(rest.lstrip("01234567xX"))
        elif letter not in "npawWXcvsSTtuUfhg":
            findings.danger(f"has the option {text}, which does more than running code", at)
            return 1, False, edits
        place += 1
    return 1, False, edits


def _php(given: Given, findings: Findings) -> None:
    if given.has("-v", "-i", "-m", "-l", "--ini", "--ri"):
        return
    script = given.value("-f")
    if script is not None:
        findings.starts(script, None)
    else:
        runs_script("-r", "-R", "-S", "-B", "-E")(given, findings)


_JAVA_LOADS = (
    *("-javaagent", "-agentlib", "-agentpath", "-XX:OnError", "-XX:OnOutOfMemoryError", "-Xbootclasspath", "-XX:Flags"),
    *("-XX:VMOptionsFile", "-Xrun", "-Xdebug", "-XX:ErrorFile", "-Xlog:", "-XX:+Start"),
)


def _java(given: Given, findings: Findings) -> None:
    for at in given.strange:
        if given.words[at].text.startswith(_JAVA_LOADS):
            findings.danger(f"loads or writes besides what it runs ({given.words[at].text})", at)
    for at in given.operands[:1]:
        word = given.words[at]
        if word.text.startswith("@"):
            findings.danger("takes further arguments from a file", at)
        elif given.has("-jar") or word.text.endswith(".java"):
            findings.starts(word, at)


PROGRAMS: tuple[Program, ...] = (
    *SHELLS,
    *JAVASCRIPT,
    interpreter(
        "python python3 python2 pypy pypy3 py "
        + " ".join(f"python{version}" for version in ("2.7", *(f"3.{minor}" for minor in range(6, 16)))),
        f"{_CODE} The program that a module is counts with its own options.",
        "-b -bb -B -d -E -h -i -I -O -OO -P -q -s -S -t -u -v -vv -V -x -? -W= -X= --check-hash-based-pycs= -m=",
        code="-c",
        ends=("-c", "-m"),
        does="runs Python",
        reader=_python,
        versions="--version -V -VV -h --help",
    ),
    interpreter(
        "ruby jruby",
        _CODE,
        """-a -c -d -l -n -p -s -S -v -w -y -h -x
        -0[=] -F= -i[=] -I= -r= -E= -K= -T[=] -U -W[=] --verbose --yjit --jit --enable=
        --disable= --encoding= --external-encoding= --internal-encoding= --copyright""",
        directory="-C=",
        does="runs Ruby",
        versions="--version -v -h --help",
    ),
    interpreter("perl", _CODE, open=True, does="runs Perl", reader=_perl, versions="--version -v -V -h --help"),
    interpreter(
        "php",
        _CODE,
        """-f|--file= -h -i|--info -m|--modules -v -l|--syntax-check -n|--no-php-ini -q
        -s -w -H --ini --ri= --rf= --rc= -C""",
        code="-r|--run -R|--process-code -B|--process-begin -E|--process-end",
        dangers={
            "-d|--define=": "sets something that can load other code",
            "-c|--php-ini=": "takes a configuration that can load other code",
            "-z|--zend-extension=": "loads other code",
            "-S|--server=": "answers the network",
            "-t|--docroot=": "answers the network",
            "-a|--interactive": "runs what it reads",
            "-F|--process-file=": "runs a file for every line",
        },
        does="runs PHP",
        reader=_php,
        versions="--version -v -h --help -i -m --ini",
    ),
    interpreter(
        "lua luajit lua5.1 lua5.2 lua5.3 lua5.4",
        _CODE,
        "-i -v -E -W -l= -b -j=",
        does="runs Lua",
        versions="-v --version",
    ),
    interpreter(
        "Rscript",
        _CODE,
        """--vanilla --no-save --no-restore --no-environ --no-site-file --no-init-file --verbose --slave --quiet
        --no-echo --default-packages=""",
        code="-e",
        does="runs R",
    ),
    interpreter(
        "R",
        _CODE,
        """--vanilla --no-save --save --no-restore --no-environ
        --no-site-file --no-init-file --verbose --slave -q --quiet
        --silent --no-echo -s --args --encoding=""",
        loads="-f|--file=",
        dangers={"-d|--debugger=": "starts another program", "-g|--gui=": "starts a window", "CMD": "starts a tool"},
        does="runs R",
    ),
    interpreter(
        "julia",
        _CODE,
        """--project[=] -p|--procs= -t|--threads= -q|--quiet -i -O|--optimize[=] --startup-file= --color= --compile=
        --history-file= --banner= --depwarn= --check-bounds= --code-coverage[=] --warn-overwrite= -h -v""",
        code="-e|--eval -E|--print",
        loads="-L|--load= -J|--sysimage= -H|--home= --machine-file=",
        does="runs Julia",
        versions="--version --help -v -h",
    ),
    interpreter(
        "java",
        "It runs a class, an archive or a source file; agents and hooks load or start other code.",
        """-jar -cp= -classpath= --class-path= -p=
        --module-path= -m= --module= --add-modules= --add-opens= --add-exports=
        --add-reads= --enable-preview --source= -version -showversion --show-version -help -? -server -client -ea -da
        -esa -dsa -verbose --list-modules --dry-run --enable-native-access=""",
        code="",
        dangers={"--patch-module=": "replaces code", "--upgrade-module-path=": "replaces code"},
        does="runs Java",
        open=True,
        one_dash=True,
        reader=_java,
        versions="-version --version -help --help -h",
    ),
    interpreter("osascript", _CODE, "-l= -s= -i", does="runs AppleScript", versions=""),
    interpreter("tclsh wish expect", _CODE, "-b -f= -n -N", code="-c", does="runs Tcl", versions="-v"),
    interpreter("guile racket", _CODE, "-q -s= -l= -i", code="-c -e", does="runs Scheme"),
    interpreter("runghc runhaskell", _CODE, code="", does="runs Haskell"),
    interpreter("ocaml", _CODE, code="-e", does="runs OCaml", versions="-version --version"),
    interpreter("elixir iex", _CODE, code="-e|--eval", loads="-r= -pr=", does="runs Elixir", versions="--version -v"),
    interpreter("escript", _CODE, "-c -i -s", code="", does="runs Erlang"),
    interpreter(
        "groovy scala scala-cli kotlin jshell",
        _CODE,
        "-cp=",
        code="-e",
        does="runs code",
        versions="--version -version",
    ),
    interpreter(
        "pwsh powershell pwsh.exe powershell.exe",
        _CODE,
        "-NoProfile -NoLogo -NonInteractive -ExecutionPolicy= -File",
        code="-Command -c",
        dangers={"-EncodedCommand=": "hides its code", "-enc=": "hides its code", "-e=": "hides its code"},
        one_dash=True,
        does="runs PowerShell",
        versions="--version -Version -v",
    ),
)
