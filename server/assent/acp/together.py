"""Several calls that one question is about: what they would do together."""

from collections.abc import Sequence

from assent.acp.claim import Claim, gravest
from assent.acp.command_lines import with_variables

_ALL_AT_ONCE = "what else it would do with a yes"


def together(claims: Sequence[Claim]) -> Claim:
    """All that any of them would do. It is never the one act that a rule is about: it is for a person to say."""
    commands = [with_variables(one.command, one.env) for one in claims if one.command is not None]
    folders = {one.cwd for one in claims if one.command is not None}
    unread = [name for one in claims for name in one.unread]
    return Claim(
        kind=gravest(one.kind for one in claims),
        title="; ".join(one.title for one in claims if one.title),
        command="\n".join(commands) if commands else None,
        cwd=folders.pop() if len(folders) == 1 else None,
        edits=tuple(edit for one in claims for edit in one.edits),
        writes=tuple(path for one in claims for path in one.writes),
        deletes=tuple(path for one in claims for path in one.deletes),
        moves=tuple(move for one in claims for move in one.moves),
        reads=tuple(path for one in claims for path in one.reads),
        urls=tuple(url for one in claims for url in one.urls),
        question=any(one.question for one in claims),
        switches_mode=any(one.switches_mode for one in claims),
        raw={"calls": [one.raw for one in claims]},
        contradictions=tuple(words for one in claims for words in one.contradictions),
        unread=tuple(dict.fromkeys((*unread, _ALL_AT_ONCE))),
        inspectable=False,
    )
