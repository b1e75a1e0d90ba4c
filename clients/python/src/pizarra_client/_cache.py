"""The latest responses, which a 304 confirms."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Optional, Tuple


class ResponseCache:
    """Responses by address, up to a number of bytes of their bodies. The least recently used is dropped."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._entries: "OrderedDict[str, Tuple[str, Any, int]]" = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, url: str) -> Optional[Tuple[str, Any]]:
        """The ETag and the value of an address."""
        with self._lock:
            entry = self._entries.get(url)
            if entry is None:
                return None
            self._entries.move_to_end(url)
            return entry[0], entry[1]

    def put(self, url: str, etag: str, value: Any, size: int) -> None:
        with self._lock:
            self._bytes -= self._entries.pop(url, ("", None, 0))[2]
            if size > self._bytes_max:
                return
            self._entries[url] = (etag, value, size)
            self._bytes += size
            while self._bytes > self._bytes_max:
                self._bytes -= self._entries.popitem(last=False)[1][2]
