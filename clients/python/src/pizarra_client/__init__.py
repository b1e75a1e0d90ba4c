"""Client of the Pizarra market quotes service."""

from ._options import Retry
from .aio import AsyncClient, AsyncQuoteStream
from .cancellation import Cancellation
from .client import Client
from .errors import (
    PizarraCancelledError,
    PizarraConnectionError,
    PizarraError,
    PizarraHttpError,
    PizarraResponseError,
    PizarraTimeoutError,
)
from .history import Ticker
from .position_value import position_value
from .result import Notes, RateLimit, Rows
from .shortcuts import download, rows, ticker
from .stream import BarEvent, QuoteEvent, QuoteStream, StreamEvent, StreamState

__version__ = "0.1.0"

__all__ = [
    "AsyncClient",
    "AsyncQuoteStream",
    "BarEvent",
    "Cancellation",
    "Client",
    "Notes",
    "PizarraCancelledError",
    "PizarraConnectionError",
    "PizarraError",
    "PizarraHttpError",
    "PizarraResponseError",
    "PizarraTimeoutError",
    "QuoteEvent",
    "QuoteStream",
    "RateLimit",
    "Retry",
    "Rows",
    "StreamEvent",
    "StreamState",
    "Ticker",
    "download",
    "position_value",
    "rows",
    "ticker",
]
