"""Functions for notebooks: those of a client whose service and key the environment names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import contract as c
from ._batches import Tickers
from ._environment import environment_client
from ._span import Day
from .client import Client
from .history import Ticker
from .result import Rows

if TYPE_CHECKING:
    import pandas


def download(
    tickers: Tickers, start: Day = None, end: Day = None, actions: bool = False, **options: Any
) -> "pandas.DataFrame":
    """The closes or bars of tickers as one wide data frame. See Client.download."""
    return _client().download(tickers, start, end, actions, **options)


def rows(
    tickers: Tickers, start: Day = None, end: Day = None, **options: Any
) -> Rows[Union[c.PrecioHistorico, c.Barra]]:
    """The rows of which download() makes a frame, without pandas. See Client.rows."""
    return _client().rows(tickers, start, end, **options)


def ticker(especie: str) -> Ticker:
    """One instrument: ``ticker("GGAL").history(period="1y")``."""
    return _client().ticker(especie)


def _client() -> Client:
    client = environment_client()
    if client is None:
        raise ValueError(
            "PIZARRA_KEY is not set. Set it to an API key, or PIZARRA_KEY_FILE to a file with one, and PIZARRA_URL "
            "to the address of the service, or use the methods of Client(url, key)."
        )
    return client
