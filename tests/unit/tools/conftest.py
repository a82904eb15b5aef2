"""Fixtures that several tests of the tools share."""

from tests.support.system_calls import calls

__all__ = ["calls"]
