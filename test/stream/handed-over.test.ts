import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { issueKey } from '../../src/auth/issue-key.ts';
import { KeyRing } from '../../src/auth/key-ring.ts';
import { Board } from '../../src/board/board.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { Universe } from '../../src/domain/instruments/universe.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import type { StreamObserver } from '../../src/http/stream/quote-streams.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { sampleQuotes, sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer, testNow, type TestServer } from '../support/http/start-test-server.ts';
import { until } from '../support/wait.ts';

const issued = issueKey({ name: 'test', scope: 'read' }, { now: testNow, randomBytes });
const keyRing = new KeyRing();
keyRing.replace([issued.record]);

/** The sample universe, with the fields that `change` returns replaced in each instrument. */
function universeWith(change: (ticker: string) => object): Universe {
  const { markets, panels, derived } = sampleUniverse;
  const changed = new Map(
    sampleUniverse.instruments.map((one) => [one, { ...one, ...change(one.ticker) }]),
  );
  const instruments = [...changed.values()];
  const others = [...panels].map(
    ([code, members]) => [code, members.map((one) => changed.get(one) ?? one)] as const,
  );
  return new Universe({ instruments, markets, panels: new Map(others), derived, bondTerms: [] });
}

/** A board with the sample quotes, in which the last price of GGAL is `last`. */
function boardOf(universe: Universe, last?: number): Board {
  const board = new Board(universe);
  board.adopt(
    sampleQuotes.map((quote) => {
      const instrument = universe.get(quote.instrument.ticker);
      const isNew = instrument.ticker === 'GGAL' && last !== undefined;
      return isNew
        ? { ...quote, instrument, last, version: quote.version + 1_000 }
        : { ...quote, instrument };
    }),
  );
  return board;
}

/** Starts a server with one stream of GGAL and one of a panel, and records their metrics. */
async function start(): Promise<
  AsyncDisposable & {
    readonly counts: { opened: number; closed: string[] };
    readonly streams: readonly [EventStream, EventStream];
    readonly show: (board: Board, parts?: Partial<PublicServerParts>) => Promise<TestServer>;
  }
> {
  await using cleanUp = new AsyncDisposableStack();
  const counts = { opened: 0, closed: [] as string[] };
  const streamObserver: StreamObserver = {
    opened: () => void (counts.opened += 1),
    closed: (why) => void counts.closed.push(why),
    wrote: () => undefined,
  };
  const common = { keyRing, streamObserver, streamLimits: { sweepMs: 20 } };
  const server = cleanUp.use(await startTestServer(common));
  const open = async (query: string): Promise<EventStream> => {
    const url = `http://127.0.0.1:${server.port}/cotizaciones/stream?${query}`;
    const stream = cleanUp.use(await openStream(url, { authorization: `Bearer ${issued.key}` }));
    await stream.until(({ events }) => events.length > 0);
    return stream;
  };
  const streams = [await open('especie=GGAL'), await open('panel=LID')] as const;
  const running = cleanUp.move();
  return {
    counts,
    streams,
    show: async (board, parts = {}) => {
      const next = running.use(await startTestServer({ ...common, ...parts, board }));
      await server.server.handOver(next.server);
      return next;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

test('a stream continues with another board: no quote is repeated, and newer quotes follow', async () => {
  await using place = await start();
  const [one] = place.streams;
  const first = one.events.length;
  await place.show(boardOf(sampleUniverse));
  const board = boardOf(sampleUniverse, 1.25);
  await place.show(board);
  await one.until(({ events }) => events.length > first);
  assert.match(one.events.at(-1)?.data ?? '', /"ultimo":1\.25/);
  const quote = board.quote(sampleUniverse.get('GGAL' as Ticker)) ?? assert.fail();
  board.adopt([{ ...quote, last: 1.5, version: quote.version + 1 }]);
  await one.until(({ events }) => events.length > first + 1);
  assert.match(one.events.at(-1)?.data ?? '', /"ultimo":1\.5/);
  assert.equal(one.events.length, first + 2);
  assert.equal(place.counts.opened, 2);
  assert.deepEqual(place.counts.closed, []);
});

test('a stream is ended only when its selection is rendered differently, and its client then gets all quotes again', async () => {
  await using place = await start();
  const [one, panel] = place.streams;
  const [other] = sampleUniverse.panels.get('LID')?.filter(({ ticker }) => ticker !== 'GGAL') ?? [];
  await place.show(
    boardOf(
      universeWith((ticker) => (ticker === other?.ticker ? { decimals: 1 } : {})),
      2.5,
    ),
  );
  await panel.ended();
  assert.match(panel.events.at(-1)?.data ?? '', /"motivo":"seleccion"/);
  // An empty id resets the last event id of a client, so that it gets all current quotes again.
  assert.equal(panel.events.at(-1)?.id, '');
  await one.until(({ events }) => events.at(-1)?.data.includes('"ultimo":2.5') === true);
  assert.deepEqual(place.counts.closed, ['selection-changed']);
});

test('all streams end when real data replaces simulated data', async () => {
  await using place = await start();
  await place.show(boardOf(sampleUniverse), { dataSource: 'simulated' });
  for (const stream of place.streams) {
    await stream.ended();
    assert.match(stream.events.at(-1)?.data ?? '', /"motivo":"detencion"/);
  }
});

test('a stream that continued with another board ends when its key is revoked or its client leaves', async () => {
  await using place = await start();
  const [one, panel] = place.streams;
  await place.show(boardOf(sampleUniverse));
  one[Symbol.dispose]();
  await until('a stream is closed', () => place.counts.closed.length > 0);
  assert.deepEqual(place.counts.closed, ['client-left']);
  keyRing.replace([]);
  await panel.ended();
  keyRing.replace([issued.record]);
  assert.match(panel.events.at(-1)?.data ?? '', /"motivo":"clave"/);
});
