import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import { startTestServer } from '../../../test/support/http/start-test-server.ts';
import { temporaryDirectory } from '../../../test/support/program/program.ts';
import { Board } from '../../board/board.ts';
import { settingOf } from '../../config/settings/settings.ts';
import { panelCodes } from '../../domain/instruments/panel.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { compareUniverses } from '../../universe/compare-universes.ts';
import { instrumentTable } from '../../contract/paths/especies-json.ts';
import { openOrigin, pullUniverse, type PullSummary } from './pull-universe.ts';

const defaultDirectory = settingOf('universe').fallback;
const universe = await requireUniverse(defaultDirectory);
const origin = await startTestServer({ board: new Board(universe) });
after(() => origin[Symbol.asyncDispose]());

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly isDryRun?: boolean;
  readonly waits?: number[];
  readonly ca?: string;
}

async function pull(directory: string, options: Options = {}): Promise<PullSummary> {
  const { url = `http://127.0.0.1:${origin.port}`, key = origin.key, isDryRun = false } = options;
  const it = await openOrigin({
    url,
    key,
    keyFile: undefined,
    ask: undefined,
    ca: options.ca,
    pause: () => Promise.resolve(),
    signal: new AbortController().signal,
    onWait: (seconds) => options.waits?.push(seconds),
  });
  return pullUniverse({ origin: it, directory, isDryRun });
}

async function filesOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(directory)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
}

test('a new directory gets a whole universe, with which a service answers as the other one does, field for field', async () => {
  await using scratch = await temporaryDirectory();
  const directory = join(scratch.path, 'new', 'universe');
  const summary = await pull(directory);
  assert.equal(summary.instruments.length, universe.instruments.length);
  assert.equal(summary.markets.length, universe.markets.size);
  assert.equal(summary.terms.length, universe.bondTerms.length);
  assert.deepEqual([summary.notes, summary.leftAlone], [[], []]);

  const pulled = await requireUniverse(directory);
  await using mirror = await startTestServer({ board: new Board(pulled) });
  const campos = instrumentTable.onRequest.join(',');
  const bonds = universe.bondTerms.map(({ ticker }) => encodeURIComponent(ticker));
  for (const path of [
    '/especies.json',
    `/especies.json?campos=${campos}`,
    '/especies.json?buscar=galicia',
    '/especies.txt',
    ...panelCodes.map((code) => `/especies.txt?panel=${code}`),
    '/mercados',
    '/mercados?anio=todos&campos=dias,horarios,cierresAnticipados,liquidacion',
    '/mercados?anio=2027',
    ...bonds.slice(0, 20).map((ticker) => `/bonos/flujos?especie=${ticker}&desde=2020-01-01`),
    `/udf/symbols?symbol=RIESGO%20PAIS`,
  ]) {
    assert.equal((await mirror.get(path)).body, (await origin.get(path)).body, path);
  }

  const differences = compareUniverses(universe, pulled);
  // A class in dollars has the issuer of its base in its own row, and a bond the maturity of its terms.
  const explained = new Set([
    ...universe.derived.map(({ instrument }) => instrument.ticker),
    ...universe.bondTerms.flatMap(({ ticker, series }) => [ticker, ...series]),
    ...universe.instruments.flatMap(({ ticker, dollarClass }) => (dollarClass ? [ticker] : [])),
  ]);
  assert.deepEqual(
    differences.changed.filter((ticker) => !explained.has(ticker)),
    [],
  );
  assert.deepEqual(pulled.derived, [], 'the formulas are private: the other service computes');
  assert.deepEqual(
    { ...differences, changed: [] },
    { added: [], removed: [], changed: [], panels: [], terms: [], markets: [] },
  );
});

test('a second pull writes nothing and says so, and a dry run writes nothing', async () => {
  await using scratch = await temporaryDirectory();
  const directory = join(scratch.path, 'universe');
  const dry = await pull(directory, { isDryRun: true });
  assert.deepEqual(await readdir(scratch.path), []);
  await pull(directory);
  const files = await filesOf(directory);
  assert.deepEqual(
    Object.fromEntries(dry.files.map(({ name, after: text }) => [name, text])),
    files,
  );
  const again = await pull(directory);
  assert.deepEqual(
    [again.files, again.instruments, again.leftAlone, again.notes],
    [[], [], [], []],
  );
  assert.deepEqual(await filesOf(directory), files);
});

const ownInstruments = [
  'ticker;name;kind;market;currency;decimals;change_unit;panels',
  '"XMPL";"Mine; only";share;BYMA;ARS;;;GEN',
  '',
  'GGAL;Galicia, as I call it;share;BYMA;ARS;2;;LID',
  'YPFD;YPF;share;BYMA;USD;;;',
].join('\r\n');

test('a universe of an operator keeps each of its lines, and gets the rest after them', async () => {
  await using scratch = await temporaryDirectory();
  const directory = scratch.path;
  for (const file of ['markets.yaml', 'panels.yaml']) {
    await cp(join(defaultDirectory, file), join(directory, file));
  }
  await writeFile(join(directory, 'derived.yaml'), 'derived: {}\n');
  await writeFile(join(directory, 'instruments.csv'), `\uFEFF${ownInstruments}`);
  const before = await filesOf(directory);
  const { leftAlone, instruments, files } = await pull(directory);
  const now = await filesOf(directory);

  assert.deepEqual(
    files.map(({ name }) => name),
    ['instruments.csv', 'bonds.csv'],
  );
  for (const name of ['markets.yaml', 'panels.yaml', 'derived.yaml']) {
    assert.equal(now[name], before[name], name);
  }
  const [head = '', ...lines] = (now['instruments.csv'] ?? '').split('\r\n');
  assert.equal(
    head,
    '\uFEFFticker;name;kind;market;currency;decimals;change_unit;panels;ratio;underlying;maturity;base;class;issuer',
  );
  assert.deepEqual(lines.slice(0, 4), ownInstruments.split('\r\n').slice(1));
  assert.equal(instruments.length, universe.instruments.length - 2);
  assert.deepEqual(leftAlone, [
    'YPFD: currency USD here, ARS there',
    'YPFDD: added without its base YPFD, which is another instrument here',
  ]);
  const pulled = await requireUniverse(directory);
  assert.equal(pulled.find('GGAL')?.name, 'Galicia, as I call it');
  assert.equal(pulled.find('GGAL')?.decimals, 2);
});

