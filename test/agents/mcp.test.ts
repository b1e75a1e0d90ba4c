/**
 * `pizarra mcp`, driven by the client of the official SDK, against a real listener: its tools in this
 * process, and the program as a host starts it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { serveAgents, type AgentOptions } from '../../src/operator/serve-agents.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { IndexSeries } from '../../src/domain/indices/index-series.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { createAgentServer } from '../../src/mcp/agent-server.ts';
import { openService } from '../../src/mcp/service.ts';
import { barAt } from '../support/market/bar-samples.ts';
import { launcher } from '../support/program/launcher.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';
import { startTestServer, testNow } from '../support/http/start-test-server.ts';
import { Board } from '../../src/board/board.ts';
import { sampleQuotes, sampleUniverse } from '../support/market/sample-market.ts';
import { once } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';

const al30 = 'AL30' as Ticker;
const action = { ticker: al30, exDay: toEpochDay('2024-03-01' as PlainDate), source: 'test' };
const actions = new CorporateActions([{ ...action, type: 'split', factor: 10 }]);

const indices = new IndexSeries(
  1,
  [
    ['2026-12-14', 7.25],
    ['2026-12-15', 7.5],
  ].map(([date, value]) => ({
    index: 'CER',
    day: toEpochDay(date as PlainDate),
    value: Number(value),
    source: 'test',
  })),
);

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(
  await startTestServer({ actions: () => actions, indices: () => indices }),
);
const url = `http://127.0.0.1:${service.port}`;
await service.store.quotes.commit({
  quotes: [],
  closes: [],
  bars: [
    { ticker: al30, bar: barAt('2026-11-19', '11:00', [90_000, 90_000, 90_000, 90_000], 5) },
    { ticker: al30, bar: barAt('2026-11-20', '11:00', [91_240, 91_300.5, 91_240, 91_260], 40) },
  ],
});

interface Result {
  readonly isError: boolean;
  /** The structured content, or the text of an error. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Calls a tool as a host does. */
