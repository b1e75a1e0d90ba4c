"""The client for asyncio.

It runs the requests of the other client in threads: http.client and ssl do the work, as they do in programs
with threads, and nothing of HTTP is written twice. A request occupies a thread while it is under way, and a
stream has a thread of its own.
"""

from __future__ import annotations

import asyncio
import queue
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial, update_wrapper
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Optional, Type, TypeVar, Union

from ._options import Retry
from .cancellation import Cancellation
from .client import Client
from .errors import PizarraCancelledError
from .stream import OnState, QuoteStream, StreamEvent

if TYPE_CHECKING:
    # Type checkers know it. Programs do not need it.
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")


def _awaited(
    method: "Callable[Concatenate[Client, P], T]",
) -> "Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]":
    """A method of the client for threads, which is run in one."""

    async def call(self: "AsyncClient", /, *args: Any, **kwargs: Any) -> T:
        cancel = kwargs["cancel"] = kwargs.get("cancel") or Cancellation()
        return await self._run(lambda client: method(client, *args, **kwargs), cancel)

    update_wrapper(call, method)
    return call


def _opened(
    method: "Callable[Concatenate[Client, P], QuoteStream]",
) -> "Callable[Concatenate[AsyncClient, P], AsyncQuoteStream]":
    """The stream of the client for threads, which has a thread of its own."""

    def call(self: "AsyncClient", /, *args: Any, **kwargs: Any) -> "AsyncQuoteStream":
        on_state = kwargs.pop("on_state", None)
        return AsyncQuoteStream(
            lambda notify: method(self._client, *args, **{**kwargs, "on_state": notify}), on_state
        )

    update_wrapper(call, method)
    return call


class AsyncClient:
    """A client of a Pizarra service for asyncio. Its methods are those of Client, and are awaited.

    Cancelling a task closes the connection of its request. ``on_state`` of a stream is called in the thread of
    the event loop.
    """

    def __init__(
        self,
        url: str,
        key: Union[str, Callable[[], str]],
        *,
        timeout: float = 30.0,
        retry: Retry = Retry(),
        cache_bytes_max: int = 16 * 2**20,
        ssl_context: Optional[ssl.SSLContext] = None,
        requests_max: int = 16,
    ) -> None:
        """requests_max: the maximum number of requests at a time. Further ones wait. See Client."""
        self._client = Client(
            url,
            key,
            timeout=timeout,
            retry=retry,
            cache_bytes_max=cache_bytes_max,
            ssl_context=ssl_context,
        )
        self._threads = ThreadPoolExecutor(requests_max, thread_name_prefix="pizarra")

    quotes = _awaited(Client.quotes)
    ranking = _awaited(Client.ranking)
    history = _awaited(Client.history)
    download = _awaited(Client.download)
    rows = _awaited(Client.rows)
    intraday = _awaited(Client.intraday)
    paths = _awaited(Client.paths)
    events = _awaited(Client.events)
    changes = _awaited(Client.changes)
    index_changes = _awaited(Client.index_changes)
    indices = _awaited(Client.indices)
    index = _awaited(Client.index)
    instruments = _awaited(Client.instruments)
    search = _awaited(Client.search)
    tickers = _awaited(Client.tickers)
    markets = _awaited(Client.markets)
    bonds = _awaited(Client.bonds)
    bond_history = _awaited(Client.bond_history)
    flows = _awaited(Client.flows)
    dollars = _awaited(Client.dollars)
    health = _awaited(Client.health)
    contract = _awaited(Client.contract)
    table = _awaited(Client.table)
    csv = _awaited(Client.csv)
    stream = _opened(Client.stream)

    async def close(self) -> None:
        """Closes the idle connections. Requests under way end first."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, partial(self._threads.shutdown, wait=True))
        self._client.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def _run(self, call: Callable[[Client], T], cancel: Cancellation) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, call, self._client)
        except asyncio.CancelledError:
            cancel.cancel()
            raise


class AsyncQuoteStream:
    """The quotes now, then each change: ``async for event in stream``. Use it with ``async with``.

    Waiting for an event may be cancelled, for example by ``asyncio.wait_for``: no event is lost.
    """

    def __init__(
        self, start: Callable[[OnState], QuoteStream], on_state: Optional[OnState]
    ) -> None:
        self._on_state = on_state
        self._stream = start(self._notify)
        self._calls: "queue.SimpleQueue[Optional[asyncio.Future[None]]]" = queue.SimpleQueue()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._reading: "Optional[asyncio.Future[None]]" = None

    def __aiter__(self) -> "AsyncQuoteStream":
        return self

    async def __anext__(self) -> StreamEvent:
        try:
            while not self._stream.is_closed:
                # While the thread reads, only the thread may use the stream.
                event = self._stream.next_ready() if self._reading is None else None
                if event is not None:
                    return event
                await self._read()
        except PizarraCancelledError:
            pass
        except Exception:
            await self.close()
            raise
        raise StopAsyncIteration

    async def close(self) -> None:
        """Ends the stream."""
        self._stream.close()
        self._calls.put(None)
        if self._reading is not None:
            # Nobody waits for it any more. It ends with PizarraCancelledError.
            self._reading.add_done_callback(lambda reading: reading.cancelled() or reading.exception())

    async def __aenter__(self) -> "AsyncQuoteStream":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def _read(self) -> None:
        if self._reading is None:
            loop = asyncio.get_running_loop()
            if self._loop is None:
                self._loop = loop
                # A daemon, so that a program that forgets to close a stream can end.
                threading.Thread(target=self._work, name="pizarra-stream", daemon=True).start()
            self._reading = loop.create_future()
            self._calls.put(self._reading)
        # A cancelled wait leaves the read under way, and the next wait continues it.
        await asyncio.wait((self._reading,))
        reading, self._reading = self._reading, None
        reading.result()

    def _work(self) -> None:
        while True:
            reading = self._calls.get()
            if reading is None or self._loop is None:
                return
            error: Optional[BaseException] = None
            try:
                self._stream.read()
            except BaseException as raised:
                error = raised
            try:
                self._loop.call_soon_threadsafe(_settle, reading, error)
            except RuntimeError:
                return  # The event loop is closed.

    def _notify(self, state: Any) -> None:
        if self._on_state is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._on_state, state)


def _settle(reading: "asyncio.Future[None]", error: Optional[BaseException]) -> None:
    if reading.cancelled():
        return
    if error is None:
        reading.set_result(None)
    else:
        reading.set_exception(error)
