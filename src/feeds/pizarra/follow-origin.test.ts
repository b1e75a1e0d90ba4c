import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { silentLog } from '../../lib/reports/log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { within } from '../../../test/support/wait.ts';
import { FollowedServices } from '../contract/followed-services.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { FeedBatch, FeedFault } from '../contract/feed.ts';
import { Secrets } from '../contract/secrets.ts';
import { followOrigin } from './index.ts';
import type { PizarraConfig } from './origin.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
const key = 'pz_0123456789';
const asJson = { 'content-type': 'application/json' };

/** An origin in the place of a real one, which a test changes from request to request. */
class FakeOrigin implements AsyncDisposable {
  instance = 'first';
  health: Record<string, unknown> = {};
  origins = '';
  listing: unknown = [{ especie: 'GGAL', fuente: 'byma', demoraMinutos: 20 }];
  /** The status of streams. Another one than 200 is a refusal. */
  status = 200;
  refusal: Readonly<Record<string, string>> = {};
  readonly requests: { readonly path: string; readonly headers: Record<string, unknown> }[] = [];
  readonly streams: ServerResponse[] = [];
  readonly #server = createServer(({ url = '', headers }, response) => {
    const path = new URL(url, 'http://x').pathname;
    this.requests.push({ path: url, headers });
    if (path === '/healthz') {
      const body = { instancia: this.instance, datos: 'reales', ...this.health };
      response.writeHead(200, { ...asJson, 'pizarra-origins': this.origins });
      response.end(JSON.stringify(body));
    } else if (path === '/especies.json') {
      response.writeHead(200, asJson).end(JSON.stringify(this.listing));
    } else if (this.status === 200) this.#open(response);
    else response.writeHead(this.status, this.refusal).end('{"error":"No."}');
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The ids after which the streams were to continue. */
  get resumed(): readonly unknown[] {
    const streams = this.requests.filter(({ path }) => path.startsWith('/cotizaciones/stream'));
    return streams.map(({ headers }) => headers['last-event-id']);
  }

  send(text: string): void {
    this.streams.at(-1)?.write(text);
  }

  /** Ends the stream because its instruments have changed (contract 4.7). */
  changeSelection(): void {
    this.streams.at(-1)?.end('id:\nevent: cierre\ndata: {"motivo":"seleccion"}\n\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #open(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.streams.push(response);
    response.write(`${quoteEvent(100 + this.streams.length)}:\n\n`);
  }
}

/** A quote of GGAL with its price as its id. */
function quoteEvent(last: number, fuente: string | null = 'byma', especie = 'GGAL'): string {
  const changes = { variacion: null, varMTD: null, varYTD: null, volumen: null };
  const when = { fecha: '2026-11-20', instante: '2026-11-20T12:00:00-03:00' };
  const quote = { especie, ultimo: last, fuente, ...when, ...changes };
  return `event: cotizacion\nid: ${last}\ndata: ${JSON.stringify(quote)}\n\n`;
}

/** Short pauses end at once, and long ones when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
  if (ms < 6_000) return;
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** The batches of a feed that follows an origin. */
async function follow(origin: FakeOrigin, overrides: Partial<FeedDeps> = {}) {
  const secrets = new Secrets({ env: { KEY: key }, directory: '.' });
  const deps = { universe, clock: systemClock, log: silentLog, random: () => 0, directory: '.' };
  const common = { name: 'oficina', type: 'pizarra', staleAfterSeconds: 60 } as const;
  const config: PizarraConfig = { ...common, url: origin.url, key: { env: 'KEY' } };
  const feed = followOrigin(config, { ...deps, secrets, pause, ...overrides });
  const stop = new AbortController();
  const batches = feed.batches(stop.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<FeedBatch> => {
    const { value } = await within('a batch', batches.next());
    return (value ?? assert.fail('the feed ended')) as FeedBatch;
  };
  return {
    feed,
    next,
    /** The first batch that has what a function finds. */
    async find<Found>(what: string, find: (batch: FeedBatch) => Found | undefined): Promise<Found> {
      for (let count = 0; count < 1_000; count += 1) {
        const found = find(await next());
        if (found !== undefined) return found;
      }
      return assert.fail(`no batch with ${what}`);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await batches.return?.();
    },
  };
}

const lastOf = ({ updates }: FeedBatch) => updates[0]?.last;
const isLast = (last: number) => (batch: FeedBatch) => lastOf(batch) === last || undefined;
const outageOf = ({ outage }: FeedBatch) => outage;
const limitOf = ({ outage }: FeedBatch) => (outage?.code === 'limited' ? outage : undefined);

test('quotes come with source and delay, and the instruments that the origin lacks are named', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin);
  assert.deepEqual([...(one.feed.tickers ?? [])], ['GGAL', 'YPFD']);
  assert.equal(one.feed.delayMinutes, undefined);
  const lacking = await one.find('rejected', ({ rejected }) => rejected[0]);
  assert.partialDeepStrictEqual(lacking, { reason: 'not-offered', symbol: 'YPFD' });
  const update = await one.find('an update', ({ updates }) => updates[0]);
  assert.deepEqual(update.followed?.source, { name: 'byma', delayMinutes: 20 });
  const stream = origin.requests.find(({ path }) => path.includes('/stream'));
  assert.match(stream?.path ?? '', /especie=GGAL&campos=compra,.*instante&latido=5s$/);
  assert.equal(stream?.headers['authorization'], `Bearer ${key}`);
  assert.ok(origin.requests.every(({ path }) => !path.includes(key)));
});

