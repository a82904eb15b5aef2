"""Which of the things that are granted in a chat a call runs by: those are charged, and no others."""

import pytest

from assent.model.calls import Access, CallFacts
from assent.model.grants import ChatBypass, DirectoryGrant, Grant, KeyGrant
from assent.model.modes import Mode
from assent.policy.decide import Rules
from assent.policy.granting import Counted, needed
from tests.support.ladder import HOME, KEY, READ_INSIDE, ROOT, WRITE_INSIDE, WRITE_OUTSIDE, WRITE_PROTECTED
from tests.support.shell_calls import shell_call, shell_rules

ASKING = Rules(Mode.DEFAULT, roots=(ROOT,), home=HOME)
AUTO = Rules(Mode.AUTO, roots=(ROOT,), home=HOME)
BYPASS = Rules(Mode.DEFAULT, roots=(ROOT,), home=HOME, bypass_agent=True)
TOOL, ALL, ETC = KeyGrant(KEY), ChatBypass(), DirectoryGrant("/etc", Access.WRITE)
MAKE, NPM, SHELL = KeyGrant("bash:make"), KeyGrant("bash:npm run"), KeyGrant("bash")


@pytest.mark.parametrize(
    ("facts", "rules", "grants", "charged"),
    [
        (WRITE_INSIDE, ASKING, [], []),
        (WRITE_INSIDE, ASKING, [TOOL], [0]),
        # The first of several that would do, alone.
        (WRITE_INSIDE, ASKING, [TOOL, ALL], [0]),
        (WRITE_INSIDE, ASKING, [ALL, TOOL], [0]),
        (WRITE_INSIDE, ASKING, [KeyGrant("other"), TOOL], [1]),
        # It would run, or would not run, anyway.
        (READ_INSIDE, ASKING, [TOOL, ALL], []),
        (WRITE_INSIDE, AUTO, [TOOL, ALL], []),
        (WRITE_PROTECTED, ASKING, [TOOL, ALL], []),
        (WRITE_OUTSIDE, ASKING, [TOOL, ALL], []),
        # A directory is needed although the mode, or a bypass, says the last word.
        (WRITE_OUTSIDE, ASKING, [ETC], [0]),
        (WRITE_OUTSIDE, AUTO, [TOOL, ETC], [1]),
        (WRITE_OUTSIDE, BYPASS, [ALL, ETC], [1]),
        # Of a command, what each part needs.
        (shell_call("make"), shell_rules(), [MAKE, NPM, SHELL], [0]),
        (shell_call("make && npm run x"), shell_rules(), [MAKE, NPM], [0, 1]),
        (shell_call("make && npm run x"), shell_rules(), [SHELL, MAKE, NPM], [0]),
        (shell_call("make && npm run x"), shell_rules(), [MAKE, SHELL], [1]),
        (shell_call("make && npm run x"), shell_rules(allow=("make:*",)), [MAKE, NPM], [1]),
        (shell_call("make && npm run x"), shell_rules(), [MAKE], []),
    ],
)
def test_needed(facts: CallFacts, rules: Rules, grants: list[Grant], charged: list[int]) -> None:
    counted = [Counted(str(at), grant, 1) for at, grant in enumerate(grants)]
    assert needed(facts, rules, counted) == tuple(map(str, charged))
