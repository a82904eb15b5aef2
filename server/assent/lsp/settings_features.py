"""The handlers around settings that would loosen something: the user's answer, and what the user saved by hand."""

from assent.model.errors import InvalidRequest
from assent.protocol import consent as wire


class SettingsFeatures:
    """Parses, calls, converts."""

    async def answered(self, params: wire.ConsentResponse) -> wire.ConsentOutcome:
        raise InvalidRequest("no question about settings is open under this id", "params.consentId")

    async def attested(self, params: wire.AttestParams) -> wire.AttestResult:
        return wire.AttestResult(0)
