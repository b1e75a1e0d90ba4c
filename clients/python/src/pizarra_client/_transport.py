"""One attempt of a request, over connections that are used again."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import ssl
import threading
import time
import zlib
from typing import List, Mapping, NamedTuple, NoReturn, Optional, Tuple, Union

from ._notes import rate_limit_of, retry_after_of
from ._options import Connection
from .cancellation import Cancellation
from .errors import PizarraConnectionError, PizarraHttpError, PizarraTimeoutError

_PIECE = 65_536
_IDLE_MAX = 8
"""Maximum number of idle connections that are kept."""


class Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class OpenResponse(NamedTuple):
    """A response whose body was not read yet."""

    response: http.client.HTTPResponse
    connected: socket.socket
    """http.client drops its own reference when the connection will be closed."""


Line = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


class Transport:
    """The connections to the service. Threads share it, and each connection has one user at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._idle: List[Line] = []
        self._lock = threading.Lock()

    def get(self, target: str, headers: Mapping[str, str], timeout: float, cancel: Cancellation) -> Reply:
        """Requests a path with its query once, and reads the whole response.

        Raises PizarraHttpError for any status but 200 and 304, and PizarraConnectionError.
        """
        deadline = time.monotonic() + timeout
        while True:
            line, is_used = self._take(timeout)
            try:
                opened = self._send(line, target, headers, cancel)
                reply = Reply(
                    opened.response.status, opened.response.headers, _body(opened, deadline)
                )
                cancel.watch(None)
            except BaseException as error:
                line.close()
                # The service has closed an idle connection in the meantime: that is no failure.
                if is_used and _is_stale(error) and not cancel.is_cancelled:
                    continue
                self._raise(error, target, cancel)
            if opened.response.will_close:
                line.close()
            else:
                self._give_back(line)
            return self._checked(reply, target)

    def open(self, target: str, headers: Mapping[str, str], timeout: float, cancel: Cancellation) -> OpenResponse:
        """Requests a stream, on a connection of its own. Raises as get does."""
        line = self._new(timeout)
        try:
            opened = self._send(line, target, headers, cancel)
            if opened.response.status != 200:
                body = _body(opened, time.monotonic() + timeout)
                self._checked(Reply(opened.response.status, opened.response.headers, body), target)
            return opened
        except BaseException as error:
            line.close()
            self._raise(error, target, cancel)

    def close(self) -> None:
        with self._lock:
            lines, self._idle = self._idle, []
        for line in lines:
            line.close()

    def _send(self, line: Line, target: str, headers: Mapping[str, str], cancel: Cancellation) -> OpenResponse:
        if line.sock is None:
            line.connect()
        connected: socket.socket = line.sock
        cancel.watch(connected)
        line.request("GET", self._connection.base_path + target, headers=dict(headers))
        return OpenResponse(line.getresponse(), connected)

    def _checked(self, reply: Reply, target: str) -> Reply:
        if reply.status in (200, 304):
            return reply
        raise PizarraHttpError(
            status=reply.status,
            text=_error_text(reply.body),
            retry_after=retry_after_of(reply.headers),
            rate_limit=rate_limit_of(reply.headers),
            url=self._connection.url(target),
        )

    def _raise(self, error: BaseException, target: str, cancel: Cancellation) -> NoReturn:
        """Raises the failure of a connection as an error of this client, and others as they are."""
        cancel.check()
        url = self._connection.url(target)
        if isinstance(error, socket.timeout):
            raise PizarraTimeoutError("No response in time from {}".format(url)) from error
        if isinstance(error, (OSError, http.client.HTTPException, EOFError, zlib.error)):
            reason = str(error) or type(error).__name__
            raise PizarraConnectionError("Cannot reach {}: {}".format(url, reason)) from error
        raise error

    def _take(self, timeout: float) -> Tuple[Line, bool]:
        with self._lock:
            line = self._idle.pop() if self._idle else None
        if line is None:
            return self._new(timeout), False
        if line.sock is not None:
            line.sock.settimeout(timeout)
        return line, True

    def _new(self, timeout: float) -> Line:
        host, port = self._connection.host, self._connection.port
        context: Optional[ssl.SSLContext] = self._connection.ssl_context
        if context is None:
            return http.client.HTTPConnection(host, port, timeout=timeout)
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=context)

    def _give_back(self, line: Line) -> None:
        with self._lock:
            if len(self._idle) < _IDLE_MAX:
                self._idle.append(line)
                return
        line.close()


def _body(opened: OpenResponse, deadline: float) -> bytes:
    """Reads a body, decompressed. Each read gets what is left of the time."""
    pieces: List[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        opened.connected.settimeout(left)
        piece = opened.response.read(_PIECE)
        if not piece:
            # http.client does not report that a body is shorter than its length.
            if opened.response.length:
                raise http.client.IncompleteRead(b"".join(pieces), opened.response.length)
            break
        pieces.append(piece)
    body = b"".join(pieces)
    if opened.response.getheader("Content-Encoding") == "gzip":
        return gzip.decompress(body)
    return body


def _is_stale(error: BaseException) -> bool:
    return isinstance(error, (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError))


def _error_text(body: bytes) -> str:
    """The text of the service in an error body. A proxy may send any other body."""
    try:
        text = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return ""
    return text if isinstance(text, str) else ""
