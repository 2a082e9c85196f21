"""What holds for every test: property tests are never judged by the clock, and draw the same every time unless they are to explore."""

from hypothesis import HealthCheck, settings

settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", parent=settings.get_profile("explore"), derandomize=True)
settings.load_profile("fixed")
