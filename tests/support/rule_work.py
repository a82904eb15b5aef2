"""How much work it is to look a call up among rules: counted in lines run, which no machine changes."""

import sys
from collections.abc import Callable
from types import FrameType

from assent.policy.rules import ground, name_globs, segment, tool_rules, tree

WATCHED = {module.__file__ for module in (ground, name_globs, segment, tool_rules, tree)}


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the matching code this runs."""
    count = 0

    def watch(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if frame.f_code.co_filename not in WATCHED:
            return None
        count += event == "line"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
