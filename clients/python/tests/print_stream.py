"""Prints each event and each state of a stream as a line of JSON, for test/clients/python.test.ts.

The arguments are "sync" or "async", and the options of the stream as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any, Dict

from pizarra_client import AsyncClient, Client, PizarraError, StreamEvent, StreamState


def show(line: Dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def on_state(state: StreamState) -> None:
    ending = state.ending.motivo if state.ending is not None else None
    error = type(state.error).__name__ if state.error is not None else None
    missing = list(state.notes.missing)
    show({"state": state.state, "resumed": state.is_resumed, "missing": missing, "ending": ending, "error": error})


def on_event(event: StreamEvent) -> None:
    show({"type": event.type, "id": getattr(event, "id", None), "data": event.data.to_json()})


def main(mode: str, options: Dict[str, Any]) -> None:
    url, key = os.environ["PIZARRA_URL"], os.environ["PIZARRA_KEY"]
    try:
        if mode == "sync":
            with Client(url, key).stream(**options, on_state=on_state) as stream:
                for event in stream:
                    on_event(event)
        else:
            asyncio.run(main_async(url, key, options))
    except PizarraError as error:
        show({"raised": type(error).__name__, "status": getattr(error, "status", None)})


async def main_async(url: str, key: str, options: Dict[str, Any]) -> None:
    async with AsyncClient(url, key) as client:
        async with client.stream(**options, on_state=on_state) as stream:
            async for event in stream:
                on_event(event)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
