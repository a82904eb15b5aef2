"""A text written from a masked one, with the secrets in it again: only where it is sure which belongs where."""

from assent.masking.marks import MARK

_UNSURE = ""


def restored(new: str, old: str, masked: str) -> str | None:
    """The new text with the lines of the old one that it has as they stand, with their marks, in the masked one. None
    where a mark stands in any other line, more often than there, or could stand for one of several."""
    hidden = _hidden(old.split("\n"), masked.split("\n"))
    if hidden is None:
        return None
    lines, text, at = new.split("\n"), list[str](), 0
    while at < len(lines):
        size = 1
        if MARK.search(lines[at]) is not None:
            fitting = [one for one in hidden if tuple(lines[at : at + len(one)]) == one]
            secret = hidden.pop(fitting[0]) if len(fitting) == 1 else _UNSURE
            if secret == _UNSURE:
                return None
            text.append(secret)
            size = len(fitting[0])
        else:
            text.append(lines[at])
        at += size
    return "\n".join(text)


def _hidden(lines: list[str], masked: list[str]) -> dict[tuple[str, ...], str] | None:
    """What stands behind the lines with marks: a secret of several lines has empty ones below its mark."""
    if len(lines) != len(masked):
        return None
    found: dict[tuple[str, ...], str] = {}
    at = 0
    while at < len(lines):
        end = at + 1
        if MARK.search(masked[at]) is not None:
            while end < len(lines) and masked[end] == "" != lines[end]:
                end += 1
            key, secret = tuple(masked[at:end]), "\n".join(lines[at:end])
            found[key] = _UNSURE if key in found else secret
        elif masked[at] != lines[at]:
            return None
        at = end
    return found
