"""Rows as a DataFrame. Imported only when it is used: pandas is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from .contract import Cotizacion

if TYPE_CHECKING:
    import pandas

# A column of numbers stays one where all values are None. The other rows have the names of quotes.
_NUMBERS = frozenset(
    [name for name, kind in Cotizacion.__annotations__.items() if "float" in kind or "int" in kind]
    + ["factor", "importe", "demoraMinutos"]
)
_DATES = frozenset(("fecha", "rueda"))


def frame_of(columns: Dict[str, List[Any]]) -> "pandas.DataFrame":
    """Builds a DataFrame from columns."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "to_pandas() needs pandas, which is not installed: pip install pandas. "
            "Without it, columns() gives the same values as lists."
        ) from error
    frame = pandas.DataFrame(columns)
    for name in frame.columns:
        if name in _NUMBERS:
            frame[name] = frame[name].astype("float64")
        elif name in _DATES:
            frame[name] = pandas.to_datetime(frame[name], format="%Y-%m-%d")
    return frame
