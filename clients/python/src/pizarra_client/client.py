"""The client for programs with threads."""

from __future__ import annotations

import json
import ssl
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from . import contract as c
from ._batches import Tickers
from ._cache import ResponseCache
from ._exchange import exchange
from ._notes import notes_of
from ._options import Retry, connection_of
from ._query import listed, query_of
from ._row import Row
from ._span import Day
from ._transport import Reply, Transport
from .cancellation import Cancellation
from .errors import PizarraResponseError
from .history import EVENT_FIELDS, Ticker, Wanted, download_frame, read_rows
from .result import Rows
from .stream import OnState, QuoteStream

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")
R = TypeVar("R", bound=Row)
Names = Union[str, Iterable[str], None]
QuoteFields = Union[str, Iterable[c.CampoDeCotizacion], None]
HistoryFields = Union[str, Iterable[c.CampoDeHistorico], None]
BarFields = Union[str, Iterable[c.CampoDeBarra], None]
InstrumentFields = Union[str, Iterable[c.CampoDeInstrumento], None]
MarketFields = Union[str, Iterable[c.CampoDeMercado], None]


class Client:
    """A client of a Pizarra service. Threads may share it.

    The parameters and the fields of rows have the names of the contract, so its reference describes them.
    A response that has not changed is confirmed by the service with a 304 and not sent again. After 429, 503
    and broken connections, a request is sent again within the limits of ``retry``.
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
    ) -> None:
        """
        url: the address with its base path, such as ``https://quotes.example/v5``.
        key: the API key, or a function that gives the current one: it is called for each request.
        timeout: the maximum time of one attempt, in seconds.
        cache_bytes_max: the maximum size of the responses that are kept to answer a 304. The least recently
        used one is dropped. With 0, none is kept.
        ssl_context: for a certificate authority of your own. Default: that of the system.
        """
        self._connection = connection_of(url, key, timeout, retry, ssl_context)
        self._transport = Transport(self._connection)
        self._cache = ResponseCache(cache_bytes_max)

    def quotes(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        campos: QuoteFields = None,
        moneda: Optional[c.MonedaDePrecios] = None,
        dolar: Optional[c.DolarDeConversion] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Cotizacion]:
        """The latest quotes of tickers, of a panel, or of both. Unknown tickers are in ``missing``.

        ``moneda`` converts the prices by the latest price of ``dolar``.
        """
        query = {"especie": especie, "panel": panel, "campos": campos, "moneda": moneda, "dolar": dolar}
        return self._table("/cotizaciones", c.Cotizacion, query, cancel)

    def ranking(
        self,
        panel: c.Panel,
        *,
        por: Optional[c.CriterioDeRanking] = None,
        orden: Optional[c.OrdenDeRanking] = None,
        limite: Optional[int] = None,
        campos: QuoteFields = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Cotizacion]:
        """The first quotes of a panel by one of their values, those of the current session only."""
        query = {"panel": panel, "por": por, "orden": orden, "limite": limite, "campos": campos}
        return self._table("/ranking", c.Cotizacion, query, cancel)

    def history(
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
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.PrecioHistorico]:
        """The daily closes of one ticker, in ascending order of date. ``columns()`` gives them as lists.

        ``conocido`` is an instant, such as ``2026-11-19T18:30:00-03:00``: the closes that were known then.
        ``moneda`` converts the prices by the closes of ``dolar``.
        """
        query = {
            "especie": especie,
            "desde": desde,
            "hasta": hasta,
            "ajuste": ajuste,
            "intervalo": intervalo,
            "moneda": moneda,
            "dolar": dolar,
            "campos": campos,
            "conocido": conocido,
        }
        return self._table("/historicos", c.PrecioHistorico, query, cancel)

    def download(
        self,
        tickers: Tickers,
        start: Day = None,
        end: Day = None,
        actions: bool = False,
        *,
        group_by: str = "column",
        ajuste: Optional[c.Ajuste] = None,
        auto_adjust: Optional[bool] = None,
        period: Optional[str] = None,
        interval: str = "1d",
        multi_level_index: bool = True,
        progress: bool = False,
        threads: bool = False,
        cancel: Optional[Cancellation] = None,
    ) -> "pandas.DataFrame":
        """The closes or bars of tickers as one wide data frame, as yfinance.download gives them.

        tickers: a list, or a text that separates them by commas. Spaces belong to a ticker.
        start, end: start is included, end is not. Without both, the last month.
        period: such as 5d, 1mo, 1y, ytd or max, instead of start.
        interval: 1d, 1wk or 1mo for closes; 1m, 5m, 15m, 60m or 1h for bars.
        actions: adds the columns Dividends and Stock Splits. It takes a request for each ticker.
        ajuste: splits (default), total or ninguno. auto_adjust=True is total.
        progress, threads: for calls that were written for yfinance; without effect.

        The columns are (Price, Ticker): Open, High, Low, Close and Volume. A value that is not known is NaN.
        Tickers without rows are columns of NaN, and ``attrs["missing"]`` lists them.
        Raises ImportError when pandas is not installed: rows() needs none.
        """
        return download_frame(
            self,
            tickers,
            Wanted.of(start, end, period, interval, ajuste, auto_adjust),
            actions=actions,
            group_by=group_by,
            multi_level_index=multi_level_index,
            cancel=cancel,
        )

    def rows(
        self,
        tickers: Tickers,
        start: Day = None,
        end: Day = None,
        *,
        ajuste: Optional[c.Ajuste] = None,
        auto_adjust: Optional[bool] = None,
        period: Optional[str] = None,
        interval: str = "1d",
        cancel: Optional[Cancellation] = None,
    ) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
        """The rows of which download() makes a frame: by ticker in the order of the request, then by date."""
        wanted = Wanted.of(start, end, period, interval, ajuste, auto_adjust)
        return read_rows(self, tickers, wanted, cancel)

    def ticker(self, especie: str) -> Ticker:
        """One instrument, with its history, its quote and its events."""
        return Ticker(self, especie)

    def intraday(
        self,
        especie: str,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
        intervalo: Optional[c.Intervalo] = None,
        campos: BarFields = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Barra]:
        """The bars of minutes of one ticker, by default those of its last session."""
        query = {"especie": especie, "desde": desde, "hasta": hasta, "intervalo": intervalo, "campos": campos}
        return self._table("/intradiarios", c.Barra, query, cancel)

    def paths(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Recorrido]:
        """The paths of the prices of tickers, of a panel, or of both, each in the session of its quote."""
        query = {"especie": especie, "panel": panel}
        return self._table("/recorridos", c.Recorrido, query, cancel)

    def events(
        self,
        especie: Names,
        desde: str,
        hasta: str,
        *,
        forma: Optional[str] = None,
        conocido: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Evento]:
        """The corporate actions of one ticker, or of several with ``forma="larga"``.

        ``tipo`` tells which fields an event has. ``conocido`` is that of ``history``.
        """
        query = {"especie": especie, "desde": desde, "hasta": hasta, "forma": forma, "conocido": conocido}
        return self._rows("/eventos", query, c.evento_from_json, EVENT_FIELDS, cancel)

    def changes(
        self,
        especie: str,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Cambio]:
        """The changes of the closes and the corporate actions of one ticker, the latest first."""
        query = {"especie": especie, "desde": desde, "hasta": hasta}
        return self._table("/cambios", c.Cambio, query, cancel)

    def index_changes(
        self,
        indice: c.CodigoDeIndice,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.CambioDeIndice]:
        """The changes of the values of one index, the latest first."""
        query = {"indice": indice, "desde": desde, "hasta": hasta}
        return self._table("/cambios", c.CambioDeIndice, query, cancel)

    def indices(self, *, cancel: Optional[Cancellation] = None) -> Rows[c.Indice]:
        """The indices and rates, each with its first and its last day."""
        return self._table("/indices", c.Indice, {}, cancel)

    def index(
        self,
        indice: c.CodigoDeIndice,
        *,
        desde: Optional[str] = None,
        hasta: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.ValorDeIndice]:
        """The values of one index, ascending, days to come included.

        A day without a row has no known value.
        """
        query = {"indice": indice, "desde": desde, "hasta": hasta}
        return self._table("/indices", c.ValorDeIndice, query, cancel)

    def instruments(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        campos: InstrumentFields = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Instrumento]:
        """The instruments with their data: of tickers, of a panel, of both, or of the whole universe.

        With ``campos=["precioPor"]``, ``position_value`` values a position in them.
        """
        query = {"especie": especie, "panel": panel, "campos": campos}
        return self._table("/especies.json", c.Instrumento, query, cancel)

    def search(
        self,
        buscar: str,
        *,
        panel: Optional[c.Panel] = None,
        campos: InstrumentFields = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.Instrumento]:
        """The instruments whose ticker or name has all words of a text, at most 50, the best first."""
        query = {"buscar": buscar, "panel": panel, "campos": campos}
        return self._table("/especies.json", c.Instrumento, query, cancel)

    def tickers(
        self, *, panel: Optional[c.Panel] = None, cancel: Optional[Cancellation] = None
    ) -> Rows[str]:
        """The tickers of the universe or of a panel, in their order."""

        def read(body: bytes) -> List[str]:
            return body.decode("utf-8-sig").splitlines()

        return self._get("/especies.txt", {"panel": panel}, "text/plain", read, ("especie",), cancel)

    def markets(
        self,
        *,
        anio: Optional[str] = None,
        campos: MarketFields = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.HorarioDeMercado]:
        """The markets: whether each is open, its hours and its holidays."""
        return self._table("/mercados", c.HorarioDeMercado, {"anio": anio, "campos": campos}, cancel)

    def bonds(
        self,
        especie: Names = None,
        *,
        panel: Optional[c.Panel] = None,
        convencion: Optional[c.Convencion] = None,
        plazo: Optional[c.Plazo] = None,
        dolar: Optional[str] = None,
        precio: Optional[float] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.CifrasDeBono]:
        """The yields, durations and parities of bonds at their latest prices, by a convention.

        ``precio`` takes the place of the quote of a single ticker.
        """
        query = {
            "especie": especie,
            "panel": panel,
            "convencion": convencion,
            "plazo": plazo,
            "dolar": dolar,
            "precio": precio,
        }
        return self._table("/bonos", c.CifrasDeBono, query, cancel)

    def bond_history(
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
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.CifrasDeCierre]:
        """The yields, durations and parities of one bond at its closes.

        ``contra`` adds the difference to the yields of another bond.
        """
        kind = c.CifrasDeCierre
        query = {
            "especie": especie,
            "desde": desde,
            "hasta": hasta,
            "convencion": convencion,
            "plazo": plazo,
            "dolar": dolar,
            "intervalo": intervalo,
            "contra": contra,
        }
        fields = tuple(name for name in kind.FIELDS if name != "diferencia" or contra is not None)
        return self._rows("/bonos/historicos", query, kind.from_json, fields, cancel)

    def flows(
        self,
        especie: str,
        *,
        desde: Optional[str] = None,
        plazo: Optional[c.Plazo] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.FlujoDeBono]:
        """The payments of one bond from a date on, by default from today."""
        query = {"especie": especie, "desde": desde, "plazo": plazo}
        return self._table("/bonos/flujos", c.FlujoDeBono, query, cancel)

    def dollars(
        self,
        *,
        dolar: Optional[c.Dolar] = None,
        base: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[c.PrecioDelDolar]:
        """What a dollar costs in pesos: as published, and as securities imply it."""
        return self._table("/dolares", c.PrecioDelDolar, {"dolar": dolar, "base": base}, cancel)

    def health(self, *, cancel: Optional[Cancellation] = None) -> c.Estado:
        """The state of the service and of its markets. It needs no key, and sends none."""
        return self._document("/healthz", c.Estado.from_json, cancel)

    def contract(self, *, cancel: Optional[Cancellation] = None) -> Dict[str, Any]:
        """The contract as OpenAPI, with the limits of this installation. It needs no key, and sends none."""
        return self._document("/openapi.json", dict, cancel)

    def table(
        self, /, path: str, *, cancel: Optional[Cancellation] = None, **parameters: Any
    ) -> Rows[Any]:
        """The rows of a table, by its path: ``table("/dolares", dolar="mep")``.

        A path whose rows are of several kinds, such as ``/indices``, has only methods of its own.
        """
        kind = c.ROWS.get(path)
        if kind is None:
            raise TypeError("{} has no rows of one kind".format(path))
        return self._table(path, kind, _table_query(path, parameters), cancel)

    def csv(
        self,
        /,
        path: str,
        *,
        decimal: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
        **parameters: Any,
    ) -> str:
        """A table as CSV (RFC 4180), by its path: ``csv("/cotizaciones", panel="LID", decimal="coma")``."""
        query = {**_table_query(path, parameters), "formato": "csv", "decimal": decimal}

        def read(body: bytes) -> List[str]:
            return [body.decode("utf-8-sig")]

        return self._get(path, query, "text/csv", read, (), cancel)[0]

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
    ) -> QuoteStream:
        """The quotes now, then each change, until the stream is closed. See QuoteStream."""
        query = {"especie": especie, "panel": panel, "campos": campos, "barras": barras, "latido": latido}
        if heartbeat is None:
            heartbeat = 15.0 if latido is None else float(latido.rstrip("s"))
        return QuoteStream(
            self._connection,
            self._transport,
            "/cotizaciones/stream" + query_of(query),
            last_event_id=last_event_id,
            heartbeat=heartbeat,
            attempts_max=attempts_max,
            wait_max=wait_max,
            on_state=on_state,
        )

    def close(self) -> None:
        """Closes the idle connections."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _joined_history(
        self, names: Sequence[str], query: Mapping[str, Any], cancel: Optional[Cancellation]
    ) -> Rows[c.PrecioHistorico]:
        return self._table("/historicos", c.PrecioHistorico, {"especie": names, **query}, cancel)

    def _listed_instruments(self, cancel: Optional[Cancellation]) -> Mapping[str, c.Instrumento]:
        """The instruments by their tickers in upper case."""
        return {one.especie.upper(): one for one in self.instruments(cancel=cancel)}

    def _zone_of(self, name: str, cancel: Optional[Cancellation]) -> str:
        """The time zone of the market of a ticker. That of Buenos Aires for one that is unknown."""
        instrument = self._listed_instruments(cancel).get(name.upper())
        zones = {one.mercado: one.zona for one in self.markets(cancel=cancel)}
        return zones.get("" if instrument is None else instrument.mercado, "America/Argentina/Buenos_Aires")

    def _table(
        self, path: str, kind: Type[R], query: Mapping[str, Any], cancel: Optional[Cancellation]
    ) -> Rows[R]:
        """The rows of a path, with those of the fields on request that ``campos`` names."""
        names = listed(query.get("campos"))
        extras = c.REQUESTED.get(path, ())
        fields = tuple(name for name in kind.FIELDS if name not in extras or name in names)
        return self._rows(path, {**query, "campos": names or None}, kind.from_json, fields, cancel)

    def _rows(
        self,
        path: str,
        query: Mapping[str, Any],
        row: Callable[[Mapping[str, Any]], T],
        fields: Tuple[str, ...],
        cancel: Optional[Cancellation],
    ) -> Rows[T]:
        def read(body: bytes) -> List[T]:
            return [row(one) for one in json.loads(body)]

        return self._get(path, query, "application/json", read, fields, cancel)

    def _get(
        self,
        path: str,
        query: Mapping[str, Any],
        media_type: str,
        read: Callable[[bytes], Sequence[T]],
        fields: Tuple[str, ...],
        cancel: Optional[Cancellation],
    ) -> Rows[T]:
        target = path + query_of(query)
        known = self._cache.get(target)
        headers = {**self._connection.authorization(), "Accept": media_type}
        if known is not None:
            headers["If-None-Match"] = known[0]
        reply = self._exchange(target, headers, cancel)
        notes = notes_of(reply.headers)
        if reply.status == 304 and known is not None:
            return Rows(known[1], fields, notes, is_unchanged=True)
        rows = tuple(self._read(reply, target, media_type, read))
        etag = reply.headers.get("ETag")
        if etag is not None:
            self._cache.put(target, etag, rows, len(reply.body))
        return Rows(rows, fields, notes, is_unchanged=False)

    def _document(
        self, path: str, read: Callable[[Mapping[str, Any]], T], cancel: Optional[Cancellation]
    ) -> T:
        json_type = "application/json"
        reply = self._exchange(path, {"Accept": json_type}, cancel)
        return self._read(reply, path, json_type, lambda body: read(json.loads(body)))

    def _exchange(
        self, target: str, headers: Mapping[str, str], cancel: Optional[Cancellation]
    ) -> Reply:
        return exchange(
            self._transport,
            target,
            {**headers, "Accept-Encoding": "gzip"},
            timeout=self._connection.timeout,
            retry=self._connection.retry,
            cancel=cancel or Cancellation(),
        )

    def _read(self, reply: Reply, target: str, media_type: str, read: Callable[[bytes], T]) -> T:
        url = self._connection.url(target)
        received = reply.headers.get_content_type()
        if received != media_type:
            raise PizarraResponseError("{} answered {} instead of {}".format(url, received, media_type))
        try:
            return read(reply.body)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise PizarraResponseError("{} answered a body that cannot be read".format(url)) from error


def _table_query(path: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    wrong = sorted(set(parameters) - set(c.PARAMETERS.get(path, ())))
    if path not in c.TABLES or wrong:
        raise TypeError("{} has no {}".format(path, ", ".join(wrong) or "table"))
    return parameters
