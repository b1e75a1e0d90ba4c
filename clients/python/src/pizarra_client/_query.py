"""Builds the query of a request."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Tuple, Union
from urllib.parse import quote


def query_of(parameters: Mapping[str, Any]) -> str:
    """Absent values are left out, lists are separated by commas.

    Raises ValueError for an entry of a list that contains a comma: the service would take it for two.
    """
    pairs = [
        "{}={}".format(name, _text(name, value))
        for name, value in parameters.items()
        if value is not None
    ]
    return "?" + "&".join(pairs) if pairs else ""


def listed(names: Union[str, Iterable[str], None]) -> Tuple[str, ...]:
    """The names of a list, or of a text that separates them by commas."""
    if names is None:
        return ()
    return tuple(names.split(",") if isinstance(names, str) else names)


def _text(name: str, value: Any) -> str:
    if isinstance(value, float):
        # As the contract writes numbers: without an exponent.
        return f"{value:.12f}".rstrip("0").rstrip(".")
    if isinstance(value, (str, int)):
        return quote(str(value), safe=",")
    if not isinstance(value, Iterable):
        raise TypeError("{} must be a text or a list of texts, not {!r}".format(name, value))
    entries = [str(one) for one in value]
    for entry in entries:
        if "," in entry:
            raise ValueError("{}: {} contains a comma".format(name, entry))
    return ",".join(quote(entry, safe="") for entry in entries)
