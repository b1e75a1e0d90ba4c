import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { panelCodes } from '../../src/domain/instruments/panel.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer, type TestAnswer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

interface WireQuote {
  readonly especie: string;
  readonly [field: string]: unknown;
}

function get(query: string): Promise<TestAnswer> {
  return server.get(`/cotizaciones${query}`);
}

const quotes = (query: string) => server.rows<WireQuote>(`/cotizaciones${query}`);

async function tickers(query: string): Promise<readonly string[]> {
  return (await quotes(query)).map(({ especie }) => especie);
}

async function quote(ticker: string): Promise<WireQuote> {
  const [first] = await quotes(`?especie=${encodeURIComponent(ticker)}`);
  assert.ok(first !== undefined);
  return first;
}

const refusal = (query: string) => server.refusal(`/cotizaciones${query}`);

test('contract 2.1: a quote has the documented fields in the documented order', async () => {
  assert.deepEqual(Object.entries(await quote('GGAL')), [
    ['especie', 'GGAL'],
    ['fecha', '2026-11-20'],
    ['hora', '16:59:58'],
    ['ultimo', 7410],
    ['variacion', 1.37],
    ['anterior', 7310],
    ['apertura', 7330],
    ['minimo', 7275],
    ['maximo', 7450],
    ['varMTD', 4.22],
    ['varYTD', 12.87],
    ['volumen', 2_154_321],
  ]);
});

test('contract 4.1.1: a request without especie and panel gets 400, and the error names both', async () => {
  const empty = ['', '?', '?especie', '?especie=', '?especie=,%20,', '?especie=,,+,'];
  for (const query of [...empty, '?otro=1', '?Especie=GGAL', '?campos=x']) {
    assert.match(await refusal(query), /«especie» y «panel»/);
  }
});

test('contract 4.1.3: the union has the tickers in the order of the request, then the panel, each once', async () => {
  assert.deepEqual(await tickers('?panel=LID&especie=AL30,GGAL,AL30'), ['AL30', 'GGAL', 'YPFD']);
});

test('contract 2.4.1: each panel returns its members in the order of the universe', async () => {
  for (const panel of panelCodes) {
    const members = sampleUniverse.panels.get(panel)?.map(({ ticker }) => ticker);
    assert.deepEqual(
      await tickers(`?panel=${panel}`),
      members?.filter((ticker) => ticker !== 'NUEVA'),
    );
  }
});

test('contract 4.1.4: when nothing matches, the response is 200 with an empty array', async () => {
  const answer = await get('?especie=NOEXISTE');
  assert.equal(answer.status, 200);
  assert.equal(answer.body, '[]');
});

test('contract 4.1.5: an unknown ticker does not affect the others, and Missing-Especies names it', async () => {
  const answer = await get('?especie=NOEXISTE,GGAL,nueva,DOLAR%20X,A%2FB,%C3%91U');
  assert.equal(answer.status, 200);
  assert.equal((answer.json() as unknown[]).length, 1);
  assert.equal(answer.header('missing-especies'), 'NOEXISTE,NUEVA,DOLAR%20X,A%2FB,%C3%91U');
});

test('contract 4.1.5: Missing-Especies names members of a panel without a quote', async () => {
  assert.equal((await get('?panel=LID')).header('missing-especies'), 'NUEVA');
});

test('contract 4.1.5: Missing-Especies is absent when nothing is missing', async () => {
  assert.equal((await get('?especie=GGAL')).header('missing-especies'), undefined);
});

test('contract 4.1.5: Missing-Especies has at most 50 names and the number of the others', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `X${index}`);
  const value = (await get(`?especie=${names.join()}`)).header('missing-especies') ?? '';
  assert.equal(decodeURIComponent(value), `${names.slice(0, 50).join()},…+10`);
});

test('contract 2.5.2: white space and case of a ticker are ignored, and the response has the canonical spelling', async () => {
  for (const spelling of ['dolar+mep', 'DOLAR%20MEP', '%20Dolar%20%20%09mep+', ',DOLAR MEP,']) {
    assert.deepEqual(await tickers(`?especie=${spelling}`), ['DOLAR MEP']);
  }
  assert.deepEqual(await tickers('?especie=dolar/euro,DOLAR%2FEURO'), ['DOLAR/EURO']);
});

test('contract 4.1.6: several especie parameters are one list', async () => {
  for (const query of [
    'especie=AL30&especie=GGAL,YPFD',
    'especie=,AL30,,&especie=%20,GGAL%2CYPFD,',
    '%65specie=AL30,GGAL,YPFD',
  ])
    assert.deepEqual(await tickers(`?${query}`), ['AL30', 'GGAL', 'YPFD'], query);
});

