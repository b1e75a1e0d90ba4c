"""History as data frames in the form of yfinance. Imported only when it is used: pandas is optional."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

from . import contract as c
from ._batches import Found

if TYPE_CHECKING:
    import pandas

# The columns, and the fields that they show.
PRICES = {
    "Open": "apertura",
    "High": "maximo",
    "Low": "minimo",
    "Close": "ultimo",
    "Volume": "volumen",
}
ACTIONS = ("Dividends", "Stock Splits")


def import_pandas() -> Any:
    """Raises ImportError with advice when pandas is not installed."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "download() and history() need pandas, which is not installed: pip install pandas. "
            "Without it, rows() gives the same values."
        ) from error
    return pandas


def frame_of(
    names: Sequence[str],
    found: Found,
    *,
    actions: Optional[Mapping[str, Sequence[Tuple[str, str, float]]]],
    is_intraday: bool,
    zone: Optional[str],
    group_by: str,
    is_flat: bool,
) -> "pandas.DataFrame":
    """Builds the frame of some tickers.

    actions: by the ticker in upper case, each with its column, its date and its value. None for no columns.
    zone: the time zone of the index. None for dates without one.
    is_flat: for one ticker, whose columns are not named after it.
    """
    pandas = import_pandas()
    import numpy

    labels = [label_of(name, found) for name in names]
    columns = [*PRICES, *(ACTIONS if actions is not None else ())]
    instants = sorted({_instant(row) for rows in found.rows.values() for row in rows})
    place = {instant: at for at, instant in enumerate(instants)}
    values = numpy.full((len(columns), len(labels), len(instants)), numpy.nan)
    for of_ticker, name in enumerate(names):
        rows = found.rows.get(name.upper(), ())
        if not rows:
            continue
        places = [place[_instant(row)] for row in rows]
        known = [[getattr(row, field) for row in rows] for field in PRICES.values()]
        if actions is not None:
            known.extend(_actions_by_row([row.fecha for row in rows], actions.get(name.upper(), ())))
        for of_column, of_rows in enumerate(known):
            # None becomes NaN.
            values[of_column, of_ticker, places] = numpy.array(of_rows, dtype="float64")
    index = _index(pandas, instants, is_intraday, zone)
    if is_flat:
        frame = pandas.DataFrame(values[:, 0, :].T, index=index, columns=columns)
        frame.columns.name = "Price"
        return frame
    if group_by == "ticker":
        values = values.transpose(1, 0, 2)
        names_of_columns, levels = [labels, columns], ["Ticker", "Price"]
    else:
        names_of_columns, levels = [columns, labels], ["Price", "Ticker"]
    header = pandas.MultiIndex.from_product(names_of_columns, names=levels)
    return pandas.DataFrame(values.reshape(len(header), len(instants)).T, index=index, columns=header)


def _actions_by_row(days: Sequence[str], actions: Sequence[Tuple[str, str, float]]) -> List[List[float]]:
    """The values of each column of ACTIONS. An action is on its day, or on the first row after it."""
    values = {column: [0.0] * len(days) for column in ACTIONS}
    for column, day, value in actions:
        at = bisect_left(days, day)
        if at < len(days):
            # Two splits between two sessions multiply, two dividends add up.
            earlier = values[column][at]
            values[column][at] = earlier + value if column == "Dividends" or earlier == 0 else earlier * value
    return list(values.values())


def label_of(name: str, found: Found) -> str:
    """The ticker of a column: that of its rows, or the requested one in upper case."""
    rows = found.rows.get(name.upper())
    return rows[0].especie if rows else name.upper()


def _instant(row: Union[c.PrecioHistorico, c.Barra]) -> str:
    """The text of a date, or of the start of a bar in Buenos Aires."""
    return "{} {}".format(row.fecha, row.hora) if isinstance(row, c.Barra) else row.fecha


def _index(pandas: Any, instants: List[str], is_intraday: bool, zone: Optional[str]) -> Any:
    if is_intraday:
        form, name = "%Y-%m-%d %H:%M:%S", "Datetime"
    else:
        form, name = "%Y-%m-%d", "Date"
    index = pandas.to_datetime(pandas.Index(instants, dtype="object"), format=form)
    if is_intraday:
        index = index.tz_localize("America/Argentina/Buenos_Aires").tz_convert(zone or "UTC")
    elif zone is not None:
        # Where clocks once changed at midnight, the day began an hour later.
        index = index.tz_localize(zone, nonexistent="shift_forward", ambiguous=[False] * len(index))
    return index.rename(name)


def adjusted_actions(
    events: Sequence[c.Evento], currency: str, ajuste: str
) -> Tuple[List[Tuple[str, str, float]], List[str]]:
    """The columns, dates and values of events, and the dates of dividends in another currency.

    Dividends are per unit of the latest session, as the prices are, unless these are as traded.
    """
    values: List[Tuple[str, str, float]] = []
    others: List[str] = []
    for event in events:
        if isinstance(event, c.CambioDeUnidades):
            values.append(("Stock Splits", event.fecha, event.factor))
        elif isinstance(event, c.DividendoEnEfectivo):
            if event.moneda == currency:
                amount = event.importe
                for later in events if ajuste != "ninguno" else ():
                    if (
                        isinstance(later, (c.CambioDeUnidades, c.CambioDeValor))
                        and later.fecha > event.fecha
                    ):
                        amount /= later.factor
                values.append(("Dividends", event.fecha, amount))
            else:
                others.append(event.fecha)
    return values, others