async function call(
  host: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Result> {
  const { isError, content, structuredContent } = await host.callTool({ name, arguments: args });
  const [first] = content;
  assert.ok(first?.type === 'text');
  const body = (structuredContent ?? {}) as Result['body'];
  return { isError: isError === true, body, text: first.text };
}

/** A host that is connected to the tools in this process. */
async function connect(options: { readonly url?: string; readonly key?: string } = {}) {
  const opened = openService({ url, key: service.key, ...options });
  const [hostSide, toolSide] = InMemoryTransport.createLinkedPair();
  await createAgentServer(opened, '1.2.3').connect(toolSide);
  const host = new Client({ name: 'test', version: '1' });
  await host.connect(hostSide);
  cleanUp.defer(() => host.close());
  // The client validates structured content only for tools that it has listed.
  await host.listTools();
  return host;
}

const host = await connect();

test('every tool only reads, has a schema of its result, and is described in Spanish and English', async () => {
  const { tools } = await host.listTools();
  assert.deepEqual(fieldsIn(tools, 'name'), [
    'cotizaciones',
    'historicos',
    'intradiarios',
    'buscar_especies',
    'eventos',
    'indices',
    'mercados',
    'dolares',
    'bonos',
    'historia_bono',
    'flujos_bono',
  ]);
  for (const { name, annotations, outputSchema, description = '' } of tools) {
    assert.equal(annotations?.readOnlyHint, true, name);
    assert.ok(outputSchema !== undefined, name);
    assert.match(description, /especie|mercado|índice|CER/i);
    assert.match(description, /\b(?:the|of)\b/);
  }
  assert.match(host.getInstructions() ?? '', /demoraMinutos/);
});

test('an agent learns that a source has stopped, from every result and from each quote', async () => {
  const board = new Board(sampleUniverse);
  board.adopt(sampleQuotes.map((one) => ({ ...one, source: { name: 'mesa' } })));
  const stale = [{ name: 'mesa', markets: ['NYSE'], lastPriceAt: testNow - 1_980_000 }];
  await using stopped = await startTestServer({
    board,
    sources: () => ({ outage: 'connection', stale }),
  });
  const agent = await connect({ url: `http://127.0.0.1:${stopped.port}`, key: stopped.key });
  const { body } = await call(agent, 'cotizaciones', { especies: ['GGAL', 'GGAL_US'] });
  const quotes = body['cotizaciones'] as readonly Result['body'][];
  assert.deepEqual(fieldsIn(quotes, 'atrasada'), [undefined, true]);
  const avisos = [
    'Ninguna fuente de precios responde. Los precios son los últimos conocidos.',
    'La fuente mesa no da precios desde 2026-11-20T16:27:00-03:00, con mercados abiertos (NYSE). Los precios con "atrasada" no son los actuales.',
  ];
  assert.deepEqual(body['avisos'], avisos);
  const found = await call(agent, 'buscar_especies', { texto: 'GGAL_US' });
  const [first = {}] = found.body['especies'] as readonly Result['body'][];
  assert.equal(first['atrasada'], true);
  for (const [name, args] of [
    ['dolares', {}],
    ['mercados', {}],
    ['historicos', { especie: 'GGAL' }],
  ] as const) {
    assert.deepEqual((await call(agent, name, args)).body['avisos'], avisos, name);
  }
});

test('an unknown ticker has the closest one in the warnings, and a ticker without data has none', async () => {
  const closest = ['La especie "GGLA" no existe. La más parecida es "GGAL".'];
  for (const [name, args] of [
    ['cotizaciones', { especies: ['GGLA', 'NUEVA', 'QWERTY'] }],
    ['historicos', { especie: 'GGLA' }],
    ['bonos', { especies: ['GGLA'] }],
    ['historia_bono', { especie: 'GGLA' }],
    ['flujos_bono', { especie: 'GGLA' }],
  ] as const) {
    assert.deepEqual((await call(host, name, args)).body['avisos'], closest, name);
  }
});

test('a quote has its date, time, currency, unit and the state of its market, and its text is the same JSON', async () => {
  const { body, text: json } = await call(host, 'cotizaciones', {
    especies: ['ggal', 'NUEVA', 'XXX'],
  });
  assert.deepEqual(JSON.parse(json), body);
  assert.deepEqual([body['total'], body['truncado'], body['avisos']], [1, false, []]);
  assert.deepEqual(body['faltan'], ['NUEVA', 'XXX']);
  assert.deepEqual([body['datos'], body['consultado']], ['reales', '2026-11-20T17:00:00-03:00']);
  const [quote = {}] = body['cotizaciones'] as readonly Result['body'][];
  assert.equal(quote['especie'], 'GGAL');
  assert.equal(quote['ultimo'], 7410);
  assert.equal(quote['fecha'], '2026-11-20');
  assert.equal(quote['hora'], '16:59:58');
  assert.equal(quote['unidadVariacion'], 'por-ciento');
  assert.match(String(quote['mercadoEstado']), /^(?:abierto|cerrado)$/);
  assert.equal(typeof quote['moneda'], 'string');
});

test('a quote and an instrument say what a price is a price of, and the agent is told to divide by it', async () => {
  const { body } = await call(host, 'cotizaciones', { especies: ['AL30', 'GGAL'] });
  const quotes = body['cotizaciones'] as readonly Result['body'][];
  assert.deepEqual(
    quotes.map((one) => [one['especie'], one['precioPor']]),
    [
      ['AL30', 100],
      ['GGAL', 1],
    ],
  );
  const found = await call(host, 'buscar_especies', { texto: 'al30' });
  const [bond] = found.body['especies'] as readonly Result['body'][];
  assert.deepEqual([bond?.['especie'], bond?.['precioPor']], ['AL30', 100]);
  assert.match(host.getInstructions() ?? '', /cantidad × precio ÷ precioPor/);
});

test('an answer that leaves rows out says so, and how to get them', async () => {
  const { body } = await call(host, 'cotizaciones', { panel: 'IND', limite: 2 });
  assert.equal((body['cotizaciones'] as unknown[]).length, 2);
  assert.ok(Number(body['total']) > 2 && body['truncado'] === true);
  assert.match(String(body['avisos']), /Se muestran las primeras 2 de 6/);

  const closes = await call(host, 'historicos', { especie: 'AL30', limite: 1 });
  assert.deepEqual([closes.body['total'], closes.body['truncado']], [4, true]);
  assert.match(String(closes.body['avisos']), /últimas 1 filas de 4.*hasta=2024-03-01/);
});

/** The closes of an instrument with the default arguments of the tool, or others. */
async function closesWith(args: Record<string, unknown>): Promise<readonly Result['body'][]> {
  const { body } = await call(host, 'historicos', { especie: 'AL30', ...args });
  return body['cierres'] as readonly Result['body'][];
}

test('closes are comparable by default, and as traded on request; without dates they are the latest', async () => {
  const adjusted = await closesWith({ desde: '2024-02-29' });
  assert.deepEqual(adjusted, [
    { fecha: '2024-02-29', ultimo: 4695, volumen: 23_456_780 },
    { fecha: '2024-03-01', ultimo: 47_000, volumen: null },
  ]);
  const [traded] = await closesWith({
    desde: '2024-02-29',
    hasta: '2024-02-29',
    ajuste: 'ninguno',
  });
  assert.equal(traded?.['ultimo'], 46_950);
  assert.equal((await closesWith({})).length, 4);
});

test('closes are joined by month and converted, and sessions without a dollar are a warning', async () => {
  await service.putCloses('DOLAR MEP', { '2024-02-29': 1_000 });
  const months = { desde: '2024-02-01', intervalo: '1mes', moneda: 'USD' };
  const { body } = await call(host, 'historicos', { especie: 'AL30', ...months });
  assert.deepEqual(
    [body['intervalo'], body['moneda'], body['cierres']],
    [
      '1mes',
      'USD',
      [
        { fecha: '2024-02-29', ultimo: 4.695, volumen: 23_456_780 },
        { fecha: '2024-03-01', ultimo: 47, volumen: null },
      ],
    ],
  );
  assert.match(String(body['avisos']), /Ruedas que faltan.*: 1\./);
  const own = await call(host, 'historicos', { especie: 'AL30' });
  assert.deepEqual([own.body['intervalo'], own.body['moneda']], ['1d', undefined]);
});

test('bars, corporate actions, the search and the markets give the rows of the contract', async () => {
  const bars = await call(host, 'intradiarios', { especie: 'AL30', intervalo: '1m' });
  assert.deepEqual(bars.body['barras'], [
    {
      fecha: '2026-11-20',
      hora: '11:00:00',
      apertura: 91_240,
      maximo: 91_300.5,
      minimo: 91_240,
      ultimo: 91_260,
      volumen: 40,
    },
  ]);
  const events = await call(host, 'eventos', { especie: 'AL30' });
  assert.deepEqual(events.body['eventos'], [{ fecha: '2024-03-01', tipo: 'split', factor: 10 }]);

  const list = await call(host, 'indices');
  const [cer = {}, uva = {}] = list.body['indices'] as readonly Result['body'][];
  assert.deepEqual([cer['indice'], cer['hasta'], uva['hasta']], ['CER', '2026-12-15', null]);
  const values = await call(host, 'indices', { indice: 'CER', limite: 1 });
  assert.deepEqual(values.body['valores'], [{ fecha: '2026-12-15', valor: 7.5 }]);
  assert.deepEqual([values.body['total'], values.body['truncado']], [2, true]);
  assert.match(String(values.body['avisos']), /hasta=2026-12-15/);

  const found = await call(host, 'buscar_especies', { texto: 'gd30' });
  const tickers = (found.body['especies'] as readonly Result['body'][]).map(
    (one) => one['especie'],
  );
  assert.deepEqual(tickers, ['GD30']);

  const markets = await call(host, 'mercados');
  const [market = {}] = markets.body['mercados'] as readonly Result['body'][];
  assert.equal(market['feriados'], undefined);
  assert.match(String(market['cambia']), /^\d{4}-\d\d-\d\dT/);
  const ofYear = await call(host, 'mercados', { anio: 2026 });
  const [first] = ofYear.body['mercados'] as Result['body'][];
  assert.ok(Array.isArray(first?.['feriados']) && Array.isArray(first['sinLiquidacion']));
});

test('the dollars are those of the service, and a base without one is named', async () => {
  const { body } = await call(host, 'dolares', { dolar: 'mep' });
  assert.deepEqual(
    fieldsIn(body['dolares'] as readonly Result['body'][], 'dolar', 'base', 'ultimo'),
    ['mep BYMA 1502.35'],
  );
  const none = await call(host, 'dolares', { base: 'GGAL' });
  assert.deepEqual(none.body['faltan'], ['GGAL']);
});

test('bars until a date before the last session are those of the sessions before', async () => {
  const { body } = await call(host, 'intradiarios', { especie: 'AL30', hasta: '2026-11-19' });
  const bars = body['barras'] as readonly Result['body'][];
  assert.deepEqual(
    bars.map((one) => one['fecha']),
    ['2026-11-19'],
  );
});

test('rows and dividends that the service leaves out are warnings, and not missing tickers', async () => {
  const row = {
    especie: 'X',
    nombre: 'X',
    tipo: 'accion',
    mercado: 'BYMA',
    moneda: 'ARS',
    decimales: 2,
    unidadVariacion: 'por-ciento',
  };
  const found = Array.from({ length: 50 }, () => row);
  const other = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/healthz') return void response.end('{"datos":"reales"}');
    if (request.url?.includes('buscar=') === true) return void response.end(JSON.stringify(found));
    if (request.url?.startsWith('/bonos/flujos') === true) {
      const flow = { pago: '', interes: 1, amortizacion: 0, total: 1, residual: 9, ajustado: 1 };
      const flows = ['2027-01-09', '2027-07-09', '2028-01-09'];
      return void response.end(JSON.stringify(flows.map((fecha) => ({ fecha, ...flow }))));
    }
    // More dividends than the header names (contract 4.1.5).
    response.setHeader('missing-dividendos', '2024-03-01,%E2%80%A6+3');
    response.end('[]');
  }).listen(0, '127.0.0.1');
  cleanUp.defer(() => void other.close());
  await once(other, 'listening');
  const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const client = await connect({ url: base });
  const { body } = await call(client, 'historicos', { especie: 'AL30' });
  assert.deepEqual(body['faltan'], []);
  assert.match(String(body['avisos']), /omite los dividendos de 2024-03-01, …\+3: están/);
  // A search has at most 50 rows (contract 4.7.1).
  const search = await call(client, 'buscar_especies', { texto: 'a' });
  assert.deepEqual([search.body['total'], search.body['truncado']], [50, true]);
  assert.match(String(search.body['avisos']), /como máximo 50 especies: precisar el texto/);
  const flows = await call(client, 'flujos_bono', { especie: 'AL30', limite: 2 });
  assert.deepEqual([flows.body['total'], flows.body['truncado']], [3, true]);
  assert.match(String(flows.body['avisos']), /las primeras 2 de 3.*desde=2027-07-09/);
});

