"""What there is to be said of the sandbox in a sentence: what holds commands here, and which of them run in it."""

from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.sandbox.words import Found, Tier


def told(found: Found, choice: SandboxChoice) -> str:
    """For the user, who decides by it how much to allow. It promises nothing that was not tried."""
    if choice.enabled is SandboxKind.OFF:
        return f"It is switched off: commands that are allowed run with all that you may do. {_UNHELD}"
    tier = found.tier
    if tier is None:
        why = found.why.strip() or "no means was found that holds"
        return (
            f"This machine has none that holds ({why.rstrip('.')}): commands that are allowed run with all that you may"
            f" do. {_UNHELD}"
        )
    if not is_enough(choice.enabled, tier):
        return (
            f"Only {tier.label} holds on this machine, and your settings ask for {choice.enabled.value}: commands that"
            f" are allowed run with all that you may do. {_UNHELD}"
        )
    readers = "Commands that only read are held to that." if found.holds_readers else _UNHELD
    tried = f"{_capital(tier.label)} holds on this machine; it was tried with attempts to escape."
    return f"{tried} {readers} {_used(choice, tier)}"


_UNHELD = "Those that seem only to read ask, unless they are plain."


def is_enough(wanted: SandboxKind, tier: Tier) -> bool:
    """Whether these means are what the settings ask for, or something stronger."""
    stronger = wanted is SandboxKind.LANDLOCK and tier is Tier.BUBBLEWRAP
    return wanted is SandboxKind.AUTO or wanted.value == tier.value or stronger


def _used(choice: SandboxChoice, tier: Tier) -> str:
    opened = bool(choice.network or choice.writable)
    if choice.auto_allow and not opened:
        return "Commands that it can hold run in it without asking; what you approve runs as its card says."
    if choice.auto_allow:
        return (
            "It is opened for the network or for more folders, so no command runs unasked because of it; one that asks"
            " for it runs in it."
        )
    guards = (
        ""
        if tier is Tier.LANDLOCK
        else " What runs without anybody having looked at it cannot change protected files through it."
    )
    return f"Commands run outside of it, with all that you may do, unless a call asks for it.{guards}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
