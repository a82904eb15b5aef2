"""Programs that look for text in files, and for files."""

import posixpath
import re
from dataclasses import replace

from assent.commandline.catalogue.changes import names_go_through
from assent.commandline.catalogue.find_expression import find_expression
from assent.commandline.catalogue.finding import finds_by_pattern
from assent.commandline.catalogue.placeholders import common_folder, last_names
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument, PassesOver, Tells

_PATTERN_GIVEN = frozenset({"-e", "-f"})
_PATTERN_THEN_FILES = Operands(first=(Use.TEXT,), rest=Use.READ, first_unless=_PATTERN_GIVEN)


def _searches(given: Given, findings: Findings) -> None:
    """Where it goes down into folders, all that is below is read."""
    places = given.operands if given.has(*_PATTERN_GIVEN) else given.operands[1:]
    _whole(_goes_down(given), places, findings)
    _looks_for_names(given, places, findings)
    if not places and not _goes_down(given) and all(one.name in _WHOLE_LINES for one in given.options):
        names_go_through(given, findings)
    if given.has("-l", "-L") and places:
        files = [findings.words[at] for at in places]
        found = _names(files)
        if found is not None and not _goes_down(given):
            found = replace(found, named=last_names(files))
        findings.prints(found)


def _looks_for_names(given: Given, places: list[int], findings: Findings) -> None:
    """Names that it is told to look into are seen as files in each place, so that looking for secrets is seen."""
    folders = [findings.words[at] for at in places] or [Argument(".")]
    only: list[str] = []
    for one in given.options:
        if one.value is None or not _NAMED_FILES.intersection(one.option.names) or one.value.text.startswith("!"):
            continue
        only.append(one.value.text.rpartition("/")[2] if one.name in _BY_GLOB else "")
        for folder in folders:
            if one.value.exact and folder.exact and not folder.glob:
                path = posixpath.join(folder.text, one.value.text.lstrip("/"))
                findings.reads(Argument(path, written=one.value.written), one.value_at)
    if all(map(_PLAIN_GLOB.fullmatch, only)):
        findings.meets_only(tuple(only))


_BY_GLOB = frozenset({"--include", "-g", "--glob", "--iglob"})
_PLAIN_GLOB = re.compile(r"[\w.*?-]+")
_NAMED_FILES = frozenset({"--include", "-g", "--glob", "--iglob", "-G"})


def _goes_down(given: Given) -> bool:
    asked = given.value("-d")
    return given.has("-r", "-R") or (asked is not None and (not asked.exact or asked.text.startswith("rec")))


def _searches_below(given: Given, findings: Findings) -> None:
    """These go down into folders without being told."""
    bare = given.has("-e", "-f", "--files", "--type-list")
    places = given.operands if bare else given.operands[1:]
    for at in places:
        findings.reads(findings.words[at], at, whole=True)
    if not places:
        findings.reads_here(whole=True)
    findings.goes_through(*_gone_through(given))
    _looks_for_names(given, places, findings)
    if given.has("-l", "--files", "--files-without-match", "-L"):
        findings.prints(_names([findings.words[at] for at in places]))


def _gone_through(given: Given) -> tuple[Tells, PassesOver]:
    """What they show, and what they pass over where nothing says otherwise."""
    if given.has("--files", "--type-list", "-g") and given.program.names[0] != "ack" and not given.has("--glob"):
        return Tells.NAMES, PassesOver.NOTHING
    seen = given.program.names[0] == "ack" or given.has(*_LOOKS_EVERYWHERE)
    return Tells.LINES, PassesOver.NOTHING if seen else PassesOver.HIDDEN


_LOOKS_EVERYWHERE = (
    *("-u", "--hidden", "--no-ignore", "--no-ignore-vcs", "--no-ignore-dot", "--no-ignore-parent", "--ignore-file"),
    *("--no-ignore-exclude", "--no-ignore-files", "--no-ignore-global", "-U", "-a", "-t", "--unrestricted"),
)
"""Options of rg and ag with which they look into hidden files, or into some that git ignores."""


def _whole(down: bool, places: list[int], findings: Findings) -> None:
    if not down:
        return
    for at in places:
        findings.reads(findings.words[at], at, whole=True)
    if not places:
        findings.reads_here(whole=True)


