"""Scripts of programs that have a language of their own, put together from its pieces."""

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Rng = random.Random
_Pieces = dict[str, list[str]]
_ALL: dict[str, _Pieces] = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))
_SED, _AWK, _JQ, _FIND, _TAR = (_ALL[name] for name in ("sed", "awk", "jq", "find", "tar"))


def sed_script(rng: Rng) -> str:
    """Some commands of sed."""
    return _joined(rng, _SED["between"], lambda: _sed_command(rng))


def _sed_command(rng: Rng) -> str:
    where = rng.choice(_SED["addresses"]) + rng.choice(("", "", "", " ", "!"))
    kind = rng.random()
    if kind < 0.5:
        mark = rng.choice(_SED["marks"])
        this, that = rng.choice(_SED["sides"]), rng.choice(_SED["sides"])
        return f"{where}s{mark}{this}{mark}{that}{mark}{rng.choice(_SED['flags'])}"
    if kind < 0.75:
        return where + rng.choice(_SED["plain"])
    return where + rng.choice(_SED["texts" if kind < 0.88 else "beyond"])


def awk_script(rng: Rng) -> str:
    """Some rules of awk."""
    return _joined(rng, (" ", "\n", ";", " ; ", ""), lambda: _awk_rule(rng))


def _awk_rule(rng: Rng) -> str:
    pattern = rng.choice(_AWK["patterns"])
    if pattern and rng.random() < 0.2:
        return pattern
    beyond = 0.1 if rng.random() < 0.7 else 0.6
    statements = _joined(
        rng, (";", "; ", "\n", " "), lambda: rng.choice(_AWK["beyond" if rng.random() < beyond else "statements"])
    )
    return f"{pattern}{{{statements}}}"


def jq_filter(rng: Rng) -> str:
    """Some filters of jq."""
    return _joined(rng, ("|", " | ", ",", ", "), lambda: rng.choice(_JQ["filters"]))


def find_words(rng: Rng) -> list[str]:
    """Some words of find, in any order; what belongs together usually stays together."""
    words, known = list[str](), _FIND["words"]
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        at = rng.randrange(len(known))
        end = at + 1
        while end < len(known) and not known[end].startswith("-") and rng.random() < 0.97:
            end += 1
        words += known[at:end]
    return words


def tar_words(rng: Rng) -> list[str]:
    """Letters of tar, with or without a dash, and words that some of them may take."""
    usual = 6 if rng.random() < 0.5 else None
    letters = [rng.choice(_TAR["letters"][:usual]) for _ in range(rng.choice((2, 2, 3, 4)))]
    first = rng.choice(("", "-")) + rng.choice(("c", "t", "x", "")) + "".join(letters)
    return [first, *(rng.choice(_TAR["words"]) for _ in range(rng.choice((1, 2, 2, 3))))]


def _joined(rng: Rng, between: Sequence[str], one: Callable[[], str]) -> str:
    text = one()
    for _ in range(rng.choice((0, 0, 1, 2))):
        text += rng.choice(between) + one()
    return text


SCRIPTS: Mapping[str, Callable[[Rng], str]] = {"sed": sed_script, "awk": awk_script, "jq": jq_filter}
"""By program: its first operand."""
WORDS: Mapping[str, Callable[[Rng], list[str]]] = {"find": find_words, "tar": tar_words}
"""By program: further words."""
