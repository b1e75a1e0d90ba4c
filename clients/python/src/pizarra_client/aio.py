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
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Type, TypeVar, Union

from . import contract as c
from ._batches import Tickers
from ._options import Retry
from ._span import Day
from .cancellation import Cancellation
from .client import (
    BarFields,
    Client,
    HistoryFields,
    InstrumentFields,
    MarketFields,
    Names,
    QuoteFields,
)
from .errors import PizarraCancelledError
from .result import Rows
from .stream import OnState, QuoteStream, StreamEvent

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class AsyncClient:
    """A client of a Pizarra service for asyncio. Its methods are those of Client, and are awaited.

    Cancelling a task closes the connection of its request.
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

    async def quotes(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        campos: QuoteFields = None,
        moneda: Optional[c.MonedaDePrecios] = None,
        dolar: Optional[c.DolarDeConversion] = None,
    ) -> Rows[c.Cotizacion]:
        return await self._run(
            self._client.quotes,
            especie=especie,
            panel=panel,
            campos=campos,
            moneda=moneda,
            dolar=dolar,
        )

    async def ranking(
        self,
        panel: c.Panel,
        *,
        por: Optional[c.CriterioDeRanking] = None,
        orden: Optional[c.OrdenDeRanking] = None,
        limite: Optional[int] = None,
        campos: QuoteFields = None,
    ) -> Rows[c.Cotizacion]:
        return await self._run(
            self._client.ranking, panel, por=por, orden=orden, limite=limite, campos=campos
        )

    async def history(
        self,
        especie: str,
        desde: str,
        hasta: str,
        *,
        ajuste: Optional[c.Ajuste] = None,
        intervalo: Optional[c.IntervaloDeHistorico] = None,
        moneda: Optional[c.MonedaDePrecios] = None,
        dolar: Optional[c.DolarDeConversion] = None,
        campos: HistoryFields = None,
        conocido: Optional[str] = None,
    ) -> Rows[c.PrecioHistorico]:
        return await self._run(
            self._client.history,
            especie,
            desde,
            hasta,
            ajuste=ajuste,
            intervalo=intervalo,
            moneda=moneda,
            dolar=dolar,
            campos=campos,
            conocido=conocido,
        )

    async def download(
        self, tickers: Tickers, start: Day = None, end: Day = None, actions: bool = False, **options: Any
    ) -> "pandas.DataFrame":
        return await self._run(self._client.download, tickers, start, end, actions, **options)

    async def rows(
        self, tickers: Tickers, start: Day = None, end: Day = None, **options: Any
    ) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
        return await self._run(self._client.rows, tickers, start, end, **options)

    async def intraday(
        self,
        especie: str,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
        intervalo: Optional[c.Intervalo] = None,
        campos: BarFields = None,
    ) -> Rows[c.Barra]:
        return await self._run(
            self._client.intraday,
            especie,
            desde=desde,
            hasta=hasta,
            intervalo=intervalo,
            campos=campos,
        )

    async def paths(
        self, especie: Names = None, *, panel: Optional[c.Panel] = None
    ) -> Rows[c.Recorrido]:
        return await self._run(self._client.paths, especie, panel=panel)

    async def events(
        self,
        especie: Names,
        desde: str,
        hasta: str,
        *,
        forma: Optional[str] = None,
        conocido: Optional[str] = None,
    ) -> Rows[c.Evento]:
        options = {"forma": forma, "conocido": conocido}
        return await self._run(self._client.events, especie, desde, hasta, **options)

    async def changes(
        self, especie: str, *, desde: Optional[str] = None, hasta: Optional[str] = None
    ) -> Rows[c.Cambio]:
        return await self._run(self._client.changes, especie, desde=desde, hasta=hasta)

    async def index_changes(
        self,
        indice: c.CodigoDeIndice,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
    ) -> Rows[c.CambioDeIndice]:
        return await self._run(self._client.index_changes, indice, desde=desde, hasta=hasta)

    async def indices(self) -> Rows[c.Indice]:
        return await self._run(self._client.indices)

    async def index(
        self,
        indice: c.CodigoDeIndice,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
    ) -> Rows[c.ValorDeIndice]:
        return await self._run(self._client.index, indice, desde=desde, hasta=hasta)

    async def instruments(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        campos: InstrumentFields = None,
    ) -> Rows[c.Instrumento]:
        return await self._run(self._client.instruments, especie, panel=panel, campos=campos)

    async def search(
        self, buscar: str, *, panel: Optional[c.Panel] = None, campos: InstrumentFields = None
    ) -> Rows[c.Instrumento]:
        return await self._run(self._client.search, buscar, panel=panel, campos=campos)

    async def tickers(self, *, panel: Optional[c.Panel] = None) -> Rows[str]:
        return await self._run(self._client.tickers, panel=panel)

    async def markets(
        self, *, anio: Optional[str] = None, campos: MarketFields = None
    ) -> Rows[c.HorarioDeMercado]:
        return await self._run(self._client.markets, anio=anio, campos=campos)

    async def bonds(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        convencion: Optional[c.Convencion] = None,
        plazo: Optional[c.Plazo] = None,
        dolar: Optional[str] = None,
        precio: Optional[float] = None,
    ) -> Rows[c.CifrasDeBono]:
        return await self._run(
            self._client.bonds,
            especie=especie,
            panel=panel,
            convencion=convencion,
            plazo=plazo,
            dolar=dolar,
            precio=precio,
        )

    async def bond_history(
        self,
        especie: str,
        desde: str,
        hasta: str,
        *,
        contra: Optional[str] = None,
        intervalo: Optional[c.IntervaloDeHistorico] = None,
        convencion: Optional[c.Convencion] = None,
        plazo: Optional[c.Plazo] = None,
        dolar: Optional[str] = None,
    ) -> Rows[c.CifrasDeCierre]:
        return await self._run(
            self._client.bond_history,
            especie,
            desde,
            hasta,
            contra=contra,
            intervalo=intervalo,
            convencion=convencion,
            plazo=plazo,
            dolar=dolar,
        )

    async def flows(
        self, especie: str, *, desde: Optional[str] = None, plazo: Optional[c.Plazo] = None
    ) -> Rows[c.FlujoDeBono]:
        return await self._run(self._client.flows, especie, desde=desde, plazo=plazo)

    async def dollars(
        self, *, dolar: Optional[c.Dolar] = None, base: Optional[str] = None
    ) -> Rows[c.PrecioDelDolar]:
        return await self._run(self._client.dollars, dolar=dolar, base=base)

    async def health(self) -> c.Estado:
        return await self._run(self._client.health)

    async def contract(self) -> Dict[str, Any]:
        return await self._run(self._client.contract)

    async def table(self, path: str, **parameters: Any) -> Rows[Any]:
        return await self._run(self._client.table, path, **parameters)

    async def csv(self, path: str, *, decimal: Optional[str] = None, **parameters: Any) -> str:
        return await self._run(self._client.csv, path, decimal=decimal, **parameters)

    def stream(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        campos: QuoteFields = None,
        barras: Optional[c.Intervalo] = None,
        latido: Optional[c.Latido] = None,
        last_event_id: str = "",
        heartbeat: Optional[float] = None,
        attempts_max: Optional[int] = None,
        wait_max: float = 30.0,
        on_state: Optional[OnState] = None,
    ) -> "AsyncQuoteStream":
        """See Client.stream. ``on_state`` is called in the thread of the event loop."""
        return AsyncQuoteStream(
            lambda notify: self._client.stream(
                especie=especie,
                panel=panel,
                campos=campos,
                barras=barras,
                latido=latido,
                last_event_id=last_event_id,
                heartbeat=heartbeat,
                attempts_max=attempts_max,
                wait_max=wait_max,
                on_state=notify,
            ),
            on_state,
        )

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

    async def _run(self, method: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        cancel = Cancellation()
        call = partial(method, *args, cancel=cancel, **kwargs)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
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
