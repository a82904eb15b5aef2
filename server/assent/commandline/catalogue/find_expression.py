"""The language of `find`: where it starts, what it tests, and what it does with what it finds."""

import posixpath
import re
from dataclasses import field

from assent.commandline.catalogue.changes import listed, writes_by_purpose
from assent.commandline.catalogue.placeholders import common_folder, only_name, placed
from assent.commandline.findings import Findings
from assent.commandline.given import Given, Output
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument
from assent.model.modes import Category

_ALONE = listed(
    "-a -and -o -or -not ! ( ) , -empty -executable -readable -writable -false -true -nogroup -nouser -daystart -depth "
    "-d -mount -xdev -x -noleaf -follow -ignore_readdir_race -noignore_readdir_race -nowarn -warn -ls -print -print0 "
    "-prune -quit -help -version --help --version -acl -xattr -sparse"
)
_WITH_VALUE = listed(
    "-amin -atime -cmin -ctime -context -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links "
    "-lname -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex -regextype -size -type -uid -used -user "
    "-wholename -xtype -Bmin -Btime -flags -xattrname"
)
_WITH_FILE = re.compile(r"-(anewer|cnewer|newer|mnewer|samefile|newer[aBcm][aBcmt])")
_EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_WRITES = {"-fls": 1, "-fprint": 1, "-fprint0": 1, "-fprintf": 2}
_NAMES = frozenset({"-name", "-iname"})
_ALTERNATIVES = frozenset({"-o", "-or", ","})
_NEGATIONS = frozenset({"!", "-not"})
_CHOICES = frozenset({"-o", "-or", ",", "!", "-not"})
_FLAGS = re.compile(r"-([HLPEXsx]+|d|O\d)")
_PATHS = re.compile(r"%p(\\[n0])?")
_AT_ONCE = "+"
_FEW = 8


@dataclass(slots=True)
class _Search:
    """One search while it is read: where it is, and what was found out."""

    words: tuple[Argument, ...]
    findings: Findings
    at: int = 1
    starts: list[int] = field(default_factory=list)
    names: list[Argument] = field(default_factory=list)
    chooses: bool = False
    """It has alternatives, so that a name among its tests says nothing of all that is found."""
    prints_else: bool = False
    """It prints something else than the names of what it finds."""

    def folder(self) -> str | None:
        return common_folder([self.words[at] for at in self.starts] or [Argument(".")])

    def folders(self) -> list[str | None]:
        """Each place where it starts; one that stands for all where they are many."""
        places = [self.words[at] for at in self.starts] or [Argument(".")]
        return [common_folder(places)] if len(places) > _FEW else [common_folder([place]) for place in places]

    def patterns(self) -> tuple[str, ...]:
        """Of these, one fits the last name of each thing that is found; none where nothing is known.

        Without alternatives each test must hold, so that the first name will do. Where every alternative lies
        between two names, one of all the names does.
        """
        asked = [at for at, word in enumerate(self.words) if word.exact and word.text in _NAMES and self._counts(at)]
        either = [at for at, word in enumerate(self.words) if word.text in _ALTERNATIVES]
        patterns = tuple(self.words[at + 1].text for at in asked)
        if not either:
            return patterns[:1]
        return patterns if all(at - 2 in asked and at + 1 in asked for at in either) else ()

    def _counts(self, at: int) -> bool:
        """Whether the test at this word is one that must hold, with a name that is known."""
        if at + 1 >= len(self.words) or not self.words[at + 1].exact or self.words[at + 1].glob:
            return False
        return at == 0 or self.words[at - 1].text not in _NEGATIONS

    def named(self) -> str:
        return "" if self.chooses else only_name(self.names)


def find_expression(given: Given, findings: Findings) -> None:
    """Reads the words of `find` from left to right, as it does itself."""
    search = _Search(given.words, findings)
    search.chooses = any(word.text in _CHOICES for word in given.words)
    _places(search)
    while search.at < len(search.words):
        _primary(search)
    folder = search.folder()
    if not findings.inner and not search.prints_else and folder is not None:
        findings.prints(Output(names_below=folder, named=search.patterns()))


def _places(search: _Search) -> None:
    words, findings = search.words, search.findings
    while search.at < len(words) and (_FLAGS.fullmatch(words[search.at].text) or words[search.at].text in ("-D", "--")):
        search.at += 2 if words[search.at].text == "-D" else 1
    while search.at < len(words) and not _begins_expression(words[search.at]):
        word = words[search.at]
        if word.may_be_option:
            findings.unclear(f"is given {word.written or word.text}, which could be an action", search.at)
        search.starts.append(search.at)
        findings.reads(word, search.at, whole=True)
        search.at += 1
    if not search.starts:
        findings.reads_here(whole=True)


