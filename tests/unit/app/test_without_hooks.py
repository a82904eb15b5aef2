"""A server that has no hooks does nothing for them: nothing is loaded, nobody is asked."""

import subprocess
import sys

from tests.support.scale import limit

_LOADED = """
import sys
from assent.app.app import App
from assent.app.hooks import CurrentHooks
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.settings.effective import effective
from assent.settings.layers import layers_from

now = effective(layers_from({"user": {"mode": "auto"}}, None))
hooks = CurrentHooks(Processes(), KnownSecrets(), lambda: now.hooks, lambda: (), "/")
assert not hooks.concerned(("write_file", "edit_file"))
assert not hooks.follow(("write_file",))
print([name for name in sys.modules if name.startswith("assent.hooks")])
"""


def test_without_hooks_nothing_of_them_is_loaded() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, timeout=limit(60), check=False
    )

    assert (ran.stdout.strip(), ran.returncode) == ("[]", 0), ran.stderr
