"""Cancels a request from another thread."""

from __future__ import annotations

import socket
import threading
from typing import Optional

from .errors import PizarraCancelledError


class Cancellation:
    """Pass it as ``cancel`` to a request, and call ``cancel()`` from any thread to end the request.

    The request then raises PizarraCancelledError. Only a connection that is being opened continues, until
    its timeout.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            if self._socket is not None:
                _shut_down(self._socket)

    def check(self) -> None:
        """Raises PizarraCancelledError if the request was cancelled."""
        if self._event.is_set():
            raise PizarraCancelledError("cancelled")

    def watch(self, connected: Optional[socket.socket]) -> None:
        """Names the socket that a cancel closes."""
        with self._lock:
            self._socket = connected
        self.check()

    def sleep(self, seconds: float) -> None:
        """Waits, or raises PizarraCancelledError as soon as the request is cancelled."""
        self._event.wait(min(seconds, threading.TIMEOUT_MAX))
        self.check()


def _shut_down(connected: socket.socket) -> None:
    # Closing a socket does not wake a thread that reads it; shutting it down does.
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It is closed already.
