"""How well a path fits what somebody writes to find it. No I/O."""


def fitting(written: str, path: str) -> int | None:
    """The lower, the better; None where it does not fit: each letter must be there, in this order."""
    wanted, whole = written.lower(), path.lower()
    name = whole.rpartition("/")[2]
    for rank, fits in enumerate((name == wanted, name.startswith(wanted), wanted in name, wanted in whole)):
        if fits:
            return rank
    at = -1
    for letter in wanted:
        at = whole.find(letter, at + 1)
        if at < 0:
            return None
    return 4
