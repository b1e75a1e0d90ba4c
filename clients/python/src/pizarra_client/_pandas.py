"""Rows as a DataFrame. Imported only when it is used: pandas is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

if TYPE_CHECKING:
    import pandas

_NUMBERS = frozenset(
    "ultimo variacion anterior apertura minimo maximo varMTD varYTD volumen compra venta cantCompra"
    " cantVenta monto operaciones factor importe demoraMinutos".split()
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
