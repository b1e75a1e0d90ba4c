"""A server that answers as a test wants."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Dict, List, Optional, Tuple

Answer = Tuple[int, Dict[str, str], bytes]


class FaultyServer:
    """Answers each request with the next answer, and the last one again. None breaks the connection."""

    def __init__(self, *answers: Optional[Answer]) -> None:
        self.requests: List[Dict[str, str]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Otherwise a body waits 40 ms for the acknowledgement of its headers.
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                at = len(server.requests)
                server.requests.append({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}})
                answer = answers[min(at, len(answers) - 1)]
                if answer is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                if int(headers.get("Content-Length", len(body))) != len(body):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return "http://127.0.0.1:{}".format(self._server.server_address[1])

    def __enter__(self) -> "FaultyServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class SilentServer:
    """Accepts connections and never answers."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return "http://127.0.0.1:{}".format(self._socket.getsockname()[1])

    def __enter__(self) -> "SilentServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
