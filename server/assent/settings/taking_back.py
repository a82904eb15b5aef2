"""How an entry of the settings is taken out again, and put back as it was."""

from dataclasses import replace

from assent.settings.effective import WriteTarget
from assent.settings.layers import Scope
from assent.settings.store import Change, bypass_change
from assent.settings.stored import StoredGrant, StoredKind


def taken_back(grant: StoredGrant) -> Change:
    """What has to be written so that the entry counts no more. The agreement to it goes first."""
    place = _place(grant)
    if grant.kind is StoredKind.BYPASS_AGENT:
        # It may stand beside the agent's definition, or in a wider scope as well: a plain no beats them all.
        off = bypass_change(grant.path[0], place.consent, on=False)
        return replace(off, scope=place.scope, folder=place.folder)
    if grant.is_item:
        return replace(place, value=grant.value, remove=True)
    return replace(place, value=None)


def given_back(grant: StoredGrant) -> Change:
    """What has to be written so that it counts as before. Whoever carries it out knows whether that was agreed to."""
    place = replace(_place(grant), on=True, consent=None)
    return replace(place, value=grant.value, append=grant.is_item)


def _place(grant: StoredGrant) -> Change:
    of_user = grant.origin.scope is Scope.USER
    scope = WriteTarget.USER if of_user else WriteTarget.WORKSPACE
    consent = grant.entry.consent if grant.entry is not None and not of_user else None
    also = grant.also if consent is not None else ()
    return Change(
        grant.setting, grant.path, None, consent=consent, also=also, on=False, scope=scope, folder=grant.folder
    )
