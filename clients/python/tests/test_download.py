"""History as users of yfinance write it, against a service with a small market."""

from __future__ import annotations

import asyncio
import os
import sys
import unittest
from datetime import date, datetime
from typing import Any, Dict, List, Optional, Tuple
from unittest import mock

import pizarra_client as pz
from pizarra_client import AsyncClient, Client, PizarraHttpError
from pizarra_client._span import Span, span_of

from .market import Market

HAS_PANDAS = True
try:
    import pandas
except ImportError:
    HAS_PANDAS = False

# Where a test names the pandas that it wants, it must not be skipped for the lack of one.
if os.environ.get("NEEDS_PANDAS") and not HAS_PANDAS:
    raise ImportError("NEEDS_PANDAS is set, and pandas is not installed")

MARCH = {"start": "2026-03-01", "end": "2026-04-01"}
PRICES = ["Open", "High", "Low", "Close", "Volume"]


class MarketTest(unittest.TestCase):
    def client_of(self, **limits: int) -> Tuple[Market, Client]:
        market = Market(**limits)
        self.addCleanup(market.__exit__)
        client = Client(market.url, "pz_x")
        self.addCleanup(client.close)
        return market, client

    def setUp(self) -> None:
        self.market, self.client = self.client_of()


class Rows(MarketTest):
    def test_rows_come_by_ticker_in_the_order_of_the_request_in_one_request(self) -> None:
        rows = self.client.rows(["dolar  mep", "GGAL", "NADA", "ggal"], **MARCH)
        self.assertEqual(
            [(row.especie, row.fecha) for row in rows],
            [
                ("DOLAR MEP", "2026-03-04"),
                ("GGAL", "2026-03-02"),
                ("GGAL", "2026-03-03"),
                ("GGAL", "2026-03-05"),
            ],
        )
        self.assertEqual(rows.missing, ("NADA",))
        self.assertEqual(rows.columns()["apertura"], [None, 98.5, 100.0, 52.0])
        ((path, query),) = self.market.requests
        self.assertEqual(path, "/historicos")
        self.assertEqual(query["especie"], "dolar mep,GGAL,NADA")
        self.assertEqual((query["forma"], query["ajuste"]), ("larga", "splits"))

    def test_start_is_included_and_end_is_not(self) -> None:
        for end in ("2026-03-05", date(2026, 3, 5), datetime(2026, 3, 5, 17)):
            rows = self.client.rows("GGAL", date(2026, 3, 3), end)
            self.assertEqual([row.fecha for row in rows], ["2026-03-03"])
        self.assertEqual(len(self.client.rows("GGAL", "2026-03-03", "2026-03-03")), 0)

    def test_a_text_is_split_at_commas_only(self) -> None:
        rows = self.client.rows(" GGAL, dolar mep ,", **MARCH)
        self.assertEqual({row.especie for row in rows}, {"GGAL", "DOLAR MEP"})

    def test_600_tickers_are_two_requests_and_a_long_range_as_many_as_its_rows_need(self) -> None:
        names = ["T{}".format(at) for at in range(600)]
        market, client = self.client_of(rows_each=20)
        self.assertEqual(len(client.rows(names, **MARCH)), 0)
        self.assertEqual(len(market.requests), 2)
        # Ten years have at most 2,610 weekdays, so 38 tickers fit until it is known that each has 10 closes.
        market, client = self.client_of(rows_each=20)
        rows = client.rows(names, "2010-01-01", "2020-01-01")
        self.assertEqual(len(rows), 6_000)
        self.assertEqual([row.especie for row in rows][::10], names)
        self.assertEqual([len(query["especie"].split(",")) for _, query in market.requests], [38, 500, 62])

    def test_lower_limits_of_the_service_are_learned_from_its_refusals(self) -> None:
        names = ["T{}".format(at) for at in range(40)]
        market, client = self.client_of(rows_each=20, tickers_max=25, rows_max=100)
        rows = client.rows(names, "2000-01-01", "2026-01-01")
        self.assertEqual([row.especie for row in rows][::20], names)
        sizes = [len(query["especie"].split(",")) for _, query in market.requests]
        self.assertEqual(sizes, [15, 5, 5, 5, 5, 5, 5, 5, 5])

    def test_one_ticker_with_more_rows_than_the_limit_is_refused_as_by_the_service(self) -> None:
        _, client = self.client_of(rows_each=20, rows_max=19)
        with self.assertRaisesRegex(PizarraHttpError, "tiene 20 filas"):
            client.rows(["T1"], "2000-01-01", "2026-01-01")

    def test_periods_of_days_are_the_last_sessions_of_each_ticker(self) -> None:
        with mock.patch("pizarra_client.history.today", return_value=date(2026, 3, 6)):
            for period, dates in (
                ("1d", ["2026-03-05"]),
                ("2d", ["2026-03-03", "2026-03-05"]),
                ("5d", ["2026-03-02", "2026-03-03", "2026-03-05"]),
            ):
                rows = self.client.ticker("GGAL").rows(period)
                self.assertEqual([row.fecha for row in rows], dates, period)
            bars = self.client.rows("GGAL", period="1d", interval="5m")
        self.assertEqual([row.hora for row in bars], ["11:00:00", "11:05:00"])  # type: ignore[union-attr]

    def test_a_period_in_days_has_no_weeks_before_it(self) -> None:
        with mock.patch("pizarra_client.history.today", return_value=date(2026, 3, 6)):
            self.client.rows("GGAL", period="5d", interval="1wk")
        ((_, query),) = self.market.requests
        self.assertEqual((query["desde"], query["hasta"]), ("2026-02-28", "2026-03-06"))

    def test_wrong_parameters_are_named_before_anything_is_requested(self) -> None:
        wrong: List[Tuple[str, Dict[str, Any]]] = [
            ("interval '3mo' is not valid: use one of 1d, 1wk, 1mo, 1m, 5m", {"interval": "3mo"}),
            ("period '1w' is not valid: use one such as 1d", {"period": "1w"}),
            ("start and period exclude each other", {"start": "2026-01-01", "period": "1y"}),
            ("start .2026-03-02. is after end", {"start": "2026-03-02", "end": "2026-03-01"}),
            ("end must be a date such as 2026-03-31", {"end": "31/03/2026"}),
            ("ajuste 'todo' is not valid: use one of ninguno", {"ajuste": "todo"}),
            ("pass ajuste or auto_adjust", {"ajuste": "total", "auto_adjust": True}),
        ]
        for text, options in wrong:
            with self.assertRaisesRegex(ValueError, text):
                self.client.rows("GGAL", **options)
        with self.assertRaisesRegex(ValueError, "no ticker"):
            self.client.rows(" , ")
        with self.assertRaisesRegex(ValueError, "contains a comma"):
            self.client.rows(["GGAL,AL30"])
        with self.assertRaisesRegex(ValueError, "takes one ticker"):
            self.client.ticker("GGAL,AL30")
        self.assertEqual(self.market.requests, [])

    def test_a_ticker_has_its_quote_and_its_events(self) -> None:
        ticker = self.client.ticker("ggal")
        self.assertEqual([one.tipo for one in ticker.events()], ["dividendo", "dividendo", "split"])
        self.assertEqual(len(ticker.events("2026-03-04", "2026-03-05")), 1)
        self.assertEqual(len(ticker.events("2026-03-04", "2026-03-04")), 0)

    def test_the_service_and_the_key_of_the_environment_are_used(self) -> None:
        with mock.patch.dict(os.environ, {"PIZARRA_URL": self.market.url, "PIZARRA_KEY": "pz_x"}):
            self.assertEqual(len(pz.rows("GGAL", **MARCH)), 3)
            self.assertEqual(len(pz.ticker("GGAL").rows(**MARCH)), 3)
            self.addCleanup(pz.ticker("GGAL")._client.close)
        with mock.patch.dict(os.environ, {"PIZARRA_KEY": ""}):
            with self.assertRaisesRegex(ValueError, "PIZARRA_KEY is not set"):
                pz.rows("GGAL")

    def test_without_pandas_the_error_says_what_to_do_and_nothing_is_requested(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            for call in (lambda: self.client.download("GGAL"), self.client.ticker("GGAL").history):
                with self.assertRaisesRegex(ImportError, "pip install pandas.* rows\\(\\)"):
                    call()
            self.assertEqual(self.market.requests, [])
            self.assertEqual(len(self.client.rows("GGAL", **MARCH)), 3)

    def test_the_async_client_has_the_same_rows(self) -> None:
        async def run() -> None:
            async with AsyncClient(self.market.url, "pz_x") as client:
                self.assertEqual(list(await client.rows("GGAL", **MARCH)), list(self.client.rows("GGAL", **MARCH)))

        asyncio.run(run())

    def test_rows_count_the_dividends_that_a_response_does_not_name(self) -> None:
        notes = self.client.rows("GGAL", ajuste="total", **MARCH).notes
        self.assertEqual((notes.missing_dividends, notes.missing_dividends_omitted), (("GGAL:2026-03-03",), 2))


class Spans(unittest.TestCase):
    def test_periods_end_today_or_before_end(self) -> None:
        now = date(2026, 3, 31)
        for period, first in (
            ("1mo", "2026-02-28"),
            ("3mo", "2025-12-31"),
            ("6mo", "2025-09-30"),
            ("1y", "2025-03-31"),
            ("2y", "2024-03-31"),
            ("5y", "2021-03-31"),
            ("10y", "2016-03-31"),
            ("ytd", "2026-01-01"),
            ("max", "1900-01-01"),
            ("999y", "1900-01-01"),
        ):
            self.assertEqual(span_of(None, None, period, now), Span(date.fromisoformat(first), now), period)
        self.assertEqual(span_of(None, None, None, now), span_of(None, None, "1mo", now))
        self.assertEqual(
            span_of(None, "2024-03-01", "1y", now), Span(date(2023, 2, 28), date(2024, 2, 29))
        )
        self.assertIsNone(span_of("2026-04-01", None, None, now))

    def test_weekdays_are_those_of_a_calendar(self) -> None:
        first = date(2026, 3, 1).toordinal()
        for start in range(7):
            for length in range(1, 25):
                days = [date.fromordinal(first + start + at) for at in range(length)]
                expected = sum(day.weekday() < 5 for day in days)
                self.assertEqual(Span(days[0], days[-1]).weekdays, expected)


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
class Frames(MarketTest):
    def download(self, tickers: Any, **options: Any) -> Any:
        return self.client.download(tickers, **{**MARCH, **options})

    def check(self, frame: Any, columns: List[Any], levels: List[Optional[str]], index: str = "Date") -> None:
        self.assertEqual(list(frame.columns), columns)
        self.assertEqual(list(frame.columns.names), levels)
        self.assertEqual(frame.index.name, index)
        self.assertIsInstance(frame.index, pandas.DatetimeIndex)
        self.assertEqual({str(kind) for kind in frame.dtypes}, {"float64"})
        self.assertTrue(frame.index.is_monotonic_increasing and frame.index.is_unique)

    def test_several_tickers_are_wide_in_the_order_of_the_request(self) -> None:
        frame = self.download("GGAL, DOLAR MEP")
        columns = [(price, ticker) for price in PRICES for ticker in ("GGAL", "DOLAR MEP")]
        self.check(frame, columns, ["Price", "Ticker"])
        self.assertIsNone(frame.index.tz)
        self.assertEqual([str(day)[:10] for day in frame.index], ["2026-03-0{}".format(day) for day in (2, 3, 4, 5)])
        self.assertEqual(frame["Close"]["GGAL"].dropna().tolist(), [100.0, 102.0, 51.5])
        self.assertEqual(frame["Close"]["DOLAR MEP"].dropna().tolist(), [1500.25])
        # A volume of 0 is known, and one that is not known is not 0.
        self.assertEqual(frame["Volume"]["GGAL"].dropna().tolist(), [10.0, 0.0])
        self.assertTrue(frame["Open"]["DOLAR MEP"].isna().all())
        self.assertEqual(frame.attrs["missing"], [])

    def test_group_by_ticker_swaps_the_levels(self) -> None:
        frame = self.download(["GGAL", "AAPL_US"], group_by="ticker")
        columns = [(ticker, price) for ticker in ("GGAL", "AAPL_US") for price in PRICES]
        self.check(frame, columns, ["Ticker", "Price"])
        other = self.download(["GGAL", "AAPL_US"])
        for ticker, price in columns:
            pandas.testing.assert_series_equal(
                frame[ticker][price], other[price][ticker], check_names=False
            )
        with self.assertRaisesRegex(ValueError, "group_by"):
            self.download("GGAL", group_by="row")

    def test_one_ticker_keeps_its_level_unless_the_program_wants_it_flat(self) -> None:
        columns = [(price, "GGAL") for price in PRICES]
        self.check(self.download("ggal"), columns, ["Price", "Ticker"])
        self.check(self.download("ggal,GGAL"), columns, ["Price", "Ticker"])
        self.check(self.download("GGAL", multi_level_index=False), PRICES, ["Price"])
        both = self.download("GGAL,AAPL_US", multi_level_index=False)
        self.assertEqual(both.columns.nlevels, 2)

    def test_unknown_tickers_and_those_without_data_are_columns_of_nan_and_named(self) -> None:
        frame = self.download(["GGAL", "NO EXISTE", "SOLO CIERRE"])
        self.assertTrue(frame["Close"][["NO EXISTE", "SOLO CIERRE"]].isna().all().all())
        self.assertEqual(frame.attrs["missing"], ["NO EXISTE", "SOLO CIERRE"])
        self.assertEqual(frame.attrs["unknown"], ["NO EXISTE"])
        self.assertEqual(len(frame), 3)
        for tickers in ("SOLO CIERRE", "NO EXISTE"):
            self.check(self.download(tickers), [(price, tickers) for price in PRICES], ["Price", "Ticker"])
            self.assertEqual(self.download(tickers).attrs["missing"], [tickers])
        nothing = self.client.download("GGAL,AAPL_US", "2026-03-02", "2026-03-02")
        self.assertEqual((nothing.shape, nothing.attrs["missing"]), ((0, 10), ["GGAL", "AAPL_US"]))

    def test_every_period_and_interval_gives_the_same_shape(self) -> None:
        with mock.patch("pizarra_client.history.today", return_value=date(2026, 3, 6)):
            for period in ("1d", "5d", "1mo", "3mo", "6mo", "1y", "2y", "5y", "10y", "ytd", "max"):
                frame = self.client.download("GGAL", period=period, progress=False, threads=True)
                self.check(frame, [(price, "GGAL") for price in PRICES], ["Price", "Ticker"])
                self.assertEqual(len(frame), 1 if period == "1d" else 3, period)
            for interval in ("1m", "5m", "15m", "60m", "1h"):
                frame = self.client.download("GGAL", period="5d", interval=interval)
                self.check(frame, [(price, "GGAL") for price in PRICES], ["Price", "Ticker"], "Datetime")
                self.assertEqual(len(frame), 3, interval)
        asked = [query["intervalo"] for path, query in self.market.requests if path == "/intradiarios"]
        self.assertEqual(asked, ["1m", "5m", "15m", "60m", "60m"])

    def test_weeks_and_months_are_asked_of_the_service(self) -> None:
        for interval in ("1d", "1wk", "1mo"):
            frame = self.client.ticker("GGAL").history(interval=interval, actions=True, **MARCH)
            self.check(frame, [*PRICES, "Dividends", "Stock Splits"], ["Price"])
        asked = [query.get("intervalo") for path, query in self.market.requests if path == "/historicos"]
        self.assertEqual(asked, [None, "1sem", "1mes"])

    def test_a_week_of_tickers_whose_last_sessions_differ_is_one_row(self) -> None:
        for interval in ("1wk", "1mo"):
            frame = self.download(["DOLAR MEP", "AAPL_US"], interval=interval)
            self.assertEqual([str(day.date()) for day in frame.index], ["2026-03-04"])
            self.assertEqual(frame["Close"].values.tolist(), [[1500.25, 250.0]])

    def test_bars_are_instants_in_utc_and_in_history_those_of_the_market(self) -> None:
        frame = self.download(["GGAL", "AAPL_US"], interval="5m")
        self.assertEqual(str(frame.index.tz), "UTC")
        self.assertEqual(
            [stamp.isoformat() for stamp in frame.index],
            [
                "2026-03-03T19:55:00+00:00",
                "2026-03-05T14:00:00+00:00",
                "2026-03-05T14:05:00+00:00",
                "2026-03-05T14:30:00+00:00",
            ],
        )
        bars = self.client.ticker("AAPL_US").history(interval="5m", **MARCH)
        self.check(bars, PRICES, ["Price"], "Datetime")
        self.assertEqual(bars.index[0].isoformat(), "2026-03-05T09:30:00-05:00")

    def test_history_is_flat_and_in_the_zone_of_the_market(self) -> None:
        frame = self.client.ticker("ggal").history(**MARCH)
        self.check(frame, PRICES, ["Price"])
        self.assertEqual(frame.index[0].isoformat(), "2026-03-02T00:00:00-03:00")
        abroad = self.client.ticker("AAPL_US").history(**MARCH)
        self.assertEqual(abroad.index[0].isoformat(), "2026-03-03T00:00:00-05:00")
        nothing = self.client.ticker("NO EXISTE").history(**MARCH)
        self.check(nothing, PRICES, ["Price"])
        self.assertEqual((len(nothing), nothing.attrs["missing"]), (0, ["NO EXISTE"]))

    def test_actions_are_on_the_session_of_their_ex_date_or_the_first_after_it(self) -> None:
        frame = self.download(["GGAL", "DOLAR MEP", "NADA"], actions=True)
        tickers = ["GGAL", "DOLAR MEP", "NADA"]
        columns = [(name, ticker) for name in [*PRICES, "Dividends", "Stock Splits"] for ticker in tickers]
        self.check(frame, columns, ["Price", "Ticker"])
        own = frame.xs("GGAL", axis=1, level="Ticker").dropna(subset=["Close"])
        # A unit of before the split is two of today, as in the prices. The dividend in dollars is none of its currency.
        self.assertEqual(own["Dividends"].tolist(), [0.0, 2.0, 0.0])
        self.assertEqual(own["Stock Splits"].tolist(), [0.0, 0.0, 2.0])
        self.assertEqual(frame.attrs["missing_dividends"], ["GGAL:2026-03-03"])
        self.assertTrue(frame["Dividends"]["NADA"].isna().all())
        self.assertEqual(frame["Dividends"]["DOLAR MEP"].dropna().tolist(), [0.0])
        traded = self.client.ticker("GGAL").history(actions=True, ajuste="ninguno", **MARCH)
        self.assertEqual(traded["Dividends"].tolist(), [0.0, 4.0, 0.0])

    def test_auto_adjust_asks_for_total_and_the_frame_names_what_it_lacks(self) -> None:
        for options, ajuste in (
            ({}, "splits"),
            ({"auto_adjust": True}, "total"),
            ({"auto_adjust": False}, "splits"),
            ({"ajuste": "ninguno"}, "ninguno"),
        ):
            frame = self.download("GGAL", **options)
            self.assertEqual(self.market.requests[-1][1]["ajuste"], ajuste)
            self.assertEqual(frame.attrs["ajuste"], ajuste)
            missing = ["GGAL:2026-03-03"] if ajuste == "total" else []
            self.assertEqual(frame.attrs["missing_dividends"], missing)

    def test_midnights_that_clocks_skipped_have_a_place_in_the_index(self) -> None:
        from pizarra_client._frames import _index

        zone = "America/Argentina/Buenos_Aires"
        # On 2007-12-30 and 2008-10-19, the day began at 01:00.
        index = _index(pandas, ["2007-12-28", "2007-12-30", "2008-03-16", "2008-10-19"], False, zone)
        self.assertEqual([stamp.hour for stamp in index], [0, 1, 0, 1])

    def test_the_async_client_has_the_same_frame(self) -> None:
        async def run() -> Any:
            async with AsyncClient(self.market.url, "pz_x") as client:
                return await client.download("GGAL", **MARCH)

        pandas.testing.assert_frame_equal(asyncio.run(run()), self.download("GGAL"))
