import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import {
  PizarraClient,
  PizarraConnectionError,
  PizarraHttpError,
  PizarraResponseError,
  PizarraTimeoutError,
  positionValue,
  type ClientOptions,
} from '../../clients/typescript/src/index.ts';
import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { IndexSeries } from '../../src/domain/indices/index-series.ts';
import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { contractPaths, pathsExcept } from '../support/http/contract-paths.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';

/** The TypeScript client, from its sources, against a real server. */

function clientOf(server: TestServer, options: Partial<ClientOptions> = {}): PizarraClient {
  return new PizarraClient({ url: `http://127.0.0.1:${server.port}`, key: server.key, ...options });
}

/** A server that answers as a test wants. */
async function answering(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}

test('quotes come in the order of the request, with the fields on request, and unknown tickers are named', async () => {
  await using server = await startTestServer();
  const client = clientOf(server);
  const answer = await client.quotes({
    especie: ['dolar mep', 'GGAL', 'NO EXISTE'],
    campos: ['fuente'],
  });
  assert.deepEqual(fieldsIn(answer.data, 'especie'), ['DOLAR MEP', 'GGAL']);
  assert.equal(answer.data[1]?.ultimo, 7410);
  assert.equal(answer.data[0]?.volumen, null);
  assert.deepEqual(answer.missing, ['NO EXISTE']);
  assert.equal(answer.missingOmitted, 0);
  const many = await client.quotes({ especie: Array.from({ length: 60 }, (_, at) => `X${at}`) });
  assert.equal(many.missing.length, 50);
  assert.equal(many.missingOmitted, 10);
  assert.equal((await client.quotes({ panel: 'LID' })).data.length, 2);
});

test('bonds without terms and missing values of indices are named, and missing dollars counted', async () => {
  await using server = await answering((_, response) => {
    response.setHeader('missing-terminos', 'PAP0,D30N6,%E2%80%A6+3');
    response.setHeader('missing-indices', 'CER%202026-11-20');
    response.setHeader('missing-cambios', '2');
    response.setHeader('content-type', 'application/json').end('[]');
  });
  const bonds = await new PizarraClient({ ...server, key: 'pz_key' }).bonds({ panel: 'BONOS' });
  assert.deepEqual([bonds.missingTerms, bonds.missingTermsOmitted], [['PAP0', 'D30N6'], 3]);
  assert.deepEqual([bonds.missingIndices, bonds.missingIndicesOmitted], [['CER 2026-11-20'], 0]);
  assert.equal(bonds.missingRates, 2);
  assert.deepEqual(bonds.missing, []);
});

test('white space that a proxy adds to the fields of a response changes nothing', async () => {
  await using server = await answering((_, response) => {
    response.setHeader('missing-especies', 'DOLAR%20MEP, X ,\t%e2%80%a6+12');
    response.setHeader('ratelimit-policy', '"free"; q=20; w=20');
    response.setHeader('ratelimit', '"free"; r=0; t=8');
    response.setHeader('content-type', 'application/json').end('[]');
  });
  const quotes = await new PizarraClient({ ...server, key: 'pz_key' }).quotes({ panel: 'LID' });
  assert.deepEqual([quotes.missing, quotes.missingOmitted], [['DOLAR MEP', 'X'], 12]);
  assert.deepEqual(quotes.rateLimit, {
    name: 'free',
    quota: 20,
    windowSeconds: 20,
    remaining: 0,
    resetSeconds: 8,
  });
});

test('one ticker or several stand for the selection, and other texts in place of parameters are refused', async () => {
  const paths: string[] = [];
  await using server = await answering((request, response) => {
    paths.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end('[]');
  });
  const client = new PizarraClient({ url: server.url, key: 'x' });
  await client.quotes('GGAL');
  await client.quotes(['GGAL', 'DOLAR MEP']);
  await client.paths('GGAL');
  await client.bonds('AL30D');
  await client.bonds({ especie: 'AL30D', precio: 0.000_000_1 });
  assert.deepEqual(paths, [
    '/cotizaciones?especie=GGAL',
    '/cotizaciones?especie=GGAL,DOLAR%20MEP',
    '/recorridos?especie=GGAL',
    '/bonos?especie=AL30D',
    '/bonos?especie=AL30D&precio=0.0000001',
  ]);
  await assert.rejects(client.flows('AL30D' as never), TypeError);
  await assert.rejects(client.history('AL30D' as never), TypeError);
  assert.equal(paths.length, 5);
});

