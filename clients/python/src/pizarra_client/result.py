"""What a response contains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union, overload

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


@dataclass(frozen=True)
class RateLimit:
    """The rate limit of a key, as of a response (RateLimit-Policy and RateLimit)."""

    name: str
    """The plan of the key, or "key" for a limit of its own."""
    quota: int
    """A client that never sends more requests than this in window_seconds is never refused."""
    window_seconds: int
    remaining: int
    """Requests that are available now."""
    reset_seconds: int
    """Seconds until the whole quota is available again."""


@dataclass(frozen=True)
class Notes:
    """What a response tells besides its rows."""

    missing: Tuple[str, ...] = ()
    """The requested tickers that the rows lack: unknown ones, and those without a quote. At most 50."""
    missing_omitted: int = 0
    """The number of further missing tickers."""
    missing_dividends: Tuple[str, ...] = ()
    """ajuste="total" could not include the cash dividends of these ex dates, of several tickers as TICKER:DATE.

    Of each response, at most 50.
    """
    missing_dividends_omitted: int = 0
    """The number of further such dividends."""
    missing_terms: Tuple[str, ...] = ()
    """The requested tickers without terms of their issue, of which bonds have no figures. At most 50."""
    missing_terms_omitted: int = 0
    """The number of further such tickers."""
    missing_indices: Tuple[str, ...] = ()
    """The indices and days whose values the figures of bonds lack, such as "CER 2026-11-20". At most 50."""
    missing_indices_omitted: int = 0
    """The number of further such values."""
    missing_rates: int = 0
    """The number of rows that moneda left out, because no price of the dollar converts them."""
    is_simulated: bool = False
    """Whether the prices are those of a demonstration."""
    rate_limit: Optional[RateLimit] = None
    """None if the key has no limit."""


class Rows(Sequence[T], Generic[T]):
    """The rows of a response, which is a sequence of them, and its notes."""

    def __init__(
        self, rows: Sequence[T], fields: Tuple[str, ...], notes: Notes, is_unchanged: bool
    ) -> None:
        self._rows = tuple(rows)
        self.fields = fields
        """The fields of the request, in the order of the contract."""
        self.notes = notes
        self.is_unchanged = is_unchanged
        """Whether the service answered that nothing has changed since the last equal request (304)."""

    @property
    def missing(self) -> Tuple[str, ...]:
        """The requested tickers that the rows lack (see Notes)."""
        return self.notes.missing

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> Tuple[T, ...]: ...

    def __getitem__(self, at: Union[int, slice]) -> Union[T, Tuple[T, ...]]:
        return self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[T]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return "Rows({!r})".format(list(self._rows))

    def columns(self) -> Dict[str, List[Any]]:
        """The rows as lists of equal length, by field. A value that is not known is None."""
        if self.fields == ("especie",):
            return {"especie": [getattr(row, "especie", row) for row in self._rows]}
        return {name: [getattr(row, name, None) for row in self._rows] for name in self.fields}

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a DataFrame: dates as datetime64, numbers as float64 with NaN where not known.

        Raises ImportError when pandas is not installed.
        """
        from ._pandas import frame_of

        return frame_of(self.columns())
