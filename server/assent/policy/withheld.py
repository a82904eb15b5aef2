"""What nobody may learn by the way: agreed to is a search, not each file that it comes across; an edit, not a look."""

from dataclasses import replace

from assent.model.calls import Access, CallFacts, Hooks, PathUse
from assent.model.modes import Category
from assent.model.verdict import Decision
from assent.policy import floor
from assent.policy.decide import decide, runs
from assent.policy.rules.book import book_of
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules

NO_HOOKS = Hooks()


def reading(use: PathUse, rules: Rules, hooks: Hooks = NO_HOOKS) -> Decision:
    """What would become of a call that reads exactly this file, with what hooks say of it."""
    read = (replace(use, access=Access.READ),)
    return decide(CallFacts("read_file", known=True, category=Category.READ, paths=read, hooks=hooks), rules)


def may_read(uses: tuple[PathUse, ...], rules: Rules) -> bool:
    """Whether all of these could be read without a question."""
    read = tuple(replace(use, access=Access.READ) for use in uses)
    return runs(CallFacts("read_file", True, Category.READ, read), rules)


def is_withheld(use: PathUse, searched: PathUse, tool: str, rules: Rules) -> bool:
    """Whether a call of this tool for the file itself would be blocked, or asked for by a rule that is about it."""
    facts = CallFacts(tool, known=True, category=Category.READ, paths=(use,))
    if floor.hard_block(facts, rules) is not None:
        return True
    for book in (rules.book, rules.chat_book):
        if book.first(Effect.DENY, facts, rules.agent_name) is not None:
            return True
        asks = book.first(Effect.ASK, facts, rules.agent_name)
        if asks is None:
            continue
        # Whoever was asked by it about the whole search has said yes.
        whole = CallFacts(tool, known=True, category=Category.READ, paths=(searched,))
        if book_of((asks,), rules.roots, rules.home).first(Effect.ASK, whole, rules.agent_name) is None:
            return True
    return False