test('a demonstration is announced in every answer with prices', async () => {
  await using demonstration = await startTestServer({ dataSource: 'simulated' });
  const simulated = await connect({
    url: `http://127.0.0.1:${demonstration.port}`,
    key: demonstration.key,
  });
  for (const [name, args] of [
    ['cotizaciones', { especies: ['GGAL'] }],
    ['historicos', { especie: 'AL30' }],
    ['mercados', {}],
    ['dolares', {}],
  ] as const) {
    const { body } = await call(simulated, name, args);
    assert.equal(body['datos'], 'simulados', name);
    assert.match(String(body['avisos']), /inventados/, name);
  }
});

test('every tool that has rows without end has a limit of them', async () => {
  const { tools } = await host.listTools();
  const unlimited = tools.filter(
    ({ inputSchema }) => !('limite' in (inputSchema.properties ?? {})),
  );
  assert.deepEqual(fieldsIn(unlimited, 'name'), ['mercados']);
});

test('an unknown ticker is named, so that the agent does not take an empty series for a fact', async () => {
  for (const name of ['historicos', 'intradiarios', 'eventos']) {
    const { isError, body } = await call(host, name, { especie: 'XXX' });
    assert.deepEqual([isError, body['total'], body['faltan']], [false, 0, ['XXX']], name);
  }
});

