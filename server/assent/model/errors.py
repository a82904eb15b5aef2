"""Every fault that Assent itself can name. A face turns each into a message of its protocol, once.

AssentError
|-- ApprovalFault                 an answer that does not count; nothing changed
|   |-- ApprovalNotFound
|   |-- ApprovalAlreadyResolved
|   |-- InvalidOption
|   |-- NeedsOwnLook
|   `-- DigestMismatch
|-- NotRecorded                   it could not be written down first, so it does not happen
|-- SessionNotFound
|-- ShellFault                    a running command that is not there, or one too many
|   |-- ShellNotFound
|   `-- ShellsFull
|-- NotConfirmed                  something dangerous was chosen by somebody who has not read why it is
|-- ReviewIsOld                   what is to be rolled back is not what was looked at
|-- InvalidRequest                a request that was understood and cannot be carried out as it stands
|-- SettingsFault                 a settings file or the consent ledger cannot be read or written (settings/faults.py)
|-- ToolFault                     a tool failed: a result for the model, never the end of the run
`-- ProviderFault                 the model failed: the turn ends with an error, the history stays valid
"""

from assent.model.ids import ApprovalId


class AssentError(Exception):
    """A fault with a message for the person who meets it."""


class ApprovalFault(AssentError):
    """An answer to an approval that does not count."""

    def __init__(self, approval_id: ApprovalId, message: str) -> None:
        super().__init__(message)
        self.approval_id = approval_id


class ApprovalNotFound(ApprovalFault):
    """No call waits under this id, and none ever did in this process."""


class ApprovalAlreadyResolved(ApprovalFault):
    """The call has its outcome already; these fields tell which, so that the answerer learns the truth."""

    def __init__(
        self, approval_id: ApprovalId, *, status: str, decision: str | None, resolved_by: str, at: str
    ) -> None:
        super().__init__(approval_id, f"this call was already {status}, by {resolved_by}")
        self.status = status
        self.decision = decision
        self.resolved_by = resolved_by
        self.at = at


class InvalidOption(ApprovalFault):
    """The answer picked something that this card did not offer."""

    def __init__(self, approval_id: ApprovalId, message: str, allowed: tuple[str, ...]) -> None:
        super().__init__(approval_id, message)
        self.allowed = allowed


class NeedsOwnLook(ApprovalFault):
    """A yes to several calls at once is none to this one."""


class DigestMismatch(ApprovalFault):
    """The answer was given to something else than what would run now."""


class NotRecorded(AssentError):
    """What is about to happen could not be written down durably: so it does not happen, and nothing changed."""


class SessionNotFound(AssentError):
    """No such chat, or not this one's to answer for."""


class ShellFault(AssentError):
    """A command that runs, or should: what was wanted of it did not happen."""


class ShellNotFound(ShellFault):
    """No such command, or not this chat's."""


class ShellsFull(ShellFault):
    """As many commands run in the background as may."""


class InvalidRequest(AssentError):
    """A request that cannot be carried out; `path` names the field at fault."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class NotConfirmed(AssentError):
    """What was chosen is dangerous: it counts when the user has read why."""

    def __init__(self, danger: str) -> None:
        super().__init__(f"{danger} It was not chosen: it needs a confirmation.")
        self.danger = danger


class ReviewIsOld(AssentError):
    """Files changed after the user looked at what would be rolled back: so nothing was."""


class WarningNotRead(AssentError):
    """What is to be known of a file in a message is not what the user agreed to: so the message was not sent."""

    def __init__(self, shown: str, warning: str) -> None:
        super().__init__(
            f"{shown} was not sent, and neither was the message: it goes along only where you say so once more, having "
            f"read what is to be known of it now. {warning}"
        )


class ToolFault(AssentError):
    """A tool could not do its work; `code` is for the model and the tests, the message for both readers."""

    def __init__(self, code: str, message: str, content: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.content = content
        """What there is to show of it to the user all the same."""


class ProviderFault(AssentError):
    """The model could not be reached or did not answer sensibly."""

    def __init__(self, code: str, message: str, *, passing: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.passing = passing
        """The same request may well succeed in a moment."""
        self.retry_after = retry_after
        """The seconds after which the model's server wants to be asked again, where it says so."""
        self.status: int | None = None
        """With which the server refused, where it did."""
        self.key_is_known = False
        """The server knows the key that it was shown, and only does not allow this with it."""
