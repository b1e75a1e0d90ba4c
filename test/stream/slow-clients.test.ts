import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeQuote, type Quote } from '../../src/domain/quotes/quote.ts';
import type { StreamObserver } from '../../src/http/stream/quote-streams.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { sampleQuotes, sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { until } from '../support/wait.ts';

/** Contract 4.4.1: a client that reads slowly, or not at all, does not affect the others. */

const clientCount = 20;

/** One new quote of every instrument, with increasing versions. */
function round(number: number): Quote[] {
  const [sample] = sampleQuotes as readonly [Quote, ...Quote[]];
  return sampleUniverse.instruments.map((instrument, index) =>
    makeQuote(instrument, {
      version: number * 1_000 + index,
      session: { ...sample, last: number },
      references: {},
    }),
  );
}

/** The selection of the reading clients. The stalled client selects everything, to fill up sooner. */
const followed = ['GGAL', 'DOLAR MEP'];

const everything = sampleUniverse.instruments
  .map(({ ticker }) => `especie=${encodeURIComponent(ticker)}`)
  .join('&');

/** The last price of each instrument that a client has received. */
function lastTold({ events }: EventStream): Map<string, number> {
  const quotes = events
    .filter(({ event }) => event === 'cotizacion')
    .map(({ data }) => JSON.parse(data) as { readonly especie: string; readonly ultimo: number });
  return new Map(quotes.map(({ especie, ultimo }) => [especie, ultimo]));
}

test('20 clients receive the latest quotes of their selection while one client reads nothing', async () => {
  const endings: string[] = [];
  let written = 0;
  const streamObserver: StreamObserver = {
    opened: () => undefined,
    closed: (why) => endings.push(why),
    wrote: (quotes) => (written += quotes),
  };
  await using server = await startTestServer({
    streamLimits: { stallMs: 200, sweepMs: 20 },
    streamObserver,
  });
  const url = `http://127.0.0.1:${server.port}/cotizaciones/stream`;
  const headers = { authorization: `Bearer ${server.key}` };
  const clients = await Promise.all(
    Array.from({ length: clientCount }, () =>
      openStream(`${url}?especie=${followed.join(',')}`, headers),
    ),
  );
  using stalled = await openStream(`${url}?${everything}`, headers);
  stalled.stall();

  // Publish until the unread quotes of the stalled client fill its connection and then its backlog.
  let rounds = 1;
  const publish = (): boolean => {
    server.board.adopt(round(rounds));
    rounds += 1;
    return endings.includes('too-slow');
  };
  await until('the stream of the stalled client is ended', publish, { everyTurn: true });
  server.board.adopt(round(rounds));

  const wanted = new Map(followed.map((ticker) => [ticker, rounds]));
  const isUpToDate = (stream: EventStream): boolean => {
    const last = stream.events.slice(-followed.length);
    return last.every(({ id }) => Number(id) >= rounds * 1_000);
  };
  for (const client of clients) {
    await client.until(isUpToDate);
    assert.deepEqual(lastTold(client), wanted);
    const ids = client.events.map(({ id }) => Number(id));
    assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)));
    client[Symbol.dispose]();
  }
  assert.deepEqual(endings, ['too-slow']);
  assert.ok(written > clientCount * followed.length);
});
