/** docs/integraciones/wealthfolio.md: real responses to the requests of its sources, read by the rules of the program. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import jsonpath from 'jsonpath';
import Papa from 'papaparse';

import { readRecipe } from './support/recipe-page.ts';
import { splitDate } from './support/recipe-market.ts';
import { startRecipeService } from './support/recipe-service.ts';

const recipe = readRecipe('wealthfolio.md');
const sources = recipe.take('json').map((block) => JSON.parse(block) as Source);
const [latest, historical] = sources as [Source, Source];
const [shown = ''] = recipe.take('text');

/** The fields of a source (`NewCustomProviderSource`) that the page sets. */
interface Source {
  readonly kind: 'latest' | 'historical';
  readonly format: 'json' | 'csv';
  readonly url: string;
  readonly headers: string;
  readonly pricePath: string;
  readonly datePath: string;
  readonly openPath: string;
  readonly highPath: string;
  readonly lowPath: string;
  readonly volumePath: string;
}

/** What the program makes of a row. */
interface Row {
  readonly date: string | undefined;
  readonly close: number;
  readonly open: number | undefined;
  readonly volume: number | undefined;
}

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

/** Requests a source as the program does: it replaces the placeholders, without encoding, and parses the URL. */
async function request({ url, headers, format }: Source, symbol: string, key = service.key) {
  const target = url
    .replace('https://cotizaciones.example.com', service.url)
    .replace('{SYMBOL}', symbol)
    .replace('{FROM}', '2026-06-01')
    .replace('{TO}', '2026-11-20');
  const sent = JSON.parse(headers.replace('pz_…', key)) as Record<string, string>;
  const accept = format === 'json' ? 'application/json' : 'text/csv';
  return fetch(new URL(target), { headers: { accept: `${accept}, text/plain, */*`, ...sent } });
}

/** A number of a cell (`parse_number_string`, without a locale). Commas separate thousands. */
function numberIn(cell = ''): number | undefined {
  return /^-?\d/.test(cell) ? Number(cell.replaceAll(',', '')) : undefined;
}

/** The rows of a CSV: a path is the heading of its column (`extract_csv_rows`). A row without a price is dropped. */
function rowsOfCsv(body: string, of: Source): readonly Row[] {
  const [headings = [], ...rows] = Papa.parse<string[]>(body, { skipEmptyLines: true }).data;
  const column = (path: string) => headings.findIndex((one) => one.toLowerCase() === path);
  return rows.flatMap((cells) => {
    const close = numberIn(cells[column(of.pricePath)]);
    const date = cells[column(of.datePath)];
    const open = numberIn(cells[column(of.openPath)]);
    const volume = numberIn(cells[column(of.volumePath)]);
    return close === undefined ? [] : [{ date, close, open, volume }];
  });
}

for (const [symbol, price] of shown
  .trim()
  .split('\n')
  .map((line) => line.split(/ {2,}/))) {
  test(`${symbol}: the last price, its date and its range are read with the paths of the page`, async () => {
    assert.equal(latest.kind, 'latest');
    const response = await request(latest, symbol ?? '');
    const quotes = (await response.json()) as readonly Readonly<Record<string, unknown>>[];
    const read = (path: string): unknown => jsonpath.query(quotes, path)[0];
    assert.equal(read(latest.pricePath), Number(price));
    assert.equal(read(latest.datePath), '2026-11-20');
    const { openPath, highPath, lowPath, volumePath } = latest;
    assert.deepEqual([openPath, highPath, lowPath, volumePath].map(read), [
      quotes[0]?.['apertura'],
      quotes[0]?.['maximo'],
      quotes[0]?.['minimo'],
      quotes[0]?.['volumen'],
    ]);
  });
}

test('every instrument of the universe has a price', async () => {
  for (const { ticker } of service.server.board.universe.instruments.slice(0, 150)) {
    const response = await request(latest, ticker);
    const [price] = jsonpath.query(await response.json(), latest.pricePath) as unknown[];
    assert.equal(typeof price, 'number', ticker);
  }
});

test('the closes are read by their headings, adjusted for a split, with the values that are known', async () => {
  assert.equal(historical.kind, 'historical');
  const response = await request(historical, 'AAPL');
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
  const rows = rowsOfCsv(await response.text(), historical);
  assert.ok(rows.length > 100);
  const at = rows.findIndex(({ date = '' }) => date >= splitDate);
  const [last, first] = [rows[at - 1], rows[at]];
  assert.ok(last && first && Math.abs(last.close / first.close - 1) < 0.01);
  assert.ok(rows.every(({ open, volume }) => open !== undefined && volume !== undefined));
  // A dollar has neither an open nor a volume, and its closes are on their dates all the same.
  const dollar = rowsOfCsv(await (await request(historical, 'DOLAR MEP')).text(), historical);
  assert.deepEqual([dollar.at(-1)?.date, dollar.at(-1)?.volume], ['2026-11-19', undefined]);
});

test('an unknown symbol has no row, and a wrong key no price', async () => {
  const none = await request(latest, 'NADA');
  assert.deepEqual(jsonpath.query(await none.json(), latest.pricePath), []);
  const empty = await request(historical, 'NADA');
  assert.deepEqual(rowsOfCsv(await empty.text(), historical), []);
  assert.equal((await request(latest, 'GGAL', 'pz_otra')).status, 401);
});
