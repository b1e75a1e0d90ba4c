"""Rows as a DataFrame. Imported only when it is used: pandas is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from .contract import DATES, NUMBERS

if TYPE_CHECKING:
    import pandas


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
        # A column of numbers stays one where all values are None.
        if name in NUMBERS:
            frame[name] = frame[name].astype("float64")
        elif name in DATES:
            frame[name] = pandas.to_datetime(frame[name], format="%Y-%m-%d")
    return frame
