"""The one sentence about the sandbox: it promises nothing that was not tried."""

import pytest

from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.sandbox.telling import is_enough, told
from assent.sandbox.words import Found, Tier

BUBBLEWRAP, LANDLOCK, NONE = Found(Tier.BUBBLEWRAP), Found(Tier.LANDLOCK), Found(None, "bubblewrap: it is not there.")
UNASKED = SandboxChoice(auto_allow=True)


@pytest.mark.parametrize(
    ("found", "choice", "says", "says_not"),
    [
        (BUBBLEWRAP, SandboxChoice(SandboxKind.OFF), "It is switched off", "holds on this machine"),
        (NONE, UNASKED, "none that holds (bubblewrap: it is not there)", "without asking"),
        (LANDLOCK, SandboxChoice(SandboxKind.BUBBLEWRAP), "Only Landlock holds", "without asking"),
        (BUBBLEWRAP, UNASKED, "run in it without asking", "outside of it"),
        (BUBBLEWRAP, SandboxChoice(auto_allow=True, network=True), "no command runs unasked", "without asking"),
        (BUBBLEWRAP, SandboxChoice(auto_allow=True, writable=("/srv",)), "no command runs unasked", "without asking"),
        (BUBBLEWRAP, SandboxChoice(), "cannot change protected files", "without asking"),
        (LANDLOCK, SandboxChoice(), "Commands run outside of it", "protected files"),
        (LANDLOCK, SandboxChoice(), "seem only to read ask", "held to that"),
        (NONE, SandboxChoice(), "seem only to read ask", "held to that"),
        (Found(Tier.BUBBLEWRAP, holds_readers=True), SandboxChoice(), "only read are held to that", "ask, unless"),
        (Found(Tier.BUBBLEWRAP, holds_readers=True), SandboxChoice(SandboxKind.OFF), "ask, unless", "held to that"),
    ],
)
def test_it_says_what_holds_and_what_runs_in_it(found: Found, choice: SandboxChoice, says: str, says_not: str) -> None:
    text = told(found, choice)
    assert says in text
    assert says_not not in text


@pytest.mark.parametrize(
    ("wanted", "tier", "enough"),
    [
        (SandboxKind.AUTO, Tier.LANDLOCK, True),
        (SandboxKind.LANDLOCK, Tier.BUBBLEWRAP, True),
        (SandboxKind.BUBBLEWRAP, Tier.LANDLOCK, False),
        (SandboxKind.BUBBLEWRAP, Tier.BUBBLEWRAP, True),
        (SandboxKind.SEATBELT, Tier.BUBBLEWRAP, False),
        (SandboxKind.OFF, Tier.BUBBLEWRAP, False),
    ],
)
def test_what_is_stronger_is_enough(wanted: SandboxKind, tier: Tier, *, enough: bool) -> None:
    assert is_enough(wanted, tier) is enough
