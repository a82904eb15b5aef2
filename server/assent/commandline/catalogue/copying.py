"""Where copies, links and moved files end up, and with which rights."""

import posixpath
import re

from assent.commandline.catalogue.changes import beginning_with, below, last_name
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument

_LONGEST_MODE = 100
_AS_OWNER = re.compile(r"0*[2-7][0-7]{3}|(.*,)?[ugoa]*([-+=][rwxXstugo]*)*[+=][rwxXtugo]*s.*")


def copies(given: Given, findings: Findings) -> None:
    """The last operand is written, or what a folder with that name then holds; the others are read."""
    sources, targets = _ends(given, findings)
    moves = given.program.names[0] == "mv"
    whole = moves or given.has("-r", "-a")
    for at in sources:
        findings.reads(findings.words[at], at, whole=whole)
        if moves or given.has("-l", "-s"):
            findings.writes(findings.words[at], at, whole=True)
    named = not given.has("--parents") and all(last_name(findings.words[at]) for at in sources)
    for target, place in targets:
        findings.writes(target, place, whole=not named or (whole and not _is_folder(target, given)))
        _into(sources, target, place, given, findings)


def _is_folder(target: Argument, given: Given) -> bool:
    """Whether it is clear that copies go into it, under their own names."""
    return given.has("-t") or target.text.endswith("/") or target.text.rpartition("/")[2] in (".", "..")


def links(given: Given, findings: Findings) -> None:
    """A link to something is another name for it, through which it can be changed."""
    sources, targets = _ends(given, findings)
    if len(given.operands) == 1 and not targets:
        sources, targets = given.operands, [(Argument(".", written="."), None)]
    for at in sources:
        word = findings.words[at]
        findings.reads(word, at, whole=True)
        findings.writes(word, at, whole=True)
        for target, _ in targets:
            if given.has("-s") and target.exact and word.exact and not word.text.startswith("/"):
                # It leads on from where the link is, which is in the target or beside it.
                for folder in (target.text, target.text.rstrip("/").rpartition("/")[0] or "."):
                    findings.writes(Argument(posixpath.join(folder, word.text), written=word.written), at, whole=True)
    for target, place in targets:
        findings.writes(target, place)
        _into(sources, target, place, given, findings)


def installs(given: Given, findings: Findings) -> None:
    """It copies, or makes folders, and gives rights."""
    if given.has("-d"):
        for at in given.operands:
            findings.writes(findings.words[at], at)
    else:
        copies(given, findings)
    mode = given.value("-m")
    rights(mode, None, findings)


def _ends(given: Given, findings: Findings) -> tuple[list[int], list[tuple[Argument, int | None]]]:
    """Which operands are copied, and where to."""
    into = next((one for one in given.options if "-t" in one.option.names), None)
    if into is not None and into.value is not None:
        return given.operands, [(into.value, into.value_at)]
    if len(given.operands) < 2:
        return given.operands, []
    return given.operands[:-1], [(findings.words[given.operands[-1]], given.operands[-1])]


def _into(sources: list[int], target: Argument, at: int | None, given: Given, findings: Findings) -> None:
    """Where the target is a folder, the copy has its own name in it; what it replaces can be kept beside it."""
    keeps = given.has("-b", "--backup", "-S")
    if keeps:
        findings.writes(beginning_with(target), at)
    if given.has("-T") or not target.exact:
        return
    for source in sources:
        name = last_name(findings.words[source])
        if not name:
            findings.writes(target, at, whole=True)
            continue
        findings.writes(below(target, name), at, whole=given.has("-r", "-a"))
        if keeps:
            findings.writes(beginning_with(Argument(name), target), at)


def rights(mode: Argument | None, at: int | None, findings: Findings) -> None:
    """Rights that let a program run as its owner are more than rights."""
    if mode is None:
        return
    if not mode.exact or len(mode.text) > _LONGEST_MODE:
        findings.danger(f"gives rights that cannot be known ({mode.written})", at)
    elif _AS_OWNER.fullmatch(mode.text):
        findings.danger(f"lets a program run with the rights of its owner ({mode.text})", at)
