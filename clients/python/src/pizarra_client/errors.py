"""The errors of the client."""

from __future__ import annotations

from typing import Optional

from .result import RateLimit


class PizarraError(Exception):
    """The base of every error of this client."""


class PizarraHttpError(PizarraError):
    """The service answered with an error."""

    def __init__(
        self,
        *,
        status: int,
        text: str,
        retry_after: Optional[int],
        rate_limit: Optional[RateLimit],
        url: str,
    ) -> None:
        super().__init__("{}{} ({})".format(status, ": " + text if text else "", url))
        self.status = status
        """The HTTP status, such as 400, 401 or 429."""
        self.text = text
        """The text of the service, in Spanish, for people. Empty if a proxy answered in its place."""
        self.retry_after = retry_after
        """When to try again, in seconds. Only with 429 and 503."""
        self.rate_limit = rate_limit
        """The rate limit of the key, if it has one."""
        self.url = url
        """The requested address. It contains no key."""


class PizarraConnectionError(PizarraError):
    """The service could not be reached, or the connection broke, in every attempt."""


class PizarraTimeoutError(PizarraConnectionError, TimeoutError):
    """The response did not arrive in time, in any attempt."""


class PizarraResponseError(PizarraError):
    """A successful response is not what the contract describes: the address is probably another service."""


class PizarraCancelledError(PizarraError):
    """The request or the stream was cancelled by its caller."""
