"""Functions for notebooks: those of a client whose service and key the environment names."""

from __future__ import annotations

import atexit
import os
from typing import TYPE_CHECKING, Any, Dict, Tuple, Union

from . import contract as c
from ._batches import Tickers
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


_clients: Dict[Tuple[str, str], Client] = {}


def _client() -> Client:
    """The client of the service of PIZARRA_URL, with the key of PIZARRA_KEY."""
    url = os.environ.get("PIZARRA_URL", "http://127.0.0.1:8080")
    key = os.environ.get("PIZARRA_KEY", "")
    if key == "":
        raise ValueError(
            "PIZARRA_KEY is not set. Set it to an API key, and PIZARRA_URL to the address of the service, "
            "or use the methods of Client(url, key)."
        )
    known = _clients.get((url, key))
    if known is None:
        known = _clients[(url, key)] = Client(url, key)
        atexit.register(known.close)
    return known