test('a universe with faults, or one that could not be extended, is left as it is', async () => {
  await using scratch = await temporaryDirectory();
  const directory = join(scratch.path, 'universe');
  await cp(defaultDirectory, directory, { recursive: true, dereference: true });
  await writeFile(join(directory, 'derived.yaml'), 'derived: []\n');
  const before = await filesOf(directory);
  await assert.rejects(pull(directory), /The universe in .* has faults:\nderived\.yaml:1:10/);
  assert.deepEqual(await filesOf(directory), before);

  const partial = join(scratch.path, 'partial');
  await mkdir(partial);
  await writeFile(join(partial, 'panels.yaml'), 'LID: { name: Panel líder }\n');
  await assert.rejects(pull(partial), /has faults\. Nothing was written:\npanels\.yaml:.*missing/);
  assert.deepEqual(await readdir(partial), ['panels.yaml']);
});

/** A server that is no Pizarra of this version. */
async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

test('a server that is no Pizarra, or refuses the key, is named with what to do, and nothing is written', async () => {
  await using scratch = await temporaryDirectory();
  const directory = join(scratch.path, 'universe');
  const cases: readonly (readonly [number, string, Readonly<Record<string, string>>, RegExp])[] = [
    [200, '<html>', {}, /does not answer as a Pizarra does\. Check the address/],
    [200, '{"especie":"GGAL"}', {}, /does not answer as a Pizarra does/],
    [200, '[{"especie":"GGAL"}]', {}, /does not answer as a Pizarra does/],
    [404, 'nothing here', {}, /does not answer as a Pizarra does/],
    [
      401,
      '{"error":"La clave venció."}',
      {},
      /does not accept the key\. It says: La clave venció\. Create one there with "pizarra keys create --name mirror"/,
    ],
    [403, '', {}, /refuses the request \(403\)\. Use its https:\/\/ address/],
    [302, '', { location: 'https://other.example' }, /redirects to another address \(302\)/],
    [
      429,
      '',
      { 'retry-after': '3600' },
      /limits the requests of the key \(429\)\. Run the command again in 3600 s/,
    ],
    [500, '', {}, /responded 500\. Run the command again later/],
    [500, `{"error":"${'x'.repeat(300)}"}`, {}, /It says: x{200} Run the command again later/],
    [500, `{"error":"${'x'.repeat(70_000)}"}`, {}, /It says: x{200} Run the command again later/],
    [401, `{"error":"Bearer ${origin.key}?"}`, {}, /It says: Bearer \[secret\]\? Create one there/],
  ];
  for (const [status, body, headers, message] of cases) {
    await withServer(
      (_, response) => response.writeHead(status, headers).end(body),
      (url) => assert.rejects(pull(directory, { url }), message),
    );
  }
  let gone = '';
  await withServer(
    () => undefined,
    (url) => {
      gone = url;
      return Promise.resolve();
    },
  );
  await assert.rejects(
    pull(directory, { url: gone }),
    /cannot be read: ECONNREFUSED.*Check that the service runs/,
  );
  assert.deepEqual(await readdir(scratch.path), []);
});

/** Answers as the origin does. */
async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await origin.get(request.url ?? '/');
  const headers = { 'content-type': answer.header('content-type') };
  response.writeHead(answer.status, headers).end(answer.body);
}

test('a certificate of an own authority is verified with --ca, and the advice without it names the option', async (t) => {
  const pair = makeCertificate();
  if (pair === undefined) return t.skip('needs openssl');
  await using scratch = await temporaryDirectory();
  const ca = join(scratch.path, 'ca.pem');
  await writeFile(ca, pair.cert);
  const server = createTlsServer(pair, (request, response) => void pass(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const directory = join(scratch.path, 'universe');
  await assert.rejects(pull(directory, { url }), /cannot be read: .*with --ca\.$/);
  await assert.rejects(pull(directory, { url, ca: `${ca}x` }), /--ca must be a PEM file/);
  assert.equal((await pull(directory, { url, ca })).markets.length, universe.markets.size);
});

test('a limited request is repeated after the time that the service asks for', async () => {
  await using scratch = await temporaryDirectory();
  let refusals = 2;
  const waits: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(429, { 'retry-after': '7' }).end();
    } else await pass(request, response);
  };
  await withServer(
    (request, response) => void answer(request, response),
    async (url) => {
      const { instruments } = await pull(join(scratch.path, 'universe'), { url, waits });
      assert.equal(instruments.length, universe.instruments.length);
    },
  );
  assert.deepEqual(waits, [7, 7]);
});

test('a key crosses no network without TLS, and is well-formed', async () => {
  await assert.rejects(
    pull('/nowhere', { url: 'http://quotes.example.com' }),
    /plain HTTP would expose/,
  );
  await assert.rejects(pull('/nowhere', { url: 'quotes.example.com' }), /URL cannot be "quotes/);
  await assert.rejects(pull('/nowhere', { key: 'pzc_x' }), /PIZARRA_KEY has no valid key/);
  await assert.rejects(pull('/nowhere', { key: '' }), /PIZARRA_KEY has no key\. Create one with/);
});
