"""Parses server-sent events (HTML, 9.2.6)."""

from __future__ import annotations

import codecs
import re
from typing import List, NamedTuple, Optional

_EVENT_CHARACTERS_MAX = 1_048_576
"""Maximum length of one event. The events of the service have some hundred characters."""

_LINE_END = re.compile(r"\r\n|\n|\r(?!$)")


class ServerEvent(NamedTuple):
    event: str
    data: str
    last_id: str
    """The last id that the stream sent, with this event or before it. Empty for none."""


class EventParser:
    """Parses pieces of any size. An event that the end of the stream cuts off, and its id, do not count."""

    def __init__(self, last_id: str) -> None:
        self.last_id = last_id
        self.retry: Optional[float] = None
        """The last retry that the stream sent, in seconds."""
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._pending_id = last_id
        self._rest = ""
        self._data: List[str] = []
        self._event = ""

    def push(self, piece: bytes) -> List[ServerEvent]:
        """Adds a piece, and returns the events that it completes. Raises ValueError for a too long event."""
        *lines, self._rest = _LINE_END.split(self._rest + self._decode(piece))
        events: List[ServerEvent] = []
        for line in lines:
            if line:
                self._field(line)
            else:
                self._dispatch(events)
        if len(self._rest) + sum(map(len, self._data)) > _EVENT_CHARACTERS_MAX:
            raise ValueError("an event has more than {} characters".format(_EVENT_CHARACTERS_MAX))
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._pending_id = value
        elif name == "retry" and re.fullmatch(r"[0-9]+", value):
            self.retry = int(value) / 1_000

    def _dispatch(self, events: List[ServerEvent]) -> None:
        self.last_id = self._pending_id
        if self._data:
            events.append(
                ServerEvent(self._event or "message", "\n".join(self._data), self.last_id)
            )
        self._data = []
        self._event = ""
