"""Programs under PowerShell and cmd, where a name can mean another program than it does on Unix."""

from dataclasses import replace

from assent.commandline.catalogue import means_the_same_everywhere
from assent.commandline.findings import Findings, Inside
from assent.commandline.given import Output
from assent.commandline.invocation import Invocation, part_of
from assent.commandline.understand import understand
from assent.model.commands import Argument, Part
from assent.model.modes import Category

GOES = frozenset({"cd", "chdir", "set-location", "sl"})
"""They go to another folder."""


def understand_foreign(call: Invocation, inside: Inside) -> tuple[Part, Output | None]:
    """What this does: by the catalogue where the program is the same everywhere, else by what its words could name."""
    first = call.words[0]
    name = first.text.casefold().removesuffix(".exe").removesuffix(".cmd")
    if means_the_same_everywhere(name):
        plain = replace(call, words=(replace(first, text=name), *call.words[1:]))
        part, output = understand(plain, inside)
        return replace(part, words=call.words, caseless=True), output
    findings = Findings(inside, call.words, call.directory, own=Category.EXECUTE, steps_at=[0])
    findings.raises(Category.EXECUTE)
    if "/" in first.text or "\\" in first.text:
        findings.starts(_with_slashes(first), 0)
    for at, word in enumerate(call.words[1:], 1):
        # Which of them are files, only the program knows: to be asked once too often does no harm here.
        if not word.text.startswith("-"):
            findings.reads(_with_slashes(word), at)
    return replace(part_of(call, findings), caseless=True), None


def _with_slashes(word: Argument) -> Argument:
    return replace(word, text=word.text.replace("\\", "/"))
