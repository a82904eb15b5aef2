"""What the steps of a workflow would do, as far as that is known before it runs: what its card shows and binds."""

import hashlib
from collections.abc import Mapping
from functools import reduce

from assent.agent.ports import Foreseen, InnerCalls
from assent.jsontext import canonical_json, readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.model.modes import Category, graver
from assent.model.preview import JsonPreview, StepPreview, StepsPreview
from assent.policy.reach import effective_category, is_raised
from assent.tools.workflows.definition import Step
from assent.tools.workflows.inputs import InputFault, NotYetKnown, filled, needed_steps
from assent.tools.workflows.runs import Known

_AGAIN = "It was under way when the run was cut off, and what it did is not known. This makes it again."
_OF_ITS_OWN = "It makes calls of its own. Each of them that needs a yes is asked about by itself."


@dataclass(frozen=True, slots=True)
class StepAhead:
    """A step that is still to be made."""

    step: Step
    args: JsonObject | None
    """What its tool would be called with. None: that hangs on the result of another step."""
    waits_for: str
    """Of which step, where it hangs on one."""
    foreseen: Foreseen | None
    declared: Category | None
    """What its tool declares of itself; None where there is no such tool."""
    again: bool = False
    """It was under way when the run was cut off: this makes it again, whatever it did then."""

    @property
    def facts(self) -> CallFacts:
        """What is known of it. Of what is not known yet nothing but the tool: it is decided about when it is."""
        if self.foreseen is not None:
            return self.foreseen.facts
        known = self.declared is not None
        return CallFacts(self.step.tool, known=known, category=self.declared or Category.EXTERNAL)

    @property
    def key(self) -> str:
        """Under which what it does is allowed: another one where another thing would be called."""
        prepared = self.foreseen.prepared if self.foreseen is not None else None
        if prepared is None:
            return self.step.tool
        return prepared.node.key if prepared.node is not None else prepared.grant_key

    @property
    def category(self) -> Category:
        return effective_category(self.facts)


async def look_ahead(
    steps: tuple[Step, ...], parameters: JsonObject, known: Known, calls: InnerCalls
) -> tuple[StepAhead, ...]:
    """Looks at each step that is still to be made. Raises ToolFault where one can never be made."""
    calls.look_anew()
    to_make = [step for step in steps if step.step_id not in known.done]
    _check_nothing_is_lost(to_make, known)
    ahead = [await _ahead(step, parameters, known, calls) for step in to_make]
    _check_possible(ahead)
    return tuple(ahead)


def _check_nothing_is_lost(steps: list[Step], known: Known) -> None:
    for step in steps:
        lost = sorted(known.lost & needed_steps(step.inputs))
        if lost:
            raise ToolFault(
                "result_not_kept",
                f"The step “{step.step_id}” needs what “{lost[0]}” gave, and that was not kept: it was too long, or it"
                " held what looks like a secret. Run the workflow without resume.",
            )


def _check_possible(ahead: list[StepAhead]) -> None:
    """Raises ToolFault where a step can never be made, and nothing that comes before it could change that."""
    for one in ahead:
        prepared = one.foreseen.prepared if one.foreseen is not None else None
        if prepared is not None and prepared.impossible is not None and not is_raised(one.facts):
            fault = prepared.impossible
            raise ToolFault(fault.code, f"The step “{one.step.step_id}” cannot be made. {fault}")
        if one.category not in (Category.INTERNAL, Category.READ):
            return


async def _ahead(step: Step, parameters: JsonObject, known: Known, calls: InnerCalls) -> StepAhead:
    try:
        args = as_arguments(filled(step.inputs, parameters, known.gave))
    except NotYetKnown as unknown:
        again = step.step_id in known.unknown
        return StepAhead(step, None, unknown.step_id, None, calls.declared(step.tool), again)
    except InputFault as fault:
        raise ToolFault("unusable_workflow", f"The step “{step.step_id}” cannot be made: {fault}.") from fault
    foreseen, again = await calls.foresee(step.tool, args), step.step_id in known.unknown
    return StepAhead(step, foreseen.args, "", foreseen, calls.declared(step.tool), again)


def as_arguments(value: Json) -> JsonObject:
    """The arguments of a call. Inputs are an object, and stay one."""
    if not isinstance(value, Mapping):
        raise InputFault("its inputs are no object")
    return value


def by_hand(ahead: tuple[StepAhead, ...]) -> str:
    """Why nothing but a click lets it go on, if so: what nobody knows the effect of is not made again by itself."""
    again = next((one.step.step_id for one in ahead if one.again), None)
    if again is None:
        return ""
    return (
        f"The step “{again}” was under way when this run was cut off, and what it did is not known. To go on makes it"
        " again: look first at what it has done."
    )


def graver_of(ahead: tuple[StepAhead, ...]) -> Category:
    """The category of the step that can do most."""
    return reduce(graver, (one.category for one in ahead), Category.INTERNAL)


def state_of(digest: str, ahead: tuple[StepAhead, ...]) -> str:
    """Over the workflow and all that its steps would do, with the state of what they touch."""
    steps: list[Json] = [[one.step.step_id, one.foreseen.digest if one.foreseen else None, one.again] for one in ahead]
    return hashlib.sha256(canonical_json([digest, steps])).hexdigest()


def preview_of(title: str, ahead: tuple[StepAhead, ...], done: int) -> StepsPreview:
    """Every step that is to be made."""
    return StepsPreview(title, tuple(_shown(number, one) for number, one in enumerate(ahead, start=done + 1)), done)


def _shown(number: int, one: StepAhead) -> StepPreview:
    prepared = one.foreseen.prepared if one.foreseen is not None else None
    again = (_AGAIN,) if one.again else ()
    if prepared is not None and not isinstance(prepared.preview, StepsPreview):
        notes = (*again, *(prepared.risk.notes if prepared.risk is not None else ()))
        return StepPreview(number, one.step.step_id, prepared.headline, one.category, prepared.preview, notes)
    headline = prepared.headline if prepared is not None else f"Call {one.step.tool}"
    inputs = JsonPreview(readable_json(one.step.inputs if one.args is None else one.args))
    notes = (*again, *(_unknown(one) if prepared is None else (_OF_ITS_OWN,)))
    return StepPreview(number, one.step.step_id, headline, one.category, inputs, notes)


def _unknown(one: StepAhead) -> tuple[str, ...]:
    if not one.waits_for:
        return ()
    return (f"What goes in comes from the step “{one.waits_for}”. It is decided about when that is known.",)
