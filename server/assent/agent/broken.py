"""Why a turn of the model is not whole, in words for the person who has to do something about it. Without I/O."""

import logging

from assent.agent import assemble
from assent.agent.assemble import Assembler
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import StopReason
from assent.model.errors import ProviderFault

logger = logging.getLogger(__name__)

MOST_NAMED = 3
MENDED_BY_THE_USER = frozenset(
    {"agent_gone", "key_missing", "key_rejected", "unreachable", "not_trusted", "model_not_found"}
)
"""Faults that do not pass by themselves, and that the user is told how to mend: then the run can go on."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What went wrong, and whether asking the model once more makes sense."""

    code: str
    message: str
    again: bool

    @property
    def can_go_on(self) -> bool:
        """Whether the run can go on from here, if not by itself then once the user has done something about it."""
        return self.again or self.code in MENDED_BY_THE_USER


def why_broken(assembler: Assembler, fault: Exception | None) -> Broken | None:
    """What is wrong with a turn whose stream is over, or None where it is whole."""
    unfinished = _named(assembler)
    found = broken_by(fault) if fault is not None else _by_its_end(assembler)
    if found is not None:
        return Broken(found.code, found.message + unfinished, found.again)
    return Broken("unfinished_call", unfinished.strip(), again=True) if unfinished else None


def broken_by(fault: Exception) -> Broken:
    """What a fault of the model or of the way to it means."""
    if isinstance(fault, ProviderFault):
        return Broken(fault.code, str(fault), fault.passing)
    logger.error("the model's stream failed", exc_info=fault)
    return Broken("stream_failed", f"The model's answer broke off ({type(fault).__name__}).", again=True)


def _by_its_end(assembler: Assembler) -> Broken | None:
    if assembler.overfull:
        words = f"The model's answer was ended because it is longer than {assemble.LONGEST_TURN:,} characters."
        return Broken("answer_too_long", words, again=True)
    if assembler.end is None:
        return Broken("stream_cut", "The model's answer was cut off: the connection ended before it did.", again=True)
    match assembler.end.reason:
        case StopReason.LENGTH:
            return Broken("length_limit", "The model reached its length limit before it had finished.", again=True)
        case StopReason.REFUSED:
            words = "The model, or who runs it, refuses to answer this. Say it in other words, or leave it out."
            return Broken("refused", words, again=False)
    return None


def _named(assembler: Assembler) -> str:
    tools = [call.tool for call in assembler.cut_calls()]
    if not tools:
        return ""
    names = ", ".join(dict.fromkeys(tools[:MOST_NAMED])) + (" and others" if len(tools) > MOST_NAMED else "")
    return f" A call of {names} was not finished and did not run."