def _names(places: list[Argument]) -> Output | None:
    """What is printed is the names of these or of something below them; without any, bare names."""
    if not places:
        return Output(names_below="")
    folder = common_folder(places)
    return Output(names_below=folder) if folder is not None else None


_WHOLE_LINES = frozenset({"-e", "-E", "-F", "-G", "-P", "-i", "-v", "-w", "-x", "-f", "-m", "-h", "-y"})

_GREP = options(
    "-E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -e|--regexp= -i|-y|--ignore-case "
    "--no-ignore-case -w|--word-regexp -x|--line-regexp -z|--null-data -s|--no-messages -v|--invert-match -V|--version "
    "--help -m|--max-count= -b|--byte-offset -n|--line-number --line-buffered -H|--with-filename -h|--no-filename "
    "--label= -o|--only-matching -q|--quiet|--silent --binary-files= -a|--text -I -d|--directories= -D|--devices= "
    "-r|--recursive -R|--dereference-recursive --include= --exclude= --include-dir= --exclude-dir= "
    "-L|--files-without-match -l|--files-with-matches -c|--count -T|--initial-tab -Z|--null -B|--before-context= "
    "-A|--after-context= -C|--context= --group-separator= --no-group-separator --color[=] --colour[=] -U|--binary "
    "-O -S -p -J -M -X -u --mmap --decompress",
    reads="-f|--file= --exclude-from=",
)

_RG = options(
    "-e|--regexp= -A|--after-context= -B|--before-context= -C|--context= --auto-hybrid-regex --binary --block-buffered "
    "-b|--byte-offset -s|--case-sensitive --color= --colors= --column -c|--count --count-matches --crlf --debug "
    "--dfa-size-limit= -E|--encoding= --engine= --field-context-separator= --field-match-separator= --files "
    "-l|--files-with-matches --files-without-match -F|--fixed-strings -L|--follow --generate= -g|--glob= "
    "--glob-case-insensitive --heading -h|--help -.|--hidden --hyperlink-format= --iglob= -i|--ignore-case "
    "--ignore-file-case-insensitive --include-zero -v|--invert-match --json --line-buffered -n|--line-number "
    "-x|--line-regexp -M|--max-columns= --max-columns-preview -m|--max-count= -d|--max-depth|--maxdepth= "
    "--max-filesize= --mmap -U|--multiline --multiline-dotall --no-config --no-heading --no-ignore --no-ignore-dot "
    "--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs "
    "--no-messages --no-mmap --no-pcre2 --no-pcre2-unicode --no-require-git --no-unicode --no-json --no-hidden "
    "--no-follow --no-crlf --no-column --no-binary --no-multiline --no-fixed-strings --no-text --no-trim --no-stats "
    "--no-pre -N|--no-line-number -0|--null --null-data --one-file-system -o|--only-matching --path-separator= "
    "--passthru -P|--pcre2 --pcre2-version -p|--pretty --print0 -q|--quiet --regex-size-limit= -r|--replace= "
    "-S|--smart-case --sort= --sortr= --sort-files --stats --stop-on-nonmatch -a|--text -j|--threads= --trace --trim "
    "-t|--type= -T|--type-not= --type-add= --type-clear= --type-list -u|--unrestricted -V|--version --vimgrep "
    "-H|--with-filename -I|--no-filename -w|--word-regexp --ignore --ignore-vcs --context-separator= "
    "--no-context-separator --unicode --messages --no-search-zip",
    reads="-f|--file= --ignore-file=",
    runs="--pre= --hostname-bin=",
    dangers={
        "--pre-glob=": "chooses what another program is started for",
        "-z|--search-zip": "starts programs that unpack",
    },
)

