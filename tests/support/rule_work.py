"""How much work something is, such as to look a call up among rules: counted in lines run, which no machine changes."""

import sys
from collections.abc import Callable, Iterable
from types import FrameType, ModuleType

from assent.policy.rules import ground, name_globs, segment, tool_rules, tree

RULES = (ground, name_globs, segment, tool_rules, tree)


def lines_run(work: Callable[[], object], modules: Iterable[ModuleType] = RULES) -> int:
    """How many lines of these modules this runs."""
    watched = {module.__file__ for module in modules}
    count = 0

    def watch(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if frame.f_code.co_filename not in watched:
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
