"""What an agent claims to do, by the names of the tools that do the same: one rule holds for all agents. No I/O."""

from assent.acp.claim import Claim
from assent.acp.words import Kind


def tool_name(claim: Claim) -> str:
    """As the same act is called where Assent carries it out itself."""
    if claim.command is not None:
        return "bash"
    if claim.edits:
        return "write_file"
    if claim.moves:
        return "move_file"
    if claim.deletes:
        return "delete_file"
    if claim.urls:
        return "web_fetch"
    if claim.reads and claim.kind in (Kind.READ, Kind.SEARCH, Kind.THINK):
        return "read_file"
    return f"acp:{claim.kind or Kind.OTHER}"


def also_does(claim: Claim) -> tuple[str, ...]:
    """The tools of all that it would do: it has the name of one, but no rule on another is passed by."""
    kind = claim.kind
    found: list[str] = []
    if claim.edits or claim.writes or claim.deletes or claim.moves or kind is Kind.EDIT:
        found.extend(("write_file", "edit_file"))
    if claim.deletes or claim.moves or kind in (Kind.DELETE, Kind.MOVE):
        found.append("delete_file")
    if claim.moves or kind is Kind.MOVE:
        found.append("move_file")
    if claim.urls or kind is Kind.FETCH:
        found.append("web_fetch")
    if claim.reads or kind in (Kind.READ, Kind.SEARCH):
        found.extend(("read_file", "list_files"))
    if kind is Kind.EXECUTE:
        found.append("bash")
    return tuple(one for one in found if one != tool_name(claim))
