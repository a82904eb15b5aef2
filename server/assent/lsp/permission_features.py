"""The handlers around what decides beside single grants: looking at it, and changing it where that is the user's."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.lsp.to_wire import setting_place
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.protocol import grants as granted
from assent.protocol import permissions as wire
from assent.protocol.handshake import Nothing

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.app.permissions import BypassNow, ModeNow, Permissions
    from assent.settings.kept_answers import KeptAnswer
    from assent.settings.language.rule_lines import RuleLine


class PermissionFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {
            "permissions/overview": self._overview,
            "permissions/sandbox": self._sandbox,
            "permissions/setBypass": self._set_bypass,
            "permissions/setMode": self._set_mode,
            "permissions/forgetAnswer": self._forget,
        }

    @property
    def _permissions(self) -> "Permissions":
        return self._app().permissions

    async def _overview(self, params: Nothing) -> wire.PermissionsOverview:
        from assent.settings.language.rule_lines import ORDER

        found = await self._permissions.overview()
        return wire.PermissionsOverview(
            mode=_mode(found.mode),
            orders=tuple(wire.EffectOrder(effect.value, text) for effect, text in ORDER.items()),
            rules=tuple(_rule(grant_id, line) for grant_id, line in found.rules),
            bypasses=tuple(map(_bypass, found.bypasses)),
            answers=tuple(map(_answer, found.answers)),
            locks=tuple(wire.LockStanding(one.text, one.setting, setting_place(one.origin)) for one in found.locks),
        )

    async def _sandbox(self, params: Nothing) -> wire.SandboxStanding:
        text, origin = await self._permissions.sandbox()
        return wire.SandboxStanding(text, setting_place(origin))

    async def _set_bypass(self, params: wire.SetBypassParams) -> wire.BypassSet:
        if params.on:
            await self._permissions.switch_bypass_on(params.agent, params.digest)
            return wire.BypassSet()
        chat = SessionId(params.session_id) if params.session_id is not None else None
        revoked = await self._permissions.switch_bypass_off(params.agent, chat)
        return wire.BypassSet(tuple(granted.GrantRevoked(one.grant_id, one.undoable) for one in revoked))

    async def _set_mode(self, params: wire.SetDefaultModeParams) -> Nothing:
        await self._permissions.choose_mode(Mode(params.mode), params.digest)
        return Nothing()

    async def _forget(self, params: wire.AnswerRef) -> Nothing:
        await self._permissions.forget_answer(params.answer_id)
        return Nothing()


def _mode(now: "ModeNow") -> wire.ModeStanding:
    return wire.ModeStanding(
        mode=now.mode.value,
        digest=now.digest,
        place=setting_place(now.origin),
        stored_in=None if now.locked else now.target.value,
        locked=now.locked or None,
    )


def _rule(grant_id: str, line: "RuleLine") -> wire.RuleStanding:
    return wire.RuleStanding(
        grant_id=grant_id,
        effect=line.effect.value,
        tool=line.tool,
        pattern=line.pattern,
        does=line.does,
        agents=line.agents,
        remark=line.remark.text if line.remark is not None else None,
        beside=setting_place(line.remark.beside) if line.remark is not None else None,
    )


def _bypass(now: "BypassNow") -> wire.BypassStanding:
    return wire.BypassStanding(
        agent=now.agent,
        on=now.on,
        why=now.why,
        digest=now.digest,
        warning=now.warning,
        place=setting_place(now.origin),
        locked=now.locked or None,
    )


def _answer(kept: "KeptAnswer") -> wire.AnswerStanding:
    return wire.AnswerStanding(
        answer_id=kept.answer_id,
        setting=f"assent.{kept.record.consent.setting}",
        words=kept.words,
        honoured=kept.record.honoured,
        folder=str(kept.folder),
        at=kept.record.at or None,
        place=setting_place(kept.origin),
    )
