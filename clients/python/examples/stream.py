"""Follows a panel until Ctrl+C, or for a number of quotes: python examples/stream.py LID 100"""

import itertools
import os
import sys
from typing import cast

from pizarra_client import Client, StreamState
from pizarra_client.contract import Panel

url = os.environ.get("PIZARRA_URL", "http://127.0.0.1:8080")
panel = cast(Panel, sys.argv[1] if len(sys.argv) > 1 else "LID")
count = int(sys.argv[2]) if len(sys.argv) > 2 else None


def on_state(state: StreamState) -> None:
    if state.state == "open":
        print("resumed" if state.is_resumed else "connected")
    else:
        print("lost, next attempt in {:.1f} s".format(state.wait))


with Client(url, os.environ["PIZARRA_KEY"]) as client:
    with client.stream(panel=panel, on_state=on_state) as stream:
        try:
            for event in itertools.islice(stream, count):
                print(event.data.especie, event.data.ultimo)
        except KeyboardInterrupt:
            pass
