"""How programs that start another one hand it its words."""

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument


def start_at(given: Given, findings: Findings, at: int) -> None:
    """The words from here on are a command, which is given the same input."""
    findings.runs(at, stdin=given.stdin)


def is_assignment(word: Argument) -> bool:
    """Whether it is `NAME=value`."""
    name, equals, _ = word.text.partition("=")
    return bool(equals) and bool(name)


def without_assignments(given: Given, findings: Findings, rest: list[int]) -> list[int]:
    """What is left of these words after those that set variables."""
    for place, at in enumerate(rest):
        if not is_assignment(given.words[at]):
            return rest[place:]
        findings.assigns(given.words[at], at)
    return []


def as_text(words: tuple[Argument, ...]) -> Argument:
    """Words that a shell gets joined with blanks, to be read once more."""
    text = " ".join(word.text for word in words)
    exact = all(word.exact and not word.glob for word in words)
    return Argument(text, exact=exact, written=" ".join(word.written or word.text for word in words))


def run_input(given: Given, findings: Findings, sentence: str) -> None:
    """What it is given to read is a text for a shell."""
    if given.stdin is not None and given.stdin.text is not None:
        findings.runs_text(Argument(given.stdin.text, written="its input"), None, posix=True)
    else:
        findings.dynamic = True
        findings.not_known(sentence)


def own_word(given: Given) -> int:
    """The word that names the program or verb itself."""
    return given.start - 1
