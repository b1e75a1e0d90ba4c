"""The client of the service that the environment names: PIZARRA_URL, and PIZARRA_KEY or PIZARRA_KEY_FILE."""

from __future__ import annotations

import atexit
import os
import re
import threading
from typing import Dict, Optional, Tuple

from .client import Client

_clients: Dict[Tuple[str, str], Client] = {}
_lock = threading.Lock()


def environment_client() -> Optional[Client]:
    """The client, the same one for the same settings. None when the environment has no key.

    Raises ValueError when the address or the key is not valid, and OSError when the file of the key cannot be
    read.
    """
    url = os.environ.get("PIZARRA_URL") or "http://127.0.0.1:8080"
    key = os.environ.get("PIZARRA_KEY") or _key_of_file()
    if not key:
        return None
    with _lock:
        known = _clients.get((url, key))
        if known is None:
            known = _clients[(url, key)] = Client(url, key)
            atexit.register(known.close)
        return known


def _key_of_file() -> str:
    """The first line of a file: the key, or the header with it that ``curl -H @FILE`` sends."""
    path = os.environ.get("PIZARRA_KEY_FILE")
    if not path:
        return ""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"(?i)^authorization:\s*bearer\s+", "", file.readline().strip())