test('contract 2.4: the response to BON is byte for byte that to BONOS', async () => {
  const [bon, bonos] = await Promise.all([get('?panel=BON'), get('?panel=BONOS')]);
  assert.equal(bon.body, bonos.body);
  assert.notEqual(bon.body, '[]');
});

test('contract 4.1.6: 500 tickers are accepted, and 501 get 400 with both numbers', async () => {
  const list = Array.from({ length: 500 }, (_, index) => `X${index}`).join();
  assert.equal((await get(`?especie=${list},,`)).status, 200);
  for (const more of [',GGAL', '&especie=GGAL'])
    assert.match(await refusal(`?especie=${list}${more}`), /501 .* 500 /);
});

test('contract 2.1.2: hora is absent when the source gave no time', async () => {
  assert.ok(!('hora' in (await quote('COME'))));
});

test('contract 2.1.1: anterior, apertura, minimo and maximo are absent when they are not known', async () => {
  assert.deepEqual(Object.keys(await quote('COME')), [
    'especie',
    'fecha',
    'ultimo',
    'variacion',
    'varMTD',
    'varYTD',
    'volumen',
  ]);
});

test('contract 2.1.3: changes that cannot be computed are null', async () => {
  const { variacion, varMTD, varYTD } = await quote('COME');
  assert.deepEqual([variacion, varMTD, varYTD], [null, null, null]);
  assert.equal((await quote('MERVAL'))['variacion'], null);
});

test('contract 2.1.3: variacion is in points for rates, spreads and country risk, and otherwise in percent', async () => {
  assert.equal((await quote('CAUCION 1D'))['variacion'], 1.25);
  assert.equal((await quote('MEP-CCL'))['variacion'], -0.4);
  assert.equal((await quote('RIESGO PAIS'))['variacion'], -7);
  assert.equal((await quote('RIESGO PAIS'))['varMTD'], -4.5);
  assert.equal((await quote('AL30'))['variacion'], -0.25);
});

test('contract 2.1.3: no change is -0', async () => {
  assert.match((await get('?especie=YPFD')).body, /"variacion":0,/);
});

test('contract 2.1.6: volumen may have decimals, is 0 when nothing has traded, and null for instruments without volume', async () => {
  assert.equal((await quote('GD30'))['volumen'], 5.5);
  assert.equal((await quote('YPFD'))['volumen'], 0);
  for (const ticker of ['MERVAL', 'DOLAR MEP', 'MEP-CCL', 'CAUCION 1D']) {
    assert.equal((await quote(ticker))['volumen'], null);
  }
});

test("contract 2.1.7: a number is the shortest decimal with at most the instrument's decimals and no exponent", async () => {
  assert.match((await get('?especie=BTC')).body, /"ultimo":0.00000012,.*"volumen":0.00000025}/);
  assert.match((await get('?especie=DOLAR+MEP')).body, /"ultimo":1502.35,/);
  assert.match((await get('?especie=GGAL')).body, /"ultimo":7410,/);
});

test('contract 4.5.6: unknown parameters are ignored, also those named like properties of objects', async () => {
  assert.deepEqual(
    await tickers(
      '?especie=__proto__,constructor,valueOf,GGAL&__proto__=1&toString[a]=b&x=%zz&%zz=1&&=',
    ),
    ['GGAL'],
  );
});

test('contract 4.1.5: malformed percent-encoding and NUL make an unknown ticker, which spoils no other, and is named as it was sent', async () => {
  const malformed = ['%zz', '%', 'A%4', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%ff'];
  for (const value of [...malformed, 'GGAL%00', 'A%00']) {
    assert.deepEqual(await tickers(`?especie=${value},GGAL`), ['GGAL']);
    const answer = await get(`?especie=GGAL,${value}`);
    assert.equal(decodeURIComponent(answer.header('missing-especies') ?? ''), value);
  }
});

async function suggested(target: string): Promise<string | undefined> {
  return (await server.get(target)).header('suggested-especies');
}

test('contract 4.1.5: a table names the tickers that an unknown one may mean, and none for a ticker without a quote', async () => {
  assert.equal(await suggested('/cotizaciones?especie=GGLA,YPFF,NUEVA,QWERTY,GGAL'), 'GGAL,YPFD');
  assert.equal(await suggested('/cotizaciones?especie=DOLAR%20MPE&formato=csv'), 'DOLAR%20MEP');
  assert.equal(
    await suggested('/historicos?especie=GGLA&desde=2026-01-01&hasta=2026-12-31'),
    'GGAL',
  );
  assert.equal(await suggested('/cotizaciones?especie=GGAL'), undefined);
  assert.equal(await suggested('/cotizaciones?especie=NUEVA,QWERTY,%FF'), undefined);
});
