/**
 * The server that `bench/render.ts` measures: the public listener with the default universe and simulated
 * quotes and closes, or a bare `node:http` server that writes the same bytes. It prints one JSON line when it
 * listens.
 *
 * Usage: node bench/render-server.ts service
 *        node bench/render-server.ts bare FILE [STATUS]     responds with the bytes of FILE
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { requireUniverse } from '../src/node/site/require-universe.ts';
import { issueKey } from '../src/auth/issue-key.ts';
import { KeyRing } from '../src/auth/key-ring.ts';
import { Board } from '../src/board/board.ts';
import { CorporateActions } from '../src/domain/history/corporate-actions.ts';
import type { CloseSeries } from '../src/domain/history/daily-close.ts';
import type { Instrument } from '../src/domain/instruments/instrument.ts';
import { toEpochDay } from '../src/domain/calendar/plain-date.ts';
import type { EpochDay, PlainDate } from '../src/domain/calendar/plain-date.ts';
import { makeQuote } from '../src/domain/quotes/quote.ts';
import type { Quote } from '../src/domain/quotes/quote.ts';
import type { SeriesReader } from '../src/http/content/series-cache.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import { createPublicServer } from '../src/http/public-server.ts';
import { systemClock } from '../src/lib/time/clock.ts';
import { silentLog } from '../src/lib/reports/log.ts';
import { HistoryChanges } from '../src/store/contract/history-changes.ts';

/** Number of closes of each instrument: about twenty years. */
const closesPerInstrument = 5_000;
const lastDay = toEpochDay('2026-11-20' as PlainDate);
const previousDay = toEpochDay('2026-11-19' as PlainDate);
const monthBaseDay = toEpochDay('2026-10-30' as PlainDate);
const yearBaseDay = toEpochDay('2025-12-30' as PlainDate);

function quoteOf(instrument: Instrument, version: number): Quote {
  const base = 100 + ((instrument.position * 7919) % 9973) + (version % 1000) / 100;
  return makeQuote(instrument, {
    version,
    session: {
      sessionDate: '2026-11-20' as PlainDate,
      asOf: Date.parse('2026-11-20T19:00:00Z') + (version % 3600) * 1000,
      last: base,
      open: base * 0.99,
      high: base * 1.013,
      low: base * 0.981,
      volume: (version * 7919) % 9_999_991,
    },
    references: {
      previous: { day: previousDay, close: base * 0.995 },
      monthBase: { day: monthBaseDay, close: base * 0.95 },
      yearBase: { day: yearBaseDay, close: base * 0.7 },
    },
  });
}

const days = Int32Array.from(
  { length: closesPerInstrument },
  (_, row) => lastDay - Math.floor((closesPerInstrument - row) * 1.4565),
);
const series: CloseSeries = {
  days,
  closes: Float64Array.from(days, (_, row) => 1000 + row * 1.37),
  volumes: Float64Array.from(days, (_, row) => (row * 7919) % 9_999_991),
};
function rangeOf(from: number, to: number): CloseSeries {
  const first = days.findIndex((day) => day >= from);
  const end = days.findLastIndex((day) => day <= to) + 1;
  return {
    days: days.slice(first, end),
    closes: series.closes.slice(first, end),
    volumes: series.volumes.slice(first, end),
  };
}
const history: SeriesReader = {
  readSeries: async (_ticker, { from, to }) => rangeOf(from, to),
  readBars: async (_ticker, { from, to }) => {
    const range = rangeOf(from, to);
    return { ...range, opens: range.closes, highs: range.closes, lows: range.closes };
  },
};
async function startService(): Promise<void> {
  const universe = await requireUniverse(fileURLToPath(new URL('../universe', import.meta.url)));
  const board = new Board(universe);
  let version = 0;
  const quotes = universe.instruments.map((instrument) => quoteOf(instrument, (version += 1)));
  board.adopt(quotes);
  const updatesPerSecond = Number(process.argv[3] ?? 0);
  if (updatesPerSecond > 0) {
    setInterval(() => {
      for (let count = 0; count < updatesPerSecond / 100; count += 1) {
        version += 1;
        const instrument = universe.instruments[(version * 7919) % universe.instruments.length];
        if (instrument !== undefined) board.adopt([quoteOf(instrument, version)]);
      }
    }, 10);
  }
  // A split two years ago changes most rows.
  const exDay = (lastDay - 730) as EpochDay;
  const ticker = 'AL30' as Ticker;
  const actions = new CorporateActions([
    { type: 'split', ticker, exDay, factor: 3, source: 'bench' },
  ]);
  const { key, record } = issueKey({ name: 'bench', scope: 'read' }, { now: 0, randomBytes });
  const server = createPublicServer({
    instance: 'bench',
    board,
    history,
    bars: { readBars: async () => [], latestBarDay: async () => undefined },
    actions: () => actions,
    historyChanges: new HistoryChanges(),
    keyRing: new KeyRing([record]),
    openapi: () => ({}),
    log: silentLog,
    accessLog: 'refused',
    clock: systemClock,
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ port, key })}\n`);
}

function startBare(file: string, status: number): void {
  const body = readFileSync(file);
  const ofBody = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer bench') {
      response.writeHead(401).end();
      return;
    }
    response.writeHead(status, {
      ...(status === 304 ? {} : ofBody),
      'cache-control': 'private, no-cache',
      etag: '"0123456789012345678901"',
      vary: 'Accept, Accept-Encoding, Authorization',
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  });
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ port, key: 'bench' })}\n`);
  });
}

if (process.argv[2] === 'bare') startBare(process.argv[3] ?? '', Number(process.argv[4] ?? 200));
else await startService();
