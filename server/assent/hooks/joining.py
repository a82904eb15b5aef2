"""What several hooks say together: a denial beats a change, a change a question, and a question an agreement."""

from collections.abc import Iterator, Sequence

from assent.hooks.answers import Said, Word
from assent.jsontext import canonical_json
from assent.model.calls import HookAnswer, Hooks
from assent.model.hooks import HookCall, HookRemarks, HookVerdict
from assent.model.json import JsonObject

_GO_ON = {True: "so you are asked", False: "which counts as if it had said nothing"}


def joined(call: HookCall, answers: Sequence[Said]) -> HookVerdict:
    """The one verdict about this call. Without an answer that can be read, nothing is ever allowed by it."""
    notes = tuple(
        f"The hook {one.hook.name} failed, {_GO_ON[one.hook.fail_closed]}: {one.fault}." for one in _failed(answers)
    )
    denied = [one for one in answers if one.word is Word.DENY]
    if denied:
        return HookVerdict(Hooks(HookAnswer.DENY, _words(denied), call.changed), notes=notes)
    changing = [one for one in answers if one.arguments is not None and not _same(one.arguments, call.call.args)]
    if changing:
        return _changed(call, changing, notes)
    return HookVerdict(_hooks(call, answers), notes=notes)


def remarks(answers: Sequence[Said]) -> HookRemarks:
    """What is to be said after a call."""
    for_model = tuple(f"A hook of the user's, {one.hook.name}, says: {one.note}" for one in answers if one.note)
    failed = (
        f"The hook {one.hook.name} failed after the call, which changes nothing: {one.fault}."
        for one in _failed(answers)
    )
    return HookRemarks(for_model, tuple(failed))


def _changed(call: HookCall, changing: Sequence[Said], notes: tuple[str, ...]) -> HookVerdict:
    names = _names(changing)
    first = changing[0].arguments
    if call.fixed:
        text = f"{names} would change its arguments, which cannot be done: {call.fixed}"
        return HookVerdict(Hooks(HookAnswer.DENY, text, call.changed), notes=notes)
    if any(not _same(one.arguments, first) for one in changing):
        text = f"{names} would change its arguments, each in another way, so that none of it was done."
        return HookVerdict(Hooks(HookAnswer.ASK, text, call.changed), notes=notes)
    if call.changed:
        text = f"{names} would change its arguments once more, which was not done."
        return HookVerdict(Hooks(HookAnswer.ASK, text, call.changed), notes=notes)
    said = "; ".join(one.reason.rstrip(".") for one in changing if one.reason)
    text = f"A hook of yours, {names}, has changed the arguments of this call{f': {said}' if said else ''}."
    return HookVerdict(Hooks(HookAnswer.PENDING, changed=text), first, notes)


def _hooks(call: HookCall, answers: Sequence[Said]) -> Hooks:
    asking = [one for one in answers if one.word is Word.ASK]
    failed = [one for one in _failed(answers) if one.hook.fail_closed]
    failing = "; ".join(f"{one.hook.name} failed, because {one.fault}" for one in failed)
    if asking or failed:
        return Hooks(HookAnswer.ASK, _words(asking), call.changed, failing)
    allowing = [one for one in answers if one.word is Word.ALLOW and one.hook.may_allow and one.of_this_tool]
    if allowing:
        return Hooks(HookAnswer.ALLOW, _words(allowing), call.changed)
    return Hooks(HookAnswer.NOTHING, "", call.changed)


def _failed(answers: Sequence[Said]) -> Iterator[Said]:
    return (one for one in answers if one.fault)


def _words(answers: Sequence[Said]) -> str:
    return "; ".join(f"{one.hook.name} says: {one.reason}" if one.reason else one.hook.name for one in answers)


def _names(answers: Sequence[Said]) -> str:
    return " and ".join(one.hook.name for one in answers)


def _same(one: JsonObject | None, other: JsonObject | None) -> bool:
    # 1 and true are the same to Python, and not to a tool.
    return canonical_json(one) == canonical_json(other)