test('a wrong call is an error that says what is valid', async () => {
  const date = await call(host, 'historicos', { especie: 'AL30', desde: '2024-02-30' });
  assert.ok(date.isError);
  assert.match(date.text, /2024-02-30/);
  const nothing = await call(host, 'cotizaciones');
  assert.ok(nothing.isError);
  assert.match(nothing.text, /"especies" o "panel"/);
  const panel = await call(host, 'cotizaciones', { panel: 'lid' });
  assert.ok(panel.isError);
  assert.match(panel.text, /LIDGEN/);
  for (const [name, args, reason] of [
    ['historicos', { especie: 'AL30', limite: 100_000 }, /: limite: Demasiado grande: .*1000$/],
    ['historicos', {}, /: especie: Entrada inválida: se esperaba texto/],
    ['historicos', { especie: 'AL30,GGAL' }, /: especie: Una sola especie, sin comas$/],
    [
      'cotizaciones',
      { especies: ['AL30,GGAL'] },
      /: especies\.?\[?0\]?: Una sola especie, sin comas$/,
    ],
    ['cotizaciones', { especies: 'GGAL' }, /: especies: Entrada inválida: se esperaba arreglo/],
    ['bonos', { especies: ['AL30D,GD30D'] }, /sin comas$/],
  ] as const) {
    const refused = await call(host, name, args);
    assert.ok(refused.isError, name);
    assert.match(refused.text, reason);
  }
});

