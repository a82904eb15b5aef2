"""For all tests: how long an example takes on a busy machine proves nothing."""

from hypothesis import settings

settings.register_profile("assent", deadline=None)
settings.load_profile("assent")
