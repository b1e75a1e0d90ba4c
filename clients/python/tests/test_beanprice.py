"""The source of bean-price, as its two versions call it. Neither of them is needed."""

from __future__ import annotations

import json
import os
import pickle
import tempfile
import time
import unittest
from datetime import datetime, timezone
from typing import Optional, Tuple
from unittest import mock

from pizarra_client import _environment
from pizarra_client.beanprice import Source, SourcePrice, _ticker_of

from .faulty import FaultyServer
from .market import Market

UTC = timezone.utc
ZONES = ("UTC", "America/Argentina/Buenos_Aires", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Kiritimati")

Shown = Tuple[str, str, str]


def shown(price: Optional[SourcePrice]) -> Optional[Shown]:
    """A price as bean-price writes it: the day in the time zone of the user, the digits and the currency."""
    if price is None:
        return None
    return str(price.time.astimezone(UTC).astimezone().date()), format(price.price, "f"), price.quote_currency


def asked_at(day: str) -> datetime:
    """The instant for which bean-price asks: 16:00 of a day in the time zone of the user, in UTC."""
    return datetime.fromisoformat(day + "T16:00:00").astimezone(UTC)


class WithSettings(unittest.TestCase):
    def use(self, **settings: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PIZARRA_")}
        patch = mock.patch.dict(os.environ, {**kept, **settings}, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(self.close)

    @staticmethod
    def close() -> None:
        for client in _environment._clients.values():
            client.close()

    def failure(self, symbol: str, day: Optional[str] = None) -> str:
        """What is logged when a symbol has no price."""
        source = Source()
        with self.assertLogs("pizarra_client.beanprice", "ERROR") as logged:
            if day is None:
                price = source.get_latest_price(symbol)
            else:
                price = source.get_historical_price(symbol, asked_at(day))
        self.assertIsNone(price)
        self.assertEqual(len(logged.records), 1)
        return logged.records[0].getMessage()


class Prices(WithSettings):
    def setUp(self) -> None:
        self.market = Market()
        self.addCleanup(self.market.__exit__)
        self.use(PIZARRA_URL=self.market.url, PIZARRA_KEY="pz_x")
        self.source = Source()

    def in_zone(self, zone: str) -> None:
        os.environ["TZ"] = zone
        time.tzset()
        self.addCleanup(time.tzset)
        self.addCleanup(os.environ.pop, "TZ", None)

    def test_the_last_price_has_the_digits_of_the_service_and_its_currency(self) -> None:
        symbols = ("GGAL", "dolar:mep", "DOLAR(2F)EURO", "(C3)(91)AND(c3)(9a)")
        latest = [shown(self.source.get_latest_price(one)) for one in symbols]
        self.assertEqual(
            latest,
            [
                ("2026-03-06", "51.55", "ARS"),
                ("2026-03-06", "1502", "ARS"),
                ("2026-03-06", "0.00000012", "USD"),
                ("2026-03-06", "1", "USDT"),
            ],
        )
        self.assertEqual(self.market.count("/especies.json"), 1)

    def test_the_day_is_that_of_the_session_in_every_time_zone(self) -> None:
        for zone in ZONES:
            with self.subTest(zone):
                self.in_zone(zone)
                price = self.source.get_latest_price("GGAL")
                assert price is not None
                self.assertEqual((price.time.astimezone().hour, shown(price)), (16, ("2026-03-06", "51.55", "ARS")))
                historical = self.source.get_historical_price("GGAL", asked_at("2026-03-03"))
                self.assertEqual(shown(historical), ("2026-03-03", "102.0", "ARS"))

    def test_a_day_has_its_close_or_the_last_one_before_it(self) -> None:
        for day, price in (
            ("2026-03-03", ("2026-03-03", "102.0", "ARS")),
            ("2026-03-04", ("2026-03-03", "102.0", "ARS")),
            ("2026-03-05", ("2026-03-05", "51.5", "ARS")),
        ):
            self.assertEqual(shown(self.source.get_historical_price("GGAL", asked_at(day))), price)
        queries = [query for path, query in self.market.requests if path == "/historicos"]
        self.assertEqual({query["ajuste"] for query in queries}, {"ninguno"})
        self.assertEqual((queries[0]["desde"], queries[0]["hasta"]), ("2026-02-21", "2026-03-03"))

    def test_a_session_that_is_not_in_the_history_yet_has_the_price_of_the_quote(self) -> None:
        for day in ("2026-03-06", "2026-03-07", "2026-03-16"):
            price = self.source.get_historical_price("GGAL", asked_at(day))
            self.assertEqual(shown(price), ("2026-03-06", "51.55", "ARS"))
        before = self.market.count("/cotizaciones")
        self.source.get_historical_price("GGAL", asked_at("2026-03-05"))
        self.assertEqual(self.market.count("/cotizaciones"), before)

    def test_a_series_has_the_closes_of_both_days_and_between(self) -> None:
        series = self.source.get_prices_series("GGAL", asked_at("2026-03-02"), asked_at("2026-03-05"))
        assert series is not None
        self.assertEqual(
            [shown(one) for one in series],
            [
                ("2026-03-02", "100.0", "ARS"),
                ("2026-03-03", "102.0", "ARS"),
                ("2026-03-05", "51.5", "ARS"),
            ],
        )
        self.assertEqual(self.source.get_prices_series("GGAL", asked_at("2026-01-02"), asked_at("2026-01-05")), [])

    def test_the_price_of_one_nominal_is_exact(self) -> None:
        self.assertEqual(shown(self.source.get_latest_price("AL30")), ("2026-03-06", "91250.5", "ARS"))
        os.environ["PIZARRA_PER_UNIT"] = "1"
        self.assertEqual(shown(self.source.get_latest_price("AL30")), ("2026-03-06", "912.505", "ARS"))
        self.assertEqual(shown(self.source.get_latest_price("DOLAR:MEP")), ("2026-03-06", "1502", "ARS"))

    def test_what_is_no_price_is_a_failure_that_names_the_reason(self) -> None:
        self.assertEqual(self.failure("NOEXISTE"), "Pizarra: La especie «NOEXISTE» no existe.")
        self.assertEqual(self.failure("SOLO:CIERRE"), "Pizarra: La especie «SOLO CIERRE» no tiene cotización.")
        self.assertEqual(
            self.failure("CAUCION:1D"), "Pizarra: «CAUCION 1D» se expresa en «%», que no es una moneda: no es un precio."
        )
        self.assertIn("«bp»", self.failure("RIESGO:PAIS"))
        self.assertEqual(
            self.failure("GGAL", "2026-03-17"),
            "Pizarra: La especie «GGAL» no tiene un precio del 2026-03-17, ni de los 10 días anteriores.",
        )
        self.assertIn("no tiene un precio del 2026-01-15", self.failure("GGAL", "2026-01-15"))

    def test_a_price_can_be_cached_as_bean_price_does(self) -> None:
        price = self.source.get_latest_price("GGAL")
        assert price is not None
        naive = price._replace(time=price.time.astimezone(UTC).replace(tzinfo=None))
        self.assertEqual(pickle.loads(pickle.dumps(naive)), naive)

    def test_the_key_may_be_in_a_file_alone_or_as_a_header(self) -> None:
        for content in ("pz_x\n", "Authorization: Bearer pz_x\r\n"):
            with tempfile.NamedTemporaryFile("w", suffix=".key") as file:
                file.write(content)
                file.flush()
                self.use(PIZARRA_URL=self.market.url, PIZARRA_KEY_FILE=file.name)
                client = _environment.environment_client()
                assert client is not None
                self.assertEqual(client._connection.key(), "pz_x")


class Failures(WithSettings):
    def test_a_refusal_is_the_text_of_the_service(self) -> None:
        refusal = (401, {}, '{"error":"La clave de acceso no es válida."}'.encode())
        proxy = (404, {}, b"<html>")
        other = (200, {"Content-Type": "text/html"}, b"<html>")
        with FaultyServer(refusal, proxy, other) as server:
            self.use(PIZARRA_URL=server.url, PIZARRA_KEY="pz_x")
            self.assertEqual(self.failure("GGAL"), "Pizarra: La clave de acceso no es válida.")
            self.assertRegex(self.failure("GGAL"), r"^Pizarra: http.* respondió 404\.$")
            self.assertRegex(self.failure("GGAL"), "^Pizarra: En PIZARRA_URL no responde Pizarra")

    def test_wrong_settings_are_failures_and_the_key_is_not_shown(self) -> None:
        self.use()
        self.assertRegex(self.failure("GGAL"), "^Pizarra: Falta la clave. Indicar en PIZARRA_KEY_FILE")
        self.use(PIZARRA_KEY_FILE="/no/such/file")
        self.assertRegex(self.failure("GGAL"), "^Pizarra: No se pudo leer el archivo de la clave .*/no/such/file")
        self.use(PIZARRA_KEY="pz_x", PIZARRA_URL="quotes.example")
        self.assertRegex(self.failure("GGAL"), "^Pizarra: La dirección o la clave no son válidas")
        self.use(PIZARRA_KEY="pz_secret x", PIZARRA_URL="http://127.0.0.1:1")
        self.assertNotIn("secret", self.failure("GGAL"))


    def test_made_up_prices_are_a_warning_once(self) -> None:
        row = Market._instrument("GGAL")
        headers = {"Content-Type": "application/json", "Data-Source": "simulated"}
        quote = {"especie": "GGAL", "fecha": "2026-03-06", "ultimo": 51.55}
        answers = [(200, headers, json.dumps([one]).encode()) for one in (row, quote)]
        with FaultyServer(*answers) as server, self.assertLogs("pizarra_client.beanprice", "WARNING") as logged:
            self.use(PIZARRA_URL=server.url, PIZARRA_KEY="pz_x")
            for _ in range(2):
                self.assertEqual(shown(Source().get_latest_price("GGAL")), ("2026-03-06", "51.55", "ARS"))
        texts = [one.getMessage() for one in logged.records]
        self.assertEqual(texts, ["Pizarra: El servicio muestra una demostración. Sus precios son inventados."])


class Symbols(unittest.TestCase):
    def test_a_colon_is_a_space_and_a_code_in_brackets_its_character(self) -> None:
        for symbol, ticker in (
            ("GGAL", "GGAL"),
            ("ggal", "GGAL"),
            ("DOLAR:MEP", "DOLAR MEP"),
            ("DOLAR(2F)EURO", "DOLAR/EURO"),
            ("DOLAR(2f)EURO", "DOLAR/EURO"),
            ("A(26)B(5E)C", "A&B^C"),
            ("BRK.B_US", "BRK.B_US"),
            ("MEP-CCL", "MEP-CCL"),
            ("(C3)(91)", "Ñ"),
            ("(C3)", "\ufffd"),
            ("A(ZZ)", "A(ZZ)"),
        ):
            self.assertEqual(_ticker_of(symbol), ticker)
