"""Fixtures that several tests of rolling back share."""

from tests.support.system_calls import calls

__all__ = ["calls"]
