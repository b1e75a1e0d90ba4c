"""The client against servers that fail. None of these tests needs the service."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import threading
import time
import unittest

from pizarra_client import (
    AsyncClient,
    Cancellation,
    Client,
    PizarraCancelledError,
    PizarraConnectionError,
    PizarraHttpError,
    PizarraResponseError,
    PizarraTimeoutError,
    Retry,
)
from pizarra_client._cache import ResponseCache
from pizarra_client._event_parser import EventParser
from pizarra_client.contract import DATES, NUMBERS

from .faulty import FaultyServer, SilentServer

JSON = {"Content-Type": "application/json; charset=utf-8"}
ONCE = Retry(attempts_max=1)


def client_of(url: str, **options: object) -> Client:
    return Client(url, "pz_x", **options)  # type: ignore[arg-type]


class Requests(unittest.TestCase):
    def test_a_request_is_sent_again_after_a_broken_connection_429_and_503(self) -> None:
        busy = (429, {"Retry-After": "0"}, b'{"error":"espere"}')
        stopping = (503, {"Retry-After": "0"}, b"<html>")
        with FaultyServer(None, busy, stopping, (200, JSON, b"[]")) as server:
            with client_of(server.url, retry=Retry(attempts_max=4)) as client:
                self.assertEqual(list(client.quotes(panel="LID")), [])
            self.assertEqual(len(server.requests), 4)

    def test_a_longer_wait_than_the_limit_is_not_waited_for(self) -> None:
        busy = (429, {"Retry-After": "60"}, '{"error":"Reintentar en 60 s."}'.encode())
        with FaultyServer(busy) as server, client_of(server.url) as client:
            with self.assertRaises(PizarraHttpError) as raised:
                client.quotes(panel="LID")
        self.assertEqual(raised.exception.retry_after, 60)
        self.assertEqual(raised.exception.text, "Reintentar en 60 s.")
        self.assertEqual(len(server.requests), 1)

    def test_a_connection_that_the_service_closed_while_it_was_idle_is_no_failure(self) -> None:
        fine = (200, JSON, b"[]")
        with FaultyServer(fine, None, fine) as server, client_of(server.url, retry=ONCE) as client:
            client.quotes(panel="LID")
            self.assertEqual(len(client.quotes(panel="GEN")), 0)

    def test_a_truncated_body_is_a_broken_connection_and_never_a_short_table(self) -> None:
        short = (200, {"Content-Type": "text/csv", "Content-Length": "99"}, b"especie\r\nGGAL\r\n")
        with FaultyServer(short) as server, client_of(server.url, retry=ONCE) as client:
            with self.assertRaises(PizarraConnectionError):
                client.csv("/cotizaciones", panel="LID")

    def test_one_ticker_or_several_stand_for_the_selection(self) -> None:
        with FaultyServer((200, JSON, b"[]")) as server, client_of(server.url) as client:
            client.quotes("GGAL")
            client.quotes(["GGAL", "DOLAR MEP"])
            client.paths("GGAL", panel="LID")
            client.bonds("AL30D")
            asyncio.run(self._quotes_of("GGAL", server.url))
        self.assertEqual(
            [one["path"] for one in server.requests],
            [
                "/cotizaciones?especie=GGAL",
                "/cotizaciones?especie=GGAL,DOLAR%20MEP",
                "/recorridos?especie=GGAL&panel=LID",
                "/bonos?especie=AL30D",
                "/cotizaciones?especie=GGAL",
            ],
        )

    def test_bonds_without_terms_and_missing_values_of_indices_and_dollars_are_named(self) -> None:
        headers = {
            **JSON,
            "Missing-Terminos": "PAP0,D30N6,%E2%80%A6+3",
            "Missing-Indices": "CER%202026-11-20",
            "Missing-Cambios": "2",
        }
        with FaultyServer((200, headers, b"[]")) as server, client_of(server.url) as client:
            notes = client.bonds(panel="BONOS").notes
        self.assertEqual((notes.missing_terms, notes.missing_terms_omitted), (("PAP0", "D30N6"), 3))
        self.assertEqual(notes.missing_indices, ("CER 2026-11-20",))
        self.assertEqual((notes.missing, notes.missing_indices_omitted, notes.missing_rates), ((), 0, 2))

    def test_white_space_that_a_proxy_adds_to_the_fields_of_a_response_changes_nothing(self) -> None:
        headers = {
            **JSON,
            "Missing-Especies": "DOLAR%20MEP, X ,\t%e2%80%a6+12",
            "RateLimit-Policy": '"free"; q=20; w=20',
            "RateLimit": '"free"; r=0; t=8',
        }
        with FaultyServer((200, headers, b"[]")) as server, client_of(server.url) as client:
            notes = client.quotes(panel="LID").notes
        self.assertEqual((notes.missing, notes.missing_omitted), (("DOLAR MEP", "X"), 12))
        assert notes.rate_limit is not None
        self.assertEqual((notes.rate_limit.remaining, notes.rate_limit.reset_seconds), (0, 8))

    def test_a_column_has_one_type_wherever_a_row_has_its_field(self) -> None:
        self.assertLessEqual({"fecha", "rueda", "vencimiento", "liquidacion", "pago"}, DATES)
        self.assertLessEqual({"ultimo", "volumen", "tir", "factor", "importe"}, NUMBERS)
        # The first day of an index, and the time at which a path begins.
        self.assertNotIn("desde", DATES | NUMBERS)

    async def _quotes_of(self, ticker: str, url: str) -> None:
        async with AsyncClient(url, "pz_x") as client:
            await client.quotes(ticker)

    def test_a_byte_order_mark_before_a_text_is_ignored(self) -> None:
        text = (200, {"Content-Type": "text/plain; charset=utf-8"}, "\ufeffGGAL\n".encode())
        with FaultyServer(text) as server, client_of(server.url) as client:
            self.assertEqual(list(client.tickers()), ["GGAL"])

    def test_a_compressed_body_is_decompressed(self) -> None:
        body = gzip.compress(b"GGAL\nAL30\n")
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Encoding": "gzip"}
        with FaultyServer((200, headers, body)) as server, client_of(server.url) as client:
            self.assertEqual(list(client.tickers()), ["GGAL", "AL30"])

    def test_another_service_at_the_address_is_an_error_of_its_own(self) -> None:
        answers = (
            (200, {"Content-Type": "text/html"}, b"<html>"),
            (200, JSON, b'[{"especie"'),
            (200, JSON, b'[{"especie":"GGAL"}]'),
            (200, JSON, b'["GGAL"]'),
        )
        for answer in answers:
            with FaultyServer(answer) as server, client_of(server.url) as client:
                with self.assertRaises(PizarraResponseError):
                    client.quotes(panel="LID")

    def test_a_redirect_is_an_error_because_it_would_carry_the_key_elsewhere(self) -> None:
        with FaultyServer((302, {"Location": "http://127.0.0.1:1/"}, b"")) as server:
            with client_of(server.url) as client, self.assertRaises(PizarraHttpError) as raised:
                client.quotes(panel="LID")
        self.assertEqual(raised.exception.status, 302)

    def test_a_silent_service_is_a_timeout_and_a_closed_port_a_failed_connection(self) -> None:
        with SilentServer() as server, client_of(server.url, retry=ONCE, timeout=0.05) as client:
            with self.assertRaises(PizarraTimeoutError):
                client.quotes(panel="LID")
        with client_of("http://127.0.0.1:1", retry=ONCE) as client:
            with self.assertRaises(PizarraConnectionError):
                client.quotes(panel="LID")

    def test_a_cancelled_request_ends_at_once_also_while_it_waits_to_try_again(self) -> None:
        busy = (503, {"Retry-After": "20"}, b"{}")
        with SilentServer() as silent, FaultyServer(busy) as refusing:
            for url in (silent.url, refusing.url):
                cancel = Cancellation()
                threading.Timer(0.05, cancel.cancel).start()
                began = time.monotonic()
                with client_of(url) as client, self.assertRaises(PizarraCancelledError):
                    client.quotes(panel="LID", cancel=cancel)
                self.assertLess(time.monotonic() - began, 10)

    def test_a_cancelled_task_ends_its_request(self) -> None:
        async def run(url: str) -> None:
            async with AsyncClient(url, "pz_x") as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.quotes(panel="LID"), 0.05)

        began = time.monotonic()
        with SilentServer() as server:
            asyncio.run(run(server.url))
        self.assertLess(time.monotonic() - began, 10)

    def test_wrong_addresses_keys_and_parameters_are_refused_before_a_request(self) -> None:
        for url in ("ftp://host", "http://user:secret@host", "host", "http://host/?a=1"):
            with self.assertRaises(ValueError):
                Client(url, "pz_x")
        for host in ("quotes.example", "10.0.0.7:8080", "127.0.0.1.example", "[::2]", "0.0.0.0"):
            with self.assertRaisesRegex(ValueError, "Plain HTTP would expose the key"):
                Client("http://" + host, "pz_x")
        for host in ("localhost", "LOCALHOST:1", "127.1.2.3", "[::1]:1"):
            Client("http://" + host, "pz_x").close()
        with FaultyServer((200, JSON, b"[]")) as server:
            with self.assertRaisesRegex(ValueError, "The key is empty"):
                Client(server.url, "pz_\n").quotes(panel="LID")
            client = client_of(server.url)
            self.addCleanup(client.close)
            with self.assertRaisesRegex(ValueError, "contains a comma"):
                client.quotes(especie=["A,B"])
            with self.assertRaisesRegex(TypeError, "/cotizaciones has no pannel"):
                client.csv("/cotizaciones", pannel="LID")
            for path in ("/nothing", "/especies.txt", "/cotizaciones/stream"):
                with self.assertRaisesRegex(TypeError, path + " has no table"):
                    client.csv(path)
            self.assertEqual(server.requests, [])
            client.quotes(especie=["dolar mep", "AL30"], campos="compra")
            self.assertEqual(
                server.requests[0]["path"], "/cotizaciones?especie=dolar%20mep,AL30&campos=compra"
            )
        self.assertNotIn("pz_x", repr(client._connection))


QUOTE = b'id: 7\nevent: cotizacion\ndata: {"especie":"GGAL","fecha":"2026-11-20","ultimo":1}\n\n'
STREAM = (200, {"Content-Type": "text/event-stream"}, QUOTE + QUOTE)


class Streams(unittest.TestCase):
    def test_a_closed_stream_ends_its_loop_also_before_its_first_event(self) -> None:
        with FaultyServer(STREAM) as server, client_of(server.url) as client:
            with client.stream(panel="LID") as stream:
                self.assertEqual(next(stream).data.especie, "GGAL")
                stream.close()
                self.assertEqual(list(stream), [])
            unused = client.stream(panel="LID")
            unused.close()
            self.assertEqual(list(unused), [])

    def test_a_closed_async_stream_ends_its_loop_also_before_its_first_event(self) -> None:
        async def run(url: str) -> None:
            async with AsyncClient(url, "pz_x") as client:
                for events in (1, 0):
                    stream = client.stream(panel="LID")
                    for _ in range(events):
                        self.assertEqual((await stream.__anext__()).data.especie, "GGAL")
                    await stream.close()
                    with self.assertRaises(StopAsyncIteration):
                        await asyncio.wait_for(stream.__anext__(), 10)

        with FaultyServer(STREAM) as server:
            asyncio.run(run(server.url))

    def test_an_error_ends_the_thread_of_an_async_stream(self) -> None:
        async def run(url: str) -> None:
            async with AsyncClient(url, "pz_x") as client:
                with self.assertRaises(PizarraResponseError):
                    await client.stream(panel="LID").__anext__()

        with FaultyServer((200, {"Content-Type": "text/html"}, b"<html>")) as server:
            asyncio.run(run(server.url))
        for thread in threading.enumerate():
            if thread.name == "pizarra-stream":
                thread.join(10)
                self.assertFalse(thread.is_alive())


class Parts(unittest.TestCase):
    def test_the_client_for_asyncio_has_the_methods_of_the_other_with_their_parameters(self) -> None:
        for name, method in inspect.getmembers(Client, inspect.isfunction):
            # A ticker is an object of its own, whose methods wait.
            if name.startswith("_") or name == "ticker":
                continue
            self.assertEqual(inspect.signature(getattr(AsyncClient, name)), inspect.signature(method), name)

    def test_the_cache_drops_the_least_recently_used_response(self) -> None:
        cache = ResponseCache(10)
        cache.put("a", "1", "A", 4)
        cache.put("b", "2", "B", 4)
        cache.get("a")
        cache.put("c", "3", "C", 4)
        self.assertIsNone(cache.get("b"))
        self.assertEqual(cache.get("a"), ("1", "A"))
        cache.put("a", "4", "AA", 11)
        self.assertIsNone(cache.get("a"))

    def test_an_event_is_read_from_pieces_of_any_size_and_only_whole_events_count(self) -> None:
        text = (
            "retry: 1500\r\n\r\n: comment\nevent: cotizacion\nid: 7\n"
            'data: {"a":1,\ndata: "b":"ñ"}\n\nid: 8\ndata: x'
        ).encode()
        for size in range(1, len(text) + 1):
            parser = EventParser("")
            events = []
            for at in range(0, len(text), size):
                events += parser.push(text[at : at + size])
            self.assertEqual(events, [("cotizacion", '{"a":1,\n"b":"ñ"}', "7")])
            self.assertEqual((parser.retry, parser.last_id), (1.5, "7"))

    def test_a_byte_order_mark_before_the_first_event_is_ignored(self) -> None:
        text = "\ufeffevent: cotizacion\nid: 7\ndata: {}\n\n".encode()
        for size in range(1, len(text) + 1):
            parser = EventParser("")
            events = []
            for at in range(0, len(text), size):
                events += parser.push(text[at : at + size])
            self.assertEqual(events, [("cotizacion", "{}", "7")])

    def test_an_empty_id_resets_the_last_id_and_an_event_without_an_end_is_refused(self) -> None:
        parser = EventParser("12")
        self.assertEqual(parser.push(b"data: a\n\n")[0].last_id, "12")
        self.assertEqual(parser.push(b"id:\nevent: cierre\ndata: {}\n\n")[0].last_id, "")
        with self.assertRaises(ValueError):
            for _ in range(3):
                parser.push(b"x" * 500_000)


if __name__ == "__main__":
    unittest.main()
