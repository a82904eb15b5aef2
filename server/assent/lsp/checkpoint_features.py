"""The handlers around what runs changed."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.lsp.previews_on_wire import diff_preview
from assent.lsp.wire_values import word
from assent.model.ids import SessionId
from assent.protocol import checkpoints as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.checkpoints.kept import Checkpoint
    from assent.checkpoints.review import Reviewed


class CheckpointFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {
            "checkpoint/list": self._list,
            "checkpoint/diff": self._diff,
            "checkpoint/text": self._text,
            "checkpoint/restore": self._restore,
        }

    async def _list(self, params: wire.CheckpointListParams) -> wire.CheckpointList:
        found = await self._app().checkpoints.of_chat(self._chat(params.session_id))
        return wire.CheckpointList(tuple(map(_info, found)))

    async def _diff(self, params: wire.CheckpointRef) -> wire.CheckpointDiff:
        review = await self._app().checkpoints.review(self._chat(params.session_id), params.run_id)
        run = review.checkpoint
        return wire.CheckpointDiff(run.run_id, run.began, review.digest, tuple(map(_file, review.files)), run.more)

    async def _text(self, params: wire.CheckpointTextParams) -> wire.CheckpointText:
        session_id = self._chat(params.session_id)
        return wire.CheckpointText(await self._app().checkpoints.text_before(session_id, params.run_id, params.path))

    async def _restore(self, params: wire.CheckpointRestoreParams) -> wire.CheckpointRestored:
        session_id = self._chat(params.session_id)
        also = frozenset(params.also_changed)
        done = await self._app().checkpoints.roll_back(session_id, params.run_id, params.digest, also)
        left = tuple(wire.CheckpointLeft(shown, why) for shown, why in done.left)
        return wire.CheckpointRestored(done.restored, left, done.fault)

    def _chat(self, session_id: str) -> SessionId:
        """One that is open here: what others changed is none of this client's business."""
        return self._app().desk.chat(SessionId(session_id)).session_id


def _info(run: "Checkpoint") -> wire.CheckpointInfo:
    files = [file for file in run.files if file.made is not None]
    return wire.CheckpointInfo(
        run_id=run.run_id,
        at=run.began,
        files=tuple(file.shown for file in files),
        not_kept=run.more + sum(file.existed and file.copy is None for file in files),
    )


def _file(one: "Reviewed") -> wire.CheckpointFile:
    return wire.CheckpointFile(
        path=one.file.path,
        shown=one.place.shown,
        state=word(one.state),
        note=one.note,
        preview=diff_preview(one.diff) if one.diff is not None else None,
    )
