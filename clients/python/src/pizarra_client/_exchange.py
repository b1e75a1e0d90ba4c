"""Sends a request, and again after a temporary failure."""

from __future__ import annotations

from typing import Mapping, Optional

from ._options import Retry
from ._transport import Reply, Transport
from ._wait import wait_before
from .cancellation import Cancellation
from .errors import PizarraConnectionError, PizarraError, PizarraHttpError

_TEMPORARY = frozenset((408, 429, 502, 503, 504))
"""The statuses after which the same request may succeed later. 502 and 504 come from proxies."""


def exchange(
    transport: Transport,
    target: str,
    headers: Mapping[str, str],
    *,
    timeout: float,
    retry: Retry,
    cancel: Cancellation,
) -> Reply:
    """Every request is a GET, so sending it again changes nothing."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return transport.get(target, headers, timeout, cancel)
        except PizarraError as error:
            if not is_temporary(error) or attempt >= retry.attempts_max:
                raise
            retry_after = retry_after_of(error)
            if retry_after is not None and retry_after > retry.wait_max:
                raise
            wait = wait_before(attempt, retry_after=retry_after, wait_max=retry.wait_max)
        cancel.sleep(wait)


def is_temporary(error: Exception) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, PizarraHttpError):
        return error.status in _TEMPORARY
    return isinstance(error, PizarraConnectionError)


def retry_after_of(error: Optional[Exception]) -> Optional[int]:
    """The wait that the service asked for, in seconds."""
    return error.retry_after if isinstance(error, PizarraHttpError) else None
