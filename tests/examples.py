"""How many examples hypothesis tries: 6 of each property in `make test`, thousands in `make test-deep`."""

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
NUMBERS = {"default": 6, "deep": 2_000}
IS_DEEP = PROFILE == "deep"

# Machines are slow at times: an example is never judged by the clock.
for name, number in NUMBERS.items():
    settings.register_profile(
        name,
        deadline=None,
        max_examples=number,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile(PROFILE)


def few(number: int) -> settings:
    """The settings of a property whose examples are expensive: half of `number`, 100 when deep."""
    return settings(max_examples=NUMBERS["deep"] // 20 if IS_DEEP else max(2, number // 2))
