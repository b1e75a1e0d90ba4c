"""Follows two panels at once with asyncio, for a number of quotes each: python examples/stream_async.py 20"""

import asyncio
import os
import sys

from pizarra_client import AsyncClient
from pizarra_client.contract import Panel

url = os.environ.get("PIZARRA_URL", "http://127.0.0.1:8080")
count = int(sys.argv[1]) if len(sys.argv) > 1 else 20


async def follow(client: AsyncClient, panel: Panel) -> None:
    left = count
    async with client.stream(panel=panel) as stream:
        async for event in stream:
            print(panel, event.data.especie, event.data.ultimo)
            left -= 1
            if left == 0:
                return


async def main() -> None:
    async with AsyncClient(url, os.environ["PIZARRA_KEY"]) as client:
        await asyncio.gather(follow(client, "LID"), follow(client, "BONOS"))


asyncio.run(main())
