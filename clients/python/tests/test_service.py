"""The client against a running service: PIZARRA_URL and PIZARRA_KEY name it, with its demonstration or data."""

from __future__ import annotations

import asyncio
import os
import unittest
from typing import Any
from unittest import mock

from pizarra_client import AsyncClient, Client, PizarraHttpError, Retry, position_value
from pizarra_client.contract import ROWS, Cotizacion

URL = os.environ.get("PIZARRA_URL", "")
KEY = os.environ.get("PIZARRA_KEY", "")
LIMITED_KEY = os.environ.get("PIZARRA_LIMITED_KEY", "")
"""A key whose plan allows one request a second."""

HAS_PANDAS = True
try:
    import pandas
except ImportError:
    HAS_PANDAS = False

# The tables that need a selection, which the contract can only say in words.
NEEDS_TICKER = ("/cotizaciones", "/bonos")
RANGE = ("AL30", "2020-01-01", "2100-12-31")


@unittest.skipUnless(URL and KEY, "no service: PIZARRA_URL and PIZARRA_KEY are not set")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL, KEY)
        self.addCleanup(self.client.close)

    def test_quotes_come_in_the_order_of_the_request_and_unknown_tickers_are_named(self) -> None:
        quotes = self.client.quotes(especie=["dolar mep", "GGAL", "NO EXISTE"], campos=["fuente"])
        self.assertEqual([one.especie for one in quotes], ["DOLAR MEP", "GGAL"])
        self.assertIsInstance(quotes[1], Cotizacion)
        self.assertGreater(quotes[1].ultimo, 0)
        self.assertIsNone(quotes[0].volumen)
        self.assertEqual(quotes.missing, ("NO EXISTE",))
        many = self.client.quotes(especie=("X{}".format(at) for at in range(60)))
        self.assertEqual((len(many.missing), many.notes.missing_omitted), (50, 10))

    def test_every_path_has_a_method(self) -> None:
        send = self.client._exchange
        with mock.patch.object(self.client, "_exchange", side_effect=send) as exchange:
            self._use_every_method()
        asked = {call.args[0].split("?")[0] for call in exchange.call_args_list}
        # The tests of streams request this one.
        paths = self.client.contract()["paths"].items()
        others = {path for path, item in paths if not item["get"].get("x-without-client", False)}
        self.assertEqual(asked, others - {"/cotizaciones/stream"})

    def _use_every_method(self) -> None:
        history = self.client.history(*RANGE)
        self.assertGreater(len(history), 0)
        columns = history.columns()
        self.assertEqual(list(columns), ["especie", "fecha", "ultimo", "volumen"])
        self.assertEqual(columns["ultimo"], [row.ultimo for row in history])
        with_high = self.client.history(*RANGE, campos=["maximo"], ajuste="splits").columns()
        self.assertIn("maximo", with_high)
        self.assertEqual(len(self.client.events(*RANGE)), 0)
        several = self.client.events(["GGAL", "NADA"], *RANGE[1:], forma="larga")
        self.assertEqual((len(several), list(several.missing)), (0, ["NADA"]))
        self.assertEqual(len(self.client.history(*RANGE, conocido="1999-12-31T20:00:00-03:00")), 0)
        self.assertEqual(len(self.client.events(*RANGE, conocido="1999-12-31T20:00:00+02:00")), 0)
        changes = self.client.changes("GGAL", desde="2026-01-01")
        self.assertEqual(changes.columns()["instante"], [one.instante for one in changes])
        self.assertEqual(list(self.client.index_changes("CER").columns())[:2], ["instante", "indice"])
        self.assertEqual([one.indice for one in self.client.indices()][:2], ["CER", "UVA"])
        values = self.client.index("CER", desde="2026-01-01")
        self.assertEqual(list(values.columns()), ["indice", "fecha", "valor"])
        # A service of its own may have no values of an index.
        self.assertLessEqual({one.indice for one in values}, {"CER"})
        self.assertTrue(all(one.fecha >= "2026-01-01" and one.valor > 0 for one in values))
        self.client.intraday("GGAL", intervalo="1m")
        self.assertNotIn("instante", self.client.intraday("GGAL").columns())
        self.assertIn("instante", self.client.intraday("GGAL", campos=["instante"]).columns())
        [timed] = self.client.history(*RANGE, campos=["instante"])[-1:]
        self.assertEqual(timed.instante[:10], timed.fecha)
        self.assertEqual([one.especie for one in self.client.paths(especie="AL30")], ["AL30"])
        self.assertIn("GGAL", [one.especie for one in self.client.instruments(panel="LID")])
        self.assertEqual(self.client.search("ggal")[0].especie, "GGAL")
        bonds = self.client.bonds(especie="AL30", precio=83_940.5)
        # A service without terms names the ticker, and has no row of it.
        self.assertIn([(one.especie, one.precio) for one in bonds], ([], [("AL30", 83_940.5)]))
        same = self.client.table("/bonos", especie="AL30", precio=83_940.5)
        self.assertEqual(list(same), list(bonds))
        self.assertEqual(len(self.client.flows("AL30", desde="2030-07-09")), len(bonds))
        self.assertLessEqual({one.base for one in self.client.dollars(base="GGAL")}, {"GGAL"})
        first = self.client.ranking("LID", por="volumen", limite=3)
        self.assertEqual(list(first), sorted(first, key=lambda one: one.volumen, reverse=True))
        self.assertNotIn("precioPor", self.client.instruments().columns())
        self.assertIn("DOLAR MEP", self.client.tickers(panel="IND"))
        self.assertTrue(self.client.markets(anio="2026")[0].mercado)
        self.assertTrue(self.client.markets(anio="todos", campos="dias,horarios")[0].horarios)
        self.assertEqual(self.client.health().estado, "ok")
        self.assertEqual(self.client.contract()["openapi"], "3.1.0")
        for path in ROWS:
            parameters = self.client.contract()["paths"][path]["get"].get("parameters", [])
            needed = {one["name"]: one["example"] for one in parameters if one["required"]}
            if path in NEEDS_TICKER:
                needed["especie"] = "AL30"
            self.client.table(path, **needed)
        self.assertEqual(self.client.table("/mercados")[0], self.client.markets()[0])
        with self.assertRaises(TypeError):
            self.client.table("/indices")
        csv = self.client.csv("/cotizaciones", especie="GGAL", decimal="coma")
        self.assertRegex(csv, r"^especie;fecha;.*\r\nGGAL;")

    def test_a_position_in_bonds_is_valued_per_100_nominal_and_one_in_shares_per_share(self) -> None:
        listed = self.client.instruments(campos=["precioPor"])
        self.assertIn("precioPor", listed.columns())
        rows = {one.especie: one for one in listed}
        self.assertEqual(position_value(rows["AL30"], 1_000, 97_021), 970_210)
        self.assertEqual(position_value(rows["GGAL"], 1_000, 7_410), 7_410_000)
        found = self.client.search("ggal", campos="precioPor")[0]
        self.assertEqual(position_value(found, -10, 7_410), -74_100)
        without = self.client.search("al30")[0]
        with self.assertRaisesRegex(ValueError, r"AL30 has no precioPor"):
            position_value(without, 1_000, 97_021)
        for quantity, price in ((float("nan"), 1.0), (1.0, float("inf"))):
            with self.assertRaisesRegex(ValueError, r"of AL30 is not a number"):
                position_value(rows["AL30"], quantity, price)

    def test_an_unchanged_response_is_confirmed_by_a_304_and_has_the_same_rows(self) -> None:
        first = self.client.history(*RANGE)
        second = self.client.history(*RANGE)
        self.assertEqual((first.is_unchanged, second.is_unchanged), (False, True))
        self.assertIs(second[0], first[0])
        without = Client(URL, KEY, cache_bytes_max=0)
        self.addCleanup(without.close)
        without.history(*RANGE)
        self.assertFalse(without.history(*RANGE).is_unchanged)

    def test_an_error_of_the_service_has_its_status_and_text(self) -> None:
        def refused(status: int, text: str, call: Any) -> None:
            with self.assertRaises(PizarraHttpError) as raised:
                call()
            self.assertEqual(raised.exception.status, status)
            self.assertIn(text, raised.exception.text)

        wrong = Client(URL, "pz_wrong")
        self.addCleanup(wrong.close)
        refused(401, "no es válida", lambda: wrong.quotes(especie="GGAL"))
        refused(401, "no es válida", lambda: next(wrong.stream(panel="LID")))
        refused(400, "Falta la selección", lambda: self.client.quotes())
        refused(400, "«2026-02-30»", lambda: self.client.history("GGAL", "2026-02-30", "2026-03-01"))
        refused(400, "Falta la selección", lambda: next(self.client.stream()))

    @unittest.skipUnless(LIMITED_KEY, "PIZARRA_LIMITED_KEY is not set")
    def test_a_request_beyond_the_limit_is_sent_again_after_retry_after(self) -> None:
        once = Client(URL, LIMITED_KEY, retry=Retry(attempts_max=1))
        self.addCleanup(once.close)
        limit = once.quotes(especie="GGAL").notes.rate_limit
        assert limit is not None
        self.assertEqual((limit.name, limit.quota, limit.remaining), ("slow", 1, 0))
        with self.assertRaises(PizarraHttpError) as raised:
            once.quotes(especie="GGAL")
        self.assertEqual((raised.exception.status, raised.exception.retry_after), (429, 1))
        patient = Client(URL, LIMITED_KEY)
        self.addCleanup(patient.close)
        self.assertEqual(len(patient.quotes(especie="GGAL")), 1)

    def test_the_methods_of_the_async_client_give_the_same_rows(self) -> None:
        async def run() -> None:
            async with AsyncClient(URL, KEY) as client:
                rows = await asyncio.gather(
                    client.history(*RANGE), client.tickers(), client.search("ggal"), client.markets()
                )
                self.assertEqual(list(rows[0]), list(self.client.history(*RANGE)))
                self.assertEqual(list(rows[1]), list(self.client.tickers()))
                self.assertEqual(rows[2][0].especie, "GGAL")
                self.assertTrue(rows[3][0].feriados is not None)
                self.assertEqual((await client.health()).estado, "ok")
                self.assertEqual(len(await client.events(*RANGE)), 0)
                self.assertEqual(list(await client.indices()), list(self.client.indices()))
                values = await client.index("CER")
                self.assertEqual(list(values), list(self.client.index("CER")))
                await client.intraday("GGAL")
                self.assertGreater(len(await client.instruments()), 0)
                priced = (await client.search("ggal", campos=["precioPor"]))[0]
                self.assertEqual(priced.precioPor, 1)
                self.assertEqual((await client.contract())["openapi"], "3.1.0")
                self.assertIn("GGAL", await client.csv("/cotizaciones", especie="GGAL"))
                with self.assertRaises(PizarraHttpError):
                    await client.quotes()

        asyncio.run(run())

    def test_waiting_for_an_event_may_be_cancelled_without_losing_one(self) -> None:
        async def run() -> None:
            async with AsyncClient(URL, KEY) as client:
                async with client.stream(especie="GGAL") as stream:
                    with self.assertRaises(asyncio.TimeoutError):
                        await asyncio.wait_for(stream.__anext__(), 0.000_1)
                    event = await asyncio.wait_for(stream.__anext__(), 20)
                    self.assertEqual(event.data.especie, "GGAL")

        asyncio.run(run())

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_rows_become_a_data_frame(self) -> None:
        frame = self.client.history(*RANGE, campos=["maximo"]).to_pandas()
        self.assertEqual(str(frame["fecha"].dtype)[:10], "datetime64")
        self.assertEqual(str(frame["ultimo"].dtype), "float64")
        self.assertEqual(str(frame["maximo"].dtype), "float64")
        self.assertNotIn("minimo", frame.columns)
        quotes = self.client.quotes(panel="IND").to_pandas()
        self.assertTrue(quotes["volumen"].isna().any())
        self.assertEqual(pandas.DataFrame, type(quotes))
        self.assertGreater(len(self.client.tickers().to_pandas()), 0)
        self.client.markets().to_pandas()

    def test_the_rows_of_several_tickers_are_those_of_each(self) -> None:
        start, end = "2020-01-01", "2026-12-31"
        rows = self.client.rows(["AL30", "NO EXISTE", "riesgo pais"], start, end)
        each = [
            row
            for name in ("AL30", "RIESGO PAIS")
            for row in self.client.history(
                name, start, "2026-12-30", ajuste="splits", campos=["apertura", "maximo", "minimo"]
            )
        ]
        self.assertEqual(list(rows), each)
        self.assertGreater(len(rows), 0)
        self.assertEqual(rows.missing, ("NO EXISTE",))
        quote = self.client.ticker("ggal").quote()
        assert quote is not None
        self.assertEqual(quote.especie, "GGAL")
        self.assertIsNone(self.client.ticker("NO EXISTE").quote())

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_several_tickers_become_a_wide_data_frame(self) -> None:
        frame = self.client.download("AL30, NO EXISTE", "2020-01-01", "2026-12-31")
        rows = self.client.rows("AL30", "2020-01-01", "2026-12-31")
        self.assertEqual(frame["Close"]["AL30"].tolist(), [row.ultimo for row in rows])
        self.assertEqual(frame.attrs["missing"], ["NO EXISTE"])
        self.assertEqual(self.client.ticker("GGAL").history(period="max").columns[3], "Close")

    @unittest.skipIf(HAS_PANDAS, "pandas is installed")
    def test_without_pandas_the_error_says_what_to_do(self) -> None:
        with self.assertRaisesRegex(ImportError, "pip install pandas"):
            self.client.tickers().to_pandas()


if __name__ == "__main__":
    unittest.main()
