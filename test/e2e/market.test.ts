import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { presets } from '../../src/config/feeds/presets.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { healthy, SourceServer } from '../support/http/source-server.ts';
import { until } from '../support/wait.ts';

const payloads = join(import.meta.dirname, '../feeds/payloads');

/** The recorded quotes of criptoya, as if they were of now: it rejects quotes that are old. */
async function current(name: string): Promise<string> {
  const text = await readFile(join(payloads, name), 'utf8');
  return text.replaceAll(/17951975\d\d/g, String(Math.floor(Date.now() / 1_000)));
}

function trade(price: string, id: number): string {
  const data = { e: '24hrTicker', s: 'BTCUSDT', E: Date.now(), c: price, L: id };
  return JSON.stringify({ stream: 'btcusdt@ticker', data });
}

test('--market argentina shows the real market, and a source that is down affects no other', async () => {
  await using directory = await temporaryDirectory();
  const bodies: Readonly<Record<string, string>> = {
    '/v1/dolares': await readFile(join(payloads, 'dolarapi.json'), 'utf8'),
    '/v1/finanzas/indices/riesgo-pais/ultimo': '{"valor":573,"fecha":"2026-11-20"}',
    '/api/dolar': await current('criptoya-dolar.json'),
    '/api/BTC/ARS/0.1': await current('criptoya-btc-ars.json'),
  };
  await using source = await SourceServer.start();
  source.respond = healthy(({ url }) => {
    const body = bodies[url];
    if (body === undefined) return undefined;
    return { body };
  });
  let send: ((text: string) => void) | undefined;
  source.upgrade = ({ url }, _, accept) =>
    accept((socket) => {
      // The other socket is that of Kraken, which stands in for Binance.
      if (url?.startsWith('/stream')) send = (text) => socket.send(text);
    });
  const gone = await SourceServer.start();
  await gone[Symbol.asyncDispose]();

  // The sources of the preset, at the local server. That of the central bank is down.
  const feeds = presets.argentina.sources.map(({ feed }) => {
    const isSocket = ['binance', 'kraken'].includes(feed.type);
    const url = feed.type === 'bcra' ? gone.url : isSocket ? source.socketUrl : source.url;
    return `  - { name: ${feed.name}, type: ${feed.type}, url: '${url}' }\n`;
  });
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, `feeds:\n${feeds.join('')}`);
  const data = join(directory.path, 'data');
  await using service = await startPizarra([
    '--store',
    data,
    '--config',
    config,
    '--market',
    'argentina',
  ]);
  const authorization = `Bearer ${await service.firstKey()}`;
  const tickers = ['DOLAR BLUE VENTA', 'RIESGO PAIS', 'DOLAR CRIPTO', 'BTC/ARS', 'BTC'];
  const board = async (): Promise<Readonly<Record<string, number>>> => {
    const especie = encodeURIComponent(tickers.join(','));
    const response = await fetch(`${service.url}/cotizaciones?especie=${especie}`, {
      headers: { authorization },
    });
    const quotes = (await response.json()) as readonly { especie: string; ultimo: number }[];
    return Object.fromEntries(quotes.map((quote) => [quote.especie, quote.ultimo]));
  };

  const full = await until('every source but one is on the board', async () => {
    // On the newest socket: the service opens another one when the first is slow.
    send?.(trade('92000.5', 1));
    const quotes = await board();
    return Object.keys(quotes).length === tickers.length ? quotes : undefined;
  });
  assert.deepEqual(full, {
    'DOLAR BLUE VENTA': 1560,
    'RIESGO PAIS': 573,
    'DOLAR CRIPTO': 1588.4,
    'BTC/ARS': 145_100_000.13,
    BTC: 92_000.5,
  });
  await until('the board moves', async () => {
    send?.(trade('92100', 2));
    return (await board())['BTC'] === 92_100;
  });

  const readyz = await until('the source that is down is named', async () => {
    const response = await fetch(`${service.privateUrl}/readyz`);
    const body = await response.text();
    return /bcra: [^:]*failed/.test(body) ? { status: response.status, body } : undefined;
  });
  assert.equal(readyz.status, 200);
  assert.match(
    readyz.body,
    /bcra: (?:stale, )?failed \(no connection, ECONNREFUSED\), next attempt at 20/,
  );
  await service.logged('"msg":"feed failed, restarting"');
  // The others respond, so nothing is wrong for clients. The doctor names it all the same.
  const { stdout } = await runPizarra(['doctor', '--json', '--store', data]);
  const findings = JSON.parse(stdout) as readonly {
    readonly check: string;
    readonly state: string;
    readonly says: string;
    readonly cases?: readonly string[];
  }[];
  const sources = findings.find(({ check }) => check === 'sources') ?? assert.fail(stdout);
  assert.deepEqual(
    [sources.state, sources.says],
    ['warning', 'One source is stale or has failed.'],
  );
  assert.match(sources.cases?.join() ?? '', /^bcra: [^,]*failed \(no connection, ECONNREFUSED\)/);
  const health = await (await fetch(`${service.url}/healthz`)).text();
  assert.doesNotMatch(health, /sinFuentes/);
  // Whose data it is, on one line.
  const line =
    service
      .stderr()
      .split('\n')
      .find((one) => one.includes('docs/sources.md')) ?? '';
  for (const { terms } of presets.argentina.sources) assert.ok(line.includes(terms), terms);
  assert.doesNotMatch(service.stderr(), /demonstration running/);
  assert.equal(await service.stop(), 0);
});

