"""The options of a client."""

from __future__ import annotations

import ipaddress
import re
import ssl
from dataclasses import dataclass, field
from typing import Callable, Mapping, Optional, Union
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Retry:
    """How often, and how long, the client tries again."""

    attempts_max: int = 3
    """Maximum number of attempts of a request, the first one included. With 1, it never retries."""
    wait_max: float = 30.0
    """Maximum wait before one further attempt, in seconds. If the service asks for a longer wait
    (Retry-After), the error is raised at once."""


@dataclass(frozen=True)
class Connection:
    """Where and how the service is reached."""

    scheme: str
    host: str
    port: int
    base_path: str
    key: Callable[[], str] = field(repr=False)
    timeout: float
    retry: Retry
    ssl_context: Optional[ssl.SSLContext]

    def url(self, target: str) -> str:
        """The whole address of a path with its query, for messages."""
        host = "[{}]".format(self.host) if ":" in self.host else self.host
        return "{}://{}:{}{}{}".format(self.scheme, host, self.port, self.base_path, target)

    def authorization(self) -> Mapping[str, str]:
        """The header with the key. Raises ValueError when the key cannot be sent in a header."""
        key = self.key()
        # The message does not repeat the key, which would end up in logs.
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("The key is empty, or has spaces or characters that no key has.")
        return {"Authorization": "Bearer " + key}


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def connection_of(
    url: str,
    key: Union[str, Callable[[], str]],
    timeout: float,
    retry: Retry,
    ssl_context: Optional[ssl.SSLContext],
) -> Connection:
    """Reads the address of a service.

    Raises ValueError when it is not an HTTP address, or when plain HTTP would take the key to another machine.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("The url must be like https://quotes.example/v5, not {!r}".format(url))
    if parts.username is not None or parts.password is not None:
        raise ValueError("The url must not contain credentials. Pass the key as key.")
    if parts.query or parts.fragment:
        raise ValueError("The url must have neither a query nor a fragment.")
    is_secure = parts.scheme == "https"
    if not is_secure and not _is_this_machine(parts.hostname):
        raise ValueError("Plain HTTP would expose the key on the network. Use https://, not {!r}.".format(url))
    return Connection(
        scheme=parts.scheme,
        host=parts.hostname,
        port=parts.port or (443 if is_secure else 80),
        base_path=parts.path.rstrip("/"),
        key=key if callable(key) else lambda: key,
        timeout=timeout,
        retry=retry,
        ssl_context=(ssl_context or ssl.create_default_context()) if is_secure else None,
    )
