"""Prints the latest quotes of some tickers: python examples/quotes.py GGAL AL30 "DOLAR MEP" """

import os
import sys

from pizarra_client import Client, PizarraHttpError

url = os.environ.get("PIZARRA_URL", "http://127.0.0.1:8080")

with Client(url, os.environ["PIZARRA_KEY"]) as client:
    try:
        quotes = client.quotes(
            especie=sys.argv[1:] or ["GGAL", "AL30", "DOLAR MEP"], campos=["compra", "venta"]
        )
    except PizarraHttpError as error:
        sys.exit("{} {}".format(error.status, error.text))
    if quotes.notes.is_simulated:
        print("Made-up prices of a demonstration")
    for quote in quotes:
        print(quote.especie, quote.fecha, quote.hora or "", quote.ultimo, quote.compra, quote.venta)
    if quotes.missing:
        print("Not found:", ", ".join(quotes.missing))