_AG = options(
    "-A|--after= -B|--before= -C|--context= -c|--count --color --nocolor --column --filename --nofilename -H|--heading "
    "--noheading --no-heading --numbers --nonumbers -o|--only-matching --print-long-lines --passthrough --passthru "
    "--silent --stats --stats-only --vimgrep -0|--null --print0 -a|--all-types -D|--debug --depth= -f|--follow "
    "-F|--fixed-strings -g= -G|--file-search-regex= --hidden --ignore= --ignore-dir= -i|--ignore-case "
    "-l|--files-with-matches -L|--files-without-matches -m|--max-count= --one-device -Q|--literal -s|--case-sensitive "
    "-S|--smart-case --search-binary -t|--all-text -u|--unrestricted -U|--skip-vcs-ignores -v|--invert-match "
    "-w|--word-regexp -W|--width= --nobreak --break --group --nogroup --nopager --parallel --list-file-types "
    "--ackmate -r|-R --version -V --help",
    reads="-p|--path-to-ignore=",
    runs="--pager=",
    dangers={"-z|--search-zip": "starts programs that unpack"},
)

_ACK = options(
    "-A|--after-context= -B|--before-context= -C|--context= -c|--count --color --nocolor --colour --column -f -g= "
    "-H|--with-filename -h|--no-filename -i|--ignore-case -I|--no-smart-case --ignore-dir= --ignore-file= "
    "-l|--files-with-matches -L|--files-without-matches -m|--max-count= -n|--no-recurse -o -Q|--literal "
    "-r|-R|--recurse -s -S|--smart-case -t|--type= -T= -v|--invert-match -w|--word-regexp --nopager --noenv --nogroup "
    "--group "
    "--nobreak --break --heading --noheading --sort-files --passthru --print0 -1 --show-types --help --version --man "
    "-k|--known-types --follow --nofollow -p|--proximate[=]",
    lists="--files-from=",
    runs="--pager=",
    dangers={"--ackrc=": "takes more options from a file", "--output=": "prints what its text computes"},
)

_HITS = Operands(first=(Use.TEXT,), rest=Use.READ, first_unless=frozenset({"-e", "-f", "--files", "--type-list"}))

PROGRAMS: tuple[Program, ...] = (
    Program(
        ("grep", "egrep", "fgrep", "zgrep", "bzgrep", "xzgrep", "ggrep"),
        "searches files for text",
        "It reads and prints; no option of the GNU and BSD versions writes a file or starts a program of one's choice.",
        follows=frozenset({"-R"}),
        tells=Tells.LINES,
        options=_GREP,
        operands=_PATTERN_THEN_FILES,
        open=True,
        numbers=True,
        only_reads=True,
        reader=_searches,
    ),
    Program(
        ("rg",),
        "searches files for text",
        "It reads and prints. Options make it start another program for each file, for links, or to unpack.",
        follows=frozenset({"-L"}),
        options=_RG,
        operands=_HITS,
        reader=_searches_below,
    ),
    Program(
        ("ag",),
        "searches files for text",
        "It reads and prints. Options make it start a viewer, or programs that unpack.",
        follows=frozenset({"-f"}),
        options=_AG,
        operands=_PATTERN_THEN_FILES,
        numbers=True,
        reader=_searches_below,
    ),
    Program(
        ("ack", "ack-grep"),
        "searches files for text",
        "It reads and prints. Options make it start a viewer, or take more options from a file.",
        follows=frozenset({"--follow"}),
        options=_ACK,
        operands=_PATTERN_THEN_FILES,
        reader=_searches_below,
    ),
    Program(
        ("find", "gfind"),
        "looks for files",
        "Its words are read one by one: tests are harmless, actions delete, write or start a command for each find.",
        one_dash=True,
        open=True,
        follows=frozenset({"-L", "-follow"}),
        tells=Tells.NAMES,
        sorts_words=True,
        reader=find_expression,
    ),
    Program(
        ("fd", "fdfind"),
        "looks for files",
        "Its own words are read up to those that start a command for what is found; that command is looked at, too.",
        open=True,
        follows=frozenset({"-L"}),
        tells=Tells.NAMES,
        sorts_words=True,
        reader=finds_by_pattern,
    ),
    Program(
        ("locate", "mlocate", "plocate"),
        "looks up names of files",
        "It asks a list of names that the system keeps; what it lists can lie anywhere, and only names are shown.",
        options=options(
            "-A|--all -b|--basename -c|--count -e|--existing -i|--ignore-case -l|-n|--limit= -p -q|--quiet "
            "-r|--regexp= --regex -S|--statistics -w|--wholename -0|--null -L|--follow -P|--nofollow -V|--version",
            reads="-d|--database=",
        ),
    ),
)
