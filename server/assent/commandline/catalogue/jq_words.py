"""The words of `jq`, some of whose options take two values, and the words of its kin for YAML."""

import re

from assent.commandline.catalogue.changes import listed
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument

_ALONE = listed(
    "--null-input --raw-input --slurp --compact-output --raw-output --raw-output0 --join-output --ascii-output "
    "--sort-keys --color-output --monochrome-output --tab --unbuffered --stream --stream-errors --seq --exit-status "
    "--help --version --build-configuration --binary --args --jsonargs --from-file"
)
_LETTERS = "nRscrjaSCMehVbf"
_VALUES = {"--arg": 2, "--argjson": 2, "--indent": 1}
_FILES = listed("--slurpfile --rawfile --argfile")
_IMPORTS = re.compile(r"\b(import|include)\b")
_REST_IS_TEXT = listed("--args --jsonargs")


def jq_words(given: Given, findings: Findings) -> None:
    """Sorts the words as jq does: options anywhere, the filter first, then files."""
    operands: list[int] = []
    at, from_file, text_follows, ended = 1, False, False, False
    while at < len(given.words):
        word = given.words[at]
        text = word.text
        if ended or len(text) < 2 or text[0] != "-":
            if word.may_be_option and not ended:
                findings.unclear(f"is given {word.written or text}, which could be an option", at)
            if not text_follows or not operands:
                operands.append(at)
            at += 1
            continue
        ended = text == "--"
        from_file = from_file or text == "--from-file" or (text[1] != "-" and "f" in text)
        text_follows = text_follows or text in _REST_IS_TEXT
        at = _option(word, at, given.words, findings)
    if operands:
        _filter(operands[0], from_file, findings)
    for place in operands[1:]:
        findings.reads(findings.words[place], place)


def _option(word: Argument, at: int, given: tuple[Argument, ...], findings: Findings) -> int:
    """Takes up one option, and gives the word after it and its values."""
    text = word.text
    if not word.exact or text == "--":
        if text != "--":
            findings.danger(f"has the option {word.written or text}, which is not known", at)
        return at + 1
    if text in _VALUES:
        return _past(at, _VALUES[text], given, findings)
    if text in _FILES:
        if at + 2 < len(given):
            findings.reads(given[at + 2], at + 2)
        return _past(at, 2, given, findings)
    if text not in _ALONE and (text[1] == "-" or text[1:].strip(_LETTERS)):
        findings.danger(f"has the option {text}, which is not known", at)
    return at + 1


def _past(at: int, count: int, given: tuple[Argument, ...], findings: Findings) -> int:
    for word in given[at + 1 : at + 1 + count]:
        if word.many:
            findings.unclear(f"is given {word.written or word.text}, which could be more than one word", at)
    return at + 1 + count


def _filter(at: int, from_file: bool, findings: Findings) -> None:
    word = findings.words[at]
    if from_file:
        findings.reads(word, at)
        findings.danger(f"computes by {word.written or word.text}, which can name other files", at)
    elif word.many or _IMPORTS.search(word.text):
        findings.danger(f"has a filter that can read other files ({word.written or word.text})", at)