test('a stream that ends continues after its last event, and begins anew when the origin was started again', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin);
  await one.find('the first price', isLast(101));
  origin.streams[0]?.end();
  await one.find('the second price', isLast(102));
  origin.instance = 'second';
  origin.streams[1]?.destroy();
  await one.find('the third price', isLast(103));
  origin.send('event: cierre\nid:\ndata: {"motivo":"lentitud"}\n\n');
  origin.streams[2]?.end();
  await one.find('the fourth price', isLast(104));
  assert.deepEqual(origin.resumed, [undefined, '101', undefined, undefined]);
});

test('an origin that does not serve, or limits, is an outage until it serves again', async () => {
  await using origin = await new FakeOrigin().start();
  origin.status = 503;
  await using one = await follow(origin);
  const first = await one.find('an outage', outageOf);
  assert.deepEqual([first.code, first.status], ['unavailable', 503]);
  assert.match(first.message, /answered 503 \(No\.\)$/);
  origin.status = 429;
  assert.match((await one.find('a limit', limitOf)).message, /too many streams/);
  origin.status = 200;
  await one.find('a quote', (batch) => (batch.outage === undefined ? batch.updates[0] : undefined));
});

test('what an operator has to mend ends the batches: a wrong key, a demonstration, another service', async () => {
  await using origin = await new FakeOrigin().start();
  const codeOf = async (): Promise<unknown> => {
    await using one = await follow(origin);
    return await one
      .find('nothing', () => undefined)
      .then(assert.fail, (fault: FeedFault) => fault.code);
  };
  origin.status = 401;
  assert.equal(await codeOf(), 'refused');
  origin.status = 200;
  origin.listing = { ok: true };
  assert.equal(await codeOf(), 'unintelligible');
  origin.health = { datos: 'simulados' };
  assert.equal(await codeOf(), 'refused');
});

test('an origin without sources of its own is an outage', async () => {
  await using origin = await new FakeOrigin().start();
  origin.health = { sinFuentes: 'conexion' };
  await using one = await follow(origin);
  assert.match((await one.find('an outage', outageOf)).message, /sinFuentes: conexion/);
});

test('the stale sources of an origin are in a batch as they change', async () => {
  await using origin = await new FakeOrigin().start();
  origin.health = { fuentesAtrasadas: [{ fuente: 'byma', mercados: ['BYMA'], desde: null }] };
  await using one = await follow(origin, { pause: (_, signal) => pause(1, signal) });
  await one.find('a stale source', ({ stale }) => stale?.some(({ name }) => name === 'byma'));
  origin.health = {};
  await one.find('none any more', ({ stale }) => stale?.length === 0 || undefined);
});

