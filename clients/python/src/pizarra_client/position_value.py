"""The value of a position."""

from __future__ import annotations

import math

from .contract import Instrumento


def position_value(instrument: Instrumento, quantity: float, price: float) -> float:
    """The value of a position, in the currency of the instrument (``moneda``): quantity * price / precioPor.

    A bond at 97,021 is 97,021 for 100 nominal, so 1,000 nominal are worth 970,210.

    instrument: a row of ``instruments(campos=["precioPor"])``. A row without
    precioPor raises ValueError: the value could be wrong by a factor of 100.
    quantity: shares, receipts or nominal; negative for a short position.
    price: in the unit of the quotes of the instrument, such as ``ultimo``.
    """
    if instrument.precioPor is None:
        raise ValueError(
            "{} has no precioPor: request the instrument with campos=[\"precioPor\"]".format(instrument.especie)
        )
    for name, value in (("quantity", quantity), ("price", price)):
        if not math.isfinite(value):
            raise ValueError("the {} of {} is not a number: {!r}".format(name, instrument.especie, value))
    return quantity * price / instrument.precioPor
