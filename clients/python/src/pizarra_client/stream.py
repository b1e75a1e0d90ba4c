"""The quotes of a selection as they change."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Deque, Iterator, List, Literal, Mapping, Optional, Type, TypeVar, Union

from ._event_parser import EventParser, ServerEvent
from ._exchange import is_temporary, retry_after_of
from ._notes import notes_of
from ._options import Connection
from ._transport import OpenResponse, Transport
from ._wait import wait_before
from .cancellation import Cancellation
from .contract import Barra, CierreDeTransmision, Cotizacion
from .errors import PizarraCancelledError, PizarraConnectionError, PizarraError, PizarraResponseError
from .result import Notes

T = TypeVar("T")

_FIRST_RETRY = 2.0
"""The wait before the next connection until the service sends another one (retry), in seconds."""

_PIECE = 65_536


@dataclass(frozen=True)
class QuoteEvent:
    """A quote. It replaces the one before it, and is never a difference."""

    data: Cotizacion
    id: str
    """Pass it as last_event_id to receive only later quotes."""
    type: Literal["cotizacion"] = "cotizacion"


@dataclass(frozen=True)
class BarEvent:
    """A bar. It replaces the earlier one with the same especie, fecha and hora."""

    data: Barra
    type: Literal["barra"] = "barra"


StreamEvent = Union[QuoteEvent, BarEvent]


@dataclass(frozen=True)
class StreamState:
    """What happens to the connection of a stream."""

    state: Literal["open", "lost"]
    is_resumed: bool = False
    """With "open": whether only later quotes than the last one are sent."""
    notes: Notes = Notes()
    """With "open": what the response tells, such as the missing tickers."""
    ending: Optional[CierreDeTransmision] = None
    """With "lost": why the service ended the stream. None if the connection broke."""
    error: Optional[PizarraError] = None
    wait: float = 0.0
    """With "lost": seconds until the next attempt."""


OnState = Callable[[StreamState], None]


class QuoteStream:
    """The quotes now, then each change: ``for event in stream``. Close it, or use it with ``with``.

    A connection that breaks, or has no byte for twice the heartbeat of the service, is opened again, from the
    last quote on: no quote is missed. Leave ``attempts_max`` out to stop after ``retry.attempts_max`` of the
    client until the first connection, and never after it. A slow reader slows the service down, which then
    sends only the latest quote of each instrument. One thread reads; any thread may close.
    """

    def __init__(
        self,
        connection: Connection,
        transport: Transport,
        target: str,
        *,
        last_event_id: str,
        heartbeat: float,
        attempts_max: Optional[int],
        wait_max: float,
        on_state: Optional[OnState],
    ) -> None:
        self._connection = connection
        self._transport = transport
        self._target = target
        self._last_id = last_event_id
        self._silence_max = 2 * heartbeat
        self._attempts_max = attempts_max or connection.retry.attempts_max
        self._attempts_max_once_open = attempts_max
        self._wait_max = wait_max
        self._on_state = on_state
        self._cancel = Cancellation()
        self._use = threading.Lock()
        self._pending: Deque[ServerEvent] = deque()
        self._opened: Optional[OpenResponse] = None
        self._parser = EventParser("")
        self._opened_at = 0.0
        self._failures = 0
        self._ending: Optional[CierreDeTransmision] = None

    def __iter__(self) -> Iterator[StreamEvent]:
        return self

    def __next__(self) -> StreamEvent:
        """Waits for the next event. Raises StopIteration once the stream is closed."""
        try:
            while not self.is_closed:
                event = self.next_ready()
                if event is not None:
                    return event
                self.read()
        except PizarraCancelledError:
            pass
        except BaseException:
            self.close()
            raise
        raise StopIteration

    @property
    def is_closed(self) -> bool:
        return self._cancel.is_cancelled

    def next_ready(self) -> Optional[StreamEvent]:
        """The next event that was read already, or None."""
        while self._pending:
            event = self._pending.popleft()
            # Set when the event is handed out: a caller that has it does not need it again.
            self._last_id = event.last_id
            self._failures = 0
            if event.event == "cotizacion":
                return QuoteEvent(self._row(Cotizacion.from_json, event), event.last_id)
            if event.event == "barra":
                return BarEvent(self._row(Barra.from_json, event))
            if event.event == "cierre":
                self._ending = self._row(CierreDeTransmision.from_json, event)
        return None

    def read(self) -> None:
        """Reads once, or opens a connection. It may complete no event."""
        with self._use:
            try:
                self._cancel.check()
                if self._opened is None:
                    self._open()
                self._pending.extend(self._read_piece())
            except PizarraError as error:
                self._lose(error)
            except BaseException:
                self._drop()
                raise

    def close(self) -> None:
        """Ends the stream, and wakes the thread that reads it."""
        self._cancel.cancel()
        # A thread that reads closes the connection itself.
        if self._use.acquire(blocking=False):
            self._drop()
            self._use.release()

    def __enter__(self) -> "QuoteStream":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _open(self) -> None:
        headers = {**self._connection.authorization(), "Accept": "text/event-stream"}
        if self._last_id:
            headers["Last-Event-ID"] = self._last_id
        timeout = self._connection.timeout
        opened = self._transport.open(self._target, headers, timeout, self._cancel)
        received = opened.response.headers.get_content_type()
        if received != "text/event-stream":
            opened.response.close()
            opened.connected.close()
            url = self._connection.url(self._target)
            raise PizarraResponseError("{} answered {} instead of a stream".format(url, received))
        opened.connected.settimeout(self._silence_max)
        self._opened = opened
        self._opened_at = time.monotonic()
        self._parser = EventParser(self._last_id)
        self._ending = None
        self._attempts_max = self._attempts_max_once_open or 0
        notes = notes_of(opened.response.headers)
        self._report(StreamState("open", is_resumed=bool(self._last_id), notes=notes))

    def _read_piece(self) -> List[ServerEvent]:
        """Raises PizarraConnectionError when the service ends the connection, and when it breaks."""
        assert self._opened is not None
        try:
            piece = self._opened.response.read1(_PIECE)
        except Exception as error:
            self._cancel.check()
            raise PizarraConnectionError("The stream broke: {!r}".format(error)) from error
        self._cancel.check()
        if not piece:
            raise PizarraConnectionError("The stream ended.")
        try:
            return self._parser.push(piece)
        except ValueError as error:
            raise PizarraResponseError(str(error)) from error

    def _lose(self, error: PizarraError) -> None:
        """Waits before the next attempt, or raises the error."""
        # An idle connection that lasted was no failure.
        if self._drop() and time.monotonic() - self._opened_at > self._wait_max:
            self._failures = 0
        if not is_temporary(error):
            raise error
        self._failures += 1
        if self._attempts_max and self._failures >= self._attempts_max:
            raise error
        retry = self._parser.retry
        wait = wait_before(
            self._failures,
            retry_after=retry_after_of(error),
            first=_FIRST_RETRY if retry is None else retry,
            wait_max=self._wait_max,
        )
        self._report(StreamState("lost", ending=self._ending, error=error, wait=wait))
        self._cancel.sleep(wait)

    def _drop(self) -> bool:
        """Closes the connection, if one is open."""
        opened, self._opened = self._opened, None
        if opened is None:
            return False
        opened.response.close()
        opened.connected.close()
        return True

    def _report(self, state: StreamState) -> None:
        if self._on_state is not None:
            self._on_state(state)

    def _row(self, read: Callable[[Mapping[str, Any]], T], event: ServerEvent) -> T:
        try:
            return read(json.loads(event.data))
        except (ValueError, TypeError) as error:
            raise PizarraResponseError("The stream sent an event that cannot be read.") from error
