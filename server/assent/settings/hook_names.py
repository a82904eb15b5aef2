"""Names in matchers of hooks that no tool has: such a hook is never started, and would be missed too late."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from assent.model.hooks import Hook, HookEvent, Occasion

_OF_GUESTS = ("read_file", "write_file", "edit_file", "delete_file", "move_file", "list_files", "web_fetch", "bash")
"""What agents of others do is called by these names, whichever tools there are."""
_LONGEST = 60


def unheard_of(hooks: Collection[Hook], tools: Collection[str]) -> Iterator[str]:
    """A sentence for each name that stands for nothing."""
    known = {
        HookEvent.PRE_TOOL_USE: {*tools, *_OF_GUESTS},
        HookEvent.POST_TOOL_USE: {*tools, *_OF_GUESTS},
        HookEvent.NOTIFICATION: {occasion.value for occasion in Occasion},
    }
    for hook in hooks:
        for name in filter(_is_plain, map(str.strip, hook.matcher.split("|"))):
            if name not in known[hook.event]:
                yield _words(hook, name, known[hook.event])


def _is_plain(name: str) -> bool:
    """Globs may mean what is yet to come, and so may names of servers and kinds of agents of others."""
    return bool(name) and not any(mark in name for mark in "*:./")


def _words(hook: Hook, name: str, known: Collection[str]) -> str:
    what = "occasion" if hook.event is HookEvent.NOTIFICATION else "tool"
    close = get_close_matches(name.lower(), sorted(known), n=1) if len(name) <= _LONGEST else []
    meant = f' Did you mean "{close[0]}"?' if close else ""
    return f'The hook {hook.name} is for the {what} "{name[:_LONGEST]}", which there is not.{meant}'