test('when the instruments of the origin change, its list is read again', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin);
  await one.find('a price', isLast(101));
  origin.listing = [{ especie: 'GGAL' }, { especie: 'YPFD' }];
  origin.changeSelection();
  await one.find('a price of the next stream', isLast(102));
  assert.match(origin.requests.at(-1)?.path ?? '', /especie=GGAL,YPFD&/);
});

test('a source that is new to the list is listed soon, and its delay follows', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin);
  await one.find('a price', isLast(101));
  origin.listing = [{ especie: 'GGAL', fuente: 'nueva', demoraMinutos: 7 }];
  origin.send(quoteEvent(150, 'nueva'));
  const delay = await one.find(
    'the delay',
    ({ updates }) => updates[0]?.followed?.source.delayMinutes === 7 || undefined,
  );
  assert.ok(delay);
});

test('a quote without a source has the delay that is listed for its instrument', async () => {
  await using origin = await new FakeOrigin().start();
  origin.listing = [{ especie: 'GGAL', demoraMinutos: 15 }];
  await using one = await follow(origin);
  await one.find('a price', isLast(101));
  origin.send(quoteEvent(150, null));
  const source = await one.find('the price', ({ updates }) =>
    updates[0]?.last === 150 ? updates[0].followed?.source : undefined,
  );
  assert.deepEqual(source, { delayMinutes: 15 });
});

test('a loop is refused, and the services that are followed are noted until then', async () => {
  await using origin = await new FakeOrigin().start();
  const follows = new FollowedServices('me');
  origin.origins = 'a b';
  {
    await using one = await follow(origin, { follows });
    await one.find('a price', isLast(101));
    assert.deepEqual(follows.ids, ['first', 'a', 'b']);
    const asked = origin.requests.find(({ path }) => path === '/healthz');
    assert.equal(asked?.headers['pizarra-follower'], 'me');
  }
  assert.deepEqual(follows.ids, []);
  origin.origins = 'me';
  await using one = await follow(origin, { follows });
  await assert.rejects(one.next(), { code: 'refused', message: /a loop has no source/ });
  assert.deepEqual(follows.ids, []);
});

test('a quote and a bar of an instrument that was not requested are rejected', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin, { latestBar: () => undefined });
  await one.find('a price', isLast(101));
  const bar = { especie: 'OTRA', fecha: '2026-11-20', instante: '2026-11-20T12:00:00-03:00' };
  const prices = { apertura: 1, maximo: 1, minimo: 1, ultimo: 1, volumen: null };
  const barEvent = `event: barra\ndata: ${JSON.stringify({ ...bar, ...prices })}\n\n`;
  origin.send(`${quoteEvent(102, 'byma', 'OTRA')}${barEvent}${quoteEvent(103)}`);
  const batch = await one.find('the rejected ones', (some) => some.rejected[1] && some);
  const reasons = batch.rejected.map(({ reason, symbol }) => `${reason} ${symbol}`);
  assert.deepEqual(reasons, ['no-instrument OTRA', 'no-instrument OTRA']);
  assert.deepEqual([lastOf(batch), batch.updates.length, batch.bars], [103, 1, undefined]);
  assert.ok(origin.requests.every(({ path }) => !path.startsWith('/intradiarios')));
});

test('bars are requested where they are recorded', async () => {
  await using origin = await new FakeOrigin().start();
  await using one = await follow(origin, { latestBar: () => undefined });
  await one.find('a price', isLast(101));
  assert.match(origin.requests.at(-1)?.path ?? '', /&barras=1m$/);
});

test('an origin whose instruments change again and again is asked after growing pauses', async () => {
  await using origin = await new FakeOrigin().start();
  const pauses: number[] = [];
  await using one = await follow(origin, {
    pause: (ms, signal) => {
      pauses.push(ms);
      return pause(ms, signal);
    },
  });
  for (let round = 1; round <= 5; round += 1) {
    await one.find(`the price of stream ${round}`, isLast(100 + round));
    origin.changeSelection();
  }
  await one.find('a further stream', isLast(106));
  const between = pauses.filter((ms) => [250, 500, 2_000, 2_500].includes(ms));
  assert.deepEqual(between, [250, 500, 2_000, 2_500]);
});