def _begins_expression(word: Argument) -> bool:
    return word.text[:1] in ("-", "(", ")", "!", ",") and (len(word.text) == 1 or word.text[0] == "-")


def _primary(search: _Search) -> None:
    word, at = search.words[search.at], search.at
    search.at += 1
    if not word.exact or word.many:
        search.findings.unclear(f"is given {word.written or word.text}, which could be an action", at)
    elif word.text in _ALONE:
        search.prints_else = search.prints_else or word.text == "-ls"
    elif word.text in _WITH_VALUE:
        value = _value(search, at)
        if value is not None and word.text in _NAMES:
            _name(search, value)
        elif word.text == "-printf" and not (value is not None and value.exact and _PATHS.fullmatch(value.text)):
            search.prints_else = True
    elif _WITH_FILE.fullmatch(word.text):
        value = _value(search, at)
        if value is not None and not word.text.endswith("t"):
            search.findings.reads(value, search.at - 1)
    elif word.text in _EXECUTES:
        _executes(search, at)
    elif word.text == "-delete":
        _deletes(search, at)
    elif word.text in _WRITES:
        for count in range(_WRITES[word.text]):
            value = _value(search, at)
            if value is not None and count == 0:
                search.findings.writes_beside(value, search.at - 1)
    else:
        search.findings.danger(f"is given {word.written or word.text}, which is not understood", at)


def _value(search: _Search, at: int) -> Argument | None:
    if search.at >= len(search.words):
        search.findings.danger(f"is cut off after {search.words[at].text}", at)
        return None
    value = search.words[search.at]
    if value.many:
        search.findings.unclear(f"is given {value.written or value.text}, which could be an action", search.at)
    search.at += 1
    return value


def _name(search: _Search, pattern: Argument) -> None:
    """A name that is looked for is seen as a file in each place, so that looking for secrets is seen."""
    search.names.append(pattern)
    if not pattern.exact or "/" in pattern.text or not pattern.text.strip("*?"):
        return
    for place in [search.words[at] for at in search.starts] or [Argument(".")]:
        if place.exact and not place.glob:
            path = Argument(posixpath.join(place.text, pattern.text), written=pattern.written)
            search.findings.reads(path, search.at - 1)


def _deletes(search: _Search, at: int) -> None:
    findings, named = search.findings, search.named()
    findings.danger("deletes what it finds", at, Category.WRITE)
    writes_by_purpose(findings)
    for folder in search.folders():
        for place in placed([Argument("{}", written=folder or "")], ["{}"], folder, named):
            findings.deletes(place, at)


def _executes(search: _Search, at: int) -> None:
    """The words up to the end of the inner command, with what is known of the files in the place of `{}`."""
    words, first, findings = search.words, search.at, search.findings
    end = next((i for i in range(first, len(words)) if _ends(words, first, i)), None)
    if end is None or end == first:
        findings.danger("has a command whose end is not there", at)
        search.at = len(words)
        return
    search.at = end + 1
    inner = words[first:end]
    if _could_end_early(inner):
        findings.danger("has a command that could end before it seems to", at)
    apart = words[at].text.endswith("dir")
    directory = None if apart else findings.directory
    for place in search.folders():
        known = findings.directory is not None or not apart
        folder = posixpath.join(findings.directory or "", place) if place is not None and apart else place
        at_once = words[end].text == _AT_ONCE
        where = folder if known else None
        told = placed(inner, ["{}"], where, search.named(), patterns=search.patterns(), many=at_once)
        findings.inner.append(findings.inside.of_words(told, directory, None))


def _ends(words: tuple[Argument, ...], first: int, at: int) -> bool:
    text = words[at].text if words[at].exact else ""
    return text == ";" or (text == _AT_ONCE and at > first and words[at - 1].text == "{}")


def _could_end_early(inner: tuple[Argument, ...]) -> bool:
    """A word that is not known may be `;`, and what follows it would be read as actions."""
    for at, word in enumerate(inner):
        if word.many and not word.glob and not word.below:
            return True
        if not word.exact and not word.text and any(later.text[:1] == "-" for later in inner[at + 1 :]):
            return True
    return False
