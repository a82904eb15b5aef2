"""Verbs that are one and the same under several names, as far as restrictions must know them."""

_SAME = {
    ("npm", "pnpm", "bun"): (
        "install i in ins inst insta instal isnt isnta isntal isntall add",
        "uninstall un unlink remove rm r",
        "run run-script rum urn",
        "test t tst",
        "exec x",
        "update up upgrade udpate",
        "ci clean-install ic install-clean isntall-clean",
    ),
    ("yarn",): ("remove rm", "upgrade up"),
    ("cargo",): ("build b", "check c", "run r", "test t", "doc d", "remove rm"),
    ("svn",): ("commit ci", "checkout co", "delete del remove rm", "update up", "switch sw"),
    ("hg",): ("commit ci", "update up checkout co"),
}
_VERBS = {
    (program, verb): group.split()[0]
    for programs, groups in _SAME.items()
    for group in groups
    for program in programs
    for verb in group.split()
}


def main_verb(program: str, verb: str) -> str:
    """The one of its names by which the verb is looked up."""
    return _VERBS.get((program, verb), verb)


def same_verb(program: str, one: str, other: str) -> bool:
    """Whether the program does the same under both names."""
    first = _VERBS.get((program, one))
    return first is not None and first == _VERBS.get((program, other))


def shortens(program: str) -> bool:
    """Whether the program takes the beginning of a verb for the verb."""
    return program in _SHORTENING


_SHORTENING = frozenset({"npm", "svn", "hg"})
