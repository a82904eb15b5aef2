"""One call of an agent in a turn of it, from the first word about it to its end."""

import asyncio
from collections.abc import Callable
from dataclasses import field

from assent.acp.call_contents import changes_of, result_of
from assent.acp.claim import Claim
from assent.acp.picture import Picture
from assent.acp.whereabouts import Start
from assent.acp.words import Progress, ToolTold
from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId


@dataclass(slots=True, eq=False)
class OpenCall:
    """One call as the agent counts them."""

    picture: Picture
    said: Picture
    """The same without what stood in questions only."""
    call_id: CallId
    began: float
    told: bool = False
    """It stands in the chat."""
    claim: Claim | None = None
    """What it stood for before it was over: then its content is what came of it."""
    asked: int = 0
    """How many questions about it are open, or were answered with yes and are carried out."""
    answered: bool = False
    """The question about it has had its answer: what stood in it is no part of any other."""
    looked: tuple[Picture, Claim] | None = None
    """What it stood for when it was looked at last."""
    finished: bool = False
    followed: bool = False
    """Where its command leads is followed."""
    began_in: Start | None = None
    """Where that began, as far as it was known then; None where the agent works."""
    again: ToolTold | None = None
    """It was over, and is told as if it began once more."""
    parts: "tuple[OpenCall, ...]" = ()
    """The calls that one question is about together. Then it is none itself."""
    over: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Done when the agent says that it is over, or when its turn is."""

    def end(self) -> None:
        """Whoever waits for its end goes on."""
        if not self.over.done():
            self.over.set_result(None)


def end_of(call: OpenCall, printed: Callable[[str], str]) -> tuple[Progress | None, str]:
    """How it ended: of several together the worst. `printed` is for terminals that it names."""
    if not call.parts:
        # What stood in the question alone was asked, and did not come of it.
        return call.picture.progress, result_of(call.said, printed) or changes_of(call.picture)
    ends = [end_of(one, printed) for one in call.parts]
    progresses = {progress for progress, _ in ends}
    worst = Progress.FAILED if Progress.FAILED in progresses else None
    return progresses.pop() if len(progresses) == 1 else worst, "\n".join(text for _, text in ends if text)
