"""The closes of any number of tickers, in as few requests as the limits of the service allow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from . import contract as c
from ._span import Span
from .cancellation import Cancellation
from .errors import PizarraHttpError
from .result import Notes, Rows

if TYPE_CHECKING:
    from .client import Client

Tickers = Union[str, Iterable[str]]

# The limits of the service where its operator has set no others.
_TICKERS_MAX = 500
_ROWS_MAX = 100_000
_QUERY_BYTES_MAX = 15_000

# The number of rows of an instrument from which its whole history is rare.
_HISTORY_ROWS = 6_500


def listed(tickers: Tickers) -> List[str]:
    """The tickers of a list, or of a text that separates them by commas. Each is given once, in order.

    A space does not separate tickers: DOLAR MEP is one.

    Raises ValueError when there is none, or when an entry of a list contains a comma.
    """
    entries = tickers.split(",") if isinstance(tickers, str) else list(tickers)
    names: Dict[str, str] = {}
    for entry in entries:
        if not isinstance(entry, str):
            raise TypeError("a ticker must be a text, not {!r}".format(entry))
        if "," in entry:
            raise ValueError("{!r} contains a comma: pass the tickers as a list".format(entry))
        name = " ".join(entry.split())
        if name:
            names.setdefault(name.upper(), name)
    if not names:
        raise ValueError("no ticker was given")
    return list(names.values())


@dataclass
class Found:
    """What the service has of some tickers."""

    rows: Dict[str, Sequence[Union[c.PrecioHistorico, c.Barra]]] = field(default_factory=dict)
    """By the ticker in upper case, for those that have rows."""
    unknown: List[str] = field(default_factory=list)
    """Tickers that the service does not know: of each response, at most 50."""
    unknown_omitted: int = 0
    missing_dividends: List[str] = field(default_factory=list)
    """TICKER:DATE of the dividends for which the closes are not adjusted: of each response, at most 50."""
    missing_dividends_omitted: int = 0
    is_simulated: bool = False

    def note(self, notes: Notes) -> None:
        self.unknown.extend(notes.missing)
        self.unknown_omitted += notes.missing_omitted
        self.missing_dividends.extend(notes.missing_dividends)
        self.missing_dividends_omitted += notes.missing_dividends_omitted
        self.is_simulated = self.is_simulated or notes.is_simulated

    def all_rows(self, names: Sequence[str], fields: Tuple[str, ...]) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
        """The rows of all tickers, in the order of the request."""
        rows = [row for name in names for row in self.rows.get(name.upper(), ())]
        notes = Notes(
            missing=tuple(self.unknown),
            missing_omitted=self.unknown_omitted,
            missing_dividends=tuple(self.missing_dividends),
            missing_dividends_omitted=self.missing_dividends_omitted,
            is_simulated=self.is_simulated,
        )
        return Rows(rows, fields, notes, False)


def read_closes(
    client: "Client",
    names: Sequence[str],
    span: Span,
    *,
    ajuste: str,
    intervalo: c.IntervaloDeHistorico,
    campos: Optional[str],
    cancel: Optional[Cancellation],
) -> Found:
    """Reads the closes of tickers, one request after the other.

    A request is made as large as the limits allow. The number of rows of an instrument is that of the weekdays
    of the range until responses show that there are fewer. If the service has lower limits, or an instrument
    has closes at weekends, the service refuses a request with its numbers, and it is sent again in parts.
    """
    found = Found()
    waiting = list(names)
    tickers_max, rows_max = _TICKERS_MAX, _ROWS_MAX
    rows_each = min(span.weekdays, _HISTORY_ROWS) or 1
    query = {
        "desde": str(span.first),
        "hasta": str(span.last),
        "ajuste": ajuste,
        "intervalo": None if intervalo == "1d" else intervalo,
        "campos": campos,
        "forma": "larga",
    }
    most = 0
    while waiting:
        size = _fitting(waiting, min(tickers_max, max(1, rows_max // rows_each)))
        batch = waiting[:size]
        try:
            rows = client._joined_history(batch, query, cancel)
        except PizarraHttpError as error:
            limit = _limit_of(error)
            if limit is None or size == 1:
                raise
            is_of_rows, count, maximum = limit
            if is_of_rows:
                rows_max = maximum
                # A few instruments may have most of the rows.
                rows_each = max(-(-count // size), -(-maximum // (size - 1)))
            else:
                tickers_max = maximum
            continue
        del waiting[:size]
        found.note(rows.notes)
        by_ticker = _by_ticker(rows)
        found.rows.update(by_ticker)
        most = max([most, *map(len, by_ticker.values())])
        if most > 0:
            rows_each = most
    return found


def read_bars(
    client: "Client",
    names: Sequence[str],
    span: Span,
    *,
    intervalo: c.Intervalo,
    cancel: Optional[Cancellation],
) -> Found:
    """Reads the bars of tickers. The service gives those of one instrument at a time."""
    found = Found()
    for name in names:
        rows = client.intraday(
            name, desde=str(span.first), hasta=str(span.last), intervalo=intervalo, cancel=cancel
        )
        found.note(rows.notes)
        if len(rows) > 0:
            found.rows[name.upper()] = rows
    return found


def last_sessions(found: Found, sessions: Optional[int]) -> None:
    """Leaves only so many of the last sessions of each ticker."""
    if sessions is None:
        return
    for name, rows in found.rows.items():
        days = sorted({row.fecha for row in rows})[-sessions:]
        found.rows[name] = [row for row in rows if row.fecha >= days[0]]


def _by_ticker(rows: Rows[c.PrecioHistorico]) -> Mapping[str, List[c.PrecioHistorico]]:
    grouped: Dict[str, List[c.PrecioHistorico]] = {}
    for row in rows:
        grouped.setdefault(row.especie.upper(), []).append(row)
    return grouped


def _fitting(names: Sequence[str], count_max: int) -> int:
    """The number of tickers, at least one, whose query is not too long."""
    length = 0
    for at, name in enumerate(names[:count_max]):
        length += len(quote(name, safe="")) + 1
        if length > _QUERY_BYTES_MAX:
            return max(1, at)
    return min(len(names), count_max)


def _limit_of(error: PizarraHttpError) -> Optional[Tuple[bool, int, int]]:
    """Whether a refusal is for the rows or for the tickers, how many there are, and the maximum."""
    numbers = re.search(r"tiene (\d+) (filas|especies)\. Se admiten como máximo (\d+)", error.text)
    if error.status != 400 or numbers is None:
        return None
    return numbers.group(2) == "filas", int(numbers.group(1)), int(numbers.group(3))
