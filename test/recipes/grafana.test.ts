/** docs/integraciones/grafana.md: its requests are made, and its expressions are evaluated on the responses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import jsonata from 'jsonata';
import { parse } from 'yaml';

import { readRecipe } from './support/recipe-page.ts';
import { sessionDate } from './support/recipe-market.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { fieldsIn } from '../support/fields-in.ts';

const recipe = readRecipe('grafana.md');
const [provisioning = ''] = recipe.take('yaml');
const [closesUrl = ''] = recipe.take('text', 'Un gráfico de cierres');
const [compared = ''] = recipe.take('jsonata', 'Comparar especies');
const [quotesUrl = ''] = recipe.take('text', 'Una tabla de cotizaciones');
const [sorted = ''] = recipe.take('jsonata', 'Una tabla de cotizaciones');
const [shownError = ''] = recipe.take('text', 'Qué se ve cuando algo falla');
const [shown = ''] = recipe.take('json', 'Qué se obtiene');

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

interface Close {
  readonly instante: string;
  readonly fecha: string;
  readonly ultimo: number;
}

interface Source {
  readonly type: string;
  readonly jsonData: { readonly auth_method: string; readonly allowedHosts: readonly string[] };
  readonly secureJsonData: { readonly bearerToken: string };
}

const { datasources } = parse(provisioning) as { readonly datasources: readonly Source[] };
const [source = assert.fail()] = datasources;

/** Requests a URL as the data source of the page does, with the time range of a dashboard. */
async function request(
  shownUrl: string,
  { from = '2026-11-02', ticker = 'GGAL', key = service.key } = {},
): Promise<Response> {
  const url = shownUrl
    .trim()
    .replace('${__from:date:YYYY-MM-DD}', from)
    .replace('${__to:date:YYYY-MM-DD}', sessionDate)
    .replace('especie=GGAL&', `especie=${ticker}&`);
  // A request is allowed if it begins with one of the hosts.
  assert.ok(source.jsonData.allowedHosts.some((host) => url.startsWith(host)));
  const authorization = `Bearer ${source.secureJsonData.bearerToken.replace('pz_…', key)}`;
  return fetch(url.replace('https://cotizaciones.example.com', service.url), {
    headers: { authorization },
  });
}

async function closesOf(ticker: string, from?: string): Promise<readonly Close[]> {
  const response = await request(closesUrl, { ticker, ...(from === undefined ? {} : { from }) });
  assert.equal(response.status, 200);
  return (await response.json()) as readonly Close[];
}

/** The rows of an expression. An array of JSONata has other properties, which a data frame does not have. */
async function evaluate(expression: string, response: unknown): Promise<readonly unknown[]> {
  return JSON.parse(JSON.stringify(await jsonata(expression).evaluate(response))) as unknown[];
}

/** The day of an instant in Buenos Aires. */
function dayInBuenosAires(instant: string): string {
  return new Date(instant).toLocaleDateString('sv-SE', {
    timeZone: 'America/Argentina/Buenos_Aires',
  });
}

test('the source is Infinity with a bearer token and an allowed host', () => {
  assert.equal(datasources.length, 1);
  assert.equal(source.type, 'yesoreyeram-infinity-datasource');
  assert.equal(source.jsonData.auth_method, 'bearerToken');
  assert.equal(source.secureJsonData.bearerToken, 'pz_…');
});

test('both URLs answer JSON', async () => {
  for (const url of [closesUrl, quotesUrl]) {
    const response = await request(url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    await response.body?.cancel();
  }
});

for (const ticker of ['GGAL', 'DOLAR+MEP', 'MEP-CCL', 'BTC']) {
  test(`${ticker}: the column of time ascends in ISO 8601, and falls on the date of the close`, async () => {
    const closes = await closesOf(ticker);
    assert.ok(closes.length > 10);
    let before = 0;
    for (const { instante, fecha, ultimo } of closes) {
      assert.match(instante, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
      assert.equal(dayInBuenosAires(instante), fecha);
      // A date alone is midnight in UTC.
      assert.ok(dayInBuenosAires(fecha) < fecha);
      assert.ok(Date.parse(instante) > before);
      assert.equal(typeof ultimo, 'number');
      before = Date.parse(instante);
    }
  });
}

test('the expression that compares series starts each of them at 100, and the page shows its rows', async () => {
  for (const ticker of ['YPFD', 'MEP-CCL', 'GGAL']) {
    const closes = await closesOf(ticker);
    const rows = (await evaluate(compared, closes)) as { instante: string; base100: number }[];
    assert.deepEqual(
      fieldsIn(rows, 'instante'),
      closes.map(({ instante }) => instante),
    );
    assert.equal(rows[0]?.base100, 100);
    const [first, last] = [closes[0]?.ultimo ?? 0, closes.at(-1)?.ultimo ?? 0];
    assert.ok(Math.abs((rows.at(-1)?.base100 ?? 0) - (100 * last) / first) <= 0.005 + 1e-9);
    if (ticker === 'GGAL') assert.deepEqual(rows.slice(-2), JSON.parse(shown));
  }
});

test('the expressions give a list of one row for one row, and of none for none', async () => {
  const one = await closesOf('GGAL', '2026-11-19');
  assert.equal(one.length, 1);
  assert.equal((await evaluate(compared, one)).length, 1);
  const none = await closesOf('NADA');
  assert.deepEqual(none, []);
  assert.deepEqual(await evaluate(compared, none), []);
  assert.deepEqual(await evaluate(sorted, none), []);
});

test('the table has the instruments of the request, sorted by their change', async () => {
  const quotes = (await (await request(quotesUrl)).json()) as {
    especie: string;
    variacion: number;
  }[];
  assert.deepEqual(fieldsIn(quotes, 'especie'), ['GGAL', 'YPFD', 'AL30', 'DOLAR MEP']);
  const changed = quotes.map((quote, at) => ({ ...quote, variacion: at === 1 ? null : at }));
  const rows = (await evaluate(sorted, changed)) as { especie: string; instante: string }[];
  assert.deepEqual(fieldsIn(rows, 'especie'), ['DOLAR MEP', 'AL30', 'GGAL']);
  assert.ok(rows.every(({ instante }) => instante.startsWith(sessionDate)));
});

test('the page shows the error of a wrong key', async () => {
  const response = await request(closesUrl, { key: 'pz_otra' });
  const { error } = (await response.json()) as { readonly error: string };
  const lines = [
    `HTTP status code: ${response.status} ${response.statusText}`,
    `Error message from HTTP response: ${error}`,
  ];
  assert.equal(shownError.trim(), lines.join('\n'));
});
