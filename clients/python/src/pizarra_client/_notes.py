"""Reads the header fields of responses."""

from __future__ import annotations

import re
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import List, Optional, Tuple
from urllib.parse import unquote

from .result import Notes, RateLimit


def notes_of(headers: Message) -> Notes:
    missing, missing_omitted = _list_of(headers.get("Missing-Especies"))
    dividends, dividends_omitted = _list_of(headers.get("Missing-Dividendos"))
    terms, terms_omitted = _list_of(headers.get("Missing-Terminos"))
    indices, indices_omitted = _list_of(headers.get("Missing-Indices"))
    return Notes(
        missing=missing,
        missing_omitted=missing_omitted,
        missing_dividends=dividends,
        missing_dividends_omitted=dividends_omitted,
        missing_terms=terms,
        missing_terms_omitted=terms_omitted,
        missing_indices=indices,
        missing_indices_omitted=indices_omitted,
        missing_rates=int(headers.get("Missing-Cambios") or 0),
        is_simulated=headers.get("Data-Source") == "simulated",
        rate_limit=rate_limit_of(headers),
    )


def _list_of(field: Optional[str]) -> Tuple[Tuple[str, ...], int]:
    """Reads NOEXISTE,OTRA%20MAS,%E2%80%A6+3: names, and how many more there are (contract 4.1.5)."""
    names: List[str] = []
    omitted = 0
    # A proxy may add white space to the list (RFC 9110 section 5.6.1). That of a name is encoded.
    for entry in re.split(r"[ \t]*,[ \t]*", field) if field else ():
        more = re.fullmatch(r"%E2%80%A6\+(\d+)", entry, re.IGNORECASE)
        if more:
            omitted = int(more.group(1))
        else:
            names.append(unquote(entry))
    return tuple(names), omitted


def rate_limit_of(headers: Message) -> Optional[RateLimit]:
    """Reads "free";q=20;w=20 and "free";r=12;t=8."""
    policy = re.fullmatch(r'"([^"]*)"; *q=(\d+); *w=(\d+)', headers.get("RateLimit-Policy") or "")
    state = re.search(r"; *r=(\d+); *t=(\d+)$", headers.get("RateLimit") or "")
    if not policy or not state:
        return None
    return RateLimit(
        name=policy.group(1),
        quota=int(policy.group(2)),
        window_seconds=int(policy.group(3)),
        remaining=int(state.group(1)),
        reset_seconds=int(state.group(2)),
    )


def retry_after_of(headers: Message) -> Optional[int]:
    """The seconds of Retry-After, which has a number or a date (RFC 9110 section 10.2.3)."""
    field = (headers.get("Retry-After") or "").strip()
    if field.isdecimal():
        return int(field)
    try:
        at = parsedate_to_datetime(field)
    except (TypeError, ValueError):
        return None
    return max(0, round(at.timestamp() - time.time()))
