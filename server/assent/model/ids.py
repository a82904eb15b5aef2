"""Names for the identities that travel through the system, so that the type checker tells them apart."""

from typing import NewType

ApprovalId = NewType("ApprovalId", str)
SessionId = NewType("SessionId", str)
RunId = NewType("RunId", str)
CallId = NewType("CallId", str)
ViewId = NewType("ViewId", str)
