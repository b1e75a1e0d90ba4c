"""A service with a small market, which counts its requests. Its limits are those that a test wants."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Tuple
from urllib.parse import parse_qs, urlsplit

Row = Dict[str, Any]

INSTRUMENTS = {
    "GGAL": ("BYMA", "ARS"),
    "DOLAR MEP": ("BYMA", "ARS"),
    "AAPL_US": ("NASDAQ", "USD"),
    "SOLO CIERRE": ("BYMA", "ARS"),
    "AL30": ("BYMA", "ARS"),
    "DOLAR/EURO": ("BYMA", "USD"),
    "CAUCION 1D": ("BYMA", "%"),
    "RIESGO PAIS": ("BYMA", "bp"),
    "ÑANDÚ": ("BYMA", "USDT"),
}
PRICE_PER = {"AL30": 100}
ZONES = {"BYMA": "America/Argentina/Buenos_Aires", "NASDAQ": "America/New_York"}

CLOSES: Dict[str, List[Row]] = {
    "GGAL": [
        {"fecha": "2026-03-02", "ultimo": 100.0, "apertura": 98.5, "maximo": 101.0, "minimo": 97.0, "volumen": 10},
        {"fecha": "2026-03-03", "ultimo": 102.0, "apertura": 100.0, "maximo": 103.0, "minimo": 99.0, "volumen": 0},
        {"fecha": "2026-03-05", "ultimo": 51.5, "apertura": 52.0, "maximo": 53.0, "minimo": 50.0, "volumen": None},
    ],
    "DOLAR MEP": [{"fecha": "2026-03-04", "ultimo": 1500.25, "volumen": None}],
    "AAPL_US": [{"fecha": "2026-03-03", "ultimo": 250.0, "apertura": 251.0, "volumen": 7}],
}
QUOTES: Dict[str, Row] = {
    "GGAL": {"fecha": "2026-03-06", "ultimo": 51.55},
    "DOLAR MEP": {"fecha": "2026-03-06", "ultimo": 1502},
    "AL30": {"fecha": "2026-03-06", "ultimo": 91250.5},
    "DOLAR/EURO": {"fecha": "2026-03-06", "ultimo": 1.2e-07},
    "CAUCION 1D": {"fecha": "2026-03-06", "ultimo": 31.5},
    "ÑANDÚ": {"fecha": "2026-03-06", "ultimo": 1},
}
BARS: Dict[str, List[Row]] = {
    "GGAL": [
        {"fecha": "2026-03-03", "hora": "16:55:00", "volumen": 3},
        {"fecha": "2026-03-05", "hora": "11:00:00", "volumen": 0},
        {"fecha": "2026-03-05", "hora": "11:05:00", "volumen": None},
    ],
    "AAPL_US": [{"fecha": "2026-03-05", "hora": "11:30:00", "volumen": 1}],
}
EVENTS: Dict[str, List[Row]] = {
    "GGAL": [
        {"fecha": "2026-03-03", "tipo": "dividendo", "importe": 4.0, "moneda": "ARS"},
        {"fecha": "2026-03-03", "tipo": "dividendo", "importe": 1.0, "moneda": "USD"},
        # A holiday: the first session after it is on the next day.
        {"fecha": "2026-03-04", "tipo": "split", "factor": 2.0},
    ],
}


class Market:
    """Serves /cotizaciones, /historicos, /intradiarios, /eventos, /especies.json and /mercados."""

    def __init__(self, tickers_max: int = 500, rows_max: int = 100_000, rows_each: int = 0) -> None:
        """rows_each: the number of closes of each ticker T0, T1, and so on."""
        self.requests: List[Tuple[str, Dict[str, str]]] = []
        self._limits = (tickers_max, rows_max)
        self._rows_each = rows_each
        market = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Otherwise a body waits 40 ms for the acknowledgement of its headers.
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                market.requests.append((parts.path, query))
                status, headers, rows = market._answer(parts.path, query)
                body = json.dumps(rows).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = "http://127.0.0.1:{}".format(self._server.server_address[1])

    def __enter__(self) -> "Market":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def count(self, path: str) -> int:
        return sum(one == path for one, _ in self.requests)

    def _answer(self, path: str, query: Dict[str, str]) -> Tuple[int, Dict[str, str], Any]:
        if path == "/especies.json":
            return 200, {}, [self._instrument(name) for name in INSTRUMENTS]
        if path == "/mercados":
            return 200, {}, [self._hours(name) for name in ZONES]
        names = query["especie"].split(",")
        if len(names) > self._limits[0]:
            text = "El parámetro «especie» tiene {} especies. Se admiten como máximo {} por pedido."
            return 400, {}, {"error": text.format(len(names), self._limits[0])}
        if path == "/cotizaciones":
            return 200, {}, [{"especie": one, **QUOTES[one]} for one in names if one in QUOTES]
        known = [name for name in names if name.upper() in INSTRUMENTS or self._is_generated(name)]
        rows = [
            {"especie": name.upper(), **self._shown(path, row)}
            for name in known
            for row in self._rows_of(path, name)
            if query["desde"] <= row["fecha"] <= query["hasta"]
        ]
        if path == "/historicos" and len(rows) > self._limits[1]:
            text = "El pedido tiene {} filas. Se admiten como máximo {} por pedido: acortar el rango."
            return 400, {}, {"error": text.format(len(rows), self._limits[1])}
        missing = [name.replace(" ", "%20") for name in names if name not in known]
        headers = {"Missing-Especies": ",".join(missing)} if missing else {}
        if path == "/historicos" and query["ajuste"] == "total" and "GGAL" in known:
            headers["Missing-Dividendos"] = "GGAL:2026-03-03,%E2%80%A6+2"
        return 200, headers, rows

    def _is_generated(self, name: str) -> bool:
        return self._rows_each > 0 and name[0] == "T" and name[1:].isdigit()

    def _rows_of(self, path: str, name: str) -> List[Row]:
        if self._is_generated(name):
            return [
                {"fecha": "20{:02}-01-05".format(at), "ultimo": float(name[1:]), "volumen": None}
                for at in range(self._rows_each)
            ]
        table = {"/historicos": CLOSES, "/intradiarios": BARS, "/eventos": EVENTS}[path]
        return table.get(name.upper(), [])

    @staticmethod
    def _shown(path: str, row: Row) -> Row:
        prices = {"apertura": 1.0, "maximo": 2.0, "minimo": 0.5, "ultimo": 1.5}
        return {**prices, **row} if path == "/intradiarios" else row

    @staticmethod
    def _instrument(name: str) -> Row:
        market, currency = INSTRUMENTS[name]
        return {
            "especie": name,
            "nombre": name,
            "tipo": "accion",
            "mercado": market,
            "moneda": currency,
            "decimales": 4,
            "unidadVariacion": "por-ciento",
            "precioPor": PRICE_PER.get(name, 1),
        }

    @staticmethod
    def _hours(name: str) -> Row:
        return {
            "mercado": name,
            "nombre": name,
            "zona": ZONES[name],
            "estado": "cerrado",
            "rueda": "2026-03-05",
            "abre": "11:00",
            "cierra": "17:00",
            "cambia": "2026-03-06T11:00:00-03:00",
            "feriados": [],
        }