test('every path has a method, whose rows are those of the service', async () => {
  const value = {
    index: 'CER',
    day: toEpochDay('2026-12-15' as PlainDate),
    value: 7.5,
    source: 'x',
  } as const;
  const indices = new IndexSeries(1, [value]);
  await using server = await startTestServer({ indices: () => indices });
  const asked = new Set<string>();
  const client = clientOf(server, {
    fetch: (input, init) => {
      asked.add(new URL(new Request(input).url).pathname);
      return fetch(input, init);
    },
  });
  const rows = async (target: string): Promise<unknown> => (await server.get(target)).json();
  const range = { especie: 'AL30', desde: '2020-01-01', hasta: '2026-12-31' };
  const query = 'especie=AL30&desde=2020-01-01&hasta=2026-12-31';
  const history = await client.history(range);
  assert.ok(history.data.length > 0);
  assert.deepEqual(history.data, await rows(`/historicos?${query}`));
  assert.deepEqual((await client.events(range)).data, await rows(`/eventos?${query}`));
  const known = { ...range, conocido: '2026-11-20T21:00:00+01:00' };
  assert.deepEqual((await client.history(known)).data, history.data);
  const changes = await client.changes({ especie: 'AL30' });
  assert.deepEqual(changes.data, await rows('/cambios?especie=AL30'));
  const indexChanges = await client.indexChanges({ indice: 'CER' });
  assert.deepEqual(indexChanges.data, await rows('/cambios?indice=CER'));
  assert.deepEqual((await client.indices()).data, await rows('/indices'));
  const values = await client.index({ indice: 'CER', desde: '2026-11-26' });
  assert.deepEqual(values.data, [{ indice: 'CER', fecha: '2026-12-15', valor: 7.5 }]);
  const bars = await client.intraday({ especie: 'GGAL', intervalo: '1m' });
  assert.deepEqual(bars.data, await rows('/intradiarios?especie=GGAL&intervalo=1m'));
  const timed = await client.intraday({ especie: 'GGAL', campos: ['instante'] });
  assert.deepEqual(timed.data, await rows('/intradiarios?especie=GGAL&campos=instante'));
  const paths = await client.paths({ panel: 'LID' });
  assert.deepEqual(paths.data, await rows('/recorridos?panel=LID'));
  assert.deepEqual((await client.instruments()).data, await rows('/especies.json'));
  assert.deepEqual((await client.search('ggal')).data, await rows('/especies.json?buscar=ggal'));
  assert.deepEqual(
    (await client.markets({ anio: '2026' })).data,
    await rows('/mercados?anio=2026'),
  );
  const bonds = await client.bonds({ panel: 'BONOS' });
  assert.deepEqual(bonds.data, await rows('/bonos?panel=BONOS'));
  const flows = await client.flows({ especie: 'AL30' });
  assert.deepEqual(flows.data, await rows('/bonos/flujos?especie=AL30'));
  const dollars = await client.dollars({ dolar: 'oficial' });
  assert.deepEqual(dollars.data, await rows('/dolares?dolar=oficial'));
  const ranking = await client.ranking({ panel: 'LID', orden: 'asc' });
  assert.deepEqual(ranking.data, await rows('/ranking?panel=LID&orden=asc'));
  const tickers = await client.tickers({ panel: 'IND' });
  assert.deepEqual(tickers.data.slice(0, 2), ['DOLAR MEP', 'DOLAR/EURO']);
  assert.equal((await client.health()).estado, 'ok');
  assert.equal((await client.contract())['openapi'], '3.1.0');
  const csv = await client.csv('/cotizaciones', { especie: 'GGAL', decimal: 'coma' });
  assert.match(csv.data, /^especie;fecha;.*\r\nGGAL;/);
  for (const { path, target } of contractPaths.filter(({ isTable }) => isTable)) {
    const { searchParams } = new URL(target, 'http://service');
    const all = Object.fromEntries(searchParams) as never;
    assert.deepEqual((await client.table(path as '/mercados', all)).data, await rows(target), path);
  }
  const others = pathsExcept({ '/cotizaciones/stream': 'the tests of streams request it' });
  const offered = others.filter(({ hasClient }) => hasClient);
  assert.deepEqual([...asked].toSorted(), offered.map(({ path }) => path).toSorted());
});

