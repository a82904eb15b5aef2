"""Every name under which a restriction looks for a path, and when a permission must say more than usual."""

from assent.model.calls import Access, PathUse
from assent.policy.protected import is_secret
from assent.policy.rules.spelling import is_absolute


def all_names(use: PathUse, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The absolute names of a path: where it leads, how the call named it, and how it is shown."""
    shown = [use.shown] if is_absolute(use.shown) else [f"{root}/{use.shown}" for root in roots if use.shown]
    return tuple(dict.fromkeys(name for name in (use.real, use.named, *shown) if name))


def is_raised(use: PathUse) -> bool:
    """Whether reading this is graver than reading: a permission must then name the place, or the secret."""
    return use.access is Access.READ and (not use.inside or holds_secrets(use))


def holds_secrets(use: PathUse) -> bool:
    """Whether the path looks, under any of its names, as if it held keys or passwords."""
    return any(map(is_secret, use.names))


def changes_folder(use: PathUse) -> bool:
    """Whether all that lies below the path goes with it."""
    return use.is_directory and use.access in (Access.WRITE, Access.DELETE)
