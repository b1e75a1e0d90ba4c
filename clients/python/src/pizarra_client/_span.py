"""The range of days that a request for history asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Optional, Union

Day = Union[str, date, None]
"""A day as a program writes it: a text YYYY-MM-DD, a date, a datetime or a Timestamp of pandas."""

_BUENOS_AIRES = timezone(timedelta(hours=-3))
_FIRST = date(1900, 1, 1)
_PERIODS = "1d, 5d, 1mo, 3mo, 6mo, 1y, 2y, 5y, 10y, ytd, max"


@dataclass(frozen=True)
class Span:
    """Days, both included. With sessions, only so many of the last sessions of each instrument."""

    first: date
    last: date
    sessions: Optional[int] = None

    def in_days(self) -> "Span":
        """The days that so many sessions usually take, for rows of weeks and months: seven of them for five."""
        if self.sessions is None:
            return self
        return Span(_not_before_first(self.last.toordinal() - (-(-self.sessions * 7 // 5)) + 1), self.last)

    @property
    def weekdays(self) -> int:
        """The days from Monday to Friday."""
        days = (self.last - self.first).days + 1
        weeks, rest = divmod(days, 7)
        return weeks * 5 + sum((self.first.weekday() + at) % 7 < 5 for at in range(rest))


def today() -> date:
    """The current date in Buenos Aires."""
    return datetime.now(_BUENOS_AIRES).date()


def span_of(start: Day, end: Day, period: Optional[str], now: date) -> Optional[Span]:
    """The days of a request: from start, which is included, to end, which is not, or a period before end.

    Without start and period, the period is a month. None stands for no day at all: start is end.

    Raises ValueError when a value is not valid, or start is after end.
    """
    first, until = _day("start", start), _day("end", end)
    last = now if until is None else until - timedelta(days=1)
    if first is not None:
        if period is not None:
            raise ValueError("start and period exclude each other: pass start and end, or period and end")
        if until is not None and first > until:
            raise ValueError("start ({}) is after end ({})".format(first, until))
        return None if first > last else Span(first, last)
    return _before(last, "1mo" if period is None else period)


def _before(last: date, period: str) -> Span:
    if period == "max":
        return Span(_FIRST, last)
    if period == "ytd":
        return Span(last.replace(month=1, day=1), last)
    parts = re.fullmatch(r"([1-9]\d{0,3})(d|mo|y)", period) if isinstance(period, str) else None
    if parts is None:
        raise ValueError("period {!r} is not valid: use one such as {}".format(period, _PERIODS))
    count, unit = int(parts.group(1)), parts.group(2)
    if unit == "d":
        # Sessions are not on every day. Some weeks more cover holidays, and instruments that seldom trade.
        return Span(_not_before_first(last.toordinal() - count * 7 // 5 - 30), last, count)
    months = last.year * 12 + last.month - 1 - count * (12 if unit == "y" else 1)
    if months < _FIRST.year * 12:
        return Span(_FIRST, last)
    year, month = divmod(months, 12)
    for day in range(last.day, 27, -1):
        try:
            return Span(date(year, month + 1, day), last)
        except ValueError:
            continue  # The month is shorter.
    return Span(date(year, month + 1, min(last.day, 28)), last)


def _not_before_first(ordinal: int) -> date:
    return date.fromordinal(max(ordinal, _FIRST.toordinal()))


def _day(name: str, value: Day) -> Optional[date]:
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except (TypeError, ValueError):
        raise ValueError("{} must be a date such as 2026-03-31, not {!r}".format(name, value)) from None
