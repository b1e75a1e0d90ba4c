import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKey } from '../../../src/node/keys/keys.ts';
import { openStream, type EventStream } from '../../support/http/event-stream.ts';
import { startLineProxy } from '../../support/program/line-proxy.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../../support/program/program.ts';
import { storeAt } from '../../support/program/test-store.ts';
import { until } from '../../support/wait.ts';

/** Instruments whose market is open at any time the test runs. */
const tickers = ['BTC', 'ETH', 'SOL'];
const selection = `especie=${tickers.join(',')}`;
const extras = 'campos=compra,venta,cantCompra,cantVenta,monto,operaciones,fuente,instante';

/** Pushes a price of each instrument, higher than all before. */
class Prices {
  #last = 1_000;
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  get last(): number {
    return this.#last;
  }

  async push({ privateUrl }: RunningService): Promise<void> {
    this.#last += 1;
    const at = new Date().toISOString();
    const book = { bid: this.#last - 0.5, ask: this.#last + 0.5, bidSize: 2, trades: this.#last };
    const body = tickers.map((ticker) => ({ ticker, at, last: this.#last, volume: 5, ...book }));
    const response = await fetch(`${privateUrl}/updates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}` },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

/** A service with its directory, which a test kills and starts again. */
class Node {
  running: RunningService | undefined;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly key: string;

  constructor(args: readonly string[], key: string, env: NodeJS.ProcessEnv = {}) {
    this.#args = args;
    this.#env = env;
    this.key = key;
  }

  get service(): RunningService {
    return this.running ?? assert.fail('the service is not running');
  }

  async start(): Promise<RunningService> {
    this.running = await startPizarra(this.#args, undefined, { env: this.#env });
    return this.running;
  }

  async kill(): Promise<void> {
    await this.service.stop('SIGKILL');
    this.running = undefined;
  }

  async get(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(`${this.service.url}${path}`, { headers })).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running?.stop('SIGKILL');
  }
}

/** The prices of a stream of one instrument, which never go back. */
function assertForwards({ events }: EventStream): void {
  const prices = events
    .filter(({ event }) => event === 'cotizacion')
    .map(({ data }) => JSON.parse(data) as { readonly especie: string; readonly ultimo: number });
  for (const ticker of tickers) {
    const own = prices.filter(({ especie }) => especie === ticker).map(({ ultimo }) => ultimo);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
      ticker,
    );
  }
}

async function setUp(cleanUp: AsyncDisposableStack) {
  const [a, b] = [cleanUp.use(await temporaryDirectory()), cleanUp.use(await temporaryDirectory())];
  const ingest = await createKey(storeAt(a.path), { name: 'ingest', scope: 'ingest' });
  const reader = await createKey(storeAt(a.path), { name: 'espejo', scope: 'read' });
  const client = await createKey(storeAt(b.path), { name: 'read', scope: 'read' });
  const origin = cleanUp.use(new Node(['--store', a.path], reader.key));
  await origin.start();
  const port = () => Number(new URL(origin.service.url).port);
  const proxy = cleanUp.use(await startLineProxy(port()));
  const config = join(b.path, 'pizarra.yaml');
  const feed = `{ name: oficina, type: pizarra, url: 'http://127.0.0.1:${proxy.port}', key: { env: ORIGIN_KEY } }`;
  await writeFile(config, `feeds:\n  - ${feed}\n`);
  const env = { ORIGIN_KEY: reader.key };
  const mirror = cleanUp.use(new Node(['--store', b.path, '--config', config], client.key, env));
  await mirror.start();
  const prices = new Prices(ingest.key);
  /** Waits until the mirror gives the responses of the origin, with the last price that was pushed. */
  const same = async (what: string): Promise<void> => {
    const last = `"ultimo":${prices.last}`;
    for (const path of [
      `/cotizaciones?${selection}&${extras}`,
      ...tickers.map((ticker) => `/intradiarios?especie=${ticker}&intervalo=1m`),
      `/recorridos?${selection}`,
    ]) {
      await until(`${what}: ${path}`, async () => {
        const [ofOrigin, ofMirror] = [await origin.get(path), await mirror.get(path)];
        if (path.startsWith('/cotizaciones') && !ofOrigin.includes(last)) return false;
        return ofOrigin === ofMirror;
      });
    }
  };
  return { origin, mirror, proxy, prices, same, port };
}

test('a mirror loses nothing and goes nowhere backwards: a cut, a dead line, kills of either side, a reload of either side', async () => {
  await using cleanUp = new AsyncDisposableStack();
  const { origin, mirror, proxy, prices, same, port } = await setUp(cleanUp);
  await prices.push(origin.service);
  await same('at the start');
  const authorization = `Bearer ${mirror.key}`;
  const open = (): Promise<EventStream> =>
    openStream(`${mirror.service.url}/cotizaciones/stream?${selection}`, { authorization });
  {
    using stream = await open();
    proxy.cut();
    await prices.push(origin.service);
    await same('after a cut');
    // Nothing arrives, and nothing says so: the missing heartbeat does.
    proxy.hold();
    await prices.push(origin.service);
    await same('after a dead line');
    await origin.kill();
    await origin.start();
    proxy.moveTo(port());
    proxy.cut();
    await prices.push(origin.service);
    await same('after a kill of the origin');
    origin.service.child.kill('SIGHUP');
    await origin.service.logged('"msg":"configuration reloaded"');
    await prices.push(origin.service);
    await same('after a reload of the origin');
    mirror.service.child.kill('SIGHUP');
    await mirror.service.logged('"msg":"configuration reloaded"');
    await prices.push(origin.service);
    await same('after a reload of the mirror');
    assertForwards(stream);
  }
  await mirror.kill();
  await prices.push(origin.service);
  await mirror.start();
  await same('after a kill of the mirror');
  using stream = await open();
  await origin.service.stop();
  const health = await until('the mirror is stale', async () => {
    const body = await mirror.get('/healthz');
    return body.includes('"sinFuentes":"conexion"') && body;
  });
  assert.match(health, /"estado":"ok"/);
  await origin.start();
  proxy.moveTo(port());
  await prices.push(origin.service);
  await same('after a stop of the origin');
  await until(
    'the mirror is fresh',
    async () => !(await mirror.get('/healthz')).includes('sinFuentes'),
  );
  assertForwards(stream);
  assert.ok(!mirror.service.stderr().includes(origin.key), 'the key is in the log');
});

test('services that follow each other, and one that follows itself, are refused with a line in the log', async () => {
  await using cleanUp = new AsyncDisposableStack();
  const [a, b] = [cleanUp.use(await temporaryDirectory()), cleanUp.use(await temporaryDirectory())];
  const lines = [
    cleanUp.use(await startLineProxy(1)),
    cleanUp.use(await startLineProxy(1)),
  ] as const;
  const start = async (
    directory: string,
    to: readonly { readonly port: number }[],
    keys: object,
  ) => {
    const config = join(directory, 'pizarra.yaml');
    const feeds = to.map(({ port }, index) => {
      const url = `http://127.0.0.1:${port}`;
      return `  - { name: feed${index}, type: pizarra, url: '${url}', key: { env: KEY${index} } }\n`;
    });
    await writeFile(config, `feeds:\n${feeds.join('')}`);
    const args = ['--store', directory, '--config', config, '--workers', '2'];
    return cleanUp.use(await startPizarra(args, undefined, { env: { ...keys } }));
  };
  const keyA = await createKey(storeAt(a.path), { name: 'read', scope: 'read' });
  const keyB = await createKey(storeAt(b.path), { name: 'read', scope: 'read' });
  const [toA, toB] = lines;
  const first = await start(a.path, [toB], { KEY0: keyB.key });
  toA.moveTo(Number(new URL(first.url).port));
  const second = await start(b.path, [toA, toB], { KEY0: keyA.key, KEY1: keyB.key });
  toB.moveTo(Number(new URL(second.url).port));
  await second.logged('the origin is this service itself');
  await until('a loop is refused', () => {
    const logs = first.stderr() + second.stderr();
    return logs.includes('the origin follows this service');
  });
});
