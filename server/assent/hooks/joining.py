"""What several hooks say together: a denial beats a change, a change a question, and a question an agreement."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assent.hooks.answers import Said, Word
from assent.jsontext import canonical_json
from assent.model.calls import HookAnswer, Hooks
from assent.model.hooks import HookCall, HookRemarks, HookVerdict
from assent.model.json import JsonObject

_GO_ON = {True: "so you are asked", False: "which counts as if it had said nothing"}


def joined(call: HookCall, answers: Sequence[Said]) -> HookVerdict:
    """The one verdict about this call. Without an answer that can be read, nothing is ever allowed by it."""
    verdict = _verdict(call, answers)
    notes = [(one.hook.fail_closed, _note(one)) for one in _failed(answers)]
    overlooked = " ".join(note for fail_closed, note in notes if not fail_closed)
    hooks = replace(verdict.hooks, overlooked=overlooked)
    return replace(verdict, hooks=hooks, notes=tuple(note for _, note in notes))


def _verdict(call: HookCall, answers: Sequence[Said]) -> HookVerdict:
    denied = [one for one in answers if one.word is Word.DENY]
    if denied:
        return HookVerdict(Hooks(HookAnswer.DENY, _words(denied), call.changed))
    changing = [one for one in answers if one.arguments is not None and not _same(one.arguments, call.call.args)]
    if changing:
        return _changed(call, changing)
    return HookVerdict(_hooks(call, answers))


def _note(failed: Said) -> str:
    return f"The hook {failed.hook.name} failed, {_GO_ON[failed.hook.fail_closed]}: {failed.fault}."


def remarks(answers: Sequence[Said]) -> HookRemarks:
    """What is to be said after a call."""
    for_model = tuple(f"A hook of the user's, {one.hook.name}, says: {one.note}" for one in answers if one.note)
    failed = (
        f"The hook {one.hook.name} failed after the call, which changes nothing: {one.fault}."
        for one in _failed(answers)
    )
    return HookRemarks(for_model, tuple(failed))


def _changed(call: HookCall, changing: Sequence[Said]) -> HookVerdict:
    names = _names(changing)
    first = changing[0].arguments
    if call.fixed:
        text = f"{names} would change its arguments, which cannot be done: {call.fixed}"
        return HookVerdict(Hooks(HookAnswer.DENY, text, call.changed))
    doubtful = [one for one in changing if not one.hook.may_change]
    if doubtful:
        text = f"{_names(doubtful)} would change its arguments, which was not done: its matcher cannot be read."
        return HookVerdict(Hooks(HookAnswer.ASK, text, call.changed))
    if any(not _same(one.arguments, first) for one in changing):
        text = f"{names} would change its arguments, each in another way, so that none of it was done."
        return HookVerdict(Hooks(HookAnswer.ASK, text, call.changed))
    if call.changed:
        text = f"{names} would change its arguments once more, which was not done."
        return HookVerdict(Hooks(HookAnswer.ASK, text, call.changed))
    said = "; ".join(one.reason.rstrip(".") for one in changing if one.reason)
    text = f"A hook of yours, {names}, has changed the arguments of this call{f': {said}' if said else ''}."
    return HookVerdict(Hooks(HookAnswer.PENDING, changed=text), first)


def _hooks(call: HookCall, answers: Sequence[Said]) -> Hooks:
    asking = [one for one in answers if one.word is Word.ASK]
    failed = [one for one in _failed(answers) if one.hook.fail_closed]
    failing = "; ".join(f"{one.hook.name} failed, because {one.fault}" for one in failed)
    if asking or failed:
        return Hooks(HookAnswer.ASK, _words(asking), call.changed, failed=failing)
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
