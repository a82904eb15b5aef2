"""For all tests: how long an example takes, or is in the making, on a busy machine proves nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile("assent", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("assent")
