"""Prints the return and the volatility of a ticker: python examples/history.py GGAL 2025-01-01 2026-12-31"""

import math
import os
import sys

from pizarra_client import Client

url = os.environ.get("PIZARRA_URL", "http://127.0.0.1:8080")
defaults = ["GGAL", "2025-01-01", "2026-12-31"]
especie, desde, hasta = sys.argv[1:4] + defaults[len(sys.argv[1:4]) :]

with Client(url, os.environ["PIZARRA_KEY"]) as client:
    # Adjusted prices are comparable across splits and dividends.
    series = client.history(especie, desde, hasta, ajuste="total")
if series.notes.missing_dividends:
    print("Without the dividends of", ", ".join(series.notes.missing_dividends))
columns = series.columns()
prices = columns["ultimo"]
if len(prices) < 2:
    sys.exit("{}: too few closes".format(especie))
returns = [math.log(after / before) for before, after in zip(prices, prices[1:])]
mean = sum(returns) / len(returns)
variance = sum((one - mean) ** 2 for one in returns) / len(returns)
print("{}: {} closes from {} to {}".format(especie, len(prices), columns["fecha"][0], columns["fecha"][-1]))
print("return {:.2f} %".format(math.expm1(sum(returns)) * 100))
print("volatility {:.2f} % a year".format(math.sqrt(variance * 250) * 100))
