"""Everyone who watches: events and questions go to all, and text waits until all can take it."""

from typing import TYPE_CHECKING, Protocol

from assent.agent.eventlog import Happened
from assent.app.consents import ConsentQuestion
from assent.model.approval import Question, Resolution
from assent.model.forms import FormAction, OpenForm
from assent.model.ids import SessionId
from assent.settings.layers import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable


class Watcher(Protocol):
    """A connected client. Telling it never waits and never fails."""

    def happened(self, happened: Happened) -> None: ...

    def asked(self, question: Question) -> None: ...

    def updated(self, question: Question) -> None: ...

    def resolved(self, question: Question, resolution: Resolution) -> None: ...

    def consent_asked(self, question: ConsentQuestion) -> None: ...

    def consent_resolved(self, consent_id: str) -> None: ...

    def form_asked(self, form: OpenForm) -> None: ...

    def form_ended(self, form: OpenForm, action: FormAction | None) -> None: ...

    @property
    def draws_forms(self) -> bool:
        """Whether its user can be shown a form and answer it."""

    def restored(self, session_ids: tuple[SessionId, ...]) -> None:
        """These chats of an earlier server are here now."""

    def settings_found(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """This is what is wrong with the settings now, all of it."""

    def list_changed(self, for_new_chats: str) -> None:
        """Other agents are there now, new chats start with another one, or chats work in other folders."""

    @property
    def congested(self) -> bool: ...

    async def drained(self) -> None: ...

    @property
    def deaf(self) -> bool:
        """Whether it has shown that it can neither draw a question nor ask one."""


class Hub:
    """The clients of this server: one over stdio; in the playground, the page that is open, or none."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []
        self.also_told: Callable[[Happened], None] = lambda happened: None
        """Somebody of this server's own, who is no client."""

    def attach(self, watcher: Watcher) -> None:
        """Tells this client of everything from now on."""
        self._watchers.append(watcher)

    def detach(self, watcher: Watcher) -> None:
        """Tells it nothing any more."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)

    def happened(self, happened: Happened) -> None:
        for watcher in tuple(self._watchers):
            watcher.happened(happened)
        self.also_told(happened)

    def asked(self, question: Question) -> None:
        for watcher in tuple(self._watchers):
            watcher.asked(question)

    def updated(self, question: Question) -> None:
        for watcher in tuple(self._watchers):
            watcher.updated(question)

    def resolved(self, question: Question, resolution: Resolution) -> None:
        for watcher in tuple(self._watchers):
            watcher.resolved(question, resolution)

    def consent_asked(self, question: ConsentQuestion) -> None:
        for watcher in tuple(self._watchers):
            watcher.consent_asked(question)

    def consent_resolved(self, consent_id: str) -> None:
        for watcher in tuple(self._watchers):
            watcher.consent_resolved(consent_id)

    def form_asked(self, form: OpenForm) -> None:
        for watcher in tuple(self._watchers):
            watcher.form_asked(form)

    def form_ended(self, form: OpenForm, action: FormAction | None) -> None:
        for watcher in tuple(self._watchers):
            watcher.form_ended(form, action)

    @property
    def draws_forms(self) -> bool:
        return any(watcher.draws_forms for watcher in self._watchers)

    def restored(self, session_ids: tuple[SessionId, ...]) -> None:
        for watcher in tuple(self._watchers):
            watcher.restored(session_ids)

    def settings_found(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        for watcher in tuple(self._watchers):
            watcher.settings_found(diagnostics)

    def list_changed(self, for_new_chats: str) -> None:
        for watcher in tuple(self._watchers):
            watcher.list_changed(for_new_chats)

    @property
    def congested(self) -> bool:
        return any(watcher.congested for watcher in self._watchers)

    async def drained(self) -> None:
        """Returns when every client can take more text."""
        for watcher in tuple(self._watchers):
            if watcher.congested:
                await watcher.drained()

    def unattended(self) -> str | None:
        """Why nobody can ever answer a question, or None. A page that is closed for a while is not nobody."""
        if self._watchers and all(watcher.deaf for watcher in self._watchers):
            return "Nobody can be asked: the client can show no questions. This call did not run."
        return None
