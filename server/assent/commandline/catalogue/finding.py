"""The words of `fd`: a pattern, folders, and a command for what was found, which takes all words that follow."""

import re

from assent.commandline.catalogue.placeholders import common_folder, placed
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output, sort_words
from assent.commandline.schema import Program, Takes, Use, options
from assent.model.commands import Argument

_KNOWN = Program(
    ("fd",),
    "looks for files",
    "All its options but those that start a command.",
    options=options(
        "-H|--hidden -I|--no-ignore -u|--unrestricted --no-ignore-vcs --no-ignore-parent --no-global-ignore-file "
        "--no-require-git -s|--case-sensitive -i|--ignore-case -g|--glob --regex -F|--fixed-strings --and= "
        "-a|--absolute-path -l|--list-details -L|--follow -p|--full-path -0|--print0 -d|--max-depth|--maxdepth= "
        "--min-depth= --exact-depth= -E|--exclude= --prune -t|--type= -e|--extension= -S|--size= --changed-within= "
        "--changed-before= -o|--owner= --format= -c|--color= -j|--threads= --max-results= -1 -q|--quiet --show-errors "
        "--strip-cwd-prefix[=] --one-file-system --path-separator= -h|--help -V|--version --hyperlink[=] --newer= "
        "--older= --batch-size= --max-buffer-time= --no-hidden --ignore --no-follow --relative-path "
        "--no-ignore-files --ignore-vcs",
        reads="--search-path= --ignore-file=",
    ),
)
_EXECUTES = re.compile(r"-(x|X)|--exec(-batch)?")
_BELOW = ("{}", "{.}", "{//}")
_BARE = ("{/}", "{/.}")


def finds_by_pattern(given: Given, findings: Findings) -> None:
    """Its own words are those before `-x`; the command after it ends with `;` or with the line."""
    first = next((at for at in range(1, len(given.words)) if _EXECUTES.fullmatch(given.words[at].text)), None)
    own = sort_words(_KNOWN, given.words[:first], 1)
    _own_words(own, findings)
    places = [findings.words[at] for at in own.operands[1:]]
    places += [one.value for one in own.options if "--search-path" in one.option.names and one.value is not None]
    folder = common_folder(places or [Argument(".")])
    if not places:
        findings.reads_here(whole=True)
    if first is not None:
        _command(given.words, first, folder, findings)
    elif folder is not None and not own.has("-l", "--format"):
        findings.prints(Output(names_below=folder if places else ""))


def _own_words(own: Given, findings: Findings) -> None:
    for at in own.strange:
        findings.danger(f"has the option {own.words[at].written or own.words[at].text}, which is not known", at)
    for one in own.options:
        if one.option.use is Use.READ and one.value is not None:
            findings.reads(one.value, one.value_at, whole=True)
        elif one.option.takes is Takes.VALUE and one.value is not None and one.value.many:
            findings.unclear(f"is given {one.value.written}, which could be an option", one.value_at)
    for count, at in enumerate(own.operands):
        word = own.words[at]
        if word.may_be_option and (own.ended is None or at < own.ended):
            findings.unclear(f"is given {word.written or word.text}, which could be an option", at)
        if count:
            findings.reads(word, at, whole=True)


def _command(words: tuple[Argument, ...], first: int, folder: str | None, findings: Findings) -> None:
    end = next((at for at in range(first + 1, len(words)) if words[at].text == ";" and words[at].exact), len(words))
    inner = words[first + 1 : end]
    if end + 1 < len(words) or not inner or any(word.many and not word.glob for word in inner):
        findings.danger("has a command whose end is not clear", first)
    if not any(mark in word.text for word in inner for mark in _BELOW + _BARE):
        inner += (Argument("{}", written="{}"),)
    batch = words[first].text in ("-X", "--exec-batch")
    inner = placed(placed(inner, _BELOW, folder, many=batch), _BARE, ".", many=batch)
    if inner:
        findings.inner.append(findings.inside.of_words(inner, findings.directory, None))
