"""What all tests share: generated examples are the same each time, and how long one takes fails nothing.

`--hypothesis-profile=default` looks for others.
"""

from __future__ import annotations

import importlib.util

# ./deploy/test-camera's system has no Hypothesis, and no test of its needs one
if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("suite")
