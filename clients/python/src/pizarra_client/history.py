"""History as users of yfinance write it: download(), rows(), and ticker().history()."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, get_args

from . import contract as c
from ._batches import Found, Tickers, last_sessions, listed, read_bars, read_closes
from ._span import Day, Span, span_of, today
from .cancellation import Cancellation
from .result import Notes, Rows

if TYPE_CHECKING:
    import pandas

    from .client import Client

# Of bars within sessions, and of closes by day, week and month.
_INTERVALS: Dict[str, c.Intervalo] = {
    "1m": "1m",
    "5m": "5m",
    "15m": "15m",
    "60m": "60m",
    "1h": "60m",
}
_PERIODS: Dict[str, c.IntervaloDeHistorico] = {"1d": "1d", "1wk": "1sem", "1mo": "1mes"}
_CLOSE_FIELDS = ("especie", "fecha", "ultimo", "apertura", "maximo", "minimo", "volumen")

EVENT_FIELDS = ("especie", "fecha", "tipo", "factor", "importe", "moneda", "detalle")

_LAST = "2100-12-31"


class Ticker:
    """One instrument."""

    def __init__(self, client: "Client", especie: str) -> None:
        names = listed(especie)
        if len(names) != 1:
            raise ValueError("ticker() takes one ticker, not {!r}".format(especie))
        self.ticker = names[0]
        self._client = client

    def __repr__(self) -> str:
        return "Ticker({!r})".format(self.ticker)

    def history(
        self,
        period: Optional[str] = None,
        interval: str = "1d",
        start: Day = None,
        end: Day = None,
        *,
        actions: bool = False,
        ajuste: Optional[c.Ajuste] = None,
        auto_adjust: Optional[bool] = None,
        cancel: Optional[Cancellation] = None,
    ) -> "pandas.DataFrame":
        """Its closes or bars as a data frame, whose index is in the time zone of its market. See download()."""
        return _frame(
            self._client,
            [self.ticker],
            Wanted.of(start, end, period, interval, ajuste, auto_adjust),
            actions=actions,
            group_by="column",
            is_flat=True,
            is_local=True,
            cancel=cancel,
        )

    def rows(
        self,
        period: Optional[str] = None,
        interval: str = "1d",
        start: Day = None,
        end: Day = None,
        *,
        ajuste: Optional[c.Ajuste] = None,
        auto_adjust: Optional[bool] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
        """As history(), without pandas."""
        wanted = Wanted.of(start, end, period, interval, ajuste, auto_adjust)
        return _rows(self._client, [self.ticker], wanted, cancel)

    def quote(self, *, cancel: Optional[Cancellation] = None) -> Optional[c.Cotizacion]:
        """Its latest quote. None for a ticker that is unknown, or has no quote."""
        quotes = self._client.quotes(especie=[self.ticker], cancel=cancel)
        return quotes[0] if len(quotes) > 0 else None

    def events(
        self, start: Day = None, end: Day = None, *, cancel: Optional[Cancellation] = None
    ) -> Rows[c.Evento]:
        """Its corporate actions from start to before end, by default all of them."""
        span = span_of("1900-01-01" if start is None else start, _LAST if end is None else end, None, today())
        if span is None:
            return Rows((), EVENT_FIELDS, Notes(), False)
        return self._client.events(self.ticker, str(span.first), str(span.last), cancel=cancel)


class Wanted:
    """What the parameters of a request for history ask for."""

    def __init__(self, span: Optional[Span], interval: str, ajuste: c.Ajuste, now: date) -> None:
        self.span = span
        self.intervalo = _INTERVALS.get(interval)
        self.period = _PERIODS.get(interval, "1d")
        self.ajuste = ajuste
        self.now = now

    @classmethod
    def of(
        cls,
        start: Day,
        end: Day,
        period: Optional[str],
        interval: str,
        ajuste: Optional[c.Ajuste],
        auto_adjust: Optional[bool],
    ) -> "Wanted":
        valid_intervals = [*_PERIODS, *_INTERVALS]
        if interval not in valid_intervals:
            raise ValueError(
                "interval {!r} is not valid: use one of {}".format(interval, ", ".join(valid_intervals))
            )
        if ajuste is not None and auto_adjust is not None:
            raise ValueError("pass ajuste or auto_adjust, not both: auto_adjust=True is ajuste='total'")
        if ajuste is not None and ajuste not in get_args(c.Ajuste):
            valid = ", ".join(get_args(c.Ajuste))
            raise ValueError("ajuste {!r} is not valid: use one of {}".format(ajuste, valid))
        adjustment: c.Ajuste = ajuste or ("total" if auto_adjust else "splits")
        now = today()
        span = span_of(start, end, period, now)
        if span is not None and _PERIODS.get(interval, "1d") != "1d":
            span = span.in_days()
        return cls(span, interval, adjustment, now)


def download_frame(
    client: "Client",
    tickers: Tickers,
    wanted: Wanted,
    *,
    actions: bool,
    group_by: str,
    multi_level_index: bool,
    cancel: Optional[Cancellation],
) -> "pandas.DataFrame":
    """See Client.download."""
    if group_by not in ("column", "ticker"):
        raise ValueError("group_by must be 'column' or 'ticker', not {!r}".format(group_by))
    names = listed(tickers)
    return _frame(
        client,
        names,
        wanted,
        actions=actions,
        group_by=group_by,
        is_flat=not multi_level_index and len(names) == 1,
        is_local=False,
        cancel=cancel,
    )


def read_rows(
    client: "Client", tickers: Tickers, wanted: Wanted, cancel: Optional[Cancellation]
) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
    """See Client.rows."""
    return _rows(client, listed(tickers), wanted, cancel)


def _rows(
    client: "Client", names: Sequence[str], wanted: Wanted, cancel: Optional[Cancellation]
) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
    found = _read(client, names, wanted, cancel)
    return found.all_rows(names, _CLOSE_FIELDS if wanted.intervalo is None else c.Barra.FIELDS)


def _read(
    client: "Client", names: Sequence[str], wanted: Wanted, cancel: Optional[Cancellation]
) -> Found:
    if wanted.span is None:
        return Found()
    if wanted.intervalo is not None:
        found = read_bars(client, names, wanted.span, intervalo=wanted.intervalo, cancel=cancel)
    else:
        campos = "apertura,maximo,minimo"
        found = read_closes(
            client, names, wanted.span, ajuste=wanted.ajuste, intervalo=wanted.period, campos=campos, cancel=cancel
        )
    last_sessions(found, wanted.span.sessions)
    return found


def _frame(
    client: "Client",
    names: Sequence[str],
    wanted: Wanted,
    *,
    actions: bool,
    group_by: str,
    is_flat: bool,
    is_local: bool,
    cancel: Optional[Cancellation],
) -> "pandas.DataFrame":
    from . import _frames

    # Without pandas, nothing is requested.
    _frames.import_pandas()
    found = _read(client, names, wanted, cancel)
    events = _actions(client, names, wanted, found, cancel) if actions else None
    if wanted.period != "1d":
        found.rows.update(_on_one_date(found.rows, wanted.period))
    frame = _frames.frame_of(
        names,
        found,
        actions=events,
        is_intraday=wanted.intervalo is not None,
        zone=client._zone_of(names[0], cancel) if is_local else None,
        group_by=group_by,
        is_flat=is_flat,
    )
    missing = [name for name in names if name.upper() not in found.rows]
    frame.attrs["missing"] = [_frames.label_of(name, found) for name in missing]
    frame.attrs["unknown"] = list(found.unknown)
    frame.attrs["missing_dividends"] = list(found.missing_dividends)
    frame.attrs["ajuste"] = "ninguno" if wanted.intervalo is not None else wanted.ajuste
    frame.attrs["is_simulated"] = found.is_simulated
    return frame


def _on_one_date(
    rows: Mapping[str, Sequence[Any]], period: c.IntervaloDeHistorico
) -> Dict[str, List[Any]]:
    """The closes of each week or month with one date, the latest: the last sessions of markets differ."""

    def key_of(day: str) -> Any:
        return day[:7] if period == "1mes" else date(*map(int, day.split("-"))).isocalendar()[:2]

    latest: Dict[Any, str] = {}
    for own in rows.values():
        for row in own:
            key = key_of(row.fecha)
            latest[key] = max(row.fecha, latest.get(key, row.fecha))
    return {name: [replace(row, fecha=latest[key_of(row.fecha)]) for row in own] for name, own in rows.items()}


def _actions(
    client: "Client",
    names: Sequence[str],
    wanted: Wanted,
    found: Found,
    cancel: Optional[Cancellation],
) -> Dict[str, List[Tuple[str, str, float]]]:
    """The corporate actions of the tickers that have rows, by the ticker in upper case."""
    from ._frames import adjusted_actions

    actions: Dict[str, List[Tuple[str, str, float]]] = {}
    if wanted.span is None:
        return actions
    ajuste = "ninguno" if wanted.intervalo is not None else wanted.ajuste
    instruments: Mapping[str, c.Instrumento] = {}
    for name in names:
        own = found.rows.get(name.upper())
        if not own:
            continue
        # Later splits change what a dividend is per unit of today.
        events = client.events(name, str(wanted.span.first), str(wanted.now), cancel=cancel)
        if len(events) == 0:
            continue
        instruments = instruments or client._listed_instruments(cancel)
        currency = instruments[name.upper()].moneda
        values, others = adjusted_actions(events, currency, ajuste)
        last = str(wanted.span.last)
        # A row of a week or a month begins before its date.
        since = own[0].fecha if wanted.period == "1d" else str(wanted.span.first)
        actions[name.upper()] = [one for one in values if since <= one[1] <= last]
        listed_already = set(found.missing_dividends)
        for day in others:
            entry = "{}:{}".format(own[0].especie, day)
            if entry not in listed_already and since <= day <= last:
                found.missing_dividends.append(entry)
    return actions