test('an unknown market stops the start, and the message has the valid ones', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'market: brasil\n');

  const data = join(directory.path, 'data');
  const { code, stderr } = await runPizarra(['serve', '--store', data, '--config', config]);
  assert.notEqual(code, 0);
  assert.match(stderr, /market .*"brasil".*none, argentina, argentina-completo/s);
});

test('a service whose sources all fail says so, and why, in every process, until one responds', async () => {
  await using directory = await temporaryDirectory();
  const body = await readFile(join(payloads, 'dolarapi.json'), 'utf8');
  await using source = await SourceServer.start();
  source.respond = (_, response) => response.writeHead(503).end();
  const config = join(directory.path, 'pizarra.yaml');
  const feeds = ['one', 'two'].map(
    (name) => `  - { name: ${name}, type: dolarapi, url: '${source.url}' }\n`,
  );
  const desk = '  - { name: mesa, type: push, staleAfterSeconds: 1, markets: [CRIPTO] }\n';
  await writeFile(config, `feeds:\n${feeds.join('')}${desk}`);
  const data = join(directory.path, 'data');
  const flags = ['--store', data, '--config', config, '--workers', '2'];
  await using service = await startPizarra(flags);
  /** What several connections, which reach both processes, read of the state of the service. */
  const outages = async (field = 'sinFuentes'): Promise<ReadonlySet<unknown>> => {
    const found = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await fetch(`${service.url}/healthz`, {
          headers: { connection: 'close' },
        });
        return JSON.stringify(((await response.json()) as Record<string, unknown>)[field]);
      }),
    );
    return new Set(found);
  };
  await until('every process knows the outage', async () => {
    const found = await outages();
    return found.size === 1 && found.has('"servidor"') ? true : undefined;
  });
  await service.logged('"msg":"no source responds"');
  const silent = { fuente: 'mesa', mercados: ['CRIPTO'], desde: null };
  await until('every process knows the source that pushes nothing', async () => {
    const found = await outages('fuentesAtrasadas');
    return found.size === 1 && found.has(JSON.stringify([silent])) ? true : undefined;
  });
  const line = service
    .stderr()
    .split('\n')
    .find((one) => one.includes('no source responds'));
  const { sources } = JSON.parse(line ?? '') as { readonly sources: unknown };
  const why = 'its server has a fault, HTTP 503';
  assert.deepEqual(sources, { one: why, two: why });
  const { stdout } = await runPizarra(['doctor', '--store', data]);
  assert.match(
    stdout,
    /^WARN +sources +No source responds\.\n +- mesa: stale\n +- one: .*HTTP 503.*\n +- two: /m,
  );

  source.respond = healthy(() => ({ body }));
  await until('the outage has ended in every process', async () => {
    const found = await outages();
    return found.size === 1 && found.has(undefined) ? true : undefined;
  });
  await service.logged('"msg":"a source responds again"');
  assert.equal(await service.stop(), 0);
});