test('a position in bonds is valued per 100 nominal, and one in shares per share', async () => {
  await using server = await startTestServer();
  const client = clientOf(server);
  const { data } = await client.instruments({ campos: ['precioPor'] });
  const rowOf = (ticker: string) =>
    data.find(({ especie }) => especie === ticker) ?? assert.fail(`no ${ticker}`);
  assert.equal(positionValue(rowOf('AL30'), { quantity: 1_000, price: 97_021 }), 970_210);
  assert.equal(positionValue(rowOf('GGAL'), { quantity: 1_000, price: 7_410 }), 7_410_000);
  const [found] = (await client.search('ggal', { campos: 'precioPor' })).data;
  assert.ok(found !== undefined);
  assert.equal(positionValue(found, { quantity: -10, price: 7_410 }), -74_100);
  const [without] = (await client.search('al30')).data;
  assert.ok(without !== undefined);
  assert.throws(() => positionValue(without, { quantity: 1, price: 1 }), /AL30 has no precioPor/);
  for (const [quantity, price] of [
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
  ] as const) {
    assert.throws(() => positionValue(found, { quantity, price }), /of GGAL is not a number/);
  }
});

test('the closes of several tickers are those of each, as rows and as a table', async () => {
  await using server = await startTestServer();
  const client = clientOf(server);
  const range = { desde: '2024-02-01', hasta: '2024-12-31' };
  const especie = ['riesgo pais', 'NO EXISTE', 'AL30'];
  const long = await client.histories({ ...range, especie, campos: ['maximo'] });
  const each = await Promise.all(
    ['RIESGO PAIS', 'AL30'].map((one) => client.history({ ...range, especie: one })),
  );
  assert.deepEqual(
    long.data,
    each.flatMap(({ data }) => data),
  );
  assert.deepEqual(long.missing, ['NO EXISTE']);
  const table = await client.historyTable({ ...range, especie });
  assert.deepEqual(table.data[1], { fecha: '2024-02-29', 'RIESGO PAIS': 1687, AL30: 46_950 });
  assert.equal(table.data.length, each[1]?.data.length);
  const volumes = await client.historyTable({ ...range, panel: 'BONOS', campo: 'volumen' });
  assert.deepEqual(
    volumes.data.map((row) => row['AL30']),
    [0, 2_345_678],
  );
});

test('columns have a number for each row, and NaN where a value is not known', async () => {
  await using server = await startTestServer();
  const range = { especie: 'AL30', desde: '2020-01-01', hasta: '2026-12-31' };
  const client = clientOf(server);
  const [{ data: columns }, { data: rows }] = await Promise.all([
    client.historyColumns(range),
    client.history(range),
  ]);
  assert.deepEqual(
    [...columns.ultimo],
    rows.map(({ ultimo }) => ultimo),
  );
  assert.deepEqual(
    columns.fecha,
    rows.map(({ fecha }) => fecha),
  );
  assert.ok(columns.apertura.every((one) => Number.isNaN(one)));
});

test('an unchanged response is confirmed by a 304 and gives the same rows, until it leaves the cache', async () => {
  await using server = await startTestServer();
  const client = clientOf(server);
  const first = await client.quotes({ panel: 'LID' });
  const second = await client.quotes({ panel: 'LID' });
  assert.equal(first.isUnchanged, false);
  assert.equal(second.isUnchanged, true);
  assert.equal(second.data, first.data);
  assert.deepEqual(second.missing, ['NUEVA']);
  const without = clientOf(server, { cacheCharactersMax: 0 });
  await without.quotes({ panel: 'LID' });
  assert.equal((await without.quotes({ panel: 'LID' })).isUnchanged, false);
});

test('an error of the service has its status and text, and is not tried again', async () => {
  await using server = await startTestServer();
  const isRefused =
    (status: number, text: RegExp) =>
    (error: unknown): boolean => {
      assert.ok(error instanceof PizarraHttpError);
      assert.equal(error.status, status);
      assert.match(error.text, text);
      assert.ok(!error.message.includes(server.key));
      return true;
    };
  const client = clientOf(server);
  const wrong = clientOf(server, { key: 'pz_wrong' });
  await assert.rejects(wrong.quotes({ especie: 'GGAL' }), isRefused(401, /no es válida/));
  await assert.rejects(client.quotes({}), isRefused(400, /Falta la selección/));
  await assert.rejects(
    client.history({ especie: 'GGAL', desde: '2026-02-30', hasta: '2026-03-01' }),
    isRefused(400, /«2026-02-30»/),
  );
  await assert.rejects(
    async () => {
      for await (const _ of wrong.stream({ panel: 'LID' })) assert.fail('an event without a key');
    },
    isRefused(401, /no es válida/),
  );
});

