"""The waits between attempts."""

from __future__ import annotations

import random
from typing import Optional

FIRST_WAIT = 0.25
"""The first wait without Retry-After, in seconds. It doubles each time."""

_JITTER = 0.25


def wait_before(
    failures: int, *, retry_after: Optional[int], wait_max: float, first: float = FIRST_WAIT
) -> float:
    """The wait before the next attempt, in seconds. The client never waits less than the service asks for.

    Up to a quarter is added at random, so that many clients do not come back together.
    """
    if retry_after is not None:
        wait = float(retry_after)
    else:
        # 2 ** 20 times the first wait is more than any maximum.
        wait = min(wait_max, first * 2.0 ** min(failures - 1, 20))
    return wait + random.random() * max(FIRST_WAIT, wait * _JITTER)
