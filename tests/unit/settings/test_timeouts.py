"""How long a call waits: who may say so, what is looser, and what counts of all that is said."""

from typing import Any

import pytest

from assent.model.patience import Allowance, TimeoutWhen
from assent.settings.consent import Consent
from assent.settings.effective import Effective, effective
from assent.settings.layers import layers_from
from assent.settings.timeouts import no_looser_than_usual

S, W = "approvalTimeoutSeconds", "approvalTimeoutWhen"
ALWAYS, UNATTENDED, NEVER = TimeoutWhen


def come_to(user: Any = None, workspace: Any = None, folder: Any = None, *, agreed: bool | None = None) -> Effective:
    layers = layers_from({"user": user or {}, "workspace": workspace, "folder": folder}, None)
    return effective(layers, consents=lambda _: lambda consent: agreed, workspace_trusted=True)


@pytest.mark.parametrize(
    ("user", "workspace", "seconds"),
    [
        ({}, {}, 300),
        ({S: 1}, {}, 1),
        ({S: 86_400}, {}, 86_400),
        ({S: 12.5}, {}, 12.5),
        ({S: 600}, {S: 5}, 5),
        ({S: 600}, {S: 601}, 600),
        ({}, {S: 301}, 300),
        ({}, {S: 299}, 299),
        ({S: 60}, {S: 300}, 60),
        *(
            ({S: wrong}, {}, 300)
            for wrong in (0, 0.999, -1, 86_401, 1e400, float("nan"), True, "60", [60], {}, 10**400)
        ),
        *(({S: 60}, {S: wrong}, 60) for wrong in (0, -5, "5", True, None, [5])),
    ],
)
def test_a_workspace_only_shortens(user: Any, workspace: Any, seconds: float) -> None:
    assert come_to(user, workspace).allowance == Allowance(seconds, UNATTENDED)


@pytest.mark.parametrize(
    ("user", "workspace", "when"),
    [
        ({}, {}, UNATTENDED),
        ({W: "never"}, {}, NEVER),
        ({W: "always"}, {}, ALWAYS),
        ({W: "never"}, {W: "unattended"}, UNATTENDED),
        ({}, {W: "always"}, ALWAYS),
        ({}, {W: "never"}, UNATTENDED),
        ({W: "always"}, {W: "unattended"}, ALWAYS),
        *(({W: wrong}, {W: wrong}, UNATTENDED) for wrong in ("Never", "", 0, False, ["never"], "always ")),
    ],
)
def test_a_workspace_only_makes_it_stricter(user: Any, workspace: Any, when: TimeoutWhen) -> None:
    assert come_to(user, workspace).allowance == Allowance(300, when)


def test_what_is_looser_waits_for_the_users_word_and_then_counts() -> None:
    workspace = {S: 900, W: "never"}
    waiting = come_to({}, workspace).awaiting
    assert [(entry.setting, entry.entry, entry.before, entry.after) for entry in waiting] == [
        (S, "900.0", 300.0, 900.0),
        (W, "never", "unattended", "never"),
    ]
    assert "900 seconds" in waiting[0].words and "until somebody answers" in waiting[1].words
    assert come_to({}, workspace, agreed=True).allowance == Allowance(900, NEVER)
    assert come_to({}, workspace, agreed=False).allowance == Allowance()
    assert come_to({}, workspace, agreed=False).awaiting == ()


def test_an_agreement_is_for_one_value() -> None:
    given: set[Consent] = {entry.consent for entry in come_to({}, {S: 900}).awaiting}
    asked_again: set[Consent] = {entry.consent for entry in come_to({}, {S: 901}).awaiting}
    assert len(given) == len(asked_again) == 1 and not given & asked_again


def test_agreement_to_more_does_not_take_a_stricter_part_away() -> None:
    assert come_to({}, {S: 900}, {S: 10}, agreed=True).allowance.seconds == 10
    assert come_to({}, {S: 10}, {S: 900}, agreed=True).allowance.seconds == 10


def test_what_is_wrong_is_said() -> None:
    said = [found.text for found in come_to({S: 0}, {W: "off"}).diagnostics]
    assert said == [
        "assent.approvalTimeoutSeconds should be a number of seconds from 1 to 86400; until it is, the default counts.",
        'assent.approvalTimeoutWhen should be "unattended", "always" or "never"; it does not count.',
    ]


@pytest.mark.parametrize(
    ("known", "counts"),
    [
        (Allowance(900, NEVER), Allowance(300, UNATTENDED)),
        (Allowance(5, ALWAYS), Allowance(5, ALWAYS)),
    ],
)
def test_while_settings_cannot_be_told_nothing_is_looser_than_usual(known: Allowance, counts: Allowance) -> None:
    assert no_looser_than_usual(known) == counts