test('contract 6.1: a request beyond the limit is sent again after Retry-After, within the limits of the caller', async () => {
  const slow = { requests: 1, seconds: 1, burst: 1 };
  const plans = new RatePlans({ plans: new Map([['free', slow]]), defaultPlan: 'free' });
  await using server = await startTestServer({ rateLimits: new RateLimits({ plans }) });
  const client = clientOf(server);
  const first = await client.quotes({ especie: 'GGAL' });
  assert.deepEqual(first.rateLimit, {
    name: 'free',
    quota: 1,
    windowSeconds: 1,
    remaining: 0,
    resetSeconds: 1,
  });
  const refused = { retry: { attemptsMax: 1 } };
  await assert.rejects(client.quotes({ especie: 'AL30' }, refused), (error) => {
    assert.ok(error instanceof PizarraHttpError);
    assert.equal(error.status, 429);
    assert.equal(error.retryAfter, 1);
    assert.equal(error.rateLimit?.remaining, 0);
    return true;
  });
  const short = { retry: { waitMsMax: 500 } };
  await assert.rejects(client.quotes({ especie: 'AL30' }, short), { status: 429 });
  const aborting = AbortSignal.timeout(50);
  await assert.rejects(client.quotes({ especie: 'AL30' }, { signal: aborting }), {
    name: 'TimeoutError',
  });
});

test('a request is sent again after 429, 503 and a broken connection, until it succeeds', async () => {
  let requests = 0;
  await using service = await answering((request, response) => {
    requests += 1;
    if (requests === 1) request.socket.destroy();
    else if (requests === 2)
      response.writeHead(429, { 'retry-after': '0' }).end('{"error":"espere"}');
    else if (requests === 3) response.writeHead(503, { 'retry-after': '0' }).end('proxy');
    else response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('[]');
  });
  const retry = { attemptsMax: 4 };
  const client = new PizarraClient({ url: service.url, key: 'pz_x', retry });
  assert.deepEqual((await client.quotes({ panel: 'LID' })).data, []);
  assert.equal(requests, 4);
});

/** A request that is sent once. */
function askOnce(url: string, options: { readonly timeoutMs?: number } = {}): Promise<unknown> {
  const retry = { attemptsMax: 1 };
  return new PizarraClient({ url, key: 'pz_x', retry, ...options }).quotes({ panel: 'LID' });
}

test('a service that cannot be reached, does not respond, or is another one has an error of its own', async () => {
  await using silent = await answering(() => undefined);
  await using other = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  });
  await using broken = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"especie"');
  });
  await using moved = await answering((_, response) => {
    response.writeHead(302, { location: other.url }).end();
  });
  await assert.rejects(askOnce(silent.url, { timeoutMs: 50 }), PizarraTimeoutError);
  await assert.rejects(askOnce(other.url), PizarraResponseError);
  await assert.rejects(askOnce(broken.url), PizarraResponseError);
  await assert.rejects(askOnce(moved.url), PizarraConnectionError);
  // Nothing listens on this port.
  await assert.rejects(askOnce('http://127.0.0.1:1'), PizarraConnectionError);
});

test('a time without a limit is no limit', async () => {
  await using server = await startTestServer();
  const client = clientOf(server, { timeoutMs: Number.POSITIVE_INFINITY });
  assert.equal((await client.quotes({ panel: 'LID' })).data.length, 2);
});

test('an abort ends a request at once, with the reason of its signal', async () => {
  await using silent = await answering(() => undefined);
  const client = new PizarraClient({ url: silent.url, key: 'pz_x' });
  const controller = new AbortController();
  const reason = new Error('the user left');
  const pending = client.quotes({ panel: 'LID' }, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await assert.rejects(pending, reason);
  await assert.rejects(client.quotes({ panel: 'LID' }, { signal: controller.signal }), reason);
});

test('a wrong address, a wrong key and a comma in a list are refused before a request', async () => {
  for (const url of [
    'ftp://host',
    'http://user:secret@host',
    'host',
    'http://quotes.example',
    'http://127.0.0.1.example',
    'http://10.0.0.7:8080/v5',
  ]) {
    assert.throws(() => new PizarraClient({ url, key: 'pz_x' }), TypeError);
  }
  for (const host of ['localhost', '127.1.2.3:8080', '[::1]']) {
    assert.ok(new PizarraClient({ url: `http://${host}`, key: 'pz_x' }));
  }
  const client = new PizarraClient({ url: 'http://127.0.0.1:1', key: 'pz_ñ\n' });
  await assert.rejects(client.quotes({ panel: 'LID' }), {
    name: 'TypeError',
    message: /The key is empty/,
  });
  const fine = new PizarraClient({ url: 'http://127.0.0.1:1', key: () => 'pz_x' });
  await assert.rejects(fine.quotes({ especie: ['A,B'] }), /contains a comma/);
});