test('a refused key, a limit and a service that is down are errors that say what to do, without the key', async () => {
  const refused = await call(await connect({ key: `${service.key.slice(0, -1)}_` }), 'mercados');
  assert.ok(refused.isError);
  assert.match(refused.text, /no acepta la clave.*pizarra keys create/);
  assert.ok(!refused.text.includes(service.key.slice(0, 20)));

  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const { port } = unused.address() as AddressInfo;
  unused.close();
  await once(unused, 'close');
  const lost = await connect({ url: `http://127.0.0.1:${port}` });
  // An argument that is refused at once leaves the look at the service under way.
  assert.ok((await call(lost, 'buscar_especies')).isError);
  const down = await call(lost, 'mercados');
  assert.ok(down.isError);
  assert.match(down.text, /ECONNREFUSED.*pizarra doctor/);
});

test('another server, a redirect and a limit are reported, and the key does not follow the redirect', async () => {
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(`${request.url}`);
    if (request.url?.startsWith('/redirect') === true) {
      response.writeHead(302, { location: '/elsewhere' }).end();
    } else if (request.url?.startsWith('/busy') === true) {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' });
      response.end('{"error":"La clave superó su límite."}');
    } else {
      response.end('<html>');
    }
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const textAt = async (path: string): Promise<string> => {
    const { isError, text: message } = await call(await connect({ url: base + path }), 'mercados');
    assert.ok(isError);
    return message;
  };
  assert.match(await textAt('/redirect'), /redirige a otra dirección \(302\)/);
  assert.match(await textAt('/busy/'), /superó su límite\. Reintentar en 7 s/);
  assert.match(await textAt('/page'), /no es la de un servicio Pizarra/);
  assert.ok(!seen.includes('/elsewhere'));
  other.close();
});

test('the program serves a host of the current protocol over stdio, with a key from a file', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'key');
  await writeFile(file, `${service.key}\n`, { mode: 0o600 });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', '--url', url, '--key-file', file],
    stderr: 'pipe',
  });
  // The other tests connect as hosts of the protocol of 2025 do.
  const versionNegotiation = { mode: { pin: '2026-07-28' } };
  const program = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  await program.connect(transport);
  assert.equal(program.getServerVersion()?.name, 'pizarra');
  const { body } = await call(program, 'cotizaciones', { especies: ['DOLAR MEP'] });
  assert.equal((body['cotizaciones'] as readonly Result['body'][])[0]?.['especie'], 'DOLAR MEP');
  await program.close();
});

test('standard output has nothing but the protocol, and the end of the input ends the program', async () => {
  const child = spawn(process.execPath, [launcher, 'mcp', '--url', url], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PIZARRA_KEY: service.key },
  });
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    },
  };
  child.stdin.write(`this is not JSON\n${JSON.stringify(initialize)}\n`);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.endsWith('\n')) child.stdin.end();
  });
  const [code] = (await closed) as [number | null];
  assert.equal(code, 0);
  const messages = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown });
  assert.ok(messages.length > 0);
  assert.ok(messages.some(({ id }) => id === 1));
  assert.ok(!(await errors).includes(service.key));
});

test('a missing key, a malformed one and plain HTTP over a network are refused before anything is sent', async () => {
  const { key } = service;
  const cases: readonly (readonly [Partial<AgentOptions>, RegExp])[] = [
    [{ key: ' ' }, /PIZARRA_KEY has no key\. Create one/],
    [{ key: 'pz_short' }, /PIZARRA_KEY has no valid key/],
    [{ key, keyFile: '/nonexistent/key' }, /key file cannot be read: ENOENT/],
    [{ key, url: 'http://10.0.0.1:8080' }, /plain HTTP would expose/],
    [{ key, url: 'http://localhost.example.com' }, /plain HTTP would expose/],
    [{ key, url: 'ftp://x' }, /--url cannot be "ftp:\/\/x"/],
    [{ key, url: 'https://user:secret@x' }, /--url cannot be/],
  ];
  const options = { url, key: undefined, keyFile: undefined, version: '1', onFault: assert.fail };
  for (const [given, message] of cases) {
    await assert.rejects(serveAgents({ ...options, ...given }), { name: 'UsageFault', message });
  }
  const { code, stdout, stderr } = await runPizarra(['mcp', '--url', url]);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^pizarra: PIZARRA_KEY has no key/);
});

test('the variables of the agent do not disturb the other commands', async () => {
  await using directory = await temporaryDirectory();
  const env = { PIZARRA_KEY: 'pz_any', PIZARRA_URL: url };
  const { code, stderr } = await runPizarra(['keys', 'list', '--store', directory.path], { env });
  assert.equal(code, 1);
  assert.doesNotMatch(stderr, /PIZARRA_KEY|PIZARRA_URL/);
});
