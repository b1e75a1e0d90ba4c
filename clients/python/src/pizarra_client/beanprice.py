"""A source of prices for bean-price, of beancount 2 and of the separate package beanprice.

``bean-price -e 'ARS:pizarra_client.beanprice/GGAL'`` calls it. The environment names the service: PIZARRA_URL, and
PIZARRA_KEY_FILE or PIZARRA_KEY. With PIZARRA_PER_UNIT=1, the price of a bond is that of one nominal.

A symbol may only have letters, digits and ``:=_-.()``. So ``:`` stands for a space, and ``(2F)`` for the character with
this code, here ``/``. Characters beyond ASCII are the bytes of UTF-8: ``(C3)(91)``.

Both versions take any class with these methods, so neither has to be installed. A failure is logged in Spanish and
gives None, as their interface requires. Then bean-price names the job that it could not fetch.
"""

from __future__ import annotations

import datetime
import logging
import os
import re
import threading
from decimal import Decimal
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union

from . import contract as c
from ._environment import environment_client
from .client import Client
from .errors import PizarraConnectionError, PizarraError, PizarraHttpError, PizarraTimeoutError

T = TypeVar("T")

_log = logging.getLogger(__name__)

_DAYS_BEFORE = 10
"""A day without a session has the price of one before it, at most so many days earlier: the longest closing of the
markets is shorter."""

_instruments: Dict[Client, Mapping[str, c.Instrumento]] = {}
_lock = threading.Lock()


class SourcePrice(NamedTuple):
    """A price as bean-price reads it."""

    price: Decimal
    time: datetime.datetime
    """16:00 of the day of the price in the time zone of the user, to which bean-price converts it."""
    quote_currency: str


class Source:
    """The prices of a Pizarra service."""

    def get_latest_price(self, ticker: str) -> Optional[SourcePrice]:
        """The last price, with the date of its session."""

        def latest(market: _Market) -> SourcePrice:
            quote = market.quote()
            if quote is None:
                raise _NoPrice("La especie «{}» no tiene cotización.".format(market.ticker))
            return market.price(quote)

        return _attempt(ticker, latest)

    def get_historical_price(self, ticker: str, time: datetime.datetime) -> Optional[SourcePrice]:
        """The close of a day as traded, without an adjustment. Without a session on it, that of the last one before."""

        def historical(market: _Market) -> SourcePrice:
            day = _local_day(time)
            first = day - datetime.timedelta(days=_DAYS_BEFORE)
            prices: List[Union[c.PrecioHistorico, c.Cotizacion]] = list(market.closes(first, day)[-1:])
            if not prices or prices[0].fecha < day.isoformat():
                # The session of this day, or one after the last close, may still be under way.
                quote = market.quote()
                if quote is not None and first.isoformat() <= quote.fecha <= day.isoformat():
                    prices.append(quote)
            if not prices:
                text = "La especie «{}» no tiene un precio del {}, ni de los {} días anteriores."
                raise _NoPrice(text.format(market.ticker, day.isoformat(), _DAYS_BEFORE))
            # The first of two prices of one day is the close.
            return market.price(max(prices, key=lambda row: row.fecha))

        return _attempt(ticker, historical)

    def get_prices_series(
        self, ticker: str, time_begin: datetime.datetime, time_end: datetime.datetime
    ) -> Optional[List[SourcePrice]]:
        """The closes of the days of a range, both included, oldest first."""

        def series(market: _Market) -> List[SourcePrice]:
            return [market.price(row) for row in market.closes(_local_day(time_begin), _local_day(time_end))]

        return _attempt(ticker, series)


class _NoPrice(Exception):
    """Why there is no price, in Spanish."""


class _Market:
    """One instrument of the service."""

    def __init__(self, client: Client, symbol: str) -> None:
        self._client = client
        self.ticker = _ticker_of(symbol)
        self._instrument = _instrument(client, self.ticker)

    def quote(self) -> Optional[c.Cotizacion]:
        quotes = self._client.quotes(especie=[self.ticker])
        return next(iter(quotes), None)

    def closes(self, first: datetime.date, last: datetime.date) -> Sequence[c.PrecioHistorico]:
        return self._client.history(self.ticker, first.isoformat(), last.isoformat(), ajuste="ninguno")

    def price(self, row: Union[c.Cotizacion, c.PrecioHistorico]) -> SourcePrice:
        # The shortest digits of a float are those of the service.
        price = Decimal(repr(row.ultimo))
        if os.environ.get("PIZARRA_PER_UNIT") == "1":
            price = price / (self._instrument.precioPor or 1)
        day = datetime.date.fromisoformat(row.fecha)
        time = datetime.datetime.combine(day, datetime.time(16)).astimezone()
        return SourcePrice(price, time, self._instrument.moneda)


def _attempt(symbol: str, read: Callable[[_Market], T]) -> Optional[T]:
    try:
        return read(_Market(_client(), symbol))
    except _NoPrice as error:
        _log.error("Pizarra: %s", error)
    except PizarraError as error:
        _log.error("Pizarra: %s", _text_of(error))
    return None


def _client() -> Client:
    try:
        client = environment_client()
        if client is not None:
            client._connection.authorization()
    except OSError as error:
        raise _NoPrice("No se pudo leer el archivo de la clave ({}).".format(error)) from error
    except ValueError as error:
        raise _NoPrice("La dirección o la clave no son válidas ({}).".format(error)) from error
    if client is None:
        raise _NoPrice(
            "Falta la clave. Indicar en PIZARRA_KEY_FILE el archivo que la contiene, o la clave en PIZARRA_KEY."
        )
    return client


def _text_of(error: PizarraError) -> str:
    if isinstance(error, PizarraHttpError):
        return error.text or "{} respondió {}.".format(error.url, error.status)
    if isinstance(error, PizarraTimeoutError):
        return "El servicio no respondió a tiempo ({}).".format(error)
    if isinstance(error, PizarraConnectionError):
        return "No se pudo conectar con el servicio ({}).".format(error)
    return "En PIZARRA_URL no responde Pizarra ({}).".format(error)


def _ticker_of(symbol: str) -> str:
    """``DOLAR:MEP`` is DOLAR MEP, and ``DOLAR(2F)EURO`` is DOLAR/EURO."""

    def characters(codes: "re.Match[str]") -> str:
        return bytes.fromhex(re.sub("[()]", "", codes.group())).decode("utf-8", "replace")

    text = re.sub(r"(?:\([0-9A-Fa-f]{2}\))+", characters, symbol.replace(":", " "))
    return " ".join(text.split()).upper()


def _instrument(client: Client, ticker: str) -> c.Instrumento:
    """The instrument of a ticker, from the list that all prices of a program share."""
    with _lock:
        known = _instruments.get(client)
        if known is None:
            rows = client.instruments(campos=["precioPor"])
            if rows.notes.is_simulated:
                _log.warning("Pizarra: El servicio muestra una demostración. Sus precios son inventados.")
            known = _instruments[client] = {row.especie.upper(): row for row in rows}
    instrument = known.get(ticker)
    if instrument is None:
        raise _NoPrice("La especie «{}» no existe.".format(ticker))
    if not re.fullmatch("[A-Z]+", instrument.moneda):
        text = "«{}» se expresa en «{}», que no es una moneda: no es un precio."
        raise _NoPrice(text.format(ticker, instrument.moneda))
    return instrument


def _local_day(time: datetime.datetime) -> datetime.date:
    """The day in the time zone of the user: bean-price asks for 16:00 of a day in it."""
    return time.astimezone().date()
