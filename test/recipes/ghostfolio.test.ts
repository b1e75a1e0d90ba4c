/**
 * docs/integraciones/ghostfolio.md: its configuration reads real responses as Ghostfolio does, with the packages
 * that Ghostfolio uses.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { NumberParser } from '@internationalized/number';
import jsonpath from 'jsonpath';

import { startDemoService } from '../clients/demo-service.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';

const recipe = readRecipe('ghostfolio.md');
const [configuration = ''] = recipe.take('json');
const [shown = ''] = recipe.take('text');

interface ScraperConfiguration {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly selector: string;
  readonly mode: string;
  readonly locale?: string;
}

const page = JSON.parse(configuration) as ScraperConfiguration;

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

interface Place {
  readonly url: string;
  readonly key: string;
}

interface Quote {
  readonly especie: string;
  readonly ultimo: number;
}

/**
 * The number in a text, as since Ghostfolio 3.30.0: the sign is that of the first character, and only digits
 * and separators reach the parser. Without a locale it is that of the United States.
 */
function readNumber(text: string, locale = 'en-US'): number {
  const value = readUnsigned(text, locale);
  return text.trim().startsWith('-') ? -value : value;
}

/** The number in a text, as before Ghostfolio 3.30.0. */
function readUnsigned(text: string, locale: string): number {
  return new NumberParser(locale).parse(text.replaceAll(/[^\d.,'’\s]/g, ''));
}

/** The text that the selector of the page finds in a response. */
function select(response: unknown): string {
  return String(jsonpath.query(response, page.selector)[0]);
}

/** Requests the URL of the page for an instrument, with its headers. */
async function scrape(ticker: string, { url, key }: Place): Promise<Response> {
  return fetch(
    page.url
      .replace('https://cotizaciones.example.com', url)
      .replace('especie=GGAL', `especie=${ticker}`),
    {
      headers: Object.fromEntries(
        Object.entries(page.headers).map(([name, value]) => [name, value.replace('pz_…', key)]),
      ),
    },
  );
}

/** The quotes of all instruments. */
async function allQuotes({ url, key }: Place): Promise<readonly Quote[]> {
  const headers = { authorization: `Bearer ${key}` };
  const tickers = (await (await fetch(`${url}/especies.txt`, { headers })).text())
    .trim()
    .split('\n');
  const quotes: Quote[] = [];
  for (let at = 0; at < tickers.length; at += 400) {
    const part = tickers.slice(at, at + 400).map(encodeURIComponent);
    const response = await fetch(`${url}/cotizaciones?especie=${part.join(',')}`, { headers });
    quotes.push(...((await response.json()) as Quote[]));
  }
  return quotes;
}

/** Quotes whose price is read as another number, each with this number. */
function misreadIn(quotes: readonly Quote[], locale?: string): Readonly<Record<string, number>> {
  const read = quotes.map((quote) => [quote.especie, readNumber(select([quote]), locale)] as const);
  return Object.fromEntries(read.filter(([, value], at) => value !== quotes[at]?.ultimo));
}

test('the configuration has no locale, and reads the price at once', () => {
  assert.equal(page.locale, undefined);
  assert.equal(page.mode, 'instant');
});

for (const ticker of ['GGAL', 'DOLAR MEP', 'DOLAR/EURO', 'MEP-CCL', 'AAPL_US']) {
  test(`${ticker}: the URL of the page answers JSON, from which the last price is read`, async () => {
    const response = await scrape(ticker, service);
    assert.equal(response.status, 200);
    // Old versions compare this with the media type alone.
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    const quotes = (await response.json()) as readonly Quote[];
    assert.equal(quotes[0]?.especie, ticker);
    assert.equal(readNumber(select(quotes)), quotes[0].ultimo);
  });
}

test('the page shows what the button Test shows', async () => {
  const price = readNumber(select(await (await scrape('GGAL', service)).json()));
  const headers = { authorization: `Bearer ${service.key}` };
  const named = await fetch(`${service.url}/especies.json?buscar=GGAL`, { headers });
  const [instrument] = (await named.json()) as { readonly moneda: string }[];
  assert.equal(shown.trim(), `The current market price is ${price} ${instrument?.moneda}`);
});

test('the price of every instrument is read, also below zero, except one that is written with an exponent', async () => {
  const quotes = await allQuotes(service);
  assert.ok(quotes.length > 900, `${quotes.length} quotes`);
  assert.ok(quotes.some(({ ultimo }) => ultimo < 0));
  const small = quotes.find(({ especie }) => especie === 'DOGE');
  assert.equal(small?.ultimo, 0.000_000_12);
  assert.deepEqual(misreadIn(quotes), { DOGE: 1.27 });
});

test('the price of every instrument of the demonstration is read', async () => {
  await using demo = await startDemoService();
  const quotes = await allQuotes({ url: demo.service.url, key: demo.key });
  assert.ok(quotes.length > 900, `${quotes.length} quotes`);
  assert.deepEqual(misreadIn(quotes), {});
});

test('with the locale es-AR the decimal point is lost', async () => {
  assert.equal(readNumber('8340.5', 'es-AR'), 83_405);
  assert.equal(readNumber('8340.5', 'es'), 83_405);
  assert.equal(readNumber('8340.5'), 8340.5);
  const misread = misreadIn(await allQuotes(service), 'es-AR');
  assert.equal(misread['GGAL'], 83_405);
  assert.ok(Object.keys(misread).length > 900);
});

test('before 3.30.0 the sign is lost', async () => {
  const spread = select(await (await scrape('MEP-CCL', service)).json());
  assert.equal(readUnsigned(spread, 'en-US'), 2.35);
  assert.equal(readNumber(spread), -2.35);
});

test('an unknown ticker and an error have no number', async () => {
  const unknown = await scrape('NADA', service);
  assert.equal(unknown.status, 200);
  assert.ok(Number.isNaN(readNumber(select(await unknown.json()))));
  const refused = await scrape('GGAL', { ...service, key: 'pz_otra' });
  assert.equal(refused.status, 401);
  assert.ok(Number.isNaN(readNumber(select(await refused.json()))));
});
