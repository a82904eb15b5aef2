"""What rules say of that which an open page asks for by itself: nobody can be asked about it then."""

from assent.model.addresses import Address
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules


def restriction_on(rules: Rules, address: Address, agreed: tuple[Address, ...]) -> Effect | None:
    """Which kind of rule keeps a page from this address. A yes to the agreed ones answered each ask rule on them."""
    found: Effect | None = None
    for book in (rules.book, rules.chat_book):
        if book.on_address(Effect.DENY, address, rules.agent_name):
            return Effect.DENY
        answered = (book.on_address(Effect.ASK, one, rules.agent_name) for one in agreed)
        if book.on_address(Effect.ASK, address, rules.agent_name).difference(*answered):
            found = Effect.ASK
    return found
